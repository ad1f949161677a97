#include "models/parametric/boxes.hpp"

#include <gtest/gtest.h>

#include "mesh_measures.hpp"

namespace tactus::models {
namespace {

void expectBox(const Mesh& mesh, const Eigen::Vector3d& extents) {
  const Bounds box = mesh.bounds();
  // Coordinates are floats: half an ulp of 60 mm is 2e-9.
  EXPECT_LT((box.upper - 0.5 * extents).cwiseAbs().maxCoeff(), 2e-9);
  EXPECT_LT((box.lower + 0.5 * extents).cwiseAbs().maxCoeff(), 2e-9);
  EXPECT_NEAR(test::volumeOf(mesh), extents.prod(), 1e-6 * extents.prod());
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_TRUE(test::isMirrored(mesh, axis));

  // The twelve edges of the box, and nothing else, are sharp.
  double length = 0.0;
  for (const test::SharpEdge& edge : test::sharpEdges(mesh, 30.0)) {
    const Eigen::Vector3d along = (edge.to - edge.from).cwiseAbs();
    EXPECT_NEAR(along.sum(), along.maxCoeff(), 1e-9);
    length += along.norm();
  }
  EXPECT_NEAR(length, 4.0 * extents.sum(), 1e-6);
}

TEST(Boxes, HaveExactExtentsVolumeEdgesAndSymmetry) {
  for (const std::size_t triangles : {1'000U, 1'500U, 20'000U}) {
    expectBox(makeBox(triangles), {0.060, 0.040, 0.020});
    expectBox(makeBlock(triangles), {0.120, 0.040, 0.060});
    expectBox(makePlate(triangles), {0.100, 0.002, 0.100});
  }
}

}  // namespace
}  // namespace tactus::models
