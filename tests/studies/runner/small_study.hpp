#pragma once

namespace tactus::tests {

/// A box in one hand, to be set onto a block: few spheres, so that what is tried is the way of a
/// study's data and not the contact.
inline constexpr const char* kSmallScene = R"(
title = "Set a box onto a block"

[[material]]
name = "wood"

[[body]]
name = "block"
model = "builtin:block@1000"
spheres = 200
points = 0
material = "wood"
position_m = [0.0, -0.02, 0.0]

[[body]]
name = "box"
model = "builtin:box@1000"
kind = "tool"
scale = 0.5
spheres = 200
points = 0
material = "wood"
position_m = [0.0, 0.03, 0.0]

[[hand]]
name = "right"
tool = "box"
)";

/// After `scene = ...`.
inline constexpr const char* kSmallProtocol = R"(
title = "Setting boxes"
seed = 3

[[factor]]
name = "dof"
levels = ["6in6out", "3in3out"]

[task]
kind = "dock"
within_m = 0.006
within_rad = 0.3
hold_s = 0.05

[[target]]
hand = "right"
position_m = [0.0, 0.009, 0.0]
approach_m = [0.0, 0.012, 0.0]

[[block]]
name = "training"
practice = true
limit_s = 0.4
ends = "success"
most_attempts = 2

[[block]]
name = "task"
trials = 3
limit_s = 1.5
ends = "success"

[[item]]
name = "ease"
kind = "likert"
question = "How easy was it?"

[[item]]
name = "comment"
kind = "text"
question = "What else?"
when = "end"

[[outcome]]
name = "time"
label = "Time"
scale = "time"
factor = "dof"
primary = true

[[exclusion]]
rule = "Nothing was touched"
measure = "contact_time"
below = 0.001
)";

}  // namespace tactus::tests
