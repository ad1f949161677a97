#include "collision/depth/depth_energy.hpp"

#include <algorithm>
#include <array>

#include "collision/depth/depth_walk.hpp"
#include "collision/surface/float_pose.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Second derivatives with respect to shifts, and turns about the field's middle.
///
/// The force is minus the integral of A's gradient where A's depth is the lesser one (of B's alone:
/// of B's depth times A's gradient over A's surface), in which only the border moves with B. So
/// what is left is an integral over where the depths are equal (A's surface), of -g_A g_B^T by the
/// slope between the depths: nothing has to be known of how the surfaces bend. Turns come with
/// r x g for g. That is half of each of two that the other one's transpose makes whole; they differ
/// by the force, because the point that B turns about goes with it.
Stiffness stiffnessOf(const DepthSums& sums) noexcept {
  Stiffness all = Stiffness::Zero();
  std::size_t n = 0;
  for (Eigen::Index i = 0; i < 6; ++i) {
    for (Eigen::Index j = i; j < 6; ++j)
      all(i, j) = all(j, i) = sums.products[n++];
  }
  const Matrix3d half = 0.5 * crossing({sums.force[0], sums.force[1], sums.force[2]});
  all.topRightCorner<3, 3>() += half;
  all.bottomLeftCorner<3, 3>() -= half;
  return all;
}

/// The stream of the walked field's cubes, two of which side by side make a cell: so the eight
/// children of a cube are in one cell.
ContactStream cubeStream(const DepthField& walked, const DepthField& other,
                         const Isometry3d& walkedFromOther, const Vector3d& middle) noexcept {
  const auto extent = [](const DepthField::Arrays& field) {
    return Vector3d(static_cast<double>(field.side) *
                    Vector3d(field.size[0] - 1, field.size[1] - 1, field.size[2] - 1));
  };
  const DepthField::Arrays& field = walked.arrays();
  const DepthField::Arrays& moved = other.arrays();
  ContactStream stream;
  stream.origin = middle;
  stream.anchor = field.origin;
  stream.side = 2.0 * static_cast<double>(field.side);
  Eigen::AlignedBox3d ofOther(moved.origin, moved.origin + extent(moved));
  ofOther.transform(walkedFromOther);
  stream.box =
      Eigen::AlignedBox3d(field.origin, field.origin + extent(field)).intersection(ofOther);
  return stream;
}

/// Whose cubes are walked.
enum class Walks : std::uint8_t { A, B };

/// Energy of two fields and what `other` feels: in the walked frame, about a point of it.
DepthEnergy felt(const DepthField& walked, const DepthField& other,
                 const Isometry3d& walkedFromOther, const Vector3d& about, Walks walks,
                 DepthScratch& scratch, const DepthSettings& settings) noexcept {
  const DepthField::Arrays& field = walked.arrays();
  const DepthField::Arrays& moved = other.arrays();
  const Isometry3d otherFromWalked = walkedFromOther.inverse(Eigen::Isometry);
  const auto side = static_cast<double>(field.side);
  const double perSide = 1.0 / static_cast<double>(moved.side);
  const Vector3d offset = (otherFromWalked * field.origin - moved.origin) * perSide;
  const DepthProblem problem{&walked,
                             &other,
                             rowByRow(otherFromWalked.linear() * (side * perSide)),
                             {static_cast<float>(offset.x()), static_cast<float>(offset.y()),
                              static_cast<float>(offset.z())},
                             rowByRow(walkedFromOther.linear()),
                             settings};
  DepthSums sums;
  DepthEnergy result;
  const Vector3d middle =
      field.origin + 0.5 * side * Vector3d(field.size[0] - 1, field.size[1] - 1, field.size[2] - 1);
  if (settings.contacts != nullptr) {
    ContactStream stream = cubeStream(walked, other, walkedFromOther, middle);
    stream.movesA = walks == Walks::B;
    if (stream.movesA) stream.aFromFrame = walkedFromOther.inverse(Eigen::Isometry);
    settings.contacts->begin(stream);
  }
  walkDepths(problem, scratch, result, sums);
  result.energy = sums.energy;
  result.force = Vector3d(sums.force[0], sums.force[1], sums.force[2]);
  const Vector3d torque(sums.torque[0], sums.torque[1], sums.torque[2]);
  const Vector3d arm = middle - about;
  result.torque = torque + arm.cross(result.force);
  if (settings.wantsStiffness) result.stiffness = turnedAbout(stiffnessOf(sums), result.force, arm);
  return result;
}

}  // namespace

DepthScratch::DepthScratch(const DepthField& a, const DepthField& b)
    : batch(2 * kCubeArrays * CubeBatch::kStride) {
  std::size_t most = 1;
  for (const DepthField* field : {&a, &b}) {
    // of the finest grid none are held
    std::size_t count = 1;
    for (const std::int32_t corners : field->arrays().size)
      count *= static_cast<std::size_t>(corners) / 2 + 1;
    most = std::max(most, count);
  }
  for (std::vector<std::int32_t>& some : cubes)
    some.resize(most + kBehind);
}

DepthEnergy depthEnergy(const DepthField& a, const DepthField& b, const Isometry3d& aFromB,
                        DepthScratch& scratch, const DepthSettings& settings) noexcept {
  if (settings.contacts != nullptr) settings.contacts->clear();
  if (a.empty() || b.empty()) return {};
  if (settings.law == EnergyLaw::DepthOfB || a.arrays().side <= b.arrays().side)
    return felt(a, b, aFromB, aFromB.translation(), Walks::A, scratch, settings);
  // What A feels in B's frame, about B's origin. A shift u and turn w of B are, for A, the turn -w
  // and the shift -u + w x u.
  const DepthEnergy onA =
      felt(b, a, aFromB.inverse(Eigen::Isometry), Vector3d::Zero(), Walks::B, scratch, settings);
  const Matrix3d turn = aFromB.linear();
  DepthEnergy result = onA;
  result.force = turn * -onA.force;
  result.torque = turn * -onA.torque;
  if (settings.wantsStiffness) {
    const Matrix3d cross = crossing(onA.force);
    result.stiffness.topRightCorner<3, 3>() -= cross;
    result.stiffness.bottomLeftCorner<3, 3>() += cross;
    Stiffness both = Stiffness::Zero();
    both.topLeftCorner<3, 3>() = turn;
    both.bottomRightCorner<3, 3>() = turn;
    result.stiffness = both * result.stiffness * both.transpose();
  }
  return result;
}

}  // namespace tactus::collision
