#include "collision/depth/depth_energy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "collision/exact/exact_depth.hpp"
#include "models/builtin.hpp"
#include "tests/collision/on_vector_target.hpp"
#include "tests/collision/random_pose.hpp"
#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using tests::randomPose;
using tests::SeededBits;

struct Solid {
  Solid(std::string called, const models::Mesh& mesh, double corners)
      : name(std::move(called)), surface(mesh), depths(surface, corners) {}
  [[nodiscard]] Vector3d middle() const { return surface.bounds().centre(); }
  [[nodiscard]] double side() const { return static_cast<double>(depths.arrays().side); }

  std::string name;
  SurfaceDistance surface;
  DepthField depths;
};

/// Round, with a hole, flat and far from its origin, and small.
const std::vector<Solid>& solids() {
  static const std::vector<Solid> all = [] {
    std::vector<Solid> made;
    made.emplace_back("ball", models::test::sphere(0.5, 24, 48), 30'000);
    made.emplace_back("torus", models::test::torus(0.5, 0.2), 30'000);
    made.emplace_back("box", models::test::box({0.8, 0.4, 0.6}, {2.0, -1.0, 3.0}), 30'000);
    made.emplace_back("small box", models::test::box({0.3, 0.2, 0.3}), 8'000);
    return made;
  }();
  return all;
}

/// What two boxes share that are pressed into each other along y: depths and their gradient, by
/// the sum over fine cells.
struct PressedBoxes {
  Vector3d half;

  [[nodiscard]] double energy(double pushed) const {
    const Eigen::Vector3i cells(64, 128, 64);
    const Vector3d low(-half.x(), half.y() - pushed, -half.z());
    const Vector3d side(2.0 * half.x() / cells.x(), pushed / cells.y(), 2.0 * half.z() / cells.z());
    const auto depth = [&](const Vector3d& at) { return (half - at.cwiseAbs()).minCoeff(); };
    double sum = 0.0;
    for (int i = 0; i < cells.x(); ++i) {
      for (int j = 0; j < cells.y(); ++j) {
        for (int k = 0; k < cells.z(); ++k) {
          const Vector3d at = low + side.cwiseProduct(Vector3d(i + 0.5, j + 0.5, k + 0.5));
          sum += std::min(depth(at), depth(at - Vector3d(0.0, 2.0 * half.y() - pushed, 0.0)));
        }
      }
    }
    return sum * side.prod();
  }
  [[nodiscard]] double force(double pushed) const {
    return (energy(pushed + 1e-4) - energy(pushed - 1e-4)) / 2e-4;
  }
};

// A spring from the touch on, also where the overlap is thinner than a cube. What is off comes from
// the edges, which are smeared over a cube: a band of 5 % of the faces.
TEST(DepthEnergy, FlatFacesPushLikeASpring) {
  const Solid box("box", models::test::box({0.8, 0.4, 0.6}, {2.0, -1.0, 3.0}), 250'000);
  const PressedBoxes ideal{{0.4, 0.2, 0.3}};
  DepthScratch scratch(box.depths, box.depths);
  ASSERT_GT(box.side(), 0.008);
  for (const double pushed : {0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2}) {
    const Isometry3d pose(Eigen::Translation3d(0.0, 0.4 - pushed, 0.0));
    const DepthEnergy found = depthEnergy(box.depths, box.depths, pose, scratch);
    EXPECT_NEAR(found.energy, ideal.energy(pushed), 0.03 * ideal.energy(pushed)) << pushed;
    EXPECT_NEAR(found.force.y(), ideal.force(pushed), 0.035 * ideal.force(pushed)) << pushed;
    EXPECT_LT(std::hypot(found.force.x(), found.force.z()), 0.015 * found.force.y()) << pushed;
    // the force goes through the middle of the faces
    const Vector3d arm = box.middle() + Vector3d(0.0, 0.2, 0.0) - pose.translation();
    const Vector3d torque = found.torque - arm.cross(found.force);
    EXPECT_LT(torque.norm(), 0.01 * found.force.y()) << pushed;
  }
}

TEST(DepthEnergy, AgreesWithTheExactIntegral) {
  SeededBits random(11);
  int overlaps = 0;
  for (std::size_t i = 0; i < solids().size(); ++i) {
    const Solid& a = solids()[i];
    const Solid& b = solids()[(i + 1) % solids().size()];
    DepthScratch scratch(a.depths, b.depths);
    const Isometry3d pose = randomPose(random, a.middle(), b.middle(), random.between(0.1, 0.5));
    for (const EnergyLaw law : {EnergyLaw::Depth, EnergyLaw::DepthOfB}) {
      const bool isOfB = law == EnergyLaw::DepthOfB;
      // of B alone, A's cubes are walked: they must not be coarser than B's
      if (isOfB && a.side() > 1.1 * b.side()) continue;
      const DepthEnergy found = depthEnergy(a.depths, b.depths, pose, scratch, {.law = law});
      const ExactDepth truth = exactDepth(a.surface, b.surface, pose,
                                          isOfB ? ExactDepthLaw::OfB : ExactDepthLaw::Lesser);
      if (truth.volume < 2e-3) continue;
      ++overlaps;
      SCOPED_TRACE(a.name + ", " + b.name + (isOfB ? " of B" : ""));
      // objects of thirty cubes a side
      EXPECT_NEAR(found.energy, truth.energy, 0.03 * truth.energy);
      const double unit = truth.volume;  // the longest force there could be
      EXPECT_LT((found.force - truth.force).norm(), 0.03 * unit);
      EXPECT_LT((found.torque - truth.torque).norm(),
                0.03 * unit * (pose.translation() - a.middle()).norm());
    }
  }
  EXPECT_GT(overlaps, 4);
}

TEST(DepthEnergy, ForceIsTheGradient) {
  const double step = 1e-3;
  // values are off by 4e-6 m, in ten thousand cubes of 7e-6 m^3
  constexpr double kRounding = 2e-6;
  SeededBits random(12);
  for (const Solid& a : solids()) {
    const Solid& b = solids()[0];
    DepthScratch scratch(a.depths, b.depths);
    for (const EnergyLaw law : {EnergyLaw::Depth, EnergyLaw::DepthOfB}) {
      SCOPED_TRACE(a.name + " " + std::to_string(static_cast<int>(law)));
      const Isometry3d pose = randomPose(random, a.middle(), b.middle(), 0.3);
      const DepthEnergy here = depthEnergy(a.depths, b.depths, pose, scratch, {.law = law});
      ASSERT_GT(here.energy, 0.0);
      const auto slope = [&](const Isometry3d& forth, const Isometry3d& back) {
        return (depthEnergy(a.depths, b.depths, forth, scratch, {.law = law}).energy -
                depthEnergy(a.depths, b.depths, back, scratch, {.law = law}).energy) /
               (2.0 * step);
      };
      for (int axis = 0; axis < 3; ++axis) {
        Isometry3d forth = pose;
        Isometry3d back = pose;
        forth.translation()[axis] += step;
        back.translation()[axis] -= step;
        EXPECT_NEAR(here.force[axis], -slope(forth, back), 0.02 * here.force.norm() + kRounding);
        forth = back = pose;
        const Vector3d about = Vector3d::Unit(axis);
        forth.linear() = Eigen::AngleAxisd(step, about).toRotationMatrix() * pose.linear();
        back.linear() = Eigen::AngleAxisd(-step, about).toRotationMatrix() * pose.linear();
        EXPECT_NEAR(here.torque[axis], -slope(forth, back), 0.02 * here.force.norm() + kRounding);
      }
    }
  }
}

// Of two boxes face to face: half of the area along the normal, and what the edges make of it.
TEST(DepthEnergy, StiffnessIsTheSecondDerivative) {
  const double step = 2e-3;
  SeededBits random(13);
  for (const Solid& a : solids()) {
    for (const std::size_t which : {0U, 2U}) {
      const Solid& b = solids()[which];
      SCOPED_TRACE(a.name + ", " + b.name);
      DepthScratch scratch(a.depths, b.depths);
      Isometry3d pose = randomPose(random, a.middle(), b.middle(), 0.35);
      const DepthEnergy here =
          depthEnergy(a.depths, b.depths, pose, scratch, {.wantsStiffness = true});
      if (here.energy < 1e-4) continue;
      Stiffness slopes;
      for (Eigen::Index column = 0; column < 6; ++column) {
        Eigen::Matrix<double, 6, 1> change = Eigen::Matrix<double, 6, 1>::Zero();
        for (const double sign : {1.0, -1.0}) {
          Isometry3d there = pose;
          const Vector3d axis = Vector3d::Unit(column % 3);
          if (column < 3) {
            there.translation() += sign * step * axis;
          } else {
            there.linear() =
                Eigen::AngleAxisd(sign * step, axis).toRotationMatrix() * pose.linear();
          }
          const DepthEnergy moved = depthEnergy(a.depths, b.depths, there, scratch);
          change.head<3>() -= sign * moved.force;
          change.tail<3>() -= sign * moved.torque;
        }
        slopes.col(column) = change / (2.0 * step);
      }
      const Stiffness symmetric = 0.5 * (slopes + slopes.transpose());
      const Eigen::Matrix3d shifts = here.stiffness.topLeftCorner<3, 3>();
      const Eigen::Matrix3d ideal = symmetric.topLeftCorner<3, 3>();
      EXPECT_LT((shifts - ideal).norm(), 0.2 * ideal.norm());
      EXPECT_LT((here.stiffness - symmetric).norm(), 0.2 * symmetric.norm());
      EXPECT_LT((here.stiffness - here.stiffness.transpose()).norm(),
                1e-12 * here.stiffness.norm());
    }
  }
}

TEST(DepthEnergy, BothObjectsFeelTheSame) {
  const Solid& fine = solids()[3];
  const Solid& coarse = solids()[1];
  ASSERT_LT(fine.side(), coarse.side());
  DepthScratch scratch(fine.depths, coarse.depths);
  SeededBits random(14);
  for (int k = 0; k < 5; ++k) {
    const Isometry3d pose = randomPose(random, coarse.middle(), fine.middle(), 0.45);
    const DepthEnergy onFine = depthEnergy(coarse.depths, fine.depths, pose, scratch);
    const DepthEnergy onCoarse =
        depthEnergy(fine.depths, coarse.depths, pose.inverse(Eigen::Isometry), scratch);
    EXPECT_NEAR(onFine.energy, onCoarse.energy, 1e-4 * onFine.energy);
    const Vector3d back = pose.linear() * onCoarse.force;
    EXPECT_LT((onFine.force + back).norm(), 1e-4 * back.norm() + 1e-12);
    // about the fine one's origin: what the coarse one feels at its own has the arm between them
    const Vector3d torque = pose.linear() * onCoarse.torque + (-pose.translation()).cross(back);
    EXPECT_LT((onFine.torque + torque).norm(), 1e-4 * torque.norm() + 1e-12);
  }
}

TEST(DepthEnergy, GrowsAsTheyArePushedTogetherAndIsNothingApart) {
  const Solid& torus = solids()[1];
  const Solid& ball = solids()[0];
  DepthScratch scratch(torus.depths, ball.depths);
  double last = 0.0;
  int touching = 0;
  for (int i = 0; i < 400; ++i) {
    Isometry3d pose = Isometry3d::Identity();
    pose.translation() = Vector3d(0.5, 0.0, 0.75 - 0.001 * i);
    const DepthEnergy here = depthEnergy(torus.depths, ball.depths, pose, scratch);
    EXPECT_GE(here.energy, last) << i;
    if (i < 45) {
      EXPECT_EQ(here.energy, 0.0) << i;
    }
    if (here.energy > 0.0) ++touching;
    last = here.energy;
  }
  EXPECT_GT(touching, 300);
}

TEST(DepthEnergy, ABudgetBoundsTheCubesWithoutAJump) {
  const Solid& a = solids()[1];
  const Solid& b = solids()[0];
  DepthScratch scratch(a.depths, b.depths);
  int cut = 0;
  int whole = 0;
  DepthEnergy last;
  constexpr int kSteps = 600;
  for (int i = 0; i <= kSteps; ++i) {
    Isometry3d pose = Isometry3d::Identity();
    pose.translation() = Vector3d(0.5, 0.02, 0.69 - 0.4 * i / kSteps);
    constexpr std::uint32_t kMost = 5000;
    const DepthEnergy here = depthEnergy(a.depths, b.depths, pose, scratch, {.most = kMost});
    EXPECT_LE(here.cubes, kMost);
    here.isCut ? ++cut : ++whole;
    const DepthEnergy truth = depthEnergy(a.depths, b.depths, pose, scratch);
    if (i > 60) {
      EXPECT_NEAR(here.energy, truth.energy, 0.1 * truth.energy) << i;
    }
    if (i > 0) {
      // 0.7 mm a step, at forces of at most the overlap's volume
      const double most = 4.0 * 0.4 / kSteps * std::max(truth.force.norm(), 1e-4);
      EXPECT_LT(std::fabs(here.energy - last.energy), most) << i;
    }
    last = here;
  }
  EXPECT_GT(cut, 100);
  EXPECT_GT(whole, 20);
}

/// Largest difference of two forces that follow each other on `steps` steps of a path that begins
/// at each of six places; steps are `by` long, and halves of it twice as many.
double largestJump(const Solid& a, const Solid& b, const Isometry3d& from, const Vector3d& along,
                   double by, int steps, std::uint32_t most) {
  DepthScratch scratch(a.depths, b.depths);
  double largest = 0.0;
  for (int window = 0; window < 6; ++window) {
    Vector3d last = Vector3d::Zero();
    for (int k = 0; k <= steps; ++k) {
      Isometry3d pose = from;
      pose.translation() += (window / 6.0 * b.side() * 2.5 + k * by) * along;
      const Vector3d force = depthEnergy(a.depths, b.depths, pose, scratch, {.most = most}).force;
      if (k > 0) largest = std::max(largest, (force - last).norm());
      last = force;
    }
  }
  return largest;
}

// Where faces and edges of both are parallel to the grids, whole layers of cubes change together.
TEST(DepthEnergy, ForceHasNoSteps) {
  const Solid block("block", models::makeBuiltin("block", 2000).value(), 30'000);
  const Solid cone("cone", models::makeBuiltin("cone", 2000).value(), 30'000);
  struct Case {
    const Solid& b;
    Isometry3d from;
    Vector3d along;
  };
  Isometry3d tipDown = Isometry3d::Identity();
  tipDown.linear() = Vector3d(1.0, -1.0, -1.0).asDiagonal();
  tipDown.translation() = Vector3d(0.055, 0.030, 0.0);
  const Isometry3d onTop(Eigen::Translation3d(0.1, 0.0343, 0.0207));
  const Isometry3d above(Eigen::Translation3d(0.0271, 0.0371, 0.0113));
  for (const Case& of :
       {Case{cone, tipDown, Vector3d::UnitX()}, Case{block, onTop, Vector3d::UnitX()},
        Case{block, above, -Vector3d::UnitY()}}) {
    DepthScratch scratch(block.depths, of.b.depths);
    const DepthEnergy there = depthEnergy(block.depths, of.b.depths, of.from, scratch);
    ASSERT_GT(there.energy, 0.0);
    for (const std::uint32_t most : {std::numeric_limits<std::uint32_t>::max(), there.cubes / 2}) {
      SCOPED_TRACE(of.b.name + " " + std::to_string(most));
      const double by = 0.01 * of.b.side();
      const double whole = largestJump(block, of.b, of.from, of.along, by, 40, most);
      const double half = largestJump(block, of.b, of.from, of.along, 0.5 * by, 80, most);
      EXPECT_GT(whole, 0.0);
      EXPECT_LT(half, 0.6 * whole);
    }
  }
}

/// What a box shares with a thick wall that it is pressed into with an edge: a triangle of a right
/// angle, `deep` high, along `length`.
struct Wedge {
  double length;

  /// Without a layer of thickness t it is a triangle of the same angles around the same middle of
  /// its inner circle, and shorter by 2 t: the integral of depth is one of its volumes.
  [[nodiscard]] double energy(double deep, double turn) const {
    const double legs = std::sin(turn) * std::cos(turn);
    const double area = 0.5 * deep * deep / legs;
    const double inner = 0.5 * deep * (std::sin(turn) + std::cos(turn) - 1.0) / legs;
    return area * inner * (length / 3.0 - inner / 6.0);
  }
  [[nodiscard]] double force(double deep, double turn) const {
    return (energy(deep + 1e-6, turn) - energy(deep - 1e-6, turn)) / 2e-6;
  }
  /// About the edge.
  [[nodiscard]] double torque(double deep, double turn) const {
    return (energy(deep, turn + 1e-6) - energy(deep, turn - 1e-6)) / 2e-6;
  }
};

// From two to five cubes deep, whichever of the two is the finer one.
TEST(DepthEnergy, AnEdgeIsAsSharpAsItsCubesAllow) {
  const Solid wall("wall", models::test::box({1.0, 0.6, 1.0}, {0.0, -0.3, 0.0}), 60'000);
  const Wedge wedge{0.5};
  for (const double corners : {30'000.0, 2'500.0}) {
    const Solid box("box", models::test::box({0.4, 0.4, wedge.length}), corners);
    DepthScratch scratch(wall.depths, box.depths);
    const double side = std::min(wall.side(), box.side());
    double squaresOfForce = 0.0;
    double squaresOfTorque = 0.0;
    int count = 0;
    for (double deep = 2.0 * side; deep < 5.0 * side; deep += 0.23 * side) {
      for (const double turn : {0.25, 0.45}) {
        Isometry3d pose = Isometry3d::Identity();
        pose.linear() = Eigen::AngleAxisd(turn, Vector3d::UnitZ()).toRotationMatrix();
        const Vector3d edge(0.013, -deep, 0.007);
        pose.translation() = edge + pose.linear() * Vector3d(0.2, 0.2, 0.0);
        const DepthEnergy found = depthEnergy(wall.depths, box.depths, pose, scratch);
        const Vector3d torque = found.torque + (pose.translation() - edge).cross(found.force);
        const double force = wedge.force(deep, turn);
        squaresOfForce += std::pow((found.force.norm() - force) / force, 2.0);
        const double wanted = -wedge.torque(deep, turn);
        squaresOfTorque += std::pow((torque.z() - wanted) / (force * deep), 2.0);
        ++count;
      }
    }
    EXPECT_LT(std::sqrt(squaresOfForce / count), 0.02) << box.side() / wall.side();
    EXPECT_LT(std::sqrt(squaresOfTorque / count), 0.02) << box.side() / wall.side();
  }
}

TEST(DepthEnergy, OfNothingOrNowhereIsNothing) {
  const Solid& ball = solids()[0];
  const DepthField none;
  DepthScratch scratch(ball.depths, none);
  EXPECT_EQ(depthEnergy(ball.depths, none, Isometry3d::Identity(), scratch).energy, 0.0);
  DepthScratch both(ball.depths, ball.depths);
  Isometry3d nowhere = Isometry3d::Identity();
  nowhere.translation().x() = std::numeric_limits<double>::quiet_NaN();
  const DepthEnergy found = depthEnergy(ball.depths, ball.depths, nowhere, both);
  EXPECT_EQ(found.energy, 0.0);
  EXPECT_EQ(found.force.squaredNorm(), 0.0);
  const Isometry3d far(Eigen::Translation3d(1e6, 0.0, 0.0));
  EXPECT_EQ(depthEnergy(ball.depths, ball.depths, far, both).energy, 0.0);
}

using DepthEnergyOn = tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, DepthEnergyOn, tests::eachTarget(), tests::targetName);

TEST_P(DepthEnergyOn, SameBytesEverywhere) {
  const Solid& a = solids()[1];
  const Solid& b = solids()[2];
  const auto hash = [&] {
    SeededBits random(15);
    tests::BytesHash bytes;
    DepthScratch scratch(a.depths, b.depths);
    for (int k = 0; k < 20; ++k) {
      const DepthEnergy found =
          depthEnergy(a.depths, b.depths, randomPose(random, a.middle(), b.middle(), 0.5), scratch,
                      {.wantsStiffness = true, .most = k % 2 == 0 ? 3000U : 1'000'000U});
      for (const double x : {found.energy, found.force.x(), found.torque.z(), found.stiffness(0, 0),
                             found.stiffness(4, 5)})
        bytes.add(x);
    }
    return bytes.value();
  };
  expectScalarBytes(hash);
}

TEST(DepthField, IsExactBelowAFace) {
  const Solid& box = solids()[2];
  const DepthField::Arrays& field = box.depths.arrays();
  const auto unit = static_cast<double>(field.unit);
  int asked = 0;
  for (std::int32_t x = 0; x < field.size[0]; ++x) {
    for (std::int32_t y = 0; y < field.size[1]; ++y) {
      for (std::int32_t z = 0; z < field.size[2]; ++z) {
        const Vector3d at = field.origin + box.side() * Vector3d(x, y, z);
        const Vector3d depths = Vector3d(0.4, 0.2, 0.3) - (at - box.middle()).cwiseAbs();
        Vector3d sorted = depths;
        std::ranges::sort(sorted);
        // near the face, and further from all edges than second differences reach
        if (std::fabs(sorted[0]) > 0.05 || sorted[1] < sorted[0] + 2.5 * box.side() ||
            sorted[1] < 2.5 * box.side())
          continue;
        ++asked;
        const std::int32_t corner = (z * field.size[1] + y) * field.size[0] + x;
        const std::int16_t value = field.values[static_cast<std::size_t>(corner)];
        EXPECT_NEAR(unit * value, sorted[0], 0.6 * unit + 1e-6);
      }
    }
  }
  EXPECT_GT(asked, 1000);
}

TEST(DepthField, SameForAnyNumberOfThreads) {
  const SurfaceDistance surface(models::test::torus(0.5, 0.2));
  const DepthField one(surface, 5000, 1);
  const DepthField three(surface, 5000, 3);
  EXPECT_TRUE(std::ranges::equal(one.arrays().values, three.arrays().values));
  EXPECT_FALSE(one.empty());
  EXPECT_TRUE(DepthField(SurfaceDistance(models::Mesh{}), 5000).empty());
}

// Coordinates of cubes have ten bits.
TEST(DepthField, ALongObjectHasNoMoreCornersThanCanBeCounted) {
  const DepthField field(SurfaceDistance(models::test::box({100.0, 0.01, 0.01})), 100'000);
  EXPECT_LE(field.arrays().size[0], DepthField::kMaxAlong);
  EXPECT_GT(field.arrays().size[0], DepthField::kMaxAlong / 2);
}

}  // namespace
}  // namespace tactus::collision
