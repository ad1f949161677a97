#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "haptics/tick/tick_records.hpp"
#include "studies/measures/contact_record.hpp"
#include "studies/measures/hand_measures.hpp"
#include "studies/measures/task_judge.hpp"
#include "studies/plan/study_plan.hpp"

namespace tactus::studies {

/// What one player's trial has come to.
struct PlayerResult {
  std::map<std::string, double> measures;
  std::set<std::string> censored;  ///< measures whose value is the time at which it was cut off
  std::map<std::string, std::uint64_t> counts;
};

/// A trial while it goes on, or again from its recording: takes the records of each tick, and knows
/// when the task is done and what each player did.
class TrialSheet {
 public:
  /// `hands`: of the records, in their order. Of more than `mostTicks` ticks after the start signal
  /// the rest is not measured.
  TrialSheet(const StudyProtocol& protocol, const PlannedSession& session,
             const PlannedTrial& trial, std::span<const models::HandName> hands,
             std::size_t mostTicks, double tickSeconds);

  /// One tick; allocates nothing. Before the start signal and after the end it does nothing.
  void add(std::span<const haptics::HandRecord> hands, std::span<const ContactRecord> contacts,
           std::span<const haptics::BodyRecord> bodies) noexcept;

  [[nodiscard]] const TaskJudge& judge() const noexcept { return judge_; }
  [[nodiscard]] const HandMeasures& measures() const noexcept { return measures_; }
  [[nodiscard]] std::uint64_t ticks() const noexcept { return ticks_; }

  /// Of each player of the session.
  [[nodiscard]] std::vector<PlayerResult> results() const;

 private:
  struct Player {
    std::size_t side = 0;
    std::optional<std::size_t> left, right;
    bool isRightHanded = true;
  };
  std::vector<Player> players_;
  TaskKind kind_;
  double dt_;
  bool isReferenceFirst_;
  HandMeasures measures_;
  TaskJudge judge_;
  std::uint64_t ticks_ = 0;
  std::uint16_t lastStage_ = 0;
};

}  // namespace tactus::studies
