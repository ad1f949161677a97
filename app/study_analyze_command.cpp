#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>

#include "app/output_place.hpp"
#include "app/study_commands.hpp"
#include "models/files/file_label.hpp"
#include "models/files/whole_file.hpp"
#include "studies/report/study_analysis.hpp"
#include "studies/report/study_report.hpp"
#include "studies/trials/trial_table.hpp"

namespace tactus::app {
namespace {

using models::Done;
using models::Result;
using studies::Comparison;
using studies::KindsComparison;
using studies::StudyAnalysis;

Json orNull(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json tJson(const std::optional<studies::TTest>& t) {
  if (!t) return nullptr;
  return {{"estimate", t->estimate}, {"low", t->low}, {"high", t->high}, {"t", t->t},
          {"df", t->degrees},        {"p", t->p}};
}

std::string verdictOf(const Comparison& comparison, double alpha) {
  if (!comparison.corrected) return "no_test";
  const bool isFound = *comparison.corrected < alpha;
  if (comparison.decides == studies::DecidingTest::TwoOneSidedT)
    return isFound ? "equivalent" : "equivalence_not_shown";
  return isFound ? "difference" : "difference_not_shown";
}

Json comparisonJson(const Comparison& c, double alpha) {
  Json json = {{"outcome", c.outcome.name},
               {"label", c.outcome.label},
               {"primary", c.outcome.isPrimary},
               {"family", c.outcome.family},
               {"unit", c.unitName},
               {"first", letterOf(c.under)},
               {"second", letterOf(c.over)},
               {"units", c.units.size()},
               {"incomplete", c.incomplete.size()},
               {"first_mean", c.ofUnder.mean},
               {"second_mean", c.ofOver.mean},
               {"test", nameOf(c.decides)},
               {"p", orNull(c.p)},
               {"p_corrected", orNull(c.corrected)},
               {"verdict", verdictOf(c, alpha)},
               {"t_test", tJson(c.t)},
               {"period", tJson(c.order.period)},
               {"sequence", tJson(c.order.sequence)},
               {"seed_form", tJson(c.seedForm)}};
  json["sign_flip_p"] = c.flips ? Json(c.flips->p) : Json(nullptr);
  json["shapiro_wilk_p"] = c.normality ? Json(c.normality->p) : Json(nullptr);
  json["d_z"] = c.standardized ? Json(c.standardized->ofDifferences) : Json(nullptr);
  json["signed_rank"] = nullptr;
  if (c.ranks) {
    json["signed_rank"] = {{"p", c.ranks->p},
                           {"hodges_lehmann", c.ranks->estimate},
                           {"low", c.ranks->low},
                           {"high", c.ranks->high},
                           {"confidence", c.ranks->confidence}};
  }
  json["censored"] = c.censored;
  json["prentice_wilcoxon_p"] = c.times ? Json(c.times->exact.p) : Json(nullptr);
  json["equivalence"] = nullptr;
  if (c.equivalence && c.outcome.equivalence) {
    json["equivalence"] = {{"bounds", {c.outcome.equivalence->low, c.outcome.equivalence->high}},
                           {"low", c.equivalence->low},
                           {"high", c.equivalence->high},
                           {"p", c.equivalence->p}};
  }
  return json;
}

Json kindsJson(const KindsComparison& kinds) {
  Json counts = Json::object();
  for (std::size_t k = 0; k < kinds.kinds.size(); ++k)
    counts[kinds.kinds[k]] = {kinds.ofUnder[k], kinds.ofOver[k]};
  return {{"outcome", kinds.outcome.name},
          {"first", letterOf(kinds.under)},
          {"second", letterOf(kinds.over)},
          {"units", kinds.units},
          {"counts", counts},
          {"p", kinds.levels.p},
          {"p_corrected", orNull(kinds.corrected)},
          {"even_first_p", kinds.evenUnder.p},
          {"even_second_p", kinds.evenOver.p},
          {"seed_form_first_p", kinds.seedUnder ? Json(kinds.seedUnder->p) : Json(nullptr)},
          {"seed_form_second_p", kinds.seedOver ? Json(kinds.seedOver->p) : Json(nullptr)}};
}

Json analysisJson(const StudyAnalysis& analysis, const std::string& report) {
  Json outcomes = Json::array(), kinds = Json::array(), leftOut = Json::array();
  for (const Comparison& comparison : analysis.comparisons)
    outcomes.push_back(comparisonJson(comparison, analysis.facts.alpha));
  for (const KindsComparison& comparison : analysis.kinds)
    kinds.push_back(kindsJson(comparison));
  for (const studies::LeftOut& one : analysis.leftOut)
    leftOut.push_back({{"who", one.who}, {"why", one.why}});
  Json letters = Json::object();
  for (const studies::Factor& factor : analysis.facts.factors) {
    for (const studies::FactorLevel& level : factor.levels)
      letters[factor.name][letterOf(level)] = level.name;
  }
  return {{"report", report},
          {"protocol", analysis.facts.protocol},
          {"protocol_hash", analysis.facts.protocolHash},
          {"simulated", analysis.facts.isSimulated},
          {"rehearsal", analysis.facts.isRehearsal},
          {"unit_of_analysis", analysis.facts.isPlayedInPairs ? "pair" : "participant"},
          {"alpha", analysis.facts.alpha},
          {"participants", analysis.participants},
          {"excluded", analysis.excluded},
          {"fillers", analysis.fillers},
          {"trials", analysis.trials},
          {"outcomes", outcomes},
          {"kinds", kinds},
          {"left_out", leftOut},
          {"unanswerable", analysis.unanswerable},
          {"letters", letters}};
}

void printTable(const StudyAnalysis& analysis) {
  if (analysis.facts.isRehearsal) {
    fmt::print("A REHEARSAL: it says nothing about people.\n");
  } else if (analysis.facts.isSimulated) {
    fmt::print("SIMULATED: no person took part.\n");
  }
  fmt::print("{} participants, {} excluded, {} fillers; a unit is a {}\n", analysis.participants,
             analysis.excluded, analysis.fillers,
             analysis.facts.isPlayedInPairs ? "pair" : "participant");
  fmt::print("{:<44} {:>5} {:>11} {:>11} {:>9} {:>9}  {}\n", "outcome", "units", "first mean",
             "second mean", "p", "in family", "verdict");
  for (const Comparison& c : analysis.comparisons) {
    const std::string name =
        fmt::format("{}, {}-{}", c.outcome.label, letterOf(c.over), letterOf(c.under));
    fmt::print("{:<44} {:>5} {:>11.4g} {:>11.4g} {:>9} {:>9}  {}\n", name, c.units.size(),
               c.ofUnder.mean, c.ofOver.mean, c.p ? fmt::format("{:.4f}", *c.p) : "-",
               c.corrected ? fmt::format("{:.4f}", *c.corrected) : "-",
               verdictOf(c, analysis.facts.alpha));
  }
  for (const KindsComparison& c : analysis.kinds) {
    fmt::print("{:<44} {:>5} {:>11} {:>11} {:>9.4f} {:>9}  by kind\n",
               fmt::format("{}, {}-{}", c.outcome.label, letterOf(c.over), letterOf(c.under)),
               c.units, "", "", c.levels.p,
               c.corrected ? fmt::format("{:.4f}", *c.corrected) : "-");
  }
}

Result<Done> writePage(const std::string& file, const std::string& page, bool overwrites) {
  models::WholeFile whole(file, overwrites);
  if (Result<Done> opened = whole.open(); !opened) return opened;
  whole.write(page);
  return whole.finish();
}

}  // namespace

ExitCode runStudyAnalyze(const StudyAnalyzeRequest& request) {
  if (const Result<Done> place =
          checkOutputPlace(request.report, {".html", ".htm"}, request.overwrites);
      !place) {
    complain(place.error().sentence);
    return ExitCode::BadInput;
  }
  const Result<studies::TrialTable> table =
      studies::readTrialTable(std::filesystem::path(request.study) / studies::kTrialsFolder);
  if (!table) {
    complain(table.error().sentence);
    return ExitCode::BadInput;
  }
  const StudyAnalysis analysis = studies::analyzeStudy(table.value());
  const Result<Done> written = writePage(
      request.report, studies::studyReportHtml(table.value(), analysis), request.overwrites);
  if (!written) {
    complain(written.error().sentence);
    return ExitCode::WorkFailed;
  }
  if (request.asJson) {
    printJson(analysisJson(analysis, request.report));
  } else {
    printTable(analysis);
    fmt::print("{}\n", request.report);
  }
  return ExitCode::Good;
}

}  // namespace tactus::app
