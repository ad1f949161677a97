#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/mesh/result.hpp"
#include "render/cloud_painter.hpp"
#include "render/gl_objects.hpp"
#include "render/image.hpp"
#include "render/image_painter.hpp"
#include "render/parts_mask.hpp"
#include "render/picture_regions.hpp"
#include "render/scene_memory.hpp"
#include "render/scene_view.hpp"
#include "render/shadow_receivers.hpp"
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
  /// Of one pass: what is measured by the extent of the scene (shadow maps, depths, the floor's
  /// fade) stays as it was in the last such picture while the scene has room in it. What has not
  /// changed then looks the same to the bit.
  bool isSteady = false;
  /// The target holds the last picture, which was a steady one with these settings: only what
  /// differs from it is drawn.
  bool isKept = false;
  std::span<const PixelRect> worn;  ///< of a kept target, what is not as the picture left it
  std::span<const PixelRect> held;  ///< of a kept target, what stays as it is, though it differs
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

  /// What the last steady picture was drawn in: all of it, or a kept one's parts.
  [[nodiscard]] const std::vector<PixelRect>& drawnParts() const noexcept { return parts_; }
  /// A few larger ones around these.
  [[nodiscard]] const std::vector<PixelRect>& drawnRegions() const noexcept { return regions_; }
  /// What differs from the picture before, but was to stay as it is.
  [[nodiscard]] const std::vector<PixelRect>& heldBack() const noexcept { return heldBack_; }
  /// Marks that it leaves in the stencil of its target.
  static constexpr GLint kFirstMark = 1, kLastMark = 127;
  [[nodiscard]] bool drewWhole() const noexcept { return drewWhole_; }

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
    bool isSolid = false;  ///< from outside its far sides are never seen
  };
  /// What is to be drawn this time, in render coordinates.
  struct Item {
    const GpuMesh* mesh;
    const DrawMesh* draw;
    Eigen::Isometry3d renderFromVertices;
    models::Bounds bounds;
    std::array<Eigen::Vector3d, 8> corners;
    std::size_t place = 0;  ///< among all that are seen, in the view's order
    bool culls = false;     ///< its far sides need not be drawn
    bool isDrawn = true;    ///< in the parts that are
    PixelRect region;       ///< of the picture in which it is, if only parts are drawn
  };
  struct Items {
    std::vector<ShownBody> shown;  ///< in the view's order
    std::vector<Item> solid;       ///< near ones first: what is behind them costs nothing
    std::vector<Item> ghosts;      ///< far ones first
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
  /// Of a light, with what it is seen from.
  struct ShadowMap {
    RenderTarget map;
    RenderTarget still;                   ///< only of casters that have not moved for a while
    std::vector<std::uint8_t> isInStill;  ///< of each body
    Eigen::Matrix4d mapFromRender = Eigen::Matrix4d::Zero();  ///< of both
    bool usesStill = false;
    bool isKept = false;  ///< `map` is that of the last steady picture
    SteadyBox box;        ///< around the casters, in the light's frame
    ShadowReceivers receivers;
    models::Bounds changed;  ///< of the map, since the last steady picture
  };
  struct FrameBlock;
  struct Placement;
  struct Shade;

  SceneRenderer() = default;
  [[nodiscard]] models::Result<models::Done> build();
  [[nodiscard]] models::Result<models::Done> prepareTargets(const DrawSettings& settings);
  [[nodiscard]] static models::Result<GpuMesh> upload(const models::Mesh& mesh);
  [[nodiscard]] models::Result<Items> itemsOf(const SceneView& view);
  template <typename Choose>
  void drawShadow(const std::vector<Item>& items, const RenderTarget& map,
                  const Eigen::Matrix4d& mapFromRender, const Choose& isDrawn);
  void updateShadow(ShadowMap& shadow, const Items& items, const Eigen::Matrix4d& mapFromRender,
                    bool isSteady, bool moves);
  void keepMeasures(const OrbitCamera& camera);
  void chooseRegions(const SceneDifference& difference, const Eigen::Matrix4d& clipFromRender,
                     const FrameBlock& block, const std::vector<Shade>& shades,
                     const DrawSettings& settings);
  void learnReceivers(const SceneView& view, const Items& items,
                      const Eigen::Matrix4d& clipFromRender, const std::vector<Shade>& shades,
                      const DrawSettings& settings);
  void drawPass(const SceneView& view, Items& items, const Placement& placement, const Pass& pass,
                const DrawSettings& settings, GLuint target);
  void drawAll(const Items& items, const Placement& placement, const Shading& shading,
               const Eigen::Matrix4d& clipFromRender, bool onePass, GLuint target) const;
  static void drawItem(const Item& item, const MeshProgram& program);
  void drawSolid(const std::vector<Item>& items, const Shading& shading) const;
  /// What reaches over much of the picture; `where` it is.
  template <typename Draw>
  void drawWide(const PixelRect& where, const Draw& draw) const;
  static void drawGhosts(const std::vector<Item>& items, const Shading& shading);

  Uploads<models::Mesh, GpuMesh> meshes_;
  CloudPainter clouds_;
  SignPainter signs_;
  ImagePainter images_;
  Shading shadePlain_, shadeOnce_, shadeOften_;
  GlProgram depth_, add_, resolve_;
  GLint depthRenderFromMesh_ = -1, depthMapFromRender_ = -1, resolveShare_ = -1;
  PartsMask mask_{kFirstMark, kLastMark};
  bool isMasked_ = false;
  GlBuffer frame_;
  GlVertexArray noVertices_;
  RenderTarget onePass_, sum_;
  ShadowMap lamp_, sky_;
  // Of the last steady picture.
  SceneMemory memory_;
  SteadyBox objects_, signBox_;
  OrbitCamera measuredBy_;           ///< what these and the boxes of the lights were measured with
  std::vector<std::byte> block_;     ///< its frame block, as it lay on the card
  std::vector<PixelRect> parts_;     ///< that it was drawn in
  std::vector<PixelRect> heldBack_;  ///< what would have been drawn besides
  std::vector<PixelRect> regions_;   ///< few, around `parts_`
  bool drewWhole_ = true;
  std::string deviceName_;
  bool isSoftware_ = false;
  int largestSide_ = 0;
};

/// The lower left pixels of the framebuffer that is bound for reading.
[[nodiscard]] Image readPixels(int width, int height);

}  // namespace tactus::render
