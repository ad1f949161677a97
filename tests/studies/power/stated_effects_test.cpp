#include "studies/power/stated_effects.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tactus::studies {
namespace {

const models::FileLabel kLabel("study.toml");

models::Result<std::vector<StatedEffect>> effectsIn(const std::string& text) {
  const auto toml = models::readToml(text, kLabel);
  if (!toml) return toml.error();
  return statedEffects(toml.value(), kLabel);
}

TEST(StatedEffects, AreReadAmongOtherTables) {
  const auto effects = effectsIn(R"(title = "a study"
[[outcome]]
name = "path"
[[power]]
outcome = "path"
basis = "a pilot of six"
mean = 724.1
difference = -428.3
sd_response = 150
sd_contest = 20.5
[[power]]
outcome = "natural"
basis = "a guess"
difference = 0.5
scale = [1, 7]
limit = 180
sd_trial = 0
)");
  ASSERT_TRUE(effects) << effects.error().sentence;
  ASSERT_EQ(effects.value().size(), 2U);
  const StatedEffect& path = effects.value()[0];
  EXPECT_EQ(path.outcome, "path");
  EXPECT_EQ(path.basis, "a pilot of six");
  EXPECT_EQ(path.mean, 724.1);
  EXPECT_EQ(path.difference, -428.3);
  EXPECT_EQ(path.sdResponse, 150.0);
  EXPECT_EQ(path.sdContest, 20.5);
  EXPECT_FALSE(path.limit);
  const StatedEffect& natural = effects.value()[1];
  EXPECT_EQ(natural.most, 7.0);
  EXPECT_EQ(natural.limit, 180.0);
  EXPECT_EQ(natural.sdTrial, 0.0);
  EXPECT_TRUE(effectsIn("title = \"none\"\n").value().empty());
}

TEST(StatedEffects, MistakesAreNamedWithTheirLine) {
  struct Mistake {
    std::string text;
    std::int64_t line;
    std::string word;
  };
  const std::string good = "[[power]]\noutcome = \"a\"\nbasis = \"b\"\ndifference = 1\n";
  for (const Mistake& mistake :
       {Mistake{good + "sd_trail = 1\n", 5, "sd_trial"},
        Mistake{good + "sd_trial = -1\n", 5, "below"},
        Mistake{good + "mean = \"a\"\n", 5, "number"},
        Mistake{good + "scale = [5, 1]\n", 5, "lower"}, Mistake{good + "limit = 0\n", 5, "above"},
        Mistake{"[[power]]\noutcome = \"a\"\ndifference = 1\n", 1, "basis"},
        Mistake{"[[power]]\noutcome = \"a\"\nbasis = \"b\"\n", 1, "difference"},
        Mistake{"[power]\noutcome = \"a\"\n", 1, "[[power]]"}}) {
    const auto effects = effectsIn(mistake.text);
    ASSERT_FALSE(effects) << mistake.text;
    EXPECT_EQ(effects.error().index, mistake.line) << effects.error().sentence;
    EXPECT_NE(effects.error().sentence.find(mistake.word), std::string::npos)
        << effects.error().sentence;
  }
}

}  // namespace
}  // namespace tactus::studies
