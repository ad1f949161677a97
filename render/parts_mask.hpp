#pragma once
#include <cstdint>
#include <span>

#include "models/mesh/result.hpp"
#include "render/gl_objects.hpp"
#include "render/picture_regions.hpp"

namespace tactus::render {

/// Restricts drawing to parts of a framebuffer, by its stencil.
///
/// Scissors take one rectangle at a time, and all that is seen in it goes through the vertex stages
/// once more for each. The stencil takes any number at once; what it keeps away costs a processor a
/// few cycles for each pixel, for it is asked before the shader.
///
/// Each use has another mark, so that nothing needs to be wiped out. Two masks on one framebuffer
/// need marks of their own.
class PartsMask {
 public:
  /// Marks are `first` to `last`, of 255.
  PartsMask(GLint first, GLint last) : first_(first), last_(last), mark_(first) {}

  [[nodiscard]] models::Result<models::Done> build();

  enum class Depths : std::uint8_t { Stay, Farthest };
  /// In the framebuffer that is bound, of that size in pixels. From here on only the parts change.
  /// `depths`: what becomes of theirs.
  void begin(std::span<const PixelRect> parts, int width, int height, Depths depths);
  void end();

 private:
  GLint first_, last_, mark_;
  GlProgram program_;
  GlVertexArray layout_;
  GlBuffer corners_;
};

}  // namespace tactus::render
