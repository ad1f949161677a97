#include "models/files/mesh_builder.hpp"

#include <algorithm>
#include <utility>

#include "models/files/polygon_cutter.hpp"

namespace tactus::models {
namespace {

/// position - (origin + float) of each vertex; empty if all are zero, which costs no memory.
std::vector<Eigen::Vector3f> remaindersOf(const std::vector<Eigen::Vector3d>& positions,
                                          const Mesh& mesh) {
  const auto lostAt = [&](std::size_t v) -> Eigen::Vector3f {
    return ((positions[v] - mesh.origin) - mesh.positions[v].cast<double>()).cast<float>();
  };
  std::size_t first = 0;
  while (first < positions.size() && lostAt(first).isZero(0.0F))
    ++first;
  if (first == positions.size()) return {};
  std::vector<Eigen::Vector3f> remainders;
  remainders.reserve(positions.size());
  for (std::size_t v = 0; v < positions.size(); ++v)
    remainders.push_back(lostAt(v));
  return remainders;
}

}  // namespace

std::string MeshBuilder::whyNotStorable(const Eigen::Vector3d& p) {
  for (int axis = 0; axis < 3; ++axis) {
    if (std::isnan(p[axis])) return "a coordinate is not a number (NaN)";
    if (std::isinf(p[axis])) return "a coordinate is infinite";
  }
  return "a coordinate is beyond 5e29 m, which is more than a mesh can hold";
}

void MeshBuilder::reserve(std::uint64_t vertices, std::uint64_t triangles) {
  positions_.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(vertices, kMaxCount)));
  triangles_.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(triangles, kMaxCount)));
}

void MeshBuilder::addFace(std::span<const std::uint32_t> corners) {
  if (corners.size() < 3) {
    ++droppedFaces_;
    return;
  }
  if (triangles_.size() + corners.size() - 2 > kMaxCount) {
    tooLarge_ = true;
    return;
  }
  if (corners.size() > 3) {
    polygons_.push_back({static_cast<std::uint32_t>(triangles_.size()),
                         static_cast<std::uint32_t>(corners.size() - 2)});
  }
  for (std::size_t i = 2; i < corners.size(); ++i) {
    triangles_.push_back({corners[0], corners[i - 1], corners[i]});
  }
}

void MeshBuilder::noteComment(Words comment) {
  if (comment.next() != "tactus" || comment.next() != "origin") return;
  Eigen::Vector3d origin;
  for (int axis = 0; axis < 3; ++axis) {
    if (comment.number(origin[axis]) != Found::Value) return;
  }
  if (comment.done() && isStorable(origin)) notedOrigin_ = origin;
}

bool MeshBuilder::originHolds(const Eigen::Vector3d& origin) const {
  return std::ranges::all_of(positions_, [&](const Eigen::Vector3d& p) {
    const Eigen::Vector3f stored = (p - origin).cast<float>();
    return (origin + stored.cast<double>()).eval() == p;
  });
}

Result<LoadedMesh> MeshBuilder::finish(MeshFormat format, const ByteSource& source,
                                       const FileLabel& label) {
  if (tooLarge_ || positions_.size() > kMaxCount) {
    return label.whole(Reason::TooLarge,
                       "the mesh has more vertices or triangles than 32 bits can count; cut it "
                       "into parts or make it coarser");
  }
  if (triangles_.empty()) {
    return label.whole(
        Reason::Empty,
        positions_.empty()
            ? std::string("the file holds no triangles; export the object as a surface mesh")
            : say("the file holds ", counted(positions_.size(), "point", "points"),
                  " but no triangles (a point cloud or lines?); export a surface mesh"));
  }
  PolygonCutter cutter;
  for (const Polygon& polygon : polygons_) {
    cutter.cut(positions_, std::span(triangles_).subspan(polygon.firstTriangle, polygon.triangles));
  }

  LoadedMesh loaded;
  loaded.format = format;
  loaded.fileBytes = source.size();
  loaded.polygons = polygons_.size();
  loaded.droppedFaces = droppedFaces_;
  polygons_ = {};
  if (notedOrigin_ && originHolds(*notedOrigin_)) {
    loaded.mesh.origin = *notedOrigin_;
    loaded.mesh.triangles = std::move(triangles_);
    loaded.mesh.positions.reserve(positions_.size());
    for (const Eigen::Vector3d& p : positions_) {
      loaded.mesh.positions.emplace_back((p - *notedOrigin_).cast<float>());
    }
  } else {
    loaded.mesh = meshFromPositions(positions_, std::move(triangles_));
    loaded.remainders = remaindersOf(positions_, loaded.mesh);
  }
  return loaded;
}

}  // namespace tactus::models
