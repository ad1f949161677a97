#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/mesh/result.hpp"
#include "studies/quality/path_walk.hpp"
#include "studies/quality/quality_objects.hpp"
#include "studies/quality/recorded_paths.hpp"

namespace tactus::studies {

/// The laws that have an exact reference for any two solids.
inline constexpr std::array kShapeLaws = {QualityLaw::Ist, QualityLaw::IstVolume, QualityLaw::Vps};

struct ShapeSettings {
  std::size_t samples = 41;  ///< along the path; each takes seconds
  Fineness fineness;
  int repetitions = 3;  ///< of each query; the median time counts
  std::size_t jumpWindows = 24, jumpSteps = 48;
};

struct ShapeLaw {
  LawCourse course;
  CourseFigures force, torque;
  std::uint32_t budget = 0;  ///< of cutJumps; 0: the law has none
};

/// How good forces are along a recorded path.
struct ShapeQuality {
  RecordedPath path;
  double stepLength = 0.0;                       ///< of the walk for jumps [m]
  std::array<ShapeLaw, kShapeLaws.size()> laws;  ///< in the order of kShapeLaws
  double stolenShare = 0.0;
  int attempts = 1;
};

/// Forces and torques of a recorded path beside exact ones.
///
/// Method: each law against the exact gradient of its own energy on the very triangles it was built
/// of: exactDepth() of the lesser depth and of A's, exactOverlap() of the volume. Torques are about
/// the middle of B's box. Jumps are looked for as along the paths of the scenarios, without a
/// budget and with half of the tests that the path takes on the mean.
[[nodiscard]] models::Result<ShapeQuality> measureShape(const RecordedPath& path,
                                                        const ShapeSettings& settings,
                                                        QualityObjects& objects);

/// Recomputes all figures from the courses.
void fillFigures(ShapeQuality& shape);

}  // namespace tactus::studies
