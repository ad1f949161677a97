#include "models/parametric/extrusion.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "models/parametric/planar_fill.hpp"

namespace tactus::models {
namespace {

constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();

/// Points sorted by their coordinates, to find the one that equals a given one.
class KnownPoints {
 public:
  void add(const Eigen::Vector2d& p, std::uint32_t index) {
    known_.push_back({p.x(), p.y(), index});
  }
  void sort() { std::sort(known_.begin(), known_.end()); }

  /// The lowest index that was added for this point.
  [[nodiscard]] std::uint32_t find(const Eigen::Vector2d& p) const {
    const auto at = std::lower_bound(known_.begin(), known_.end(), Known{p.x(), p.y(), 0});
    return at != known_.end() && at->x == p.x() && at->y == p.y() ? at->index : kUnknown;
  }

 private:
  struct Known {
    double x, y;
    std::uint32_t index;
    bool operator<(const Known& other) const {
      return x != other.x ? x < other.x : y != other.y ? y < other.y : index < other.index;
    }
  };
  std::vector<Known> known_;
};

}  // namespace

void appendLine(Outline& outline, const Eigen::Vector2d& from, const Eigen::Vector2d& to,
                int segments) {
  for (int k = 0; k < segments; ++k) {
    if (2 * k <= segments) {
      outline.emplace_back(from + (to - from) * (static_cast<double>(k) / segments));
    } else {
      outline.emplace_back(to + (from - to) * (static_cast<double>(segments - k) / segments));
    }
  }
}

PlanarFace mirroredFace(const Outline& half, double edge) {
  const PlanarFill fill = fillPolygon(half, edge);
  PlanarFace face;
  face.points = half;
  face.points.insert(face.points.end(), fill.inside.begin(), fill.inside.end());
  face.triangles = fill.triangles;
  const std::size_t count = face.points.size();
  std::vector<std::uint32_t> image(count);
  for (std::size_t k = 0; k < count; ++k) {
    image[k] = static_cast<std::uint32_t>(k);
    if (face.points[k].y() == 0.0) continue;
    image[k] = static_cast<std::uint32_t>(face.points.size());
    const Eigen::Vector2d p = face.points[k];
    face.points.emplace_back(p.x(), -p.y());
  }
  for (const Triangle& t : fill.triangles) {
    face.triangles.push_back({image[t[0]], image[t[2]], image[t[1]]});
  }
  return face;
}

PlanarFace joinedFace(const std::vector<PlanarFace>& parts) {
  KnownPoints known;
  Outline all;
  for (const PlanarFace& part : parts) {
    for (const Eigen::Vector2d& p : part.points) {
      known.add(p, static_cast<std::uint32_t>(all.size()));
      all.push_back(p);
    }
  }
  known.sort();
  PlanarFace face;
  std::vector<std::uint32_t> index(all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::uint32_t first = known.find(all[k]);
    if (first < k) {
      index[k] = index[first];
      continue;
    }
    index[k] = static_cast<std::uint32_t>(face.points.size());
    face.points.push_back(all[k]);
  }
  std::size_t offset = 0;
  for (const PlanarFace& part : parts) {
    for (const Triangle& t : part.triangles) {
      face.triangles.push_back({index[offset + t[0]], index[offset + t[1]], index[offset + t[2]]});
    }
    offset += part.points.size();
  }
  return face;
}

Chain raise(SurfaceBuilder& builder, const Outline& outline, double z) {
  Chain chain;
  chain.closed = true;
  for (std::size_t k = 0; k < outline.size(); ++k) {
    chain.append(builder.add({outline[k].x(), outline[k].y(), z}),
                 static_cast<double>(k) / static_cast<double>(outline.size()));
  }
  return chain;
}

void addWall(SurfaceBuilder& builder, const Outline& outline, const Chain& lower,
             const Chain& upper, Facing facing, const Fineness& fineness) {
  const std::size_t first = builder.triangleCount();
  const double from = builder.at(lower.vertices.front()).z();
  const double to = builder.at(upper.vertices.front()).z();
  const int rows = fineness.rowsAcross(to - from);
  Chain below = lower;
  for (int k = 1; k < rows; ++k) {
    Chain above = raise(builder, outline, from + (to - from) * (static_cast<double>(k) / rows));
    builder.stitch(below, above);
    below = std::move(above);
  }
  builder.stitch(below, upper);
  if (facing == Facing::Inward) builder.flipFrom(first);
}

void addFace(SurfaceBuilder& builder, const PlanarFace& face, double z,
             const std::vector<Rim>& rims, Side seenFrom) {
  KnownPoints known;
  for (const Rim& rim : rims) {
    for (std::size_t k = 0; k < rim.outline.size(); ++k) {
      known.add(rim.outline[k], rim.chain.vertices[k]);
    }
  }
  known.sort();
  std::vector<std::uint32_t> vertex;
  vertex.reserve(face.points.size());
  for (const Eigen::Vector2d& p : face.points) {
    const std::uint32_t onRim = known.find(p);
    vertex.push_back(onRim != kUnknown ? onRim : builder.add({p.x(), p.y(), z}));
  }
  const std::size_t first = builder.triangleCount();
  for (const Triangle& t : face.triangles) {
    builder.triangle(vertex[t[0]], vertex[t[1]], vertex[t[2]]);
  }
  if (seenFrom == Side::Below) builder.flipFrom(first);
}

}  // namespace tactus::models
