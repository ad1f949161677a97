#pragma once
#include <string>

namespace tactus::tests {

// A hand presses a small box on a plate and slides it; a loose one lies beside. Few spheres: what
// is tested is the way from the file to the force and back, not the contact.
inline constexpr const char* kTwoBoxes = R"(
title = "Two boxes"

[[material]]
name = "wood"

[[body]]
name = "plate"
model = "builtin:box@1000"
fit_m = 0.3
spheres = 500
points = 0
material = "wood"

[[body]]
name = "loose"
model = "builtin:box@1000"
kind = "dynamic"
fit_m = 0.05
spheres = 500
points = 0
material = "wood"
position_m = [0.06, 0.047, 0.0]

[[body]]
name = "tool"
model = "builtin:box@1000"
kind = "tool"
fit_m = 0.05
spheres = 500
points = 0
material = "wood"
position_m = [0.0, 0.055, 0.0]

[[hand]]
name = "right"
tool = "tool"
coupling = "COUPLING"
pose = [
  { at_s = 0.0 },
  { at_s = 1.0, position_m = [0.0, 0.042, 0.0] },
  { at_s = 2.0 },
]
)";

/// With `coupling` "dynamic" or "quasi-static".
inline std::string twoBoxes(const std::string& coupling) {
  std::string text = kTwoBoxes;
  text.replace(text.find("COUPLING"), 8, coupling);
  return text;
}

}  // namespace tactus::tests
