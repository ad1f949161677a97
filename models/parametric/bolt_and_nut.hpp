#pragma once
#include <cstddef>

#include "models/mesh/mesh.hpp"
#include "models/parametric/thread.hpp"

namespace tactus::models {

/// A hexagon bolt M24 x 3 and the nut that goes on it, axes along y.
///
/// The nut's thread is the bolt's moved outward by kThreadClearance: 0.2 mm radially on crest and
/// root, 0.1 mm square to the flanks, 0.23 mm of play along the axis. Vertices of the bolt lie on
/// its true surface and those of the nut's thread outside theirs, so that the chords of either stay
/// on their own side: they do not touch at any resolution.
constexpr double kThreadPitch = 3.0e-3;                                     // [m]
constexpr double kBoltRadius = 12.0e-3;                                     // [m]
constexpr double kBoltMinor = kBoltRadius - Thread::depthOf(kThreadPitch);  // [m]
constexpr double kBoltLength = 36.0e-3;      // from under the head to the tip [m]
constexpr double kBoltHeadHeight = 15.0e-3;  // [m]
constexpr double kTipChamfer = 1.5e-3;       // at 45 degrees [m]
constexpr double kAcrossFlats = 36.0e-3;     // of bolt and nut [m]
constexpr double kNutHeight = 22.0e-3;       // [m]
constexpr double kCountersink = 1.2e-3;      // depth and width, at 45 degrees [m]
constexpr double kThreadClearance = 0.2e-3;  // radial [m]

/// The threads, their heights measured along the axis of the model's own frame.
[[nodiscard]] Thread boltThread();
[[nodiscard]] Thread nutThread();

/// Turn about +y [rad] of a nut whose centre is at the height y of the bolt's frame so that it sits
/// in the bolt's thread. It can go up to kNutHighest, where the bolt's thread fades.
[[nodiscard]] double nutAngleAt(double height);
constexpr double kNutHighest = -18.0e-3;  // [m]

/// Head upward: its lower face at y = 0, the tip at y = -kBoltLength.
[[nodiscard]] Mesh makeBolt(std::size_t triangles);

/// Centred on the origin.
[[nodiscard]] Mesh makeNut(std::size_t triangles);

}  // namespace tactus::models
