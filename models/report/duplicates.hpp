#pragma once
#include <cstddef>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// What was dropped because it lay on top of another triangle.
struct DroppedDuplicates {
  std::size_t copies = 0;  ///< triangles of which another one was kept
  std::size_t sheets = 0;  ///< triangles of sheets without thickness, which went as a whole
  std::size_t needed = 0;  ///< copies that stayed, as the edges around them need them

  [[nodiscard]] bool any() const noexcept { return copies + sheets > 0; }
};

/// Of several triangles on the same three corners keeps what the surface around them needs.
///
/// - one orientation prevails: one of that orientation stays. As many as prevail do where they
///   close the surface on all three edges, each being used as often in one direction as in the
///   other, and one would not: two bodies with a face in common need it twice.
/// - as many the one way as the other: joined with their like they form a sheet without thickness.
///   It goes if the rest closes without it (a wall inside a body, a fin on one). It stays once if
///   an edge around it needs it (a face that was copied the wrong way round), if it closes in
///   itself (a body that was copied inside out), or if it is all there is.
///
/// Precondition: equal positions are one vertex.
[[nodiscard]] DroppedDuplicates dropDuplicates(Mesh& mesh);

}  // namespace tactus::models
