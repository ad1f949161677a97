#pragma once
#include <cstdint>

namespace tactus::models {

/// A vertex of which the triangles have gone over to another one.
struct JoinedVertices {
  std::uint32_t lost = 0, kept = 0;
};

}  // namespace tactus::models
