// Who runs on which cores while a window is open.
#include "app/core_share.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <cstdlib>
#include <thread>

namespace tactus::app {
namespace {

cpu_set_t coresOfThread() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  EXPECT_EQ(::pthread_getaffinity_np(::pthread_self(), sizeof(cores), &cores), 0);
  return cores;
}

TEST(CoreShare, OnFewCoresTheLoopHasOneForItselfAndOnManyTwoAreLeftAlone) {
  EXPECT_FALSE(CoreShare::isApart(1));
  EXPECT_TRUE(CoreShare::isApart(2));
  EXPECT_TRUE(CoreShare::isApart(4));
  EXPECT_FALSE(CoreShare::isApart(8));
  EXPECT_EQ(CoreShare::drawingThreads(1), 0);
  EXPECT_EQ(CoreShare::drawingThreads(2), 0);
  EXPECT_EQ(CoreShare::drawingThreads(4), 2);
  EXPECT_EQ(CoreShare::drawingThreads(64), 8);
}

TEST(CoreShare, LoopAndDrawingDoNotMeetAndBuildingTakesAll) {
  // In a thread of its own, for the cores are the thread's.
  std::thread([] {
    const CoreShare share;
    const cpu_set_t all = coresOfThread();
    share.takeLoopCore();
    const cpu_set_t loop = coresOfThread();
    share.takeAll();
    const cpu_set_t again = coresOfThread();
    EXPECT_TRUE(CPU_EQUAL(&all, &again));
    share.leaveLoopAlone();
    const cpu_set_t others = coresOfThread();
    if (!CoreShare::isApart(CPU_COUNT(&all))) {
      EXPECT_TRUE(CPU_EQUAL(&all, &loop));
      EXPECT_TRUE(CPU_EQUAL(&all, &others));
      return;
    }
    EXPECT_EQ(CPU_COUNT(&loop), 1);
    cpu_set_t both;
    CPU_AND(&both, &loop, &others);
    EXPECT_EQ(CPU_COUNT(&both), 0);
    CPU_OR(&both, &loop, &others);
    EXPECT_TRUE(CPU_EQUAL(&both, &all));
    // A thread inherits what its maker may use, and can take it back.
    std::thread([&] {
      const cpu_set_t inherited = coresOfThread();
      EXPECT_TRUE(CPU_EQUAL(&inherited, &others));
      share.takeAll();
      const cpu_set_t taken = coresOfThread();
      EXPECT_TRUE(CPU_EQUAL(&taken, &all));
    }).join();
  }).join();
}

TEST(CoreShare, HowManyDrawIsTheUsersToSay) {
  std::thread([] {
    ::setenv("LP_NUM_THREADS", "7", 1);
    CoreShare().leaveLoopAlone();
    EXPECT_STREQ(std::getenv("LP_NUM_THREADS"), "7");
    ::unsetenv("LP_NUM_THREADS");
    CoreShare().leaveLoopAlone();
    EXPECT_NE(std::getenv("LP_NUM_THREADS"), nullptr);
  }).join();
}

}  // namespace
}  // namespace tactus::app
