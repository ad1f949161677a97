#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "models/files/byte_order.hpp"
#include "models/files/byte_stream.hpp"
#include "models/files/mesh_builder.hpp"
#include "models/files/mesh_parsers.hpp"
#include "models/files/words.hpp"

// Source: Greg Turk, "The PLY Polygon File Format", 1994.
namespace tactus::models {
namespace {

enum class Scalar : std::uint8_t { Int8, UInt8, Int16, UInt16, Int32, UInt32, Float32, Float64 };

enum class Role : std::uint8_t { Other, X, Y, Z, Corners };

enum class Kind : std::uint8_t { Other, Vertex, Face };

struct Property {
  std::string name;
  Scalar type = Scalar::Float32;
  bool isList = false;
  Scalar countType = Scalar::UInt8;  // of a list
  Role role = Role::Other;
};

struct Element {
  std::string name;
  Kind kind = Kind::Other;
  std::uint64_t count = 0;
  std::vector<Property> properties;
};

bool scalarFromName(std::string_view name, Scalar& type) {
  struct Name {
    std::string_view old, sized;
    Scalar type;
  };
  static constexpr Name kNames[] = {
      {"char", "int8", Scalar::Int8},        {"uchar", "uint8", Scalar::UInt8},
      {"short", "int16", Scalar::Int16},     {"ushort", "uint16", Scalar::UInt16},
      {"int", "int32", Scalar::Int32},       {"uint", "uint32", Scalar::UInt32},
      {"float", "float32", Scalar::Float32}, {"double", "float64", Scalar::Float64}};
  for (const Name& known : kNames) {
    if (name != known.old && name != known.sized) continue;
    type = known.type;
    return true;
  }
  return false;
}

bool isWhole(Scalar type) {
  return type != Scalar::Float32 && type != Scalar::Float64;
}

std::size_t sizeOf(Scalar type) {
  switch (type) {
    case Scalar::Int8:
    case Scalar::UInt8:
      return 1;
    case Scalar::Int16:
    case Scalar::UInt16:
      return 2;
    case Scalar::Int32:
    case Scalar::UInt32:
    case Scalar::Float32:
      return 4;
    case Scalar::Float64:
      break;
  }
  return 8;
}

std::int64_t wholeFrom(const std::byte* at, Scalar type, std::endian order) {
  switch (type) {
    case Scalar::Int8:
      return load<std::int8_t>(at, order);
    case Scalar::UInt8:
      return load<std::uint8_t>(at, order);
    case Scalar::Int16:
      return load<std::int16_t>(at, order);
    case Scalar::UInt16:
      return load<std::uint16_t>(at, order);
    case Scalar::Int32:
      return load<std::int32_t>(at, order);
    default:
      return load<std::uint32_t>(at, order);
  }
}

double numberFrom(const std::byte* at, Scalar type, std::endian order) {
  if (type == Scalar::Float32) return load<float>(at, order);
  if (type == Scalar::Float64) return load<double>(at, order);
  return static_cast<double>(wholeFrom(at, type, order));
}

class PlyReader {
 public:
  PlyReader(const ByteSource& source, const FileLabel& label)
      : source_(source), label_(label), stream_(source) {}

  Result<LoadedMesh> read() {
    if (!readHeader() || !assignRoles() || !checkCounts()) return error_;
    for (const Element& element : elements_) {
      if (element.properties.empty()) continue;  // takes no room
      if (!(ascii_ ? readAscii(element) : readBinary(element))) return error_;
    }
    if (!checkEnd()) return error_;
    return builder_.finish(MeshFormat::Ply, source_, label_);
  }

 private:
  // ---- header ----

  bool readHeader() {
    std::string_view line;
    bool hasFormat = false;
    if (stream_.nextLine(line) != LineStatus::Text || Words(line).next() != "ply") {
      return failLine(Reason::Malformed,
                      "the file does not begin with \"ply\"; it is damaged or of another format");
    }
    for (;;) {
      const LineStatus status = stream_.nextLine(line);
      if (status == LineStatus::End) {
        return failLine(Reason::Truncated, "the file ends within its header; it is cut");
      }
      if (status == LineStatus::TooLong) {
        return failLine(Reason::Malformed, "the header's line does not end; the file is damaged");
      }
      Words words(line);
      const std::string_view key = words.next();
      if (key.empty() || key == "obj_info") continue;
      if (key == "comment") {
        builder_.noteComment(words);
      } else if (key == "end_header") {
        if (hasFormat) return true;
        return failLine(Reason::Malformed, "the header names no format; the file is damaged");
      } else if (key == "format") {
        hasFormat = true;
        if (!readFormat(words)) return false;
      } else if (key == "element") {
        if (!readElement(words)) return false;
      } else if (key == "property") {
        if (!readProperty(words)) return false;
      } else {
        return failLine(Reason::Malformed,
                        say(inQuotes(key), " is no word of a PLY header; the file is damaged"));
      }
    }
  }

