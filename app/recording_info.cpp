#include "app/recording_info.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>

#include "app/recorded_session.hpp"
#include "haptics/recording/recording_file.hpp"
#include "models/files/file_label.hpp"

namespace tactus::app {
namespace {

using haptics::RecordedChunk;
using haptics::RecordingReader;
using haptics::RecordingSummary;
using models::Done;
using models::Error;
using models::Reason;
using models::Result;

constexpr std::string_view kSqlite = "SQLite format 3";

struct Stream {
  std::uint64_t chunks = 0, ticks = 0;
};

}  // namespace

bool isRecording(const std::string& file) {
  // A pipe would wait for somebody to write into it.
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return false;
  std::ifstream stream(file, std::ios::binary);
  std::array<char, kSqlite.size()> begin{};
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return stream.gcount() == static_cast<std::streamsize>(begin.size()) &&
         std::string_view(begin.data(), begin.size()) == kSqlite;
}

Result<Done> checkRecordingPlace(const std::string& file, bool overwrites) {
  const std::filesystem::path path(file);
  const std::string shown = models::printable(file);
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return Error{Reason::BadValue, -1,
                 fmt::format("{} is a folder; --record wants the name of a file.", shown)};
  }
  if (std::filesystem::exists(path, error)) {
    if (!overwrites) {
      return Error{Reason::BadValue, -1,
                   fmt::format("{} is there already; say --force to overwrite it.", shown)};
    }
    if (!isRecording(file)) {
      return Error{Reason::BadValue, -1,
                   fmt::format("{} is no recording, and stays; choose another name.", shown)};
    }
  }
  const std::filesystem::path folder =
      path.parent_path().empty() ? std::filesystem::path(".") : path.parent_path();
  if (!std::filesystem::is_directory(folder, error)) {
    return Error{Reason::BadValue, -1,
                 fmt::format("The folder of {} is not there; make it first.", shown)};
  }
  return Done{};
}

ExitCode runRecordingInfo(const InfoRequest& request) {
  if (request.size.scale || request.size.fit) {
    complain("A recording has no size; --scale and --fit are for models.");
    return ExitCode::BadInput;
  }
  const Result<RecordingReader> read = RecordingReader::open(request.model);
  if (!read) {
    complain(read.error().sentence);
    return ExitCode::BadInput;
  }
  const RecordingReader& recording = read.value();
  const RecordingSummary summary = recording.summary();
  const std::optional<std::vector<SessionHand>> hands =
      haptics::sessionHands(metaOf(recording, "hands"));
  Json handNames = Json::array();
  if (hands) {
    for (const SessionHand& hand : *hands) {
      handNames.push_back({{"hand", haptics::nameOf(hand.hand)},
                           {"spec", hand.spec},
                           {"model", hand.capabilities.model},
                           {"serial", hand.capabilities.serial},
                           {"profile", hand.profile.name}});
    }
  }
  std::map<std::string, Stream> streams;
  for (const RecordedChunk& chunk : recording.chunks()) {
    ++streams[chunk.stream].chunks;
    streams[chunk.stream].ticks += chunk.ticks;
  }
  Json streamList = Json::array();
  for (const auto& [name, stream] : streams) {
    streamList.push_back({{"name", name},
                          {"fields", metaOf(recording, ("fields." + name).c_str())},
                          {"chunks", stream.chunks},
                          {"ticks", stream.ticks}});
  }
  if (request.asJson) {
    printJson({{"recording", request.model},
               {"scene", metaOf(recording, "scene")},
               {"version", metaOf(recording, "version")},
               {"time", metaOf(recording, "time")},
               {"ticks", summary.ticks},
               {"first_tick", summary.firstTick},
               {"last_tick", summary.lastTick},
               {"last_wall_ns", summary.lastWallNs},
               {"gaps", summary.gaps},
               {"dropped", summary.dropped},
               {"hands", std::move(handNames)},
               {"events", recording.events().size()},
               {"parameter_changes", recording.parameters().size()},
               {"streams", std::move(streamList)}});
    return ExitCode::Good;
  }
  fmt::print("{}: scene '{}', {} ticks from {} to {}, {} gaps, {} records dropped, by Tactus {}\n",
             models::printable(request.model), metaOf(recording, "scene"), summary.ticks,
             summary.firstTick, summary.lastTick, summary.gaps, summary.dropped,
             metaOf(recording, "version"));
  for (const Json& hand : handNames) {
    fmt::print("{:<7} {} ({})\n", hand["hand"].get<std::string>(), hand["spec"].get<std::string>(),
               hand["model"].get<std::string>());
  }
  for (const Json& stream : streamList) {
    fmt::print("{:<12} {} ticks in {} chunks\n", stream["name"].get<std::string>(),
               stream["ticks"].get<std::uint64_t>(), stream["chunks"].get<std::uint64_t>());
  }
  fmt::print("{} events, {} changes of parameters\n", recording.events().size(),
             recording.parameters().size());
  return ExitCode::Good;
}

}  // namespace tactus::app
