#include "render/scene_renderer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numbers>

#include "render/creased_surface.hpp"

namespace tactus::render {

namespace {

using models::Bounds;
using models::Done;
using models::Error;
using models::Reason;
using models::Result;

constexpr GLuint kFrameBinding = 0;
constexpr GLint kLampUnit = 0;
constexpr GLint kSkyUnit = 1;
constexpr GLint kPictureUnit = 2;

/// Sizes of shadow maps and how they are filtered; radii in texels.
struct ShadowQuality {
  int lampSide, skySide;
  double lampRadius, skyRadius;
};
// One pass: the blur must hide the texels and stand in for the lamp's size.
constexpr ShadowQuality kOnePassShadow = {1024, 256, 1.5, 6.0};
// Many passes: the mean of the passes blurs; the filter only keeps single steps from showing. Twice
// the texels cost a third more time in software, and no difference was seen.
constexpr ShadowQuality kManyPassShadow = {1024, 384, 1.0, 1.5};

// In one pass the sky's shadow is that of a lamp straight above. It takes only half of the sky's
// light away: the rest comes in from the sides.
constexpr double kOverheadOcclusion = 0.5;

// The floor fades between these multiples of the radius of what is drawn.
constexpr double kFadeBegin = 2.5;
constexpr double kFadeEnd = 11.0;

// Fine lines lie at the largest power of ten of which this many fit across the objects.
constexpr double kFewestCells = 6.0;

// Undersides darken up to this share of the objects' radius above the floor.
constexpr double kBounceShare = 0.35;

/// A unit vector in six bytes, and two to keep the next one aligned.
using PackedNormal = std::array<std::int16_t, 4>;

std::int16_t snorm(float value) {
  return static_cast<std::int16_t>(std::lround(std::clamp(value, -1.0F, 1.0F) * 32767.0F));
}

using Float4 = std::array<float, 4>;
using Float16 = std::array<float, 16>;

Float4 float4(const Eigen::Vector3d& xyz, double w) {
  return {static_cast<float>(xyz.x()), static_cast<float>(xyz.y()), static_cast<float>(xyz.z()),
          static_cast<float>(w)};
}
Float4 float4(const Colour& rgb, double w) {
  return float4(Eigen::Vector3d(rgb.cast<double>()), w);
}

Float16 float16(const Eigen::Matrix4d& matrix) {
  Float16 out;
  Eigen::Map<Eigen::Matrix4f>(out.data()) = matrix.cast<float>();
  return out;
}

/// Any two unit vectors that complete `axis` to a right-handed frame (x, y, axis).
Eigen::Matrix3d frameAround(const Eigen::Vector3d& axis) {
  const Eigen::Vector3d helper =
      std::abs(axis.y()) < 0.9 ? Eigen::Vector3d::UnitY().eval() : Eigen::Vector3d::UnitX().eval();
  Eigen::Matrix3d frame;
  frame.col(2) = axis;
  frame.col(0) = helper.cross(axis).normalized();
  frame.col(1) = axis.cross(frame.col(0));
  return frame;
}

std::array<Eigen::Vector3d, 8> cornersOf(const Bounds& bounds) {
  std::array<Eigen::Vector3d, 8> corners;
  for (unsigned i = 0; i < 8; ++i) {
    corners[i] = {(i & 1U) != 0 ? bounds.upper.x() : bounds.lower.x(),
                  (i & 2U) != 0 ? bounds.upper.y() : bounds.lower.y(),
                  (i & 4U) != 0 ? bounds.upper.z() : bounds.lower.z()};
  }
  return corners;
}

/// A shadow map's view: parallel, and as tight around the casters as it can be.
struct ShadowFit {
  Eigen::Matrix4d mapFromRender = Eigen::Matrix4d::Identity();  ///< all three 0 to 1, z away
  double extent = 1.0;                                          ///< side of the map [m]
};

/// A light that throws shadows, and how far its filter blurs them [m].
struct Shade {
  Eigen::Vector3d towardLight;
  double blur;
};

ShadowFit fitShadow(const std::vector<Eigen::Vector3d>& points, const Eigen::Vector3d& towardLight,
                    int side, double blurTexels) {
  ShadowFit fit;
  if (points.empty()) return fit;
  const Eigen::Matrix3d lightFromRender = frameAround(towardLight).transpose();
  Eigen::Vector3d lower = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity());
  Eigen::Vector3d upper = -lower;
  for (const Eigen::Vector3d& point : points) {
    const Eigen::Vector3d inLight = lightFromRender * point;
    lower = lower.cwiseMin(inLight);
    upper = upper.cwiseMax(inLight);
  }
  const Eigen::Vector3d middle = 0.5 * (lower + upper);
  // Empty texels around the casters let the filter fade out.
  const double rim = (2.0 * blurTexels + 4.0) / side;
  fit.extent = std::max((upper - lower).head<2>().maxCoeff(), 1e-9) / (1.0 - 2.0 * rim);
  const double depth = std::max(upper.z() - lower.z(), 1e-9) * 1.02;
  const Eigen::Vector3d scale(1.0 / fit.extent, 1.0 / fit.extent, -1.0 / depth);
  fit.mapFromRender.topLeftCorner<3, 3>() = scale.asDiagonal() * lightFromRender;
  fit.mapFromRender.topRightCorner<3, 1>() =
      Eigen::Vector3d::Constant(0.5) - scale.cwiseProduct(middle);
  return fit;
}

// Turn between neighbours of a sunflower spiral, whose points fill any disc or ball evenly.
constexpr double kGoldenTurn = 2.0 * std::numbers::pi * (2.0 - std::numbers::phi);

/// i-th of n directions in a cone around `axis`.
Eigen::Vector3d inCone(const Eigen::Vector3d& axis, double halfAngle, int i, int n) {
  const double radius = std::tan(halfAngle) * std::sqrt((i + 0.5) / n);
  const double turn = kGoldenTurn * i;
  const Eigen::Matrix3d frame = frameAround(axis);
  return (axis + radius * (std::cos(turn) * frame.col(0) + std::sin(turn) * frame.col(1)))
      .normalized();
}

/// i-th of n directions over the upper half of a ball, each for an equal share of it.
Eigen::Vector3d inSky(int i, int n) {
  const double height = (i + 0.5) / n;
  const double radius = std::sqrt(1.0 - height * height);
  const double turn = kGoldenTurn * i;
  return {radius * std::cos(turn), height, radius * std::sin(turn)};
}

// A pixel gathers light over two pixels with a tent, which leaves no stairs at slanted edges.
double tent(double uniform) {
  return uniform < 0.5 ? std::sqrt(2.0 * uniform) - 1.0 : 1.0 - std::sqrt(2.0 - 2.0 * uniform);
}

/// i-th point of the additive recurrence of the plastic number (Roberts 2018): evenly spread in the
/// square for any number of points.
Eigen::Vector2d inPixel(int i) {
  const double x = 0.5 + 0.7548776662466927 * i;
  const double y = 0.5 + 0.5698402909980532 * i;
  return {tent(x - std::floor(x)), tent(y - std::floor(y))};
}

/// Rectangle of the floor that shadows may reach: least x, z, greatest x, z; within `reach` of the
/// centre.
Float4 shadowedFloor(const std::vector<Eigen::Vector3d>& casters, double height,
                     const Eigen::Vector3d& centre, double reach,
                     std::initializer_list<Shade> shades) {
  const Eigen::Vector2d middle(centre.x(), centre.z());
  Eigen::Vector2d lower = Eigen::Vector2d::Constant(std::numeric_limits<double>::infinity());
  Eigen::Vector2d upper = -lower;
  for (const Shade& shade : shades) {
    if (shade.towardLight.y() <= 0.0) continue;  // such light comes through the floor
    // A light low over the floor draws shadows and their blur out.
    const double blur = shade.blur / shade.towardLight.y();
    for (const Eigen::Vector3d& caster : casters) {
      const Eigen::Vector3d onFloor =
          caster - (caster.y() - height) / shade.towardLight.y() * shade.towardLight;
      lower = lower.cwiseMin(Eigen::Vector2d(onFloor.x() - blur, onFloor.z() - blur));
      upper = upper.cwiseMax(Eigen::Vector2d(onFloor.x() + blur, onFloor.z() + blur));
    }
  }
  if (!(lower.array() <= upper.array()).all()) lower = upper = middle;
  lower = lower.cwiseMax(middle - Eigen::Vector2d::Constant(reach));
  upper = upper.cwiseMin(middle + Eigen::Vector2d::Constant(reach));
  upper = upper.cwiseMax(lower);
  return {static_cast<float>(lower.x()), static_cast<float>(lower.y()),
          static_cast<float>(upper.x()), static_cast<float>(upper.y())};
}

double gridSpacing(const Floor& floor, double radius) {
  if (floor.gridSpacing > 0.0) return floor.gridSpacing;
  return std::pow(10.0, std::floor(std::log10(2.0 * radius / kFewestCells)));
}

bool namesSoftware(std::string_view device) {
  return device.find("llvmpipe") != std::string_view::npos ||
         device.find("softpipe") != std::string_view::npos ||
         device.find("SWR") != std::string_view::npos ||
         device.find("Software Rasterizer") != std::string_view::npos;
}

std::string glString(GLenum name) {
  const auto* text = glGetString(name);
  // OpenGL hands out unsigned characters; they are plain ASCII.
  return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text));
}

}  // namespace

