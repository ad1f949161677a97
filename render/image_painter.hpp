#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "models/mesh/result.hpp"
#include "render/gl_objects.hpp"
#include "render/scene_view.hpp"
#include "render/uploads.hpp"

namespace tactus::render {

/// Draws images in space. Belongs to a SceneRenderer, as CloudPainter does.
class ImagePainter {
 public:
  /// Copies what is new to the card and drops what nobody holds; `largestSide` is what it takes.
  /// Makes its programs when the first image comes.
  [[nodiscard]] models::Result<models::Done> prepare(const SceneView& view, int largestSide);

  /// Box around all images, relative to the camera's target.
  [[nodiscard]] const models::Bounds& bounds() const noexcept { return bounds_; }

  /// Over what is solid, the far ones first.
  void paint(bool onePass) const;

 private:
  struct Shown {
    GLuint texture;
    Eigen::Isometry3d renderFromImage;
    float width, height, opacity;
    double fromEye;
  };
  /// Program, and where its own uniforms are.
  struct ImageProgram {
    GlProgram program;
    GLint renderFromImage = -1, size = -1, opacity = -1;
  };

  [[nodiscard]] models::Result<models::Done> makePrograms();

  Uploads<Texture, GlTexture> textures_;
  std::vector<Shown> images_;
  models::Bounds bounds_;
  std::array<ImageProgram, 2> image_;  // for many passes, and for one
  GlVertexArray noVertices_;
};

}  // namespace tactus::render
