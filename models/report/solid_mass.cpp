#include "models/report/solid_mass.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "models/mesh/parallel_for.hpp"

namespace tactus::models {
namespace {

// A volume below this part of area times extent is rounding, whatever its sign: massProperties()
// loses some 1e-14 of it.
constexpr double kFlat = 1e-12;

// Lines along the longer side of the view. Twice as many measure a ball's overlap four times as
// exactly in four times the time, which is 0.1 s for 100,000 triangles.
constexpr std::size_t kLines = 256;
constexpr std::size_t kFewestLines = 16;

// Lines in the boxes of all triangles, at most: 5 ns each.
constexpr double kMostTests = 64e6;

/// Columns: two across the lines, and their direction. A turn that no face of a box, a prism or a
/// gear is along, by 41 degrees about (1, 2, 3), from whole numbers and so without trigonometry.
Eigen::Matrix3d viewAxes() {
  return Eigen::Quaterniond(10.0, 1.0, 2.0, 3.0).normalized().toRotationMatrix();
}

/// Integrals of 1, of the place, and of its products, about the middle of the view.
struct Moments {
  double volume = 0.0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();

  void add(const Moments& other, double factor) {
    volume += factor * other.volume;
    first += factor * other.first;
    second += factor * other.second;
  }
};

/// The mesh as seen along the lines: corners in view coordinates, and where the lines are.
struct View {
  Eigen::Matrix3d axes = viewAxes();
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();  ///< relative to the mesh's origin
  std::vector<Eigen::Vector3d> corners;              ///< of distinct positions
  Eigen::Vector2d lower = Eigen::Vector2d::Zero();
  double step = 0.0;
  std::array<std::size_t, 2> lines{};

  [[nodiscard]] double line(std::size_t axis, std::size_t number) const {
    return lower[static_cast<Eigen::Index>(axis)] + (static_cast<double>(number) + 0.5) * step;
  }
  /// The lines of this axis that may be within [low, high], as first and end.
  [[nodiscard]] std::array<std::size_t, 2> linesBetween(std::size_t axis, double low,
                                                        double high) const {
    const double start = lower[static_cast<Eigen::Index>(axis)];
    const auto most = static_cast<double>(lines[axis]);
    const double from = std::clamp(std::floor((low - start) / step - 0.5), 0.0, most);
    const double end = std::clamp(std::floor((high - start) / step - 0.5) + 2.0, 0.0, most);
    return {static_cast<std::size_t>(from), static_cast<std::size_t>(end)};
  }
};

struct Span {
  double low = 0.0, high = 0.0;
};

Span spanOf(const View& view, const Triangle& t, Eigen::Index axis) {
  const double a = view.corners[t[0]][axis];
  const double b = view.corners[t[1]][axis];
  const double c = view.corners[t[2]][axis];
  return {std::min({a, b, c}), std::max({a, b, c})};
}

void spread(View& view, const Eigen::Vector2d& size, std::size_t lines) {
  view.step = size.maxCoeff() / static_cast<double>(lines);
  for (Eigen::Index axis = 0; axis < 2; ++axis) {
    view.lines[static_cast<std::size_t>(axis)] =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(size[axis] / view.step)));
  }
}

View viewOf(const Mesh& mesh, const Topology& topology) {
  View view;
  const auto at = [&](std::uint32_t position) -> Eigen::Vector3d {
    return mesh.positions[topology.merged.firstVertex[position]].cast<double>();
  };
  bool isFirst = true;
  Eigen::Vector3d lower = Eigen::Vector3d::Zero();
  Eigen::Vector3d upper = Eigen::Vector3d::Zero();
  for (const Triangle& t : topology.triangles) {
    for (const std::uint32_t corner : t) {
      lower = isFirst ? at(corner) : Eigen::Vector3d(lower.cwiseMin(at(corner)));
      upper = isFirst ? at(corner) : Eigen::Vector3d(upper.cwiseMax(at(corner)));
      isFirst = false;
    }
  }
  view.middle = 0.5 * (lower + upper);
  view.corners.reserve(topology.merged.count());
  for (std::uint32_t p = 0; p < topology.merged.count(); ++p)
    view.corners.emplace_back(view.axes.transpose() * (at(p) - view.middle));

  Eigen::Vector2d highest = Eigen::Vector2d::Zero();
  for (const Triangle& t : topology.triangles) {
    for (const std::uint32_t corner : t) {
      view.lower = view.lower.cwiseMin(view.corners[corner].head<2>());
      highest = highest.cwiseMax(view.corners[corner].head<2>());
    }
  }
  const Eigen::Vector2d size = highest - view.lower;
  if (!(size.maxCoeff() > 0.0)) return view;
  for (std::size_t lines = kLines; lines >= kFewestLines; lines /= 2) {
    spread(view, size, lines);
    double tests = 0.0;
    for (const Triangle& t : topology.triangles) {
      const Span across = spanOf(view, t, 0);
      const Span along = spanOf(view, t, 1);
      tests += ((across.high - across.low) / view.step + 1.0) *
               ((along.high - along.low) / view.step + 1.0);
    }
    if (tests <= kMostTests) break;
  }
  return view;
}

