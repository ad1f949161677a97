#pragma once
#include <string>

#include "app/output.hpp"

/// What `tactus study analyze` and `tactus study power` are asked, and the functions that do it.
namespace tactus::app {

struct StudyAnalyzeRequest {
  std::string study;   ///< its folder; the trial table lies in `trials` within
  std::string report;  ///< HTML
  bool overwrites = false;
  bool asJson = false;
};
/// `tactus study analyze`: one self-contained page with all tests, tables and plots of a study; see
/// docs/statistics.md.
[[nodiscard]] ExitCode runStudyAnalyze(const StudyAnalyzeRequest& request);

struct StudyPowerRequest {
  std::string protocol;  ///< shipped name or TOML file
  bool asJson = false;
};
/// `tactus study power`: how likely a study finds what its protocol states, by Monte Carlo.
[[nodiscard]] ExitCode runStudyPower(const StudyPowerRequest& request);

}  // namespace tactus::app
