#pragma once
#include <cstddef>
#include <span>
#include <string_view>

#include "models/mesh/mesh.hpp"
#include "models/mesh/result.hpp"

namespace tactus::models {

/// A model that needs no file.
struct Builtin {
  std::string_view name;         ///< as in `builtin:NAME`
  std::string_view description;  ///< one line, with its size
};

/// Resolutions that every built-in offers.
constexpr std::size_t kFewestTriangles = 1'000;
constexpr std::size_t kMostTriangles = 1'000'000;
constexpr std::size_t kDefaultTriangles = 20'000;

/// All built-ins, in the order of the design page.
[[nodiscard]] std::span<const Builtin> builtins();

/// Makes a built-in with about `triangles` triangles (within 3 %), closed, outward oriented, free
/// of self-intersections, in metres. The same bytes on every machine and for any `threads` (0: one
/// a core).
[[nodiscard]] Result<Mesh> makeBuiltin(std::string_view name,
                                       std::size_t triangles = kDefaultTriangles,
                                       unsigned threads = 0);

}  // namespace tactus::models
