#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace tactus::models {

/// Gives equal positions the same number: a hash table with open addressing whose slots hold only
/// vertex numbers, 4 bytes each and at least as many again free. Equal means equal to the bit,
/// except that -0 equals 0; nothing is moved.
class VertexWelder {
 public:
  /// Number of the vertex at `position`, which is added to `positions` when it is new. Always call
  /// with the same `positions`.
  std::uint32_t add(const Eigen::Vector3d& position, std::vector<Eigen::Vector3d>& positions);

 private:
  void grow(const std::vector<Eigen::Vector3d>& positions);

  std::vector<std::uint32_t> slots_;  // a power of two; vertex + 1, or 0 where free
};

}  // namespace tactus::models
