// Spheres are held against meshes of the same balls, points against what the camera predicts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "tests/render/pictures.hpp"
#include "tests/render/shapes.hpp"

namespace tactus::render {
namespace {

using namespace pictures;

constexpr float kRadius = 0.05F;

/// Nothing yet, seen from half a metre, in front of a blue background.
SceneView nothing() {
  SceneView view;
  view.camera.target = Eigen::Vector3d(0.0, 0.06, 0.0);
  view.camera.distance = 0.6;
  view.camera.yaw = 0.3;
  view.camera.pitch = 0.25;
  view.camera.verticalFieldOfView = 0.6;
  view.background.horizon = colourFromHex(0x406080);
  view.background.zenith = colourFromHex(0x203040);
  return view;
}

DrawSpheres spheres(std::vector<Sphere> list) {
  DrawSpheres draw;
  draw.cloud = std::make_shared<const SphereCloud>(SphereCloud{std::move(list)});
  return draw;
}

DrawMesh ball(const Eigen::Vector3d& centre, const Colour& colour) {
  DrawMesh draw;
  draw.mesh = shapes::shared(shapes::sphere(static_cast<double>(kRadius), 96));
  draw.worldFromMesh.translation() = centre;
  draw.colour = colour;
  return draw;
}

/// Pixels whose colour differs by more than `much` in one of the channels.
int differing(const Image& a, const Image& b, int much) {
  int count = 0;
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) {
      const auto one = a.pixel(x, y);
      const auto other = b.pixel(x, y);
      bool differs = false;
      for (std::size_t channel = 0; channel < 3; ++channel)
        differs = differs || std::abs(one[channel] - other[channel]) > much;
      if (differs) ++count;
    }
  }
  return count;
}

bool isRed(const Rgb& rgb) {
  return rgb[0] > rgb[1] + 40 && rgb[0] > rgb[2] + 40;
}
bool isGreen(const Rgb& rgb) {
  return rgb[1] > rgb[0] + 40 && rgb[1] > rgb[2] + 40;
}
const Colour kRed(0.8F, 0.05F, 0.05F);
const Colour kGreen(0.05F, 0.6F, 0.05F);

class CloudEachWay : public Picture, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(Passes, CloudEachWay, testing::Values(1, 6));

// The outline of the fine mesh lies within 1/2000 of the radius of the sphere's, its facets change
// the light by a step or two, and shadow edges by a texel; what else differs would be a mistake.
TEST_P(CloudEachWay, ASphereLooksLikeItsMesh) {
  SceneView view = nothing();
  const Eigen::Vector3d centre(0.01, 0.10, -0.02);
  view.meshes.push_back(ball(centre, kRed));
  const Image mesh = draw(view, GetParam());
  view.meshes.clear();
  view.spheres.push_back(spheres({{Eigen::Vector3f::Zero(), kRadius, kRed}}));
  view.spheres[0].worldFromCloud.translation() = centre;
  const Image sphere = draw(view, GetParam());
  // The ball's outline is 130 pixels long and its shadow's about as much; a tenth of them may fall
  // to the other side.
  EXPECT_LT(differing(mesh, sphere, 24), 26);
  EXPECT_LT(differing(mesh, sphere, 6), 260);
  EXPECT_TRUE(isRed(at(sphere, view, centre)));
}

TEST_P(CloudEachWay, SpheresAndMeshesHideEachOtherByDepth) {
  SceneView view = nothing();
  const Eigen::Vector3d towardEye = (view.camera.eye() - view.camera.target).normalized();
  const Eigen::Vector3d centre(0.0, 0.10, 0.0);
  view.meshes.push_back(ball(centre, kGreen));
  for (const double forward : {0.02, -0.02}) {
    view.spheres = {spheres({{Eigen::Vector3f::Zero(), kRadius, kRed}})};
    view.spheres[0].worldFromCloud.translation() = centre + forward * towardEye;
    const Image image = draw(view, GetParam());
    EXPECT_EQ(isRed(at(image, view, centre)), forward > 0.0);
    EXPECT_EQ(isGreen(at(image, view, centre)), forward < 0.0);
  }
}

