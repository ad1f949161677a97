#include "studies/plan/simulated_traits.hpp"

#include "studies/random_stream.hpp"

namespace tactus::studies {

SimulatedTraits traitsOf(std::uint64_t seed) {
  RandomStream random(seed);
  SimulatedTraits traits;
  traits.isRightHanded = 0.5 * (random.aroundZero() + 1.0) < 0.9;
  traits.isExperienced = 0.5 * (random.aroundZero() + 1.0) < 0.25;
  const double skill = (traits.isExperienced ? 1.3 : 1.0) * (1.0 + 0.15 * random.aroundZero());
  traits.speed = 0.22 * skill;
  traits.error = 5e-3 / skill * (1.0 + 0.3 * random.aroundZero());
  traits.turnError = 0.06 / skill;
  traits.tremor = 2e-4 * (1.0 + 0.5 * random.aroundZero());
  traits.tremorHertz = 9.0 + random.aroundZero();
  traits.reaction = 0.28 / skill;
  traits.weber = 0.12 / skill;
  return traits;
}

}  // namespace tactus::studies
