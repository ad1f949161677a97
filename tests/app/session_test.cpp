// `run --headless`, `info` of what it recorded, and `replay`, as a user calls them; and a disk that
// fills up.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/scene/scene.hpp"
#include "tests/app/started_process.hpp"
#include "tests/app/two_boxes.hpp"

namespace tactus::tests {
namespace {

using Json = nlohmann::json;

class SessionTest : public testing::Test {
 protected:
  SessionTest() : environment_{"XDG_CACHE_HOME=" + folder_.file("cache")} {}

  std::string scene(const std::string& coupling = "dynamic") {
    return folder_.write("scene-" + coupling + ".toml", twoBoxes(coupling));
  }
  Ended ask(const std::vector<std::string>& words) { return tactus(words, environment_); }
  Ended run(const std::string& file, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"run", file, "--headless", "--simulated-time"};
    words.insert(words.end(), more.begin(), more.end());
    return ask(words);
  }

  Folder folder_;
  std::vector<std::string> environment_;
};

TEST_F(SessionTest, RunsRecordsAndReplaysToTheBit) {
  for (const char* coupling : {"dynamic", "quasi-static"}) {
    SCOPED_TRACE(coupling);
    const std::string file = folder_.file(std::string(coupling) + ".tacr");
    const Ended ended = run(scene(coupling), {"--seconds", "4", "--record", file, "--json"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const Json json = Json::parse(ended.out);
    EXPECT_EQ(json["servo"]["ticks"], 4000);
    EXPECT_EQ(json["servo"]["late"], 0);
    EXPECT_EQ(json["servo"]["skipped"], 0);
    for (const char* key : {"p50", "p99", "p999", "max"}) {
      EXPECT_GT(json["servo"]["compute_us"][key], 0.0) << key;
      EXPECT_GT(json["servo"]["period_us"][key], 0.0) << key;
    }
    EXPECT_GT(json["contacts"]["pairs_max"], 0);
    EXPECT_EQ(json["contacts"]["cut_share"], 0.0);
    EXPECT_EQ(json["contacts"]["age_ticks"]["max"], 0);
    EXPECT_EQ(json["recorder"]["records"], 12000);  // hand, tick and bodies
    EXPECT_EQ(json["recorder"]["dropped"], 0);
    EXPECT_EQ(json["hands"][0]["spec"], "sim:sigma7");
    EXPECT_EQ(json["hands"][0]["phase"], "active");
    EXPECT_TRUE(json["machine"].contains("steal"));

    const Json info = Json::parse(ask({"info", file, "--json"}).out);
    EXPECT_EQ(info["ticks"], 4000);
    EXPECT_EQ(info["first_tick"], 0);
    EXPECT_EQ(info["last_tick"], 3999);
    EXPECT_EQ(info["gaps"], 0);
    EXPECT_EQ(info["dropped"], 0);
    EXPECT_EQ(info["hands"][0]["hand"], "right");
    EXPECT_EQ(info["scene"], std::string("scene-") + coupling);

    for (const char* vectorCode : {"scalar", "sse4"}) {
      environment_.push_back(std::string("TACTUS_SIMD=") + vectorCode);
      const Ended replayed = ask({"replay", file, "--json"});
      environment_.pop_back();
      EXPECT_EQ(replayed.code, 0) << replayed.err;
      const Json outcome = Json::parse(replayed.out);
      EXPECT_EQ(outcome["ticks"], 4000);
      EXPECT_EQ(outcome["compared"], 4000);
      EXPECT_EQ(outcome["identical"], true);
      EXPECT_TRUE(outcome["first_difference"].is_null());
      EXPECT_EQ(outcome["max_force_difference"], 0.0);
    }
  }
}

TEST_F(SessionTest, TwoRunsAreOne) {
  const auto bytesOf = [&](const char* name) {
    const std::string file = folder_.file(name);
    EXPECT_EQ(run(scene(), {"--seconds", "3", "--record", file}).code, 0);
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    std::string bytes;
    const auto add = [](void* to, int, char** values, char**) {
      *static_cast<std::string*>(to) += values[0];
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(database, "SELECT hex(data) FROM chunk ORDER BY stream, first_tick", add,
                           &bytes, nullptr),
              SQLITE_OK);
    sqlite3_close(database);
    return bytes;
  };
  const std::string first = bytesOf("first.tacr");
  EXPECT_GT(first.size(), 10'000U);
  EXPECT_TRUE(first == bytesOf("second.tacr"));
}

// The same samples through the interface of devices: the same forces, and at its end it is lost.
TEST_F(SessionTest, ARecordingCanHoldTheTool) {
  const std::string first = folder_.file("first.tacr");
  const std::string second = folder_.file("second.tacr");
  ASSERT_EQ(run(scene(), {"--seconds", "3", "--record", first}).code, 0);
  const Ended ended = run(scene(), {"--seconds", "3.2", "--record", second, "--device",
                                    "right=replay:" + first, "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json json = Json::parse(ended.out);
  EXPECT_EQ(json["hands"][0]["spec"], "replay:" + first);
  EXPECT_EQ(json["hands"][0]["stage"], "lost");
  const Ended replayed = ask({"replay", second});
  EXPECT_EQ(replayed.code, 0) << replayed.out << replayed.err;
}

TEST_F(SessionTest, ADamagedRecordingIsNamedAndExitsOne) {
  const std::string file = folder_.file("run.tacr");
  ASSERT_EQ(run(scene(), {"--seconds", "2", "--record", file}).code, 0);
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database,
                         "UPDATE chunk SET data = substr(data, 1, 40) || x'ff' || substr(data, 42) "
                         "WHERE stream = 'hand.right' AND first_tick = 1000",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  const Ended ended = ask({"replay", file, "--json"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
  EXPECT_NE(ended.err.find("hand.right"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("1000"), std::string::npos) << ended.err;
}

TEST_F(SessionTest, ADiskThatIsFullIsSaidAndTheLoopGoesOn) {
  // the shell's limit on the size of files, in blocks of 1024 bytes
  const std::string command = "ulimit -f 400; exec '" TACTUS_PROGRAM "' run '" + scene() +
                              "' --headless --simulated-time --seconds 20 --json --record '" +
                              folder_.file("full.tacr") + "'";
  Start start{{"/bin/sh", "-c", "trap '' XFSZ; " + command}, environment_, {}, {}};
  ASSERT_EQ(run(scene(), {"--seconds", "0.01"}).code, 0);
  const Ended ended = runToEnd(start);
  EXPECT_EQ(ended.code, 1) << ended.err;
  EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
  const Json json = Json::parse(ended.out);
  EXPECT_EQ(json["servo"]["ticks"], 20'000);
  EXPECT_GT(json["recorder"]["dropped"], 0);
}

/// The shipped scene with few triangles and spheres, as a file: what is packed for it in a second
/// is enough for its hands to find what they are to touch.
std::string roughScene(const Folder& folder, models::Scene scene) {
  constexpr std::uint64_t kSpheres = 1000;
  for (models::SceneBody& body : scene.bodies) {
    body.model.source = body.model.source.substr(0, body.model.source.find('@')) + "@3000";
    body.model.spheres = kSpheres;
    body.model.points = 0;
  }
  return folder.write(scene.name + ".toml", models::sceneText(scene));
}

// Not those of many animals: their shapes alone take longer than all the others together.
TEST_F(SessionTest, ShippedScenesRunAndTheirHandsTouchSomething) {
  constexpr double kRestSeconds = 1.5;  // before a path begins
  constexpr std::size_t kMostBodies = 8;
  for (const models::ShippedText& shipped : models::shippedScenes()) {
    SCOPED_TRACE(shipped.name);
    const models::Scene scene = models::findScene(shipped.name).value();
    if (scene.bodies.size() > kMostBodies) continue;
    const double seconds = kRestSeconds + 0.5 * scene.hands.front().path.back().at;
    const Ended ended =
        run(roughScene(folder_, scene), {"--seconds", std::to_string(seconds), "--json"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const Json json = Json::parse(ended.out);
    EXPECT_EQ(json["servo"]["skipped"], 0);
    EXPECT_EQ(json["contacts"]["dropped"], 0);
    EXPECT_EQ(json["hands"].size(), scene.hands.size());
    for (const Json& hand : json["hands"]) {
      EXPECT_EQ(hand["losses"], 0);
      EXPECT_EQ(hand["reason"], "") << "a fault or a hand that was let go";
      // a newton over a micrometre; without contact there is none
      EXPECT_GT(std::abs(hand["energy_given_j"].get<double>()), 1e-6) << hand;
      EXPECT_GT(hand["touching_share"], 0.0) << hand;
      EXPECT_GT(hand["force_n"]["mean_touching"], 0.0) << hand;
      EXPECT_GE(hand["force_n"]["max"], hand["force_n"]["mean_touching"]) << hand;
    }
  }
}

// Packing the models before takes seconds each.
TEST_F(SessionTest, ADeviceThatIsNotThereIsToldBeforeAnyIsPacked) {
  const std::string file = folder_.write("scene.toml", twoBoxes("dynamic"));
  for (const char* device : {"right=sim:x", "right=sim:touch,hand=nosuch.toml", "right=mouse"}) {
    const Ended ended = ask(
        {"run", file, "--headless", "--simulated-time", "--seconds", "0.1", "--device", device});
    EXPECT_EQ(ended.code, 2) << device;
    EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
    EXPECT_FALSE(std::filesystem::exists(folder_.file("cache"))) << "something was packed and kept";
  }
}

TEST_F(SessionTest, AModelThatIsNotThereIsToldBeforeAnyIsPacked) {
  const std::string file = folder_.write(
      "scene.toml", twoBoxes("dynamic") + "\n[[body]]\nname = \"third\"\nmodel = \"nosuch.ply\"\n");
  const Ended ended = ask({"run", file, "--headless", "--simulated-time", "--seconds", "0.1"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
  EXPECT_NE(ended.err.find("nosuch.ply"), std::string::npos) << ended.err;
  EXPECT_FALSE(std::filesystem::exists(folder_.file("cache"))) << "something was packed and kept";
}

TEST_F(SessionTest, ACutRecordingIsSaidToBeOne) {
  const std::string file = folder_.file("session.tacr");
  ASSERT_EQ(run(scene(), {"--seconds", "1", "--record", file}).code, 0);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  for (const char* command : {"info", "replay"}) {
    const Ended ended = ask({command, file});
    EXPECT_EQ(ended.code, 2) << command;
    EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
    EXPECT_NE(ended.err.find("cut off"), std::string::npos) << ended.err;
  }
}

TEST_F(SessionTest, MistakesAreOneSentence) {
  const std::string file = scene();
  const std::string record = folder_.file("there.tacr");
  folder_.write("there.tacr", "not a recording");
  struct Case {
    std::vector<std::string> words;
    std::string answer;
  };
  const std::vector<Case> cases = {
      {{"run", "workspac", "--headless"}, "'workspace'"},
      {{"run", folder_.write("part.obj", "v 0 0 0\n"), "--headless"}, "'tactus show'"},
      {{"run", "builtin:rhino", "--headless"}, "'tactus show'"},
      {{"run", file, "--headless", "--device", "left=sim:sigma7"}, "no hand 'left'"},
      {{"run", file, "--headless", "--device", "right=sim:sigma8"}, "'sigma7'"},
      {{"run", file, "--headless", "--device", "right=replay:" + folder_.file("none.tacr")}, ""},
      {{"run", file, "--headless", "--method", "vsp"}, "'vps'"},
      {{"run", file, "--headless", "--record", record}, "--force"},
      {{"run", file, "--headless", "--record", record, "--force"}, "no recording"},
      {{"run", file, "--headless", "--record", folder_.file("no/such/folder.tacr")}, "folder"},
      {{"run", file, "--headless", "--screenshot", "x.png"}, "--screenshot"},
      {{"run", file, "--simulated-time"}, "--headless"},
      {{"replay", folder_.file("none.tacr")}, "none.tacr"},
      {{"replay", record}, "there.tacr"},
      {{"info", record}, "there.tacr"}};
  for (const Case& mistake : cases) {
    const Ended ended = ask(mistake.words);
    EXPECT_EQ(ended.code, 2) << testing::PrintToString(mistake.words);
    EXPECT_EQ(ended.out, "");
    EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
    EXPECT_NE(ended.err.find(mistake.answer), std::string::npos) << ended.err;
  }
  EXPECT_EQ(contentOf(record), "not a recording");
}

}  // namespace
}  // namespace tactus::tests
