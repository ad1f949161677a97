#include "app/build_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "app/output.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::app {
namespace {

// Back to the line's start, and what stands there away: ECMA-48, which every terminal knows.
constexpr const char* kClearLine = "\r\x1b[K";

// Within one stage the line changes no more often.
constexpr std::chrono::milliseconds kShortest{50};

// A build that is over sooner needs no word, and one that takes long should not fill a log [s].
constexpr double kSilence = 2.0;
constexpr double kBetweenLines = 30.0;

// Less than this share of the work says nothing about the rest.
constexpr double kLeastForEstimate = 0.02;

}  // namespace

std::string progressText(const collision::BuildProgress& progress, double secondsSoFar) {
  switch (progress.stage) {
    case collision::BuildStage::Checking:
      return "looking at the surface";
    case collision::BuildStage::Cells:
      return fmt::format("dividing the object among the spheres {:.0f} %", 100.0 * progress.share);
    case collision::BuildStage::Tree:
      return "growing the tree of spheres";
    case collision::BuildStage::Facets:
      return "growing the tree of triangles";
    case collision::BuildStage::Voxmap:
      return progress.voxmap.stage == collision::VoxmapStage::Measuring
                 ? fmt::format("measuring the voxmap {:.0f} %", 100.0 * progress.voxmap.share)
                 : "measuring the voxmap";
    case collision::BuildStage::Points:
      return fmt::format("spreading the points {:.0f} %", 100.0 * progress.share);
    case collision::BuildStage::Packing:
      break;
  }
  const collision::PackingProgress& packing = progress.packing;
  std::string text = fmt::format("packing {:.0f} %, {}, {:.1f} % filled", 100.0 * packing.share,
                                 models::countedInGroups(packing.spheres, "sphere", "spheres"),
                                 100.0 * packing.filled);
  if (packing.share > kLeastForEstimate) {
    text += fmt::format(", {:.0f} s left", secondsSoFar * (1.0 - packing.share) / packing.share);
  }
  return text;
}

std::optional<std::string> BuildLog::lineAt(const collision::BuildProgress& progress,
                                            double seconds) {
  if (progress.stage == collision::BuildStage::Packing && !std::exchange(isPacking_, true))
    packingBegan_ = seconds;
  if (seconds - saidAt_ < (hasSpoken_ ? kBetweenLines : kSilence)) return std::nullopt;
  saidAt_ = seconds;
  const bool isFirst = !std::exchange(hasSpoken_, true);
  return fmt::format("{}: {}{}", name_, isFirst ? "being made ready, which is done once: " : "",
                     progressText(progress, seconds - packingBegan_));
}

std::optional<std::string> BuildLog::endAt(double seconds) const {
  if (!hasSpoken_) return std::nullopt;
  return fmt::format("{}: ended after {:.0f} s", name_, seconds);
}

BuildProgressLine::BuildProgressLine(std::string name)
    : isTerminal_(::isatty(STDERR_FILENO) != 0), began_(Clock::now()), log_(std::move(name)) {}

BuildProgressLine::~BuildProgressLine() {
  if (isTerminal_) {
    fmt::print(stderr, "{}", kClearLine);
  } else if (const std::optional<std::string> line = log_.endAt(secondsSoFar())) {
    complain(*line);
  }
}

double BuildProgressLine::secondsSoFar() const {
  return std::chrono::duration<double>(Clock::now() - began_).count();
}

void BuildProgressLine::show(const collision::BuildProgress& progress) {
  if (!isTerminal_) {
    if (const std::optional<std::string> line = log_.lineAt(progress, secondsSoFar()))
      complain(*line);
    return;
  }
  const auto now = Clock::now();
  if (progress.stage == collision::BuildStage::Packing && !std::exchange(isPacking_, true)) {
    packingBegan_ = now;
  }
  const std::chrono::duration<double> soFar = now - packingBegan_;
  if (progress.stage == std::exchange(shown_, progress.stage) && now - shownAt_ < kShortest) return;
  shownAt_ = now;
  fmt::print(stderr, "{}{}", kClearLine, progressText(progress, soFar.count()));
  std::fflush(stderr);
}

}  // namespace tactus::app
