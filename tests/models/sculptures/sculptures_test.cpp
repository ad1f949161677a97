// The hands and the animals as solids: what a simulation and a mesher may count on.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/sculpt/animals.hpp"
#include "models/sculpt/hands.hpp"
#include "models/sculpt/sculpted_models.hpp"
#include "solid_grid.hpp"

namespace tactus::models {
namespace {

using Eigen::Vector3d;

constexpr double kAnimalSpacing = 0.75e-3;  // [m]; the least feature is 2.5 mm
constexpr double kHandSpacing = 1.5e-3;     // [m]; fingers are 15 mm thick
constexpr double kCoarseSpacing = 1.25e-3;  // [m]; for what needs no detail

struct Expected {
  Vector3d size;       // of the bounding box [m]
  std::uint64_t hash;  // of the distance at 1000 seeded points
};

const std::map<std::string, Expected> kExpected = {
    {"hand-left", {{0.108, 0.0855, 0.177}, 0xe53d6425d969d573}},
    {"hand-right", {{0.108, 0.0855, 0.177}, 0xff3fa249e0bec5ea}},
    {"rhino", {{0.042, 0.0578, 0.096}, 0xbf38ff93d14cef75}},
    {"bear", {{0.0675, 0.0728, 0.054}, 0x45ad109daed4da84}},
    {"rabbit", {{0.042, 0.084, 0.0525}, 0x18882cc08b18685f}},
    {"duck", {{0.0435, 0.0652, 0.0675}, 0xca885d7674b6f69a}},
    {"turtle", {{0.0555, 0.0442, 0.09}, 0xa1c1016650204313}},
    {"monkey", {{0.0735, 0.069, 0.0525}, 0xb8f69edcd352a217}},
};

bool isHand(const SculptedModel& model) {
  return model.name.starts_with("hand");
}

SolidGrid gridOf(const SculptedModel& model) {
  return {model.make(), isHand(model) ? kHandSpacing : kAnimalSpacing};
}

// Points of a box, the same on every machine: a 64-bit linear congruence (Knuth's MMIX constants),
// of which the upper bits are used.
class SeededPoints {
 public:
  SeededPoints(const Bounds& box, std::uint64_t seed) : box_(box), state_(seed) {}

  Vector3d next() {
    const double x = share();
    const double y = share();
    const double z = share();
    return box_.lower + Vector3d(x, y, z).cwiseProduct(box_.upper - box_.lower);
  }

 private:
  double share() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state_ >> 11U) * 0x1p-53;
  }

  Bounds box_;
  std::uint64_t state_;
};

Vector3d gradientAt(const Sculpture& sculpture, const Vector3d& at) {
  constexpr double kStep = 1e-6;  // [m]
  Vector3d gradient;
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3d step = kStep * Vector3d::Unit(axis);
    gradient[axis] =
        (distanceTo(sculpture, at + step) - distanceTo(sculpture, at - step)) / (2.0 * kStep);
  }
  return gradient;
}

struct SurfacePoint {
  Vector3d position, normal;
};

// Where the surface is, by Newton steps from the boundary points of a grid.
std::vector<SurfacePoint> surfacePointsOf(const Sculpture& sculpture, double spacing) {
  std::vector<SurfacePoint> points;
  for (Vector3d at : SolidGrid(sculpture, spacing).boundaryPoints()) {
    for (int step = 0; step < 6; ++step) {
      const Vector3d gradient = gradientAt(sculpture, at);
      at -= distanceTo(sculpture, at) / gradient.squaredNorm() * gradient;
    }
    if (std::abs(distanceTo(sculpture, at)) > 1e-6) continue;
    const Vector3d gradient = gradientAt(sculpture, at);
    points.push_back({at, gradient / gradient.norm()});
  }
  return points;
}

class EverySculpture : public testing::TestWithParam<SculptedModel> {};

// One piece, no void, no handle: what could be kneaded from one ball. That holds for the solid
// grown by 0.4 mm too, so no two parts of it come nearer than 0.8 mm without touching; and shrunk
// by 1.1 mm it still hangs together, so that no joint is a thread.
TEST_P(EverySculpture, CouldBeKneadedFromOneBall) {
  const SolidGrid grid = gridOf(GetParam());
  EXPECT_EQ(grid.solidComponents(), 1U);
  EXPECT_EQ(grid.emptyComponents(), 1U);
  EXPECT_EQ(grid.eulerCharacteristic(), 1);
  EXPECT_EQ(grid.emptyComponents(0.4e-3), 1U);
  EXPECT_EQ(grid.eulerCharacteristic(0.4e-3), 1);
  EXPECT_EQ(grid.solidComponents(-1.1e-3), 1U);
}

TEST_P(EverySculpture, IsNowhereThin) {
  const Sculpture sculpture = GetParam().make();
  const std::vector<SurfacePoint> surface =
      surfacePointsOf(sculpture, isHand(GetParam()) ? 4e-3 : 2e-3);
  ASSERT_GT(surface.size(), 1500U);
  for (const SurfacePoint& point : surface) {
    for (const double depth : {0.3e-3, 0.8e-3, 1.3e-3, 1.8e-3, 2.3e-3}) {
      EXPECT_LT(distanceTo(sculpture, point.position - depth * point.normal), 0.0)
          << "thinner than 2.5 mm at " << 1e3 * point.position.transpose() << " mm";
    }
  }
}

