#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// A closed triangle mesh that can be changed: half-edges in threes.
///
/// Half-edge 3 t + k leaves corner k of triangle t for corner k + 1; its twin runs the other way in
/// the neighbour. Removed triangles and vertices leave gaps until compact(). The operations keep
/// the mesh a closed two-manifold without double edges: collapse and flip ask the link condition
/// first (T. Dey, H. Edelsbrunner, S. Guha, D. Nekhayev, "Topology preserving edge contraction",
/// 1999).
class SurfaceMesh {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  SurfaceMesh() = default;
  /// Triangles must form a closed manifold. Where two vertices are joined by more than one edge,
  /// `hints` (one a triangle) tell which half-edges belong together: those with equal hints.
  SurfaceMesh(std::vector<Eigen::Vector3f> positions, const std::vector<Triangle>& triangles,
              const std::vector<std::uint64_t>& hints);

  [[nodiscard]] static std::uint32_t next(std::uint32_t h) { return h % 3 == 2 ? h - 2 : h + 1; }
  [[nodiscard]] static std::uint32_t previous(std::uint32_t h) {
    return h % 3 == 0 ? h + 2 : h - 1;
  }

  [[nodiscard]] std::uint32_t twin(std::uint32_t h) const { return twin_[h]; }
  [[nodiscard]] std::uint32_t from(std::uint32_t h) const { return from_[h]; }
  [[nodiscard]] std::uint32_t to(std::uint32_t h) const { return from_[next(h)]; }
  [[nodiscard]] std::uint32_t opposite(std::uint32_t h) const { return from_[previous(h)]; }
  [[nodiscard]] bool isRemoved(std::uint32_t h) const { return from_[h] == kNone; }
  /// A half-edge that leaves a vertex; kNone for a removed vertex.
  [[nodiscard]] std::uint32_t outgoing(std::uint32_t vertex) const { return outgoing_[vertex]; }
  /// The next half-edge that leaves the same vertex, clockwise seen from outside.
  [[nodiscard]] std::uint32_t aroundFrom(std::uint32_t h) const { return next(twin_[h]); }

  /// Array sizes, gaps included.
  [[nodiscard]] std::uint32_t halfEdgeCount() const {
    return static_cast<std::uint32_t>(from_.size());
  }
  [[nodiscard]] std::uint32_t vertexCount() const {
    return static_cast<std::uint32_t>(position.size());
  }
  [[nodiscard]] std::size_t triangleCount() const { return triangles_; }

  [[nodiscard]] std::uint32_t valence(std::uint32_t vertex) const;
  [[nodiscard]] bool areJoined(std::uint32_t a, std::uint32_t b) const;

  /// Puts a vertex into the edge of `h`; returns it. Its normal and target are the ends' means,
  /// and it is on no crease.
  std::uint32_t split(std::uint32_t h, const Eigen::Vector3f& where);
  /// Whether collapse(h) keeps a closed manifold without double edges.
  [[nodiscard]] bool canCollapse(std::uint32_t h) const;
  /// Moves from(h) into to(h) and takes it and the two triangles of the edge away.
  void collapse(std::uint32_t h);
  /// Whether flip(h) makes no double edge and leaves both ends three edges.
  [[nodiscard]] bool canFlip(std::uint32_t h) const;
  /// Turns the edge within its two triangles.
  void flip(std::uint32_t h);

  /// Closes the gaps; keeps the order.
  void compact();

  [[nodiscard]] std::vector<Triangle> triangleList() const;

  // One entry a vertex.
  std::vector<Eigen::Vector3f> position;
  std::vector<Eigen::Vector3f> normal;  ///< unit, of the field
  std::vector<float> target;            ///< edge length wanted there [m]
  std::vector<std::uint8_t> onCrease;   ///< 1: where the surface has two normals

 private:
  void pair(std::uint32_t a, std::uint32_t b) {
    twin_[a] = b;
    twin_[b] = a;
  }

  std::vector<std::uint32_t> from_, twin_, outgoing_;
  std::size_t triangles_ = 0;
};

}  // namespace tactus::models
