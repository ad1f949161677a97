#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/mesh/result.hpp"
#include "studies/protocol/study_protocol.hpp"

namespace tactus::studies {

/// What one player has in one period.
struct PlannedSeat {
  std::map<std::string, std::string> conditions;  ///< factor to level
  std::string letter;                             ///< of the condition
  std::string seat;                               ///< "1", "2": whose devices lie there
  std::size_t side = 0;                           ///< of ProtocolTask::sides
};

struct PlannedPlayer {
  std::string code;  ///< "P07", never a name; of a filler "F01"
  bool isFiller = false;
  std::string sequence;    ///< letters of the periods, "AB"
  std::uint64_t seed = 0;  ///< of a simulated participant
  std::vector<PlannedSeat> periods;
  /// Of a person, as the inventory has found it; none: as the seed has it.
  std::optional<bool> favoursRight;
};
[[nodiscard]] bool isRightHanded(const PlannedPlayer& player);
/// Whether the player's right hand has what the scene calls `name`: as the factor `hand` of this
/// seat says ("dominant" or "other"), else by the name.
[[nodiscard]] bool isInRightHand(const PlannedPlayer& player, const PlannedSeat& seat,
                                 models::HandName name);

/// One trial of a session; its attempts, if it is repeated, count as one.
struct PlannedTrial {
  std::uint32_t number = 0;  ///< from 1, within the session
  std::uint32_t period = 0;  ///< from 1
  std::uint32_t block = 0;   ///< from 1
  std::uint32_t within = 0;  ///< from 0, within the block
  std::uint64_t seed = 0;
  double comparison = 0.0;       ///< of constant stimuli [N/m]
  bool isReferenceFirst = true;  ///< of two presses
};

/// Who come together: one player, or two who play the same rounds.
struct PlannedSession {
  std::string code;  ///< "S01"
  std::vector<PlannedPlayer> players;
  std::vector<PlannedTrial> trials;
};

/// What the inventory has found of a player, as the journal keeps it: the hand that is used more
/// counts as the dominant one; of equals the right one.
void takeHandedness(PlannedSession& session, std::string_view code, std::string_view quotient);

/// All of a study before anybody comes: a function of the protocol, the number and the seed.
struct StudyPlan {
  std::uint32_t participants = 0;  ///< without fillers
  std::uint64_t seed = 0;
  std::vector<PlannedSession> sessions;
};

/// Orders by Williams, the participants' turns at them shuffled; levels of factors between
/// participants in turn. Of pairs: who begins with which level, and on which side of the field it
/// lies, over four pairs each once. An odd participant plays with a filler.
[[nodiscard]] StudyPlan planOf(const StudyProtocol& protocol, std::uint32_t participants);

/// For people, one line a session and one a period of each participant.
[[nodiscard]] std::string planText(const StudyProtocol& protocol, const StudyPlan& plan);
/// For programs and for the folder: JSON.
[[nodiscard]] std::string planJson(const StudyProtocol& protocol, const StudyPlan& plan);

}  // namespace tactus::studies
