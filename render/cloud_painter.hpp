#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <vector>

#include "models/mesh/result.hpp"
#include "render/gl_objects.hpp"
#include "render/scene_view.hpp"
#include "render/uploads.hpp"

namespace tactus::render {

/// Draws spheres and points of clouds, one instance each. Belongs to a SceneRenderer, whose rules
/// hold: its context is current, and while painting its frame block and targets are bound.
///
/// A sphere is a square in which each fragment finds its place on the sphere, with the depth that
/// it has there: spheres cut each other and the meshes where they should. They are first drawn into
/// a picture of colours and normals, and only what is seen of them at last is lit: in software this
/// takes a third of the time for the spheres of a packing, which hide each other many times over.
class CloudPainter {
 public:
  /// Copies what is new to the card and drops what nobody holds. Programs are made when the first
  /// cloud comes, so that a scene without clouds opens as fast as if there were none.
  [[nodiscard]] models::Result<models::Done> prepare(const SceneView& view, int width, int height);

  /// Box around all clouds, relative to the camera's target.
  [[nodiscard]] const models::Bounds& bounds() const noexcept { return bounds_; }
  /// Adds the corners of boxes around what throws shadows, relative to the camera's target.
  void addCasters(std::vector<Eigen::Vector3d>& corners) const;

  /// Into a shadow map of that many texels a side.
  void paintShadows(const Eigen::Matrix4d& mapFromRender, int side) const;
  /// Into the framebuffer `target`.
  void paint(bool onePass, const Eigen::Matrix4d& clipFromRender, GLuint target) const;

 private:
  /// Spheres of about one size, one after another in a cloud, as shadow maps see them.
  struct DiscClass {
    GlVertexArray layout;
    GLsizei count = 0;
    double largestRadius = 0.0;  ///< [m]
  };
  /// A cloud on the graphics card.
  struct Cloud {
    GlVertexArray layout;
    GlBuffer elements;
    GLsizei count = 0;
    models::Bounds bounds;
    std::vector<DiscClass> discs;
  };
  struct ShownSpheres {
    const Cloud* cloud;
    Eigen::Isometry3d renderFromCloud;
    float roughness;
    bool castsShadow;
  };
  struct ShownPoints {
    const Cloud* cloud;
    Eigen::Isometry3d renderFromCloud;
    float diameter;
  };
  /// Program, and where its own uniforms are.
  struct CloudProgram {
    GlProgram program;
    GLint renderFromCloud = -1;
    GLint size = -1;  ///< roughness of spheres, diameter of points
  };
  /// Part of a picture, from its lower left pixel.
  struct Region {
    int left, bottom, width, height;
  };

  [[nodiscard]] Region regionOfSpheres(const Eigen::Matrix4d& clipFromRender) const;
  void paintSpheres(bool onePass, const Region& region, GLuint target) const;
  void paintPoints(bool onePass) const;
  [[nodiscard]] models::Result<models::Done> makeSpherePrograms();
  [[nodiscard]] models::Result<models::Done> makePointPrograms();
  static void addDiscs(Cloud& cloud, const std::vector<Sphere>& sorted);
  template <typename Element>
  [[nodiscard]] static models::Result<Cloud> copyOf(const std::vector<Element>& elements,
                                                    const models::Bounds& bounds,
                                                    const std::string& name);

  Uploads<SphereCloud, Cloud> sphereClouds_;
  Uploads<PointCloud, Cloud> pointClouds_;
  std::vector<ShownSpheres> spheres_;
  std::vector<ShownPoints> points_;
  models::Bounds bounds_, sphereBounds_;
  CloudProgram sphere_;
  // For many passes, and for one.
  std::array<GlProgram, 2> spheresLight_;
  std::array<CloudProgram, 2> point_;
  GlProgram sphereDepth_;
  GLint depthRenderFromCloud_ = -1, depthMapFromRender_ = -1, depthCorner_ = -1;
  GlVertexArray noVertices_;
  RenderTarget spheresSeen_;
};

}  // namespace tactus::render
