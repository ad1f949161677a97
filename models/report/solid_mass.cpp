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

// Places where parts can overlap that have lines of their own. Each goes through all triangles.
constexpr std::size_t kMostPlaces = 24;
constexpr std::size_t kMostPairs = 1'000'000;  // of parts: 10 ns each

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

/// Relative to the mesh's origin.
using Box = Eigen::AlignedBox3d;

/// Where two parts can overlap: what the boxes of any two share, as boxes that share nothing. None
/// if there are too many of them.
std::vector<Box> sharedPlaces(const Mesh& mesh, const Topology& topology) {
  const Parts parts = partsOf(topology, Joint::AnyEdge);
  std::vector<Box> boxes(parts.count);
  for (std::size_t t = 0; t < topology.triangles.size(); ++t) {
    if (parts.ofTriangle[t] == kNone) continue;
    for (const std::uint32_t corner : topology.triangles[t]) {
      boxes[parts.ofTriangle[t]].extend(
          mesh.positions[topology.merged.firstVertex[corner]].cast<double>());
    }
  }
  std::sort(boxes.begin(), boxes.end(),
            [](const Box& a, const Box& b) { return a.min().x() < b.min().x(); });
  std::vector<Box> places;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size() && boxes[j].min().x() < boxes[i].max().x(); ++j) {
      if (++pairs > kMostPairs) return {};
      Box shared = boxes[i].intersection(boxes[j]);
      if (!(shared.sizes().minCoeff() > 0.0)) continue;
      for (std::size_t k = 0; k < places.size();) {
        if (!places[k].intersects(shared)) {
          ++k;
          continue;
        }
        shared.extend(places[k]);
        places[k] = places.back();
        places.pop_back();
        k = 0;  // it is larger now
      }
      places.push_back(shared);
      if (places.size() > kMostPlaces) return {};
    }
  }
  return places;
}

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
  Box box;
  for (const Triangle& t : topology.triangles) {
    for (const std::uint32_t corner : t)
      box.extend(at(corner));
  }
  if (!box.isEmpty()) view.middle = box.center();
  view.corners.reserve(topology.merged.count());
  for (std::uint32_t p = 0; p < topology.merged.count(); ++p)
    view.corners.emplace_back(view.axes.transpose() * (at(p) - view.middle));
  return view;
}

/// Lays lines over what is seen between these corners; false if that is nothing.
bool layLines(View& view, const Topology& topology, const Eigen::Vector2d& lower,
              const Eigen::Vector2d& highest) {
  view.lower = lower;
  const Eigen::Vector2d size = highest - lower;
  if (!(size.maxCoeff() > 0.0)) return false;
  for (std::size_t lines = kLines; lines >= kFewestLines; lines /= 2) {
    spread(view, size, lines);
    double tests = 0.0;
    for (const Triangle& t : topology.triangles) {
      const Span across = spanOf(view, t, 0);
      const Span along = spanOf(view, t, 1);
      const double columns = std::min(across.high, highest.x()) - std::max(across.low, lower.x());
      const double rows = std::min(along.high, highest.y()) - std::max(along.low, lower.y());
      if (columns < 0.0 || rows < 0.0) continue;
      tests += (columns / view.step + 1.0) * (rows / view.step + 1.0);
    }
    if (tests <= kMostTests) break;
  }
  return true;
}

bool layLinesOverAll(View& view, const Topology& topology) {
  Eigen::AlignedBox2d seen;
  for (const Triangle& t : topology.triangles) {
    for (const std::uint32_t corner : t)
      seen.extend(view.corners[corner].head<2>());
  }
  return !seen.isEmpty() && layLines(view, topology, seen.min(), seen.max());
}