/// Triangles by the rows of lines that they may meet: row r has numbers[start[r]..start[r + 1]).
struct Rows {
  std::vector<std::size_t> start;
  std::vector<std::uint32_t> numbers;
};

Rows trianglesByRow(const View& view, const Topology& topology) {
  const auto forEachRow = [&](const auto& visit) {
    for (std::uint32_t t = 0; t < topology.triangles.size(); ++t) {
      if (topology.isCollapsed(t)) continue;
      const Span along = spanOf(view, topology.triangles[t], 1);
      const auto [from, end] = view.linesBetween(1, along.low, along.high);
      for (std::size_t row = from; row < end; ++row)
        visit(row, t);
    }
  };
  Rows rows;
  rows.start.assign(view.lines[1] + 1, 0);
  forEachRow([&rows](std::size_t row, std::uint32_t) { ++rows.start[row + 1]; });
  for (std::size_t row = 0; row < view.lines[1]; ++row)
    rows.start[row + 1] += rows.start[row];
  rows.numbers.resize(rows.start.back());
  std::vector<std::size_t> next(rows.start.begin(), rows.start.end() - 1);
  forEachRow([&](std::size_t row, std::uint32_t t) { rows.numbers[next[row]++] = t; });
  return rows;
}

/// Side of the edge on which the line is, the same for both triangles of the edge and never none.
bool isLeft(const View& view, std::uint32_t from, std::uint32_t to, const Eigen::Vector2d& line) {
  const bool isUp = from < to;
  const Eigen::Vector2d a = view.corners[isUp ? from : to].head<2>() - line;
  const Eigen::Vector2d b = view.corners[isUp ? to : from].head<2>() - line;
  return (a.x() * b.y() - a.y() * b.x() >= 0.0) == isUp;
}

struct Crossing {
  double depth = 0.0;
  int winding = 0;  ///< change of the winding number on the way up
};

/// Where the line meets the plane of the triangle that it passes through.
double depthOf(const View& view, const Triangle& t, const Eigen::Vector2d& line) {
  const Eigen::Vector3d& a = view.corners[t[0]];
  const Eigen::Vector3d normal = (view.corners[t[1]] - a).cross(view.corners[t[2]] - a);
  const Span span = spanOf(view, t, 2);
  const double rise = normal.head<2>().dot(line - a.head<2>());
  // a triangle that holds the line's direction, but for rounding, is met anywhere in it
  if (!(std::fabs(normal.z()) > 0.0)) return 0.5 * (span.low + span.high);
  return std::clamp(a.z() - rise / normal.z(), span.low, span.high);
}

/// What is counted too much along one line, in view coordinates. The crossings ascend.
void addExcess(const View& view, const Eigen::Vector2d& line, const std::vector<Crossing>& met,
               Moments& moments) {
  int winding = 0;
  for (std::size_t i = 0; i + 1 < met.size(); ++i) {
    winding += met[i].winding;
    const int tooMuch = winding >= 1 ? winding - 1 : winding;
    const double length = met[i + 1].depth - met[i].depth;
    if (tooMuch == 0 || !(length > 0.0)) continue;
    const double volume = tooMuch * length * view.step * view.step;
    const Eigen::Vector3d centre(line.x(), line.y(), 0.5 * (met[i + 1].depth + met[i].depth));
    Eigen::Matrix3d second = centre * centre.transpose();
    second.diagonal() +=
        Eigen::Vector3d(view.step * view.step, view.step * view.step, length * length) / 12.0;
    moments.add({1.0, centre, second}, volume);
  }
}

/// One row of lines: what its even and its odd lines count too much.
std::array<Moments, 2> excessOfRow(const View& view, const Topology& topology, const Rows& rows,
                                   std::size_t row, std::vector<std::vector<Crossing>>& met) {
  for (std::vector<Crossing>& crossings : met)
    crossings.clear();
  for (std::size_t i = rows.start[row]; i < rows.start[row + 1]; ++i) {
    const Triangle& t = topology.triangles[rows.numbers[i]];
    const Span across = spanOf(view, t, 0);
    const auto [from, end] = view.linesBetween(0, across.low, across.high);
    for (std::size_t column = from; column < end; ++column) {
      const Eigen::Vector2d line(view.line(0, column), view.line(1, row));
      const bool left = isLeft(view, t[0], t[1], line);
      if (isLeft(view, t[1], t[2], line) != left || isLeft(view, t[2], t[0], line) != left) {
        continue;
      }
      // counter-clockwise as seen from above: on the way up the line leaves through its front
      met[column].push_back({depthOf(view, t, line), left ? -1 : 1});
    }
  }
  std::array<Moments, 2> excess;
  for (std::size_t column = 0; column < met.size(); ++column) {
    std::vector<Crossing>& crossings = met[column];
    int sum = 0;
    for (const Crossing& crossing : crossings)
      sum += crossing.winding;
    if (sum != 0) continue;
    std::sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) {
      return a.depth != b.depth ? a.depth < b.depth : a.winding < b.winding;
    });
    addExcess(view, {view.line(0, column), view.line(1, row)}, crossings, excess[column % 2]);
  }
  return excess;
}

