#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/app/started_process.hpp"

namespace tactus::tests {
namespace {

using Json = nlohmann::json;

TEST(Devices, TellsWhatIsThereAndWhatToDo) {
  const Ended ended = tactus({"devices", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json json = Json::parse(ended.out);
  EXPECT_TRUE(json["devices"].is_array());
  EXPECT_EQ(json["profiles"].size(), 10U);
  std::size_t libraries = 0;
  for (const Json& check : json["checks"]) {
    const std::string verdict = check["verdict"];
    EXPECT_TRUE(verdict == "good" || verdict == "missing" || verdict == "wrong") << verdict;
    EXPECT_EQ(check["advice"].get<std::string>().empty(), verdict == "good") << check;
    libraries += check["area"] == "library" ? 1 : 0;
  }
  EXPECT_EQ(libraries, 4U);
  const Ended text = tactus({"devices"});
  EXPECT_EQ(text.code, 0);
  for (const char* word : {"OpenHaptics", "Force Dimension", "CHAI3D", "spacenavd", "SCHED_FIFO"})
    EXPECT_NE(text.out.find(word), std::string::npos) << text.out;
}

TEST(Devices, AMeasuredProfileIsWhatWentInAndCanBeUsedAgain) {
  const Folder folder;
  const std::string file = folder.file("mine.toml");
  const Ended ended =
      tactus({"devices", "--measure", "--device", "sim:omega7", "-o", file, "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json json = Json::parse(ended.out);
  EXPECT_EQ(json["device"], "sim:omega7");
  EXPECT_EQ(json["model"], "omega.7");
  EXPECT_EQ(json["file"], file);
  const Json& measured = json["measurement"];
  EXPECT_NEAR(measured["mass_kg"], 0.2, 0.004);
  EXPECT_NEAR(measured["friction_n"], 0.3, 0.015);
  EXPECT_NEAR(measured["damping_ns_per_m"], 0.05, 0.03);
  EXPECT_NEAR(measured["latency_s"], 0.00025, 0.00025);
  EXPECT_NEAR(measured["rate_hz"], 1000.0, 1e-3);
  EXPECT_NE(contentOf(file).find("mass_kg"), std::string::npos);

  // never over another file, unless that is wanted
  const Ended again = tactus({"devices", "--measure", "--device", "sim:omega7", "-o", file});
  EXPECT_EQ(again.code, 2);
  EXPECT_TRUE(isOneSentence(again.err)) << again.err;
  const Ended twice =
      tactus({"devices", "--measure", "--device", "sim:" + file, "-o", file, "--force"});
  EXPECT_EQ(twice.code, 0) << twice.err;
  EXPECT_NE(twice.out.find("friction"), std::string::npos) << twice.out;
}

TEST(Devices, MistakesEndInASentence) {
  const Folder folder;
  const std::string broken = folder.write("broken.toml", "[device]\nmodle = \"x\"\n");
  const auto measuring = [](const std::string& spec) {
    return tactus({"devices", "--measure", "--device", spec, "-o", "/tmp/no-such-thing.toml"});
  };
  struct Case {
    std::string spec;
    const char* says;
    int code;
  };
  const Case cases[] = {{"sim:sigma8", "sigma7", 2},    {"simm:sigma7", "'sim'", 2},
                        {"sim:" + broken, "line 2", 2}, {"mouse", "no motors", 2},
                        {"none", "no motors", 2},       {"openhaptics", "not installed", 1},
                        {"chai3d", "CHAI3D", 1}};
  for (const Case& c : cases) {
    const Ended ended = measuring(c.spec);
    EXPECT_EQ(ended.code, c.code) << c.spec << ": " << ended.err;
    EXPECT_EQ(ended.out, "") << c.spec;
    EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
    EXPECT_NE(ended.err.find(c.says), std::string::npos) << c.spec << ": " << ended.err;
  }
  EXPECT_EQ(tactus({"devices", "--device", "sim:touch"}).code, 2) << "without --measure";
  const Ended ending = tactus({"devices", "--measure", "--device", "sim:touch", "-o", "x.obj"});
  EXPECT_EQ(ending.code, 2);
}

}  // namespace
}  // namespace tactus::tests
