// What a log says of a build.
#include "app/build_progress.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tactus::app {
namespace {

collision::BuildProgress packing(double share) {
  collision::BuildProgress progress;
  progress.stage = collision::BuildStage::Packing;
  progress.packing.share = share;
  return progress;
}

TEST(BuildLog, SaysNothingOfAShortBuild) {
  BuildLog log("cube.obj");
  for (const double seconds : {0.0, 0.5, 1.9})
    EXPECT_FALSE(log.lineAt(packing(0.5 * seconds), seconds)) << seconds;
  EXPECT_FALSE(log.endAt(1.95));
}

TEST(BuildLog, SaysOfALongOneThatItGoesOnAndThatItHasEnded) {
  BuildLog log("rhino.obj");
  EXPECT_FALSE(log.lineAt({}, 0.0));
  EXPECT_FALSE(log.lineAt(packing(0.0), 1.0));
  const std::string first = log.lineAt(packing(0.1), 3.0).value_or("");
  EXPECT_TRUE(first.starts_with("rhino.obj: ")) << first;
  EXPECT_NE(first.find("packing 10 %"), std::string::npos) << first;
  EXPECT_NE(first.find("18 s left"), std::string::npos) << "a tenth in two seconds: " << first;
  EXPECT_FALSE(log.lineAt(packing(0.2), 5.0)) << "not with every step";
  const std::string second = log.lineAt(packing(0.9), 40.0).value_or("");
  EXPECT_NE(second.find("packing 90 %"), std::string::npos) << second;
  const std::string end = log.endAt(45.0).value_or("");
  EXPECT_NE(end.find("45 s"), std::string::npos) << end;
}

}  // namespace
}  // namespace tactus::app
