#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "models/files/byte_stream.hpp"
#include "models/files/mesh_builder.hpp"
#include "models/files/mesh_parsers.hpp"
#include "models/files/words.hpp"

// Source: Wavefront Technologies, "Advanced Visualizer", appendix B1 "Object Files", 1995.
namespace tactus::models {
namespace {

// The other statements of the specification, its superseded ones and the colours that some programs
// write: groups, materials, normals, curves. None says anything of the triangles.
constexpr auto kPassedOver = std::to_array<std::string_view>(
    {"vt",       "vn",       "vp",        "vc",         "p",      "l",      "o",      "g",
     "s",        "mg",       "usemtl",    "mtllib",     "usemap", "maplib", "cstype", "deg",
     "bmat",     "step",     "curv",      "curv2",      "surf",   "parm",   "trim",   "hole",
     "scrv",     "sp",       "end",       "con",        "bevel",  "lod",    "ctech",  "stech",
     "c_interp", "d_interp", "trace_obj", "shadow_obj", "call",   "csh",    "bsp",    "bzp",
     "cdc",      "cdp",      "res",       "usemat",     "newmtl", "Ka",     "Kd",     "Ks",
     "Ns",       "d",        "illum",     "map_Kd"});

class ObjReader {
 public:
  ObjReader(const ByteSource& source, const FileLabel& label)
      : source_(source), label_(label), stream_(source) {}

  Result<LoadedMesh> read() {
    std::string_view line;
    LineStatus status = LineStatus::Text;
    while ((status = nextLine(line)) == LineStatus::Text) {
      if (!readLine(line)) return error_;
    }
    if (status == LineStatus::TooLong) {
      return label_.atLine(Reason::Malformed, stream_.lineNumber() + 1,
                           say("the line is longer than ", ByteStream::kMaxLineBytes >> 20U,
                               " MiB and no comment; this is no OBJ file"));
    }
    if (furthest_.vertex > static_cast<std::int64_t>(builder_.vertexCount())) {
      return missingVertex(furthest_.vertex, furthest_.line);
    }
    return builder_.finish(MeshFormat::Obj, source_, label_);
  }

 private:
  /// Ends in a backslash, after which some programs leave blanks.
  static bool isContinued(std::string_view line) {
    const std::size_t last = line.find_last_not_of(" \t\r");
    return last != std::string_view::npos && line[last] == '\\';
  }

  LineStatus nextLine(std::string_view& line) {
    LineStatus status = stream_.nextLine(line);
    while (status == LineStatus::TooLong && line.starts_with('#')) {
      stream_.skipLine();
      status = stream_.nextLine(line);
    }
    firstLine_ = stream_.lineNumber();
    if (status != LineStatus::Text || !isContinued(line)) return status;
    continued_.clear();
    while (status == LineStatus::Text && isContinued(line)) {
      continued_.append(line.substr(0, line.rfind('\\'))).push_back(' ');
      if (continued_.size() > ByteStream::kMaxLineBytes) return LineStatus::TooLong;
      status = stream_.nextLine(line);
    }
    if (status == LineStatus::TooLong) return status;
    if (status == LineStatus::Text) continued_.append(line);
    line = continued_;
    return LineStatus::Text;
  }

  bool readLine(std::string_view line) {
    Words words(line);
    const std::string_view key = words.next();
    if (key.empty()) return true;
    if (key == "v") return readVertex(words);
    if (key == "f" || key == "fo") return readFace(words);
    if (key.front() == '#') {
      if (key == "#") builder_.noteComment(words);
      return true;
    }
    return std::ranges::find(kPassedOver, key) != kPassedOver.end() || isProgramsOwn(key) ||
           fail(Reason::Malformed, say(inQuotes(key),
                                       " is no word of an OBJ file; the file is damaged or of "
                                       "another format"));
  }

  /// A word that some program adds, like "my_extension": no damage makes one of another statement.
  static bool isProgramsOwn(std::string_view key) {
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    return isLetter(key.front()) && key.find('_') != std::string_view::npos &&
           std::ranges::all_of(
               key, [&](char c) { return isLetter(c) || (c >= '0' && c <= '9') || c == '_'; });
  }

