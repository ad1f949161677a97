#pragma once
#include <span>
#include <string_view>

#include "models/sculpt/sculpture.hpp"

namespace tactus::models {

/// A sculpture that ships with the program.
struct SculptedModel {
  std::string_view name;         ///< as in `builtin:NAME`
  std::string_view description;  ///< one line, with its size
  Sculpture (*make)();
};

/// The hands and the animals, in the order of the design page.
[[nodiscard]] std::span<const SculptedModel> sculptedModels();

}  // namespace tactus::models
