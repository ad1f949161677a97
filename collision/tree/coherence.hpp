#pragma once
#include <cstdint>

namespace tactus::collision {

/// Whether the queries follow a motion in small steps.
enum class Coherence : std::uint8_t {
  None,
  SmallSteps,  ///< a query begins with what the last one found; the answers are the same
};

}  // namespace tactus::collision
