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
#include "render/frame_program.hpp"
#include "render/solid_surface.hpp"

namespace tactus::render {

namespace {

using models::Bounds;
using models::Done;
using models::Error;
using models::Reason;
using models::Result;

/// Sizes of shadow maps and how they are filtered; radii in texels.
struct ShadowQuality {
  int lampSide, skySide;
  double lampRadius, skyRadius;
};
// One pass: the blur must hide the texels and stand in for the lamp's size.
constexpr ShadowQuality kOnePassShadow = {1024, 256, 1.5, 6.0};
// Hard shadows, each texel as large as a pixel or two of half a picture.
constexpr ShadowQuality kPlainShadow = {512, 64, 1.0, 1.0};
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

// Larger meshes are drawn with both sides: whether they need it takes longer to find out than a
// graphics card needs for it, and no processor draws them.
constexpr std::size_t kMostLookedAt = 20'000;

// A caster that has not moved in so many pictures goes into the map of those at rest.
constexpr std::uint32_t kAtRest = 20;

// What has few triangles covers much: it is drawn in each region for itself, because a processor
// has to look at each pixel between them. What has more goes through the vertex stages only once.
constexpr GLsizei kMostWideIndices = 3 * 1000;

// Rounding of corners, and the neighbours from which a shader takes its slopes.
constexpr int kRegionRim = 2;

/// A unit vector in six bytes, and two to keep the next one aligned.
using PackedNormal = std::array<std::int16_t, 4>;

std::int16_t snorm(float value) {
  return static_cast<std::int16_t>(std::lround(std::clamp(value, -1.0F, 1.0F) * 32767.0F));
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

/// A shadow map's view: parallel, and as tight around the casters as it can be.
struct ShadowFit {
  Eigen::Matrix4d mapFromRender = Eigen::Matrix4d::Identity();  ///< all three 0 to 1, z away
  double extent = 1.0;                                          ///< side of the map [m]
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

/// A light that throws shadows of what lies between some points.
struct FloorShade {
  Eigen::Vector3d towardLight;
  double blur;  ///< of its filter [m]
  const std::vector<Eigen::Vector3d>& casters;
};

/// Rectangle of the floor that shadows may reach: least x, z, greatest x, z; within `reach` of the
/// centre.
Float4 shadowedFloor(double height, const Eigen::Vector3d& centre, double reach,
                     std::initializer_list<FloorShade> shades) {
  const Eigen::Vector2d middle(centre.x(), centre.z());
  Eigen::Vector2d lower = Eigen::Vector2d::Constant(std::numeric_limits<double>::infinity());
  Eigen::Vector2d upper = -lower;
  for (const FloorShade& shade : shades) {
    if (shade.towardLight.y() <= 0.0) continue;  // such light comes through the floor
    // A light low over the floor draws shadows and their blur out.
    const double blur = shade.blur / shade.towardLight.y();
    for (const Eigen::Vector3d& caster : shade.casters) {
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

/// Corners of a box around points that stays where it is, along the axes of a light.
std::vector<Eigen::Vector3d> steadyAround(const std::vector<Eigen::Vector3d>& points,
                                          const Eigen::Vector3d& towardLight, SteadyBox& box) {
  if (points.empty()) return {};
  const Eigen::Matrix3d renderFromLight = frameAround(towardLight);
  Bounds inLight;
  for (const Eigen::Vector3d& point : points) {
    const Eigen::Vector3d at = renderFromLight.transpose() * point;
    inLight = joined(inLight, {at, at});
  }
  std::vector<Eigen::Vector3d> corners;
  corners.reserve(8);
  for (const Eigen::Vector3d& corner : cornersOf(box.around(inLight)))
    corners.emplace_back(renderFromLight * corner);
  return corners;
}

/// Box in a light's map around points and what is no further than `blur` from them [m].
Bounds inMap(const std::vector<Eigen::Vector3d>& points, const Eigen::Matrix4d& mapFromRender,
             double blur) {
  Bounds box;
  for (const Eigen::Vector3d& point : points) {
    const Eigen::Vector3d at = (mapFromRender * point.homogeneous()).head<3>();
    box = joined(box, {at, at});
  }
  const Eigen::Vector3d rim = blur * mapFromRender.topLeftCorner<3, 3>().rowwise().norm();
  return {box.lower - rim, box.upper + rim};
}

/// Texels of a map that something in a box of it may cover.
PixelRect texelsOf(const Bounds& box, int side) {
  const auto texel = [side](double place) {
    return static_cast<int>(std::floor(std::clamp(place, -1.0, 2.0) * side));
  };
  return {texel(box.lower.x()), texel(box.lower.y()), texel(box.upper.x()) + 1,
          texel(box.upper.y()) + 1};
}

void scissorTo(const PixelRect& rect) {
  glScissor(rect.left, rect.bottom, rect.right - rect.left, rect.top - rect.bottom);
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

const ShadowQuality& shadowQuality(const DrawSettings& settings) {
  if (settings.passes > 1) return kManyPassShadow;
  return settings.isPlain ? kPlainShadow : kOnePassShadow;
}

}  // namespace

/// The uniform block of frame.glsl in layout std140: only columns of four floats.
struct SceneRenderer::FrameBlock {
  Float16 clipFromRender, renderFromClip, lampFromRender, skyFromRender;
  Float4 eye, towardLamp, lampColour, towardSky, skyColour, bounceColour, horizonColour,
      zenithColour, floorColour, lineColour, floorPlace, floorFade, floorShadowed, openLight, texel,
      blur, picture;
};

/// A light that throws shadows, and how far from where they are they may change a picture [m].
struct SceneRenderer::Shade {
  ShadowMap& shadow;
  Eigen::Matrix4d mapFromRender;
  double blur;
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
    Result<GlProgram> made = makeFrameProgram(stages);
    if (!made) {
      failure = made.error();
      return false;
    }
    into = std::move(made).value();
    return true;
  };
  const ShaderStage wholePicture = vertexStage("picture.vert");
  const auto makeShading = [&](Shading& shading, bool onePass, const std::string& plain = {}) {
    const ShaderStage vertex = vertexStage("mesh.vert");
    const ShaderStage edges{GL_GEOMETRY_SHADER, {"frame.glsl", "wire.geom"}, {}};
    const std::string ghost = plain + "#define GHOST\n";
    const std::string wire = plain + "#define WIREFRAME\n";
    const std::string shadowed = "#define SHADOWED\n";
    const bool made =
        make(shading.surface.program, {vertex, surfaceStage("mesh.frag", onePass, plain)}) &&
        make(shading.ghost.program, {vertex, surfaceStage("mesh.frag", onePass, ghost)}) &&
        make(shading.wire.program, {vertex, edges, surfaceStage("mesh.frag", onePass, wire)}) &&
        make(shading.wireGhost.program,
             {vertex, edges, surfaceStage("mesh.frag", onePass, wire + "#define GHOST\n")}) &&
        make(shading.openFloor,
             {vertexStage("floor.vert"), surfaceStage("floor.frag", onePass, plain)}) &&
        make(shading.shadowedFloor, {vertexStage("floor.vert", shadowed),
                                     surfaceStage("floor.frag", onePass, plain + shadowed)}) &&
        make(shading.background, {wholePicture, fragmentStage("background.frag", onePass)});
    for (MeshProgram* program :
         {&shading.surface, &shading.wire, &shading.ghost, &shading.wireGhost}) {
      program->renderFromMesh = glGetUniformLocation(program->program.get(), "renderFromMesh");
      program->paint = glGetUniformLocation(program->program.get(), "paint");
      program->opacity = glGetUniformLocation(program->program.get(), "opacity");
    }
    return made;
  };
  const auto fragment = [](std::initializer_list<std::string_view> files) {
    return ShaderStage{GL_FRAGMENT_SHADER, files, {}};
  };
  const bool good =
      makeShading(shadePlain_, true, "#define PLAIN\n") && makeShading(shadeOnce_, true) &&
      makeShading(shadeOften_, false) &&
      make(depth_, {vertexStage("depth.vert"), fragment({"frame.glsl", "depth.frag"})}) &&
      make(add_, {wholePicture, fragment({"frame.glsl", "add.frag"})}) &&
      make(resolve_, {wholePicture, fragment({"frame.glsl", "display.glsl", "resolve.frag"})});
  if (!good) return failure;

  depthRenderFromMesh_ = glGetUniformLocation(depth_.get(), "renderFromMesh");
  depthMapFromRender_ = glGetUniformLocation(depth_.get(), "mapFromRender");
  resolveShare_ = glGetUniformLocation(resolve_.get(), "share");

  frame_ = makeBuffer();
  glBindBuffer(GL_UNIFORM_BUFFER, frame_.get());
  glBufferData(GL_UNIFORM_BUFFER, sizeof(FrameBlock), nullptr, GL_DYNAMIC_DRAW);
  noVertices_ = makeVertexArray();
  return mask_.build();
}

Result<SceneRenderer::GpuMesh> SceneRenderer::upload(const models::Mesh& mesh) {
  const CreasedSurface surface = creasedSurface(mesh);
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
  gpu.origin = mesh.origin;
  gpu.isSolid = mesh.triangles.size() <= kMostLookedAt && boundsSolid(mesh);
  gpu.indexCount = static_cast<GLsizei>(3 * surface.triangles.size());
  gpu.layout = makeVertexArray();
  gpu.positions = makeBuffer();
  gpu.normals = makeBuffer();
  gpu.indices = makeBuffer();
  clearErrors();
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
  return gpu;
}

Result<SceneRenderer::Items> SceneRenderer::itemsOf(const SceneView& view) {
  meshes_.dropUnused();
  Items items;
  items.shown.reserve(view.meshes.size());
  const Eigen::Translation3d renderFromWorld(-view.camera.target);
  const Eigen::Vector3d eye = view.camera.eye() - view.camera.target;
  for (const DrawMesh& draw : view.meshes) {
    const bool isSeen =
        draw.mesh != nullptr && !draw.mesh->triangles.empty() && draw.opacity > 0.0F;
    if (!isSeen) continue;
    const Result<const GpuMesh*> gpu = meshes_.find(draw.mesh, upload);
    if (!gpu) return gpu.error();
    const Eigen::Isometry3d renderFromVertices =
        renderFromWorld * draw.worldFromMesh * Eigen::Translation3d(gpu.value()->origin);
    const bool isGhost = draw.opacity < 1.0F;
    ShownBody shown{
        gpu.value(),    renderFromVertices,          draw.colour, draw.roughness, draw.opacity,
        draw.wireframe, !isGhost && draw.castsShadow};
    shown.corners = cornersOf(gpu.value()->bounds);
    for (Eigen::Vector3d& corner : shown.corners)
      corner = renderFromVertices * corner;
    Item item{gpu.value(),
              &draw,
              renderFromVertices,
              transformed(gpu.value()->bounds, renderFromVertices),
              shown.corners,
              items.shown.size(),
              false,
              true,
              {}};
    const bool isWithin = (eye.array() >= item.bounds.lower.array()).all() &&
                          (eye.array() <= item.bounds.upper.array()).all();
    item.culls = item.mesh->isSolid && !isWithin;
    (isGhost ? items.ghosts : items.solid).push_back(item);
    items.shown.push_back(std::move(shown));
  }
  const auto away = [&](const Item& item) { return (item.bounds.centre() - eye).norm(); };
  std::stable_sort(items.solid.begin(), items.solid.end(),
                   [&](const Item& a, const Item& b) { return away(a) < away(b); });
  std::stable_sort(items.ghosts.begin(), items.ghosts.end(),
                   [&](const Item& a, const Item& b) { return away(a) > away(b); });
  return items;
}

Result<Done> SceneRenderer::prepareTargets(const DrawSettings& settings) {
  const ShadowQuality& shadow = shadowQuality(settings);
  constexpr GLenum kDepth = GL_DEPTH_COMPONENT32F;
  const auto fit = [](ShadowMap& of, int side) -> Result<Done> {
    if (of.map.width != side) of.isKept = false;
    Result<Done> fitted = fitRenderTarget(of.map, side, side, 0, kDepth);
    if (fitted && of.usesStill) fitted = fitRenderTarget(of.still, side, side, 0, kDepth);
    return fitted;
  };
  lamp_.usesStill = sky_.usesStill = settings.isSteady;
  Result<Done> done = fit(lamp_, shadow.lampSide);
  if (done) done = fit(sky_, shadow.skySide);
  if (done && settings.passes > 1) {
    done = fitRenderTarget(onePass_, settings.width, settings.height, GL_RGBA16F, kDepth);
    if (done) done = fitRenderTarget(sum_, settings.width, settings.height, GL_RGBA32F, 0);
  }
  return done;
}

template <typename Choose>
void SceneRenderer::drawShadow(const std::vector<Item>& items, const RenderTarget& map,
                               const Eigen::Matrix4d& mapFromRender, const Choose& isDrawn) {
  glBindFramebuffer(GL_FRAMEBUFFER, map.framebuffer.get());
  glViewport(0, 0, map.width, map.height);
  glUseProgram(depth_.get());
  glUniformMatrix4fv(depthMapFromRender_, 1, GL_FALSE, float16(mapFromRender).data());
  // Steep faces cross several depths within one texel; the card knows their slope.
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.5F, 2.0F);
  for (const Item& item : items) {
    if (!item.draw->castsShadow || !isDrawn(item)) continue;
    glUniformMatrix4fv(depthRenderFromMesh_, 1, GL_FALSE,
                       float16(item.renderFromVertices.matrix()).data());
    glBindVertexArray(item.mesh->layout.get());
    glDrawElements(GL_TRIANGLES, item.mesh->indexCount, GL_UNSIGNED_INT, nullptr);
  }
  glDisable(GL_POLYGON_OFFSET_FILL);
}

void SceneRenderer::updateShadow(ShadowMap& shadow, const Items& items,
                                 const Eigen::Matrix4d& mapFromRender, bool isSteady, bool moves) {
  const auto clear = [](const RenderTarget& map) {
    glBindFramebuffer(GL_FRAMEBUFFER, map.framebuffer.get());
    glClear(GL_DEPTH_BUFFER_BIT);
  };
  if (!isSteady) {
    clear(shadow.map);
    drawShadow(items.solid, shadow.map, mapFromRender, [](const Item&) { return true; });
    glEnable(GL_POLYGON_OFFSET_FILL);
    clouds_.paintShadows(mapFromRender, shadow.map.width);
    glDisable(GL_POLYGON_OFFSET_FILL);
    shadow.isKept = false;
    return;
  }
  const bool isSameView = shadow.isKept && shadow.mapFromRender == mapFromRender;
  if (isSameView && !moves) return;
  std::vector<std::uint8_t> rests(items.shown.size());
  for (std::size_t place = 0; place < rests.size(); ++place)
    rests[place] = memory_.stillFor(place) >= kAtRest ? 1 : 0;
  const auto isAtRest = [&](const Item& item) { return rests[item.place] != 0; };
  if (!isSameView || rests != shadow.isInStill) {
    clear(shadow.still);
    drawShadow(items.solid, shadow.still, mapFromRender, isAtRest);
    shadow.isInStill = std::move(rests);
    rests = shadow.isInStill;
  }
  const int side = shadow.map.width;
  PixelRect texels{0, 0, side, side};
  if (isSameView && !shadow.changed.isEmpty())
    texels = common(texels, texelsOf(shadow.changed, side));
  if (!texels.isEmpty()) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, shadow.still.framebuffer.get());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, shadow.map.framebuffer.get());
    glBlitFramebuffer(texels.left, texels.bottom, texels.right, texels.top, texels.left,
                      texels.bottom, texels.right, texels.top, GL_DEPTH_BUFFER_BIT, GL_NEAREST);
    glEnable(GL_SCISSOR_TEST);
    scissorTo(texels);
    drawShadow(items.solid, shadow.map, mapFromRender,
               [&](const Item& item) { return !isAtRest(item); });
    glDisable(GL_SCISSOR_TEST);
  }
  shadow.mapFromRender = mapFromRender;
  shadow.isKept = true;
}

void SceneRenderer::drawItem(const Item& item, const MeshProgram& program) {
  glUseProgram(program.program.get());
  glUniformMatrix4fv(program.renderFromMesh, 1, GL_FALSE,
                     float16(item.renderFromVertices.matrix()).data());
  glUniform4fv(program.paint, 1, float4(item.draw->colour, item.draw->roughness).data());
  glUniform1f(program.opacity, item.draw->opacity);
  if (item.culls) glEnable(GL_CULL_FACE);
  glBindVertexArray(item.mesh->layout.get());
  glDrawElements(GL_TRIANGLES, item.mesh->indexCount, GL_UNSIGNED_INT, nullptr);
  glDisable(GL_CULL_FACE);
}

template <typename Draw>
void SceneRenderer::drawWide(const PixelRect& where, const Draw& draw) const {
  if (!isMasked_) {
    draw();
    return;
  }
  PixelRect around;
  for (const PixelRect& region : regions_) {
    around = joined(around, region);
    if (const PixelRect both = common(region, where); !both.isEmpty()) {
      scissorTo(both);
      draw();
    }
  }
  scissorTo(around);
}

void SceneRenderer::drawSolid(const std::vector<Item>& items, const Shading& shading) const {
  for (const Item& item : items) {
    if (!item.isDrawn) continue;
    const MeshProgram& program = item.draw->wireframe ? shading.wire : shading.surface;
    if (item.mesh->indexCount > kMostWideIndices) {
      drawItem(item, program);
    } else {
      drawWide(item.region, [&] { drawItem(item, program); });
    }
  }
}

void SceneRenderer::drawGhosts(const std::vector<Item>& items, const Shading& shading) {
  if (items.empty()) return;
  glEnable(GL_BLEND);
  // A little farther away than they are: where a ghost is just where its solid twin is, the twin is
  // in front, and the two do not flicker.
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.0F, 4.0F);
  for (const Item& item : items) {
    if (!item.isDrawn) continue;
    const MeshProgram& program = item.draw->wireframe ? shading.wireGhost : shading.ghost;
    // Depths first, by the same program and so to the bit: then only the nearest side has colour.
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    drawItem(item, program);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    drawItem(item, program);
  }
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDisable(GL_BLEND);
}

void SceneRenderer::chooseRegions(const SceneDifference& difference,
                                  const Eigen::Matrix4d& clipFromRender, const FrameBlock& block,
                                  const std::vector<Shade>& shades, const DrawSettings& settings) {
  // All that the shaders know of a picture as a whole: where it is the same to the bit, so is what
  // has not moved.
  std::vector<std::byte> bytes(sizeof(FrameBlock));
  std::memcpy(bytes.data(), &block, sizeof(FrameBlock));
  drewWhole_ = !settings.isKept || difference.isWhole || bytes != block_;
  block_ = std::move(bytes);
  regions_.clear();
  for (const Shade& shade : shades) {
    shade.shadow.receivers.look(clipFromRender, shade.mapFromRender, settings.width,
                                settings.height);
    shade.shadow.changed = {};
  }
  const PixelRect whole{0, 0, settings.width, settings.height};
  if (drewWhole_) {
    regions_.assign(1, whole);
    parts_.assign(1, whole);
    heldBack_.clear();
    return;
  }
  PictureTiles tiles(settings.width, settings.height);
  for (const ChangedPart& part : difference.parts) {
    const std::vector<Eigen::Vector2d> pixels =
        pixelsOf(part.points, clipFromRender, settings.width, settings.height);
    if (pixels.empty()) {
      tiles.add(whole);
    } else {
      tiles.add(ConvexOutline(pixels, kRegionRim + part.pixels));
    }
    if (!part.castsShadow) continue;
    for (const Shade& shade : shades) {
      shade.shadow.receivers.addReached(part.points, shade.blur, tiles);
      shade.shadow.changed =
          joined(shade.shadow.changed, inMap(part.points, shade.mapFromRender, shade.blur));
    }
  }
  parts_ = tiles.rects();
  heldBack_.clear();
  for (const PixelRect& held : settings.held) {
    for (const PixelRect& part : parts_) {
      if (const PixelRect both = common(part, held); !both.isEmpty()) heldBack_.push_back(both);
    }
    parts_ = without(parts_, held);
  }
  for (const PixelRect& worn : settings.worn) {
    if (const PixelRect inside = common(worn, whole); !inside.isEmpty()) parts_.push_back(inside);
  }
  regions_.clear();
  for (const PixelRect& part : parts_)
    addRegion(regions_, part);
  for (const PixelRect& held : settings.held)
    regions_ = without(regions_, held);
}

void SceneRenderer::learnReceivers(const SceneView& view, const Items& items,
                                   const Eigen::Matrix4d& clipFromRender,
                                   const std::vector<Shade>& shades, const DrawSettings& settings) {
  if (shades.empty()) return;
  if (drewWhole_) {
    // As long as the view moves nobody asks.
    for (const Shade& shade : shades)
      shade.shadow.receivers.forget();
    return;
  }
  const bool knowsAll = std::all_of(shades.begin(), shades.end(), [](const Shade& shade) {
    return shade.shadow.receivers.knowsAll();
  });
  std::vector<PixelRect> drawn = regions_;
  if (!knowsAll) drawn.assign(1, {0, 0, settings.width, settings.height});
  const PictureTiles grid(settings.width, settings.height);
  std::vector<float> depths;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, settings.target);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  for (const PixelRect& region : drawn) {
    const PixelRect tiles = grid.around(region);
    depths.resize(static_cast<std::size_t>(tiles.area()));
    glReadPixels(tiles.left, tiles.bottom, tiles.right - tiles.left, tiles.top - tiles.bottom,
                 GL_DEPTH_COMPONENT, GL_FLOAT, depths.data());
    for (const Shade& shade : shades)
      shade.shadow.receivers.learn(tiles, depths);
  }
  // Signs and ghosts leave their own depths where what is behind them shines through.
  std::vector<PixelRect> open;
  open.reserve(items.ghosts.size());
  for (const Item& ghost : items.ghosts)
    open.push_back(ghost.region);
  for (const ChangedPart& sign : signsOf(view)) {
    open.push_back(regionOf(sign.points, clipFromRender, settings.width, settings.height,
                            kRegionRim + sign.pixels));
  }
  for (const Shade& shade : shades) {
    for (const PixelRect& rect : open)
      shade.shadow.receivers.open(rect);
  }
}

