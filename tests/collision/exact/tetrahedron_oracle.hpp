#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "models/mesh/mesh.hpp"

/// The intersection volume of two closed meshes in another way than collision/ does it: each solid
/// is the signed sum of the tetrahedra between a fixed point and its triangles, and pairs of
/// tetrahedra are cut by each other's planes. Slow, and exact to rounding for ordinary poses.
namespace tactus::collision::test {

using Tetrahedron = std::array<Eigen::Vector3d, 4>;

struct VolumeAndMoment {
  double volume = 0.0;
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
};

inline double signedVolume(const Tetrahedron& t) {
  return (t[1] - t[0]).cross(t[2] - t[0]).dot(t[3] - t[0]) / 6.0;
}

/// Appends the part of `t` where (p - on) . normal >= 0, cut into tetrahedra.
inline void keepSide(const Tetrahedron& t, const Eigen::Vector3d& on, const Eigen::Vector3d& normal,
                     std::vector<Tetrahedron>& kept) {
  struct Corner {
    Eigen::Vector3d at;
    double side;
  };
  std::vector<Corner> in;
  std::vector<Corner> out;
  for (const Eigen::Vector3d& p : t) {
    const double side = (p - on).dot(normal);
    (side >= 0.0 ? in : out).push_back({p, side});
  }
  const auto between = [](const Corner& a, const Corner& b) -> Eigen::Vector3d {
    return a.at + a.side / (a.side - b.side) * (b.at - a.at);
  };
  using Triangle = std::array<Eigen::Vector3d, 3>;
  const auto keepPrism = [&](const Triangle& a, const Triangle& b) {
    kept.push_back({a[0], a[1], a[2], b[2]});
    kept.push_back({a[0], a[1], b[1], b[2]});
    kept.push_back({a[0], b[0], b[1], b[2]});
  };
  switch (in.size()) {
    case 4:
      kept.push_back(t);
      break;
    case 3:
      keepPrism({in[0].at, in[1].at, in[2].at},
                {between(in[0], out[0]), between(in[1], out[0]), between(in[2], out[0])});
      break;
    case 2:
      keepPrism({in[0].at, between(in[0], out[0]), between(in[0], out[1])},
                {in[1].at, between(in[1], out[0]), between(in[1], out[1])});
      break;
    case 1:
      kept.push_back(
          {in[0].at, between(in[0], out[0]), between(in[0], out[1]), between(in[0], out[2])});
      break;
    default:
      break;
  }
}

/// Of the intersection of two tetrahedra.
inline VolumeAndMoment common(const Tetrahedron& a, const Tetrahedron& b) {
  std::vector<Tetrahedron> parts{a};
  for (std::size_t k = 0; k < 4 && !parts.empty(); ++k) {
    // the plane through the corners other than k, with corner k on its inner side
    const Eigen::Vector3d& on = b[(k + 1) % 4];
    Eigen::Vector3d normal = (b[(k + 2) % 4] - on).cross(b[(k + 3) % 4] - on);
    if ((b[k] - on).dot(normal) < 0.0) normal = -normal;
    std::vector<Tetrahedron> kept;
    for (const Tetrahedron& part : parts)
      keepSide(part, on, normal, kept);
    parts = kept;
  }
  VolumeAndMoment sum;
  for (const Tetrahedron& part : parts) {
    const double volume = std::abs(signedVolume(part));
    sum.volume += volume;
    sum.moment += volume / 4.0 * (part[0] + part[1] + part[2] + part[3]);
  }
  return sum;
}

inline std::vector<Tetrahedron> tetrahedraOf(const models::Mesh& mesh,
                                             const Eigen::Isometry3d& pose) {
  // off all planes of symmetry, so that no tetrahedron is flat
  const Eigen::Vector3d foot = mesh.bounds().centre() + Eigen::Vector3d(0.0131, 0.0217, -0.0173);
  std::vector<Tetrahedron> tetrahedra;
  tetrahedra.reserve(mesh.triangles.size());
  for (const models::Triangle& t : mesh.triangles) {
    tetrahedra.push_back({pose * foot, pose * mesh.position(t[0]), pose * mesh.position(t[1]),
                          pose * mesh.position(t[2])});
  }
  return tetrahedra;
}

inline VolumeAndMoment commonVolume(const models::Mesh& a, const models::Mesh& b,
                                    const Eigen::Isometry3d& aFromB) {
  const std::vector<Tetrahedron> ofB = tetrahedraOf(b, aFromB);
  VolumeAndMoment sum;
  for (const Tetrahedron& s : tetrahedraOf(a, Eigen::Isometry3d::Identity())) {
    for (const Tetrahedron& t : ofB) {
      const VolumeAndMoment part = common(s, t);
      const double sign = signedVolume(s) * signedVolume(t) > 0.0 ? 1.0 : -1.0;
      sum.volume += sign * part.volume;
      sum.moment += sign * part.moment;
    }
  }
  return sum;
}

}  // namespace tactus::collision::test
