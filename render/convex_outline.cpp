#include "render/convex_outline.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace tactus::render {

namespace {

double turn(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

/// Counter-clockwise corners of the hull; the points themselves if they are fewer than three.
std::vector<Eigen::Vector2d> hullOf(std::span<const Eigen::Vector2d> points) {
  std::vector<Eigen::Vector2d> sorted(points.begin(), points.end());
  std::sort(sorted.begin(), sorted.end(), [](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  });
  std::vector<Eigen::Vector2d> hull;
  hull.reserve(2 * sorted.size());
  const auto chain = [&](const auto& begin, const auto& end) {
    const std::size_t first = hull.size();
    for (auto point = begin; point != end; ++point) {
      while (hull.size() >= first + 2 && turn(hull[hull.size() - 2], hull.back(), *point) <= 0.0)
        hull.pop_back();
      hull.push_back(*point);
    }
    if (!hull.empty()) hull.pop_back();  // it begins the other chain
  };
  chain(sorted.begin(), sorted.end());
  chain(sorted.rbegin(), sorted.rend());
  return hull;
}

}  // namespace

ConvexOutline::ConvexOutline(std::span<const Eigen::Vector2d> points, double rim) {
  Eigen::Vector2d lower = Eigen::Vector2d::Constant(std::numeric_limits<double>::infinity());
  Eigen::Vector2d upper = -lower;
  for (const Eigen::Vector2d& point : points) {
    lower = lower.cwiseMin(point);
    upper = upper.cwiseMax(point);
  }
  lower_ = (lower.array() - rim).matrix().cast<float>();
  upper_ = (upper.array() + rim).matrix().cast<float>();
  const std::vector<Eigen::Vector2d> hull = hullOf(points);
  sides_.reserve(hull.size());
  for (std::size_t k = 0; k < hull.size(); ++k) {
    const Eigen::Vector2d along = hull[(k + 1) % hull.size()] - hull[k];
    if (!(along.norm() > 0.0)) continue;
    const Eigen::Vector2d outward = Eigen::Vector2d(along.y(), -along.x()).normalized();
    double reach = -std::numeric_limits<double>::infinity();
    for (const Eigen::Vector2d& corner : hull)
      reach = std::max(reach, outward.dot(corner));
    sides_.push_back({outward.cast<float>(), static_cast<float>(reach + rim)});
  }
}

bool ConvexOutline::isApartFrom(std::span<const Eigen::Vector2f> points) const {
  Eigen::Vector2f lower = Eigen::Vector2f::Constant(std::numeric_limits<float>::infinity());
  Eigen::Vector2f upper = -lower;
  for (const Eigen::Vector2f& point : points) {
    lower = lower.cwiseMin(point);
    upper = upper.cwiseMax(point);
  }
  if ((lower.array() > upper_.array()).any() || (upper.array() < lower_.array()).any()) return true;
  return std::any_of(sides_.begin(), sides_.end(), [&](const Side& side) {
    return std::all_of(points.begin(), points.end(), [&](const Eigen::Vector2f& point) {
      return side.outward.dot(point) > side.reach;
    });
  });
}

}  // namespace tactus::render