bool layLinesOver(View& view, const Topology& topology, const Box& place) {
  Eigen::AlignedBox2d seen;
  for (int corner = 0; corner < 8; ++corner) {
    const Eigen::Vector3d at = place.corner(static_cast<Box::CornerType>(corner));
    seen.extend((view.axes.transpose() * (at - view.middle)).head<2>());
  }
  return layLines(view, topology, seen.min(), seen.max());
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

/// Which of the places that have lines of their own is meant; none of them without `only`.
struct Where {
  const std::vector<Box>* places;
  const Box* only = nullptr;

  [[nodiscard]] bool holds(const Eigen::Vector3d& at) const {
    if (only != nullptr) return only->contains(at);
    return std::none_of(places->begin(), places->end(),
                        [&at](const Box& place) { return place.contains(at); });
  }
};

/// What is counted too much along one line, in view coordinates. The crossings ascend.
void addExcess(const View& view, const Where& where, const Eigen::Vector2d& line,
               const std::vector<Crossing>& met, Moments& moments) {
  int winding = 0;
  for (std::size_t i = 0; i + 1 < met.size(); ++i) {
    winding += met[i].winding;
    const int tooMuch = winding >= 1 ? winding - 1 : winding;
    const double length = met[i + 1].depth - met[i].depth;
    if (tooMuch == 0 || !(length > 0.0)) continue;
    const double volume = tooMuch * length * view.step * view.step;
    const Eigen::Vector3d centre(line.x(), line.y(), 0.5 * (met[i + 1].depth + met[i].depth));
    if (!where.holds(view.middle + view.axes * centre)) continue;
    Eigen::Matrix3d second = centre * centre.transpose();
    second.diagonal() +=
        Eigen::Vector3d(view.step * view.step, view.step * view.step, length * length) / 12.0;
    moments.add({1.0, centre, second}, volume);
  }
}

/// One row of lines: what its even and its odd lines count too much.
std::array<Moments, 2> excessOfRow(const View& view, const Where& where, const Topology& topology,
                                   const Rows& rows, std::size_t row,
                                   std::vector<std::vector<Crossing>>& met) {
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
    addExcess(view, where, {view.line(0, column), view.line(1, row)}, crossings,
              excess[column % 2]);
  }
  return excess;
}

/// What is counted too much along all lines, and how far a quarter of them may be off.
struct Excess {
  Moments all;
  double error = 0.0;
  bool any = false;

  void add(const Excess& other) {
    all.add(other.all, 1.0);
    error += other.error;
    any = any || other.any;
  }
};

Excess excessAlong(const View& view, const Where& where, const Topology& topology,
                   unsigned threads) {
  const Rows rows = trianglesByRow(view, topology);
  // even and odd lines of each row
  std::vector<std::array<Moments, 2>> ofRow(view.lines[1]);
  parallelFor(view.lines[1], 1, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<std::vector<Crossing>> met(view.lines[0]);
    for (std::size_t row = begin; row < end; ++row)
      ofRow[row] = excessOfRow(view, where, topology, rows, row, met);
  });
  Excess excess;
  std::array<double, 4> quarters{};
  for (std::size_t row = 0; row < ofRow.size(); ++row) {
    for (std::size_t odd = 0; odd < 2; ++odd) {
      excess.all.add(ofRow[row][odd], 1.0);
      quarters[2 * (row % 2) + odd] += 4.0 * ofRow[row][odd].volume;
    }
  }
  const auto [least, most] = std::minmax_element(quarters.begin(), quarters.end());
  excess.error = *most - *least;
  excess.any = std::any_of(quarters.begin(), quarters.end(), [](double q) { return q != 0.0; });
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
  View view = viewOf(mesh, topology);
  const std::vector<Box> places = sharedPlaces(mesh, topology);
  Excess excess;
  if (!layLinesOverAll(view, topology)) return solid;
  excess.add(excessAlong(view, {&places}, topology, threads));
  solid.resolution = view.step * view.step * view.step;
  for (const Box& place : places) {
    if (layLinesOver(view, topology, place))
      excess.add(excessAlong(view, {&places, &place}, topology, threads));
  }
  if (!excess.any) return solid;
  const double signedVolume = solid.mass.volume;
  // too much was found for lines as far apart as these
  if (signedVolume > 0.0 && excess.all.volume >= signedVolume && excess.error > 0.0) {
    solid.volumeError = std::max(excess.error, signedVolume);
    return solid;
  }
  solid.volumeError = excess.error;

  const Eigen::Vector3d reference = mesh.origin + view.middle;
  Moments moments = momentsAbout(reference, solid.mass);
  const Moments turned{excess.all.volume, view.axes * excess.all.first,
                       view.axes * excess.all.second * view.axes.transpose()};
  moments.add(turned, -1.0);
  // what is left of a solid that is wound about backwards alone is rounding
  if (signedVolume <= solid.volumeError && moments.volume <= solid.volumeError)
    moments.volume = 0.0;
  solid.mass = massOf(reference, moments);
  return solid;
}

}  // namespace tactus::models