/// Moments about `reference` of what has this mass.
Moments momentsAbout(const Eigen::Vector3d& reference, const MassProperties& mass) {
  const Eigen::Vector3d offset = mass.centre - reference;
  const Eigen::Matrix3d outer = offset * offset.transpose();
  const Eigen::Matrix3d covariance =
      0.5 * mass.inertia.trace() * Eigen::Matrix3d::Identity() - mass.inertia;
  return {mass.volume, mass.volume * offset, covariance + mass.volume * outer};
}

MassProperties massOf(const Eigen::Vector3d& reference, const Moments& moments) {
  MassProperties mass;
  mass.centre = reference;
  mass.volume = moments.volume;
  if (!(moments.volume > 0.0)) return mass;
  const Eigen::Vector3d offset = moments.first / moments.volume;
  const Eigen::Matrix3d outer = offset * offset.transpose();
  Eigen::Matrix3d covariance = moments.second - moments.volume * outer;
  covariance = (0.5 * (covariance + covariance.transpose())).eval();
  mass.centre += offset;
  mass.inertia = covariance.trace() * Eigen::Matrix3d::Identity() - covariance;
  return mass;
}

}  // namespace

Solidity solidityOf(const Mesh& mesh, const Topology& topology, const MassProperties& mass) {
  for (const Edge& edge : topology.edges) {
    if (2 * topology.upwardUses(edge) != edge.useCount) return Solidity::Open;
  }
  if (topology.edges.empty()) return Solidity::Open;
  if (mass.volume >= 0.0) return Solidity::Solid;
  double doubledArea = 0.0;
  for (const Triangle& t : mesh.triangles) {
    const Eigen::Vector3d a = mesh.positions[t[0]].cast<double>();
    const Eigen::Vector3d ab = mesh.positions[t[1]].cast<double>() - a;
    const Eigen::Vector3d ac = mesh.positions[t[2]].cast<double>() - a;
    doubledArea += ab.cross(ac).norm();
  }
  const double rounding = kFlat * doubledArea * mesh.bounds().diagonal();
  return mass.volume < -rounding ? Solidity::InsideOut : Solidity::Solid;
}

Solidity solidityOf(const Mesh& mesh, unsigned threads) {
  return solidityOf(mesh, topologyOf(mesh, threads), massProperties(mesh, threads));
}

SolidMass solidMass(const Mesh& mesh, const Topology& topology, unsigned threads) {
  SolidMass solid;
  solid.mass = massProperties(mesh, threads);
  const View view = viewOf(mesh, topology);
  if (!(view.step > 0.0)) return solid;
  const Rows rows = trianglesByRow(view, topology);
  // even and odd lines of each row
  std::vector<std::array<Moments, 2>> excess(view.lines[1]);
  parallelFor(view.lines[1], 1, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<std::vector<Crossing>> met(view.lines[0]);
    for (std::size_t row = begin; row < end; ++row)
      excess[row] = excessOfRow(view, topology, rows, row, met);
  });
  Moments all;
  std::array<double, 4> quarters{};
  for (std::size_t row = 0; row < excess.size(); ++row) {
    for (std::size_t odd = 0; odd < 2; ++odd) {
      all.add(excess[row][odd], 1.0);
      quarters[2 * (row % 2) + odd] += 4.0 * excess[row][odd].volume;
    }
  }
  if (std::all_of(quarters.begin(), quarters.end(), [](double q) { return q == 0.0; })) {
    return solid;
  }
  const auto [least, most] = std::minmax_element(quarters.begin(), quarters.end());
  solid.volumeError = *most - *least;

  const Eigen::Vector3d reference = mesh.origin + view.middle;
  Moments moments = momentsAbout(reference, solid.mass);
  const Moments turned{all.volume, view.axes * all.first,
                       view.axes * all.second * view.axes.transpose()};
  moments.add(turned, -1.0);
  // what is left of a solid that is wound about backwards alone is rounding
  if (moments.volume <= solid.volumeError) moments.volume = 0.0;
  solid.mass = massOf(reference, moments);
  return solid;
}

}  // namespace tactus::models
