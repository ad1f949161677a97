#include "solid_grid.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::models {

SolidGrid::SolidGrid(const Sculpture& sculpture, double spacing) : spacing_(spacing) {
  const Bounds box = boundsOf(sculpture);
  const double border = kHighestLevel + 2.0 * spacing;
  const auto cells = [&](double length) { return static_cast<int>(std::ceil(length / spacing)); };
  const int half = cells(std::max(-box.lower.x(), box.upper.x()) + border);
  lower_ = {-half * spacing, box.lower.y() - border, box.lower.z() - border};
  width_ = 2 * half + 1;
  height_ = cells(box.upper.y() + border - lower_.y()) + 1;
  depth_ = cells(box.upper.z() + border - lower_.z()) + 1;
  distances_.assign(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) *
                        static_cast<std::size_t>(depth_),
                    1.0F);
  for (int z = 0; z < depth_; ++z) {
    for (int y = 0; y < height_; ++y) {
      // Outside, the distance bounds how far the surface is, so most points need no look of their
      // own. Not inside, where that of an ellipsoid may be too large.
      for (int x = 0; x < width_;) {
        const double distance = distanceTo(sculpture, point(x, y, z));
        distances_[index(x, y, z)] = static_cast<float>(distance);
        const double clear = 0.6 * (distance - kHighestLevel) / spacing_;
        x += std::max(1, static_cast<int>(std::floor(clear)));
      }
    }
  }
}

std::size_t SolidGrid::index(int x, int y, int z) const {
  return (static_cast<std::size_t>(z) * static_cast<std::size_t>(height_) +
          static_cast<std::size_t>(y)) *
             static_cast<std::size_t>(width_) +
         static_cast<std::size_t>(x);
}

Eigen::Vector3d SolidGrid::point(int x, int y, int z) const {
  return lower_ + spacing_ * Eigen::Vector3d(x, y, z);
}

bool SolidGrid::isSolid(int x, int y, int z, double level) const {
  return static_cast<double>(distances_[index(x, y, z)]) < level;
}

template <typename Visit>
void SolidGrid::forEachSolid(double level, Visit visit) const {
  for (int z = 0; z < depth_; ++z) {
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        if (isSolid(x, y, z, level)) visit(x, y, z);
      }
    }
  }
}

std::size_t SolidGrid::solidComponents(double level) const {
  return components(level, true);
}

std::size_t SolidGrid::emptyComponents(double level) const {
  return components(level, false);
}

std::size_t SolidGrid::components(double level, bool solid) const {
  std::vector<std::uint8_t> open(distances_.size(), solid ? 0 : 1);
  forEachSolid(level, [&](int x, int y, int z) { open[index(x, y, z)] = solid ? 1 : 0; });
  std::vector<Eigen::Vector3i> front;
  const auto enter = [&](int x, int y, int z) {
    if (x < 0 || y < 0 || z < 0 || x >= width_ || y >= height_ || z >= depth_) return;
    if (open[index(x, y, z)] == 0) return;
    open[index(x, y, z)] = 0;
    front.emplace_back(x, y, z);
  };
  const auto spread = [&](const Eigen::Vector3i& at) {
    for (int dz = -1; dz <= 1; ++dz) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          if (solid && std::abs(dx) + std::abs(dy) + std::abs(dz) != 1) continue;
          enter(at.x() + dx, at.y() + dy, at.z() + dz);
        }
      }
    }
  };
  std::size_t found = 0;
  for (int z = 0; z < depth_; ++z) {
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        enter(x, y, z);
        if (front.empty()) continue;
        ++found;
        while (!front.empty()) {
          const Eigen::Vector3i at = front.back();
          front.pop_back();
          spread(at);
        }
      }
    }
  }
  return found;
}

// Corners minus edges plus squares minus cubes, each counted at its corner of least coordinates.
long SolidGrid::eulerCharacteristic(double level) const {
  long sum = 0;
  forEachSolid(level, [&](int x, int y, int z) {
    const bool alongX = isSolid(x + 1, y, z, level);
    const bool alongY = isSolid(x, y + 1, z, level);
    const bool alongZ = isSolid(x, y, z + 1, level);
    const bool squareXY = alongX && alongY && isSolid(x + 1, y + 1, z, level);
    const bool squareXZ = alongX && alongZ && isSolid(x + 1, y, z + 1, level);
    const bool squareYZ = alongY && alongZ && isSolid(x, y + 1, z + 1, level);
    const bool cube = squareXY && squareXZ && squareYZ && isSolid(x + 1, y + 1, z + 1, level);
    sum += 1 - (alongX ? 1 : 0) - (alongY ? 1 : 0) - (alongZ ? 1 : 0) + (squareXY ? 1 : 0) +
           (squareXZ ? 1 : 0) + (squareYZ ? 1 : 0) - (cube ? 1 : 0);
  });
  return sum;
}

std::vector<Eigen::Vector3d> SolidGrid::boundaryPoints() const {
  std::vector<Eigen::Vector3d> points;
  forEachSolid(0.0, [&](int x, int y, int z) {
    const bool isInner = isSolid(x - 1, y, z) && isSolid(x + 1, y, z) && isSolid(x, y - 1, z) &&
                         isSolid(x, y + 1, z) && isSolid(x, y, z - 1) && isSolid(x, y, z + 1);
    if (!isInner) points.push_back(point(x, y, z));
  });
  return points;
}

Bounds SolidGrid::bounds() const {
  Bounds box;
  forEachSolid(0.0, [&](int x, int y, int z) {
    const Eigen::Vector3d at = point(x, y, z);
    if (box.isEmpty()) box = {at, at};
    box.lower = box.lower.cwiseMin(at);
    box.upper = box.upper.cwiseMax(at);
  });
  return box;
}

Eigen::Vector3d SolidGrid::centreOfMass() const {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  double points = 0.0;
  forEachSolid(0.0, [&](int x, int y, int z) {
    sum += point(x, y, z);
    points += 1.0;
  });
  return sum / points;
}

}  // namespace tactus::models
