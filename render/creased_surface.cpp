#include "render/creased_surface.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace tactus::render {

namespace {

using models::Mesh;
using models::Triangle;

/// For each vertex the first one with the same three floats. -0 and +0 are the same place.
std::vector<std::uint32_t> firstOfEqualPositions(const Mesh& mesh) {
  const auto& positions = mesh.positions;
  std::vector<std::uint32_t> order(positions.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (int axis = 0; axis < 3; ++axis) {
      if (positions[a][axis] < positions[b][axis]) return true;
      if (positions[b][axis] < positions[a][axis]) return false;
    }
    return a < b;
  });
  std::vector<std::uint32_t> first(positions.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && positions[order[i]] == positions[order[i - 1]];
    first[order[i]] = same ? first[order[i - 1]] : order[i];
  }
  return first;
}

Eigen::Vector3f unitNormal(const Mesh& mesh, const Triangle& triangle) {
  const Eigen::Vector3d a = mesh.positions[triangle[0]].cast<double>();
  const Eigen::Vector3d b = mesh.positions[triangle[1]].cast<double>();
  const Eigen::Vector3d c = mesh.positions[triangle[2]].cast<double>();
  const Eigen::Vector3d normal = (b - a).cross(c - a);
  const double length = normal.norm();
  if (!(length > 0.0)) return Eigen::Vector3f::Zero();
  return (normal / length).cast<float>();
}

/// Max's weight of a corner times its unit normal: e1 x e2 / (|e1|^2 |e2|^2).
Eigen::Vector3d weightedNormal(const Mesh& mesh, const Triangle& triangle, unsigned corner) {
  const Eigen::Vector3d here = mesh.positions[triangle[corner]].cast<double>();
  const Eigen::Vector3d next = mesh.positions[triangle[(corner + 1) % 3]].cast<double>() - here;
  const Eigen::Vector3d last = mesh.positions[triangle[(corner + 2) % 3]].cast<double>() - here;
  const double scale = next.squaredNorm() * last.squaredNorm();
  if (!(scale > 0.0)) return Eigen::Vector3d::Zero();
  return next.cross(last) / scale;
}

/// The corners that meet at one position, and which of them belong to the same fan.
class Fans {
 public:
  struct Spoke {
    std::uint32_t neighbour;  ///< position at the other end of the edge
    std::uint32_t member;     ///< index into the list of corners
  };

  void reset(std::size_t corners) {
    parent_.resize(corners);
    std::iota(parent_.begin(), parent_.end(), 0U);
    spokes_.clear();
  }
  void addSpoke(std::uint32_t neighbour, std::uint32_t member) {
    spokes_.push_back({neighbour, member});
  }
  /// Joins corners that share a spoke and whose triangles pass the test.
  template <typename IsSmooth>
  void join(const IsSmooth& isSmooth) {
    std::sort(spokes_.begin(), spokes_.end(), [](const Spoke& a, const Spoke& b) {
      return a.neighbour != b.neighbour ? a.neighbour < b.neighbour : a.member < b.member;
    });
    // Closed surfaces have two corners a spoke; of a fan of more, neighbours in the list are tried.
    for (std::size_t i = 1; i < spokes_.size(); ++i) {
      if (spokes_[i].neighbour != spokes_[i - 1].neighbour) continue;
      const std::uint32_t a = spokes_[i - 1].member;
      const std::uint32_t b = spokes_[i].member;
      if (isSmooth(a, b)) parent_[root(a)] = root(b);
    }
  }
  std::uint32_t root(std::uint32_t member) {
    while (parent_[member] != member) {
      parent_[member] = parent_[parent_[member]];
      member = parent_[member];
    }
    return member;
  }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<Spoke> spokes_;
};

}  // namespace

CreasedSurface creasedSurface(const Mesh& mesh, double creaseCosine) {
  const std::vector<std::uint32_t> place = firstOfEqualPositions(mesh);
  std::vector<Eigen::Vector3f> faceNormals(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    faceNormals[t] = unitNormal(mesh, mesh.triangles[t]);
  }

  // Corners sorted by place: corner 3 t + k is the k-th of triangle t.
  std::vector<std::uint32_t> firstCorner(mesh.positions.size() + 1, 0);
  for (const Triangle& triangle : mesh.triangles) {
    for (const std::uint32_t vertex : triangle)
      ++firstCorner[place[vertex] + 1];
  }
  std::partial_sum(firstCorner.begin(), firstCorner.end(), firstCorner.begin());
  std::vector<std::uint32_t> corners(3 * mesh.triangles.size());
  std::vector<std::uint32_t> next(firstCorner.begin(), firstCorner.end() - 1);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (unsigned k = 0; k < 3; ++k) {
      corners[next[place[mesh.triangles[t][k]]]++] = static_cast<std::uint32_t>(3 * t + k);
    }
  }

  CreasedSurface surface;
  surface.positions.reserve(mesh.positions.size());
  surface.normals.reserve(mesh.positions.size());
  surface.triangles.resize(mesh.triangles.size());
  constexpr auto kUnmade = ~std::uint32_t{0};
  Fans fans;
  std::vector<std::uint32_t> vertexOfFan;
  std::vector<Eigen::Vector3d> normalOfFan;
  for (std::size_t vertex = 0; vertex < mesh.positions.size(); ++vertex) {
    const std::uint32_t begin = firstCorner[vertex];
    const std::uint32_t count = firstCorner[vertex + 1] - begin;
    if (count == 0) continue;
    fans.reset(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t corner = corners[begin + i];
      const Triangle& triangle = mesh.triangles[corner / 3];
      fans.addSpoke(place[triangle[(corner + 1) % 3]], i);
      fans.addSpoke(place[triangle[(corner + 2) % 3]], i);
    }
    fans.join([&](std::uint32_t a, std::uint32_t b) {
      const Eigen::Vector3f& one = faceNormals[corners[begin + a] / 3];
      const Eigen::Vector3f& other = faceNormals[corners[begin + b] / 3];
      return static_cast<double>(one.dot(other)) > creaseCosine;
    });

    vertexOfFan.assign(count, kUnmade);
    normalOfFan.assign(count, Eigen::Vector3d::Zero());
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t corner = corners[begin + i];
      normalOfFan[fans.root(i)] += weightedNormal(mesh, mesh.triangles[corner / 3], corner % 3);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t fan = fans.root(i);
      if (vertexOfFan[fan] == kUnmade) {
        vertexOfFan[fan] = static_cast<std::uint32_t>(surface.positions.size());
        const double length = normalOfFan[fan].norm();
        surface.positions.push_back(mesh.positions[vertex]);
        // A fan of slivers has no direction; any unit vector will do, for it covers no pixel.
        surface.normals.push_back(length > 0.0 ? (normalOfFan[fan] / length).cast<float>().eval()
                                               : Eigen::Vector3f(Eigen::Vector3f::UnitY()));
      }
      const std::uint32_t corner = corners[begin + i];
      surface.triangles[corner / 3][corner % 3] = vertexOfFan[fan];
    }
  }
  return surface;
}

}  // namespace tactus::render
