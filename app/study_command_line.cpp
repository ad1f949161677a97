#include "app/study_command_line.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string>

#include "studies/protocol/study_protocol.hpp"

namespace tactus::app {
namespace {

// A study of more lasts years.
constexpr std::uint32_t kMostParticipants = 1000;

std::string checkParticipants(const std::string& text) {
  std::uint32_t count = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (code == std::errc() && end == text.data() + text.size() && count >= 1 &&
      count <= kMostParticipants)
    return {};
  return fmt::format("'{}' is not a whole number from 1 to {}", text, kMostParticipants);
}

std::string checkTimeScale(const std::string& text) {
  double scale = 0.0;
  if (CLI::detail::lexical_cast(text, scale) && std::isfinite(scale) && scale > 0.0 &&
      scale <= 10.0)
    return {};
  return fmt::format("'{}' is not a number greater than 0, up to 10", text);
}

std::string shippedNames() {
  std::string names;
  for (const models::ShippedText& protocol : studies::shippedProtocols()) {
    if (!names.empty()) names += ", ";
    names += protocol.name;
  }
  return names;
}

}  // namespace

StudyCommandLine::StudyCommandLine(CLI::App& tactus)
    : study_(tactus.add_subcommand("study", "plan, run and analyse user studies")),
      new_(study_->add_subcommand("new", "check a protocol, print its plan, make the folder")),
      run_(study_->add_subcommand("run", "a session with people; or simulated ones")),
      status_(study_->add_subcommand("status", "how far each participant is")),
      analyze_(study_->add_subcommand("analyze", "the report of a study, as one page")),
      power_(study_->add_subcommand("power", "how likely a study finds what its protocol states")),
      export_(study_->add_subcommand("export", "tables, or raw data with them, for others")) {
  study_->require_subcommand(1);
  study_->footer("\nSee docs/studies.md, which is written for who leads a study.\n");

  new_->add_option("PROTOCOL", newRequest_.protocol, "shipped name or TOML file")->required();
  new_->add_option("--participants", newRequest_.participants, "how many will come")
      ->required()
      ->check(CLI::Validator(checkParticipants, ""))
      ->type_name("N");
  new_->add_option("-o,--output", newRequest_.folder, "the study's folder, which is made")
      ->required()
      ->type_name("DIR");
  new_->add_flag("--force", newRequest_.overwrites, "drop the study that is in DIR with its data");
  new_->add_flag("--json", newRequest_.asJson, "print the plan as one JSON value");
  new_->footer(fmt::format("\nShipped protocols: {}.\n", shippedNames()));

  run_->add_option("DIR", runRequest_.study, "the study's folder")->required();
  run_->add_option("--participant", runRequest_.participant, "that one's session alone")
      ->type_name("K");
  run_->add_flag("--simulate", runRequest_.simulates,
                 "simulated participants, in simulated time, sessions in parallel; what they do is "
                 "invented and marked so everywhere");
  run_->add_option("--scale-time-limits", runRequest_.timeScale,
                   "all time limits times X, for tests; the same in all runs of a study")
      ->check(CLI::Validator(checkTimeScale, ""))
      ->type_name("X");
  run_->add_option(
          "--device", runRequest_.devices,
          "what a hand holds, in place of what the protocol says; sim:PROFILE and mouse are "
          "for rehearsals, whose data are marked")
      ->type_name("HAND=SPEC");
  run_->add_flag("--accept-bad-timing", runRequest_.acceptsBadTiming,
                 "collect data without real-time scheduling, or when the last minute's timing was "
                 "bad; logged, and all data are marked");
  run_->add_flag("--json", runRequest_.asJson, "with --simulate: print one JSON value in the end");
  run_->footer(
      "\nOpens a window that leads one participant, or two who play together, through a session:\n"
      "--participant's, or the first that is not done. Stopped or killed, it goes on at the "
      "trial\nthat was cut off when it is called again.\n"
      "JSON: simulated, trials, trials_before, simulated_seconds, core_seconds,\n"
      "times_real_time_per_core, dropped, stopped.\n");

  status_->add_option("DIR", statusRequest_.study, "the study's folder")->required();
  status_->add_flag("--json", statusRequest_.asJson, "print one JSON value");
  status_->footer(
      "\nJSON: protocol, hash, participants[{id, session, state, trials_done, trials_planned, "
      "flags[]}].\n");

  analyze_->add_option("DIR", analyzeRequest_.study, "the study's folder")->required();
  analyze_->add_option("-o,--output", analyzeRequest_.report, "the page, which is made")
      ->required()
      ->type_name("REPORT.html");
  analyze_->add_flag("--force", analyzeRequest_.overwrites, "overwrite an older page");
  analyze_->add_flag("--json", analyzeRequest_.asJson, "print one JSON value");
  analyze_->footer("\nWhich test answers what, and after whom: docs/statistics.md.\n");

  power_->add_option("PROTOCOL", powerRequest_.protocol, "shipped name or TOML file")->required();
  power_->add_flag("--json", powerRequest_.asJson, "print one JSON value");
  power_->footer(
      "\nBy Monte Carlo, from the tables [[power]] of the protocol.\n"
      "JSON: protocol, hash, alpha, unit_of_analysis, studies, seed, outcomes[{outcome, label, "
      "basis,\n"
      "difference, test, trials, family_size, curve[{participants, power, low, high,\n"
      "power_strictest}], participants_for_0.8}].\n");

  export_->add_option("DIR", exportRequest_.study, "the study's folder")->required();
  CLI::Option* csv =
      export_->add_option("--csv", exportRequest_.csv,
                          "folder for tidy CSV: trials, answers, participants, dictionary");
  CLI::Option* bids = export_->add_option("--bids", exportRequest_.bids,
                                          "folder for a tree like Motion-BIDS, with raw data");
  csv->type_name("OUT");
  bids->type_name("OUT")->excludes(csv);
  export_->add_flag("--pseudonymised", exportRequest_.isPseudonymised,
                    "other codes in another order, and nothing that people wrote");
  export_->add_flag("--force", exportRequest_.overwrites, "overwrite an older export");
}

ExitCode StudyCommandLine::run() const {
  if (new_->parsed()) return runStudyNew(newRequest_);
  if (run_->parsed()) return runStudyRun(runRequest_);
  if (status_->parsed()) return runStudyStatus(statusRequest_);
  if (power_->parsed()) return runStudyPower(powerRequest_);
  if (analyze_->parsed()) return runStudyAnalyze(analyzeRequest_);
  if (exportRequest_.csv.empty() && exportRequest_.bids.empty()) {
    complain("study export: say where to, with --csv OUT or --bids OUT.");
    return ExitCode::BadInput;
  }
  return runStudyExport(exportRequest_);
}

}  // namespace tactus::app
