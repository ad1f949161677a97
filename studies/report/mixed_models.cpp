#include "studies/report/mixed_models.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "studies/report/outcome_values.hpp"
#include "studies/report/study_analysis.hpp"
#include "studies/trials/csv_rows.hpp"

namespace tactus::studies {
namespace {

constexpr std::array<const char*, 4> kScales = {"interval", "ordinal", "time", "kinds"};

std::string digitsOf(double number) {
  std::array<char, 64> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

std::string letterFor(const StudyFacts& facts, const std::string& factor,
                      const std::string& level) {
  for (const Factor& known : facts.factors) {
    if (known.name != factor) continue;
    const auto found = std::ranges::find(known.levels, level, &FactorLevel::name);
    if (found != known.levels.end()) return letterOf(*found);
  }
  return level;
}

// A participant's two values, the round both players share, and the pair: what is left over is what
// the test over pairs has for its error, and the condition's t value is the same where no variance
// is estimated as zero.
constexpr const char* kModels = R"R(
d <- read.csv("observations.csv", colClasses = c(participant = "character", pair = "character"))
d$pair[d$pair == ""] <- paste0("alone-", d$participant[d$pair == ""])
for (name in c("participant", "pair", "sequence", "condition")) d[[name]] <- factor(d[[name]])
d$period <- factor(d$period)
d$round <- interaction(d$pair, d$period, drop = TRUE)
in_pairs <- any(table(unique(d[c("pair", "participant")])$pair) > 1)
periods <- if (nlevels(d$period) > 1) "+ period" else ""

fit_number <- function(x) {
  if (!requireNamespace("lme4", quietly = TRUE)) return(cat("  install.packages(\"lme4\")\n"))
  x <- droplevels(x)
  groups <- "(1 | participant)"
  if (in_pairs) groups <- paste(groups, "+ (1 | pair) + (1 | round)")
  model <- lme4::lmer(as.formula(paste("value ~ condition", periods, "+", groups)), data = x)
  print(summary(model), correlation = FALSE)
  try(print(confint(model, parm = "beta_", method = "Wald")))
}
fit_answer <- function(x) {
  if (!requireNamespace("ordinal", quietly = TRUE)) return(cat("  install.packages(\"ordinal\")\n"))
  x <- droplevels(x)
  x$answer <- factor(x$value, ordered = TRUE)
  print(summary(ordinal::clmm(as.formula(paste("answer ~ condition", periods,
                                               "+ (1 | participant)")), data = x)))
}
fit_time <- function(x) {
  if (!requireNamespace("survival", quietly = TRUE)) return(cat("  install.packages(\"survival\")\n"))
  x <- droplevels(x)
  x$done <- x$censored == 0
  print(summary(survival::coxph(as.formula(paste(
    "survival::Surv(value, done) ~ condition", periods, "+ cluster(pair)")), data = x)))
}

for (outcome in unique(d$outcome)) {
  x <- d[d$outcome == outcome, ]
  cat("\n=====", outcome, "\n")
  switch(x$scale[1],
         interval = fit_number(x),
         ordinal = { fit_answer(x); fit_number(x) },
         time = fit_time(x))
}
)R";

}  // namespace

std::string observationsCsv(const TrialTable& table) {
  std::string text;
  appendCsvRow(text, {"outcome", "scale", "participant", "pair", "sequence", "period", "condition",
                      "value", "trials", "censored"});
  for (const Outcome& outcome : table.facts.outcomes) {
    if (outcome.scale == OutcomeScale::Kinds) continue;
    for (const Observation& one : observationsOf(table, outcome)) {
      appendCsvRow(text, {outcome.name, kScales[static_cast<std::size_t>(outcome.scale)],
                          one.participant, one.pair, one.sequence, std::to_string(one.period),
                          letterFor(table.facts, outcome.factor, one.level), digitsOf(one.value),
                          std::to_string(one.count), std::to_string(one.censored)});
    }
  }
  return text;
}

std::string mixedModelsScript(const TrialTable& table) {
  std::string text = "# Mixed models of the study " + table.facts.protocol + ", protocol " +
                     table.facts.protocolHash + ".\n";
  if (table.facts.isRehearsal) {
    text += "# A REHEARSAL: it says nothing about people.\n";
  } else if (table.facts.isSimulated) {
    text += "# SIMULATED: no person took part.\n";
  }
  text += "# In this folder:  Rscript mixed_models.R\n";
  return text + kModels;
}

}  // namespace tactus::studies
