#include "collision/packing/power_cells.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <utility>

#include "collision/packing/power_planes.hpp"
#include "collision/surface/surface_patch.hpp"
#include "models/lanes/elementary.hpp"

namespace tactus::collision {

namespace {

using Eigen::Vector3d;

constexpr std::size_t kPoints = PowerPlanes::kPoints;
static_assert(kPoints == SurfacePatch::kPoints);

// Cubes that are handed to threads: enough for all to end together, small enough for what a thread
// keeps of one, fixed so that the sums are the same for any number of threads.
constexpr std::size_t kFewestTasks = 256;
constexpr std::size_t kSpheresPerTask = 400;

// Of one sphere or few, cubes as small as of this many.
constexpr double kFewestSpheres = 20'000.0;

// A cube is not halved further when its side is this many times the least radius of the spheres
// that may own a part of it, give or take what spares a halving.
constexpr double kSidePerRadius = 2.5;
constexpr double kSideTolerance = 1.26;

// Bounds of a cube's side, in cube roots of the object's volume a sphere: below, radii next to
// nothing would fill the memory; above, the surface of the object is not seen any more.
constexpr double kLeastSide = 0.05;
constexpr double kMostSide = 1.2;

// Cubes that the surface goes through, for each sphere. Shapes that are not flat have three to ten.
// A plate a thousand times as wide as thick is nearly all surface, and its spheres are as small as
// it is thin: with cubes for them it would take minutes and gigabytes.
constexpr double kMostCut = 24.0;

// A cube that is one sphere's as a whole may be this large, in distances to the surface: the depth
// is taken in its middle only.
constexpr double kWholeSidePerDepth = 0.25;

// Inside, depths are measured at each sample as near to the surface as this, in half sides of the
// cube, if there are no more triangles than these: few large triangles meet at sides, from which
// the depth is bent, while of many small ones no side matters.
constexpr double kNearSurface = 6.0;
constexpr std::size_t kMostToMeasure = 24;

// Where sites go is found by an eighth of the samples: the error of a volume is the same to a
// hundredth of it, for a third of the time.
constexpr double kFinenessOfRelaxing = 0.5;

// Share of the time until there are tasks; and of the division for the relaxation in that of both.
constexpr double kTasksMade = 0.05;
constexpr double kRelaxed = 0.25;

// Distances that bound others are rounded up.
constexpr double kRoundUp = 1.0 + 1e-9;

struct Sum {
  double volume = 0.0, depth = 0.0;
  Vector3d moment = Vector3d::Zero();

  void add(double v, const Vector3d& x, double d) {
    volume += v;
    moment += v * x;
    depth += v * d;
  }
  void merge(const Sum& other) {
    volume += other.volume;
    depth += other.depth;
    moment += other.moment;
  }
};

/// A cube of the halving. Middles are relative to the packing's origin.
struct Cube {
  Vector3d middle = Vector3d::Zero();
  double half = 0.0;
  bool isInside = false;                 ///< as a whole
  double clear = 0.0;                    ///< the surface is no further from the middle
  std::uint32_t triangle = kNoTriangle;  ///< near the middle
};

/// A cube for one thread, its spheres, and what they got of it. Spheres are called by their
/// number in `spheres`.
struct Task {
  Cube cube;
  std::vector<std::uint32_t> spheres;
  std::vector<Vector3d> centres;
  std::vector<double> radii;
  std::vector<Sum> sums;
  std::size_t samples = 0;

