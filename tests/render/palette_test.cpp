#include "render/palette.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tactus::render {
namespace {

TEST(Palette, HexColoursBecomeLinearLight) {
  EXPECT_EQ(colourFromHex(0x000000), Colour(0, 0, 0));
  EXPECT_EQ(colourFromHex(0xFFFFFF), Colour(1, 1, 1));
  const Colour orange = colourFromHex(0xFF8000);
  EXPECT_EQ(orange.x(), 1.0F);
  EXPECT_NEAR(orange.y(), 0.2158605F, 1e-6F);  // IEC 61966-2-1 at 128/255
  EXPECT_EQ(orange.z(), 0.0F);
}

/// What an eye without the cones for red (protan), green (deutan) or blue (tritan) sees, in linear
/// light. Source: Vienot, Brettel and Mollon, 1999, for the first two; Machado et al., 2009, for
/// the third.
Eigen::Matrix3f eyeWithout(char cone) {
  Eigen::Matrix3f see;
  if (cone == 'L') {
    see << 0.11238F, 0.88762F, 0.0F, 0.11238F, 0.88762F, 0.0F, 0.00401F, -0.00401F, 1.0F;
  } else if (cone == 'M') {
    see << 0.29275F, 0.70725F, 0.0F, 0.29275F, 0.70725F, 0.0F, -0.02234F, 0.02234F, 1.0F;
  } else {
    see << 1.255528F, -0.076749F, -0.178779F, -0.078411F, 0.930809F, 0.147602F, 0.004733F,
        0.691367F, 0.303900F;
  }
  return see;
}

/// Lightness and colour opponents (CIE L*a*b* of 1976, white of a display).
Eigen::Vector3f labOf(const Colour& linear) {
  Eigen::Matrix3f xyzFromRgb;
  xyzFromRgb << 0.4124F, 0.3576F, 0.1805F, 0.2126F, 0.7152F, 0.0722F, 0.0193F, 0.1192F, 0.9505F;
  const Eigen::Vector3f xyz =
      (xyzFromRgb * linear).cwiseMax(0.0F).cwiseQuotient(Eigen::Vector3f(0.9505F, 1.0F, 1.089F));
  const auto f = [](float t) { return t > 0.008856F ? std::cbrt(t) : 7.787F * t + 16.0F / 116.0F; };
  return {116.0F * f(xyz.y()) - 16.0F, 500.0F * (f(xyz.x()) - f(xyz.y())),
          200.0F * (f(xyz.y()) - f(xyz.z()))};
}

// A difference of 2.3 is just noticeable side by side; 10 is plain at a glance.
TEST(Palette, EveryPairIsToldApartByEveryEye) {
  for (const char cone : {' ', 'L', 'M', 'S'}) {
    const Eigen::Matrix3f see = cone == ' ' ? Eigen::Matrix3f::Identity().eval() : eyeWithout(cone);
    for (std::size_t a = 0; a < palette().size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const float difference = (labOf(see * palette()[a]) - labOf(see * palette()[b])).norm();
        EXPECT_GT(difference, 10.0F) << "colours " << a << " and " << b << " without cone " << cone;
      }
    }
  }
}

TEST(Palette, StartsAgainAfterTheLast) {
  EXPECT_EQ(paletteColour(0), paletteColour(palette().size()));
  EXPECT_EQ(paletteColour(Paint::Clay), palette().back());
}

}  // namespace
}  // namespace tactus::render
