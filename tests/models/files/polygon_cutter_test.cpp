// Polygons into triangles. Invariants of every cut: n - 2 triangles, the polygon's edges once in
// its direction and all others once each way, and for simple polygons no triangle turned over, so
// that the areas add up.
#include "models/files/polygon_cutter.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace tactus::models {
namespace {

using Outline = std::vector<Eigen::Vector3d>;

std::vector<Triangle> cut(const Outline& outline) {
  std::vector<Triangle> fan;
  for (std::uint32_t i = 2; i < outline.size(); ++i)
    fan.push_back({0, i - 1, i});
  PolygonCutter cutter;
  cutter.cut(outline, fan);
  return fan;
}

Eigen::Vector3d areaVector(const Outline& outline) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (std::size_t i = 1; i + 1 < outline.size(); ++i) {
    sum += 0.5 * (outline[i] - outline[0]).cross(outline[i + 1] - outline[0]);
  }
  return sum;
}

void expectSameBorder(const Outline& outline, const std::vector<Triangle>& triangles) {
  ASSERT_EQ(triangles.size(), outline.size() - 2);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> uses;
  for (const Triangle& t : triangles) {
    for (std::size_t i = 0; i < 3; ++i)
      ++uses[{t[i], t[(i + 1) % 3]}];
  }
  const auto count = static_cast<std::uint32_t>(outline.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::pair edge(i, (i + 1) % count);
    EXPECT_EQ(uses[edge], 1) << "edge " << i;
    uses.erase(edge);
  }
  for (const auto& [edge, times] : uses) {
    EXPECT_EQ(times, 1);
    EXPECT_EQ((uses.count({edge.second, edge.first})), 1U) << edge.first << " " << edge.second;
  }
}

/// Of a simple polygon: all triangles look the same way, so they fill it without overlap.
void expectGoodCut(const Outline& outline, double leastShare = 0.0) {
  const std::vector<Triangle> triangles = cut(outline);
  expectSameBorder(outline, triangles);
  const Eigen::Vector3d whole = areaVector(outline);
  const double area = whole.norm();
  double sum = 0.0;
  for (const Triangle& t : triangles) {
    const Eigen::Vector3d part =
        0.5 * (outline[t[1]] - outline[t[0]]).cross(outline[t[2]] - outline[t[0]]);
    EXPECT_GT(part.dot(whole) / area, leastShare * area - 1e-12 * area);
    sum += part.norm();
  }
  EXPECT_NEAR(sum, area, 1e-9 * area);
}

/// The same outline from every first corner, in several planes, in both directions, and far away.
void expectGoodCuts(const Outline& outline, double leastShare = 0.0) {
  const Eigen::Quaterniond turns[] = {
      Eigen::Quaterniond::Identity(), Eigen::Quaterniond(0.5, 0.5, 0.5, 0.5),
      Eigen::Quaterniond(0.1, -0.7, 0.4, 0.2).normalized(), Eigen::Quaterniond(0, 1, 0, 0)};
  for (const Eigen::Quaterniond& turn : turns) {
    for (const double scale : {1.0, 1e-150, 1e25}) {
      Outline moved;
      for (const Eigen::Vector3d& p : outline)
        moved.push_back(scale * (turn * p));
      for (std::size_t first = 0; first < std::min<std::size_t>(moved.size(), 12); ++first) {
        std::rotate(moved.begin(), moved.begin() + 1, moved.end());
        if (scale == 1.0) {
          expectGoodCut(moved, leastShare);
        } else {
          expectSameBorder(moved, cut(moved));
        }
      }
    }
  }
}