  [[nodiscard]] double power(std::uint32_t sphere, const Vector3d& x) const {
    return (x - centres[sphere]).squaredNorm() - radii[sphere] * radii[sphere];
  }
};

/// What a thread keeps from cube to cube.
struct Scratch {
  std::vector<std::vector<std::uint32_t>> lists;  ///< one a level
  std::vector<double> powers;
  SurfacePatch patch;
  SurfacePatch::Distances distances;
  PowerPlanes planes;
  std::array<std::int32_t, kPoints> owner;
};

double areaOf(const SurfaceDistance& surface) {
  double area = 0.0;
  for (std::uint32_t t = 0; t < surface.triangleCount(); ++t) {
    const auto [a, b, c] = surface.corners(t);
    area += 0.5 * (b - a).cast<double>().cross((c - a).cast<double>()).norm();
  }
  return area;
}

class CellDivision {
 public:
  CellDivision(const SpherePacking& packing, const SurfaceDistance& surface,
               const PowerCellSettings& settings)
      : packing_(packing), surface_(surface), threads_(settings.threads), goesOn_(settings.goesOn) {
    const double spheres = std::max(kFewestSpheres, static_cast<double>(packing.spheres.size()));
    const double share = models::elementary::cbrt(packing.objectVolume / spheres);
    mostSide_ = kMostSide * share / settings.fineness;
    leastSide_ = std::max(kLeastSide * share, std::sqrt(areaOf(surface) / (kMostCut * spheres))) /
                 settings.fineness;
    mostSide_ = std::max(mostSide_, leastSide_);
    sidePerRadius_ = kSidePerRadius / settings.fineness;
    const models::Bounds& bounds = surface.bounds();
    Task root;
    root.cube.middle = bounds.centre() - packing.origin;
    // such that halvings meet the side that suits the smallest spheres, of which there are many
    root.cube.half = 0.5 * enoughFor(smallRadius());
    while (2.0 * root.cube.half < (bounds.upper - bounds.lower).maxCoeff() * kRoundUp)
      root.cube.half *= 2.0;
    root.cube.clear = std::numeric_limits<double>::infinity();
    root.spheres.resize(packing.spheres.size());
    for (std::size_t i = 0; i < root.spheres.size(); ++i)
      root.spheres[i] = static_cast<std::uint32_t>(i);
    makeTasks(std::move(root));
  }

  /// Adds everything to one sum a sphere, and the number of samples. False: it was ended.
  [[nodiscard]] bool sumUp(std::vector<Sum>& sums, std::size_t& samples) {
    if (wasEnded_) return false;
    const auto divideAll = [&](std::size_t begin, std::size_t end) {
      Scratch scratch;
      for (std::size_t i = begin; i < end; ++i) {
        Task& task = tasks_[i];
        task.sums.resize(task.spheres.size());
        std::vector<std::uint32_t> all(task.spheres.size());
        for (std::size_t s = 0; s < all.size(); ++s)
          all[s] = static_cast<std::uint32_t>(s);
        divide(task, task.cube, all, 0, scratch);
      }
    };
    if (!models::parallelWhile(tasks_.size(), 1, threads_, models::partOf(goesOn_, kTasksMade, 1.0),
                               divideAll)) {
      return false;
    }
    samples = 0;
    for (Task& task : tasks_) {
      samples += task.samples;
      for (std::size_t i = 0; i < task.spheres.size(); ++i) {
        sums[task.spheres[i]].merge(task.sums[i]);
      }
      task.sums = {};
    }
    return true;
  }

 private:
  /// The radius that one sphere in a hundred does not have.
  [[nodiscard]] double smallRadius() const {
    std::vector<float> radii;
    radii.reserve(packing_.spheres.size());
    for (const PackedSphere& sphere : packing_.spheres)
      radii.push_back(sphere.radius);
    const auto place = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 100);
    std::nth_element(radii.begin(), place, radii.end());
    return *place;
  }

  /// The side of cubes that need not be halved for a sphere of this radius.
  [[nodiscard]] double enoughFor(double radius) const {
    return std::clamp(sidePerRadius_ * radius, leastSide_, mostSide_);
  }

  /// Halves all cubes at once until there are enough for the threads.
  void makeTasks(Task root) {
    fillIn(root);
    tasks_.clear();
    tasks_.push_back(std::move(root));
    const std::size_t tasks = std::max(kFewestTasks, packing_.spheres.size() / kSpheresPerTask);
    while (!tasks_.empty() && tasks_.size() < tasks && 2.0 * tasks_.front().cube.half > mostSide_) {
      std::vector<std::array<Task, 8>> parts(tasks_.size());
      const auto halve = [&](std::size_t begin, std::size_t end) {
        Scratch scratch;
        for (std::size_t i = begin; i < end; ++i) {
          std::vector<std::uint32_t> all(tasks_[i].spheres.size());
          for (std::size_t s = 0; s < all.size(); ++s)
            all[s] = static_cast<std::uint32_t>(s);
          for (int octant = 0; octant < 8; ++octant) {
            Task& part = parts[i][static_cast<std::size_t>(octant)];
            if (!cut(tasks_[i].cube, octant, part.cube)) continue;
            filter(tasks_[i], all, part.cube, part.spheres, scratch);
            for (std::uint32_t& s : part.spheres)
              s = tasks_[i].spheres[s];
            fillIn(part);
          }
        }
      };
      // each round has eight times the cubes, but hardly more spheres: how far it is is not known
      wasEnded_ = !models::parallelWhile(tasks_.size(), 1, threads_,
                                         models::partOf(goesOn_, 0.0, 0.0), halve);
      if (wasEnded_) return;
      tasks_.clear();
      for (std::array<Task, 8>& eight : parts) {
        for (Task& part : eight) {
          if (!part.spheres.empty()) tasks_.push_back(std::move(part));
        }
      }
    }
  }

