#include "models/scene/scene_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "models/mesh/nearest_name.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::models {
namespace {

constexpr std::size_t kLongestText = 200;  // a title; more is no name [bytes]
constexpr double kLeastNorm = 1e-3;        // of what has to point somewhere
constexpr double kMostComponent = 1e6;     // of a quaternion, whose square must be finite
constexpr double kButtons = 32.0;          // bits of a word

/// Null if it is no number, or none between the two. The comparison is false for NaN.
const double* realIn(const TomlEntry& entry, double least, double most) {
  const double* number = std::get_if<double>(&entry.value);
  return number != nullptr && *number >= least && *number <= most ? number : nullptr;
}

/// Null if it is no list of so many numbers, or one of them is longer than `most`.
const std::vector<double>* listIn(const TomlEntry& entry, std::size_t count, double most) {
  const auto* list = std::get_if<std::vector<double>>(&entry.value);
  if (list == nullptr || list->size() != count) return nullptr;
  const bool fits = std::ranges::all_of(*list, [most](double x) { return std::abs(x) <= most; });
  return fits ? list : nullptr;
}

std::string realWanted(double least, double most) {
  return say("must be a number from ", tomlNumber(least), " to ", tomlNumber(most));
}

struct Taker {
  const TomlEntry& entry;

  std::string operator()(const RealValue& to) const {
    const double* number = realIn(entry, to.least, to.most);
    if (number == nullptr) return realWanted(to.least, to.most);
    to.value = *number;
    return {};
  }
  std::string operator()(const OptionalReal& to) const {
    const double* number = realIn(entry, to.least, to.most);
    if (number == nullptr) return realWanted(to.least, to.most);
    to.value = *number;
    return {};
  }
  std::string operator()(const WholeValue& to) const {
    const double* number =
        realIn(entry, static_cast<double>(to.least), static_cast<double>(to.most));
    if (number == nullptr || !entry.isWhole)
      return say("must be a whole number from ", to.least, " to ", to.most);
    to.take(static_cast<std::uint64_t>(*number));
    return {};
  }
  std::string operator()(const WordValue& to) const {
    const auto* text = std::get_if<std::string>(&entry.value);
    const auto word = text == nullptr ? to.words.end() : std::ranges::find(to.words, *text);
    if (word != to.words.end()) {
      to.take(static_cast<std::size_t>(word - to.words.begin()));
      return {};
    }
    std::string sentence = "must be one of";
    for (const std::string_view known : to.words)
      sentence += say(known == to.words.front() ? " \"" : ", \"", known, "\"");
    if (text == nullptr) return sentence;
    const std::string nearest =
        nearestName(*text, std::vector<std::string>(to.words.begin(), to.words.end()));
    if (!nearest.empty()) sentence += say("; the nearest is '", nearest, "'");
    return sentence;
  }
  std::string operator()(const PlaceValue& to) const {
    const std::vector<double>* list = listIn(entry, 3, to.most);
    if (list == nullptr)
      return say("must be a list of three numbers of at most ", tomlNumber(to.most));
    to.value = Eigen::Vector3d(list->data());
    return {};
  }
  std::string operator()(const DirectionValue& to) const {
    const std::vector<double>* list = listIn(entry, 3, kMostComponent);
    const Eigen::Vector3d way =
        list == nullptr ? Eigen::Vector3d::Zero() : Eigen::Vector3d(list->data());
    if (way.norm() < kLeastNorm) return "must be a list of three numbers that point somewhere";
    to.value = way.normalized();
    return {};
  }
  std::string operator()(const TurnValue& to) const {
    const std::vector<double>* list = listIn(entry, 4, kMostComponent);
    const Eigen::Quaterniond turn =
        list == nullptr ? Eigen::Quaterniond(0.0, 0.0, 0.0, 0.0)
                        : Eigen::Quaterniond((*list)[0], (*list)[1], (*list)[2], (*list)[3]);
    if (turn.norm() < kLeastNorm)
      return "must be a quaternion, a list of four numbers w x y z that are not all 0";
    to.value = turn.normalized();
    return {};
  }
  std::string operator()(const ColourValue& to) const {
    const auto* text = std::get_if<std::string>(&entry.value);
    std::uint32_t colour = 0;
    bool fits = text != nullptr && text->size() == 7 && text->front() == '#';
    if (fits) {
      const char* end = text->data() + text->size();
      const auto [stopped, trouble] = std::from_chars(text->data() + 1, end, colour, 16);
      fits = trouble == std::errc() && stopped == end;
    }
    if (!fits) return "must be a colour as on web pages, such as \"#E8A33D\"";
    to.value = colour;
    return {};
  }
  std::string operator()(const ButtonsValue& to) const {
    constexpr const char* kWanted = "must be a list of button numbers from 0 to 31";
    const auto* list = std::get_if<std::vector<double>>(&entry.value);
    if (list == nullptr) return kWanted;
    std::uint32_t buttons = 0;
    for (const double number : *list) {
      if (!(number >= 0.0 && number < kButtons) || number != std::floor(number)) return kWanted;
      buttons |= 1U << static_cast<unsigned>(number);
    }
    to.value = buttons;
    return {};
  }
  std::string operator()(bool* to) const {
    const bool* truth = std::get_if<bool>(&entry.value);
    if (truth == nullptr) return "must be true or false";
    *to = *truth;
    return {};
  }
  std::string operator()(std::string* to) const {
    const auto* text = std::get_if<std::string>(&entry.value);
    const bool fits = text != nullptr && !text->empty() && text->size() <= kLongestText &&
                      printable(*text) == *text;
    if (!fits) return "must be a text between quotation marks, in one line of at most 200 bytes";
    *to = *text;
    return {};
  }
  std::string operator()(std::vector<std::string>* to) const {
    const auto* texts = std::get_if<std::vector<std::string>>(&entry.value);
    if (texts == nullptr || texts->size() != 2) return "must be a list of two names";
    *to = *texts;
    return {};
  }
};

}  // namespace

std::string takeSceneValue(const TomlEntry& entry, const SceneValue& value) {
  return std::visit(Taker{entry}, value);
}

}  // namespace tactus::models
