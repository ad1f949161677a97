#pragma once
#include "studies/runner/trial_loop.hpp"

namespace tactus::studies {

/// Runs a trial with simulated participants through the real loop, in simulated time; every tick
/// goes into the recording. The same request gives the same bytes. One call in a thread, many
/// threads may run.
[[nodiscard]] models::Result<TrialResult> runSimulatedTrial(const TrialRequest& request);

}  // namespace tactus::studies
