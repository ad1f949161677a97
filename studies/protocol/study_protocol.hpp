#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/files/shipped_texts.hpp"
#include "models/mesh/result.hpp"
#include "models/scene/scene.hpp"
#include "studies/trials/trial_table.hpp"

namespace tactus::studies {

// What a user study is: plain data, as its file says it; docs/studies.md explains the file.
// Factors, questions and outcomes are those of the trial table, so that analysis needs no protocol.

/// What a factor sets. Each kind is at most once in a protocol.
enum class FactorKind : std::uint8_t { Dof, Method, Law, Stiffness, Device, Hand };
inline constexpr std::array<std::string_view, 6> kFactorKindNames = {"dof",       "method", "law",
                                                                     "stiffness", "device", "hand"};

/// Levels of the factor `hand`.
inline constexpr std::string_view kDominantHand = "dominant", kOtherHand = "other";

struct ProtocolFactor {
  FactorKind kind = FactorKind::Dof;
  Factor facts;            ///< its name is the kind's, letters are A, B, ...
  bool isOpposed = false;  ///< of two players in a round one has one level, one the other
};

/// The devices of one level of the factor `device`, or of the whole study (no level).
struct ProtocolDevice {
  std::string level;
  std::string profile = "sigma7";  ///< what a simulated participant holds
  std::optional<models::SceneLevel> dof;
  std::vector<std::string> specs;  ///< HAND=SPEC of real devices
};

enum class TaskKind : std::uint8_t {
  Pocket,  ///< bring bodies into one's own well
  Dock,    ///< bring the tool to a pose
  Join,    ///< bring two tools to poses relative to each other
  Press    ///< press onto a surface twice, say which was stiffer
};
inline constexpr std::array<std::string_view, 4> kTaskKindNames = {"pocket", "dock", "join",
                                                                   "press"};

/// Where a hand is to bring its tool.
struct TaskTarget {
  models::HandName hand = models::HandName::Right;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of the tool, in the scene [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d approach = Eigen::Vector3d::Zero();  ///< from where it is come to, relative [m]
};

/// A place that counts for one side of the playing field.
struct TaskWell {
  std::string side;
  std::string body;                     ///< of the scene
  double radius = 0.08, height = 0.08;  ///< of what is inside, about the body's y axis [m]
  Eigen::Vector3d direction = Eigen::Vector3d::UnitZ();  ///< from the field to it, where one pushes
};

/// A side's two hands.
struct TaskSide {
  std::string name;
  std::vector<models::HandName> hands;
  bool isTurned = false;  ///< whose devices stand there looks from the other side
};

struct ProtocolTask {
  TaskKind kind = TaskKind::Dock;
  double withinDistance = 2e-3;  ///< of a target [m]
  double withinAngle = 0.05;     ///< [rad]
  double holdSeconds = 0.3;      ///< so long, before it counts
  std::vector<TaskTarget> targets;
  std::vector<TaskWell> wells;
  std::vector<TaskSide> sides;
};

enum class BlockEnd : std::uint8_t {
  Limit,        ///< only at the time limit
  Success,      ///< when the task is done
  EachPocketed  ///< when every player has pocketed something
};
inline constexpr std::array<std::string_view, 3> kBlockEndNames = {"limit", "success",
                                                                   "each-pocketed"};

struct ProtocolBlock {
  std::string name;
  bool isPractice = false;
  std::uint32_t trials = 1;
  double limitSeconds = 60.0;
  BlockEnd ends = BlockEnd::Success;
  std::uint32_t mostAttempts = 1;  ///< of a practice trial that is to succeed before it goes on
  double breakSeconds = 0.0;       ///< after the block
};

enum class ItemTime : std::uint8_t { Period, Begin, End };
inline constexpr std::array<std::string_view, 3> kItemTimeNames = {"period", "begin", "end"};
struct ProtocolItem {
  QuestionItem item;
  ItemTime when = ItemTime::Period;
};

enum class PsychophysicsMethod : std::uint8_t { ConstantStimuli, OneUpTwoDown };
inline constexpr std::array<std::string_view, 2> kPsychophysicsMethodNames = {"constant-stimuli",
                                                                              "1-up-2-down"};
struct ProtocolPsychophysics {
  PsychophysicsMethod method = PsychophysicsMethod::ConstantStimuli;
  double reference = 600.0;           ///< [N/m], of the coupling, as are all of them
  std::vector<double> comparisons;    ///< of constant stimuli
  std::uint32_t repeats = 10;         ///< of each comparison
  double start = 300.0, step = 50.0;  ///< of the difference, 1-up-2-down [N/m]
  std::uint32_t reversals = 8;        ///< that end a staircase, within the block's trials
};

/// Excludes a trial from analysis, by rule.
struct ExclusionRule {
  std::string rule;     ///< in words
  std::string measure;  ///< empty: a person decides
  std::optional<double> below, above;
};

struct StudyProtocol {
  std::string file, text, name, title;
  std::string hash;  ///< XXH64 of the text, in hexadecimal
  std::string instructionsVersion = "1";
  std::string consent, instructions;  ///< that participants read; empty: the program's own
  std::uint64_t seed = 1;
  std::uint32_t players = 1;
  double alpha = 0.05;
  std::string sceneName;
  std::uint64_t spheres = 0;    ///< of each model at most, the study resolution; 0: the scene's
  std::uint64_t triangles = 0;  ///< of built-in models; 0: the scene's
  std::vector<ProtocolFactor> factors;
  std::vector<ProtocolDevice> devices;
  ProtocolTask task;
  std::vector<ProtocolBlock> blocks;
  std::vector<ProtocolItem> items;
  std::vector<Outcome> outcomes;
  std::vector<ExclusionRule> exclusions;
  std::optional<ProtocolPsychophysics> psychophysics;
  models::Scene scene;  ///< at study resolution
};

/// Checks all that can be checked before anybody comes: keys, the scene, names within, a design
/// that is possible, devices with one serial. An error names file, line and remedy.
[[nodiscard]] models::Result<StudyProtocol> parseProtocol(std::string_view text,
                                                          std::string_view file);
/// By a shipped name, or a file if it ends with .toml.
[[nodiscard]] models::Result<StudyProtocol> findProtocol(std::string_view nameOrFile);

/// Sorted by name.
[[nodiscard]] std::span<const models::ShippedText> shippedProtocols();

/// What an analysis needs to know of the study; `version` is the program's.
[[nodiscard]] StudyFacts factsOf(const StudyProtocol& protocol, std::uint32_t participants,
                                 std::uint64_t seed, bool isSimulated, std::string_view version);

}  // namespace tactus::studies
