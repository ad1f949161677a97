#include "haptics/profiles/toml_entries.hpp"

// One sentence in place of an exception; the library is headers only so.
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <memory>

#include "models/mesh/nearest_name.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::haptics {
namespace {

using models::Error;
using models::FileLabel;
using models::inQuotes;
using models::Reason;
using models::Result;
using models::say;

// Profiles and paths are some kilobytes; more is the wrong file.
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
    std::vector<double> numbers;
    for (const toml::node& element : *array) {
      const auto number = element.value<double>();
      if (!number || !element.is_number()) return "has something in its list that is no number";
      numbers.push_back(*number);
    }
    entry.value = std::move(numbers);
    return {};
  }
  return "is neither a number, a text, true, false nor a list of numbers";
}

class Flattener {
 public:
  explicit Flattener(const FileLabel& label) : label_(label) {}

  Result<std::vector<TomlEntry>> flatten(const toml::table& root) {
    for (const auto& [key, node] : root) {
      const std::string name(key.str());
      const toml::array* array = node.as_array();
      if (const toml::table* table = node.as_table()) {
        if (!takeTable(*table, name, 0)) return error_;
      } else if (array != nullptr && !array->empty() && array->is_homogeneous<toml::table>()) {
        std::size_t index = 0;
        for (const toml::node& element : *array) {
          if (!takeTable(*element.as_table(), name, index++)) return error_;
        }
      } else if (!take(node, "", 0, name)) {
        return error_;
      }
    }
    return std::move(entries_);
  }

 private:
  bool takeTable(const toml::table& table, const std::string& name, std::size_t index) {
    for (const auto& [key, node] : table) {
      if (!take(node, name, index, std::string(key.str()))) return false;
    }
    return true;
  }

  bool take(const toml::node& node, const std::string& table, std::size_t index, std::string key) {
    TomlEntry entry;
    entry.table = table;
    entry.index = index;
    entry.key = std::move(key);
    entry.line = lineOf(node);
    const std::string trouble = takeValue(node, entry);
    if (!trouble.empty()) {
      error_ =
          label_.atLine(Reason::Malformed, entry.line, say(inQuotes(pathOf(entry)), " ", trouble));
      return false;
    }
    entries_.push_back(std::move(entry));
    return true;
  }

  const FileLabel& label_;
  std::vector<TomlEntry> entries_;
  Error error_;
};

}  // namespace

Result<std::vector<TomlEntry>> readToml(std::string_view text, const FileLabel& label) {
  if (text.size() > kMostBytes) {
    return label.whole(Reason::TooLarge,
                       "this is no profile and no path; they are below a megabyte");
  }
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& mistake = parsed.error();
    return label.atLine(Reason::Malformed, mistake.source().begin.line,
                        say("this is not TOML: ", models::printable(mistake.description())));
  }
  return Flattener(label).flatten(parsed.table());
}

Result<std::string> readSmallText(const std::string& file) {
  const FileLabel label(file);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"),
                                                               &std::fclose);
  if (stream == nullptr) {
    return label.whole(Reason::FileMissing, say("cannot be read: ", models::systemMessage(errno)));
  }
  std::string text(kMostBytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stream.get()));
  if (std::ferror(stream.get()) != 0) {
    return label.whole(Reason::FileMissing, say("cannot be read: ", models::systemMessage(errno)));
  }
  if (text.size() > kMostBytes) {
    return label.whole(Reason::TooLarge,
                       "this is no profile and no path; they are below a megabyte");
  }
  return text;
}

Error unknownKey(const FileLabel& label, const TomlEntry& entry,
                 std::span<const std::string> known) {
  const std::vector<std::string> names(known.begin(), known.end());
  const std::string nearest = models::nearestName(pathOf(entry), names);
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

}  // namespace tactus::haptics
