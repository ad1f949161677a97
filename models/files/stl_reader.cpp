#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "models/files/byte_order.hpp"
#include "models/files/byte_stream.hpp"
#include "models/files/mesh_builder.hpp"
#include "models/files/mesh_parsers.hpp"
#include "models/files/vertex_welder.hpp"
#include "models/files/words.hpp"

// Source: 3D Systems, "StereoLithography Interface Specification", 1989. Normals are not read: they
// follow from the corners and are often wrong. A file may hold several solids; they become one
// mesh.
namespace tactus::models {
namespace {

constexpr std::uint64_t kHeaderBytes = 84;  // 80 of free text, then the number of triangles
constexpr std::uint64_t kRecordBytes = 50;  // normal, three corners, two unused bytes
constexpr std::size_t kFirstCorner = 12;
constexpr std::size_t kCornerBytes = 12;
constexpr std::size_t kProbeBytes = 512;  // of text, to tell it from noise

std::vector<std::byte> firstBytes(const ByteSource& source, std::size_t count) {
  std::vector<std::byte> bytes(count);
  bytes.resize(source.read(0, bytes));
  return bytes;
}

std::uint64_t declaredTriangles(const ByteSource& source) {
  std::array<std::byte, 4> count{};
  if (source.read(80, count) < count.size()) return 0;
  return load<std::uint32_t>(count.data(), std::endian::little);
}

// Begins with "solid", or holds "facet" before anything that is no text: what reads its first word
// then says what is wrong with it.
bool isAscii(const ByteSource& source) {
  const std::vector<std::byte> probe = firstBytes(source, kProbeBytes);
  const std::string_view text(reinterpret_cast<const char*>(probe.data()), probe.size());
  std::string_view start = text;
  if (start.starts_with("\xEF\xBB\xBF")) start.remove_prefix(3);
  return text.find('\0') == std::string_view::npos &&
         (sameLetters(Words(start.substr(0, start.find('\n'))).next(), "solid") ||
          text.find("facet") != std::string_view::npos);
}

Result<LoadedMesh> parseBinary(const ByteSource& source, const FileLabel& label) {
  const std::uint64_t size = source.size();
  if (size < kHeaderBytes) {
    return label.whole(Reason::Truncated,
                       say("the file has ", counted(size, "byte", "bytes"),
                           ", less than the header of an STL file; it is cut or no STL file"));
  }
  const std::uint64_t triangles = declaredTriangles(source);
  const std::uint64_t expected = kHeaderBytes + kRecordBytes * triangles;
  if (size != expected) {
    return label.atByte(
        size < expected ? Reason::Truncated : Reason::WrongCount, 80,
        say("the header declares ", counted(triangles, "triangle", "triangles"), " (", expected,
            " bytes), but the file has ", size, "; it is damaged, cut or no STL file"));
  }

  ByteStream stream(source);
  MeshBuilder builder;
  VertexWelder welder;
  builder.reserve(triangles / 2, triangles);  // a closed surface has half as many vertices
  if (!stream.skip(kHeaderBytes)) return builder.finish(MeshFormat::Stl, source, label);
  for (std::uint64_t i = 0; i < triangles; ++i) {
    const std::byte* const record = stream.take(kRecordBytes);
    if (record == nullptr) {
      return label.atByte(Reason::Truncated, stream.offset(),
                          "the file ended while it was read; load it again");
    }
    Triangle corners{};
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::byte* const at = record + kFirstCorner + kCornerBytes * corner;
      const Eigen::Vector3d p(load<float>(at, std::endian::little),
                              load<float>(at + 4, std::endian::little),
                              load<float>(at + 8, std::endian::little));
      if (!MeshBuilder::isStorable(p)) {
        return label.atByte(Reason::NotFinite,
                            stream.offset() - kRecordBytes + kFirstCorner + kCornerBytes * corner,
                            say(MeshBuilder::whyNotStorable(p), " (triangle ", i,
                                "); repair the file where it was made"));
      }
      corners[corner] = welder.add(p, builder.positions());
    }
    builder.addTriangle(corners[0], corners[1], corners[2]);
  }
  return builder.finish(MeshFormat::Stl, source, label);
}

/// Reads words and not lines, as some programs break lines elsewhere than the specification does;
/// only a solid's name, which may hold any words, ends with its line.
class AsciiStlReader {
 public:
  AsciiStlReader(const ByteSource& source, const FileLabel& label)
      : source_(source), label_(label), stream_(source) {}

  Result<LoadedMesh> read() {
    std::string_view line;
    LineStatus status = LineStatus::Text;
    while ((status = stream_.nextLine(line)) == LineStatus::Text) {
      if (!readLine(Words(line))) return error_;
    }
    if (status == LineStatus::TooLong) {
      return label_.atLine(Reason::Malformed, stream_.lineNumber() + 1,
                           "the line does not end; this is no STL file");
    }
    if (inSolid_) {
      return label_.atLine(
          Reason::Truncated, stream_.lineNumber(),
          "the file ends before \"endsolid\" (the line of \"solid\" holds its name "
          "alone); it is cut");
    }
    return builder_.finish(MeshFormat::Stl, source_, label_);
  }