/// The uniform block of frame.glsl in layout std140: only columns of four floats.
struct SceneRenderer::FrameBlock {
  Float16 clipFromRender, renderFromClip, lampFromRender, skyFromRender;
  Float4 eye, towardLamp, lampColour, towardSky, skyColour, bounceColour, horizonColour,
      zenithColour, floorColour, lineColour, floorPlace, floorFade, floorShadowed, openLight, texel,
      blur, picture;
};

/// Where things are this time.
struct SceneRenderer::Placement {
  std::vector<Eigen::Vector3d> casters;  ///< corners of what throws shadows, render coordinates
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< of all objects, render coordinates
  double radius = 1.0;                               ///< of all objects
  bool floorVisible = false;
  double floorHeight = 0.0;  ///< render coordinates
  Eigen::Matrix4d clipFromView = Eigen::Matrix4d::Identity();
  Eigen::Isometry3d viewFromRender = Eigen::Isometry3d::Identity();
};

Result<SceneRenderer> SceneRenderer::create() {
  SceneRenderer renderer;
  const Result<Done> built = renderer.build();
  if (!built) return built.error();
  return renderer;
}

Result<Done> SceneRenderer::build() {
  deviceName_ = glString(GL_RENDERER);
  isSoftware_ = namesSoftware(deviceName_);
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largestSide_);

  Error failure;
  const auto make = [&](GlProgram& into, std::initializer_list<ShaderStage> stages) {
    Result<GlProgram> made = makeProgram(stages);
    if (!made) {
      failure = made.error();
      return false;
    }
    into = std::move(made).value();
    const GLuint program = into.get();
    const GLuint block = glGetUniformBlockIndex(program, "Frame");
    if (block != GL_INVALID_INDEX) glUniformBlockBinding(program, block, kFrameBinding);
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "lampDepth"), kLampUnit);
    glUniform1i(glGetUniformLocation(program, "skyDepth"), kSkyUnit);
    glUniform1i(glGetUniformLocation(program, "onePass"), kPictureUnit);
    glUniform1i(glGetUniformLocation(program, "sum"), kPictureUnit);
    return true;
  };
  const auto stage = [](GLenum kind, std::initializer_list<std::string_view> files,
                        const std::string& definitions = {}) {
    return ShaderStage{kind, files, definitions};
  };
  const ShaderStage wholePicture = stage(GL_VERTEX_SHADER, {"frame.glsl", "picture.vert"});
  const auto makeShading = [&](Shading& shading, const std::string& passes) {
    const ShaderStage vertex = stage(GL_VERTEX_SHADER, {"frame.glsl", "mesh.vert"});
    const auto fragment = [&](std::string_view file, const std::string& definition) {
      return stage(GL_FRAGMENT_SHADER, {"frame.glsl", "display.glsl", "lighting.glsl", file},
                   passes + definition);
    };
    const auto floorVertex = [&](const std::string& definition) {
      return stage(GL_VERTEX_SHADER, {"frame.glsl", "floor.vert"}, definition);
    };
    const std::string shadowed = "#define SHADOWED\n";
    const bool made =
        make(shading.surface.program, {vertex, fragment("mesh.frag", "")}) &&
        make(shading.wire.program, {vertex, stage(GL_GEOMETRY_SHADER, {"frame.glsl", "wire.geom"}),
                                    fragment("mesh.frag", "#define WIREFRAME\n")}) &&
        make(shading.openFloor, {floorVertex(""), fragment("floor.frag", "")}) &&
        make(shading.shadowedFloor, {floorVertex(shadowed), fragment("floor.frag", shadowed)}) &&
        make(shading.background, {wholePicture, fragment("background.frag", "")});
    for (MeshProgram* program : {&shading.surface, &shading.wire}) {
      program->renderFromMesh = glGetUniformLocation(program->program.get(), "renderFromMesh");
      program->paint = glGetUniformLocation(program->program.get(), "paint");
    }
    return made;
  };
  const bool good =
      makeShading(shadeOnce_, "#define ONE_PASS\n") && makeShading(shadeOften_, "") &&
      make(depth_, {stage(GL_VERTEX_SHADER, {"frame.glsl", "depth.vert"}),
                    stage(GL_FRAGMENT_SHADER, {"frame.glsl", "depth.frag"})}) &&
      make(add_, {wholePicture, stage(GL_FRAGMENT_SHADER, {"frame.glsl", "add.frag"})}) &&
      make(resolve_, {wholePicture,
                      stage(GL_FRAGMENT_SHADER, {"frame.glsl", "display.glsl", "resolve.frag"})});
  if (!good) return failure;

  depthRenderFromMesh_ = glGetUniformLocation(depth_.get(), "renderFromMesh");
  depthMapFromRender_ = glGetUniformLocation(depth_.get(), "mapFromRender");
  resolveShare_ = glGetUniformLocation(resolve_.get(), "share");

  frame_ = makeBuffer();
  glBindBuffer(GL_UNIFORM_BUFFER, frame_.get());
  glBufferData(GL_UNIFORM_BUFFER, sizeof(FrameBlock), nullptr, GL_DYNAMIC_DRAW);
  noVertices_ = makeVertexArray();
  return Done{};
}

