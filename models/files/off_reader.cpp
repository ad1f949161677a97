#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "models/files/byte_stream.hpp"
#include "models/files/mesh_builder.hpp"
#include "models/files/mesh_parsers.hpp"
#include "models/files/words.hpp"

// Source: The Geometry Center, "Geomview Manual", chapter "OFF Files", 1996. How ours differs: each
// vertex and each face stands on a line of its own, as all programs write them, and the keyword
// must be there. Only so can colours be passed over that a file has without saying so in its
// keyword. The counts may stand on several lines, and that of the edges may be missing.
namespace tactus::models {
namespace {

// The shortest lines that can stand for a vertex and for a triangle: "0 0 0\n" and "3 0 1 2\n".
constexpr std::uint64_t kVertexBytes = 6;
constexpr std::uint64_t kTriangleBytes = 8;
constexpr std::uint64_t kFaceBytes = 2;  // "0\n"

class OffReader {
 public:
  OffReader(const ByteSource& source, const FileLabel& label)
      : source_(source), label_(label), stream_(source) {}

  Result<LoadedMesh> read() {
    if (!readHeader()) return error_;
    for (std::uint64_t i = 0; i < vertices_; ++i) {
      if (!readVertex(i)) return error_;
    }
    for (std::uint64_t i = 0; i < faces_; ++i) {
      if (!readFace(i)) return error_;
    }
    std::string_view line;
    if (nextLine(line)) {
      fail(Reason::WrongCount,
           say("more follows after the ", counted(vertices_, "vertex", "vertices"), " and ",
               counted(faces_, "face", "faces"), " that the header declares; correct the counts"));
      return error_;
    }
    return builder_.finish(MeshFormat::Off, source_, label_);
  }

 private:
  /// The next line that holds something, without its comment.
  bool nextLine(std::string_view& line) {
    if (!held_.empty()) {
      line = held_;
      held_ = {};
      return true;
    }
    LineStatus status = LineStatus::Text;
    for (;;) {
      status = stream_.nextLine(line);
      if (status == LineStatus::TooLong && line.starts_with('#')) {
        stream_.skipLine();
        continue;
      }
      if (status != LineStatus::Text) break;
      const std::size_t comment = line.find('#');
      if (comment != std::string_view::npos) line = line.substr(0, comment);
      if (!Words(line).done()) return true;
    }
    if (status == LineStatus::TooLong) {
      fail(Reason::Malformed, say("the line is longer than ", ByteStream::kMaxLineBytes >> 20U,
                                  " MiB and no comment; this is no OFF file"));
    } else {
      fail(Reason::Truncated,
           say("the file ends before the ", counted(vertices_, "vertex", "vertices"), " and ",
               counted(faces_, "face", "faces"),
               " that it declares, each on a line of its own; it is cut"));
    }
    return false;
  }

  static bool isOneWord(std::string_view line) {
    Words words(line);
    return !words.next().empty() && words.done();
  }

  bool readHeader() {
    std::string_view line;
    if (!nextLine(line)) return false;
    Words words(line);
    std::string_view key = words.next();
    if (key.starts_with("ST")) key.remove_prefix(2);
    if (key.starts_with("C")) key.remove_prefix(1);
    if (key.starts_with("N")) key.remove_prefix(1);
    if (key == "4OFF" || key == "nOFF" || key == "4nOFF") {
      return fail(Reason::Unsupported,
                  "the vertices are not of three dimensions; save the file as plain OFF");
    }
    if (key != "OFF") {
      return fail(Reason::Malformed,
                  say("the file begins with ", inQuotes(words.word()),
                      " and not with \"OFF\"; it is damaged or of another format"));
    }
    std::array<std::int64_t, 3> counts{};
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (words.done()) {
        if (!nextLine(line)) {
          if (i < 2) return false;
          break;
        }
        words = Words(line);
        // nobody needs the number of edges: a line of several numbers is a vertex
        if (i == 2 && !isOneWord(line)) {
          held_ = line;
          break;
        }
      }
      const Found found = words.integer(counts[i]);
      if (found == Found::Nonsense && sameLetters(words.word(), "binary")) {
        return fail(Reason::Unsupported, "binary OFF is not read; save the file as ascii OFF");
      }
      if (found != Found::Value || counts[i] < 0) {
        return fail(
            Reason::Malformed,
            "the numbers of vertices, faces and edges should stand here; the file is damaged");
      }
    }
    vertices_ = static_cast<std::uint64_t>(counts[0]);
    faces_ = static_cast<std::uint64_t>(counts[1]);
    // The last line may lack its end.
    const std::uint64_t left = stream_.remaining() + 1 + (held_.empty() ? 0 : held_.size() + 1);
    if (vertices_ > left / kVertexBytes ||
        faces_ > (left - kVertexBytes * vertices_) / kFaceBytes) {
      return fail(Reason::Truncated,
                  say("the file declares ", written(counts[0]),
                      vertices_ == 1 ? " vertex and " : " vertices and ", written(counts[1]),
                      faces_ == 1 ? " face" : " faces", ", but only ",
                      counted(stream_.remaining(), "byte follows", "bytes follow"),
                      "; it is damaged or cut"));
    }
    builder_.reserve(vertices_, std::min(faces_, left / kTriangleBytes));
    return true;
  }

