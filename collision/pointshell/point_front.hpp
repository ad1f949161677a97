#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collision/pointshell/posed_points.hpp"

namespace tactus::collision {

/// Memory of the last queries of a shell that moves little in a map from one to the next: how far
/// from the map's surface the points below each node of the trees certainly are.
///
/// Source: the idea is that of separation_list.hpp, there with its sources. How ours differs: the
/// map tells of a node alone how far it is, so there are no pairs, and each node has its own number
/// in place of a list of those at the front.
///
/// Method:
/// - M is the sum of how far any point of the shell may have moved, query by query. Points that
///   were at least L away at M0 are at least L + M0 - M away now: the node's key L + M0 is true for
///   ever. What has been found of the points themselves raises a block's key, and the keys of its
///   children a node's.
/// - a walk passes by what its keys leave out, without a look at the map; what was open at the last
///   query is opened again; only what has come into reach since is measured. See wantsLook().
/// - M starts anew before it gets so large that floats would tell
///
/// Whatever was asked before: points that add to a sum are never left out, and what adds nothing
/// leaves no trace in it, so that the answers have the same bytes as from scratch.
///
/// What it spares, in tests of nodes and points at steps of 1e-4 of an object of 10,000 to a
/// million points: 90 to 50 % of those for the distance of bodies that are a hundredth to a
/// twentieth of their size apart, less further out, where the map's grid ends; of a force by depth
/// 70 to 10 %, the less the more points are inside, for each of these has to be asked where it is.
///
/// As right as a query from scratch is, which leaves nodes out by the same errors of the map that
/// were measured. One a thread. Nothing is allocated after construction, which takes a third of a
/// byte a point.
class PointFront {
 public:
  PointFront() = default;  ///< remembers nothing

  explicit PointFront(const Pointshell& shell);

  [[nodiscard]] bool isUsed() const noexcept { return !keys_.empty(); }

  /// The next query starts from nothing.
  void forget() noexcept { ofMap_ = nullptr; }

  /// Before the walks of a query; those of its levels have the same pose.
  void moveTo(const PosedPoints& posed) noexcept;

  /// Which walk it is; each opens nodes by thresholds of its own.
  enum class Walk : std::uint8_t { Sum, Nearest };

  /// Keys below this were open at the last such walk.
  [[nodiscard]] float openedBelow(Walk walk, std::uint32_t level) const noexcept {
    return last_[level].openedBelow[static_cast<std::size_t>(walk)];
  }
  void setOpenedBelow(Walk walk, std::uint32_t level, float key) noexcept {
    last_[level].openedBelow[static_cast<std::size_t>(walk)] = key;
  }

  /// M, and what is to be added to a distance that the map told, to be a key.
  [[nodiscard]] float moved() const noexcept { return static_cast<float>(moved_); }
  [[nodiscard]] float keyOffset() const noexcept { return keyOffset_; }

  /// Of the sixteen children of a group.
  [[nodiscard]] float* keysOf(std::size_t group) noexcept {
    return keys_.data() + Pointshell::kWidth * group;
  }
  [[nodiscard]] float& keyOf(std::size_t firstGroup, std::size_t child) noexcept {
    return keys_[Pointshell::kWidth * firstGroup + child];
  }

  /// Whether sixteen children are to be measured all together, of which so many were closed and are
  /// due now. One of them alone is as well looked into at once; and after a step that is longer
  /// than the balls of blocks are large, what was open tells little.
  [[nodiscard]] bool wantsLook(std::size_t dueAgain) const noexcept {
    return isLongStep_ || dueAgain >= kWorthALook;
  }

  /// The block with the nearest point at the last query, to begin with.
  static constexpr std::int32_t kNoBlock = -1;
  [[nodiscard]] std::int32_t nearestBlock(std::uint32_t level) const noexcept {
    return last_[level].nearestBlock;
  }
  void setNearestBlock(std::uint32_t level, std::uint32_t block) noexcept {
    last_[level].nearestBlock = static_cast<std::int32_t>(block);
  }

 private:
  static constexpr std::size_t kWorthALook = 2;

  struct OfLevel {
    std::array<float, 2> openedBelow{};  ///< by walk
    std::int32_t nearestBlock = kNoBlock;
  };

  std::vector<float> keys_;  ///< those of missing children are beyond all thresholds
  std::array<OfLevel, Pointshell::kMostLevels> last_{};
  const void* ofMap_ = nullptr;  ///< whose keys they are
  const void* ofShell_ = nullptr;
  Eigen::Isometry3d pose_ = Eigen::Isometry3d::Identity();  ///< of the last query
  double moved_ = 0.0;                                      ///< M [m]
  float keyOffset_ = 0.0F;
  bool isLongStep_ = false;
};

}  // namespace tactus::collision
