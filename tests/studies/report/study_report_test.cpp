#include "studies/report/study_report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <regex>
#include <string>
#include <vector>

#include "studies/report/figure_words.hpp"
#include "studies/report/mixed_models.hpp"
#include "studies/report/svg_canvas.hpp"
#include "studies/trials/csv_rows.hpp"
#include "tests/studies/report/generated_study.hpp"

namespace tactus::studies {
namespace {

std::string pageOf(const TrialTable& table) {
  return studyReportHtml(table, analyzeStudy(table));
}

/// A number that is none.
bool hasNoNumber(const std::string& page) {
  return std::regex_search(page, std::regex("\\b(nan|inf)\\b"));
}

/// The first tag that is closed wrongly, or is left open; empty if all is well. By hand, since
/// std::regex calls itself for every letter, and the page carries whole files in its tags.
std::string wrongTag(const std::string& page) {
  constexpr const char* kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  std::vector<std::string> open;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    const bool closes = page.compare(at + 1, 1, "/") == 0;
    const std::size_t begin = at + (closes ? 2 : 1);
    const std::size_t end = page.find_first_not_of(kLetters, begin);
    const std::size_t last = page.find('>', begin);
    if (end == begin) continue;  // no tag: a comment, a declaration
    if (last == std::string::npos) return page.substr(at, 20);
    const std::string name = page.substr(begin, end - begin);
    if (page[last - 1] == '/' || name == "meta" || name == "br") continue;
    if (!closes) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return name;
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? std::string() : open.back();
}

TEST(StudyReport, IsOneWholePage) {
  const std::string page = pageOf(generatedStudy(2));
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_EQ(wrongTag(page), "");
  // nothing is fetched from anywhere
  const std::string names = std::regex_replace(page, std::regex("http://www.w3.org/2000/svg"), "");
  for (const char* const word : {"http", "src=", "<script", "@import", "url("})
    EXPECT_EQ(names.find(word), std::string::npos) << word;
  EXPECT_FALSE(hasNoNumber(page));
  EXPECT_EQ(pageOf(generatedStudy(2)), page) << "the same data make the same page";
}

TEST(StudyReport, SaysThatItIsSimulated) {
  TrialTable table = generatedStudy(2);
  EXPECT_NE(pageOf(table).find("<title>Simulated study: Three or six"), std::string::npos);
  EXPECT_NE(pageOf(table).find("proves nothing"), std::string::npos);
  // somebody sat there: nobody was simulated, and yet it says nothing about people
  table.facts.isRehearsal = true;
  EXPECT_NE(pageOf(table).find("<title>Rehearsal: Three or six"), std::string::npos);
  EXPECT_NE(pageOf(table).find("says nothing about people"), std::string::npos);
  EXPECT_EQ(pageOf(table).find("participants were simulated"), std::string::npos);
  table.facts.isSimulated = table.facts.isRehearsal = false;
  EXPECT_NE(pageOf(table).find("<title>Three or six"), std::string::npos);
  EXPECT_EQ(pageOf(table).find("Simulated"), std::string::npos);
  EXPECT_EQ(pageOf(table).find("proves nothing"), std::string::npos);
}

TEST(StudyReport, TellsWhatWasDone) {
  TrialTable table = generatedStudy(2);
  EXPECT_EQ(pageOf(table).find("What was done"), std::string::npos);
  table.facts.procedure = {"'game': 1 round of at most 180 s."};
  EXPECT_NE(pageOf(table).find("What was done"), std::string::npos);
  EXPECT_NE(pageOf(table).find("of at most 180 s"), std::string::npos);
}

TEST(StudyReport, HasLettersInPlaceOfConditions) {
  const std::string page = pageOf(generatedStudy(2));
  const std::size_t key = page.find("Key to the letters</h2>");
  ASSERT_NE(key, std::string::npos);
  for (const char* const name : {"6in6out", "3in3out"}) {
    EXPECT_GT(page.find(name), key) << name;
    EXPECT_NE(page.find(name), std::string::npos) << "the key has to have it";
  }
}

TEST(StudyReport, ShowsWhatIsMeantWhateverItIsCalled) {
  TrialTable table = generatedStudy(2);
  table.facts.title = "A <b>bold</b> & \"quoted\" title";
  table.facts.outcomes[0].label = "x < y";
  const std::string page = pageOf(table);
  EXPECT_NE(page.find("A &lt;b&gt;bold&lt;/b&gt; &amp; &quot;quoted&quot; title"),
            std::string::npos);
  EXPECT_EQ(page.find("x < y"), std::string::npos);
  EXPECT_EQ(wrongTag(page), "");
}

TEST(StudyReport, OfOddStudiesIsAPageToo) {
  EXPECT_EQ(wrongTag(pageOf({})), "");
  for (const int pairs : {1, 2, 3, 45}) {
    const std::string page = pageOf(generatedStudy(5, {.pairs = pairs}));
    EXPECT_EQ(wrongTag(page), "") << pairs;
    EXPECT_FALSE(hasNoNumber(page)) << pairs;
  }
  TrialTable same = generatedStudy(5);
  for (TrialRow& row : same.trials)
    row.measures = {{"path.dominant", 2.0}, {"learning", 3.0}};
  EXPECT_FALSE(hasNoNumber(pageOf(same))) << "where nothing varies";
}

TEST(MixedModels, ObservationsAreAllThatIsAnalysed) {
  TrialTable table = generatedStudy(2);
  table.participants[0].isExcluded = true;
  const auto rows = readCsvRows(observationsCsv(table), models::FileLabel("observations"));
  ASSERT_TRUE(rows) << rows.error().sentence;
  // of four outcomes, kinds are not among them, 23 participants under two levels
  EXPECT_EQ(rows.value().size(), 1U + 4U * 23U * 2U);
  for (std::size_t i = 1; i < rows.value().size(); ++i) {
    EXPECT_TRUE(rows.value()[i].cells[6] == "A" || rows.value()[i].cells[6] == "B");
    EXPECT_NE(rows.value()[i].cells[2], "P01");
  }
  EXPECT_NE(mixedModelsScript(table).find("SIMULATED"), std::string::npos);
  table.facts.isSimulated = false;
  EXPECT_EQ(mixedModelsScript(table).find("SIMULATED"), std::string::npos);
}

TEST(FigureWords, AreShortAndTrue) {
  EXPECT_EQ(significant(1234.6), "1235");
  EXPECT_EQ(significant(-0.012345),
            "\xe2\x88\x92"
            "0.0123");
  EXPECT_EQ(significant(9.999), "10.00");
  EXPECT_EQ(significant(0.0), "0");
  EXPECT_EQ(significant(1.5e-7), "1.50e-07");
  EXPECT_EQ(plain(5.0), "5");
  EXPECT_EQ(plain(0.25), "0.25");
  EXPECT_EQ(plain(100.0), "100");
  EXPECT_EQ(fixedPoint(-0.001, 2), "0.00");
  EXPECT_EQ(pValue(std::nullopt), "-");
  EXPECT_EQ(pValue(0.0421), "0.042");
  EXPECT_EQ(pValue(0.00421), "0.0042");
  EXPECT_EQ(pValue(0.00001),
            "<\xc2\xa0"
            "0.0001");
  EXPECT_EQ(escaped("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
}

TEST(PlotAxis, HasRoundTicksWithin) {
  for (const double high : {1e-6, 0.3, 7.0, 180.0, 123456.0}) {
    const PlotAxis axis = axisAround(-0.4 * high, high, 0.0, 300.0);
    const std::vector<double> ticks = axis.ticks();
    EXPECT_GE(ticks.size(), 3U);
    EXPECT_LE(ticks.size(), 8U);
    for (const double tick : ticks) {
      EXPECT_GE(axis.place(tick), -1e-6);
      EXPECT_LE(axis.place(tick), 300.0 + 1e-6);
    }
  }
  const PlotAxis point = axisAround(2.0, 2.0, 0.0, 100.0);
  EXPECT_TRUE(std::isfinite(point.place(2.0)));
}

}  // namespace
}  // namespace tactus::studies
