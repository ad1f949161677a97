#include "models/mesh/wording.hpp"

#include <cstddef>

namespace tactus::models {

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return say(count, " ", count == 1 ? one : many);
}

std::string grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

std::string countedInGroups(std::uint64_t count, std::string_view one, std::string_view many) {
  return say(grouped(count), " ", count == 1 ? one : many);
}

}  // namespace tactus::models
