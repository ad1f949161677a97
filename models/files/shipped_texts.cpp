#include "models/files/shipped_texts.hpp"

#include <vector>

#include "models/files/toml_entries.hpp"
#include "models/mesh/nearest_name.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::models {

Result<FoundText> findText(std::string_view nameOrFile, std::string_view kind,
                           std::string_view folder, std::span<const ShippedText> shipped) {
  if (nameOrFile.ends_with(".toml")) {
    Result<std::string> text = readSmallText(std::string(nameOrFile));
    if (!text) return text.error();
    return FoundText{std::move(text).value(), std::string(nameOrFile)};
  }
  std::vector<std::string> names;
  names.reserve(shipped.size());
  for (const ShippedText& one : shipped) {
    if (one.name == nameOrFile)
      return FoundText{std::string(one.text), say(folder, "/", one.name, ".toml")};
    names.emplace_back(one.name);
  }
  const std::string nearest = nearestName(nameOrFile, names);
  std::string sentence = say("There is no ", kind, " ", inQuotes(nameOrFile), "; ");
  if (!nearest.empty()) {
    sentence += say("did you mean '", nearest, "'?");
  } else {
    sentence += "a shipped one or a file that ends with .toml is wanted, and shipped are";
    for (const std::string& name : names)
      sentence += say(name == names.front() ? " " : ", ", name);
    sentence += ".";
  }
  return Error{Reason::UnknownName, -1, std::move(sentence)};
}

}  // namespace tactus::models
