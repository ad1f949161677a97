#pragma once
#include <array>
#include <vector>

#include "models/mesh/result.hpp"
#include "render/arrow_shape.hpp"
#include "render/frame_program.hpp"
#include "render/gl_objects.hpp"
#include "render/scene_view.hpp"

namespace tactus::render {

/// Draws lines and arrows. Belongs to a SceneRenderer, as CloudPainter does.
///
/// They come after all that is solid. Where that hides them they are drawn a second time, faintly:
/// a force inside of an object is then both seen and known to be inside.
class SignPainter {
 public:
  /// Copies this frame's lines and arrows to the card. Makes its programs when the first ones come.
  [[nodiscard]] models::Result<models::Done> prepare(const SceneView& view);

  /// Box around all of them, relative to the camera's target.
  [[nodiscard]] const models::Bounds& bounds() const noexcept { return bounds_; }

  void paint(bool onePass) const;

 private:
  /// A line as it lies on the graphics card.
  struct LineRecord {
    Eigen::Vector3f from, to;
    Colour colour;
    float width;
  };
  /// Program, and where its own uniform is.
  struct SignProgram {
    GlProgram program;
    GLint strength = -1;
  };

  [[nodiscard]] models::Result<models::Done> makePrograms();
  void draw(bool onePass, float strength) const;

  std::vector<LineRecord> lines_;
  ArrowSurface arrows_;
  models::Bounds bounds_;
  // For many passes, and for one.
  std::array<SignProgram, 2> line_, arrow_;
  GlVertexArray lineLayout_, arrowLayout_;
  GlBuffer lineRecords_, arrowVertices_, arrowTriangles_;
};

}  // namespace tactus::render
