#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "collision/cache/object_cache.hpp"
#include "collision/cache/section_file.hpp"
#include "collision/cache/xxhash64.hpp"
#include "collision/contact/contact_patches.hpp"
#include "collision/contact/seed_wrench.hpp"
#include "collision/pointshell/swept_points.hpp"
#include "collision/pointshell/voxmap_pointshell.hpp"
#include "collision/surface/facet_distance.hpp"
#include "collision/tree/budgeted_volume.hpp"
#include "collision/tree/proximity.hpp"
#include "collision/tree/rigid_motion.hpp"
#include "collision/tree/solids_touch.hpp"
#include "collision/tree/time_of_impact.hpp"

namespace tactus::collision::test {

/// Makes the bytes of a cache agree with its own sums: the file's size and all checksums. Otherwise
/// hardly anything that is changed would get past them. The places are those of
/// docs/cache-format.md.
inline void mendChecksums(std::span<std::byte> file) {
  constexpr std::size_t kHead = 64;
  constexpr std::size_t kEntry = 64;
  if (file.size() < kHead) return;
  const auto number = [&file](std::size_t at, auto value) {
    std::memcpy(&value, file.data() + at, sizeof(value));
    return value;
  };
  const auto put = [&file](std::size_t at, std::uint64_t value) {
    std::memcpy(file.data() + at, &value, sizeof(value));
  };
  put(16, file.size());
  const std::size_t sections =
      std::min<std::size_t>(number(12, std::uint32_t{}), (file.size() - kHead) / kEntry);
  for (std::size_t entry = kHead; entry < kHead + sections * kEntry; entry += kEntry) {
    const auto offset = number(entry + 24, std::uint64_t{});
    const auto bytes = number(entry + 32, std::uint64_t{});
    if (offset > file.size() || bytes > file.size() - offset) continue;  // refused anyhow
    put(entry + 40, xxhash64(file.subspan(offset, bytes)));
  }
  put(48, 0);
  put(48, xxhash64(file.subspan(kHead, sections * kEntry), xxhash64(file.first(kHead))));
}

/// One query of each kind, of an object with itself. What they answer is not looked at: a lie gives
/// a wrong answer.
inline void askEverything(const CollisionObject& object, Coherence coherent) {
  const ProximityBody body = object.body();
  ProximityScratch scratch(body, body, coherent);
  const TouchBody touching{object.tree, object.facets};
  TouchScratch touch(object.facets, object.facets);
  ImpactScratch impact;
  FacetDistanceScratch apart;
  PointScratch swept(object.pointshell);
  const VoxmapPointshell::Body pointsAndVoxels{&object.pointshell, &object.voxmap};
  VoxmapPointshell points(pointsAndVoxels, pointsAndVoxels, coherent);
  const ConedTree coned{object.tree, object.cones};
  ContactCells cells;
  PatchScratch patches;
  std::array<PointContact, 4> contacts;
  constexpr std::uint32_t kBudget = 100;  // so that something is cut
  // in itself, touching, and apart
  for (const double shift : {0.0, 0.06, 0.4}) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation().x() = shift;
    const RigidMotion motion =
        motionBetween(pose, Eigen::Isometry3d::Identity(), Eigen::Vector3d::Zero());
    for (const EnergyLaw law : {EnergyLaw::Volume, EnergyLaw::DepthOfB}) {
      static_cast<void>(proximity(
          body, body, pose, scratch,
          {.law = law, .wantsStiffness = true, .wantsCentroid = true, .contacts = &cells}));
      static_cast<void>(contactPatches(cells, pose, patches));
    }
    static_cast<void>(proximity(body, body, pose, scratch, {.pairTests = kBudget}));
    static_cast<void>(budgetedVolume(object.tree, object.tree, pose, kBudget, scratch.penetration));
    if (!object.cones.arrays().cones.empty()) {
      static_cast<void>(seedWrench(coned, coned, pose, scratch.penetration, cells));
      static_cast<void>(contactPatches(cells, pose, patches));
    }
    static_cast<void>(facetDistance(object.facets, object.facets, pose, apart));
    static_cast<void>(solidsTouch(touching, touching, pose, touch));
    static_cast<void>(timeOfImpact(touching, touching, motion, {}, touch, impact));
    for (const PointLaw law : {PointLaw::Volume, PointLaw::Depth, PointLaw::Layers}) {
      static_cast<void>(points.query(
          pose,
          {.law = law, .wantsContacts = shift > 0.0, .wantsStiffness = law != PointLaw::Layers}));
      static_cast<void>(points.contacts(contacts));
      static_cast<void>(points.query(pose, {.law = law, .pointTests = kBudget}));
    }
    if (!object.pointshell.empty() && !object.voxmap.empty()) {
      static_cast<void>(sweptContact(object.pointshell, object.voxmap, motion, swept));
    }
  }
}

/// What is wrong with how the reader took this cache; empty if nothing is. Any bytes must give an
/// object that can be asked anything, or a proper sentence.
inline std::string complaintAboutCache(const std::filesystem::path& file) {
  const auto complaint = [](const models::Error& error) -> std::string {
    const std::string& s = error.sentence;
    if (!s.ends_with('.')) return "no sentence: " + s;
    const bool isOneLine =
        std::ranges::all_of(s, [](char c) { return static_cast<unsigned char>(c) >= 0x20; });
    if (!isOneLine) return "a control character in: " + s;
    return s.size() > 600 ? "too long for one sentence: " + s : "";
  };
  const models::Result<std::shared_ptr<const SectionFile>> opened = SectionFile::open(file);
  if (!opened) return complaint(opened.error());
  const models::Result<CollisionObject> object = readObject(opened.value());
  if (!object) return complaint(object.error());
  // what `tactus info` reads besides
  for (const SectionEntry& section : opened.value()->sections()) {
    const auto checked = opened.value()->checked(section.name, section.elementBytes);
    if (!checked) return complaint(checked.error());
  }
  const models::Result<SolidMesh> solid = object.value().cold->solid();
  if (!solid && !complaint(solid.error()).empty()) return complaint(solid.error());
  const models::Result<PackedBalls> packing = object.value().cold->packing();
  if (!packing && !complaint(packing.error()).empty()) return complaint(packing.error());
  for (const Coherence coherent : {Coherence::None, Coherence::SmallSteps})
    askEverything(object.value(), coherent);
  return {};
}

}  // namespace tactus::collision::test
