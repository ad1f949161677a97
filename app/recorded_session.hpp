#pragma once
#include <string>

#include "app/opened_session.hpp"
#include "haptics/recording/recording_file.hpp"

namespace tactus::app {

/// All of a recording that is needed to run it again, or to look at it.
struct RecordedSession {
  /// Its hands have their places, but no devices.
  OpenedSession session;
  haptics::TickParameters parameters;  ///< that it began with
  /// The models are built to the same bytes as then; else it can be looked at only.
  bool hasSameObjects = false;
};

/// `shown`: the file's name in sentences.
[[nodiscard]] models::Result<RecordedSession> openRecordedSession(
    const haptics::RecordingReader& recording, const std::string& shown,
    const LoadingWatcher& watcher = {});

/// What stands under a key in the table `meta`; empty if nothing does.
[[nodiscard]] std::string metaOf(const haptics::RecordingReader& recording, const char* key);

}  // namespace tactus::app