TEST_P(EverySculpture, HasItsSize) {
  const Bounds box = SolidGrid(GetParam().make(), kCoarseSpacing).bounds();
  const Vector3d size = box.upper - box.lower;
  const Vector3d expected = kExpected.at(std::string(GetParam().name)).size;
  EXPECT_LT((size - expected).cwiseAbs().maxCoeff(), 2.6e-3) << 1e3 * size.transpose() << " mm";
}

TEST_P(EverySculpture, IsTheSameEverywhere) {
  const Sculpture sculpture = GetParam().make();
  SeededPoints points(boundsOf(sculpture), 1);
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (int i = 0; i < 1000; ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(distanceTo(sculpture, points.next()));
    for (unsigned shift = 0; shift < 64; shift += 8) {
      hash = (hash ^ ((bits >> shift) & 0xffU)) * 1099511628211ULL;
    }
  }
  EXPECT_EQ(hash, kExpected.at(std::string(GetParam().name)).hash) << std::hex << "0x" << hash;
}

std::string nameOf(const testing::TestParamInfo<SculptedModel>& info) {
  std::string name(info.param.name);
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, EverySculpture,
                         testing::ValuesIn(sculptedModels().begin(), sculptedModels().end()),
                         nameOf);

class EveryAnimal : public testing::TestWithParam<SculptedModel> {};

// At the surface and near it, where the order of blending left and right does not show. The
// monkey's tail, its last group, curls to one side on purpose.
TEST_P(EveryAnimal, IsItsOwnMirrorImage) {
  Sculpture sculpture = GetParam().make();
  if (GetParam().name == "monkey") sculpture.groups.pop_back();
  constexpr double kNear = 0.5e-3;  // [m]
  SeededPoints points(boundsOf(sculpture), 2);
  int checked = 0;
  for (int i = 0; i < 60'000; ++i) {
    const Vector3d at = points.next();
    const double distance = distanceTo(sculpture, at);
    if (std::abs(distance) > kNear) continue;
    ++checked;
    ASSERT_NEAR(distance, distanceTo(sculpture, {-at.x(), at.y(), at.z()}), 1e-12)
        << 1e3 * at.transpose() << " mm";
  }
  EXPECT_GT(checked, 300);
}

TEST_P(EveryAnimal, IsCentred) {
  Sculpture sculpture = GetParam().make();
  if (GetParam().name == "monkey") sculpture.groups.pop_back();
  const Bounds box = SolidGrid(sculpture, kCoarseSpacing).bounds();
  EXPECT_NEAR(box.centre().x(), 0.0, 1e-9);
  EXPECT_NEAR(box.centre().z(), 0.0, 1e-3);
}

// Stands where it is put: the centre of mass lies over the soles, at least 4 mm from every edge of
// their convex hull, which bears a tilt of several degrees.
TEST_P(EveryAnimal, StandsStable) {
  const Sculpture sculpture = GetParam().make();
  const SolidGrid grid(sculpture, kCoarseSpacing);
  const Vector3d centre = grid.centreOfMass();
  std::vector<Vector3d> soles;
  for (const Vector3d& at : grid.boundaryPoints()) {
    if (at.y() < kCoarseSpacing) soles.push_back(at);
  }
  const double area = static_cast<double>(soles.size()) * kCoarseSpacing * kCoarseSpacing;
  EXPECT_GT(area, 150e-6) << "stands on its toes";
  for (const Vector3d& sole : soles) {
    EXPECT_GT(distanceTo(sculpture, {sole.x(), -0.5e-3, sole.z()}), 0.0) << "through the floor";
  }
  for (const int x : {-3, -2, -1, 0, 1, 2, 3}) {
    for (const int z : {-3, -2, -1, 0, 1, 2, 3}) {
      if (x == 0 && z == 0) continue;
      const Vector3d direction = Vector3d(x, 0, z).normalized();
      double margin = -1.0;
      for (const Vector3d& sole : soles)
        margin = std::max(margin, direction.dot(sole - centre));
      EXPECT_GT(margin, 4e-3) << "towards " << direction.transpose();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryAnimal,
                         testing::ValuesIn(sculptedModels().begin() + 2, sculptedModels().end()),
                         nameOf);

TEST(Hands, RightIsTheMirrorImageOfLeft) {
  const Sculpture left = handLeft();
  const Sculpture right = handRight();
  SeededPoints points(boundsOf(left), 3);
  for (int i = 0; i < 5000; ++i) {
    const Vector3d at = points.next();
    ASSERT_EQ(distanceTo(left, at), distanceTo(right, {-at.x(), at.y(), at.z()}));
  }
}

// A ball of 60 mm has room under the palm, and both the thumb and the fingers are near it.
TEST(Hands, HoldAnAnimal) {
  const Sculpture hand = handLeft();
  const Vector3d thumb(0.050, -0.060, -0.032);
  const Vector3d fingers(0.010, -0.060, -0.095);
  double widest = 0.0;
  for (double y = -0.080; y <= 0.0; y += 0.002) {
    for (double z = -0.090; z <= 0.0; z += 0.002) {
      const Vector3d at(0.012, y, z);
      const bool isBetween = (at - thumb).norm() < 0.055 && (at - fingers).norm() < 0.060;
      if (isBetween) widest = std::max(widest, distanceTo(hand, at));
    }
  }
  EXPECT_GT(widest, 0.030);
}

}  // namespace
}  // namespace tactus::models
