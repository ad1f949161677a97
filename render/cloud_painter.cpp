#include "render/cloud_painter.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <type_traits>
#include <utility>

#include "render/frame_program.hpp"

namespace tactus::render {

using models::Bounds;
using models::Done;
using models::Error;
using models::Reason;
using models::Result;

namespace {

// Both are copied to the card as they are: three or four floats of place, three of colour.
static_assert(std::is_standard_layout_v<Sphere> && sizeof(Sphere) == 7 * sizeof(float));
static_assert(std::is_standard_layout_v<Point> && sizeof(Point) == 6 * sizeof(float));

constexpr GLsizei kSquareCorners = 4;

// Spheres of a class differ at most by this factor in radius, and their shadows have as many
// corners as the largest needs.
constexpr float kClassRatio = 3.0F;

// The outline of a polygon leaves its circle by r (pi / n)^2 / 2: by a texel, which the filter
// blurs, with n = pi sqrt(r / 2). A circle as wide as the largest map has 50.
int cornersOfDisc(double radiusTexels) {
  return std::clamp(static_cast<int>(std::ceil(std::numbers::pi * std::sqrt(0.5 * radiusTexels))),
                    4, 64);
}

/// How far out the corners of a polygon are that has a disc's area, in the disc's radii.
double cornerReach(int corners) {
  const double angle = 2.0 * std::numbers::pi / corners;
  return std::sqrt(2.0 * std::numbers::pi / (corners * std::sin(angle)));
}

void setMatrix(GLint place, const Eigen::Isometry3d& pose) {
  glUniformMatrix4fv(place, 1, GL_FALSE, float16(pose.matrix()).data());
}

}  // namespace

template <typename Element>
Result<CloudPainter::Cloud> CloudPainter::copyOf(const std::vector<Element>& elements,
                                                 const Bounds& bounds, const std::string& name) {
  constexpr bool kIsSphere = std::is_same_v<Element, Sphere>;
  Cloud cloud;
  cloud.count = static_cast<GLsizei>(elements.size());
  cloud.bounds = bounds;
  cloud.layout = makeVertexArray();
  cloud.elements = makeBuffer();
  clearErrors();
  glBindVertexArray(cloud.layout.get());
  glBindBuffer(GL_ARRAY_BUFFER, cloud.elements.get());
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(elements.size() * sizeof(Element)),
               elements.data(), GL_STATIC_DRAW);
  describeFloats(0, kIsSphere ? 4 : 3, sizeof(Element), 0);
  describeFloats(1, 3, sizeof(Element), offsetof(Element, colour));
  if constexpr (kIsSphere) {
    glVertexAttribDivisor(0, 1);
    glVertexAttribDivisor(1, 1);
  }
  glBindVertexArray(0);
  if (glGetError() == GL_OUT_OF_MEMORY) {
    return Error{Reason::TooLarge, -1,
                 "The graphics card has no room for " + std::to_string(elements.size()) + " " +
                     name + "; show fewer."};
  }
  return cloud;
}

void CloudPainter::addDiscs(Cloud& cloud, const std::vector<Sphere>& sorted) {
  for (std::size_t first = 0; first < sorted.size();) {
    const float least = sorted[first].radius / kClassRatio;
    std::size_t end = first + 1;
    while (end < sorted.size() && sorted[end].radius >= least)
      ++end;
    DiscClass discs;
    discs.count = static_cast<GLsizei>(end - first);
    discs.largestRadius = static_cast<double>(sorted[first].radius);
    discs.layout = makeVertexArray();
    glBindVertexArray(discs.layout.get());
    glBindBuffer(GL_ARRAY_BUFFER, cloud.elements.get());
    // OpenGL 3.3 counts instances from zero; so each class begins its own count.
    describeFloats(0, 4, sizeof(Sphere), first * sizeof(Sphere));
    glVertexAttribDivisor(0, 1);
    cloud.discs.push_back(std::move(discs));
    first = end;
  }
  glBindVertexArray(0);
}

