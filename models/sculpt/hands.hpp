#pragma once
#include "models/sculpt/sculpture.hpp"

namespace tactus::models {

/// A left hand of an adult, curled as for grasping: about 180 mm from the wrist to the finger tips.
///
/// The origin is the middle of the palm. As seen by its owner, who looks along -z: the wrist is at
/// +z, the fingers point to -z and curl down to -y, the palm faces down, the thumb is at +x and
/// stands opposite the fingers. Between the pads of thumb and fingers a ball of 60 mm finds room.
[[nodiscard]] Sculpture handLeft();

/// The mirror image of the left hand in x, exact to the bit.
[[nodiscard]] Sculpture handRight();

}  // namespace tactus::models
