#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "models/mesh/mesh.hpp"
#include "models/mesh/result.hpp"

namespace tactus::models {

/// Formats that can be read. The first bytes decide, then the name's ending; a file whose ending
/// contradicts its content is read by its content.
enum class MeshFormat : std::uint8_t { Obj, Stl, Ply, Off, Gltf, Glb };

/// A mesh with what a person wants to know of where it came from.
struct LoadedMesh {
  Mesh mesh;
  MeshFormat format = MeshFormat::Obj;
  std::uint64_t fileBytes = 0;
  std::uint64_t polygons = 0;  ///< faces with more than three corners that were cut into triangles
  std::uint64_t droppedFaces = 0;  ///< faces with fewer than three corners, which have no area
  /// What the mesh's floats lost of each position in the file, for those who need it exactly:
  /// mesh.position(v) + remainders[v] has twice a float's bits. Empty if nothing was lost.
  std::vector<Eigen::Vector3f> remainders;
};

/// Reads OBJ, STL (ascii, binary), PLY (ascii, binary little and big endian), OFF, glTF and GLB.
///
/// Polygons are cut into triangles. Vertices stay as the file has them, except for STL, which has
/// none: there equal positions become one vertex. Never trusts a count in a header: memory grows
/// with the bytes that are really there. Parsing is independent of the locale.
[[nodiscard]] Result<LoadedMesh> readMesh(const std::filesystem::path& file);

/// Encodings of a PLY file.
enum class PlyEncoding : std::uint8_t { Ascii, BinaryLittleEndian, BinaryBigEndian };

/// What writeMesh may do.
struct WriteSettings {
  PlyEncoding plyEncoding = PlyEncoding::BinaryLittleEndian;
  bool overwrites = false;  ///< else an existing file is an error and stays as it is
};

/// Writes OBJ or PLY, by the name's ending. A reader gets the same positions back to the bit. The
/// file appears whole or not at all: it is written beside its place and then renamed.
[[nodiscard]] Result<Done> writeMesh(const Mesh& mesh, const std::filesystem::path& file,
                                     const WriteSettings& settings = {});

/// "obj", "stl", ...
[[nodiscard]] std::string_view nameOf(MeshFormat format) noexcept;

}  // namespace tactus::models
