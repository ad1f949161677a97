#include "studies/trials/study_facts_json.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace tactus::studies {
namespace {

using Json = nlohmann::ordered_json;
using models::Reason;

// Of the file, not of the program: another one is refused.
constexpr int kDictionaryVersion = 1;

constexpr std::array<const char*, 3> kAnswerKinds = {"likert", "tlx", "text"};
constexpr std::array<const char*, 3> kSources = {"measure", "answer", "counts"};
constexpr std::array<const char*, 4> kScales = {"interval", "ordinal", "time", "kinds"};

template <typename Enum, std::size_t N>
const char* wordOf(Enum value, const std::array<const char*, N>& words) {
  return words[static_cast<std::size_t>(value)];
}

/// Throws what readStudyFactsJson catches, as the JSON library does.
template <typename Enum, std::size_t N>
Enum enumOf(const Json& json, const char* key, const std::array<const char*, N>& words) {
  const std::string word = json.at(key).get<std::string>();
  for (std::size_t i = 0; i < N; ++i) {
    if (word == words[i]) return static_cast<Enum>(i);
  }
  throw std::invalid_argument("'" + std::string(key) + "' is '" + word + "'");
}

double finite(const Json& json, const char* key) {
  const double value = json.at(key).get<double>();
  if (!std::isfinite(value)) throw std::invalid_argument("'" + std::string(key) + "' is infinite");
  return value;
}

Json columnsOf(const StudyFacts& facts) {
  Json trials = {
      {"study", "name of the protocol"},
      {"participant", "code of the participant"},
      {"pair", "code of the two who played together; empty: played alone"},
      {"session", "which session of the participant"},
      {"seat", "whose devices lay there"},
      {"side", "side of the playing field"},
      {"period", "which of the participant's conditions in time, from 1"},
      {"sequence", "letters of the conditions in the order of the periods"},
      {"block", "from 1"},
      {"trial", "from 1, within the session"},
      {"practice", "1: a trial for practice"},
      {"filler", "1: played only so that somebody had a partner; not analysed"},
      {"excluded", "1: not analysed, for the reason beside"},
      {"exclusion_reason", "why"},
      {"flags", "what was unusual, separated by ';'"},
      {"recording", "file of raw data, within the study's folder"},
      {"censored", "measures whose value is a time limit that was reached, separated by ';'"}};
  for (const Factor& factor : facts.factors)
    trials["factor." + factor.name] = "level of: " + factor.label;
  for (const MeasureColumn& measure : facts.measures)
    trials["measure." + measure.name] = measure.label + " [" + measure.unit + "]; empty: missing";
  trials["count.KIND"] = "how many of that kind; empty: not counted";
  Json answers = {{"participant", "code of the participant"},
                  {"period", "of the conditions that the question is about; 0: asked once"},
                  {"item", "which question"},
                  {"kind", "likert, tlx or text"},
                  {"value", "number that was chosen; empty: left out, or a text"},
                  {"text", "what was written"}};
  for (const Factor& factor : facts.factors)
    answers["factor." + factor.name] = "level of: " + factor.label;
  Json participants = {{"participant", "code of the participant"},
                       {"pair", "code of the two who played together"},
                       {"sequence", "letters of the conditions in the order of the periods"},
                       {"filler", "1: played only so that somebody had a partner"},
                       {"excluded", "1: not analysed, for the reason beside"},
                       {"exclusion_reason", "why"},
                       {"fact.NAME", "what is known of the participant"}};
  return {{kTrialsFile, trials}, {kAnswersFile, answers}, {kParticipantsFile, participants}};
}

Json toJson(const Factor& factor) {
  Json levels = Json::array();
  for (const FactorLevel& level : factor.levels)
    levels.push_back({{"name", level.name}, {"letter", level.letter}, {"label", level.label}});
  return {{"name", factor.name},
          {"label", factor.label},
          {"within", factor.isWithin},
          {"levels", levels}};
}

Factor factorOf(const Json& json) {
  Factor factor;
  json.at("name").get_to(factor.name);
  json.at("label").get_to(factor.label);
  json.at("within").get_to(factor.isWithin);
  for (const Json& level : json.at("levels")) {
    factor.levels.push_back({.name = level.at("name").get<std::string>(),
                             .letter = level.at("letter").get<std::string>(),
                             .label = level.at("label").get<std::string>()});
  }
  return factor;
}

Json toJson(const QuestionItem& item) {
  return {{"name", item.name},           {"kind", wordOf(item.kind, kAnswerKinds)},
          {"question", item.question},   {"least", item.least},
          {"most", item.most},           {"least_label", item.leastLabel},
          {"most_label", item.mostLabel}};
}

QuestionItem itemOf(const Json& json) {
  return {.name = json.at("name").get<std::string>(),
          .kind = enumOf<AnswerKind>(json, "kind", kAnswerKinds),
          .question = json.at("question").get<std::string>(),
          .least = finite(json, "least"),
          .most = finite(json, "most"),
          .leastLabel = json.at("least_label").get<std::string>(),
          .mostLabel = json.at("most_label").get<std::string>()};
}

Json toJson(const Outcome& outcome) {
  Json json = {{"name", outcome.name},
               {"label", outcome.label},
               {"source", wordOf(outcome.source, kSources)},
               {"scale", wordOf(outcome.scale, kScales)},
               {"factor", outcome.factor},
               {"family", outcome.family},
               {"primary", outcome.isPrimary},
               {"of_practice", outcome.isOfPractice},
               {"equivalence", nullptr}};
  if (outcome.equivalence)
    json["equivalence"] = {outcome.equivalence->low, outcome.equivalence->high};
  return json;
}

Outcome outcomeOf(const Json& json) {
  Outcome outcome{.name = json.at("name").get<std::string>(),
                  .label = json.at("label").get<std::string>(),
                  .source = enumOf<OutcomeSource>(json, "source", kSources),
                  .scale = enumOf<OutcomeScale>(json, "scale", kScales),
                  .factor = json.at("factor").get<std::string>(),
                  .family = json.at("family").get<std::string>(),
                  .isPrimary = json.at("primary").get<bool>(),
                  .isOfPractice = json.at("of_practice").get<bool>(),
                  .equivalence = std::nullopt};
  if (const Json& bounds = json.at("equivalence"); !bounds.is_null())
    outcome.equivalence = {.low = bounds.at(0).get<double>(), .high = bounds.at(1).get<double>()};
  return outcome;
}

StudyFacts factsOf(const Json& json) {
  if (json.at("dictionary_version").get<int>() != kDictionaryVersion)
    throw std::invalid_argument("'dictionary_version' is another than 1");
  StudyFacts facts;
  json.at("protocol").get_to(facts.protocol);
  json.at("title").get_to(facts.title);
  json.at("protocol_hash").get_to(facts.protocolHash);
  json.at("software_version").get_to(facts.softwareVersion);
  json.at("seed").get_to(facts.seed);
  json.at("simulated").get_to(facts.isSimulated);
  facts.isRehearsal = json.value("rehearsal", false);
  json.at("played_in_pairs").get_to(facts.isPlayedInPairs);
  facts.alpha = finite(json, "alpha");
  json.at("participants_planned").get_to(facts.participantsPlanned);
  for (const Json& factor : json.at("factors"))
    facts.factors.push_back(factorOf(factor));
  for (const Json& measure : json.at("measures")) {
    facts.measures.push_back({.name = measure.at("name").get<std::string>(),
                              .unit = measure.at("unit").get<std::string>(),
                              .label = measure.at("label").get<std::string>()});
  }
  for (const Json& item : json.at("items"))
    facts.items.push_back(itemOf(item));
  for (const Json& outcome : json.at("outcomes"))
    facts.outcomes.push_back(outcomeOf(outcome));
  json.at("exclusion_rules").get_to(facts.exclusionRules);
  facts.procedure = json.value("procedure", std::vector<std::string>());
  return facts;
}

}  // namespace

