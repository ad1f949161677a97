#include "studies/measures/trial_sheet.hpp"

#include <algorithm>

namespace tactus::studies {

TrialSheet::TrialSheet(const StudyProtocol& protocol, const PlannedSession& session,
                       const PlannedTrial& trial, std::span<const models::HandName> hands,
                       std::size_t mostTicks, double tickSeconds)
    : kind_(protocol.task.kind),
      dt_(tickSeconds),
      isReferenceFirst_(trial.isReferenceFirst),
      measures_(hands.size(), mostTicks, tickSeconds),
      judge_(protocol.task, protocol.scene, tickSeconds) {
  for (const PlannedPlayer& planned : session.players) {
    Player player;
    const PlannedSeat& seat = planned.periods[trial.period - 1];
    player.side = seat.side;
    player.isRightHanded = isRightHanded(planned);
    for (const models::HandName name : protocol.task.sides[player.side].hands) {
      const auto found = std::ranges::find(hands, name);
      if (found == hands.end()) continue;
      const auto index = static_cast<std::size_t>(found - hands.begin());
      (isInRightHand(planned, seat, name) ? player.right : player.left) = index;
    }
    players_.push_back(player);
  }
}

void TrialSheet::add(std::span<const haptics::HandRecord> hands,
                     std::span<const ContactRecord> contacts,
                     std::span<const haptics::BodyRecord> bodies) noexcept {
  if (contacts.empty() || contacts.front().stage == 0) return;
  ++ticks_;
  lastStage_ = contacts.front().stage;
  for (std::size_t k = 0; k < hands.size(); ++k)
    measures_.add(k, hands[k], contacts[k]);
  judge_.look(bodies, ticks_);
}

std::vector<PlayerResult> TrialSheet::results() const {
  std::vector<PlayerResult> results;
  const double elapsed = static_cast<double>(ticks_) * dt_;
  for (const Player& player : players_) {
    PlayerResult result;
    result.measures = measures_.of(player.left, player.right, player.isRightHanded);
    if (kind_ == TaskKind::Pocket) {
      const std::optional<std::uint64_t> first = judge_.firstPocket(player.side);
      result.measures["score"] = static_cast<double>(judge_.score(player.side));
      result.measures["success"] = first ? 1.0 : 0.0;
      result.measures["time"] = elapsed;
      result.measures["first_pocket"] = first ? static_cast<double>(*first) * dt_ : elapsed;
      if (!first) result.censored.insert("first_pocket");
      result.counts = judge_.kinds(player.side);
    } else {
      const bool isDone = kind_ == TaskKind::Press ? lastStage_ == 3 : judge_.isDone();
      result.measures["success"] = isDone ? 1.0 : 0.0;
      result.measures["time"] =
          judge_.doneTicks() ? static_cast<double>(*judge_.doneTicks()) * dt_ : elapsed;
      if (!isDone) result.censored.insert("time");
    }
    if (kind_ == TaskKind::Press) {
      const std::size_t hand = player.right.value_or(player.left.value_or(0));
      const auto put = [&](const char* name, std::uint16_t stage) {
        if (const std::optional<double> displayed = measures_.displayedStiffness(hand, stage))
          result.measures[name] = *displayed;
      };
      put("stiffness_reference", isReferenceFirst_ ? 1 : 2);
      put("stiffness_comparison", isReferenceFirst_ ? 2 : 1);
    }
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace tactus::studies
