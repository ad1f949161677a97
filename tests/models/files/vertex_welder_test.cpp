#include "models/files/vertex_welder.hpp"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

namespace tactus::models {
namespace {

TEST(VertexWelder, AgreesWithAMapOnAGrid) {
  VertexWelder welder;
  std::vector<Eigen::Vector3d> positions;
  std::map<std::tuple<double, double, double>, std::uint32_t> expected;
  std::uint32_t state = 1;
  const auto coordinate = [&state] {
    state = state * 1664525U + 1013904223U;
    return 0.1 * static_cast<double>(state >> 27U);
  };
  for (int i = 0; i < 50'000; ++i) {
    const double x = coordinate();
    const double y = coordinate();
    const double z = coordinate();
    const auto known = expected.try_emplace({x, y, z}, positions.size()).first;
    ASSERT_EQ(welder.add({x, y, z}, positions), known->second);
  }
  EXPECT_EQ(positions.size(), expected.size());
}

TEST(VertexWelder, MinusZeroIsZeroAndNeighboursStayApart) {
  VertexWelder welder;
  std::vector<Eigen::Vector3d> positions;
  EXPECT_EQ(welder.add({-0.0, 0.0, -0.0}, positions), 0U);
  EXPECT_EQ(welder.add({0.0, -0.0, 0.0}, positions), 0U);
  EXPECT_FALSE(std::signbit(positions[0].x()));
  EXPECT_EQ(welder.add({0.0, std::nextafter(0.0, 1.0), 0.0}, positions), 1U);
  EXPECT_EQ(welder.add({1.0, 2.0, 3.0}, positions), 2U);
  EXPECT_EQ(welder.add({3.0, 2.0, 1.0}, positions), 3U);
}

}  // namespace
}  // namespace tactus::models
