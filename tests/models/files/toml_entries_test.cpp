// The flat view of a TOML text: what is where, on which line, and what is refused.
#include "models/files/toml_entries.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

namespace tactus::models {
namespace {

constexpr const char* kText = R"(top = 1
[one]
truth = true
[[body]]
name = "b"
numbers = [1, 2.5]
[[body]]
[[hand]]
[[hand]]
texts = ["x", "y"]
pose = [
  { at = 0.0 },
  { at = 2, empty = [] },
]
)";

const TomlEntry& entryAt(const TomlText& text, const std::string& path, std::size_t index) {
  for (const TomlEntry& entry : text.entries) {
    if (pathOf(entry) == path && entry.index == index) return entry;
  }
  static const TomlEntry kNone;
  ADD_FAILURE() << "no " << path;
  return kNone;
}

TEST(FileLabel, EndsASentenceOnce) {
  const FileLabel label("x");
  EXPECT_EQ(label.whole(Reason::BadValue, "no").sentence, "x: no.");
  EXPECT_EQ(label.whole(Reason::BadValue, "no.").sentence, "x: no.");
  EXPECT_EQ(label.atLine(Reason::BadValue, 3, "no.").sentence, "x, line 3: no.");
}

TEST(TomlEntries, AreFlatInTheOrderOfTheirLines) {
  const Result<TomlText> read = readToml(kText, FileLabel("x.toml"));
  ASSERT_TRUE(read.ok()) << read.error().sentence;
  const TomlText& text = read.value();
  ASSERT_EQ(text.entries.size(), 8U);
  EXPECT_TRUE(std::ranges::is_sorted(text.entries, {}, &TomlEntry::line));
  EXPECT_EQ(entryAt(text, "top", 0).line, 1U);
  EXPECT_TRUE(entryAt(text, "top", 0).isWhole);
  EXPECT_EQ(std::get<double>(entryAt(text, "top", 0).value), 1.0);
  EXPECT_TRUE(std::get<bool>(entryAt(text, "one.truth", 0).value));
  EXPECT_EQ(std::get<std::string>(entryAt(text, "body.name", 0).value), "b");
  EXPECT_EQ(std::get<std::vector<double>>(entryAt(text, "body.numbers", 0).value),
            (std::vector<double>{1.0, 2.5}));
  EXPECT_EQ(std::get<std::vector<std::string>>(entryAt(text, "hand.texts", 1).value),
            (std::vector<std::string>{"x", "y"}));
  const TomlEntry& second = entryAt(text, "hand.pose.at", 1);
  EXPECT_EQ(second.parent, 1U);
  EXPECT_EQ(second.line, 13U);
  EXPECT_EQ(std::get<double>(second.value), 2.0);
  EXPECT_TRUE(std::get<std::vector<double>>(entryAt(text, "hand.pose.empty", 1).value).empty());
}

TEST(TomlEntries, TablesWithoutKeysAreKnownToo) {
  const TomlText text = readToml(kText, FileLabel("x.toml")).value();
  struct Expected {
    const char* name;
    std::size_t index, parent;
    std::uint64_t line;
    bool isInArray;
  };
  const Expected expected[] = {{"one", 0, 0, 2, false},      {"body", 0, 0, 4, true},
                               {"body", 1, 0, 7, true},      {"hand", 0, 0, 8, true},
                               {"hand", 1, 0, 9, true},      {"hand.pose", 0, 1, 12, true},
                               {"hand.pose", 1, 1, 13, true}};
  ASSERT_EQ(text.tables.size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const TomlTable& table = text.tables[i];
    EXPECT_EQ(table.name, expected[i].name) << i;
    EXPECT_EQ(table.index, expected[i].index) << i;
    EXPECT_EQ(table.parent, expected[i].parent) << i;
    EXPECT_EQ(table.line, expected[i].line) << i;
    EXPECT_EQ(table.isInArray, expected[i].isInArray) << i;
  }
}

TEST(TomlEntries, WhatIsDeeperOrOfAnotherTypeIsNamedWithItsLine) {
  struct Case {
    std::string text;
    const char* says;
  };
  const Case cases[] = {
      {"\nx = [[1]]", "line 2: \"x\" has something in its list that is no number"},
      {"x = [1, \"a\"]", "no number"},
      {"x = [\"a\", 1]", "no text"},
      {"x = [{a = 1}, 2]", "no number"},
      {"x = 1979-05-27", "neither a number"},
      {"[a]\n[a.b]\nx = 1", "line 2: \"a.b\" is neither"},
      {"[[a]]\nb = {c = 1}", "line 2: \"a.b\" is neither"},
      {"[[a]]\n[[a.b]]\n[[a.b.c]]\nx = 1", "\"a.b.c\" has something"},
      {"x", "line 1: this is not TOML"},
      {"x = 1\nx = 2", "line 2: this is not TOML"},
      {"[=]", "line 1: this is not TOML"},
      {"[[.a]]", "line 1: this is not TOML"},
      {"x = 1\n[\xC2\xA7 1]", "line 2: this is not TOML"},
      {std::string("x = \"\0\"", 7), "this is not TOML"},
      {std::string(std::size_t{1} << 21U, ' '), "below a megabyte"},
  };
  for (const Case& c : cases) {
    const Result<TomlText> read = readToml(c.text, FileLabel("x.toml"));
    ASSERT_FALSE(read.ok()) << c.text.substr(0, 80);
    EXPECT_NE(read.error().sentence.find(c.says), std::string::npos) << read.error().sentence;
    EXPECT_TRUE(read.error().sentence.starts_with("x.toml")) << read.error().sentence;
  }
}

TEST(TomlEntries, NumbersAndTextsReadBack) {
  for (const double number : {0.0, 1.0, -2.0, 0.1, 1e300, 1.0 / 3.0, 123456789.0, 1e-9,
                              std::numeric_limits<double>::infinity()}) {
    const Result<TomlText> read = readToml("x = " + tomlNumber(number), FileLabel("x"));
    ASSERT_TRUE(read.ok()) << tomlNumber(number);
    EXPECT_EQ(std::get<double>(read.value().entries[0].value), number);
    EXPECT_FALSE(read.value().entries[0].isWhole) << tomlNumber(number);
  }
  for (const std::string text : {"", "a\"b\\c", "line\nbreak\x7F", "M\xC3\xBCnster"}) {
    const Result<TomlText> read = readToml("x = " + tomlString(text), FileLabel("x"));
    ASSERT_TRUE(read.ok()) << tomlString(text);
    EXPECT_EQ(std::get<std::string>(read.value().entries[0].value), text);
  }
}

TEST(TomlEntries, AFileThatIsNotThereOrTooLargeIsSaid) {
  EXPECT_EQ(readSmallText("/no/such.toml").error().reason, Reason::FileMissing);
  EXPECT_FALSE(readSmallText("/").ok()) << "a folder is no file";
  EXPECT_EQ(readSmallText("/dev/zero").error().reason, Reason::TooLarge);
}

}  // namespace
}  // namespace tactus::models