Result<Done> CloudPainter::makeSpherePrograms() {
  if (sphereDepth_.get() != 0) return Done{};
  Result<GlProgram> sphere =
      makeFrameProgram({vertexStage("sphere.vert"), fragmentStage("sphere.frag", false)});
  if (!sphere) return sphere.error();
  for (const bool onePass : {false, true}) {
    Result<GlProgram> light = makeFrameProgram(
        {vertexStage("picture.vert"), surfaceStage("spheres_light.frag", onePass)});
    if (!light) return light.error();
    spheresLight_[onePass ? 1 : 0] = std::move(light).value();
  }
  Result<GlProgram> depth = makeFrameProgram(
      {vertexStage("sphere_depth.vert"), {GL_FRAGMENT_SHADER, {"frame.glsl", "depth.frag"}, {}}});
  if (!depth) return depth.error();
  sphere_.program = std::move(sphere).value();
  sphere_.renderFromCloud = glGetUniformLocation(sphere_.program.get(), "renderFromCloud");
  sphere_.size = glGetUniformLocation(sphere_.program.get(), "roughness");
  sphereDepth_ = std::move(depth).value();
  depthRenderFromCloud_ = glGetUniformLocation(sphereDepth_.get(), "renderFromCloud");
  depthMapFromRender_ = glGetUniformLocation(sphereDepth_.get(), "mapFromRender");
  depthCorner_ = glGetUniformLocation(sphereDepth_.get(), "corner");
  noVertices_ = makeVertexArray();
  return Done{};
}

Result<Done> CloudPainter::makePointPrograms() {
  if (point_[1].program.get() != 0) return Done{};
  for (const bool onePass : {false, true}) {
    Result<GlProgram> made =
        makeFrameProgram({vertexStage("point.vert"), fragmentStage("point.frag", onePass)});
    if (!made) return made.error();
    CloudProgram& point = point_[onePass ? 1 : 0];
    point.program = std::move(made).value();
    point.renderFromCloud = glGetUniformLocation(point.program.get(), "renderFromCloud");
    point.size = glGetUniformLocation(point.program.get(), "diameter");
  }
  return Done{};
}

Result<Done> CloudPainter::prepare(const SceneView& view, int width, int height) {
  sphereClouds_.dropUnused();
  pointClouds_.dropUnused();
  spheres_.clear();
  points_.clear();
  bounds_ = sphereBounds_ = Bounds{};
  const Eigen::Translation3d renderFromWorld(-view.camera.target);
  for (const DrawSpheres& draw : view.spheres) {
    if (draw.cloud == nullptr || draw.cloud->spheres.empty()) continue;
    Result<Done> made = makeSpherePrograms();
    if (!made) return made;
    const Result<const Cloud*> cloud =
        sphereClouds_.find(draw.cloud, [](const SphereCloud& shared) {
          std::vector<Sphere> sorted = shared.spheres;
          std::stable_sort(sorted.begin(), sorted.end(),
                           [](const Sphere& a, const Sphere& b) { return a.radius > b.radius; });
          Result<Cloud> copied = copyOf(sorted, boundsOf(shared), "spheres");
          if (copied) addDiscs(copied.value(), sorted);
          return copied;
        });
    if (!cloud) return cloud.error();
    const Eigen::Isometry3d renderFromCloud = renderFromWorld * draw.worldFromCloud;
    sphereBounds_ = joined(sphereBounds_, transformed(cloud.value()->bounds, renderFromCloud));
    spheres_.push_back({cloud.value(), renderFromCloud, draw.roughness, draw.castsShadow});
  }
  bounds_ = sphereBounds_;
  if (!spheres_.empty()) {
    // Half floats keep a normal to a thousandth of its length.
    Result<Done> fitted =
        fitRenderTarget(spheresSeen_, width, height, GL_RGBA16F, GL_DEPTH_COMPONENT32F, GL_RGBA16F);
    if (!fitted) return fitted;
  }
  for (const DrawPoints& draw : view.points) {
    if (draw.cloud == nullptr || draw.cloud->points.empty()) continue;
    Result<Done> made = makePointPrograms();
    if (!made) return made;
    const Result<const Cloud*> cloud = pointClouds_.find(draw.cloud, [](const PointCloud& shared) {
      return copyOf(shared.points, boundsOf(shared), "points");
    });
    if (!cloud) return cloud.error();
    const Eigen::Isometry3d renderFromCloud = renderFromWorld * draw.worldFromCloud;
    bounds_ = joined(bounds_, transformed(cloud.value()->bounds, renderFromCloud));
    points_.push_back({cloud.value(), renderFromCloud, draw.diameter});
  }
  return Done{};
}

void CloudPainter::addCasters(std::vector<Eigen::Vector3d>& corners) const {
  for (const ShownSpheres& shown : spheres_) {
    if (!shown.castsShadow) continue;
    for (const Eigen::Vector3d& corner : cornersOf(shown.cloud->bounds)) {
      corners.push_back(shown.renderFromCloud * corner);
    }
  }
}

