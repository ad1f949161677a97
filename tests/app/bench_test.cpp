#include <gtest/gtest.h>

#include <string>

#include "tests/app/started_process.hpp"

namespace tactus::tests {
namespace {

/// Without a folder for its files the benchmark must not start: it once wrote them where it was
/// called, over files of the same names.
TEST(Bench, WithoutATemporaryFolderNothingIsTouched) {
  const Folder folder;
  for (const char* name : {"model.ply", "model.obj", "model-ascii.ply"})
    folder.write(name, "precious");
  // Nobody can make a folder in /proc, not even root.
  for (const char* place : {"/proc", "/no/such/folder"}) {
    Start start;
    start.arguments = {TACTUS_PROGRAM, "bench", "models", "--quick"};
    start.environment = {std::string("TMPDIR=") + place};
    start.folder = folder.path();
    const Ended ended = runToEnd(start);
    EXPECT_EQ(ended.code, 1) << place;
    EXPECT_EQ(ended.out, "") << place;
    EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
    EXPECT_NE(ended.err.find("TMPDIR"), std::string::npos) << ended.err;
  }
  for (const char* name : {"model.ply", "model.obj", "model-ascii.ply"})
    EXPECT_EQ(contentOf(folder.file(name)), "precious") << name;
}

}  // namespace
}  // namespace tactus::tests
