#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <memory>
#include <string>
#include <vector>

#include "models/mesh/result.hpp"
#include "render/cloud_painter.hpp"
#include "render/gl_objects.hpp"
#include "render/image.hpp"
#include "render/image_painter.hpp"
#include "render/scene_view.hpp"
#include "render/sign_painter.hpp"
#include "render/uploads.hpp"

namespace tactus::render {

/// How one picture is drawn.
struct DrawSettings {
  int width = 0;   ///< [pixels]
  int height = 0;  ///< [pixels]
  /// 1: straight into the target, with one blurred shadow and hard edges. More: the mean of that
  /// many, see OffscreenRenderer.
  int passes = 1;
  /// Of one pass: with hard shadows of the lamp alone and without highlights. For who draws in
  /// software.
  bool isPlain = false;
  GLuint target = 0;  ///< framebuffer; 0 is the window's
};

/// Draws scene views with OpenGL 3.3. The context in which it was created must be current whenever
/// it is used and when it dies.
///
/// A pass draws what is solid (meshes, clouds, floor, background), then lines and arrows, images,
/// and ghosts: each may lie over all before it. An image in the middle of a ghost is so seen
/// through the ghost's near side; a ghost behind an image is not seen through it.
class SceneRenderer {
 public:
  [[nodiscard]] static models::Result<SceneRenderer> create();

  [[nodiscard]] models::Result<models::Done> draw(const SceneView& view,
                                                  const DrawSettings& settings);

  [[nodiscard]] bool isSoftwareRenderer() const noexcept { return isSoftware_; }
  [[nodiscard]] const std::string& deviceName() const noexcept { return deviceName_; }
  /// Sides of a picture may have this many pixels.
  [[nodiscard]] int largestSide() const noexcept { return largestSide_; }

 private:
  /// A mesh on the graphics card.
  struct GpuMesh {
    GlVertexArray layout;
    GlBuffer positions, normals, indices;
    GLsizei indexCount = 0;
    models::Bounds bounds;                             ///< relative to the origin
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< of its positions, in the mesh's frame
  };
  /// What is to be drawn this time, in render coordinates.
  struct Item {
    const GpuMesh* mesh;
    const DrawMesh* draw;
    Eigen::Isometry3d renderFromVertices;
    models::Bounds bounds;
  };
  struct Items {
    std::vector<Item> solid;
    std::vector<Item> ghosts;  ///< far ones first
  };
  /// Program and where its own uniforms are.
  struct MeshProgram {
    GlProgram program;
    GLint renderFromMesh = -1;
    GLint paint = -1;
    GLint opacity = -1;  ///< of ghosts
  };
  /// What shades surfaces, in one pass or in many.
  struct Shading {
    MeshProgram surface, wire, ghost, wireGhost;
    GlProgram openFloor, shadowedFloor, background;
  };
  /// Places in pixel, lamp and sky that one pass looks at and is lit from.
  struct Pass {
    Eigen::Vector2d pixelOffset = Eigen::Vector2d::Zero();
    Eigen::Vector3d towardLamp;
    Eigen::Vector3d towardSky;
  };
  struct FrameBlock;
  struct Placement;

  SceneRenderer() = default;
  [[nodiscard]] models::Result<models::Done> build();
  [[nodiscard]] models::Result<models::Done> prepareTargets(const DrawSettings& settings);
  [[nodiscard]] static models::Result<GpuMesh> upload(const models::Mesh& mesh);
  [[nodiscard]] models::Result<Items> itemsOf(const SceneView& view);
  void drawShadow(const std::vector<Item>& items, const RenderTarget& map,
                  const Eigen::Matrix4d& mapFromRender);
  void drawPass(const SceneView& view, const Items& items, const Placement& placement,
                const Pass& pass, const DrawSettings& settings, GLuint target);
  static void drawItem(const Item& item, const MeshProgram& program);
  static void drawSolid(const std::vector<Item>& items, const Shading& shading);
  static void drawGhosts(const std::vector<Item>& items, const Shading& shading);

  Uploads<models::Mesh, GpuMesh> meshes_;
  CloudPainter clouds_;
  SignPainter signs_;
  ImagePainter images_;
  Shading shadePlain_, shadeOnce_, shadeOften_;
  GlProgram depth_, add_, resolve_;
  GLint depthRenderFromMesh_ = -1, depthMapFromRender_ = -1, resolveShare_ = -1;
  GlBuffer frame_;
  GlVertexArray noVertices_;
  RenderTarget lampMap_, skyMap_, onePass_, sum_;
  std::string deviceName_;
  bool isSoftware_ = false;
  int largestSide_ = 0;
};

/// The lower left pixels of the framebuffer that is bound for reading.
[[nodiscard]] Image readPixels(int width, int height);

}  // namespace tactus::render
