#pragma once
#include <filesystem>
#include <vector>

#include "models/mesh/result.hpp"
#include "studies/measures/trial_sheet.hpp"
#include "studies/plan/study_plan.hpp"
#include "studies/protocol/study_protocol.hpp"

namespace tactus::studies {

/// All ticks of one hand in a trial, as its recording has them.
struct HandRecords {
  std::vector<haptics::HandRecord> hand;
  std::vector<ContactRecord> contact;  ///< as many
};
[[nodiscard]] models::Result<HandRecords> handRecords(models::HandName hand,
                                                      const std::filesystem::path& recording);

/// All ticks of a trial as its recording has them.
struct TrialRecords {
  std::vector<models::HandName> names;
  std::vector<std::vector<haptics::HandRecord>> hands;  ///< of each hand, of each tick
  std::vector<std::vector<ContactRecord>> contacts;
  std::vector<haptics::BodyRecord> bodies;  ///< of each tick all bodies
  std::size_t bodyCount = 0;
  [[nodiscard]] std::size_t ticks() const { return bodies.size() / bodyCount; }
};
[[nodiscard]] models::Result<TrialRecords> trialRecords(const models::Scene& scene,
                                                        const std::filesystem::path& recording);

/// Measures a recorded trial again, from its raw data alone. One result a player; the same as on
/// line to the bit, but for what was said: `chose_comparison` and `difference`.
[[nodiscard]] models::Result<std::vector<PlayerResult>> measureRecording(
    const StudyProtocol& protocol, const PlannedSession& session, const PlannedTrial& trial,
    const std::filesystem::path& recording);

}  // namespace tactus::studies
