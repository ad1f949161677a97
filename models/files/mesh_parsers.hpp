#pragma once
#include <filesystem>

#include "models/files/byte_source.hpp"
#include "models/files/file_label.hpp"
#include "models/files/mesh_file.hpp"
#include "models/mesh/result.hpp"

// The readers behind readMesh, one file each. They work on any bytes, so that tests and fuzz
// targets need no files, and hold no more of them than a block. `label` names the bytes in
// sentences.
namespace tactus::models {

/// Format by content, then by the name's ending.
[[nodiscard]] Result<MeshFormat> recognise(const ByteSource& source,
                                           const std::filesystem::path& name,
                                           const FileLabel& label);

/// Wavefront OBJ: v and f (polygons, negative and forward references, continued lines); everything
/// else of the format is no geometry of ours and skipped.
[[nodiscard]] Result<LoadedMesh> parseObj(const ByteSource& source, const FileLabel& label);

/// STL, ascii or binary. The binary header is free text and may begin with "solid", so the size
/// decides: 84 + 50 bytes a triangle.
[[nodiscard]] Result<LoadedMesh> parseStl(const ByteSource& source, const FileLabel& label);
[[nodiscard]] bool isBinaryStl(const ByteSource& source);

/// Stanford PLY 1.0 in all three encodings, with any other elements and properties.
[[nodiscard]] Result<LoadedMesh> parsePly(const ByteSource& source, const FileLabel& label);

/// Geomview OFF and its relatives COFF, NOFF, STOFF.
[[nodiscard]] Result<LoadedMesh> parseOff(const ByteSource& source, const FileLabel& label);

/// glTF 2.0, as JSON or as GLB; `folder` is where its other files lie, empty if there is none.
[[nodiscard]] Result<LoadedMesh> parseGltf(const ByteSource& source, const FileLabel& label,
                                           const std::filesystem::path& folder = {});

/// The reader of `format`.
[[nodiscard]] Result<LoadedMesh> parseMesh(MeshFormat format, const ByteSource& source,
                                           const FileLabel& label,
                                           const std::filesystem::path& folder = {});

}  // namespace tactus::models
