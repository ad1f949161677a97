#pragma once
#include "models/mesh/mesh.hpp"

namespace tactus::render {

/// Whether the triangles of each part of a mesh enclose it and face outward, so that from outside
/// only their front sides are ever seen. A part with a cavity is not taken for one: its inner
/// surface faces inward.
///
/// Method:
/// - positions that are equal to the bit count as one
/// - each edge is used exactly once in each direction
/// - parts that hang together by edges have a positive volume each
[[nodiscard]] bool boundsSolid(const models::Mesh& mesh);

}  // namespace tactus::render
