#pragma once
#include <string>
#include <vector>

#include "app/opened_session.hpp"
#include "studies/plan/study_plan.hpp"
#include "studies/protocol/study_protocol.hpp"

namespace tactus::app {

/// HAND=SPEC for each hand of a study's scene in a period: of `asked` (--device), else of what the
/// protocol says of the seat whose hand it is. A hand without either is an error.
[[nodiscard]] models::Result<std::vector<std::string>> playerDevices(
    const studies::StudyProtocol& protocol, const studies::PlannedSession& session,
    std::uint32_t period, const std::vector<std::string>& asked);

/// Whether nobody's hand is in one of them: simulated, replayed, or the mouse, which pushes nobody.
[[nodiscard]] bool isRehearsal(const std::vector<std::string>& specs);

/// Devices at a side that is turned look from there.
void turnDevices(const studies::StudyProtocol& protocol, OpenedSession& session);

}  // namespace tactus::app