void SceneRenderer::drawAll(const Items& items, const Placement& placement, const Shading& shading,
                            const Eigen::Matrix4d& clipFromRender, bool onePass,
                            GLuint target) const {
  const PixelRect whole{0, 0, largestSide_, largestSide_};
  drawSolid(items.solid, shading);
  clouds_.paint(onePass, clipFromRender, target);
  glBindVertexArray(noVertices_.get());
  if (placement.floorVisible) {
    glUseProgram(shading.shadowedFloor.get());
    drawWide(whole, [] { glDrawArrays(GL_TRIANGLES, 0, 6); });
    glUseProgram(shading.openFloor.get());
    drawWide(whole, [] { glDrawArrays(GL_TRIANGLES, 0, 8 * 6); });
  }
  // Last of the solid things, so that only the pixels that nothing else took are computed.
  glUseProgram(shading.background.get());
  drawWide(whole, [] { glDrawArrays(GL_TRIANGLES, 0, 3); });

  // Alpha mixes colours and stays 1 in the target, which a window may show through otherwise.
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  signs_.paint(onePass);
  images_.paint(onePass);
  drawGhosts(items.ghosts, shading);
}

void SceneRenderer::drawPass(const SceneView& view, Items& items, const Placement& placement,
                             const Pass& pass, const DrawSettings& settings, GLuint target) {
  const bool only = settings.passes == 1;
  const ShadowQuality& quality = shadowQuality(settings);
  const bool shadows = view.light.shadows && !placement.casters.empty();
  const std::vector<Eigen::Vector3d> lampCasters =
      settings.isSteady ? steadyAround(placement.casters, pass.towardLamp, lamp_.box)
                        : placement.casters;
  const std::vector<Eigen::Vector3d> skyCasters =
      settings.isSteady ? steadyAround(placement.casters, pass.towardSky, sky_.box)
                        : placement.casters;
  const ShadowFit lamp =
      fitShadow(lampCasters, pass.towardLamp, quality.lampSide, quality.lampRadius);
  const ShadowFit sky = fitShadow(skyCasters, pass.towardSky, quality.skySide, quality.skyRadius);

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
      placement.floorHeight, placement.centre, kFadeEnd * placement.radius,
      {{pass.towardLamp, lamp.extent * (quality.lampRadius + 2.0) / quality.lampSide, lampCasters},
       {pass.towardSky, sky.extent * (quality.skyRadius + 2.0) / quality.skySide, skyCasters}});
  block.texel = {static_cast<float>(lamp.extent / quality.lampSide),
                 static_cast<float>(sky.extent / quality.skySide),
                 1.0F / static_cast<float>(quality.lampSide),
                 1.0F / static_cast<float>(quality.skySide)};
  block.blur = {static_cast<float>(quality.lampRadius), static_cast<float>(quality.skyRadius), 0.0F,
                0.0F};
  const double pixelSlope = 2.0 / (placement.clipFromView(1, 1) * settings.height);
  block.picture = {static_cast<float>(settings.width), static_cast<float>(settings.height),
                   static_cast<float>(pixelSlope), 0.0F};

  SceneDifference difference;
  std::vector<Shade> shades;
  if (settings.isSteady) {
    difference = memory_.compare(view, items.shown);
    // A shader looks from a little beside the surface, and the filter reaches as far again.
    if (shadows) {
      shades.push_back({lamp_, lamp.mapFromRender,
                        2.0 * lamp.extent * (quality.lampRadius + 2.0) / quality.lampSide});
    }
    if (shadows && !settings.isPlain) {
      shades.push_back({sky_, sky.mapFromRender,
                        2.0 * sky.extent * (quality.skyRadius + 2.0) / quality.skySide});
    }
    chooseRegions(difference, clipFromRender, block, shades, settings);
  }
  if (shadows) {
    const bool isSteady = settings.isSteady && view.spheres.empty();
    updateShadow(lamp_, items, lamp.mapFromRender, isSteady, difference.movesShadows);
    if (!settings.isPlain)
      updateShadow(sky_, items, sky.mapFromRender, isSteady, difference.movesShadows);
  }

  glBindBuffer(GL_UNIFORM_BUFFER, frame_.get());
  glBufferData(GL_UNIFORM_BUFFER, sizeof(FrameBlock), &block, GL_DYNAMIC_DRAW);
  glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBinding, frame_.get());

  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glViewport(0, 0, settings.width, settings.height);
  glActiveTexture(GL_TEXTURE0 + kLampUnit);
  glBindTexture(GL_TEXTURE_2D, lamp_.map.depth.get());
  glActiveTexture(GL_TEXTURE0 + kSkyUnit);
  glBindTexture(GL_TEXTURE_2D, sky_.map.depth.get());
  const Shading& once = settings.isPlain ? shadePlain_ : shadeOnce_;
  const Shading& shading = only ? once : shadeOften_;
  if (!settings.isSteady || drewWhole_) {
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    drawAll(items, placement, shading, clipFromRender, only, target);
    learnReceivers(view, items, clipFromRender, shades, settings);
    return;
  }
  if (parts_.empty()) return;
  for (std::vector<Item>* list : {&items.solid, &items.ghosts}) {
    for (Item& item : *list) {
      item.region =
          regionOf(item.corners, clipFromRender, settings.width, settings.height, kRegionRim);
      item.isDrawn = std::any_of(parts_.begin(), parts_.end(), [&](const PixelRect& part) {
        return !common(part, item.region).isEmpty();
      });
    }
  }
  mask_.begin(parts_, settings.width, settings.height, PartsMask::Depths::Farthest);
  isMasked_ = true;
  drawAll(items, placement, shading, clipFromRender, only, target);
  isMasked_ = false;
  mask_.end();
  learnReceivers(view, items, clipFromRender, shades, settings);
}