Result<const SceneRenderer::GpuMesh*> SceneRenderer::upload(
    const std::shared_ptr<const models::Mesh>& mesh) {
  const auto known = meshes_.find(mesh);
  if (known != meshes_.end()) return &known->second;

  const CreasedSurface surface = creasedSurface(*mesh);
  std::vector<PackedNormal> normals;
  normals.reserve(surface.normals.size());
  for (const Eigen::Vector3f& normal : surface.normals) {
    normals.push_back({snorm(normal.x()), snorm(normal.y()), snorm(normal.z()), 0});
  }
  Bounds bounds;
  if (!surface.positions.empty()) {
    bounds.lower = bounds.upper = surface.positions[0].cast<double>();
  }
  for (const Eigen::Vector3f& position : surface.positions) {
    bounds.lower = bounds.lower.cwiseMin(position.cast<double>());
    bounds.upper = bounds.upper.cwiseMax(position.cast<double>());
  }

  GpuMesh gpu;
  gpu.bounds = bounds;
  gpu.origin = mesh->origin;
  gpu.indexCount = static_cast<GLsizei>(3 * surface.triangles.size());
  gpu.layout = makeVertexArray();
  gpu.positions = makeBuffer();
  gpu.normals = makeBuffer();
  gpu.indices = makeBuffer();
  while (glGetError() != GL_NO_ERROR) {
  }
  const auto fill = [](GLenum kind, const GlBuffer& buffer, const auto& elements) {
    glBindBuffer(kind, buffer.get());
    glBufferData(kind, static_cast<GLsizeiptr>(elements.size() * sizeof(elements[0])),
                 elements.data(), GL_STATIC_DRAW);
  };
  glBindVertexArray(gpu.layout.get());
  // Apart, because shadow maps read positions only.
  fill(GL_ARRAY_BUFFER, gpu.positions, surface.positions);
  glEnableVertexAttribArray(0);
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Eigen::Vector3f), nullptr);
  fill(GL_ARRAY_BUFFER, gpu.normals, normals);
  glEnableVertexAttribArray(1);
  glVertexAttribPointer(1, 3, GL_SHORT, GL_TRUE, sizeof(PackedNormal), nullptr);
  fill(GL_ELEMENT_ARRAY_BUFFER, gpu.indices, surface.triangles);
  glBindVertexArray(0);
  if (glGetError() == GL_OUT_OF_MEMORY) {
    return Error{Reason::TooLarge, -1,
                 "The graphics card has no room for a mesh of " +
                     std::to_string(surface.triangles.size()) + " triangles; show a coarser copy."};
  }
  return &meshes_.emplace(mesh, std::move(gpu)).first->second;
}

