#pragma once
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>

#include "models/files/byte_source.hpp"
#include "models/files/file_label.hpp"
#include "models/files/mesh_parsers.hpp"

namespace tactus::models::test {

inline std::string complaintAbout(const Error& error) {
  const std::string& s = error.sentence;
  if (!s.starts_with("fuzzed") || !s.ends_with('.')) return "no sentence that names the file: " + s;
  for (const char c : s) {
    if (static_cast<unsigned char>(c) < 0x20) return "a control character in: " + s;
  }
  if (s.size() > 400) return "too long for one sentence: " + s;
  return {};
}

inline std::string complaintAbout(const LoadedMesh& loaded) {
  const Mesh& mesh = loaded.mesh;
  if (mesh.triangles.empty()) return "a mesh without triangles is not an error";
  if (!mesh.origin.allFinite()) return "the origin is not finite";
  for (const Eigen::Vector3f& p : mesh.positions) {
    if (!p.allFinite()) return "a position is not finite";
  }
  for (const Triangle& t : mesh.triangles) {
    for (const std::uint32_t corner : t) {
      if (corner >= mesh.positions.size()) return "a triangle names a vertex that does not exist";
    }
  }
  return {};
}

/// What is wrong with how a loader took these bytes; empty if nothing is. Any bytes must give a
/// sound mesh or a proper sentence, and the same one whatever the size of the blocks they come in.
inline std::string complaint(MeshFormat format, std::span<const std::byte> bytes) {
  const FileLabel label("fuzzed");
  const auto parse = [&](std::size_t block) {
    return parseMesh(format, MemoryBytes(bytes, block), label);
  };
  const Result<LoadedMesh> whole = parse(ByteSource::kBlockBytes);
  std::string found = whole.ok() ? complaintAbout(whole.value()) : complaintAbout(whole.error());
  if (!found.empty()) return found;

  const Result<LoadedMesh> pieces = parse(7);
  if (whole.ok() != pieces.ok()) return "small blocks decide otherwise";
  if (!whole.ok()) {
    return whole.error().sentence == pieces.error().sentence ? "" : "small blocks say otherwise";
  }
  const Mesh& a = whole.value().mesh;
  const Mesh& b = pieces.value().mesh;
  const bool same =
      a.origin == b.origin && a.positions == b.positions && a.triangles == b.triangles;
  return same ? "" : "small blocks give another mesh";
}

}  // namespace tactus::models::test