// Two spheres meet in a circle that is seen from the side as a line: a square that had only one
// depth would show either the one or the other.
TEST_P(CloudEachWay, SpheresCutEachOtherWhereTheyMeet) {
  SceneView view = nothing();
  const Eigen::Matrix3d axes = view.camera.worldFromViewAxes();
  const Eigen::Vector3d centre(0.0, 0.10, 0.0);
  const Eigen::Vector3d aside = 0.02 * axes.col(0);
  const Eigen::Vector3f left = (centre - aside).cast<float>();
  const Eigen::Vector3f right = (centre + aside).cast<float>();
  view.spheres = {spheres({{left, kRadius, kRed}, {right, kRadius, kGreen}})};
  const Image image = draw(view, GetParam());
  EXPECT_TRUE(isRed(at(image, view, centre - 0.3 * aside)));
  EXPECT_TRUE(isGreen(at(image, view, centre + 0.3 * aside)));
}

TEST_P(CloudEachWay, SpheresThrowShadowsUnlessToldNotTo) {
  SceneView view = nothing();
  const Eigen::Vector3d towardLamp = view.light.towardLamp;
  const Eigen::Vector3d centre(0.0, 0.10, 0.0);
  const Eigen::Vector3d dark = centre - centre.y() / towardLamp.y() * towardLamp;
  view.spheres = {spheres({{centre.cast<float>(), kRadius, kRed}})};
  const int shaded = brightness(at(draw(view, GetParam()), view, dark));
  view.spheres[0].castsShadow = false;
  const int lit = brightness(at(draw(view, GetParam()), view, dark));
  EXPECT_LT(shaded, 0.75 * lit);
}

// A small ball of small ones, of which each is a few texels of the shadow map: not one may shade
// itself black.
TEST_P(CloudEachWay, TheLitSideOfAPackingIsLit) {
  SceneView view = nothing();
  const Eigen::Vector3d towardLamp = view.light.towardLamp.normalized();
  const Eigen::Vector3d towardEye = (view.camera.eye() - view.camera.target).normalized();
  const Eigen::Vector3d centre(0.0, 0.10, 0.0);
  const Eigen::Vector3d bright = centre + 0.05 * (towardLamp + towardEye).normalized();
  view.spheres = {spheres({{centre.cast<float>(), kRadius, kRed}})};
  const Rgb alone = at(draw(view, GetParam()), view, bright);
  std::vector<Sphere> skin;
  for (int i = 0; i < 4000; ++i) {
    // A sunflower spiral covers a ball evenly.
    const double height = 1.0 - 2.0 * (i + 0.5) / 4000;
    const double turn = 2.399963 * i;
    const double width = std::sqrt(1.0 - height * height);
    const Eigen::Vector3d way(width * std::cos(turn), height, width * std::sin(turn));
    skin.push_back({(centre + 0.047 * way).cast<float>(), 0.003F, kRed});
  }
  view.spheres = {spheres(skin)};
  const Image image = draw(view, GetParam());
  int sum = 0;
  for (const double aside : {-0.004, -0.002, 0.0, 0.002, 0.004}) {
    sum += at(image, view, bright + aside * view.camera.worldFromViewAxes().col(0))[0];
  }
  EXPECT_GT(sum / 5, 0.75 * alone[0]);
}