  bool readFormat(Words& words) {
    const std::string_view name = words.next();
    ascii_ = name == "ascii";
    order_ = name == "binary_big_endian" ? std::endian::big : std::endian::little;
    if (!ascii_ && name != "binary_little_endian" && name != "binary_big_endian") {
      return failLine(Reason::Unsupported, say("the format ", inQuotes(name),
                                               " is not known; save the file as ascii or "
                                               "binary_little_endian"));
    }
    if (words.next() != "1.0") {
      return failLine(Reason::Unsupported,
                      "only version 1.0 of PLY is read; save the file as such");
    }
    return true;
  }

  bool readElement(Words& words) {
    Element element;
    element.name = words.next();
    std::int64_t count = 0;
    if (element.name.empty() || words.integer(count) != Found::Value || count < 0) {
      return failLine(Reason::Malformed,
                      "an element needs a name and a count; the file is damaged");
    }
    element.count = static_cast<std::uint64_t>(count);
    elements_.push_back(std::move(element));
    return true;
  }

  bool readProperty(Words& words) {
    if (elements_.empty()) {
      return failLine(Reason::Malformed,
                      "a property stands before any element; the file is damaged");
    }
    Property property;
    std::string_view type = words.next();
    bool known = true;
    if (type == "list") {
      property.isList = true;
      known = scalarFromName(words.next(), property.countType) && isWhole(property.countType);
      if (known) type = words.next();
    }
    known = known && scalarFromName(type, property.type);
    if (!known) {
      return failLine(Reason::Malformed,
                      say("the property has the type ", inQuotes(words.word()),
                          ", which PLY does not have here; the file is damaged"));
    }
    property.name = words.next();
    if (property.name.empty()) {
      return failLine(Reason::Malformed, "the property has no name; the file is damaged");
    }
    elements_.back().properties.push_back(std::move(property));
    return true;
  }

  bool assignRoles() {
    bool hasVertices = false;
    bool hasFaces = false;
    for (Element& element : elements_) {
      const bool isVertex = element.name == "vertex";
      const bool isFace = element.name == "face";
      element.kind = isVertex ? Kind::Vertex : isFace ? Kind::Face : Kind::Other;
      if ((isVertex && hasVertices) || (isFace && hasFaces)) {
        return failWhole(Reason::Malformed, say("the header declares ", inQuotes(element.name),
                                                " twice; the file is damaged"));
      }
      if (isVertex) {
        hasVertices = true;
        vertices_ = element.count;
        for (const Role axis : {Role::X, Role::Y, Role::Z}) {
          const std::string_view name = axis == Role::X ? "x" : axis == Role::Y ? "y" : "z";
          const auto found = std::ranges::find_if(
              element.properties, [&](const Property& p) { return p.name == name && !p.isList; });
          if (found == element.properties.end()) {
            return failWhole(Reason::Malformed,
                             say("the vertices have no coordinate ", inQuotes(name),
                                 "; export the object with positions"));
          }
          found->role = axis;
        }
      } else if (isFace) {
        hasFaces = true;
        const auto found = std::ranges::find_if(element.properties, [](const Property& p) {
          return p.isList && (p.name == "vertex_indices" || p.name == "vertex_index");
        });
        if (found == element.properties.end() || !isWhole(found->type)) {
          return failWhole(Reason::Malformed,
                           "the faces have no list of whole numbers named "
                           "vertex_indices; export the object again");
        }
        found->role = Role::Corners;
      }
    }
    for (const Element& element : elements_) {
      if (hasFaces || (element.name != "tristrips" && element.name != "range_grid")) continue;
      return failWhole(Reason::Unsupported, say("the surface is stored as ", inQuotes(element.name),
                                                ", which is not read; convert it to faces"));
    }
    if (!hasVertices) {
      return failWhole(Reason::Empty, "the header declares no vertices; export a surface mesh");
    }
    return true;
  }

  /// The fewest bytes that one element can take.
  [[nodiscard]] std::uint64_t leastBytes(const Element& element) const {
    if (ascii_) return 2 * element.properties.size();  // a digit and a separator
    std::uint64_t bytes = 0;
    for (const Property& p : element.properties)
      bytes += sizeOf(p.isList ? p.countType : p.type);
    return bytes;
  }

