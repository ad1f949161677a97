#include "studies/plan/study_plan.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/mesh/wording.hpp"
#include "studies/plan/simulated_traits.hpp"
#include "studies/plan/williams_orders.hpp"
#include "studies/random_stream.hpp"

namespace tactus::studies {
namespace {

using Conditions = std::map<std::string, std::string>;
using Json = nlohmann::ordered_json;

std::string code(char kind, std::size_t number) {
  std::string digits = std::to_string(number);
  if (digits.size() < 2) digits.insert(0, "0");
  return kind + digits;
}

/// Every combination of the levels of factors within (or between) participants.
std::vector<Conditions> combinations(const StudyProtocol& protocol, bool within) {
  std::vector<Conditions> all = {{}};
  for (const ProtocolFactor& factor : protocol.factors) {
    if (factor.facts.isWithin != within) continue;
    std::vector<Conditions> next;
    for (const Conditions& before : all) {
      for (const FactorLevel& level : factor.facts.levels) {
        next.push_back(before);
        next.back()[factor.facts.name] = level.name;
      }
    }
    all = std::move(next);
  }
  return all;
}

std::string letterOf(std::size_t condition) {
  return {static_cast<char>('A' + condition)};
}

Conditions joined(Conditions conditions, const Conditions& more) {
  conditions.insert(more.begin(), more.end());
  return conditions;
}

/// 0 to n - 1 over and over, each round of it shuffled, so that after each round all were as often.
class Turns {
 public:
  Turns(std::size_t count, std::uint64_t seed) : count_(count), random_(seed) {}
  std::size_t next() {
    if (left_.empty()) {
      for (std::size_t k = 0; k < count_; ++k)
        left_.push_back(k);
      random_.shuffle(left_);
    }
    const std::size_t turn = left_.back();
    left_.pop_back();
    return turn;
  }

