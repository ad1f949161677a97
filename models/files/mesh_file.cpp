#include "models/files/mesh_file.hpp"

#include <array>
#include <new>
#include <string>

#include "models/files/byte_source.hpp"
#include "models/files/file_label.hpp"
#include "models/files/mesh_parsers.hpp"
#include "models/files/words.hpp"

namespace tactus::models {
namespace {

constexpr std::string_view kKnownFormats = "OBJ, STL, PLY, OFF, glTF and GLB";

struct Ending {
  std::string_view ending;
  MeshFormat format;
};
constexpr std::array<Ending, 6> kEndings{{{".obj", MeshFormat::Obj},
                                          {".stl", MeshFormat::Stl},
                                          {".ply", MeshFormat::Ply},
                                          {".off", MeshFormat::Off},
                                          {".gltf", MeshFormat::Gltf},
                                          {".glb", MeshFormat::Glb}}};

// Comments and blank lines may stand before the first word that tells the format.
constexpr std::size_t kProbeBytes = 4096;

/// The first word that is no comment, as OFF and OBJ count.
std::string_view firstWord(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\r\n");
    const std::string_view word = Words(text.substr(0, end)).next();
    if (!word.empty() && word.front() != '#') return word;
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return {};
}

bool isOffKey(std::string_view word) {
  if (word.starts_with("ST")) word.remove_prefix(2);
  if (word.starts_with("C")) word.remove_prefix(1);
  if (word.starts_with("N")) word.remove_prefix(1);
  if (word.starts_with("4")) word.remove_prefix(1);
  if (word.starts_with("n")) word.remove_prefix(1);
  return word == "OFF";
}

bool isObjKey(std::string_view word) {
  constexpr std::string_view kKeys[] = {"v", "vt", "vn", "f",      "o",
                                        "g", "s",  "l",  "mtllib", "usemtl"};
  for (const std::string_view key : kKeys) {
    if (word == key) return true;
  }
  return false;
}

}  // namespace

std::string_view nameOf(MeshFormat format) noexcept {
  switch (format) {
    case MeshFormat::Obj:
      return "obj";
    case MeshFormat::Stl:
      return "stl";
    case MeshFormat::Ply:
      return "ply";
    case MeshFormat::Off:
      return "off";
    case MeshFormat::Gltf:
      return "gltf";
    case MeshFormat::Glb:
      break;
  }
  return "glb";
}

Result<MeshFormat> recognise(const ByteSource& source, const std::filesystem::path& name,
                             const FileLabel& label) {
  if (source.size() == 0) {
    return label.whole(Reason::Empty, "the file is empty; export it again");
  }
  std::string start(kProbeBytes, '\0');
  start.resize(source.read(0, std::as_writable_bytes(std::span(start))));
  std::string_view text = start;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);

  // First, as its 80 free bytes may begin like any other format, while no text and no other binary
  // format has, at byte 80, a number that tells its size.
  if (isBinaryStl(source)) return MeshFormat::Stl;
  const std::string_view word = firstWord(text);
  if (text.starts_with("glTF")) return MeshFormat::Glb;
  if (text.starts_with("ply") && word == "ply") return MeshFormat::Ply;
  if (isOffKey(word)) return MeshFormat::Off;
  if (word.starts_with('{')) return MeshFormat::Gltf;
  if (sameLetters(word, "solid")) return MeshFormat::Stl;
  if (isObjKey(word)) return MeshFormat::Obj;

  const std::string& native = name.native();
  const std::size_t dot = native.rfind('.');
  const std::string_view ending =
      dot == std::string::npos ? std::string_view{} : std::string_view(native).substr(dot);
  for (const Ending& known : kEndings) {
    if (sameLetters(ending, known.ending)) return known.format;
  }
  return label.whole(
      Reason::UnknownFormat,
      say("neither the content nor the name tells a mesh format; known are ", kKnownFormats));
}

Result<LoadedMesh> parseMesh(MeshFormat format, const ByteSource& source, const FileLabel& label,
                             const std::filesystem::path& folder) {
  switch (format) {
    case MeshFormat::Obj:
      return parseObj(source, label);
    case MeshFormat::Stl:
      return parseStl(source, label);
    case MeshFormat::Ply:
      return parsePly(source, label);
    case MeshFormat::Off:
      return parseOff(source, label);
    case MeshFormat::Gltf:
    case MeshFormat::Glb:
      break;
  }
  return parseGltf(source, label, folder);
}

Result<LoadedMesh> readMesh(const std::filesystem::path& file) {
  const FileLabel label(file.native());
  try {
    Result<std::unique_ptr<FileBytes>> opened = FileBytes::open(file, label);
    if (!opened.ok()) return opened.error();
    const FileBytes& bytes = *opened.value();
    const Result<MeshFormat> format = recognise(bytes, file, label);
    if (!format.ok() && bytes.readError() == 0) return format.error();
    const std::filesystem::path parent = file.parent_path();
    Result<LoadedMesh> loaded =
        format.ok() ? parseMesh(format.value(), bytes, label, parent.empty() ? "." : parent)
                    : Result<LoadedMesh>(format.error());
    if (bytes.readError() != 0) {
      return label.whole(Reason::FileMissing,
                         say("the file could not be read (", systemMessage(bytes.readError()),
                             "); check the disk it lies on"));
    }
    return loaded;
  } catch (const std::bad_alloc&) {
    return label.whole(Reason::TooLarge,
                       "the mesh does not fit into memory; make it coarser or close programs");
  }
}

}  // namespace tactus::models
