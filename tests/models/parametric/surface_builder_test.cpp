#include "models/parametric/surface_builder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mesh_measures.hpp"

namespace tactus::models {
namespace {

TEST(UnitCircle, IsTheCircle) {
  for (int n : {1, 3, 8, 360, 99'991}) {
    for (int k = -n; k <= 2 * n; k += 1 + n / 50) {
      const Eigen::Vector2d p = unitCircle({k, n});
      const double angle = 2.0 * std::numbers::pi * k / n;
      EXPECT_NEAR(p.x(), std::cos(angle), 1e-15 + 1e-15 * std::abs(angle));
      EXPECT_NEAR(p.y(), std::sin(angle), 1e-15 + 1e-15 * std::abs(angle));
    }
  }
}

TEST(UnitCircle, IsMirroredToTheLastBit) {
  for (int k = 0; k < 1'000; ++k) {
    const Eigen::Vector2d p = unitCircle({k, 1'000});
    EXPECT_EQ(p, Eigen::Vector2d(unitCircle({1'000 - k, 1'000}).x(),
                                 -unitCircle({1'000 - k, 1'000}).y()));
    EXPECT_EQ(p,
              Eigen::Vector2d(-unitCircle({500 - k, 1'000}).x(), unitCircle({500 - k, 1'000}).y()));
    EXPECT_EQ(p,
              Eigen::Vector2d(unitCircle({250 - k, 1'000}).y(), unitCircle({250 - k, 1'000}).x()));
  }
  EXPECT_EQ(unitCircle({1, 4}), Eigen::Vector2d(0.0, 1.0));
}

// A tube between rings of any two sizes: every edge inside is used twice, the two rims once.
TEST(SurfaceBuilder, StitchesRingsOfAnySizes) {
  for (const int lower : {4, 6, 7, 30}) {
    for (const int upper : {4, 5, 12, 31}) {
      for (const bool shifted : {false, true}) {
        SurfaceBuilder builder;
        const auto at = [](double z) {
          return [z](Turn turn) {
            const Eigen::Vector2d p = unitCircle(turn);
            return Eigen::Vector3d(p.x(), p.y(), z);
          };
        };
        const Chain a = builder.ring(lower, false, at(0.0));
        const Chain b = builder.ring(upper, shifted, at(1.0));
        builder.stitch(a, b);
        const Mesh tube = builder.finish();
        EXPECT_EQ(tube.triangles.size(), static_cast<std::size_t>(lower + upper));
        EXPECT_EQ(test::badEdges(tube), static_cast<std::size_t>(lower + upper));
        for (const Triangle& t : tube.triangles) {  // all face away from the axis
          const auto p = test::cornersOf(tube, t);
          const Eigen::Vector3d middle = (p[0] + p[1] + p[2]) / 3.0;
          const Eigen::Vector3d normal = (p[1] - p[0]).cross(p[2] - p[0]);
          EXPECT_GT(normal.x() * middle.x() + normal.y() * middle.y(), 0.0);
        }
      }
    }
  }
}

TEST(SurfaceBuilder, CapsARingWithoutNeedles) {
  SurfaceBuilder builder;
  const auto at = [](double t, Turn turn) {
    const Eigen::Vector2d p = (1.0 - t) * unitCircle(turn);
    return Eigen::Vector3d(p.x(), p.y(), 0.0);
  };
  const Chain rim = builder.ring(120, false, [&](Turn turn) { return at(0.0, turn); });
  builder.cap(rim, 22, [&](double t) { return 120.0 * (1.0 - t); }, at);
  const Mesh disc = builder.finish();
  EXPECT_EQ(test::badEdges(disc), 120U);
  EXPECT_GT(test::smallestAngles(disc).front(), 35.0);
}

}  // namespace
}  // namespace tactus::models