  bool readVertex(Words& words) {
    Eigen::Vector3d p;
    for (int axis = 0; axis < 3; ++axis) {
      const Found found = words.number(p[axis]);
      if (found == Found::Value) continue;
      return fail(Reason::Malformed, found == Found::Nothing
                                         ? say("the vertex has ", axis,
                                               " of 3 coordinates; the file is damaged or cut")
                                         : say("a coordinate reads ", inQuotes(words.word()),
                                               ", which is no number; the file is damaged"));
    }
    if (!MeshBuilder::isStorable(p)) {
      return fail(Reason::NotFinite,
                  say(MeshBuilder::whyNotStorable(p), "; repair the file where it was made"));
    }
    builder_.addPosition(p);
    // a weight or a colour may follow, but not the next line, whose end was lost
    while (!words.done()) {
      double ignored = 0.0;
      if (words.number(ignored) == Found::Value) continue;
      return words.word().starts_with('#') ||
             fail(Reason::Malformed, say("after the vertex stands ", inQuotes(words.word()),
                                         ", which is no number; the file is damaged"));
    }
    return true;
  }

  bool readFace(Words& words) {
    corners_.clear();
    std::int64_t index = 0;
    std::string_view rest;
    Found found = Found::Nothing;
    while ((found = words.leadingInteger(index, rest)) == Found::Value) {
      if (!rest.empty() && (rest.front() != '/' ||
                            rest.find_first_not_of("/+-0123456789") != std::string_view::npos)) {
        found = Found::Nonsense;
        break;
      }
      const auto count = static_cast<std::int64_t>(builder_.vertexCount());
      if (index < 0) index += count + 1;  // -1 is the newest vertex
      if (index < 1) {
        return fail(
            Reason::IndexOutOfRange,
            say("the face names vertex ", inQuotes(words.word()), ", but ",
                counted(static_cast<std::uint64_t>(count), "vertex stands", "vertices stand"),
                " before it and they count from 1; the file is damaged"));
      }
      if (index > count && index > furthest_.vertex) furthest_ = {index, firstLine_};
      corners_.push_back(static_cast<std::uint32_t>(std::min<std::int64_t>(index - 1, 0xFFFFFFFF)));
    }
    if (found == Found::Nonsense && !words.word().starts_with('#')) {  // else a comment ends it
      return fail(Reason::Malformed, say("a corner reads ", inQuotes(words.word()),
                                         ", which is no vertex number; the file is damaged"));
    }
    if (corners_.size() < 3) {
      return fail(Reason::Malformed,
                  say("the face has ", counted(corners_.size(), "corner", "corners"),
                      " and needs three; the file is damaged or cut"));
    }
    builder_.addFace(corners_);
    return true;
  }

  bool fail(Reason reason, std::string_view what) {
    error_ = label_.atLine(reason, firstLine_, what);
    return false;
  }

  [[nodiscard]] Error missingVertex(std::int64_t vertex, std::uint64_t line) const {
    return label_.atLine(Reason::IndexOutOfRange, line,
                         say("the face names vertex ", written(vertex), ", but there ",
                             builder_.vertexCount() == 1 ? "is " : "are ", builder_.vertexCount(),
                             "; the file is damaged or cut"));
  }

  struct Reference {
    std::int64_t vertex = 0;
    std::uint64_t line = 0;
  };

  const ByteSource& source_;
  const FileLabel& label_;
  ByteStream stream_;
  MeshBuilder builder_;
  std::string continued_;        // lines joined by '\'
  std::uint64_t firstLine_ = 0;  // of the line at hand
  std::vector<std::uint32_t> corners_;
  Reference furthest_;  // a face may come before its vertices, so the judgement waits for the end
  Error error_;
};

}  // namespace

Result<LoadedMesh> parseObj(const ByteSource& source, const FileLabel& label) {
  return ObjReader(source, label).read();
}

}  // namespace tactus::models