TEST(PolygonCutter, Square) {
  expectGoodCuts({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, 0.4);
}

TEST(PolygonCutter, ArrowIsCutAlongItsInnerDiagonal) {
  expectGoodCuts({{0, 0, 0}, {2, 1, 0}, {0, 2, 0}, {0.5, 1, 0}}, 0.1);
}

TEST(PolygonCutter, LongQuadTakesTheBetterDiagonal) {
  // Along 0-2 one triangle would be a sliver; along 1-3 both are fine.
  const std::vector<Triangle> triangles = cut({{0, 0, 0}, {1, 0.01, 0}, {2, 0, 0}, {1, 1, 0}});
  for (const Triangle& t : triangles)
    EXPECT_NE(std::ranges::count(t, 3U), 0);
}

TEST(PolygonCutter, LetterL) {
  expectGoodCuts({{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}, 0.05);
}

TEST(PolygonCutter, CornersOnStraightEdgesMakeNoTriangleWithoutArea) {
  expectGoodCuts(
      {{0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}, {1, 0.5, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0.5, 0}}, 0.01);
}

Outline comb() {
  Outline comb;
  for (int tooth = 0; tooth < 40; ++tooth) {
    comb.emplace_back(tooth, 0.0, 0.0);
    comb.emplace_back(tooth + 0.5, 10.0, 0.0);
  }
  comb.emplace_back(40.0, 0.0, 0.0);
  comb.emplace_back(40.0, -1.0, 0.0);
  comb.emplace_back(0.0, -1.0, 0.0);
  std::reverse(comb.begin(), comb.end());
  return comb;
}

TEST(PolygonCutter, CombAndSpiral) {
  expectGoodCuts(comb());
  Outline spiral;
  for (int side = 0; side < 2; ++side) {
    for (int i = 0; i <= 60; ++i) {
      const int step = side == 0 ? i : 60 - i;
      const double angle = 0.2 * step;
      const double radius = 1.0 + 0.1 * step + 0.3 * side;
      spiral.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0.0);
    }
  }
  expectGoodCuts(spiral);
}

TEST(PolygonCutter, RandomStarsAreFilled) {
  std::uint32_t state = 7;
  const auto random = [&state] {
    state = state * 1664525U + 1013904223U;
    return static_cast<double>(state >> 8U) / (1 << 24);
  };
  for (int trial = 0; trial < 300; ++trial) {
    const int corners = 5 + static_cast<int>(40 * random());
    Outline star;
    for (int i = 0; i < corners; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / corners;
      const double radius = 0.1 + random();
      star.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 3.0);
    }
    expectGoodCut(star);
  }
}

TEST(PolygonCutter, BridgeToAHole) {
  // A square with a square hole, joined by a bridge whose ends are visited twice.
  expectGoodCut({{0, 0, 0},
                 {3, 0, 0},
                 {3, 3, 0},
                 {0, 3, 0},
                 {0, 0, 0},
                 {1, 1, 0},
                 {1, 2, 0},
                 {2, 2, 0},
                 {2, 1, 0},
                 {1, 1, 0}});
}

TEST(PolygonCutter, RandomRingsWithABridge) {
  std::uint32_t state = 11;
  const auto radius = [&state](double least, double most) {
    state = state * 1664525U + 1013904223U;
    return least + (most - least) * static_cast<double>(state >> 8U) / (1 << 24);
  };
  for (int trial = 0; trial < 300; ++trial) {
    const int corners = 3 + trial % 30;
    const auto at = [corners](int i, double r) {
      const double angle = 2.0 * std::numbers::pi * i / corners;
      return Eigen::Vector3d(r * std::cos(angle), r * std::sin(angle), 0.0);
    };
    Outline outer;
    Outline inner;
    for (int i = 0; i < corners; ++i) {
      outer.push_back(at(i, radius(1.0, 3.0)));
      inner.push_back(at(i, radius(0.1, 0.4)));
    }
    outer.push_back(outer.front());
    inner.push_back(inner.front());
    outer.insert(outer.end(), inner.rbegin(), inner.rend());
    std::rotate(outer.begin(), outer.begin() + trial % (2 * corners), outer.end());
    expectGoodCut(outer);
  }
}

TEST(PolygonCutter, CornersThatAreGivenTwiceOrMore) {
  Outline doubled;
  for (const Eigen::Vector3d& p : comb())
    doubled.insert(doubled.end(), doubled.size() % 3 + 1, p);
  expectGoodCuts(doubled);
}

TEST(PolygonCutter, NonsenseKeepsItsEdges) {
  expectSameBorder(Outline(7, Eigen::Vector3d::Zero()), cut(Outline(7, Eigen::Vector3d::Zero())));
  const Outline bowtie = {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0.5, 3, 0}};
  expectSameBorder(bowtie, cut(bowtie));
  Outline scribble;
  std::uint32_t state = 3;
  for (int i = 0; i < 1500; ++i) {
    state = state * 1664525U + 1013904223U;
    scribble.emplace_back(state % 101U, (state >> 8U) % 103U, (state >> 16U) % 7U);
  }
  expectSameBorder(scribble, cut(scribble));
}

// Without a bound on the work this takes hours: every ear has to look at every reflex corner.
TEST(PolygonCutter, AGiantPolygonEnds) {
  Outline saw;
  for (int i = 0; i < 30'000; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / 30'000;
    const double radius = i % 2 == 0 ? 1.0 : 0.999;
    saw.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0.0);
  }
  expectSameBorder(saw, cut(saw));
}

}  // namespace
}  // namespace tactus::models