  void fillIn(Task& task) const {
    task.centres.reserve(task.spheres.size());
    task.radii.reserve(task.spheres.size());
    for (const std::uint32_t s : task.spheres) {
      task.centres.push_back(packing_.spheres[s].centre.cast<double>());
      task.radii.push_back(packing_.spheres[s].radius);
    }
  }

  /// One of the eight parts of a cube. False: it is outside.
  [[nodiscard]] bool cut(const Cube& whole, int octant, Cube& part) const {
    part.half = 0.5 * whole.half;
    part.middle = whole.middle + part.half * Vector3d((octant & 1) != 0 ? 1.0 : -1.0,
                                                      (octant & 2) != 0 ? 1.0 : -1.0,
                                                      (octant & 4) != 0 ? 1.0 : -1.0);
    const double diagonal = part.half * std::numbers::sqrt3 * kRoundUp;
    part.clear = whole.clear + diagonal;
    part.triangle = whole.triangle;
    part.isInside = whole.isInside;
    if (part.isInside) return true;
    const double distance = look(part).distance;
    part.isInside = distance < -diagonal;
    return distance <= diagonal;
  }

  /// The surface as seen from the middle of a cube. What was near the cube that this one is a part
  /// of mostly is the closest triangle here too, and then the query has little to do.
  [[nodiscard]] SurfacePoint look(Cube& cube) const {
    const Vector3d position = packing_.origin + cube.middle;
    if (cube.triangle != kNoTriangle) {
      const double bound = surface_.distanceTo(position, cube.triangle) * kRoundUp;
      cube.clear = std::min(cube.clear, bound);
    }
    const SurfacePoint closest = surface_.at(position, cube.clear);
    cube.clear = std::fabs(closest.distance) * kRoundUp;
    cube.triangle = closest.triangle;
    return closest;
  }

  /// Of the task's spheres in `from`, those that may own a part of the cube. Returns their least
  /// radius.
  static double filter(const Task& task, const std::vector<std::uint32_t>& from, const Cube& cube,
                       std::vector<std::uint32_t>& to, Scratch& scratch) {
    scratch.powers.resize(from.size());
    std::size_t best = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      scratch.powers[i] = task.power(from[i], cube.middle);
      if (scratch.powers[i] < scratch.powers[best]) best = i;
    }
    // above zero by more than rounding
    const double least = scratch.powers[best] + 1e-12 * cube.half * cube.half;
    const Vector3d& bestCentre = task.centres[from[best]];
    to.clear();
    double radius = task.radii[from[best]];
    for (std::size_t i = 0; i < from.size(); ++i) {
      const Vector3d apart = task.centres[from[i]] - bestCentre;
      if (scratch.powers[i] - 2.0 * cube.half * apart.lpNorm<1>() > least) continue;
      to.push_back(from[i]);
      radius = std::min(radius, task.radii[from[i]]);
    }
    return radius;
  }

  void divide(Task& task, const Cube& cube, const std::vector<std::uint32_t>& spheres,
              std::size_t level, Scratch& scratch) const {
    if (scratch.lists.size() <= level) scratch.lists.resize(level + 1);
    for (int octant = 0; octant < 8; ++octant) {
      Cube part;
      if (!cut(cube, octant, part)) continue;
      // taken out, because a level below may move the lists
      std::vector<std::uint32_t> list = std::move(scratch.lists[level]);
      const double radius = filter(task, spheres, part, list, scratch);
      const double side = 2.0 * part.half;
      const double enough = kSideTolerance * enoughFor(radius);
      if (list.size() == 1 && part.isInside) {
        const double depth = std::fabs(look(part).distance);
        if (side <= std::max(enough, kWholeSidePerDepth * depth)) {
          addWhole(task, part, depth, list.front());
        } else {
          divide(task, part, list, level + 1, scratch);
        }
      } else if (side <= enough) {
        addLeaf(task, part, list, scratch);
      } else {
        divide(task, part, list, level + 1, scratch);
      }
      scratch.lists[level] = std::move(list);
    }
  }