Result<std::vector<SceneRenderer::Item>> SceneRenderer::itemsOf(const SceneView& view) {
  std::erase_if(meshes_, [](const auto& entry) { return entry.first.expired(); });
  std::vector<Item> items;
  const Eigen::Translation3d renderFromWorld(-view.camera.target);
  for (const DrawMesh& draw : view.meshes) {
    if (draw.mesh == nullptr || draw.mesh->triangles.empty()) continue;
    const Result<const GpuMesh*> gpu = upload(draw.mesh);
    if (!gpu) return gpu.error();
    const Eigen::Isometry3d renderFromVertices =
        renderFromWorld * draw.worldFromMesh * Eigen::Translation3d(gpu.value()->origin);
    items.push_back({gpu.value(), &draw, renderFromVertices,
                     transformed(gpu.value()->bounds, renderFromVertices)});
  }
  return items;
}

Result<Done> SceneRenderer::prepareTargets(const DrawSettings& settings) {
  const auto ensure = [](RenderTarget& target, int width, int height, GLenum colour,
                         GLenum depth) -> Result<Done> {
    if (target.width == width && target.height == height) return Done{};
    target = RenderTarget{};
    Result<RenderTarget> made = makeRenderTarget(width, height, colour, depth);
    if (!made) return made.error();
    target = std::move(made).value();
    return Done{};
  };
  const ShadowQuality& shadow = settings.passes == 1 ? kOnePassShadow : kManyPassShadow;
  Result<Done> done = ensure(lampMap_, shadow.lampSide, shadow.lampSide, 0, GL_DEPTH_COMPONENT32F);
  if (done) done = ensure(skyMap_, shadow.skySide, shadow.skySide, 0, GL_DEPTH_COMPONENT32F);
  if (done && settings.passes > 1) {
    done = ensure(onePass_, settings.width, settings.height, GL_RGBA16F, GL_DEPTH_COMPONENT32F);
    if (done) done = ensure(sum_, settings.width, settings.height, GL_RGBA32F, 0);
  }
  return done;
}

