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

/// The script in a checkout of nothing but itself, with a cmake, a ninja and a program that only do
/// what the script sees of them.
class CopiedDoor {
 public:
  CopiedDoor() {
    const std::filesystem::path checkout = folder_.path() / "checkout";
    std::filesystem::create_directory(checkout);
    std::filesystem::copy(TACTUS_FRONT_DOOR, checkout / "tactus.sh");
    std::filesystem::create_directory(folder_.path() / "bin");
    program("bin/cmake",
            "mkdir -p build/release/app && : >build/release/build.ninja\n"
            "echo \"CMAKE_HOME_DIRECTORY:INTERNAL=$PWD\" >build/release/CMakeCache.txt\n"
            "printf '#!/bin/sh\\necho process $$\\n' >build/release/app/tactus\n"
            "chmod +x build/release/app/tactus\n");
    program("bin/ninja", "echo 'ninja: no work to do.'\n");
  }
  [[nodiscard]] std::string script() const { return folder_.path() / "checkout/tactus.sh"; }
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
  [[nodiscard]] std::vector<std::string> environment() const {
    return {"PATH=" + (folder_.path() / "bin").string() + ":/usr/bin:/bin",
            "TACTUS_SKIP_PACKAGES=1"};
  }

 private:
  void program(const std::string& name, const std::string& lines) {
    const std::string file = folder_.write(name, "#!/bin/sh\n" + lines);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }

  Folder folder_;
};

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

TEST(FrontDoor, BecomesTheProgramSoThatSignalsReachIt) {
  const CopiedDoor door;
  Start start;
  start.environment = door.environment();
  start.arguments = {"/bin/sh", "-c", "echo $$; exec " + door.script()};
  const Ended ended = runToEnd(start);
  const std::size_t line = ended.out.find('\n');
  ASSERT_NE(line, std::string::npos) << ended.err;
  EXPECT_EQ(ended.out.substr(line + 1), "process " + ended.out.substr(0, line) + "\n");
}

TEST(FrontDoor, ConfiguresACopiedFolderAnew) {
  const CopiedDoor door;
  const auto run = [&](const std::string& script) {
    Start start;
    start.arguments = {script};
    start.environment = door.environment();
    return runToEnd(start);
  };
  EXPECT_NE(run(door.script()).err.find("configuring"), std::string::npos);
  EXPECT_EQ(run(door.script()).err, "") << "the second time there is nothing to do";
  const std::filesystem::path copy = door.path() / "copy";
  std::filesystem::create_directory(copy);
  for (const char* part : {"tactus.sh", "build"}) {
    std::filesystem::copy(door.path() / "checkout" / part, copy / part,
                          std::filesystem::copy_options::recursive);
  }
  EXPECT_NE(run(copy / "tactus.sh").err.find("configuring"), std::string::npos);
  EXPECT_EQ(run(copy / "tactus.sh").err, "");
}

TEST(FrontDoor, WaitsForAnotherBuildAndSaysSo) {
  const CopiedDoor door;
  Start start;
  start.environment = door.environment();
  const std::string script =
      "mkdir -p \"$1/build\"; exec 8>\"$1/build/lock\"; flock 8; "
      "(sleep 2; echo freed) & exec 8>&-; \"$1/tactus.sh\"";
  start.arguments = {"/bin/sh", "-c", script, "sh", (door.path() / "checkout").string()};
  const Ended ended = runToEnd(start);
  EXPECT_EQ(ended.code, 0);
  EXPECT_NE(ended.err.find("waiting for another build"), std::string::npos) << ended.err;
  EXPECT_LT(ended.out.find("freed"), ended.out.find("process")) << ended.out;
}

}  // namespace
}  // namespace tactus::tests
