#pragma once
#include <string>
#include <vector>

#include "studies/plan/study_plan.hpp"
#include "studies/protocol/study_protocol.hpp"

namespace tactus::studies {

// What participants read where the protocol says nothing of its own.

/// Before anything; the protocol's `consent`, or what holds for every study with such devices.
[[nodiscard]] std::vector<std::string> consentText(const StudyProtocol& protocol);
/// What is to be done in a block, and how the hands of each player work in the period.
[[nodiscard]] std::vector<std::string> instructionText(const StudyProtocol& protocol,
                                                       const PlannedSession& session,
                                                       const PlannedTrial& trial);
/// "P01, near side, condition A".
[[nodiscard]] std::string playerLabel(const StudyProtocol& protocol, const PlannedSession& session,
                                      std::size_t player, std::uint32_t period);
/// "left" or "right" where the factor `hand` says which one holds the handle; else empty.
[[nodiscard]] std::string handText(const PlannedPlayer& player, const PlannedSeat& seat);
/// Seconds in words: "45 seconds", "3 minutes".
[[nodiscard]] std::string durationText(double seconds);

}  // namespace tactus::studies