void SceneRenderer::drawShadow(const std::vector<Item>& items, const RenderTarget& map,
                               const Eigen::Matrix4d& mapFromRender) {
  glBindFramebuffer(GL_FRAMEBUFFER, map.framebuffer.get());
  glViewport(0, 0, map.width, map.height);
  glClear(GL_DEPTH_BUFFER_BIT);
  glUseProgram(depth_.get());
  glUniformMatrix4fv(depthMapFromRender_, 1, GL_FALSE, float16(mapFromRender).data());
  // Steep faces cross several depths within one texel; the card knows their slope.
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.5F, 2.0F);
  for (const Item& item : items) {
    if (!item.draw->castsShadow) continue;
    glUniformMatrix4fv(depthRenderFromMesh_, 1, GL_FALSE,
                       float16(item.renderFromVertices.matrix()).data());
    glBindVertexArray(item.mesh->layout.get());
    glDrawElements(GL_TRIANGLES, item.mesh->indexCount, GL_UNSIGNED_INT, nullptr);
  }
  glDisable(GL_POLYGON_OFFSET_FILL);
}

void SceneRenderer::drawItems(const std::vector<Item>& items, const Shading& shading) {
  for (const Item& item : items) {
    const MeshProgram& program = item.draw->wireframe ? shading.wire : shading.surface;
    glUseProgram(program.program.get());
    glUniformMatrix4fv(program.renderFromMesh, 1, GL_FALSE,
                       float16(item.renderFromVertices.matrix()).data());
    glUniform4fv(program.paint, 1, float4(item.draw->colour, item.draw->roughness).data());
    glBindVertexArray(item.mesh->layout.get());
    glDrawElements(GL_TRIANGLES, item.mesh->indexCount, GL_UNSIGNED_INT, nullptr);
  }
}

