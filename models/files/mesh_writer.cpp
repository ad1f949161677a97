#include <bit>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "models/files/byte_order.hpp"
#include "models/files/mesh_builder.hpp"
#include "models/files/mesh_file.hpp"
#include "models/files/whole_file.hpp"
#include "models/files/words.hpp"

// What is written is Mesh::position as a double, in the shortest decimals that give the same double
// back (std::to_chars). The reader subtracts an origin and rounds to float again; that is exact if
// it chooses the same origin. So where its own rule (meshFromPositions) would choose another one,
// the origin stands in a comment.
namespace tactus::models {
namespace {

constexpr std::size_t kLineBytes = 128;  // a vertex: three numbers of at most 24 characters
static_assert(kLineBytes <= WholeFile::kRoom);

char* putNumber(char* at, double value) {
  return std::to_chars(at, at + 32, value).ptr;
}
char* putNumber(char* at, std::uint32_t value) {
  return std::to_chars(at, at + 16, value).ptr;
}

/// "tactus origin X Y Z" if a reader could not find the origin by itself, else nothing.
std::string originComment(const Mesh& mesh) {
  const Bounds box = mesh.bounds();
  const Eigen::Vector3d found = meshFromPositions({box.lower, box.upper}, {}).origin;
  if (found == mesh.origin) return {};
  std::string comment(kOriginComment);
  for (int axis = 0; axis < 3; ++axis) {
    char digits[32];
    comment.append(" ").append(digits, putNumber(digits, mesh.origin[axis]));
  }
  return comment;
}

Result<Done> check(const Mesh& mesh, const FileLabel& label) {
  if (mesh.triangles.empty() || mesh.positions.empty()) {
    return label.whole(Reason::Empty, "the mesh has no triangles, so there is nothing to write");
  }
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    if (MeshBuilder::isStorable(mesh.position(static_cast<std::uint32_t>(i)))) continue;
    return label.whole(Reason::NotFinite, say("vertex ", i,
                                              " is not finite or too far away, so the "
                                              "mesh is not written; repair it first"));
  }
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (const std::uint32_t corner : mesh.triangles[i]) {
      if (corner < mesh.positions.size()) continue;
      return label.whole(
          Reason::IndexOutOfRange,
          say("triangle ", i, " names vertex ", corner, ", but there are ", mesh.positions.size(),
              ", so the mesh is not written; repair it first"));
    }
  }
  return Done{};
}

void writeTextPositions(const Mesh& mesh, std::string_view start, WholeFile& out) {
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const Eigen::Vector3d p = mesh.position(static_cast<std::uint32_t>(i));
    char* at = out.room(kLineBytes);
    for (const char c : start)
      *at++ = c;
    at = putNumber(at, p.x());
    *at++ = ' ';
    at = putNumber(at, p.y());
    *at++ = ' ';
    at = putNumber(at, p.z());
    *at++ = '\n';
    out.used(at);
  }
}

void writeTextTriangles(const Mesh& mesh, std::string_view start, std::uint32_t firstVertex,
                        WholeFile& out) {
  for (const Triangle& t : mesh.triangles) {
    char* at = out.room(kLineBytes);
    for (const char c : start)
      *at++ = c;
    for (const std::uint32_t corner : t) {
      *at++ = ' ';
      at = putNumber(at, corner + firstVertex);
    }
    *at++ = '\n';
    out.used(at);
  }
}

void writeObj(const Mesh& mesh, WholeFile& out) {
  out.write(say("# ", counted(mesh.positions.size(), "vertex", "vertices"), ", ",
                counted(mesh.triangles.size(), "triangle", "triangles"), "\n"));
  const std::string comment = originComment(mesh);
  if (!comment.empty()) out.write(say("# ", comment, "\n"));
  writeTextPositions(mesh, "v ", out);
  writeTextTriangles(mesh, "f", 1, out);
}

template <typename Coordinate>
void writeBinaryPositions(const Mesh& mesh, std::endian order, WholeFile& out) {
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const Eigen::Vector3d p = mesh.position(static_cast<std::uint32_t>(i));
    auto* const at = reinterpret_cast<std::byte*>(out.room(3 * sizeof(Coordinate)));
    for (int axis = 0; axis < 3; ++axis) {
      store(static_cast<Coordinate>(p[axis]),
            at + sizeof(Coordinate) * static_cast<std::size_t>(axis), order);
    }
    out.used(reinterpret_cast<char*>(at) + 3 * sizeof(Coordinate));
  }
}

void writeBinaryTriangles(const Mesh& mesh, std::endian order, WholeFile& out) {
  for (const Triangle& t : mesh.triangles) {
    auto* at = reinterpret_cast<std::byte*>(out.room(1 + sizeof(Triangle)));
    *at++ = std::byte{3};
    for (const std::uint32_t corner : t) {
      store(corner, at, order);
      at += sizeof(corner);
    }
    out.used(reinterpret_cast<char*>(at));
  }
}

void writePly(const Mesh& mesh, PlyEncoding encoding, WholeFile& out) {
  // Around zero every absolute position is a float; elsewhere it takes a double.
  const bool isFloat = mesh.origin == Eigen::Vector3d::Zero();
  const std::string_view real = isFloat ? "float" : "double";
  // int is what most programs write and read, as long as it can hold the numbers.
  const std::string_view whole = mesh.positions.size() <= 0x80000000U ? "int" : "uint";
  const std::string_view format = encoding == PlyEncoding::Ascii ? "ascii"
                                  : encoding == PlyEncoding::BinaryLittleEndian
                                      ? "binary_little_endian"
                                      : "binary_big_endian";
  out.write(say("ply\nformat ", format, " 1.0\n"));
  const std::string comment = originComment(mesh);
  if (!comment.empty()) out.write(say("comment ", comment, "\n"));
  out.write(say("element vertex ", mesh.positions.size(), "\nproperty ", real, " x\nproperty ",
                real, " y\nproperty ", real, " z\nelement face ", mesh.triangles.size(),
                "\nproperty list uchar ", whole, " vertex_indices\nend_header\n"));
  if (encoding == PlyEncoding::Ascii) {
    writeTextPositions(mesh, "", out);
    writeTextTriangles(mesh, "3", 0, out);
    return;
  }
  const std::endian order =
      encoding == PlyEncoding::BinaryBigEndian ? std::endian::big : std::endian::little;
  if (isFloat) {
    writeBinaryPositions<float>(mesh, order, out);
  } else {
    writeBinaryPositions<double>(mesh, order, out);
  }
  writeBinaryTriangles(mesh, order, out);
}

}  // namespace

Result<Done> writeMesh(const Mesh& mesh, const std::filesystem::path& file,
                       const WriteSettings& settings) {
  const FileLabel label(file.native());
  const std::string ending = file.extension().native();
  const bool isObj = sameLetters(ending, ".obj");
  if (!isObj && !sameLetters(ending, ".ply")) {
    return label.whole(Reason::UnknownFormat,
                       "the name tells no format that can be written; let it end in .obj or .ply");
  }
  Result<Done> checked = check(mesh, label);
  if (!checked.ok()) return checked;
  WholeFile out(file, settings.overwrites);
  Result<Done> opened = out.open();
  if (!opened.ok()) return opened;
  if (isObj) {
    writeObj(mesh, out);
  } else {
    writePly(mesh, settings.plyEncoding, out);
  }
  return out.finish();
}

}  // namespace tactus::models
