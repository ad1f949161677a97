// Reads our own sources as text. The arrows between rooms and the ban on the C library's
// transcendental functions are promises that no compiler checks: the first keeps the collision
// library embeddable, the second keeps results the same on every machine.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"models", {}},
    {"collision", {"models"}},
    {"response", {"models", "collision"}},
    {"haptics", {"models", "collision", "response"}},
    {"render", {"models"}},
    {"studies", {"models", "collision", "response", "haptics"}},
    {"app", {"models", "collision", "response", "haptics", "render", "studies"}}};

struct Source {
  std::string room;
  std::string path;
  std::string text;  ///< without comments
};

std::string withoutComments(const std::string& text) {
  return std::regex_replace(text, std::regex("//[^\n]*"), "");
}

std::vector<Source> sourcesOf(const std::set<std::string>& rooms) {
  std::vector<Source> sources;
  for (const std::string& room : rooms) {
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(fs::path(TACTUS_SOURCE) / room)) {
      const std::string ending = entry.path().extension();
      if (ending != ".hpp" && ending != ".cpp") continue;
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      sources.push_back(
          {room, fs::relative(entry.path(), TACTUS_SOURCE), withoutComments(text.str())});
    }
  }
  return sources;
}

std::set<std::string> allRooms() {
  std::set<std::string> rooms;
  for (const auto& [room, may] : kMayInclude)
    rooms.insert(room);
  return rooms;
}

TEST(House, EveryRoomHasSources) {
  for (const std::string& room : allRooms())
    EXPECT_FALSE(sourcesOf({room}).empty()) << room;
}

TEST(House, IncludesGoOneWay) {
  const std::regex include(
      R"re(#\s*include\s+["<](?:tactus/)?(models|collision|response|haptics|render|studies|app|tests)/)re");
  std::size_t seen = 0;
  for (const Source& source : sourcesOf(allRooms())) {
    for (std::sregex_iterator it(source.text.begin(), source.text.end(), include), end; it != end;
         ++it) {
      const std::string room = (*it)[1];
      ++seen;
      if (room == source.room) continue;
      EXPECT_TRUE(kMayInclude.at(source.room).contains(room))
          << source.path << " includes " << room << "/";
    }
  }
  EXPECT_GT(seen, 20U) << "the pattern finds no includes any more";
}

TEST(House, IncludesOfOursNameTheirRoom) {
  const std::regex include(R"re(#\s*include\s+"([^"]+)")re");
  for (const Source& source : sourcesOf(allRooms())) {
    for (std::sregex_iterator it(source.text.begin(), source.text.end(), include), end; it != end;
         ++it) {
      const std::string path = (*it)[1];
      EXPECT_TRUE(kMayInclude.contains(path.substr(0, path.find('/'))))
          << source.path << " includes \"" << path << "\"";
    }
  }
}

TEST(House, OnlyRenderKnowsOpenGl) {
  const std::regex gl(R"re(#\s*include\s+[<"](GL|GLES\d?|EGL|GLFW|epoxy)/)re");
  for (const Source& source : sourcesOf(allRooms())) {
    if (source.room == "render") continue;
    EXPECT_FALSE(std::regex_search(source.text, gl)) << source.path;
  }
}

// glibc picks another sine on a machine with fused multiply-add, and the last bit differs.
TEST(House, GeometryCallsNoLibraryTranscendentals) {
  const std::regex call(
      R"re((std::|[^A-Za-z0-9_:>]::|[^A-Za-z0-9_:.>])(sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|fma|erfc?|[lt]gamma)[fl]?\()re");
  const std::regex viaEigen(
      R"re(AngleAxis|Rotation2D|\.slerp\(|\.eulerAngles\(|\.pow\(|\.exp\(|\.a?(sin|cos|tan)h?\(\)|\.log(10|2)?\(\))re");
  for (const Source& source : sourcesOf({"models", "collision", "response"})) {
    // The one place that defines them for everybody else.
    if (source.path.starts_with("models/lanes/elementary")) continue;
    std::smatch found;
    EXPECT_FALSE(std::regex_search(source.text, found, call))
        << source.path << " calls " << found.str() << "; use elementary::, and write it out";
    EXPECT_FALSE(std::regex_search(source.text, found, viaEigen))
        << source.path << ": " << found.str();
  }
}

TEST(House, ContainersWithoutOrderStayOut) {
  const std::regex unordered(R"re(std::unordered_)re");
  for (const Source& source : sourcesOf({"models", "collision", "response", "haptics"})) {
    EXPECT_FALSE(std::regex_search(source.text, unordered)) << source.path;
  }
}

}  // namespace