void SceneRenderer::drawPass(const SceneView& view, const std::vector<Item>& items,
                             const Placement& placement, const Pass& pass,
                             const DrawSettings& settings, GLuint target) {
  const bool only = settings.passes == 1;
  const ShadowQuality& quality = only ? kOnePassShadow : kManyPassShadow;
  const bool shadows = view.light.shadows && !placement.casters.empty();
  const ShadowFit lamp =
      fitShadow(placement.casters, pass.towardLamp, quality.lampSide, quality.lampRadius);
  const ShadowFit sky =
      fitShadow(placement.casters, pass.towardSky, quality.skySide, quality.skyRadius);
  if (shadows) {
    drawShadow(items, lampMap_, lamp.mapFromRender);
    drawShadow(items, skyMap_, sky.mapFromRender);
  }

  Eigen::Matrix4d shift = Eigen::Matrix4d::Identity();
  shift(0, 3) = 2.0 * pass.pixelOffset.x() / settings.width;
  shift(1, 3) = 2.0 * pass.pixelOffset.y() / settings.height;
  const Eigen::Matrix4d clipFromRender =
      shift * placement.clipFromView * placement.viewFromRender.matrix();
  const Light& light = view.light;
  const Floor floor = view.floor.value_or(Floor{});
  const double spacing = gridSpacing(floor, placement.radius);
  // Grid lines keep their places in the world: the strong lines go through its origin.
  const Eigen::Vector3d& moved = view.camera.target;
  FrameBlock block;
  block.clipFromRender = float16(clipFromRender);
  block.renderFromClip = float16(clipFromRender.inverse());
  block.lampFromRender = float16(lamp.mapFromRender);
  block.skyFromRender = float16(sky.mapFromRender);
  const Eigen::Vector3d eye = placement.viewFromRender.inverse().translation();
  block.eye = float4(eye, 1.0);
  block.towardLamp = float4(pass.towardLamp, shadows ? 1.0 : 0.0);
  block.lampColour = float4(light.lamp, 0.0);
  block.towardSky = float4(pass.towardSky, kOverheadOcclusion);
  block.skyColour = float4(light.sky, 0.0);
  block.bounceColour = float4(light.bounce, kBounceShare * placement.radius);
  block.horizonColour = float4(view.background.horizon, 0.0);
  block.zenithColour = float4(view.background.zenith, 0.0);
  // Without a floor nothing is shaded by one: it lies below everything.
  block.floorColour =
      float4(floor.colour, view.floor ? placement.floorHeight : -1e3 * placement.radius);
  block.lineColour = float4(floor.line, spacing);
  block.floorPlace = {static_cast<float>(-std::fmod(moved.x(), 10.0 * spacing)),
                      static_cast<float>(-std::fmod(moved.z(), 10.0 * spacing)),
                      static_cast<float>(placement.centre.x()),
                      static_cast<float>(placement.centre.z())};
  block.floorFade = {static_cast<float>(kFadeBegin * placement.radius),
                     static_cast<float>(kFadeEnd * placement.radius), 0.0F, 0.0F};
  // The open floor sees the whole lamp, and the sky as the shader counts it.
  const double openSky = only ? 1.0 : 2.0 * std::max(pass.towardSky.y(), 0.0);
  const Colour openLight = static_cast<float>(openSky) * light.sky +
                           static_cast<float>(std::max(pass.towardLamp.y(), 0.0)) * light.lamp;
  block.openLight = float4(openLight, 0.0);
  block.floorShadowed = shadowedFloor(
      placement.casters, placement.floorHeight, placement.centre, kFadeEnd * placement.radius,
      {{pass.towardLamp, lamp.extent * (quality.lampRadius + 2.0) / quality.lampSide},
       {pass.towardSky, sky.extent * (quality.skyRadius + 2.0) / quality.skySide}});
  block.texel = {static_cast<float>(lamp.extent / quality.lampSide),
                 static_cast<float>(sky.extent / quality.skySide),
                 1.0F / static_cast<float>(quality.lampSide),
                 1.0F / static_cast<float>(quality.skySide)};
  block.blur = {static_cast<float>(quality.lampRadius), static_cast<float>(quality.skyRadius), 0.0F,
                0.0F};
  block.picture = {static_cast<float>(settings.width), static_cast<float>(settings.height), 0.0F,
                   0.0F};
  glBindBuffer(GL_UNIFORM_BUFFER, frame_.get());
  glBufferData(GL_UNIFORM_BUFFER, sizeof(FrameBlock), &block, GL_DYNAMIC_DRAW);
  glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBinding, frame_.get());

  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glViewport(0, 0, settings.width, settings.height);
  glClear(GL_DEPTH_BUFFER_BIT);
  glActiveTexture(GL_TEXTURE0 + kLampUnit);
  glBindTexture(GL_TEXTURE_2D, lampMap_.depth.get());
  glActiveTexture(GL_TEXTURE0 + kSkyUnit);
  glBindTexture(GL_TEXTURE_2D, skyMap_.depth.get());
  const Shading& shading = only ? shadeOnce_ : shadeOften_;
  drawItems(items, shading);
  glBindVertexArray(noVertices_.get());
  if (placement.floorVisible) {
    glUseProgram(shading.shadowedFloor.get());
    glDrawArrays(GL_TRIANGLES, 0, 6);
    glUseProgram(shading.openFloor.get());
    glDrawArrays(GL_TRIANGLES, 0, 8 * 6);
  }
  // Last, so that only the pixels that nothing else took are computed.
  glUseProgram(shading.background.get());
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

