#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/opened_session.hpp"
#include "app/panel/parameter_history.hpp"
#include "app/panel/strip_chart.hpp"
#include "haptics/loop/haptic_loop.hpp"
#include "haptics/loop/tick_trace.hpp"

namespace tactus::app {

/// What of the scene is drawn, besides the bodies.
struct ViewLayers {
  bool showsBodies = true;
  bool showsSpheres = false;  ///< inner spheres, or the balls of a level of the trees
  int treeLevel = -1;         ///< -1: the inner spheres themselves
  bool showsPoints = false;   ///< pointshells
  bool showsSlice = false;    ///< of a voxmap
  float sliceAt = 0.5F;       ///< height in the body's box, 0 to 1
  int bodyOfLayers = -1;      ///< -1: all bodies
  bool showsContacts = true, showsForces = true;
  bool showsGhosts = true;  ///< where the hands want their tools
  bool showsTrails = false;
  bool showsEdges = false;
};

/// The newest ten seconds, tick by tick.
struct Curves {
  static constexpr std::size_t kTicks = 10'000;

  CurveHistory computeUs{kTicks}, periodUs{kTicks}, contactVolume{kTicks};
  std::vector<CurveHistory> force, torque;  ///< of each hand

  explicit Curves(std::size_t hands)
      : force(hands, CurveHistory(kTicks)), torque(hands, CurveHistory(kTicks)) {}
  void add(const haptics::TracePoint& point);
};

/// Of the last ten seconds; sorted once in a while, for people.
struct TimingFigures {
  double computeP50 = 0.0, computeP99 = 0.0, computeP999 = 0.0, computeMax = 0.0;  ///< [us]
  double periodP99 = 0.0, periodMax = 0.0;                                         ///< [us]
  double rateHertz = 0.0;
};
[[nodiscard]] TimingFigures timingOf(const Curves& curves, std::vector<float>& room);

/// Of a recording that is looked at.
struct ReplayFigures {
  std::string file;
  std::uint64_t firstTick = 0, lastTick = 0, tick = 0;
  bool isPlaying = false;
  double speed = 1.0;               ///< times as fast as it was
  std::span<const double> speeds;   ///< that there are
  std::span<const float> overview;  ///< the largest force in each part of the recording [N]
};

/// All that the panel shows, and may change.
struct PanelModel {
  const OpenedSession& session;
  const haptics::TickSnapshot& snapshot;
  ParameterHistory& parameters;
  const Curves& curves;
  const TimingFigures& timing;
  ViewLayers& layers;
  std::string policy;   ///< of the servo thread
  std::string picture;  ///< "61 fps, fast, llvmpipe"
  bool isRecording = false;
  std::uint64_t droppedRecords = 0;
  std::string recordingFile;
  /// The last thing that was done or went wrong, for a moment.
  std::string message;
  std::size_t mouseHand = 0;  ///< of the session's hands, that the mouse moves
  /// Then nothing runs, and parameters are those of the moment that is shown.
  std::optional<ReplayFigures> replay;
};

/// What somebody asked for by the panel in one picture.
struct PanelWishes {
  bool resets = false, startsRecording = false, stopsRecording = false;
  bool savesPicture = false, savesSetup = false;
  std::optional<std::string> opensScene;                ///< name or file
  std::optional<std::string> opensRecording;            ///< file
  std::optional<std::string> loadsPreset, savesPreset;  ///< files
  std::optional<std::size_t> givesMouseTo;              ///< of the session's hands
  // Of a recording that is looked at.
  std::optional<std::uint64_t> goesTo;  ///< tick
  std::optional<bool> plays;
  std::optional<double> playsAt;  ///< speed
  std::int64_t steps = 0;         ///< ticks, forth or back
  bool leavesReplay = false;      ///< its scene from the beginning, to be felt
};

}  // namespace tactus::app
