#include "models/files/toml_entries.hpp"

// One sentence in place of an exception; the library is headers only so.
#define TOML_EXCEPTIONS 0
// The library takes for granted, by an assertion or as a hint to the optimiser, that the name of a
// table begins like one; only then it looks, and has a sentence for what does not. What is read
// here comes from anywhere, so neither may be.
#define TOML_ASSERT(expression) static_cast<void>(0)
#undef NDEBUG
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <memory>

#include "models/mesh/nearest_name.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::models {
namespace {

// Profiles, paths and scenes are some kilobytes; more is the wrong file.
constexpr std::size_t kMostBytes = 1U << 20U;

std::uint64_t lineOf(const toml::node& node) {
  return node.source().begin.line;
}

/// Empty if the value is of a type that our files have.
std::string takeValue(const toml::node& node, TomlEntry& entry) {
  if (const auto* truth = node.as_boolean()) {
    entry.value = truth->get();
    return {};
  }
  if (const auto* whole = node.as_integer()) {
    entry.isWhole = true;
    entry.value = static_cast<double>(whole->get());
    return {};
  }
  if (const auto* real = node.as_floating_point()) {
    entry.value = real->get();
    return {};
  }
  if (const auto* text = node.as_string()) {
    entry.value = text->get();
    return {};
  }
  if (const auto* array = node.as_array()) {
    if (!array->empty() && array->front().is_string()) {
      std::vector<std::string> texts;
      for (const toml::node& element : *array) {
        if (!element.is_string()) return "has something in its list of texts that is no text";
        texts.push_back(element.as_string()->get());
      }
      entry.value = std::move(texts);
      return {};
    }
    std::vector<double> numbers;
    for (const toml::node& element : *array) {
      const auto number = element.value<double>();
      if (!number || !element.is_number()) return "has something in its list that is no number";
      numbers.push_back(*number);
    }
    entry.value = std::move(numbers);
    return {};
  }
  return "is neither a number, a text, true, false nor a list of numbers or texts";
}

/// The tables of `[[name]]`, or null.
const toml::array* tablesIn(const toml::node& node) {
  const toml::array* array = node.as_array();
  const bool isOfTables =
      array != nullptr && !array->empty() && array->is_homogeneous<toml::table>();
  return isOfTables ? array : nullptr;
}

class Flattener {
 public:
  explicit Flattener(const FileLabel& label) : label_(label) {}

  Result<TomlText> flatten(const toml::table& root) {
    if (!takeKeys(root, {})) return error_;
    // toml++ sorts by key
    std::ranges::stable_sort(text_.entries, {}, &TomlEntry::line);
    std::ranges::stable_sort(text_.tables, {}, &TomlTable::line);
    return std::move(text_);
  }

 private:
  // [[hand]], and [[hand.pose]] in it.
  static constexpr int kDeepestTables = 2;

  // NOLINTNEXTLINE(misc-no-recursion): no deeper than kDeepestTables
  bool takeKeys(const toml::table& table, const TomlTable& place, int depth = 0) {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      TomlTable inner;
      inner.name = place.name.empty() ? name : say(place.name, ".", name);
      inner.parent = place.index;
      const toml::array* array = depth < kDeepestTables ? tablesIn(node) : nullptr;
      const toml::table* single = depth == 0 ? node.as_table() : nullptr;
      if (single != nullptr) {
        if (!takeTable(*single, inner, depth)) return false;
      } else if (array != nullptr) {
        inner.isInArray = true;
        for (const toml::node& element : *array) {
          if (!takeTable(*element.as_table(), inner, depth)) return false;
          ++inner.index;
        }
      } else if (!take(node, place, name)) {
        return false;
      }
    }
    return true;
  }

  // NOLINTNEXTLINE(misc-no-recursion): see above
  bool takeTable(const toml::table& table, TomlTable place, int depth) {
    place.line = lineOf(table);
    text_.tables.push_back(place);
    return takeKeys(table, place, depth + 1);
  }

  bool take(const toml::node& node, const TomlTable& place, const std::string& key) {
    TomlEntry entry;
    entry.table = place.name;
    entry.index = place.index;
    entry.parent = place.parent;
    entry.key = key;
    entry.line = lineOf(node);
    const std::string trouble = takeValue(node, entry);
    if (!trouble.empty()) {
      error_ =
          label_.atLine(Reason::Malformed, entry.line, say(inQuotes(pathOf(entry)), " ", trouble));
      return false;
    }
    text_.entries.push_back(std::move(entry));
    return true;
  }

  const FileLabel& label_;
  TomlText text_;
  Error error_;
};

}  // namespace

Result<TomlText> readToml(std::string_view text, const FileLabel& label) {
  if (text.size() > kMostBytes) {
    return label.whole(Reason::TooLarge,
                       "this is no profile, path or scene; they are below a megabyte");
  }
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& mistake = parsed.error();
    return label.atLine(Reason::Malformed, mistake.source().begin.line,
                        say("this is not TOML: ", printable(mistake.description())));
  }
  return Flattener(label).flatten(parsed.table());
}

Result<std::string> readSmallText(const std::string& file) {
  const FileLabel label(file);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"),
                                                               &std::fclose);
  if (stream == nullptr) {
    return label.whole(Reason::FileMissing, say("cannot be read: ", systemMessage(errno)));
  }
  std::string text(kMostBytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stream.get()));
  if (std::ferror(stream.get()) != 0) {
    return label.whole(Reason::FileMissing, say("cannot be read: ", systemMessage(errno)));
  }
  if (text.size() > kMostBytes) {
    return label.whole(Reason::TooLarge,
                       "this is no profile, path or scene; they are below a megabyte");
  }
  return text;
}

Error unknownKey(const FileLabel& label, const TomlEntry& entry,
                 std::span<const std::string> known) {
  const std::vector<std::string> names(known.begin(), known.end());
  const std::string nearest = nearestName(pathOf(entry), names);
  std::string sentence = say("there is no key ", inQuotes(pathOf(entry)));
  if (!nearest.empty()) sentence += say("; the nearest is '", nearest, "'");
  return label.atLine(Reason::UnknownName, entry.line, sentence);
}

std::string pathOf(const TomlEntry& entry) {
  return entry.table.empty() ? entry.key : say(entry.table, ".", entry.key);
}

std::string tomlNumber(double value) {
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  std::string text(digits, end);
  // A whole number would be of another type in TOML.
  if (text.find_first_of(".enf") == std::string::npos) text += ".0";
  return text;
}

std::string tomlString(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      quoted += "\\u00";
      quoted += kHex[byte >> 4U];
      quoted += kHex[byte & 15U];
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

}  // namespace tactus::models