  static void addWhole(Task& task, const Cube& cube, double depth, std::uint32_t owner) {
    task.sums[owner].add(8.0 * cube.half * cube.half * cube.half, cube.middle, depth);
    task.samples += kPoints;
  }

  /// How much larger the power of sphere i is than that of sphere j in the cube, in its frame.
  static void addDifference(const Task& task, std::uint32_t i, std::uint32_t j,
                            const Vector3d& middle, double half, PowerPlanes& planes) {
    const double perHalf = 1.0 / half;
    planes.add((task.power(i, middle) - task.power(j, middle)) * (perHalf * perHalf),
               (-2.0 * perHalf) * (task.centres[i] - task.centres[j]));
  }

  void addLeaf(Task& task, Cube& cube, const std::vector<std::uint32_t>& spheres,
               Scratch& scratch) const {
    if (spheres.size() == 1) {
      scratch.owner.fill(0);
    } else {
      scratch.planes.clear();
      for (const std::uint32_t i : spheres)
        addDifference(task, i, spheres.front(), cube.middle, cube.half, scratch.planes);
      scratch.planes.least(scratch.owner);
    }
    task.samples += cube.isInside ? addInside(task, cube, spheres, scratch)
                                  : addCut(task, cube, spheres, scratch);
  }

  std::size_t addInside(Task& task, Cube& cube, const std::vector<std::uint32_t>& spheres,
                        Scratch& scratch) const {
    const SurfacePoint closest = look(cube);
    const double depth = std::fabs(closest.distance);
    const Vector3d position = packing_.origin + cube.middle;
    const bool isMeasured =
        depth < kNearSurface * cube.half &&
        scratch.patch.gather(surface_, position, cube.half, cube.clear, kMostToMeasure);
    if (isMeasured) scratch.patch.measure(position, cube.half, scratch.distances);
    // else the depth is linear but for the surface's curvature and its sides
    const Vector3d inward =
        depth > 0.0 ? Vector3d((position - closest.point) / depth) : Vector3d::Zero();
    const double half = 0.25 * cube.half;
    const double volume = 8.0 * half * half * half;
    for (std::size_t n = 0; n < kPoints; ++n) {
      const Vector3d offset = cube.half * PowerPlanes::middleOf(n);
      const std::uint32_t owner = spheres[static_cast<std::size_t>(scratch.owner[n])];
      const Vector3d x = cube.middle + offset;
      const double depthHere = isMeasured
                                   ? cube.half * static_cast<double>(scratch.distances.distance[n])
                                   : std::max(0.0, depth + inward.dot(offset));
      task.sums[owner].add(volume, x, depthHere);
    }
    return kPoints;
  }

  /// Samples near the surface. Each stands for a small cube, of which a part may be outside.
  std::size_t addCut(Task& task, const Cube& cube, const std::vector<std::uint32_t>& spheres,
                     Scratch& scratch) const {
    const Vector3d position = packing_.origin + cube.middle;
    if (!scratch.patch.gather(surface_, position, cube.half, cube.clear)) return 0;
    scratch.patch.measure(position, cube.half, scratch.distances);
    const double side = 0.5 * cube.half;
    const double diagonal = 0.5 * std::numbers::sqrt3 * side;
    std::size_t samples = 0;
    bool wasInside = false;
    double before = 0.0;
    for (std::size_t n = 0; n < kPoints; ++n) {
      const Vector3d offset = cube.half * PowerPlanes::middleOf(n);
      const double clear = cube.half * static_cast<double>(scratch.distances.distance[n]);
      double depth = wasInside ? clear : -clear;
      Vector3d shift = Vector3d::Zero();
      double share = 1.0;
      // if the last sample's side of the surface is this one's too, there is nothing to ask
      if (n % 4 == 0 || clear <= diagonal || std::max(before, clear) <= side) {
        const SurfacePoint closest = surface_.at(position + offset, scratch.distances.triangle[n]);
        depth = -closest.distance;
        wasInside = depth > 0.0;
        if (std::fabs(depth) < 0.5 * side) {
          // a slab as thick as the small cube, whose spread along any direction is the same
          share = 0.5 + depth / side;
          if (depth != 0.0) {
            const Vector3d inward = (position + offset - closest.point) / depth;
            shift = (0.5 * (0.5 * side - depth)) * inward;
          }
          depth = 0.5 * (depth + 0.5 * side);
        }
      }
      before = clear;
      if (depth > -diagonal * kRoundUp) ++samples;
      if (depth <= 0.0) continue;
      const std::uint32_t owner = spheres[static_cast<std::size_t>(scratch.owner[n])];
      const Vector3d x = cube.middle + offset;
      task.sums[owner].add(share * side * side * side, x + shift, depth);
    }
    return samples;
  }

