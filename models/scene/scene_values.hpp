#pragma once
#include <Eigen/Geometry>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "models/files/toml_entries.hpp"

namespace tactus::models {

/// A number and the range it must be in.
struct RealValue {
  double& value;
  double least, most;
};
struct OptionalReal {
  std::optional<double>& value;
  double least, most;
};
struct WholeValue {
  std::function<void(std::uint64_t)> take;
  std::uint64_t least, most;
};
/// One of some words.
struct WordValue {
  std::function<void(std::size_t)> take;
  std::span<const std::string_view> words;
};
/// Three numbers, none of them longer than `most`.
struct PlaceValue {
  Eigen::Vector3d& value;
  double most;
};
/// The same, but they must point somewhere, and are made a unit vector.
struct DirectionValue {
  Eigen::Vector3d& value;
};
/// A quaternion w x y z, made a unit one.
struct TurnValue {
  Eigen::Quaterniond& value;
};
struct ColourValue {
  std::uint32_t& value;
};
/// Numbers from 0 to 31, as bits.
struct ButtonsValue {
  std::uint32_t& value;
};
/// What a key's value must be, and where it goes.
using SceneValue = std::variant<RealValue, OptionalReal, WholeValue, WordValue, PlaceValue,
                                DirectionValue, TurnValue, ColourValue, ButtonsValue, bool*,
                                std::string*, std::vector<std::string>*>;

struct SceneKey {
  std::string_view name;
  SceneValue value;
};

template <typename Enumeration>
[[nodiscard]] WordValue wordFor(Enumeration& value, std::span<const std::string_view> words) {
  return {[&value](std::size_t k) { value = static_cast<Enumeration>(k); }, words};
}
template <typename Number>
[[nodiscard]] WholeValue wholeFor(Number& value, std::uint64_t least, std::uint64_t most) {
  return {[&value](std::uint64_t whole) {
            if constexpr (std::is_integral_v<Number>) {
              value = static_cast<Number>(whole);
            } else {
              value = whole;
            }
          },
          least, most};
}

/// Puts the entry's value where the key says. Empty, or what the value must be.
[[nodiscard]] std::string takeSceneValue(const TomlEntry& entry, const SceneValue& value);

}  // namespace tactus::models