  /// Refuses counts that the file's size contradicts, before any memory is asked for.
  bool checkCounts() {
    const std::uint64_t body = stream_.remaining();
    std::uint64_t left = body + (ascii_ ? 1 : 0);  // the last line may lack its end
    std::uint64_t triangles = 0;
    for (const Element& element : elements_) {
      const std::uint64_t least = leastBytes(element);
      if (least == 0) continue;
      if (element.count > left / least) {
        return failWhole(
            Reason::Truncated,
            say("the header declares ", written(static_cast<std::int64_t>(element.count)), " of ",
                inQuotes(element.name), ", but only ",
                counted(body, "byte follows", "bytes follow"), " it; the file is damaged or cut"));
      }
      left -= element.count * least;
      for (const Property& p : element.properties) {
        if (p.role != Role::Corners) continue;
        const std::uint64_t usual = ascii_ ? 8 : least + 3 * sizeOf(p.type);  // "3 0 1 2\n"
        triangles = std::min(element.count, body / usual + 1);
      }
    }
    builder_.reserve(vertices_, triangles);
    return true;
  }

  // ---- ascii ----

  bool readAscii(const Element& element) {
    for (std::uint64_t i = 0; i < element.count; ++i) {
      std::string_view line;
      if (!nextTextLine(line)) {
        return error_.sentence.empty()
                   ? failLine(Reason::Truncated,
                              say("the file ends after ", i, " of ", element.count, " of ",
                                  inQuotes(element.name), "; it is cut"))
                   : false;
      }
      Words words(line);
      if (!readAsciiRecord(element, i, words)) return false;
      if (!words.done()) {
        return failLine(Reason::WrongCount,
                        say(inQuotes(element.name), " ", i,
                            " has more values than the header declares "
                            "for it; the counts are wrong or the file is damaged"));
      }
      finishRecord(element);
    }
    return true;
  }

  bool readAsciiRecord(const Element& element, std::uint64_t i, Words& words) {
    for (const Property& property : element.properties) {
      if (property.isList) {
        if (!readAsciiList(element, property, i, words)) return false;
      } else if (property.role == Role::Other) {
        if (words.next().empty()) return missingValue(element, i, property.name);
      } else {
        double& value = vertex_[static_cast<int>(property.role) - static_cast<int>(Role::X)];
        const Found found = words.number(value);
        if (found == Found::Nothing) return missingValue(element, i, property.name);
        if (found == Found::Nonsense) return noNumber(element, i, words.word());
      }
    }
    if (element.kind == Kind::Vertex && !MeshBuilder::isStorable(vertex_)) {
      return failLine(Reason::NotFinite, say(MeshBuilder::whyNotStorable(vertex_),
                                             "; repair the file where it was made"));
    }
    return true;
  }

  bool readAsciiList(const Element& element, const Property& property, std::uint64_t i,
                     Words& words) {
    std::int64_t count = 0;
    const Found found = words.integer(count);
    if (found == Found::Nothing) return missingValue(element, i, property.name);
    if (found == Found::Nonsense || count < 0) return noNumber(element, i, words.word());
    if (property.role != Role::Corners) {
      for (std::int64_t k = 0; k < count; ++k) {
        if (words.next().empty()) return missingValue(element, i, property.name);
      }
      return true;
    }
    corners_.clear();
    for (std::int64_t k = 0; k < count; ++k) {
      std::int64_t vertex = 0;
      const Found corner = words.integer(vertex);
      if (corner == Found::Nothing) return missingValue(element, i, property.name);
      if (corner == Found::Nonsense) return noNumber(element, i, words.word());
      if (vertex < 0 || static_cast<std::uint64_t>(vertex) >= vertices_) {
        return failLine(Reason::IndexOutOfRange, noSuchVertex(i, vertex));
      }
      corners_.push_back(static_cast<std::uint32_t>(vertex));
    }
    return true;
  }

  bool missingValue(const Element& element, std::uint64_t i, std::string_view property) {
    return failLine(stream_.remaining() == 0 ? Reason::Truncated : Reason::Malformed,
                    say(inQuotes(element.name), " ", i, " ends before its ", inQuotes(property),
                        "; the file is damaged or cut"));
  }
  bool noNumber(const Element& element, std::uint64_t i, std::string_view word) {
    return failLine(
        Reason::Malformed,
        say(inQuotes(element.name), " ", i, " holds ", inQuotes(word),
            " where a number should stand; the counts are wrong or the file is damaged"));
  }

  /// The next line that is not blank.
  bool nextTextLine(std::string_view& line) {
    LineStatus status = LineStatus::Text;
    while ((status = stream_.nextLine(line)) == LineStatus::Text) {
      if (!Words(line).done()) return true;
    }
    if (status == LineStatus::TooLong) {
      failLine(Reason::Malformed, "the line does not end; the file is damaged");
    }
    return false;
  }

