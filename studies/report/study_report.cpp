#include "studies/report/study_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "studies/report/comparison_plots.hpp"
#include "studies/report/figure_words.hpp"
#include "studies/report/mixed_models.hpp"

namespace tactus::studies {
namespace {

constexpr const char* kStyle =
    "body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em;line-height:1.45;"
    "color:#222;background:#fff}h1{line-height:1.2}h2{margin-top:2.2em;border-bottom:2px solid "
    "#ccc;padding-bottom:.15em}h3{margin-top:2em}table{border-collapse:collapse;margin:.8em "
    "0}td,th{padding:.25em .7em;text-align:right;border-bottom:1px solid #ddd;vertical-align:top}"
    "td:first-child,th:first-child,.w td,.w th{text-align:left}th{background:#f4f4f4}"
    ".simulated{background:#fff3cd;border:2px solid #b58900;padding:.7em 1em;font-weight:bold}"
    ".plots{display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start}.say{font-size:1.05em;"
    "background:#f6f8fa;"
    "border-left:4px solid #0072b2;padding:.5em .9em}.seed{background:#faf7f0}small,.note{color:"
    "#555}.wide{overflow-x:auto}svg{max-width:100%;height:auto}@media print{h3{break-before:"
    "auto}svg,table{break-inside:avoid}}";

std::string cell(const std::string& words) {
  return "<td>" + words + "</td>";
}

std::string row(std::initializer_list<std::string> cells) {
  std::string text = "<tr>";
  for (const std::string& words : cells)
    text += cell(words);
  return text + "</tr>\n";
}

std::string head(std::initializer_list<const char*> cells) {
  std::string text = "<tr>";
  for (const char* const words : cells)
    text += std::string("<th>") + words + "</th>";
  return text + "</tr>\n";
}

std::string interval(double low, double high, int digits = 3) {
  return significant(low, digits) + " to " + significant(high, digits);
}

std::string percent(double share) {
  return plain(100.0 * share, 3) + "&nbsp;%";
}

std::string meanSd(const SampleMoments& moments) {
  return significant(moments.mean) + " (" + significant(moments.sd) + ")";
}

std::string nounOfUnits(const Comparison& comparison) {
  const bool isPair = !comparison.units.empty() && comparison.units.front().size > 1;
  return isPair ? (comparison.units.size() == 1 ? "pair" : "pairs")
                : (comparison.units.size() == 1 ? "participant" : "participants");
}

std::string contrastOf(const FactorLevel& under, const FactorLevel& over) {
  return escaped(letterOf(over)) + " &minus; " + escaped(letterOf(under));
}

/// What the deciding test says, in a sentence.
std::string verdictOf(const Comparison& comparison, double alpha) {
  if (!comparison.corrected) return "The data do not suffice for a test.";
  const bool isFound = *comparison.corrected < alpha;
  if (comparison.decides == DecidingTest::TwoOneSidedT) {
    if (isFound) return "Equivalent within the declared bounds.";
    return "Equivalence within the declared bounds is <b>not</b> shown; that is no proof of a "
           "difference.";
  }
  if (isFound) return "A difference that chance alone rarely makes.";
  return "No difference is shown; that is no proof that there is none.";
}

std::string estimateOf(const Comparison& comparison) {
  if (comparison.decides == DecidingTest::SignedRank && comparison.ranks) {
    return significant(comparison.ranks->estimate) + " [" +
           interval(comparison.ranks->low, comparison.ranks->high) + "]";
  }
  if (!comparison.t) return "-";
  return significant(comparison.t->estimate) + " [" +
         interval(comparison.t->low, comparison.t->high) + "]";
}

std::string sayOf(const Comparison& comparison, double alpha) {
  const std::string under = escaped(letterOf(comparison.under));
  const std::string over = escaped(letterOf(comparison.over));
  const std::string unit = comparison.unitName.empty() ? "" : " " + escaped(comparison.unitName);
  std::string text =
      "<p class=\"say\">Under " + over + " the mean was " + significant(comparison.ofOver.mean) +
      unit + ", under " + under + " " + significant(comparison.ofUnder.mean) + unit + " (" +
      (comparison.isWithin ? std::to_string(comparison.units.size()) + " " + nounOfUnits(comparison)
                           : std::to_string(comparison.ofOver.n) + " and " +
                                 std::to_string(comparison.ofUnder.n) + " participants") +
      "). ";
  const bool isRank = comparison.decides == DecidingTest::SignedRank && comparison.ranks;
  if (isRank) {
    text += "The difference is centred at " + significant(comparison.ranks->estimate) + unit +
            " (Hodges&ndash;Lehmann; " + percent(comparison.ranks->confidence) + " interval " +
            interval(comparison.ranks->low, comparison.ranks->high) + "). ";
  } else if (comparison.t) {
    text += "The mean difference is " + significant(comparison.t->estimate) + unit + " (" +
            percent(1.0 - alpha) + " interval " + interval(comparison.t->low, comparison.t->high) +
            "). ";
  }
  if (comparison.p && comparison.corrected) {
    text +=
        std::string("Test: ") + nameOf(comparison.decides) + ", " + escaped(pPhrase(*comparison.p));
    if (!comparison.outcome.family.empty())
      text += ", within its family " + escaped(pPhrase(*comparison.corrected));
    text += ". ";
  }
  return text + "<b>" + verdictOf(comparison, alpha) + "</b></p>\n";
}

std::string tRow(const std::string& name, const std::optional<TTest>& t) {
  if (!t) return row({name, "-", "-", "-", "-"});
  return row({name, significant(t->estimate), interval(t->low, t->high),
              "t(" + plain(t->degrees) + ") = " + fixedPoint(t->t, 3), escaped(pValue(t->p))});
}

std::string testsTable(const Comparison& comparison, double alpha) {
  const std::string level = percent(1.0 - alpha);
  std::string text =
      "<div class=\"wide\"><table>" + head({"test", "estimate", "interval", "statistic", "p"});
  const auto mark = [&](DecidingTest test, const std::string& name) {
    return comparison.decides == test ? "<b>" + name + "</b> (decides)" : name;
  };
  text +=
      tRow(comparison.isWithin ? mark(DecidingTest::OneSampleT, "one-sample t of the differences")
                               : mark(DecidingTest::WelchT, "Welch&rsquo;s t between units"),
           comparison.t);
  if (comparison.flips) {
    text += row({std::string("sign flips, ") + (comparison.flips->isExact ? "exact" : "drawn"),
                 significant(comparison.flips->statistic), "",
                 plain(comparison.flips->arrangements, 6) + " arrangements",
                 escaped(pValue(comparison.flips->p))});
  }
  if (comparison.ranks) {
    const SignedRankTest& r = *comparison.ranks;
    text +=
        row({mark(DecidingTest::SignedRank, std::string("signed rank, ") +
                                                (r.isExact ? "exact" : "normal") +
                                                "; Hodges&ndash;Lehmann"),
             significant(r.estimate), interval(r.low, r.high) + " (" + percent(r.confidence) + ")",
             "W+ = " + plain(r.rankSum, 6) + ", zeros " + std::to_string(r.zeros) +
                 ", r = " + fixedPoint(r.rankBiserial, 2),
             escaped(pValue(r.p))});
  }
  if (comparison.times) {
    text += row({mark(DecidingTest::PrenticeWilcoxon,
                      "paired Prentice&ndash;Wilcoxon, " +
                          std::string(comparison.times->exact.isExact ? "exact" : "drawn")),
                 "", "",
                 "Z = " + fixedPoint(comparison.times->z, 3) + " (normal p " +
                     escaped(pValue(comparison.times->pNormal)) + ")",
                 escaped(pValue(comparison.times->exact.p))});
  }
  if (comparison.equivalence && comparison.outcome.equivalence) {
    const EquivalenceBounds& bounds = *comparison.outcome.equivalence;
    text += row({mark(DecidingTest::TwoOneSidedT,
                      "equivalence within " + plain(bounds.low) + " to " + plain(bounds.high)),
                 "",
                 interval(comparison.equivalence->low, comparison.equivalence->high) + " (" +
                     percent(1.0 - 2.0 * alpha) + ")",
                 "above " + escaped(pValue(comparison.equivalence->pAboveLow)) + ", below " +
                     escaped(pValue(comparison.equivalence->pBelowHigh)),
                 escaped(pValue(comparison.equivalence->p))});
  }
  if (comparison.isWithin) {
    text += tRow("level, freed of periods", comparison.order.level);
    text += tRow("period (second &minus; first)", comparison.order.period);
    text += tRow("sequence (carry-over)", comparison.order.sequence);
  }
  if (!comparison.incomplete.empty())
    text += tRow("one-sample t with incomplete pairs", comparison.withIncomplete);
  if (comparison.seedForm) {
    const TTest& t = *comparison.seedForm;
    text += "<tr class=\"seed\">" +
            cell("the seed&rsquo;s form: paired t over " +
                 std::to_string(comparison.seedParticipants) + " participants") +
            cell(significant(t.estimate)) + cell(interval(t.low, t.high)) +
            cell("t(" + plain(t.degrees) + ") = " + fixedPoint(t.t, 3)) +
            cell(escaped(pValue(t.p))) + "</tr>\n";
  }
  return text + "</table></div>\n<p class=\"note\">Intervals: " + level +
         " where not said otherwise.</p>\n";
}

std::string descriptionTable(const Comparison& comparison) {
  std::string text =
      "<div class=\"wide\"><table>" + head({"condition", "participants", "mean", "SD", "least",
                                            "lower quartile", "median", "upper quartile", "most"});
  for (const auto& [level, m] : {std::pair(comparison.under, comparison.ofUnder),
                                 std::pair(comparison.over, comparison.ofOver)}) {
    text += row({escaped(letterOf(level)), std::to_string(m.n), significant(m.mean),
                 significant(m.sd), significant(m.least), significant(m.lowerQuartile),
                 significant(m.median), significant(m.upperQuartile), significant(m.most)});
  }
  return text + "</table></div>\n";
}

std::string assumptionsOf(const Comparison& comparison, double alpha) {
  if (!comparison.isWithin) return {};
  std::string text = "<ul class=\"note\">\n";
  if (comparison.normality) {
    text +=
        "<li>Shapiro&ndash;Wilk of the differences: W = " + fixedPoint(comparison.normality->w, 3) +
        ", " + escaped(pPhrase(comparison.normality->p)) + ". " +
        (comparison.normality->p < alpha
             ? "They do not look normal: trust the sign flips and ranks where they and the t "
               "test disagree."
             : "Nothing speaks against a normal distribution (few values seldom do).") +
        "</li>\n";
  }
  if (comparison.standardized) {
    const StandardizedDifference& d = *comparison.standardized;
    text += "<li>Effect size: d<sub>z</sub> = " + fixedPoint(d.ofDifferences, 2) + " (" +
            interval(d.low, d.high) + "), corrected for few units " + fixedPoint(d.corrected, 2) +
            "; in standard deviations between participants d<sub>av</sub> = " +
            fixedPoint(comparison.inAverageSd, 2) + ".</li>\n";
  }
  if (!comparison.outliers.empty()) {
    text += "<li>Far from the others (beyond three interquartile ranges), and kept: ";
    for (std::size_t i = 0; i < comparison.outliers.size(); ++i)
      text += (i == 0 ? "" : ", ") + escaped(comparison.outliers[i]);
    text += ".</li>\n";
  }
  if (comparison.order.sequence && comparison.order.sequence->p < 0.1) {
    text += "<li>The order may matter (sequence, " +
            escaped(pPhrase(comparison.order.sequence->p)) +
            "): something of the first condition may have been carried over.</li>\n";
  }
  if (comparison.outcome.scale == OutcomeScale::Time) {
    text += "<li>" + std::to_string(comparison.censored) + " of " +
            std::to_string(comparison.single) +
            " times were cut by the time limit. Means and t tests take the limit for the time; the "
            "Prentice&ndash;Wilcoxon test knows better.</li>\n";
  }
  return text + "</ul>\n";
}

const QuestionItem* itemOf(const StudyFacts& facts, const Outcome& outcome) {
  if (outcome.source != OutcomeSource::Answer) return nullptr;
  const auto found = std::ranges::find(facts.items, outcome.name, &QuestionItem::name);
  return found == facts.items.end() ? nullptr : &*found;
}

std::string sectionOf(const TrialTable& table, const StudyAnalysis& analysis,
                      const Comparison& comparison, std::size_t number) {
  const double alpha = analysis.facts.alpha;
  const Outcome& outcome = comparison.outcome;
  std::string text = "<h3 id=\"o" + std::to_string(number) + "\">" + std::to_string(number) + ". " +
                     escaped(outcome.label) + ", " + contrastOf(comparison.under, comparison.over) +
                     "</h3>\n";
  const QuestionItem* const item = itemOf(analysis.facts, outcome);
  if (item != nullptr) {
    text += "<p>&ldquo;" + escaped(item->question) + "&rdquo; from " + plain(item->least) + " (" +
            escaped(item->leastLabel) + ") to " + plain(item->most) + " (" +
            escaped(item->mostLabel) + ").</p>\n";
  }
  text += sayOf(comparison, alpha) + "<div class=\"plots\">\n";
  if (item != nullptr && outcome.scale == OutcomeScale::Ordinal)
    text += answersSvg(comparison, *item);
  if (outcome.scale == OutcomeScale::Time) {
    std::vector<SingleTime> times;
    for (SingleTime& one : singleTimesOf(table, outcome)) {
      if (one.level == comparison.under.name || one.level == comparison.over.name)
        times.push_back(std::move(one));
    }
    text += stillAtItSvg(comparison, times);
  }
  text += participantsSvg(comparison);
  if (comparison.isWithin) text += differencesSvg(comparison);
  text += "</div>\n";
  if (!comparison.incomplete.empty()) {
    text +=
        "<p class=\"note\">Points of participants show all who are analysed; tables and tests have "
        "only those of complete pairs.</p>\n";
  }
  return text + descriptionTable(comparison) + testsTable(comparison, alpha) +
         assumptionsOf(comparison, alpha);
}

std::string chiSquareRow(const std::string& name, const std::optional<ChiSquareTest>& test) {
  if (!test) return row({name, "-", "-", "-"});
  return row({name, "&chi;&sup2;(" + plain(test->degrees) + ") = " + fixedPoint(test->chiSquare, 2),
              escaped(pValue(test->p)),
              "least expected count " + significant(test->leastExpected)});
}

std::string permutationRow(const std::string& name, const PermutationTest& test) {
  return row({name, significant(test.statistic, 4), escaped(pValue(test.p)),
              plain(test.arrangements, 6) + " arrangements, " + (test.isExact ? "all" : "drawn")});
}

std::string kindsSection(const KindsComparison& comparison, double alpha) {
  const std::string under = escaped(letterOf(comparison.under));
  const std::string over = escaped(letterOf(comparison.over));
  std::string text =
      "<h3>" + escaped(comparison.outcome.label) + " by kind, " + over + " and " + under +
      "</h3>\n<p class=\"say\">" +
      (comparison.corrected.value_or(1.0) < alpha
           ? "<b>Kinds were not taken alike under both conditions"
           : "<b>No difference between the conditions is shown") +
      "</b> (" + std::to_string(comparison.units) + " units, swaps within units, " +
      escaped(pPhrase(comparison.levels.p)) +
      (comparison.outcome.family.empty()
           ? ""
           : ", within its family " + escaped(pPhrase(comparison.corrected.value_or(1.0)))) +
      ").</p>\n" + kindsSvg(comparison) + "<div class=\"wide\"><table>" +
      head({"question", "statistic", "p", ""});
  text += permutationRow("<b>kinds alike under both conditions?</b> (decides)", comparison.levels);
  text += permutationRow("all kinds equally often under " + under + "?", comparison.evenUnder);
  text += permutationRow("all kinds equally often under " + over + "?", comparison.evenOver);
  text += chiSquareRow("the seed&rsquo;s form: &chi;&sup2;, equally often under " + under,
                       comparison.seedUnder);
  text += chiSquareRow("the seed&rsquo;s form: &chi;&sup2;, equally often under " + over,
                       comparison.seedOver);
  text += chiSquareRow("&chi;&sup2; of the table, both conditions", comparison.seedTable);
  return text +
         "</table></div>\n<p class=\"note\">&chi;&sup2; takes every object for an "
         "observation of its own; those of one unit are not, so its p values may be too "
         "small.</p>\n";
}

std::string summaryTable(const StudyAnalysis& analysis, bool isPrimary) {
  std::string rows;
  for (std::size_t i = 0; i < analysis.comparisons.size(); ++i) {
    const Comparison& c = analysis.comparisons[i];
    if (c.outcome.isPrimary != isPrimary) continue;
    rows += row({"<a href=\"#o" + std::to_string(i + 1) + "\">" + escaped(c.outcome.label) +
                     "</a>" + (c.unitName.empty() ? "" : " [" + escaped(c.unitName) + "]") + ", " +
                     contrastOf(c.under, c.over),
                 meanSd(c.ofUnder), meanSd(c.ofOver), estimateOf(c), nameOf(c.decides),
                 escaped(pValue(c.p)), "<b>" + escaped(pValue(c.corrected)) + "</b>",
                 verdictOf(c, analysis.facts.alpha)});
  }
  if (rows.empty()) return "<p>None was declared, or none has data.</p>\n";
  // with two conditions alone the columns can go by their letters
  std::set<std::string> firsts, seconds;
  for (const Comparison& c : analysis.comparisons) {
    firsts.insert(escaped(letterOf(c.under)));
    seconds.insert(escaped(letterOf(c.over)));
  }
  const bool areTwo = firsts.size() == 1 && seconds.size() == 1;
  const std::string first = areTwo ? *firsts.begin() + ": mean (SD)" : "first mean (SD)";
  const std::string second = areTwo ? *seconds.begin() + ": mean (SD)" : "second mean (SD)";
  return "<div class=\"wide\"><table class=\"w\">" +
         head({"outcome", first.c_str(), second.c_str(), "difference [interval]", "deciding test",
               "p", "p in family", "verdict"}) +
         rows + "</table></div>\n<p class=\"note\">" +
         (areTwo ? "" : "First and second: of <i>B &minus; A</i>, A is the first. ") +
         "Families are corrected after Holm. Interval: of " +
         plain(100.0 * (1.0 - analysis.facts.alpha), 3) + "&nbsp;%.</p>\n";
}

std::string groupsTable(const StudyAnalysis& analysis) {
  if (analysis.groups.empty()) return {};
  std::string text =
      "<h3>Groups of participants: the seed&rsquo;s one-way ANOVA</h3>\n<p class=\"note\">Takes "
      "participants for independent, and is not corrected for the number of "
      "questions: to be read as a hint.</p>\n<div class=\"wide\"><table class=\"w\">" +
      head({"outcome", "condition", "groups: mean (SD), number", "F", "p", "&omega;&sup2;"});
  for (const GroupComparison& g : analysis.groups) {
    std::string groups;
    for (const GroupComparison::Group& one : g.groups) {
      groups += (groups.empty() ? "" : "<br>") + escaped(one.name) + ": " + meanSd(one.moments) +
                ", " + std::to_string(one.moments.n);
    }
    text += row({escaped(g.outcome) + " by " + escaped(g.fact), escaped(letterOf(g.level)), groups,
                 "F(" + plain(g.test.degreesBetween) + ", " + plain(g.test.degreesWithin) +
                     ") = " + fixedPoint(g.test.f, 2),
                 escaped(pValue(g.test.p)), fixedPoint(g.test.omegaSquared, 2)});
  }
  return text + "</table></div>\n";
}

std::string listOf(const std::vector<LeftOut>& entries) {
  std::string text = "<div class=\"wide\"><table class=\"w\">" + head({"who", "why"});
  for (const LeftOut& one : entries)
    text += row({escaped(one.who), escaped(one.why)});
  return text + "</table></div>\n";
}

/// What a flag of a trial means, for who has not read the manual.
std::string flagInWords(const std::string& flag) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 6> kFlags = {
      {{"timing", "the loop did not keep its time well"},
       {"paused", "the round was paused"},
       {"parameters changed", "the experimenter had changed parameters"},
       {"device lost", "a device was gone for a while"},
       {"records dropped", "the recording lacks ticks"},
       {"repeated", "an attempt of a practice trial that was repeated"}}};
  for (const auto& [name, words] : kFlags) {
    if (name == flag) return flag + ": " + words;
  }
  return flag;
}

std::string whoSection(const StudyAnalysis& analysis) {
  const StudyFacts& facts = analysis.facts;
  std::string text =
      "<h2>Who took part</h2>\n<table>" +
      row({"participants analysed", std::to_string(analysis.participants)}) +
      row({"planned", std::to_string(facts.participantsPlanned)}) +
      row({"participants excluded", std::to_string(analysis.excluded)}) +
      row({"fillers (partners of odd participants)", std::to_string(analysis.fillers)}) +
      row({"trials analysed", std::to_string(analysis.trials)}) +
      row({"answers analysed", std::to_string(analysis.answers)}) + "</table>\n";
  text += "<h3>Left out</h3>\n";
  if (!facts.exclusionRules.empty()) {
    text += "<p>Rules that were declared before the data were there:</p><ul>\n";
    for (const std::string& rule : facts.exclusionRules)
      text += "<li>" + escaped(rule) + "</li>\n";
    text += "</ul>\n";
  }
  text += analysis.leftOut.empty() ? "<p>Nobody and nothing.</p>\n" : listOf(analysis.leftOut);
  if (!analysis.flagged.empty()) {
    std::vector<LeftOut> flagged = analysis.flagged;
    for (LeftOut& one : flagged)
      one.why = flagInWords(one.why);
    text += "<h3>Unusual, and kept</h3>\n" + listOf(flagged);
  }
  if (!analysis.unanswerable.empty()) {
    text += "<h3>Declared, and not answerable</h3>\n<ul>\n";
    for (const std::string& one : analysis.unanswerable)
      text += "<li>" + escaped(one) + "</li>\n";
    text += "</ul>\n";
  }
  return text;
}

/// Letters, not levels: who analyses is not to know before the end.
std::string comparedRows(const StudyFacts& facts) {
  std::string rows;
  for (const Factor& factor : facts.factors) {
    std::string letters;
    for (const FactorLevel& level : factor.levels)
      letters += (letters.empty() ? "" : ", ") + escaped(letterOf(level));
    rows +=
        row({"compared", escaped(factor.label) + ": " + letters + " (<a href=\"#key\">key</a>)"});
  }
  return rows;
}

std::string procedureSection(const StudyFacts& facts) {
  if (facts.procedure.empty()) return {};
  std::string text = "<h2>What was done</h2>\n<ul>\n";
  for (const std::string& one : facts.procedure)
    text += "<li>" + escaped(one) + "</li>\n";
  return text + "</ul>\n";
}

std::string keySection(const StudyFacts& facts) {
  std::string text =
      "<h2 id=\"key\">Key to the letters</h2>\n<details><summary>What the letters stand for (look "
      "when the "
      "analysis is settled)</summary>\n<table class=\"w\">" +
      head({"factor", "letter", "level", "what it is"});
  for (const Factor& factor : facts.factors) {
    for (const FactorLevel& level : factor.levels) {
      text += row({escaped(factor.label), escaped(letterOf(level)), escaped(level.name),
                   escaped(level.label)});
    }
  }
  return text + "</table></details>\n";
}

/// A file within the page.
std::string download(const char* name, const std::string& content) {
  std::string address = "data:text/plain;charset=utf-8,";
  constexpr const char* kDigits = "0123456789ABCDEF";
  for (const char c : content) {
    const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == ',';
    if (isPlain) {
      address += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      address += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
  }
  return "<a download=\"" + std::string(name) + "\" href=\"" + address + "\">" + name + "</a>";
}

std::string mixedModelsSection(const TrialTable& table) {
  return "<h2>Mixed models</h2>\n<p>Are left to R. This page holds what it needs: save " +
         download(kObservationsFile, observationsCsv(table)) + " and " +
         download(kMixedModelsFile, mixedModelsScript(table)) +
         " in one folder, and call <code>Rscript mixed_models.R</code> there (packages lme4, "
         "ordinal, survival).</p>\n";
}

std::string methodsSection(const StudyFacts& facts) {
  std::string text = "<h2>How this was computed</h2>\n<ul>\n";
  text +=
      facts.isPlayedInPairs
          ? "<li><b>The unit of analysis is the pair.</b> Two play one round, and what happens "
            "in it happens to both, so that they are not independent. A pair&rsquo;s value under "
            "a condition is the mean of both players; both met both conditions, each in another "
            "order, so that what the periods do cancels.</li>\n"
          : "<li>The unit of analysis is the participant.</li>\n";
  text +=
      "<li>A participant&rsquo;s value is the mean of their trials of a condition.</li>\n"
      "<li>Which test decides follows from the outcome&rsquo;s scale, as declared: differences "
      "that "
      "mean something, the one-sample t test; answers on a scale, Wilcoxon&rsquo;s signed-rank "
      "test "
      "(zeros after Pratt) with the Hodges&ndash;Lehmann estimate; times that a limit may have "
      "cut, "
      "the paired Prentice&ndash;Wilcoxon test by sign flips; declared bounds of equivalence, two "
      "one-sided t tests. The others stand beside it as a check.</li>\n"
      "<li>p values of a family are corrected after Holm, over all its outcomes and pairs of "
      "conditions. A primary outcome without a family stands alone.</li>\n"
      "<li>A large p value is no evidence of no difference; equivalence has a test of its "
      "own.</li>\n"
      "<li>&ldquo;The seed&rsquo;s form&rdquo; is how the study that this one follows was "
      "analysed: "
      "paired t over participants, one-way ANOVA, &chi;&sup2; (R. Weller, thesis, 2012, section "
      "7.4). It stands beside for comparison and decides nothing.</li>\n";
  return text + "</ul>\n";
}

}  // namespace

std::string studyReportHtml(const TrialTable& table, const StudyAnalysis& analysis) {
  const StudyFacts& facts = analysis.facts;
  const std::string name = facts.title.empty() ? facts.protocol : facts.title;
  const std::string title = (facts.isRehearsal   ? "Rehearsal: "
                             : facts.isSimulated ? "Simulated study: "
                                                 : "") +
                            name;
  std::string page =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" content=\"width=device-width\">\n<title>" +
      escaped(title) + "</title>\n<style>" + kStyle + "</style></head><body>\n<h1>" +
      escaped(title) + "</h1>\n";
  if (facts.isRehearsal) {
    page +=
        "<p class=\"simulated\">A rehearsal: the session was gone through, with a hand at least in "
        "a "
        "simulated device, a recording, or the mouse, none of which pushes anybody. This page "
        "shows "
        "how the study would be reported, and says nothing about people.</p>\n";
  } else if (facts.isSimulated) {
    page +=
        "<p class=\"simulated\">No person took part. All participants were simulated, and their "
        "effects are invented: this page shows how a study would be reported, and proves "
        "nothing.</p>\n";
  }
  page += "<table class=\"w\">" + row({"protocol", escaped(facts.protocol)}) +
          row({"hash of the protocol", "<code>" + escaped(facts.protocolHash) + "</code>"}) +
          row({"software", "tactus " + escaped(facts.softwareVersion)}) +
          row({"seed of the orders", std::to_string(facts.seed)}) +
          row({"unit of analysis", facts.isPlayedInPairs ? "pair of players" : "participant"}) +
          row({"level of significance", plain(facts.alpha)}) + comparedRows(facts) + "</table>\n" +
          procedureSection(facts);
  page += "<h2>In short: primary outcomes</h2>\n" + summaryTable(analysis, true);
  page += "<div class=\"wide\">" + effectsSvg(analysis.comparisons) + "</div>\n";
  page += "<h2>Other outcomes</h2>\n" + summaryTable(analysis, false);
  page += whoSection(analysis);
  page += "<h2>Every outcome</h2>\n";
  for (std::size_t i = 0; i < analysis.comparisons.size(); ++i)
    page += sectionOf(table, analysis, analysis.comparisons[i], i + 1);
  if (!analysis.kinds.empty()) page += "<h2>By kind</h2>\n";
  for (const KindsComparison& kinds : analysis.kinds)
    page += kindsSection(kinds, facts.alpha);
  page += groupsTable(analysis);
  return page + mixedModelsSection(table) + methodsSection(facts) + keySection(facts) +
         "</body></html>\n";
}

}  // namespace tactus::studies
