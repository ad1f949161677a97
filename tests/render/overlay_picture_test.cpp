// Lines, arrows, images and ghosts: what lies over solid things, or shines through them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numbers>

#include "tests/render/pictures.hpp"
#include "tests/render/shapes.hpp"

namespace tactus::render {
namespace {

using namespace pictures;

const Colour kRed(0.8F, 0.05F, 0.05F);
const Colour kGreen(0.05F, 0.6F, 0.05F);

bool isRed(const Rgb& rgb) {
  return rgb[0] > rgb[1] + 40 && rgb[0] > rgb[2] + 40;
}
bool isGreen(const Rgb& rgb) {
  return rgb[1] > rgb[0] + 40 && rgb[1] > rgb[2] + 40;
}

const Eigen::Vector3d kCentre(0.0, 0.10, 0.0);

/// Empty space in front of blue, seen along -z.
SceneView space() {
  SceneView view;
  view.camera.target = kCentre;
  view.camera.distance = 0.6;
  view.camera.yaw = 0.0;
  view.camera.pitch = 0.0;
  view.camera.verticalFieldOfView = 0.6;
  view.background.horizon = view.background.zenith = colourFromHex(0x304860);
  view.floor.reset();
  return view;
}

DrawMesh block(double depth, const Colour& colour) {
  DrawMesh draw;
  draw.mesh = shapes::shared(shapes::box({0.1, 0.1, depth}));
  draw.worldFromMesh.translation() = kCentre;
  draw.colour = colour;
  return draw;
}

class OverlayEachWay : public Picture, public testing::WithParamInterface<int> {
 protected:
  Image picture(const SceneView& view) { return draw(view, GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Passes, OverlayEachWay, testing::Values(1, 6));

TEST_P(OverlayEachWay, LinesAreAsWideAsTheyAreAskedToBe) {
  SceneView view = space();
  DrawLine line;
  line.colour = kRed;
  for (const float width : {1.0F, 3.0F, 8.0F}) {
    // One end far, one near: the width must be the same.
    line.from = kCentre + Eigen::Vector3d(-0.15, 0.01, -0.3);
    line.to = kCentre + Eigen::Vector3d(0.05, 0.01, 0.3);
    line.width = width;
    view.lines = {line};
    const Image image = picture(view);
    for (const int x : {70, 90, 110}) {
      // Darker than the line, brighter than the background: coverage is read off the red.
      double covered = 0.0;
      const int background = image.pixel(x, 3)[0];
      int strongest = 0;
      for (int y = 0; y < kHeight; ++y)
        strongest = std::max<int>(strongest, image.pixel(x, y)[0]);
      for (int y = 0; y < kHeight; ++y) {
        covered += static_cast<double>(image.pixel(x, y)[0] - background) /
                   std::max(strongest - background, 1);
      }
      // The slope widens a vertical cut a little; bytes are not linear light.
      EXPECT_NEAR(covered, static_cast<double>(width), 0.25 * static_cast<double>(width) + 0.9)
          << width << " at " << x;
    }
  }
}

TEST_P(OverlayEachWay, LinesGoWhereTheCameraSaysAndEndThere) {
  SceneView view = space();
  DrawLine line;
  line.from = kCentre + Eigen::Vector3d(-0.08, -0.03, 0.05);
  line.to = kCentre + Eigen::Vector3d(0.06, 0.04, -0.02);
  line.colour = kRed;
  line.width = 4.0F;
  view.lines = {line};
  const Image image = picture(view);
  for (const double share : {0.02, 0.3, 0.5, 0.9, 0.98}) {
    EXPECT_TRUE(isRed(at(image, view, line.from + share * (line.to - line.from)))) << share;
  }
  for (const double share : {-0.05, 1.05}) {
    EXPECT_FALSE(isRed(at(image, view, line.from + share * (line.to - line.from)))) << share;
  }
}

TEST_P(OverlayEachWay, ALineFromBehindTheEyeIsSeenUpToIt) {
  SceneView view = space();
  DrawLine line;
  line.from = view.camera.eye() + Eigen::Vector3d(0.0, -0.05, 0.2);
  line.to = kCentre + Eigen::Vector3d(0.0, 0.02, -0.1);
  line.colour = kRed;
  line.width = 4.0F;
  view.lines = {line};
  const Image image = picture(view);
  EXPECT_TRUE(isRed(at(image, view, line.to)));
  EXPECT_TRUE(isRed(at(image, view, line.to + 0.5 * (line.from - line.to))));
  EXPECT_FALSE(isRed(at(image, view, kCentre + Eigen::Vector3d(0.0, 0.05, 0.0))));
}

TEST_P(OverlayEachWay, AnArrowPointsWhereItShould) {
  SceneView view = space();
  DrawArrow arrow;
  arrow.from = kCentre + Eigen::Vector3d(-0.06, 0.0, 0.0);
  arrow.to = kCentre + Eigen::Vector3d(0.06, 0.0, 0.0);
  arrow.shaftRadius = 0.004;
  arrow.colour = kRed;
  view.arrows = {arrow};
  const Image image = picture(view);
  EXPECT_TRUE(isRed(at(image, view, arrow.from + Eigen::Vector3d(0.003, 0.0, 0.0))));
  EXPECT_FALSE(isRed(at(image, view, arrow.from - Eigen::Vector3d(0.004, 0.0, 0.0))));
  EXPECT_TRUE(isRed(at(image, view, arrow.to - Eigen::Vector3d(0.005, 0.0, 0.0))));
  EXPECT_FALSE(isRed(at(image, view, arrow.to + Eigen::Vector3d(0.004, 0.0, 0.0))));
  // Beside the axis there is something at the head only.
  const Eigen::Vector3d up(0.0, 0.0065, 0.0);
  EXPECT_FALSE(isRed(at(image, view, kCentre + up)));
  EXPECT_FALSE(isRed(at(image, view, arrow.from + up)));
  EXPECT_TRUE(isRed(at(image, view, arrow.to - Eigen::Vector3d(0.022, 0.0, 0.0) + up)));
  view.arrows[0].bothEnds = true;
  const Image both = picture(view);
  EXPECT_TRUE(isRed(at(both, view, arrow.from + Eigen::Vector3d(0.022, 0.0, 0.0) + up)));
}

TEST_P(OverlayEachWay, ATurnGoesAroundItsAxis) {
  SceneView view = space();
  DrawTurn turn;
  turn.centre = kCentre;
  turn.axis = Eigen::Vector3d::UnitZ();
  turn.radius = 0.05;
  turn.angle = std::numbers::pi;
  turn.shaftRadius = 0.003;
  turn.colour = kRed;
  turn.middle = Eigen::Vector3d::UnitY();
  view.turns = {turn};
  const Image image = picture(view);
  // Counter-clockwise from the right over the top; nothing below.
  EXPECT_TRUE(isRed(at(image, view, kCentre + Eigen::Vector3d(0.0, 0.05, 0.0))));
  EXPECT_TRUE(isRed(at(image, view, kCentre + Eigen::Vector3d(0.0499, 0.002, 0.0))));
  EXPECT_FALSE(isRed(at(image, view, kCentre - Eigen::Vector3d(0.0, 0.05, 0.0))));
  EXPECT_FALSE(isRed(at(image, view, kCentre)));
  // The head is on the left: wider than the shaft on the right.
  const auto ring = [](double degrees, double radius) {
    const double angle = degrees * std::numbers::pi / 180.0;
    return Eigen::Vector3d(kCentre +
                           radius * Eigen::Vector3d(std::cos(angle), std::sin(angle), 0.0));
  };
  EXPECT_TRUE(isRed(at(image, view, ring(161.0, 0.0555))));
  EXPECT_FALSE(isRed(at(image, view, ring(19.0, 0.0555))));
}

TEST_P(OverlayEachWay, WhatIsHiddenShowsFaintly) {
  SceneView view = space();
  view.meshes = {block(0.1, Colour(0.5F, 0.5F, 0.5F))};
  const Image bare = picture(view);
  const Eigen::Vector3d inside = kCentre + Eigen::Vector3d(0.0, 0.02, 0.0);
  DrawArrow arrow;
  arrow.from = inside - Eigen::Vector3d(0.04, 0.0, 0.0);
  arrow.to = inside + Eigen::Vector3d(0.12, 0.0, 0.0);
  arrow.shaftRadius = 0.004;
  arrow.colour = kRed;
  view.arrows = {arrow};
  const Image image = picture(view);
  const auto redness = [](const Rgb& rgb) { return rgb[0] - rgb[1]; };
  const int none = redness(at(bare, view, inside));
  const int hidden = redness(at(image, view, inside));
  const int open = redness(at(image, view, inside + Eigen::Vector3d(0.075, 0.0, 0.0)));
  EXPECT_GT(hidden, none + 8);
  EXPECT_LT(hidden, open / 2);
  // In front of the block it is as strong as in the open.
  view.arrows[0].from.z() += 0.08;
  view.arrows[0].to.z() += 0.08;
  EXPECT_GT(redness(at(picture(view), view, inside + Eigen::Vector3d(0.0, 0.0, 0.08))), 0.8 * open);
}

TEST_P(OverlayEachWay, AGhostMixesWithWhatIsBehindIt) {
  SceneView view = space();
  view.light.shadows = false;
  DrawMesh back = block(0.1, kGreen);
  back.worldFromMesh.translation().z() -= 0.2;
  DrawMesh front = block(0.1, kRed);
  view.meshes = {back};
  const Rgb behind = at(picture(view), view, kCentre);
  view.meshes = {front, back};
  const Rgb solid = at(picture(view), view, kCentre);
  view.meshes[0].opacity = 0.5F;  // listed first, drawn last
  const Rgb mixed = at(picture(view), view, kCentre);
  const auto linear = [](int byte) { return std::pow(byte / 255.0, 2.2); };
  for (std::size_t channel = 0; channel < 2; ++channel) {
    // In one pass bytes are mixed, in many linear light.
    const double expected =
        GetParam() == 1
            ? 0.5 * (behind[channel] + solid[channel])
            : 255.0 * std::pow(0.5 * (linear(behind[channel]) + linear(solid[channel])), 1 / 2.2);
    EXPECT_NEAR(mixed[channel], expected, 6.0) << channel;
  }
  // Half covered by each other, the back must not show through the block's own far side.
  view.meshes.pop_back();
  const Rgb overSpace = at(picture(view), view, kCentre);
  EXPECT_GT(overSpace[0], 90);
}

TEST_P(OverlayEachWay, OnlyTheNearSideOfAGhostIsSeen) {
  SceneView view = space();
  view.light.shadows = false;
  view.camera.yaw = 0.4;
  view.meshes = {block(0.1, kRed)};
  view.meshes[0].opacity = 0.5F;
  const Rgb closed = at(picture(view), view, kCentre + Eigen::Vector3d(-0.01, 0.0, 0.05));
  models::Mesh open = shapes::box({0.1, 0.1, 0.1});
  // Without all but the front face: the fifth pair of triangles is z = +0.05.
  open.triangles = {{4, 5, 7}, {4, 7, 6}};
  view.meshes[0].mesh = shapes::shared(open);
  const Rgb single = at(picture(view), view, kCentre + Eigen::Vector3d(-0.01, 0.0, 0.05));
  for (std::size_t channel = 0; channel < 3; ++channel)
    EXPECT_NEAR(closed[channel], single[channel], 3) << channel;
}

TEST_P(OverlayEachWay, AGhostWhereItsTwinIsChangesNothingAndThrowsNoShadow) {
  SceneView view = space();
  view.floor = Floor{};
  view.camera.pitch = 0.5;
  view.camera.yaw = 0.4;
  view.meshes = {block(0.1, kGreen)};
  const Image alone = picture(view);
  DrawMesh ghost = view.meshes[0];
  ghost.colour = kRed;
  ghost.opacity = 0.5F;
  view.meshes.push_back(ghost);
  const Image both = picture(view);
  int changed = 0;
  for (std::size_t i = 0; i < alone.rgb.size(); i += 3) {
    const bool same = std::abs(alone.rgb[i] - both.rgb[i]) <= 3;
    if (!same) ++changed;
  }
  // At the outline a ghost that lies a little farther may still cover a pixel.
  EXPECT_LT(changed, 60);
  view.meshes[1].worldFromMesh.translation().y() += 0.15;
  view.meshes[0].opacity = 0.0F;  // gone
  const Image floating = picture(view);
  view.meshes.clear();
  const Eigen::Vector3d towardLamp = view.light.towardLamp;
  const Eigen::Vector3d lifted = kCentre + Eigen::Vector3d(0.0, 0.15, 0.0);
  const Eigen::Vector3d dark = lifted - lifted.y() / towardLamp.y() * towardLamp;
  view.camera.target = dark;
  const int open = brightness(at(picture(view), view, dark));
  view.meshes = {ghost};
  view.meshes[0].worldFromMesh.translation() = lifted;
  EXPECT_NEAR(brightness(at(picture(view), view, dark)), open, 3 * 12);
}

TEST_P(OverlayEachWay, GhostsAreMixedFromTheFarthestOn) {
  SceneView view = space();
  view.light.shadows = false;
  DrawMesh near = block(0.02, kRed);
  DrawMesh far = block(0.02, kGreen);
  far.worldFromMesh.translation().z() -= 0.1;
  near.opacity = far.opacity = 0.6F;
  view.meshes = {near, far};
  const Image one = picture(view);
  view.meshes = {far, near};
  EXPECT_EQ(one.rgb, picture(view).rgb);
  const Rgb middle = at(one, view, kCentre);
  EXPECT_GT(middle[0], middle[1]) << "the near one counts more";
  EXPECT_GT(middle[1], middle[2] + 15) << "the far one is seen through it";
}

/// Red, green over blue, white.
std::shared_ptr<const Texture> fourPixels(std::uint8_t alpha) {
  auto texture = std::make_shared<Texture>();
  texture->width = texture->height = 2;
  texture->rgba = {220, 0, 0, alpha, 0, 180, 0, alpha, 0, 0, 200, alpha, 190, 190, 190, alpha};
  return texture;
}

TEST_P(OverlayEachWay, AnImageIsSeenTheRightWayRoundInItsColours) {
  SceneView view = space();
  DrawImage image;
  image.texture = fourPixels(255);
  image.worldFromImage.translation() = kCentre;
  image.width = 0.12;
  image.height = 0.08;
  image.opacity = 1.0F;
  view.images = {image};
  const Image shown = picture(view);
  const auto corner = [&](double x, double y) {
    return at(shown, view, kCentre + Eigen::Vector3d(0.06 * x, 0.04 * y, 0.0));
  };
  const auto near = [](const Rgb& rgb, const Rgb& wanted) {
    // Colours are mapped to the display as a whole, which moves saturated ones a little.
    for (std::size_t channel = 0; channel < 3; ++channel)
      EXPECT_NEAR(rgb[channel], wanted[channel], 8) << channel;
  };
  near(corner(-0.5, 0.5), {220, 0, 0});
  near(corner(0.5, 0.5), {0, 180, 0});
  near(corner(-0.5, -0.5), {0, 0, 200});
  near(corner(0.5, -0.5), {190, 190, 190});
  // Pixels keep their edges, and the image ends where it should.
  near(corner(-0.08, 0.1), {220, 0, 0});
  EXPECT_LT(corner(-1.06, 0.5)[0], 80);
  EXPECT_LT(corner(-0.5, 1.06)[0], 80);
}

TEST_P(OverlayEachWay, AnImageIsHiddenBySolidThingsAndShowsThroughGhosts) {
  SceneView view = space();
  view.light.shadows = false;
  DrawImage image;
  image.texture = fourPixels(255);
  image.worldFromImage.translation() = kCentre;
  image.width = image.height = 0.08;
  image.opacity = 1.0F;
  view.images = {image};
  const Eigen::Vector3d place = kCentre + Eigen::Vector3d(-0.01, 0.01, 0.0);
  view.meshes = {block(0.1, kGreen)};
  EXPECT_TRUE(isGreen(at(picture(view), view, place)));
  view.meshes[0].opacity = 0.3F;
  EXPECT_TRUE(isRed(at(picture(view), view, place)));
  view.images[0].worldFromImage.translation().z() += 0.1;
  view.meshes[0].opacity = 1.0F;
  EXPECT_TRUE(isRed(at(picture(view), view, place)));
}

TEST_P(OverlayEachWay, TransparentPixelsOfAnImageLeaveWhatIsThere) {
  SceneView view = space();
  const Image empty = picture(view);
  DrawImage image;
  image.texture = fourPixels(0);
  image.worldFromImage.translation() = kCentre;
  image.width = image.height = 0.08;
  view.images = {image};
  EXPECT_EQ(picture(view).rgb, empty.rgb);
  view.images[0].texture = fourPixels(128);
  view.images[0].opacity = 1.0F;
  const Rgb half = at(picture(view), view, kCentre + Eigen::Vector3d(-0.01, 0.01, 0.0));
  EXPECT_GT(half[0], 110);
  EXPECT_LT(half[0], 200);
  EXPECT_GT(half[2], 30) << "the background shines through";
}

TEST_P(OverlayEachWay, AnImageWithoutItsPixelsIsRefusedInOneSentence) {
  SceneView view = space();
  auto texture = std::make_shared<Texture>(*fourPixels(255));
  texture->rgba.pop_back();
  DrawImage image;
  image.texture = texture;
  image.width = image.height = 0.1;
  view.images = {image};
  const models::Result<Image> refused = renderer_->render(view, kWidth, kHeight, GetParam());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, models::Reason::BadValue);
  EXPECT_EQ(refused.error().sentence.back(), '.');
  view.images[0].texture.reset();  // nothing to show is no error
  EXPECT_TRUE(renderer_->render(view, kWidth, kHeight, GetParam()));
}

// A grid that jumped to another spacing whenever a force grows would be a nuisance.
TEST_P(OverlayEachWay, ArrowsDoNotMoveTheFloor) {
  SceneView view = space();
  view.floor = Floor{};
  view.camera.pitch = 0.4;
  view.meshes = {block(0.1, kGreen)};
  const Image before = picture(view);
  DrawArrow arrow;
  arrow.from = kCentre + Eigen::Vector3d(0.0, 0.3, 0.0);  // above the picture
  arrow.to = kCentre + Eigen::Vector3d(0.0, 3.0, 0.0);
  view.arrows = {arrow};
  const Image after = picture(view);
  int worst = 0;
  for (std::size_t i = 0; i < before.rgb.size(); ++i)
    worst = std::max(worst, std::abs(before.rgb[i] - after.rgb[i]));
  EXPECT_LE(worst, 2);
}

}  // namespace
}  // namespace tactus::render
