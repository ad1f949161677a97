#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "models/files/file_label.hpp"
#include "models/mesh/result.hpp"

namespace tactus::models {

using Json = nlohmann::json;

/// Parses the JSON of a glTF file. Refuses what is nested or numerous beyond any scene before a
/// tree is built of it: a value takes up to a hundred bytes of memory and two in the file.
/// `firstByte` is where the text begins in the file.
[[nodiscard]] Result<Json> parseGltfDocument(std::string_view text, std::uint64_t firstByte,
                                             const FileLabel& label);

/// object[key] as whole number >= 0; `fallback` if there is no such key. False if it is something
/// else. `object` may be anything.
[[nodiscard]] bool wholeNumber(const Json& object, const char* key, std::uint64_t fallback,
                               std::uint64_t& value);

/// object[key], or null if `object` is no object or has no such key.
[[nodiscard]] const Json* member(const Json& object, const char* key);

/// array[index], or null if `array` is null, no array or shorter.
[[nodiscard]] const Json* entry(const Json* array, std::uint64_t index);

}  // namespace tactus::models
