#include <gtest/gtest.h>

#include <string>

#include "tests/app/started_process.hpp"

namespace tactus::tests {
namespace {

const std::string kPngMagic = "\x89PNG\r\n\x1a\n";

TEST(Show, WritesAPictureWithoutADisplay) {
  const Folder folder;
  const std::string file = folder.file("rhino.png");
  const std::vector<std::string> noDisplay = {"DISPLAY", "WAYLAND_DISPLAY"};
  const Ended ended =
      tactus({"show", "builtin:rhino@2000", "--screenshot", file, "--size", "320x200"}, noDisplay);
  EXPECT_EQ(ended.code, 0) << ended.err;
  const std::string picture = contentOf(file);
  ASSERT_GT(picture.size(), 2000U) << "a picture of nothing compresses to less";
  EXPECT_TRUE(picture.starts_with(kPngMagic));
  // Width and height stand in the header, big-endian.
  EXPECT_EQ(picture.substr(16, 8), std::string("\0\0\x01\x40\0\0\0\xc8", 8));

  const Ended refused =
      tactus({"show", "builtin:box@1000", "--screenshot", file, "--size", "64x64"}, noDisplay);
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(isOneSentence(refused.err)) << refused.err;
  EXPECT_TRUE(contentOf(file) == picture) << "the picture that was there is gone";
}

TEST(Show, WithoutADisplaySaysWhatToDo) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"show", "builtin:box@1000"}, std::vector<std::string>{"run"}}) {
    const Ended ended = tactus(words, {"DISPLAY", "WAYLAND_DISPLAY"});
    EXPECT_EQ(ended.code, 1);
    EXPECT_EQ(ended.out, "");
    EXPECT_NE(ended.err.find("--screenshot"), std::string::npos) << ended.err;
    EXPECT_NE(ended.err.find("isplay"), std::string::npos) << ended.err;
  }
}

}  // namespace
}  // namespace tactus::tests
