#include "studies/people/handedness_inventory.hpp"

namespace tactus::studies {

double handednessQuotient(std::span<const std::size_t> answers) noexcept {
  if (answers.empty()) return 0.0;
  double sum = 0.0;
  for (const std::size_t answer : answers)
    sum += 50.0 * (static_cast<double>(answer) - 2.0);
  return sum / static_cast<double>(answers.size());
}

std::string_view handednessName(double quotient) noexcept {
  constexpr double kOneSided = 60.0;
  if (quotient > kOneSided) return "right";
  return quotient < -kOneSided ? "left" : "mixed";
}

}  // namespace tactus::studies
