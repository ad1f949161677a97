#pragma once
#include <span>
#include <string>
#include <string_view>

#include "models/mesh/result.hpp"

namespace tactus::models {

/// A text that travels in the library: a scene, a device profile, a protocol of a study.
struct ShippedText {
  std::string_view name, text;
};

struct FoundText {
  std::string text;
  std::string file;  ///< for sentences
};

/// By a shipped name, or a file of at most a megabyte if it ends with .toml. `kind`, such as
/// "scene", and the `folder` they come from are for sentences.
[[nodiscard]] Result<FoundText> findText(std::string_view nameOrFile, std::string_view kind,
                                         std::string_view folder,
                                         std::span<const ShippedText> shipped);

}  // namespace tactus::models
