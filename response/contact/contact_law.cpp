#include "response/contact/contact_law.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "collision/contact/seed_wrench.hpp"
#include "collision/depth/depth_energy.hpp"
#include "collision/pointshell/point_cells.hpp"

namespace tactus::response {
namespace {

using collision::ContactCells;
using collision::ContactPatches;
using collision::EnergyLaw;
using collision::PointsOf;
using collision::ProximityBody;
using collision::Stiffness;
using Eigen::Isometry3d;
using Eigen::Vector3d;

using Vector6d = Eigen::Matrix<double, 6, 1>;

// Where flat faces, or rounded ones that are deep by little of their radius, are in each other by
// d, one body's depth goes from 0 to d along the normal, and the lesser of two from 0 to d / 2 and
// back: its integral is half as large. So K means the same of both laws, faces that push with K S d
// / 2, and a hand feels the same when the method is switched.
constexpr double kLesserOfOne = 0.5;

double scaleOf(ContactLaw law, const Material& pair) noexcept {
  switch (law) {
    case ContactLaw::Volume:
      return pair.pressure;
    case ContactLaw::PointLayers:
      return pair.layerStiffness;
    case ContactLaw::PointDepth:
      return kLesserOfOne * pair.stiffness;
    case ContactLaw::Depth:
    case ContactLaw::Seed:
      return pair.stiffness;
  }
  return 0.0;
}

/// Of whichever solid the query's room is largest.
ProximityBody roomiest(std::span<const ContactSolid> solids) {
  ProximityBody room;
  std::size_t mostCubes = 0;
  std::size_t mostDepths = 0;
  for (const ContactSolid& solid : solids) {
    if (!solid.body.field.empty()) {
      const std::size_t cubes = collision::VolumeBoundsScratch(solid.body.field).cubes[0].x.size();
      if (cubes > mostCubes) {
        mostCubes = cubes;
        room.field = solid.body.field;
      }
    }
    if (solid.body.depths.empty()) continue;
    const std::size_t depths =
        collision::DepthScratch(solid.body.depths, solid.body.depths).cubes[0].size();
    if (depths > mostDepths) {
      mostDepths = depths;
      room.depths = solid.body.depths;
    }
  }
  return room;
}

const collision::Pointshell* largestShell(std::span<const ContactSolid> solids) {
  const collision::Pointshell* largest = nullptr;
  std::size_t most = 0;
  for (const ContactSolid& solid : solids) {
    if (solid.pointshell.empty()) continue;
    const std::size_t blocks = collision::PointScratch(solid.pointshell).contacts.size();
    if (blocks > most) {
      most = blocks;
      largest = &solid.pointshell;
    }
  }
  return largest;
}

double sizeOf(const ContactSolid& solid) noexcept {
  return solid.body.facets.radius();
}

/// Each cell as a spring along its force: f f^T / (2 e) is its stiffness if it has an energy that
/// grows with the square of its depth; without one a cell is as stiff as its side is wide.
Stiffness springsOf(const ContactCells& cells, const Vector3d& about, bool hasEnergy,
                    double perSquare) noexcept {
  const collision::ContactStream& stream = cells.stream();
  const Eigen::Matrix3d turn = stream.aFromFrame.linear();
  Stiffness all = Stiffness::Zero();
  for (std::size_t c = 0; c < cells.cells().size(); ++c) {
    const ContactCells::Cell& cell = cells.cells()[c];
    const Vector3d force = turn * cell.three(collision::kCellForce);
    const double length = force.norm();
    if (!(length > 0.0)) continue;
    const double pressure = cell[collision::kCellPressure];
    Vector3d at = cells.middleOf(c);
    if (pressure > 0.0) at += cell.three(collision::kCellFirst) / pressure;
    const Vector3d arm = stream.aFromFrame * at - about;
    Vector6d wrench;
    wrench << force, arm.cross(force);
    const double energy = cell[collision::kCellEnergy];
    double scale = perSquare / (length * length);
    if (hasEnergy) scale = energy > 0.0 ? 0.5 / energy : 0.0;
    all += scale * wrench * wrench.transpose();
  }
  return all;
}

/// Wrench on A that is opposite to what is on B.
Wrench opposite(const Wrench& onB, const Vector3d& originOfB) noexcept {
  const Wrench aboutA = aboutPoint(onB, originOfB, Vector3d::Zero());
  return {-aboutA.force, -aboutA.torque};
}

Vector3d middleOf(const ContactPatches& patches, const Vector3d& otherwise) noexcept {
  Vector3d sum = Vector3d::Zero();
  double pressure = 0.0;
  for (const collision::ContactPatch& patch : patches.all()) {
    sum += patch.pressure * patch.centre;
    pressure += patch.pressure;
  }
  return pressure > 0.0 ? Vector3d(sum / pressure) : otherwise;
}

void multiply(double scale, bool hasEnergy, ContactPatches& patches) noexcept {
  for (std::size_t i = 0; i < patches.count; ++i) {
    collision::ContactPatch& patch = patches.patches[i];
    patch.energy = hasEnergy ? patch.energy * scale : 0.0;
    patch.force *= scale;
    patch.torque *= scale;
    patch.normalForce *= scale;
    patch.pressure *= scale;
  }
}

void multiply(double scale, Wrench& wrench) noexcept {
  wrench.force *= scale;
  wrench.torque *= scale;
}

}  // namespace

PointsOf pointsOf(const ContactSolid& a, const ContactSolid& b) noexcept {
  const bool canA = !a.pointshell.empty() && !b.body.voxmap.empty();
  const bool canB = !b.pointshell.empty() && !a.body.voxmap.empty();
  if (canA != canB) return canB ? PointsOf::B : PointsOf::A;
  return sizeOf(b) < sizeOf(a) ? PointsOf::B : PointsOf::A;
}

ContactSolid contactSolidOf(const collision::CollisionObject& object) {
  return {object.body(), object.cones, object.pointshell};
}

ContactScratch::ContactScratch(std::span<const ContactSolid> solids)
    : proximity(roomiest(solids), roomiest(solids)),
      points({largestShell(solids), nullptr}, {largestShell(solids), nullptr}),
      pointContacts(collision::kPointContacts) {}

ContactForce contactForce(const ContactSolid& a, const ContactSolid& b, const Isometry3d& aFromB,
                          const Material& pair, const ContactSettings& settings,
                          ContactScratch& scratch, ContactPatches* patches) noexcept {
  ContactForce result;
  const ContactLaw law = settings.law;
  ContactCells& cells = scratch.cells;
  const bool ownStiffness = law != ContactLaw::Seed && law != ContactLaw::PointLayers;
  const bool needsCells = settings.wantsPatches || !ownStiffness;
  bool hasEnergy = true;
  bool isOpposite = true;
  switch (law) {
    case ContactLaw::Depth: {
      const collision::DepthEnergy found =
          collision::depthEnergy(a.body.depths, b.body.depths, aFromB, scratch.proximity.depths,
                                 {.law = EnergyLaw::Depth,
                                  .wantsStiffness = settings.wantsStiffness,
                                  .most = settings.budget,
                                  .contacts = needsCells ? &cells : nullptr});
      result.energy = found.energy;
      result.onB = {found.force, found.torque};
      result.stiffness = found.stiffness;
      result.isCut = found.isCut;
      result.tests = found.cubes;
      break;
    }
    case ContactLaw::Volume: {
      scratch.proximity.forget();  // what it remembers is of another pair
      const collision::Proximity found =
          collision::proximity(a.body, b.body, aFromB, scratch.proximity,
                               {.law = EnergyLaw::Volume,
                                .wantsStiffness = settings.wantsStiffness,
                                .pairTests = settings.budget,
                                .contacts = needsCells ? &cells : nullptr});
      result.energy = found.energy;
      result.onB = {found.force, found.torque};
      result.stiffness = found.stiffness;
      result.isCut = found.isCut;
      result.tests = found.pairs.pairTests;
      break;
    }
    case ContactLaw::Seed: {
      const collision::SeedWrench found =
          collision::seedWrench({a.body.spheres, a.cones}, {b.body.spheres, b.cones}, aFromB,
                                scratch.proximity.penetration, cells);
      result.onA = {found.forceOnA, found.torqueOnA};
      result.onB = {found.forceOnB, found.torqueOnB};
      result.touches = found.volume > 0.0;
      result.tests = found.counters.pairTests;
      hasEnergy = isOpposite = false;
      break;
    }
    case ContactLaw::PointDepth:
    case ContactLaw::PointLayers: {
      scratch.points.rebind({&a.pointshell, &a.body.voxmap}, {&b.pointshell, &b.body.voxmap});
      hasEnergy = law == ContactLaw::PointDepth;
      const collision::PointForce found = scratch.points.query(
          aFromB, {.law = hasEnergy ? collision::PointLaw::Depth : collision::PointLaw::Layers,
                   .pointsOf = pointsOf(a, b),
                   .pointTests = settings.budget,
                   .wantsContacts = needsCells,
                   .wantsDistance = false,
                   .wantsStiffness = settings.wantsStiffness && ownStiffness});
      result.energy = hasEnergy ? found.energy : 0.0;
      result.onB = {found.force, found.torque};
      result.stiffness = found.stiffness;
      result.isCut = found.isCut;
      result.tests = found.nodeTests + found.pointTests;
      cells.clear();
      if (needsCells && found.area > 0.0 && !found.force.isZero())
        collision::cellsOfPoints(scratch.points, found, hasEnergy, scratch.pointContacts, cells);
      break;
    }
  }
  result.touches = result.touches || result.energy > 0.0 || !result.onB.force.isZero();
  if (patches != nullptr) patches->count = 0;
  if (!result.touches) {
    ContactForce nothing;
    nothing.isCut = result.isCut;
    nothing.tests = result.tests;
    return nothing;
  }

  const double scale = scaleOf(law, pair);
  const Vector3d originOfB = aFromB.translation();
  result.point = originOfB;
  if (settings.wantsPatches && patches != nullptr) {
    *patches = collision::contactPatches(cells, aFromB, scratch.patches);
    result.point = middleOf(*patches, originOfB);
    multiply(scale, hasEnergy, *patches);
  }
  if (settings.wantsStiffness) {
    if (ownStiffness) {
      const Vector3d arm = originOfB - result.point;
      const Stiffness moved = collision::turnedAbout(result.stiffness, result.onB.force, arm);
      result.stiffness = scale * collision::withoutNegative(moved, settings.length);
    } else {
      // The seed's cells push by their volume: K times their cross section more a metre. A block
      // has up to sixteen points, each of which is a spring of its own by the law of layers.
      const double side = cells.side();
      const double perSquare = law == ContactLaw::PointLayers ? 16.0 : side * side;
      result.stiffness = scale * springsOf(cells, result.point, hasEnergy, perSquare);
    }
  }
  result.energy *= scale;
  multiply(scale, result.onB);
  if (isOpposite) {
    result.onA = opposite(result.onB, originOfB);
  } else {
    multiply(scale, result.onA);
  }
  return result;
}

}  // namespace tactus::response
