#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/files/mesh_file.hpp"
#include "models/mesh/mesh.hpp"
#include "models/mesh/result.hpp"

namespace tactus::app {

/// Size that the user asked for, if any.
struct SizeOptions {
  std::optional<double> scale;  ///< factor on all coordinates
  std::optional<double> fit;    ///< wanted diagonal of the bounding box [m]
};

/// A model as named on the command line, in memory.
struct SourcedModel {
  models::Mesh mesh;
  std::vector<Eigen::Vector3f> remainders;   ///< of LoadedMesh; none once the mesh is sized
  std::string name;                          ///< as the user wrote it
  std::optional<models::MeshFormat> format;  ///< none for a built-in or a cache
  std::uint64_t fileBytes = 0;               ///< 0 for a built-in
  std::uint64_t polygons = 0;                ///< faces that were cut into triangles
  double seconds = 0.0;                      ///< to read or to make it
  std::size_t peakBytes = 0;                 ///< by which the process's peak memory grew meanwhile
};

/// Whether a name of the command line means a cache: by its ending, or by the file's first bytes.
[[nodiscard]] bool isCacheName(const std::string& name);

/// Whether a name means something that is there: a built-in, or a file of a kind that models come
/// in. Cheap: what is in a mesh file is not read.
[[nodiscard]] models::Result<models::Done> checkModelName(const std::string& name);

/// Reads a mesh file or the mesh in a cache, or makes `builtin:NAME[@TRIANGLES]`, and sizes it.
[[nodiscard]] models::Result<SourcedModel> openModel(const std::string& name,
                                                     const SizeOptions& size = {});

}  // namespace tactus::app
