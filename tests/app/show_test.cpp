#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

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

/// A picture never takes the place of a mesh, whatever was allowed.
TEST(Show, RefusesNamesThatAreNoPictures) {
  const Folder folder;
  const std::string mesh = folder.write("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const std::string before = contentOf(mesh);
  std::filesystem::create_symlink("bad.obj", folder.file("link.png"));
  for (const std::string& place : {mesh, folder.file("q.jpg"), folder.file("q"), folder.file("png"),
                                   folder.file("link.png"), std::string()}) {
    const Ended ended = tactus({"show", mesh, "--screenshot", place, "--force", "--size", "64x64"});
    EXPECT_EQ(ended.code, 2) << place;
    EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
    EXPECT_NE(ended.err.find(".png"), std::string::npos) << ended.err;
  }
  EXPECT_EQ(contentOf(mesh), before);
  EXPECT_FALSE(std::filesystem::exists(folder.file("q.jpg")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("q")));
  const std::string capitals = folder.file("Q.PNG");
  EXPECT_EQ(tactus({"show", mesh, "--screenshot", capitals, "--size", "64x64"}).code, 0);
  EXPECT_TRUE(contentOf(capitals).starts_with(kPngMagic));
}

/// The same sentences as `convert`, and before a model is read or anything is said of the view.
TEST(Show, RefusesABadPlaceBeforeTheWork) {
  const Folder folder;
  const std::string taken = folder.write("taken.png", "precious");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {taken, "the file exists and is not overwritten; choose another name or use --force"},
      {folder.file("nodir/x.png"), "its folder does not exist; create it first"},
      {"/proc/x.png", "choose another place"}};
  for (const auto& [place, answer] : cases) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"show", "there is no such.obj", "--screenshot", place},
          std::vector<std::string>{"run", "--screenshot", place}}) {
      const Ended ended = tactus(words);
      EXPECT_EQ(ended.code, 2) << place;
      EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
      EXPECT_NE(ended.err.find(answer), std::string::npos) << ended.err;
    }
  }
  EXPECT_EQ(contentOf(taken), "precious");
}

TEST(Show, ReplacesWhatALinkPointsTo) {
  const Folder folder;
  const std::string picture = folder.write("picture.png", "old");
  const std::string link = folder.file("link.png");
  std::filesystem::create_symlink("picture.png", link);
  const Ended ended =
      tactus({"show", "builtin:box@1000", "--screenshot", link, "--force", "--size", "64x64"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_TRUE(contentOf(picture).starts_with(kPngMagic));
}

}  // namespace
}  // namespace tactus::tests
