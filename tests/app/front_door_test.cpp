// tactus.sh as a wrapper: what it starts must not notice it. Everything is built when this runs, so
// the script has nothing to do and nothing to say.
#include <gtest/gtest.h>

#include "tests/app/started_process.hpp"

namespace tactus::tests {
namespace {

Ended frontDoor(const std::vector<std::string>& words, const std::filesystem::path& folder = {},
                const std::string& input = "") {
  Start start;
  start.arguments = {TACTUS_FRONT_DOOR};
  start.arguments.insert(start.arguments.end(), words.begin(), words.end());
  start.folder = folder;
  start.input = input;
  return runToEnd(start);
}

TEST(FrontDoor, SaysNothingOfItsOwn) {
  const Ended ended = frontDoor({"--version"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.out, tactus({"--version"}).out);
}

TEST(FrontDoor, PassesExitCodeAndWordsOn) {
  const Ended ended = frontDoor({"info", "no such file.obj"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
  EXPECT_NE(ended.err.find("no such file.obj"), std::string::npos) << "words with blanks are kept";
}

TEST(FrontDoor, RunsInTheCallersFolder) {
  const Folder folder;
  folder.write("here.obj",
               "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  EXPECT_EQ(frontDoor({"info", "here.obj"}, folder.path()).code, 0);
}

TEST(FrontDoor, LeavesStandardInputToTheProgram) {
  // A shell that reads the rest of its input after the script: it must all still be there.
  Start start;
  start.arguments = {"/bin/sh", "-c",
                     std::string(TACTUS_FRONT_DOOR) + " --version >/dev/null; cat"};
  start.input = "all of it\n";
  EXPECT_EQ(runToEnd(start).out, "all of it\n");
}

}  // namespace
}  // namespace tactus::tests