  const SpherePacking& packing_;
  const SurfaceDistance& surface_;
  unsigned threads_;
  models::GoesOn goesOn_;
  bool wasEnded_ = false;
  double leastSide_ = 0.0, mostSide_ = 0.0, sidePerRadius_ = 0.0;
  std::vector<Task> tasks_;
};

/// The packing with its spheres moved towards the centroids of their cells; without any if it was
/// ended.
SpherePacking relaxed(const SpherePacking& packing, const SurfaceDistance& surface,
                      PowerCellSettings settings) {
  settings.fineness *= kFinenessOfRelaxing;
  std::vector<Sum> sums(packing.spheres.size());
  std::size_t samples = 0;
  if (!CellDivision(packing, surface, settings).sumUp(sums, samples)) return {};
  SpherePacking sites = packing;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (!(sums[i].volume > 0.0)) continue;
    const Vector3d site = packing.spheres[i].centre.cast<double>();
    const Vector3d way = sums[i].moment / sums[i].volume - site;
    sites.spheres[i].centre = (site + settings.relaxation * way).cast<float>();
  }
  return sites;
}

}  // namespace

PowerCells powerCells(const SpherePacking& packing, const SurfaceDistance& surface,
                      const PowerCellSettings& settings) {
  PowerCells result;
  result.cells.resize(packing.spheres.size());
  if (packing.spheres.empty() || !(packing.objectVolume > 0.0)) return result;
  std::vector<Sum> sums(packing.spheres.size());
  const bool isRelaxed = settings.relaxation > 0.0;
  const double relaxedAt = isRelaxed ? kRelaxed : 0.0;
  PowerCellSettings part = settings;
  part.goesOn = models::partOf(settings.goesOn, 0.0, relaxedAt);
  SpherePacking moved;
  if (isRelaxed) moved = relaxed(packing, surface, part);
  if (isRelaxed && moved.spheres.empty()) return {};
  const SpherePacking& sites = isRelaxed ? moved : packing;
  part.goesOn = models::partOf(settings.goesOn, relaxedAt, 1.0);
  CellDivision division(sites, surface, part);
  if (!division.sumUp(sums, result.samples)) return {};

  // v_i = own_i + s max(0, sampled_i - own_i), with s such that all is the object
  double ownVolume = 0.0;
  double beyond = 0.0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double r = isRelaxed ? 0.0 : static_cast<double>(sites.spheres[i].radius);
    const double ball = 4.0 / 3.0 * std::numbers::pi * r * r * r;
    ownVolume += ball;
    beyond += std::max(0.0, sums[i].volume - ball);
    result.sampledVolume += sums[i].volume;
    result.cells[i].volume = ball;
  }
  const double scale =
      beyond > 0.0 ? std::max(0.0, packing.objectVolume - ownVolume) / beyond : 0.0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    PowerCell& cell = result.cells[i];
    if (sums[i].volume > 0.0) {
      cell.centroid = sums[i].moment / sums[i].volume;
      cell.depth = sums[i].depth / sums[i].volume;
    } else {
      cell.centroid = packing.spheres[i].centre.cast<double>();
      cell.depth = std::fabs(surface.unsignedAt(packing.origin + cell.centroid).distance);
    }
    cell.volume += scale * std::max(0.0, sums[i].volume - cell.volume);
  }
  return result;
}

}  // namespace tactus::collision