  // ---- binary ----

  bool readBinary(const Element& element) {
    for (std::uint64_t i = 0; i < element.count; ++i) {
      const std::uint64_t start = stream_.offset();
      for (const Property& property : element.properties) {
        if (property.isList) {
          if (!readBinaryList(element, property, i)) return false;
          continue;
        }
        const std::byte* const at = stream_.take(sizeOf(property.type));
        if (at == nullptr) return cutIn(element, i);
        if (property.role == Role::Other) continue;
        vertex_[static_cast<int>(property.role) - static_cast<int>(Role::X)] =
            numberFrom(at, property.type, order_);
      }
      if (element.kind == Kind::Vertex && !MeshBuilder::isStorable(vertex_)) {
        return failByte(Reason::NotFinite, start,
                        say(MeshBuilder::whyNotStorable(vertex_), " (vertex ", i,
                            "); repair the file where it was made"));
      }
      finishRecord(element);
    }
    return true;
  }

  bool readBinaryList(const Element& element, const Property& property, std::uint64_t i) {
    const std::byte* const countAt = stream_.take(sizeOf(property.countType));
    if (countAt == nullptr) return cutIn(element, i);
    const std::int64_t count = wholeFrom(countAt, property.countType, order_);
    if (count < 0) {
      return failByte(Reason::Malformed, stream_.offset(),
                      say(inQuotes(element.name), " ", i, " has a list of ", count,
                          " values; the file is damaged"));
    }
    const std::uint64_t bytes = static_cast<std::uint64_t>(count) * sizeOf(property.type);
    if (property.role != Role::Corners) {
      return stream_.skip(bytes) || cutIn(element, i);
    }
    const std::byte* const items =
        bytes <= stream_.remaining() ? stream_.take(static_cast<std::size_t>(bytes)) : nullptr;
    if (items == nullptr) return cutIn(element, i);
    corners_.clear();
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
      const std::int64_t vertex =
          wholeFrom(items + k * sizeOf(property.type), property.type, order_);
      if (vertex < 0 || static_cast<std::uint64_t>(vertex) >= vertices_) {
        return failByte(Reason::IndexOutOfRange,
                        stream_.offset() - bytes + k * sizeOf(property.type),
                        noSuchVertex(i, vertex));
      }
      corners_.push_back(static_cast<std::uint32_t>(vertex));
    }
    return true;
  }

  bool cutIn(const Element& element, std::uint64_t i) {
    return failByte(Reason::Truncated, source_.size(),
                    say("the file ends within ", inQuotes(element.name), " ", i, " of ",
                        element.count, "; it is cut or damaged"));
  }

  // ---- both ----

  void finishRecord(const Element& element) {
    if (element.kind == Kind::Vertex) {
      builder_.addPosition(vertex_);
    } else if (element.kind == Kind::Face) {
      builder_.addFace(corners_);
    }
  }

  /// Nothing but blanks may follow.
  bool checkEnd() {
    while (const std::byte* const next = stream_.take(1)) {
      const auto c = std::to_integer<char>(*next);
      if (c == ' ' || (c >= '\t' && c <= '\r')) continue;
      return failByte(Reason::WrongCount, stream_.offset() - 1,
                      "more follows than the header declares; correct its counts");
    }
    return true;
  }

  [[nodiscard]] std::string noSuchVertex(std::uint64_t face, std::int64_t vertex) const {
    return say("face ", face, " names vertex ", written(vertex), ", but there ",
               vertices_ == 1 ? "is " : "are ", vertices_,
               " and they count from 0; the file is damaged");
  }
  bool failLine(Reason reason, std::string_view what) {
    error_ = label_.atLine(reason, std::max<std::uint64_t>(stream_.lineNumber(), 1), what);
    return false;
  }
  bool failByte(Reason reason, std::uint64_t byte, std::string_view what) {
    error_ = label_.atByte(reason, byte, what);
    return false;
  }
  bool failWhole(Reason reason, std::string_view what) {
    error_ = label_.whole(reason, what);
    return false;
  }

  const ByteSource& source_;
  const FileLabel& label_;
  ByteStream stream_;
  MeshBuilder builder_;
  std::vector<Element> elements_;
  bool ascii_ = true;
  std::endian order_ = std::endian::little;
  std::uint64_t vertices_ = 0;
  Eigen::Vector3d vertex_ = Eigen::Vector3d::Zero();  // of the record at hand
  std::vector<std::uint32_t> corners_;                // of the record at hand
  Error error_;
};

}  // namespace

Result<LoadedMesh> parsePly(const ByteSource& source, const FileLabel& label) {
  return PlyReader(source, label).read();
}

}  // namespace tactus::models
