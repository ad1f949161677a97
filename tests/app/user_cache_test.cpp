#include "app/user_cache.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/app/started_process.hpp"

namespace tactus::tests {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// A file of 1000 bytes that was used so long ago.
std::string used(const Folder& folder, const std::string& name, std::chrono::hours ago) {
  const std::string file = folder.write(name, std::string(1000, 'x'));
  fs::last_write_time(file, fs::file_time_type::clock::now() - ago);
  return file;
}

std::string named(char letter) {
  return std::string(32, letter) + ".tactus";
}

TEST(UserCache, ForgetsWhatWasOfNoUseForLongest) {
  const Folder folder;
  const std::string old = used(folder, named('a'), 30h);
  const std::string recent = used(folder, named('b'), 2h);
  const std::string newest = used(folder, named('c'), 1h);
  app::forgetOldCaches(folder.path(), 3000);
  EXPECT_TRUE(fs::exists(old));
  app::forgetOldCaches(folder.path(), 2999);
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(recent));
  app::markUsed(recent);
  app::forgetOldCaches(folder.path(), 10);
  EXPECT_TRUE(fs::exists(recent)) << "the last one stays however large it is";
  EXPECT_FALSE(fs::exists(newest));
}

TEST(UserCache, LeavesAloneWhatIsNotItsOwn) {
  const Folder folder;
  const std::vector<std::string> others = {
      used(folder, "mine.tactus", 1000h), used(folder, std::string(32, 'a') + ".obj", 1000h),
      used(folder, std::string(32, 'z') + ".tactus", 1000h), used(folder, "x.tmp", 1000h),
      used(folder, ".tactus-1-0.tmp", 1h)};  // somebody is writing it
  const std::string leftOver = used(folder, ".tactus-2-0.tmp", 25h);
  app::forgetOldCaches(folder.path(), 0);
  for (const std::string& other : others)
    EXPECT_TRUE(fs::exists(other)) << other;
  EXPECT_FALSE(fs::exists(leftOver));
  app::forgetOldCaches(folder.file("none"), 0);  // no folder, no trouble
}

TEST(UserCache, FollowsTheEnvironment) {
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(app::userCacheFolder(), "/somewhere/tactus");
  EXPECT_EQ(app::userCacheFile({}), "/somewhere/tactus/" + std::string(32, '0') + ".tactus");
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/home/somebody", 1);
  EXPECT_EQ(app::userCacheFolder(), "/home/somebody/.cache/tactus");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_TRUE(app::userCacheFolder().empty());
  EXPECT_TRUE(app::userCacheFile({}).empty());
  EXPECT_FALSE(app::makeUserCacheFolder());
}

}  // namespace
}  // namespace tactus::tests
