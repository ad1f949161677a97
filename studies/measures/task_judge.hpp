#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "haptics/tick/tick_records.hpp"
#include "studies/protocol/study_protocol.hpp"

namespace tactus::studies {

/// Whether the task is done, and who has pocketed what when: from the poses of bodies as a
/// recording keeps them.
class TaskJudge {
 public:
  TaskJudge(const ProtocolTask& task, const models::Scene& scene, double tickSeconds);

  /// One tick of the trial, and how many ticks it is since the start signal. Allocates nothing.
  void look(std::span<const haptics::BodyRecord> bodies, std::uint64_t ticks) noexcept;

  /// Tools have been at their targets for long enough.
  [[nodiscard]] bool isDone() const noexcept { return doneTicks_.has_value(); }
  [[nodiscard]] std::optional<std::uint64_t> doneTicks() const noexcept { return doneTicks_; }
  [[nodiscard]] std::optional<std::uint64_t> firstPocket(std::size_t side) const noexcept {
    return sides_[side].first;
  }
  [[nodiscard]] bool hasEachPocketed() const noexcept;
  [[nodiscard]] std::size_t sides() const noexcept { return sides_.size(); }
  /// Now in a side's well.
  [[nodiscard]] std::uint64_t score(std::size_t side) const noexcept;
  /// The same by kind of body, of all kinds that could be there.
  [[nodiscard]] std::map<std::string, std::uint64_t> kinds(std::size_t side) const;

 private:
  struct Side {
    std::size_t well = 0;  // body
    double radius = 0.0, height = 0.0;
    std::vector<char> within;  // of each body
    std::optional<std::uint64_t> first;
  };
  struct Held {
    std::size_t body = 0;
    Eigen::Isometry3d pose;
  };

  std::vector<Side> sides_;
  std::vector<std::size_t> loose_;   // bodies that can be pocketed
  std::vector<std::string> kindOf_;  // of each of them
  std::vector<Held> targets_;        // one absolute, or two relative to each other
  TaskKind kind_;
  double distance_, angle_;
  std::uint64_t holdTicks_, heldTicks_ = 0;
  std::optional<std::uint64_t> doneTicks_;
};

}  // namespace tactus::studies
