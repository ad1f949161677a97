#include "app/build_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <utility>

#include "models/mesh/wording.hpp"

namespace tactus::app {
namespace {

// Back to the line's start, and what stands there away: ECMA-48, which every terminal knows.
constexpr const char* kClearLine = "\r\x1b[K";

// Within one stage the line changes no more often.
constexpr std::chrono::milliseconds kShortest{50};

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

BuildProgressLine::BuildProgressLine() : isTerminal_(::isatty(STDERR_FILENO) != 0) {}

BuildProgressLine::~BuildProgressLine() {
  if (isTerminal_) fmt::print(stderr, "{}", kClearLine);
}

void BuildProgressLine::show(const collision::BuildProgress& progress) {
  if (!isTerminal_) return;
  const auto now = std::chrono::steady_clock::now();
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