TEST_P(CloudEachWay, ASphereAroundTheEyeIsNotSeenAndOneBehindItNeither) {
  SceneView view = nothing();
  const Image empty = draw(view, GetParam());
  const Eigen::Vector3d eye = view.camera.eye();
  const Eigen::Vector3d behind = eye + 0.3 * (eye - view.camera.target).normalized();
  view.spheres = {spheres({{eye.cast<float>(), 0.02F, kRed}, {behind.cast<float>(), 0.1F, kRed}})};
  view.spheres[0].castsShadow = false;
  // Far spheres move the floor's fade; red is what must not be there.
  const Image image = draw(view, GetParam());
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const auto pixel = image.pixel(x, y);
      ASSERT_LE(pixel[0], pixel[1] + 40) << x << ' ' << y;
    }
  }
}

TEST_P(CloudEachWay, PointsAreRoundDotsOfTheirSize) {
  SceneView view = nothing();
  view.floor.reset();
  const Eigen::Vector3d place(0.03, 0.08, -0.04);
  auto cloud = std::make_shared<PointCloud>();
  cloud->points = {{place.cast<float>(), kRed}};
  DrawPoints points;
  points.cloud = cloud;
  points.diameter = 15.0F;
  view.points = {points};
  const Image image = draw(view, GetParam());
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  int count = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const auto pixel = image.pixel(x, y);
      if (!isRed({pixel[0], pixel[1], pixel[2]})) continue;
      sum += Eigen::Vector2d(x + 0.5, y + 0.5);
      ++count;
    }
  }
  // A square would have 225 pixels. Its edge is half covered in many passes.
  EXPECT_NEAR(count, 177, 25);
  const Eigen::Vector3d expected = view.camera.pixelOf(place, kWidth, kHeight);
  EXPECT_NEAR(sum.x() / count, expected.x(), 0.6);
  EXPECT_NEAR(sum.y() / count, expected.y(), 0.6);
}

TEST_P(CloudEachWay, PointsOnASurfaceAreSeenAndThoseBehindItAreNot) {
  SceneView view = nothing();
  const Eigen::Vector3d centre(0.0, 0.10, 0.0);
  const Eigen::Vector3d towardEye = (view.camera.eye() - centre).normalized();
  view.meshes.push_back(ball(centre, kGreen));
  auto cloud = std::make_shared<PointCloud>();
  DrawPoints points;
  points.cloud = cloud;
  points.diameter = 7.0F;
  cloud->points = {{(centre + 0.05 * towardEye).cast<float>(), kRed}};
  view.points = {points};
  const Image before = draw(view, GetParam());
  EXPECT_TRUE(isRed(at(before, view, centre)));
  // All of the dot is seen: none of it sinks into the ball.
  const Eigen::Vector3d right = view.camera.worldFromViewAxes().col(0);
  const double pixel = 2.0 * 0.55 * std::tan(0.3) / kHeight;
  EXPECT_TRUE(isRed(at(before, view, centre + 2.4 * pixel * right)));
  EXPECT_TRUE(isRed(at(before, view, centre - 2.4 * pixel * right)));
  auto behind = std::make_shared<PointCloud>();
  behind->points = {{(centre - 0.05 * towardEye).cast<float>(), kRed}};
  view.points[0].cloud = behind;
  EXPECT_TRUE(isGreen(at(draw(view, GetParam()), view, centre)));
}

TEST_P(CloudEachWay, EmptyCloudsAreNoError) {
  SceneView view = nothing();
  const Image empty = draw(view, GetParam());
  view.spheres.emplace_back();
  view.spheres.push_back(spheres({}));
  view.points.emplace_back();
  view.points.emplace_back().cloud = std::make_shared<const PointCloud>();
  EXPECT_EQ(draw(view, GetParam()).rgb, empty.rgb);
}

TEST_P(CloudEachWay, TheSamePictureTwice) {
  SceneView view = nothing();
  view.spheres = {
      spheres({{{0.0F, 0.1F, 0.0F}, kRadius, kRed}, {{0.02F, 0.12F, 0.0F}, kRadius, kGreen}})};
  EXPECT_EQ(draw(view, GetParam()).rgb, draw(view, GetParam()).rgb);
}

}  // namespace
}  // namespace tactus::render
