#include "models/sculpt/edge_lengths.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "models/mesh/parallel_for.hpp"

namespace tactus::models {
namespace {

constexpr std::size_t kVerticesAtOnce = 1024;

// An edge of this many radii still shows a round cross-section, as a pentagon.
constexpr float kEdgePerRadius = 1.2F;
// Cosine of the turn whose chord is the radius.
constexpr float kTurn = 0.5F;
// Cosine of a turn along one edge of the mesh that means a crease: a mesh fine enough for what is
// round turns less.
constexpr float kCrease = 0.6F;
// A hollow counts like a bulge this much wider.
constexpr float kHollow = 3.0F;
// A target may grow by this much per length along the surface, so that triangles of very different
// sizes do not meet.
constexpr float kGrowth = 0.5F;

// The walk from one vertex keeps at most this many vertices: a disc of 12 rings on an even mesh.
// Where it ends early the surface was flat that far, and larger edges are not forbidden.
constexpr std::uint32_t kLongestWalk = 512;

// Vertices met on one walk, in order; membership by open addressing.
class Walk {
 public:
  void clear() {
    for (std::uint32_t i = 0; i < count_; ++i)
      slots_[slotOf_[i]] = SurfaceMesh::kNone;
    count_ = 0;
  }
  /// False if it was there, or there is no room.
  bool add(std::uint32_t vertex) {
    if (count_ == kLongestWalk) return false;
    std::uint32_t slot = (vertex * 2654435769U) >> (32U - kSlotBits);
    while (slots_[slot] != SurfaceMesh::kNone) {
      if (slots_[slot] == vertex) return false;
      slot = (slot + 1) % kSlots;
    }
    slots_[slot] = vertex;
    slotOf_[count_] = slot;
    vertices_[count_++] = vertex;
    return true;
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint32_t operator[](std::uint32_t i) const { return vertices_[i]; }

  Walk() { slots_.fill(SurfaceMesh::kNone); }

 private:
  static constexpr std::uint32_t kSlotBits = 11;
  static constexpr std::uint32_t kSlots = 1U << kSlotBits;
  static_assert(kSlots >= 2 * kLongestWalk);

  std::array<std::uint32_t, kSlots> slots_{};
  std::array<std::uint32_t, kLongestWalk> slotOf_{}, vertices_{};
  std::uint32_t count_ = 0;
};

// A target that forbids nothing.
constexpr float kUnlimited = 1e30F;

// Distance from the vertex at which the normal has turned by 60 degrees; kUnlimited beyond `reach`.
float radiusAt(const SurfaceMesh& mesh, std::uint32_t vertex, float reach, Walk& walk) {
  const Eigen::Vector3f& place = mesh.position[vertex];
  const Eigen::Vector3f& normal = mesh.normal[vertex];
  float radius = reach;
  walk.clear();
  walk.add(vertex);
  for (std::uint32_t i = 0; i < walk.count(); ++i) {
    const std::uint32_t from = walk[i];
    std::uint32_t h = mesh.outgoing(from);
    do {
      const std::uint32_t to = mesh.to(h);
      h = mesh.aroundFrom(h);
      const Eigen::Vector3f& there = mesh.normal[to];
      if (there.dot(mesh.normal[from]) < kCrease) continue;
      const Eigen::Vector3f way = mesh.position[to] - place;
      const float distance = way.norm();
      if (distance >= radius || !walk.add(to)) continue;
      if (there.dot(normal) > kTurn) continue;
      const bool isHollow = way.dot(there - normal) < 0.0F;
      radius = std::min(radius, isHollow ? kHollow * distance : distance);
    } while (h != mesh.outgoing(from));
  }
  return radius < reach ? radius : kUnlimited;
}

}  // namespace

void limitEdgesByCurvature(SurfaceMesh& mesh, float reach, unsigned threads) {
  const float furthest = reach / kEdgePerRadius;
  parallelFor(
      mesh.vertexCount(), kVerticesAtOnce, threads, [&](std::size_t begin, std::size_t end) {
        Walk walk;
        for (std::size_t v = begin; v < end; ++v) {
          mesh.target[v] =
              kEdgePerRadius * radiusAt(mesh, static_cast<std::uint32_t>(v), furthest, walk);
        }
      });
  // Twice forwards and backwards over the edges: enough for the few rings over which targets
  // differ.
  const auto spread = [&](std::uint32_t h) {
    const std::uint32_t a = mesh.from(h);
    const std::uint32_t b = mesh.to(h);
    if (mesh.target[a] == mesh.target[b]) return;
    const float growth = kGrowth * (mesh.position[b] - mesh.position[a]).norm();
    mesh.target[a] = std::min(mesh.target[a], mesh.target[b] + growth);
    mesh.target[b] = std::min(mesh.target[b], mesh.target[a] + growth);
  };
  for (int sweep = 0; sweep < 2; ++sweep) {
    for (std::uint32_t h = 0; h < mesh.halfEdgeCount(); ++h)
      spread(h);
    for (std::uint32_t h = mesh.halfEdgeCount(); h-- > 0;)
      spread(h);
  }
}

float edgeLengthFor(const SurfaceMesh& mesh, std::size_t triangles) {
  // The count that a length leads to is the integral of one over the area of a wanted triangle.
  struct Piece {
    double area, target;
  };
  std::vector<Piece> pieces;
  pieces.reserve(mesh.triangleCount());
  double area = 0.0;
  for (std::uint32_t h = 0; h < mesh.halfEdgeCount(); h += 3) {
    if (mesh.isRemoved(h)) continue;
    const std::uint32_t a = mesh.from(h);
    const std::uint32_t b = mesh.from(h + 1);
    const std::uint32_t c = mesh.from(h + 2);
    const Eigen::Vector3f across =
        (mesh.position[b] - mesh.position[a]).cross(mesh.position[c] - mesh.position[a]);
    const float target = std::min(mesh.target[a], std::min(mesh.target[b], mesh.target[c]));
    pieces.push_back({0.5 * static_cast<double>(across.norm()), static_cast<double>(target)});
    area += pieces.back().area;
  }
  constexpr double kEquilateral = 0.4330127018922193;  // area over squared edge
  const auto wanted = static_cast<double>(triangles);
  // Between a quarter and four times the length of an even mesh, by halving the interval.
  double low = 0.25 * std::sqrt(area / (kEquilateral * wanted));
  double high = 16.0 * low;
  for (int step = 0; step < 20; ++step) {
    const double middle = std::sqrt(low * high);
    const double least = static_cast<double>(kFinestEdge) * middle;
    double count = 0.0;
    for (const Piece& piece : pieces) {
      const double length = std::clamp(piece.target, least, middle);
      count += piece.area / (kEquilateral * length * length);
    }
    (count > wanted ? low : high) = middle;
  }
  return static_cast<float>(std::sqrt(low * high));
}

}  // namespace tactus::models
