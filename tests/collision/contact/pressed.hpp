#pragma once
#include <cstdint>
#include <vector>

#include "collision/contact/contact_patches.hpp"
#include "collision/depth/depth_energy.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::collision::test {

/// A mesh as the depth law knows it.
struct Deep {
  Deep(const models::Mesh& mesh, double corners) : surface(mesh), depths(surface, corners) {}

  SurfaceDistance surface;
  DepthField depths;
};

/// Energy of two meshes and its patches.
struct Pressed {
  Pressed(const Deep& a, const Deep& b, const Eigen::Isometry3d& aFromB) {
    DepthScratch scratch(a.depths, b.depths);
    PatchScratch room;
    energy = depthEnergy(a.depths, b.depths, aFromB, scratch, {.contacts = &cells});
    patches = contactPatches(cells, aFromB, room);
    patchOfCell.assign(room.patchOfCell().begin(), room.patchOfCell().end());
  }

  ContactCells cells;
  DepthEnergy energy;
  ContactPatches patches;
  std::vector<std::uint8_t> patchOfCell;
};

/// Sums over all patches.
struct PatchTotals {
  explicit PatchTotals(const ContactPatches& patches) {
    for (const ContactPatch& patch : patches.all()) {
      volume += patch.volume;
      energy += patch.energy;
      pressure += patch.pressure;
      force += patch.force;
      torque += patch.torque;
    }
  }
  double volume = 0.0, energy = 0.0, pressure = 0.0;
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
};

}  // namespace tactus::collision::test