std::string studyFactsJson(const StudyFacts& facts) {
  Json json = {{"dictionary_version", kDictionaryVersion},
               {"protocol", facts.protocol},
               {"title", facts.title},
               {"protocol_hash", facts.protocolHash},
               {"software_version", facts.softwareVersion},
               {"seed", facts.seed},
               {"simulated", facts.isSimulated},
               {"rehearsal", facts.isRehearsal},
               {"played_in_pairs", facts.isPlayedInPairs},
               {"alpha", facts.alpha},
               {"participants_planned", facts.participantsPlanned},
               {"factors", Json::array()},
               {"measures", Json::array()},
               {"items", Json::array()},
               {"outcomes", Json::array()},
               {"exclusion_rules", facts.exclusionRules},
               {"procedure", facts.procedure}};
  for (const Factor& factor : facts.factors)
    json["factors"].push_back(toJson(factor));
  for (const MeasureColumn& measure : facts.measures) {
    json["measures"].push_back(
        {{"name", measure.name}, {"unit", measure.unit}, {"label", measure.label}});
  }
  for (const QuestionItem& item : facts.items)
    json["items"].push_back(toJson(item));
  for (const Outcome& outcome : facts.outcomes)
    json["outcomes"].push_back(toJson(outcome));
  json["columns"] = columnsOf(facts);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

models::Result<StudyFacts> readStudyFactsJson(std::string_view text,
                                              const models::FileLabel& label) {
  try {
    return factsOf(Json::parse(text));
  } catch (const std::exception& mistake) {
    return label.whole(Reason::Malformed, "this is no dictionary of a study (" +
                                              models::printable(mistake.what(), 200) + ").");
  }
}

}  // namespace tactus::studies