 private:
  bool readLine(Words words) {
    if (coordinates_ > 0 && !readCoordinates(words)) return false;
    while (coordinates_ == 0) {
      const std::string_view word = words.next();
      if (word.empty()) return true;
      // Numbers of a normal; what they say does not matter, not even "nan".
      if (normalWords_ > 0) {
        --normalWords_;
        continue;
      }
      if (!inSolid_) {
        if (!sameLetters(word, "solid")) return unexpected(word, "\"solid\"");
        inSolid_ = true;
        return true;  // its name follows
      }
      if (sameLetters(word, "facet")) {
        if (inFacet_) return unexpected(word, "\"endfacet\"");
        inFacet_ = true;
        corners_.clear();
      } else if (sameLetters(word, "endfacet")) {
        if (!endFacet(word)) return false;
      } else if (sameLetters(word, "vertex")) {
        if (!inLoop_) return unexpected(word, "\"outer loop\"");
        coordinates_ = 3;
        if (!readCoordinates(words)) return false;
      } else if (sameLetters(word, "normal")) {
        normalWords_ = 3;
      } else if (sameLetters(word, "loop")) {
        if (inLoop_) return unexpected(word, "\"endloop\"");
        if (!inFacet_) return unexpected(word, "\"facet\"");
        if (!corners_.empty()) return unexpected(word, "\"endfacet\"");
        inLoop_ = true;
      } else if (sameLetters(word, "endloop")) {
        if (!endLoop(word)) return false;
      } else if (sameLetters(word, "endsolid")) {
        if (inLoop_) return unexpected(word, "\"endloop\"");
        if (inFacet_) return unexpected(word, "\"endfacet\"");
        inSolid_ = false;
        return true;  // its name follows
      } else if (!sameLetters(word, "outer")) {
        return unexpected(word, "a word of an STL file");
      }
    }
    return true;
  }

  bool readCoordinates(Words& words) {
    while (coordinates_ > 0) {
      const Found found = words.number(vertex_[3 - coordinates_]);
      if (found == Found::Nothing) return true;  // goes on in the next line
      if (found == Found::Nonsense) return unexpected(words.word(), "a coordinate");
      --coordinates_;
    }
    if (!MeshBuilder::isStorable(vertex_)) {
      return fail(Reason::NotFinite,
                  say(MeshBuilder::whyNotStorable(vertex_), "; repair the file where it was made"));
    }
    corners_.push_back(welder_.add(vertex_, builder_.positions()));
    return true;
  }

  bool endLoop(std::string_view word) {
    if (!inLoop_) return unexpected(word, "\"outer loop\"");
    inLoop_ = false;
    return corners_.size() == 3 || wrongCorners();
  }

  bool endFacet(std::string_view word) {
    if (inLoop_) return unexpected(word, "\"endloop\"");
    if (!inFacet_) return unexpected(word, "\"facet\"");
    if (corners_.size() != 3) return wrongCorners();
    builder_.addTriangle(corners_[0], corners_[1], corners_[2]);
    inFacet_ = false;
    return true;
  }

  bool wrongCorners() {
    return fail(Reason::Malformed,
                say("the facet has ", counted(corners_.size(), "corner", "corners"),
                    " and must have three; the file is damaged"));
  }

  bool unexpected(std::string_view word, std::string_view wanted) {
    return fail(Reason::Malformed, say(inQuotes(word), " stands where ", wanted,
                                       " should; the file is damaged or cut"));
  }
  bool fail(Reason reason, std::string_view what) {
    error_ = label_.atLine(reason, stream_.lineNumber(), what);
    return false;
  }

  const ByteSource& source_;
  const FileLabel& label_;
  ByteStream stream_;
  MeshBuilder builder_;
  VertexWelder welder_;
  std::vector<std::uint32_t> corners_;
  Eigen::Vector3d vertex_ = Eigen::Vector3d::Zero();
  int coordinates_ = 0;  // of vertex_, still to come
  int normalWords_ = 0;  // of a normal, still to come
  bool inSolid_ = false;
  bool inFacet_ = false;
  bool inLoop_ = false;
  Error error_;
};

}  // namespace

bool isBinaryStl(const ByteSource& source) {
  const std::uint64_t triangles = declaredTriangles(source);
  return triangles > 0 && source.size() == kHeaderBytes + kRecordBytes * triangles;
}

Result<LoadedMesh> parseStl(const ByteSource& source, const FileLabel& label) {
  if (!isBinaryStl(source) && isAscii(source)) return AsciiStlReader(source, label).read();
  return parseBinary(source, label);
}

}  // namespace tactus::models
