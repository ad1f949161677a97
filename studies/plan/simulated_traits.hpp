#pragma once
#include <cstdint>

namespace tactus::studies {

/// What a simulated participant is like. All of it is invented, to try the way of the data; it
/// tells nothing about people.
struct SimulatedTraits {
  double speed = 0.25;      ///< mean, of the tool in the scene [m/s]
  double error = 4e-3;      ///< of where the tool is brought, at first [m]
  double turnError = 0.05;  ///< [rad]
  double tremor = 2e-4;     ///< amplitude [m]
  double tremorHertz = 9.0;
  double reaction = 0.25;  ///< between two moves [s]
  double weber = 0.1;      ///< spread of felt stiffness, relative
  bool isRightHanded = true, isExperienced = false;
};
/// Of a participant's seed; who is experienced is faster and errs less.
[[nodiscard]] SimulatedTraits traitsOf(std::uint64_t seed);

}  // namespace tactus::studies
