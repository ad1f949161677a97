#pragma once
#include <cstddef>
#include <span>
#include <string_view>

#include "models/mesh/mesh.hpp"
#include "models/sculpt/sculpture.hpp"

namespace tactus::models {

/// A sculpture that ships with the program.
struct SculptedModel {
  std::string_view name;         ///< as in `builtin:NAME`
  std::string_view description;  ///< one line, with its size
  Sculpture (*make)();
  /// The sculpture, if any, of whose mesh this one's is the mirror image in x.
  Sculpture (*mirrored)() = nullptr;
};

/// The hands and the animals, in the order of the design page.
[[nodiscard]] std::span<const SculptedModel> sculptedModels();

/// See meshSculpture(). Of a mirror image the mirrored mesh of the other, so that the two are the
/// same to the bit: a mesher that goes from left to right would make two different meshes.
[[nodiscard]] Mesh meshModel(const SculptedModel& model, std::size_t triangles,
                             unsigned threads = 0);

}  // namespace tactus::models
