// Lines and bytes through buffers of every size.
#include "models/files/byte_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tactus::models {
namespace {

std::vector<std::string> linesOf(std::string_view text, std::size_t block) {
  const MemoryBytes bytes(std::as_bytes(std::span(text)), block);
  ByteStream stream(bytes);
  std::vector<std::string> lines;
  std::string_view line;
  while (stream.nextLine(line) == LineStatus::Text)
    lines.emplace_back(line);
  EXPECT_EQ(stream.lineNumber(), lines.size());
  EXPECT_EQ(stream.remaining(), 0U);
  return lines;
}

TEST(ByteStream, CutsLinesAlikeForEveryBlockSize) {
  using Lines = std::vector<std::string>;
  for (std::size_t block = 1; block < 40; ++block) {
    EXPECT_EQ(linesOf("one\ntwo\n\nfour", block), (Lines{"one", "two", "", "four"})) << block;
    EXPECT_EQ(linesOf("one\r\ntwo\r\n", block), (Lines{"one", "two"})) << block;
    EXPECT_EQ(linesOf("one\rtwo\r\rfour\r", block), (Lines{"one", "two", "", "four"})) << block;
    EXPECT_EQ(linesOf("\xEF\xBB\xBFmarked\nno \xEF\xBB\xBF mark\n", block),
              (Lines{"marked", "no \xEF\xBB\xBF mark"}))
        << block;
    EXPECT_EQ(linesOf("\r", block), (Lines{""})) << block;
    EXPECT_EQ(linesOf("\r\n\rx\n", block), (Lines{"", "\rx"})) << block;
    EXPECT_EQ(linesOf("", block), Lines{}) << block;
  }
}

TEST(ByteStream, MixesLinesAndBytes) {
  const std::string content = std::string("head\n") + std::string("\0\1\n\3", 4) + "tail\n";
  for (std::size_t block = 1; block < 20; ++block) {
    const MemoryBytes bytes(std::as_bytes(std::span(content)), block);
    ByteStream stream(bytes);
    std::string_view line;
    ASSERT_EQ(stream.nextLine(line), LineStatus::Text);
    EXPECT_EQ(line, "head");
    EXPECT_EQ(stream.offset(), 5U);
    const std::byte* const four = stream.take(4);
    ASSERT_NE(four, nullptr);
    EXPECT_EQ(four[3], std::byte{3});
    ASSERT_TRUE(stream.skip(2));
    EXPECT_EQ(stream.remaining(), 3U);
    EXPECT_EQ(stream.take(4), nullptr);
    EXPECT_FALSE(stream.skip(4));
    ASSERT_EQ(stream.nextLine(line), LineStatus::Text);
    EXPECT_EQ(line, "il");
    EXPECT_EQ(stream.nextLine(line), LineStatus::End);
  }
}

/// Endless zeros, of which nothing is stored.
class Zeros final : public ByteSource {
 public:
  [[nodiscard]] std::uint64_t size() const noexcept override { return std::uint64_t{1} << 50U; }
  [[nodiscard]] std::size_t read(std::uint64_t /*offset*/,
                                 std::span<std::byte> into) const noexcept override {
    std::fill(into.begin(), into.end(), std::byte{0});
    return into.size();
  }
};

TEST(ByteStream, GivesUpOnALineWithoutEnd) {
  const Zeros zeros;
  ByteStream stream(zeros);
  std::string_view line;
  EXPECT_EQ(stream.nextLine(line), LineStatus::TooLong);
  EXPECT_LT(stream.offset(), 4 * ByteStream::kMaxLineBytes);
  EXPECT_GT(line.size(), ByteStream::kMaxLineBytes);
}

}  // namespace
}  // namespace tactus::models