Result<Done> SceneRenderer::draw(const SceneView& view, const DrawSettings& settings) {
  if (settings.width < 1 || settings.height < 1 || settings.width > largestSide_ ||
      settings.height > largestSide_ || settings.passes < 1) {
    return Error{Reason::BadValue, -1,
                 "A picture of " + std::to_string(settings.width) + " by " +
                     std::to_string(settings.height) + " pixels in " +
                     std::to_string(settings.passes) +
                     " passes cannot be drawn; each side takes 1 to " +
                     std::to_string(largestSide_) + " pixels, and one pass at least is needed."};
  }
  Result<std::vector<Item>> found = itemsOf(view);
  if (!found) return found.error();
  const std::vector<Item>& items = found.value();
  const Result<Done> prepared = prepareTargets(settings);
  if (!prepared) return prepared.error();

  Placement placement;
  Bounds all;
  for (const Item& item : items) {
    all = all.isEmpty() ? item.bounds
                        : Bounds{all.lower.cwiseMin(item.bounds.lower),
                                 all.upper.cwiseMax(item.bounds.upper)};
    if (!item.draw->castsShadow) continue;
    for (const Eigen::Vector3d& corner : cornersOf(item.mesh->bounds)) {
      placement.casters.push_back(item.renderFromVertices * corner);
    }
  }
  const OrbitCamera& camera = view.camera;
  if (!all.isEmpty()) placement.centre = all.centre();
  placement.radius = all.diagonal() > 0.0 ? 0.5 * all.diagonal() : 0.5 * camera.distance;
  const Eigen::Vector3d eye = camera.eye() - camera.target;
  if (view.floor) {
    placement.floorHeight = view.floor->height - camera.target.y();
    // From below the floor is open, so that nothing hides the objects.
    placement.floorVisible = eye.y() > placement.floorHeight;
  }
  OrbitCamera around = camera;
  around.target = Eigen::Vector3d::Zero();
  placement.viewFromRender = around.viewFromWorld();
  const double reach =
      std::max((view.floor ? kFadeEnd * 1.5 : 1.0) * placement.radius, 1e-3 * camera.distance);
  const double toCentre = (eye - placement.centre).norm();
  const double farthest = toCentre + reach;
  // Near enough for close looks, far enough for the depth buffer: a ratio of 1:20,000 still
  // resolves a thousandth of the distance in 24 bits at the far end.
  const double nearest =
      std::max({toCentre - 1.05 * placement.radius, 0.02 * camera.distance, farthest / 20000.0});
  placement.clipFromView =
      camera.clipFromView(static_cast<double>(settings.width) / settings.height,
                          std::min(nearest, 0.3 * camera.distance), farthest);

  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glEnable(GL_DEPTH_CLAMP);
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisable(GL_SCISSOR_TEST);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glDepthMask(GL_TRUE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  const Eigen::Vector3d towardLamp = view.light.towardLamp.normalized();
  if (settings.passes == 1) {
    drawPass(view, items, placement,
             {Eigen::Vector2d::Zero(), towardLamp, Eigen::Vector3d::UnitY()}, settings,
             settings.target);
  } else {
    glBindFramebuffer(GL_FRAMEBUFFER, sum_.framebuffer.get());
    constexpr std::array<float, 4> kNothing = {0.0F, 0.0F, 0.0F, 0.0F};
    glClearBufferfv(GL_COLOR, 0, kNothing.data());
    for (int i = 0; i < settings.passes; ++i) {
      drawPass(view, items, placement,
               {inPixel(i), inCone(towardLamp, view.light.lampAngle, i, settings.passes),
                inSky(i, settings.passes)},
               settings, onePass_.framebuffer.get());
      glBindFramebuffer(GL_FRAMEBUFFER, sum_.framebuffer.get());
      glDisable(GL_DEPTH_TEST);
      glEnable(GL_BLEND);
      glBlendFunc(GL_ONE, GL_ONE);
      glActiveTexture(GL_TEXTURE0 + kPictureUnit);
      glBindTexture(GL_TEXTURE_2D, onePass_.colour.get());
      glUseProgram(add_.get());
      glDrawArrays(GL_TRIANGLES, 0, 3);
      glDisable(GL_BLEND);
      glEnable(GL_DEPTH_TEST);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, settings.target);
    glDisable(GL_DEPTH_TEST);
    glActiveTexture(GL_TEXTURE0 + kPictureUnit);
    glBindTexture(GL_TEXTURE_2D, sum_.colour.get());
    glUseProgram(resolve_.get());
    glUniform1f(resolveShare_, 1.0F / static_cast<float>(settings.passes));
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_DEPTH_CLAMP);
  glBindVertexArray(0);
  glUseProgram(0);
  glActiveTexture(GL_TEXTURE0);
  return Done{};
}

Image readPixels(int width, int height) {
  Image image;
  image.width = width;
  image.height = height;
  const std::size_t stride = 3 * static_cast<std::size_t>(width);
  std::vector<std::uint8_t> upward(stride * static_cast<std::size_t>(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, upward.data());
  // OpenGL's rows go up, a picture's go down.
  image.rgb.resize(upward.size());
  for (std::size_t row = 0; row < static_cast<std::size_t>(height); ++row) {
    std::memcpy(&image.rgb[row * stride],
                &upward[(static_cast<std::size_t>(height) - 1 - row) * stride], stride);
  }
  return image;
}

}  // namespace tactus::render