/// They are in render coordinates: with another camera they begin anew.
void SceneRenderer::keepMeasures(const OrbitCamera& camera) {
  if (camera == measuredBy_) return;
  measuredBy_ = camera;
  objects_.forget();
  signBox_.forget();
  lamp_.box.forget();
  sky_.box.forget();
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
  Result<Items> found = itemsOf(view);
  if (!found) return found.error();
  Items& items = found.value();
  Result<Done> prepared = clouds_.prepare(view, settings.width, settings.height);
  if (prepared) prepared = signs_.prepare(view);
  if (prepared) prepared = images_.prepare(view, largestSide_);
  if (prepared) prepared = prepareTargets(settings);
  if (!prepared) return prepared.error();

  Placement placement;
  Bounds all = joined(clouds_.bounds(), images_.bounds());
  for (const Item& item : items.solid) {
    all = joined(all, item.bounds);
    if (!item.draw->castsShadow) continue;
    for (const Eigen::Vector3d& corner : cornersOf(item.mesh->bounds)) {
      placement.casters.push_back(item.renderFromVertices * corner);
    }
  }
  for (const Item& item : items.ghosts)
    all = joined(all, item.bounds);
  clouds_.addCasters(placement.casters);
  Bounds signs = signs_.bounds();
  if (settings.isSteady) {
    keepMeasures(view.camera);
    all = objects_.around(all);
    signs = signBox_.around(signs);
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
  // Lines and arrows come and go: they are kept within the depths, but size neither the grid nor
  // the floor's fade.
  double objects = placement.radius;
  if (!signs.isEmpty()) {
    for (const Eigen::Vector3d& corner : cornersOf(signs))
      objects = std::max(objects, (corner - placement.centre).norm());
  }
  const double floorReach = view.floor ? kFadeEnd * 1.5 * placement.radius : 0.0;
  const double reach = std::max({floorReach, objects, 1e-3 * camera.distance});
  const double toCentre = (eye - placement.centre).norm();
  const double farthest = toCentre + reach;
  // Near enough for close looks, far enough for the depth buffer: a ratio of 1:20,000 still
  // resolves a thousandth of the distance in 24 bits at the far end.
  const double nearest =
      std::max({toCentre - 1.05 * objects, 0.02 * camera.distance, farthest / 20000.0});
  placement.clipFromView =
      camera.clipFromView(static_cast<double>(settings.width) / settings.height,
                          std::min(nearest, 0.3 * camera.distance), farthest);

  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glEnable(GL_DEPTH_CLAMP);
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_STENCIL_TEST);
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