void CloudPainter::paintShadows(const Eigen::Matrix4d& mapFromRender, int side) const {
  if (spheres_.empty()) return;
  glUseProgram(sphereDepth_.get());
  glUniformMatrix4fv(depthMapFromRender_, 1, GL_FALSE, float16(mapFromRender).data());
  const double texelsPerMetre = side * mapFromRender.row(0).head<3>().norm();
  for (const ShownSpheres& shown : spheres_) {
    if (!shown.castsShadow) continue;
    setMatrix(depthRenderFromCloud_, shown.renderFromCloud);
    for (const DiscClass& discs : shown.cloud->discs) {
      const int corners = cornersOfDisc(texelsPerMetre * discs.largestRadius);
      glUniform2f(depthCorner_, static_cast<float>(2.0 * std::numbers::pi / corners),
                  static_cast<float>(cornerReach(corners)));
      glBindVertexArray(discs.layout.get());
      glDrawArraysInstanced(GL_TRIANGLE_FAN, 0, corners, discs.count);
    }
  }
}

CloudPainter::Region CloudPainter::regionOfSpheres(const Eigen::Matrix4d& clipFromRender) const {
  Eigen::Array2d lower = Eigen::Array2d::Ones();
  Eigen::Array2d upper = -lower;
  for (const Eigen::Vector3d& corner : cornersOf(sphereBounds_)) {
    const Eigen::Vector4d clip = clipFromRender * corner.homogeneous();
    // With a corner behind the eye the box may be anywhere in the picture.
    if (clip.w() <= 0.0) return {0, 0, spheresSeen_.width, spheresSeen_.height};
    const Eigen::Array2d place = (clip.head<2>() / clip.w()).array().max(-1.0).min(1.0);
    lower = lower.min(place);
    upper = upper.max(place);
  }
  // One pixel more on all sides, for rounding.
  const Eigen::Array2d size(spheresSeen_.width, spheresSeen_.height);
  const Eigen::Array2i begin = ((0.5 * lower + 0.5) * size - 1.0).floor().cast<int>().max(0);
  const Eigen::Array2i end =
      ((0.5 * upper + 0.5) * size + 1.0).ceil().min(size).cast<int>().max(begin);
  return {begin.x(), begin.y(), end.x() - begin.x(), end.y() - begin.y()};
}

void CloudPainter::paintSpheres(bool onePass, const Region& region, GLuint target) const {
  glEnable(GL_SCISSOR_TEST);
  glScissor(region.left, region.bottom, region.width, region.height);
  glBindFramebuffer(GL_FRAMEBUFFER, spheresSeen_.framebuffer.get());
  glClear(GL_DEPTH_BUFFER_BIT);
  glUseProgram(sphere_.program.get());
  for (const ShownSpheres& shown : spheres_) {
    setMatrix(sphere_.renderFromCloud, shown.renderFromCloud);
    glUniform1f(sphere_.size, shown.roughness);
    glBindVertexArray(shown.cloud->layout.get());
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, kSquareCorners, shown.cloud->count);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  const auto bind = [](GLint unit, const GlTexture& texture) {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(GL_TEXTURE_2D, texture.get());
  };
  bind(kPictureUnit, spheresSeen_.colour);
  bind(kNormalUnit, spheresSeen_.secondColour);
  bind(kDepthUnit, spheresSeen_.depth);
  glUseProgram(spheresLight_[onePass ? 1 : 0].get());
  glBindVertexArray(noVertices_.get());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDisable(GL_SCISSOR_TEST);
}

void CloudPainter::paintPoints(bool onePass) const {
  const CloudProgram& point = point_[onePass ? 1 : 0];
  glUseProgram(point.program.get());
  glEnable(GL_PROGRAM_POINT_SIZE);
  for (const ShownPoints& shown : points_) {
    setMatrix(point.renderFromCloud, shown.renderFromCloud);
    glUniform1f(point.size, shown.diameter);
    glBindVertexArray(shown.cloud->layout.get());
    glDrawArrays(GL_POINTS, 0, shown.cloud->count);
  }
  glDisable(GL_PROGRAM_POINT_SIZE);
}

void CloudPainter::paint(bool onePass, const Eigen::Matrix4d& clipFromRender, GLuint target) const {
  if (!spheres_.empty()) paintSpheres(onePass, regionOfSpheres(clipFromRender), target);
  if (!points_.empty()) paintPoints(onePass);
}

}  // namespace tactus::render
