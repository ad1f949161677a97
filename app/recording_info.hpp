#pragma once
#include <string>

#include "app/commands.hpp"
#include "models/mesh/result.hpp"

namespace tactus::app {

/// Whether a file is a recording, by its first bytes.
[[nodiscard]] bool isRecording(const std::string& file);

/// Asked before a scene is loaded for it: its folder must be there, and the file must not, unless
/// it is a recording that may be overwritten.
[[nodiscard]] models::Result<models::Done> checkRecordingPlace(const std::string& file,
                                                               bool overwrites);

/// `tactus info` of a recording.
///
/// JSON: the contract's keys `ticks, first_tick, last_tick, last_wall_ns, gaps, dropped, hands,
/// scene, version`, and `seconds`, `streams[{name, fields, chunks, ticks}]`, `events`,
/// `parameter_changes`.
[[nodiscard]] ExitCode runRecordingInfo(const InfoRequest& request);

}  // namespace tactus::app
