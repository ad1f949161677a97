#include "studies/people/session_texts.hpp"

#include <cmath>
#include <optional>

#include "models/mesh/wording.hpp"
#include "studies/runner/trial_loop.hpp"

namespace tactus::studies {
namespace {

using models::say;

/// A text's paragraphs, which empty lines part.
std::vector<std::string> paragraphsOf(const std::string& text) {
  std::vector<std::string> paragraphs(1);
  bool wasEnd = false;
  for (const char c : text) {
    if (c == '\r') continue;
    if (c == '\n') {
      if (wasEnd && !paragraphs.back().empty()) paragraphs.emplace_back();
      wasEnd = true;
      continue;
    }
    if (wasEnd && !paragraphs.back().empty()) paragraphs.back() += ' ';
    wasEnd = false;
    paragraphs.back() += c;
  }
  if (paragraphs.back().empty()) paragraphs.pop_back();
  return paragraphs;
}

std::string taskText(const StudyProtocol& protocol, const ProtocolBlock& block) {
  switch (protocol.task.kind) {
    case TaskKind::Pocket:
      return block.ends == BlockEnd::EachPocketed
                 ? "Push objects into your own well. This round is to learn how: it ends when "
                   "everybody has brought in something."
                 : "Push as many objects as you can into your own well. What lies in it at the end "
                   "counts.";
    case TaskKind::Dock:
      return "Bring the object in your hand to where its green copy is, and hold it there. Be "
             "quick, "
             "but gentle.";
    case TaskKind::Join:
      return "Bring the two objects in your hands together as their green copies show it, and hold "
             "them there.";
    case TaskKind::Press:
      return "Press the object down onto the block, lift it, and press it down once more. "
             "Afterwards say which of the two felt stiffer.";
  }
  return {};
}

std::string levelText(const StudyProtocol& protocol, const PlannedSeat& seat) {
  std::string level;
  if (const std::optional<models::SceneLevel> dof = deviceOf(protocol, seat).dof)
    level = models::kSceneLevelNames[static_cast<std::size_t>(*dof)];
  if (const auto dof = seat.conditions.find("dof"); dof != seat.conditions.end())
    level = dof->second;
  if (level == "6in6out")
    return "The object moves and turns with your hand. You feel what pushes it and what turns it.";
  if (level == "6in3out")
    return "The object moves and turns with your hand. You feel what pushes it.";
  if (level == "3in3out")
    return "The object moves with your hand and keeps its direction. You feel what pushes it.";
  if (level == "3in+buttons")
    return "The object moves with your hand, and buttons at the handle turn it. You feel pushes.";
  return "The object moves with your hand, and you feel what it touches.";
}

}  // namespace

std::string handText(const PlannedPlayer& player, const PlannedSeat& seat) {
  if (!seat.conditions.contains("hand")) return {};
  return isInRightHand(player, seat, models::HandName::Right) ? "right" : "left";
}

std::string durationText(double seconds) {
  constexpr double kMinute = 60.0;
  if (seconds < 2.0 * kMinute) {
    const auto whole = std::llround(std::ceil(seconds));
    return models::counted(static_cast<std::size_t>(whole), "second", "seconds");
  }
  const auto minutes = static_cast<std::size_t>(seconds / kMinute);
  const auto rest = static_cast<std::size_t>(seconds - kMinute * static_cast<double>(minutes));
  std::string text = models::counted(minutes, "minute", "minutes");
  if (rest > 0) text += " and " + models::counted(rest, "second", "seconds");
  return text;
}

std::vector<std::string> consentText(const StudyProtocol& protocol) {
  if (!protocol.consent.empty()) return paragraphsOf(protocol.consent);
  return {
      "You will hold a device that can push and turn your hand. It is gentle, and you can let "
      "go of it at any time.",
      "Taking part is voluntary. You may stop whenever you want, without giving a reason and "
      "without any disadvantage: press 'Stop', or say so.",
      "What your hands do and what you answer is recorded under a code. Your name is not kept "
      "by this program."};
}

std::vector<std::string> instructionText(const StudyProtocol& protocol,
                                         const PlannedSession& session, const PlannedTrial& trial) {
  const ProtocolBlock& block = protocol.blocks[trial.block - 1];
  std::vector<std::string> text = paragraphsOf(protocol.instructions);
  if (text.empty()) text.push_back(taskText(protocol, block));
  for (std::size_t k = 0; k < session.players.size(); ++k) {
    const PlannedSeat& seat = session.players[k].periods[trial.period - 1];
    std::string line = levelText(protocol, seat);
    if (const std::string hand = handText(session.players[k], seat); !hand.empty())
      line += say(" Hold the handle with your ", hand, " hand.");
    if (session.players.size() > 1)
      line = say(playerLabel(protocol, session, k, trial.period), ": ", line);
    text.push_back(std::move(line));
  }
  text.emplace_back(
      "Before each start bring the handle to the middle of its reach and hold it still until the "
      "count is over. Pause or stop at any time.");
  return text;
}

std::string playerLabel(const StudyProtocol& protocol, const PlannedSession& session,
                        std::size_t player, std::uint32_t period) {
  const PlannedPlayer& one = session.players[player];
  const PlannedSeat& seat = one.periods[period - 1];
  std::string label = one.code;
  if (session.players.size() > 1) label += say(", ", protocol.task.sides[seat.side].name, " side");
  return label + ", condition " + seat.letter;
}

}  // namespace tactus::studies
