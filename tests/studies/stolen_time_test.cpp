#include "studies/stolen_time.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace tactus::studies {
namespace {

std::string fileOfThisProcess() {
  return testing::TempDir() + "tactus-stat-" + std::to_string(getpid());
}

void write(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::trunc) << text;
}

TEST(StolenTime, IsTheShareOfTheEighthColumn) {
  const std::string file = fileOfThisProcess();
  write(file, "cpu 100 200 300 400 500 600 700 50 7 7\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
  const StolenTime stolen(file);
  EXPECT_EQ(stolen.share(), 0.0) << "nothing has passed";
  // 10 ticks to each of seven kinds, 30 stolen; guests' time is in the users' already.
  write(file, "cpu 110 210 310 410 510 610 710 80 900 900\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
  EXPECT_DOUBLE_EQ(stolen.share(), 0.3);
  std::filesystem::remove(file);
}

TEST(StolenTime, WithoutStatisticsNothingIsStolen) {
  EXPECT_EQ(StolenTime(fileOfThisProcess() + "-none").share(), 0.0);
}

}  // namespace
}  // namespace tactus::studies
