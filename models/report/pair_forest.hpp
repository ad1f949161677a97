#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "models/mesh/mesh.hpp"
#include "models/report/topology.hpp"
#include "models/report/triangle_bvh.hpp"

namespace tactus::models {

/// Two nodes of one array, or one node twice: all pairs of the triangles below it.
struct NodePair {
  std::uint32_t a = 0, b = 0;
};

/// Hierarchies in which all pairs of triangles can be found that meet beyond what they share.
///
/// One hierarchy of boxes descended against itself does for a mesh whose vertices have a few
/// triangles each. Around a *hub*, a corner of at least kHubTriangles triangles, all boxes overlap,
/// so each pair of the fan would be tested. Therefore:
///
/// - the largest fans, kMostFans at most, have hierarchies of their own, the other triangles one
/// - triangles of one fan meet beyond the hub only where some ray from the hub enters both. Each is
///   boxed by the directions in which it is seen from the hub: an arc of the unit sphere, within
///   the box of its ends grown by the arc's height over its chord. The boxes of a flat fan or a
///   cone then overlap their neighbours' only.
/// - all that is not one fan is boxed in space, turned so that the largest fan faces along z: the
///   wall around a round plate touches the plate's boxes at its own place on the rim only.
/// - the two largest fans, with each other, with the rest and each with itself, are boxed instead
/// by
///   the directions in which they are seen from an axis, and by their places along it, if of a
///   sample of them fewer pairs overlap so. The axis is an edge that many triangles of the largest
///   fan share, around which they stand as pages or wedges, or runs from its hub to the next fan's:
///   the cones of a bicone meet their neighbours across the rim only. Two triangles that have an
///   end of the axis as a corner share it; any other that touches the axis is seen in all
///   directions.
///
/// What is left quadratic, up to the search's budget: several pairs of fans, each around an axis of
/// its own, that overlap in space.
struct PairForest {
  /// Several roots; triangles of fans are in it twice. Empty where the mesh's own hierarchy does.
  TriangleBvh trees;
  std::vector<NodePair> starts;  ///< under which each pair comes up once at most
};

/// Below it all pairs of a fan cost less than the search allows each triangle anyway.
constexpr std::uint32_t kHubTriangles = 128;

/// Pairs of fans are all looked at.
constexpr std::size_t kMostFans = 1024;

/// If there is no fan and no triangle is left out, the mesh's hierarchy does, with its root as
/// start. Deterministic for any `threads` (0: one a core).
[[nodiscard]] PairForest pairForest(const Mesh& mesh, const Topology& topology,
                                    std::span<const std::uint8_t> isLeftOut, unsigned threads = 0);

}  // namespace tactus::models