  bool readVertex(std::uint64_t vertex) {
    std::string_view line;
    if (!nextLine(line)) return false;
    Words words(line);
    Eigen::Vector3d p;
    for (int axis = 0; axis < 3; ++axis) {
      const Found found = words.number(p[axis]);
      if (found == Found::Value) continue;
      return fail(stream_.remaining() == 0 ? Reason::Truncated : Reason::Malformed,
                  found == Found::Nothing
                      ? say("vertex ", vertex, " has ", axis,
                            " of 3 coordinates; the file is damaged or cut")
                      : say("a coordinate of vertex ", vertex, " reads ", inQuotes(words.word()),
                            ", which is no number; the file is damaged"));
    }
    if (!MeshBuilder::isStorable(p)) {
      return fail(Reason::NotFinite,
                  say(MeshBuilder::whyNotStorable(p), "; repair the file where it was made"));
    }
    builder_.addPosition(p);
    // normals, colours and texture coordinates may follow
    return onlyNumbersFollow(words, say("vertex ", vertex));
  }

  bool readFace(std::uint64_t face) {
    std::string_view line;
    if (!nextLine(line)) return false;
    Words words(line);
    std::int64_t count = 0;
    if (words.integer(count) != Found::Value || count < 0) {
      return fail(Reason::Malformed,
                  say("face ", face, " begins with ", inQuotes(words.word()),
                      " and not with its number of corners; the counts are wrong or the file is "
                      "damaged"));
    }
    corners_.clear();
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t vertex = 0;
      const Found found = words.integer(vertex);
      if (found != Found::Value) {
        return fail(stream_.remaining() == 0 ? Reason::Truncated : Reason::Malformed,
                    found == Found::Nothing
                        ? say("face ", face, " declares ", written(count),
                              count == 1 ? " corner" : " corners", " and names ", i,
                              "; the file is damaged or cut")
                        : say("a corner of face ", face, " reads ", inQuotes(words.word()),
                              ", which is no vertex number; the file is damaged"));
      }
      if (vertex < 0 || static_cast<std::uint64_t>(vertex) >= vertices_) {
        return fail(
            Reason::IndexOutOfRange,
            say("face ", face, " names vertex ", written(vertex), ", but they run from 0 to ",
                static_cast<std::int64_t>(vertices_) - 1, "; the file is damaged"));
      }
      corners_.push_back(static_cast<std::uint32_t>(vertex));
    }
    builder_.addFace(corners_);
    return onlyNumbersFollow(words, say("face ", face));  // a colour may follow
  }

  bool onlyNumbersFollow(Words& words, const std::string& what) {
    while (!words.done()) {
      double ignored = 0.0;
      if (words.number(ignored) == Found::Value) continue;
      return fail(Reason::Malformed, say("after ", what, " stands ", inQuotes(words.word()),
                                         ", which is no number; the file is damaged"));
    }
    return true;
  }

  bool fail(Reason reason, std::string_view what) {
    error_ = label_.atLine(reason, std::max<std::uint64_t>(stream_.lineNumber(), 1), what);
    return false;
  }

  const ByteSource& source_;
  const FileLabel& label_;
  ByteStream stream_;
  MeshBuilder builder_;
  std::string_view held_;  // a line that was looked at and is still to be read; empty: none
  std::uint64_t vertices_ = 0, faces_ = 0;
  std::vector<std::uint32_t> corners_;
  Error error_;
};

}  // namespace

Result<LoadedMesh> parseOff(const ByteSource& source, const FileLabel& label) {
  return OffReader(source, label).read();
}

}  // namespace tactus::models
