#include "models/report/mass_properties.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "models/mesh/parallel_for.hpp"

namespace tactus::models {
namespace {

// Triangles summed plainly before compensation takes over: rounding grows with their number, and
// 512 of them cost no more than 1e-13 of the largest sum.
constexpr std::size_t kBlock = 512;

/// Integrals over the solid of 1, of x, y, z, and of xx, yy, zz, xy, yz, zx, each times the factor
/// (6, 24 and 120) that makes it a polynomial with whole coefficients.
constexpr std::size_t kMoments = 10;
using Moments = std::array<double, kMoments>;

void addTetrahedron(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                    Moments& moments) {
  const double determinant = a.dot(b.cross(c));
  const Eigen::Vector3d sum = a + b + c;
  const auto second = [&](int i, int j) {
    return determinant * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + sum[i] * sum[j]);
  };
  moments[0] += determinant;
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    moments[1 + k] += determinant * sum[i];
    moments[4 + k] += second(i, i);
    moments[7 + k] += second(i, (i + 1) % 3);
  }
}

/// Box of the positions that triangles use: a stray vertex must not move the reference away.
Eigen::Vector3d middleOf(const Mesh& mesh) {
  if (mesh.triangles.empty()) return Eigen::Vector3d::Zero();
  Eigen::Vector3f lower = mesh.positions[mesh.triangles.front()[0]];
  Eigen::Vector3f upper = lower;
  for (const Triangle& triangle : mesh.triangles) {
    for (const std::uint32_t v : triangle) {
      lower = lower.cwiseMin(mesh.positions[v]);
      upper = upper.cwiseMax(mesh.positions[v]);
    }
  }
  return 0.5 * (lower.cast<double>() + upper.cast<double>());
}

/// A sum that remembers what rounding lost (Neumaier).
class CompensatedSum {
 public:
  void add(double term) noexcept {
    const double next = sum_ + term;
    lost_ += std::fabs(sum_) >= std::fabs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }
  [[nodiscard]] double value() const noexcept { return sum_ + lost_; }

 private:
  double sum_ = 0.0, lost_ = 0.0;
};

}  // namespace

MassProperties massProperties(const Mesh& mesh, unsigned threads) {
  const Eigen::Vector3d reference = middleOf(mesh);
  std::vector<Moments> blocks(mesh.triangles.size() / kBlock + 1, Moments{});
  parallelFor(mesh.triangles.size(), kBlock, threads, [&](std::size_t begin, std::size_t end) {
    Moments moments{};
    for (std::size_t t = begin; t < end; ++t) {
      const Triangle& v = mesh.triangles[t];
      addTetrahedron(mesh.positions[v[0]].cast<double>() - reference,
                     mesh.positions[v[1]].cast<double>() - reference,
                     mesh.positions[v[2]].cast<double>() - reference, moments);
    }
    blocks[begin / kBlock] = moments;
  });
  Moments total{};
  for (std::size_t m = 0; m < kMoments; ++m) {
    CompensatedSum sum;
    for (const Moments& block : blocks)
      sum.add(block[m]);
    total[m] = sum.value();
  }

  MassProperties mass;
  mass.volume = total[0] / 6.0;
  mass.centre = mesh.origin + reference;
  if (total[0] == 0.0) return mass;
  const Eigen::Vector3d first(total[1], total[2], total[3]);
  const Eigen::Vector3d offset = first / (4.0 * total[0]);  // centre of mass from the reference
  mass.centre += offset;

  // covariance about the centre of mass, then inertia = trace * 1 - covariance
  Eigen::Matrix3d covariance;
  covariance << total[4], total[7], total[9],  //
      total[7], total[5], total[8],            //
      total[9], total[8], total[6];
  // The product by itself, so that it is symmetric to the bit: with the volume in front, one factor
  // would be rounded and the other not.
  const Eigen::Matrix3d outer = offset * offset.transpose();
  covariance = covariance / 120.0 - mass.volume * outer;
  mass.inertia = covariance.trace() * Eigen::Matrix3d::Identity() - covariance;
  return mass;
}

}  // namespace tactus::models