 private:
  std::size_t count_;
  RandomStream random_;
  std::vector<std::size_t> left_;
};

void planTrials(const StudyProtocol& protocol, RandomStream& random, PlannedSession& session) {
  const std::size_t periods = session.players.front().periods.size();
  std::uint32_t number = 0;
  for (std::size_t period = 0; period < periods; ++period) {
    for (std::size_t b = 0; b < protocol.blocks.size(); ++b) {
      const ProtocolBlock& block = protocol.blocks[b];
      std::uint32_t count = block.trials;
      std::vector<double> comparisons;
      if (protocol.psychophysics &&
          protocol.psychophysics->method == PsychophysicsMethod::ConstantStimuli) {
        for (std::uint32_t k = 0; k < protocol.psychophysics->repeats; ++k) {
          for (const double comparison : protocol.psychophysics->comparisons)
            comparisons.push_back(comparison);
        }
        random.shuffle(comparisons);
        if (!block.isPractice) count = static_cast<std::uint32_t>(comparisons.size());
      }
      for (std::uint32_t within = 0; within < count; ++within) {
        PlannedTrial trial;
        trial.number = ++number;
        trial.period = static_cast<std::uint32_t>(period + 1);
        trial.block = static_cast<std::uint32_t>(b + 1);
        trial.within = within;
        trial.seed = random.next();
        if (!comparisons.empty()) trial.comparison = comparisons[within % comparisons.size()];
        trial.isReferenceFirst = (random.next() >> 63U) == 0;
        session.trials.push_back(trial);
      }
    }
  }
}

}  // namespace

bool isRightHanded(const PlannedPlayer& player) {
  return player.favoursRight.value_or(traitsOf(player.seed).isRightHanded);
}

bool isInRightHand(const PlannedPlayer& player, const PlannedSeat& seat, models::HandName name) {
  const auto asked = seat.conditions.find(
      std::string(kFactorKindNames[static_cast<std::size_t>(FactorKind::Hand)]));
  if (asked == seat.conditions.end())
    return name == models::HandName::Right || name == models::HandName::Right2;
  return isRightHanded(player) == (asked->second == kDominantHand);
}

void takeHandedness(PlannedSession& session, std::string_view code, std::string_view quotient) {
  const auto player = std::ranges::find(session.players, code, &PlannedPlayer::code);
  if (player != session.players.end()) player->favoursRight = !quotient.starts_with('-');
}

StudyPlan planOf(const StudyProtocol& protocol, std::uint32_t participants) {
  StudyPlan plan;
  plan.participants = participants;
  plan.seed = protocol.seed;
  RandomStream random(protocol.seed);
  const std::vector<Conditions> within = combinations(protocol, true);
  const std::vector<Conditions> between = combinations(protocol, false);
  const std::vector<std::vector<std::size_t>> orders = williamsOrders(within.size());
  Turns groups(between.size(), random.next());
  std::vector<Turns> turns;
  // Of pairs: bit 0 who begins with the first level, bit 1 on which side that lies.
  turns.reserve(between.size());
  for (std::size_t k = 0; k < between.size(); ++k)
    turns.emplace_back(protocol.players == 2 ? 4 : orders.size(), random.next());

  std::uint32_t people = 0, fillers = 0;
  while (people < participants) {
    PlannedSession session;
    session.code = code('S', plan.sessions.size() + 1);
    const std::size_t group = groups.next();
    const std::size_t turn = turns[group].next();
    for (std::uint32_t k = 0; k < protocol.players; ++k) {
      PlannedPlayer player;
      player.isFiller = people == participants;
      player.code = player.isFiller ? code('F', ++fillers) : code('P', ++people);
      player.seed = random.next();
      const std::size_t periods = protocol.players == 2 ? 2 : within.size();
      for (std::size_t period = 0; period < periods; ++period) {
        PlannedSeat seat;
        std::size_t condition = 0;
        if (protocol.players == 2) {
          condition = ((turn & 1U) + k + period) % 2;
          // A level stays where its devices are; the players swap seats.
          seat.side = (condition + (turn >> 1U)) % 2;
          seat.seat = std::to_string(condition + 1);
        } else {
          condition = orders[turn][period];
          seat.seat = "1";
        }
        seat.conditions = joined(within[condition], between[group]);
        seat.letter = letterOf(condition);
        player.sequence += seat.letter;
        player.periods.push_back(std::move(seat));
      }
      session.players.push_back(std::move(player));
    }
    planTrials(protocol, random, session);
    plan.sessions.push_back(std::move(session));
  }
  return plan;
}

std::string planText(const StudyProtocol& protocol, const StudyPlan& plan) {
  using models::say;
  std::string text =
      say(protocol.title, "\n", "protocol ", protocol.name, ", hash ", protocol.hash, ", seed ",
          plan.seed, ", ", models::counted(plan.participants, "participant", "participants"), ", ",
          models::counted(plan.sessions.size(), "session", "sessions"), "\n");
  for (const ProtocolFactor& factor : protocol.factors) {
    text += say("factor ", factor.facts.name, factor.facts.isWithin ? " (within" : " (between",
                factor.isOpposed ? ", opposed)" : ")", ":");
    for (const FactorLevel& level : factor.facts.levels)
      text += say(" ", level.letter, "=", level.name);
    text += "\n";
  }
  for (const ProtocolBlock& block : protocol.blocks) {
    text += say("block ", block.name, block.isPractice ? " (practice)" : "", ": at most ",
                static_cast<std::uint64_t>(block.limitSeconds), " s a trial\n");
  }
  for (const PlannedSession& session : plan.sessions) {
    text +=
        say(session.code, ": ", models::counted(session.trials.size(), "trial", "trials"), "\n");
    for (const PlannedPlayer& player : session.players) {
      text += say("  ", player.code, player.isFiller ? " (filler)" : "", "  ", player.sequence);
      for (const PlannedSeat& seat : player.periods) {
        text += "  |";
        for (const auto& [factor, level] : seat.conditions)
          text += say(" ", factor, "=", level);
        text += say(" side=", protocol.task.sides[seat.side].name, " seat=", seat.seat);
      }
      text += "\n";
    }
  }
  return text;
}

std::string planJson(const StudyProtocol& protocol, const StudyPlan& plan) {
  Json sessions = Json::array();
  for (const PlannedSession& session : plan.sessions) {
    Json players = Json::array();
    for (const PlannedPlayer& player : session.players) {
      Json periods = Json::array();
      for (const PlannedSeat& seat : player.periods) {
        periods.push_back({{"conditions", seat.conditions},
                           {"letter", seat.letter},
                           {"seat", seat.seat},
                           {"side", protocol.task.sides[seat.side].name}});
      }
      players.push_back({{"id", player.code},
                         {"filler", player.isFiller},
                         {"sequence", player.sequence},
                         {"seed", player.seed},
                         {"periods", periods}});
    }
    Json trials = Json::array();
    for (const PlannedTrial& trial : session.trials) {
      trials.push_back({{"number", trial.number},
                        {"period", trial.period},
                        {"block", protocol.blocks[trial.block - 1].name},
                        {"practice", protocol.blocks[trial.block - 1].isPractice},
                        {"seed", trial.seed}});
    }
    sessions.push_back({{"id", session.code}, {"participants", players}, {"trials", trials}});
  }
  const Json plans = {{"protocol", protocol.name},
                      {"hash", protocol.hash},
                      {"seed", plan.seed},
                      {"participants", plan.participants},
                      {"sessions", sessions}};
  return plans.dump(1) + "\n";
}

}  // namespace tactus::studies
