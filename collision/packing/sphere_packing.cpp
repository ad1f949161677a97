#include "collision/packing/sphere_packing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/packing/empty_balls.hpp"
#include "collision/packing/fitting_radius.hpp"
#include "collision/packing/medial_prototypes.hpp"
#include "collision/packing/sphere_grid.hpp"
#include "models/mesh/parallel_for.hpp"
#include "models/report/mass_properties.hpp"
#include "models/report/solid_mass.hpp"

namespace tactus::collision {

namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

// Prototypes on the surface: enough to meet every bulge of a shape that 20 000 triangles describe.
constexpr std::size_t kPrototypes = 20'000;

// A prototype nearer than this share of its radius to a larger one's centre climbs to the same
// maximum, or to one that the spheres around will lead to.
constexpr double kSameHill = 0.5;

// A climb that has led further than this from its start, in radii, has passed the prototypes that
// are kSameHill apart.
constexpr float kOtherHill = 0.7F;

// Prototypes that climb; by then the largest ones have met all bulges worth a sphere.
constexpr std::size_t kMostClimbs = 2'000;

// A round takes the balls down to this share of the largest one: closer to 1 is greedier and makes
// more rounds. Between 0.9 and 0.975 the share filled by 30 000 spheres changes by 0.0003 only.
constexpr float kRoundDepth = 0.95F;

// A round's size at most: beyond it threads gain nothing and the order suffers.
constexpr std::size_t kMostOfRound = 4'096;

// A ball that has lost more than this share of its radius since it was found has been overlapped
// by a new sphere, around which its successors have been found already.
constexpr double kStillWhole = 0.995;

// How far around a new sphere sites are collected, in its radii: a ball beside it that is as large
// as itself ends at 3. In a plate or a tube most balls are.
constexpr double kReach = 3.05;

// Where a ball within the object is this share of the one around it, the object is taken for a ball
// with a rough surface, and has that one prototype. All of such a surface is equally near to its
// centre, where each of kPrototypes ways inward passes, so that the tree of triangles prunes
// nothing there: with 100,000 triangles they took a minute, for what is less than this share
// leaves. Balls of some 20,000 triangles and more are meant.
constexpr double kAllButABall = 0.999;

constexpr std::size_t kSpheresPerBlock = 16;

double ballVolume(double radius) {
  return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
}

/// An empty ball that waits to be inserted. The number decides between equals.
struct Candidate {
  PackedSphere ball;
  std::uint64_t number = 0;

  /// For a heap whose top is the largest.
  friend bool operator<(const Candidate& a, const Candidate& b) noexcept {
    return a.ball.radius != b.ball.radius ? a.ball.radius < b.ball.radius : a.number > b.number;
  }
};

/// What a thread needs to look around a sphere.
struct Scratch {
  BallSites sites;
  EmptyBallSearch search;
  std::vector<std::uint32_t> triangles;
  std::vector<EmptyBall> found;
};

class Packer {
 public:
  Packer(const models::Mesh& mesh, const SurfaceDistance& surface, const PackingSettings& settings)
      : surface_(surface),
        settings_(settings),
        // balls stay within the box; a little more keeps rounding inside
        grid_((0.5 * (surface.bounds().upper - surface.bounds().lower)).array() +
              1e-6 * surface.bounds().diagonal() + 1e-30) {
    packing_.origin = surface.bounds().centre();
    packing_.signRule = surface.signRule();
    packing_.objectVolume = insideVolume(mesh, surface, settings.threads);
  }

  SpherePacking run() {
    plantPrototypes();
    packing_.end = PackingEnd::NothingFits;
    if (settings_.target.spheres == 0) {
      packing_.end = PackingEnd::SphereCount;
    } else if (report()) {
      while (playRound()) {
      }
    } else {
      packing_.end = PackingEnd::Cancelled;
    }
    packing_.spheres = grid_.spheres();
    return std::move(packing_);
  }

 private:
  [[nodiscard]] Vector3d place(const PackedSphere& ball) const {
    return packing_.origin + ball.centre.cast<double>();
  }

  void push(const PackedSphere& ball) {
    if (!(ball.radius > leastUseful_)) return;
    queue_.push_back({ball, pushed_++});
    std::push_heap(queue_.begin(), queue_.end());
  }

  /// Volume of a ball over that of the smallest one around its centre that holds the object.
  [[nodiscard]] double shareOfHull(const PackedSphere& ball) const {
    const Vector3d centre = place(ball) - surface_.origin();
    double furthest = 0.0;
    for (std::size_t t = 0; t < surface_.triangleCount(); ++t) {
      for (const Vector3f& corner : surface_.corners(static_cast<std::uint32_t>(t)))
        furthest = std::max(furthest, (corner.cast<double>() - centre).squaredNorm());
    }
    const double share = static_cast<double>(ball.radius) / std::sqrt(furthest);
    return share * share * share;
  }

  /// The ball that is all but the whole object; radius 0 if there is none.
  [[nodiscard]] PackedSphere onlyBall() const {
    // most objects are not asked to climb
    constexpr double kWorthAClimb = 0.9;
    PackedSphere ball;
    ball.radius = static_cast<float>(-surface_.at(packing_.origin).distance);
    if (!(ball.radius > 0.0F) || shareOfHull(ball) < kWorthAClimb) return {};
    Scratch scratch;
    ball = climbed(ball, scratch);
    return ball.radius > 0.0F && shareOfHull(ball) >= kAllButABall ? ball : PackedSphere{};
  }

  /// Fills the queue with the maxima of the clearance from the surface alone.
  void plantPrototypes() {
    if (const PackedSphere ball = onlyBall(); ball.radius > 0.0F) {
      packing_.medialAxis = {ball};
      push(ball);
      return;
    }
    packing_.medialAxis =
        medialPrototypes(surface_, packing_.origin, kPrototypes, settings_.seed, settings_.threads);
    SphereGrid hills(grid_.half());
    std::vector<PackedSphere> starts;
    for (const PackedSphere& ball : packing_.medialAxis) {
      const Vector3d centre = ball.centre.cast<double>();
      const double radius = ball.radius;
      bool isNew = true;
      bool isCovered = false;
      // the grid finds balls; only their centres count here
      hills.near(centre, kSameHill * radius, [&](std::uint32_t, const PackedSphere& other) {
        const double apart = (other.centre.cast<double>() - centre).norm();
        isNew = isNew && apart > kSameHill * radius;
        isCovered = isCovered || apart < 0.5 * kSameHill * radius;
      });
      if (!isCovered) hills.insert({ball.centre, 0.25F * ball.radius});
      if (isNew && starts.size() < kMostClimbs) starts.push_back(ball);
    }
    models::parallelFor(starts.size(), 1, settings_.threads,
                        [&](std::size_t begin, std::size_t end) {
                          Scratch scratch;
                          for (std::size_t i = begin; i < end; ++i)
                            starts[i] = climbed(starts[i], scratch);
                        });
    for (const PackedSphere& ball : starts)
      push(ball);
  }

  /// Climbs among triangles only, a neighbourhood at a time. Radius 0: the way leads to the hill of
  /// a larger one, which has a prototype of its own.
  [[nodiscard]] PackedSphere climbed(PackedSphere ball, Scratch& scratch) const {
    constexpr int kMostNeighbourhoods = 20;
    // how far triangles are looked for, in radii: three times what the last climb has moved,
    // because a fine mesh has thousands of them at the first of these distances
    constexpr double kNear = 1.02;
    constexpr double kFar = 1.3;
    double around = 1.1;
    const PackedSphere start = ball;
    for (int n = 0; n < kMostNeighbourhoods; ++n) {
      const Vector3d centre = place(ball);
      const double unit = ball.radius;
      scratch.sites.clear();
      addTriangles(centre, around * unit, unit, scratch);
      const EmptyBall best =
          scratch.search.climb(scratch.sites, Vector3f::Zero(), static_cast<float>(around));
      const bool grows = best.radius > 1.0F + 1e-6F;
      if (best.radius > 1.0F) {
        ball.centre += static_cast<float>(unit) * best.centre;
        ball.radius = static_cast<float>(unit * static_cast<double>(best.radius));
      }
      if (!grows) break;
      if ((ball.centre - start.centre).norm() > kOtherHill * ball.radius) return {};
      around = std::clamp(1.0 + 3.0 * static_cast<double>(best.centre.norm()), kNear, kFar);
    }
    return ball;
  }

  void addTriangles(const Vector3d& centre, double reach, double unit, Scratch& scratch) const {
    scratch.triangles.clear();
    surface_.trianglesWithin(centre, reach, scratch.triangles);
    const Vector3d local = centre - surface_.origin();
    const double perUnit = 1.0 / unit;
    for (const std::uint32_t t : scratch.triangles) {
      const auto [a, b, c] = surface_.corners(t);
      const auto moved = [&](const Vector3f& p) -> Vector3f {
        return ((p.cast<double>() - local) * perUnit).cast<float>();
      };
      scratch.sites.addTriangle(moved(a), moved(b), moved(c));
    }
  }

  /// The maxima of the clearance that a new sphere has made.
  void lookAround(const PackedSphere& sphere, Scratch& scratch,
                  std::vector<PackedSphere>& maxima) const {
    const double unit = sphere.radius;
    const double perUnit = 1.0 / unit;
    scratch.sites.clear();
    scratch.sites.addBall(Vector3f::Zero(), 1.0F);
    addBalls(sphere, kReach, scratch);
    addTriangles(place(sphere), kReach * unit, unit, scratch);
    scratch.found.clear();
    scratch.search.around(scratch.sites, static_cast<float>(kReach),
                          static_cast<float>(static_cast<double>(leastUseful_) * perUnit),
                          scratch.found);
    for (const EmptyBall& ball : scratch.found) {
      const PackedSphere here = {sphere.centre + static_cast<float>(unit) * ball.centre,
                                 static_cast<float>(unit * static_cast<double>(ball.radius))};
      maxima.push_back(ball.isStart ? settled(here, scratch) : here);
    }
  }

  /// A small ball that climbs among the sites near it.
  [[nodiscard]] PackedSphere settled(PackedSphere ball, Scratch& scratch) const {
    constexpr int kMostNeighbourhoods = 4;
    constexpr double kAround = 2.0;
    for (int n = 0; n < kMostNeighbourhoods && ball.radius > leastUseful_; ++n) {
      const double unit = ball.radius;
      scratch.sites.clear();
      addBalls(ball, kAround, scratch);
      addTriangles(place(ball), kAround * unit, unit, scratch);
      const EmptyBall best =
          scratch.search.climb(scratch.sites, Vector3f::Zero(), static_cast<float>(kAround));
      ball.centre += static_cast<float>(unit) * best.centre;
      ball.radius = static_cast<float>(unit * static_cast<double>(best.radius));
      if (best.radius < 1.01F) break;
    }
    return ball;
  }

  /// The spheres whose surface is within `reach` of the ball's centre, in its radii, but for
  /// itself.
  void addBalls(const PackedSphere& ball, double reach, Scratch& scratch) const {
    const Vector3d centre = ball.centre.cast<double>();
    const double unit = ball.radius;
    const double perUnit = 1.0 / unit;
    grid_.near(centre, reach * unit, [&](std::uint32_t, const PackedSphere& other) {
      const Vector3d offset = other.centre.cast<double>() - centre;
      if (other.radius == ball.radius && offset.isZero(0.0)) return;
      scratch.sites.addBall((offset * perUnit).cast<float>(),
                            static_cast<float>(static_cast<double>(other.radius) * perUnit));
    });
  }

  /// The radius that really fits at the ball's centre; 0 if much less than was found.
  [[nodiscard]] float measured(const PackedSphere& ball) const {
    const auto found = static_cast<double>(ball.radius);
    // a little more than found, so that rounding in the search costs nothing
    return fittingRadius(surface_, grid_, packing_.origin, ball.centre, found * 1.001,
                         found * kStillWhole);
  }

  /// Whether it is clear of the spheres inserted since `firstOfRound`.
  [[nodiscard]] bool fits(const PackedSphere& ball, std::size_t firstOfRound) const {
    bool isFree = true;
    const Vector3d centre = ball.centre.cast<double>();
    grid_.near(centre, ball.radius, [&](std::uint32_t i, const PackedSphere& other) {
      if (i < firstOfRound) return;
      const double apart = (other.centre.cast<double>() - centre).norm();
      if (apart < static_cast<double>(other.radius) + static_cast<double>(ball.radius)) {
        isFree = false;
      }
    });
    return isFree;
  }

  /// Takes the largest waiting balls, inserts what fits, looks around it. False: the end.
  bool playRound() {
    if (queue_.empty()) return false;
    const float largest = queue_.front().ball.radius;
    if (static_cast<double>(largest) < settings_.target.smallestRadius) {
      packing_.end = PackingEnd::SmallestRadius;
      return false;
    }
    // few balls wait at first, and each of them decides much
    const std::size_t most = std::min(kMostOfRound, 16 + grid_.spheres().size() / 4);
    round_.clear();
    while (!queue_.empty() && round_.size() < most &&
           queue_.front().ball.radius >= kRoundDepth * largest) {
      std::pop_heap(queue_.begin(), queue_.end());
      round_.push_back(queue_.back());
      queue_.pop_back();
    }
    radii_.resize(round_.size());
    models::parallelFor(round_.size(), kSpheresPerBlock, settings_.threads,
                        [&](std::size_t begin, std::size_t end) {
                          for (std::size_t i = begin; i < end; ++i)
                            radii_[i] = measured(round_[i].ball);
                        });

    const std::size_t firstOfRound = grid_.spheres().size();
    bool goesOn = true;
    for (std::size_t i = 0; i < round_.size() && goesOn; ++i) {
      const PackedSphere ball = {round_[i].ball.centre, radii_[i]};
      if (!(ball.radius > 0.0F) ||
          static_cast<double>(ball.radius) < settings_.target.smallestRadius ||
          !fits(ball, firstOfRound)) {
        continue;
      }
      grid_.insert(ball);
      packing_.sphereVolume += ballVolume(ball.radius);
      if (grid_.spheres().size() >= settings_.target.spheres) {
        packing_.end = PackingEnd::SphereCount;
        goesOn = false;
      } else if (packing_.filled() >= settings_.target.filled) {
        packing_.end = PackingEnd::Filled;
        goesOn = false;
      }
    }
    if (!goesOn) return false;

    lookAroundAll(firstOfRound);
    forgetTooSmall();
    if (!report()) {
      packing_.end = PackingEnd::Cancelled;
      return false;
    }
    return true;
  }

  void lookAroundAll(std::size_t firstOfRound) {
    const std::vector<PackedSphere>& spheres = grid_.spheres();
    const std::size_t count = spheres.size() - firstOfRound;
    const std::size_t blocks = (count + kSpheresPerBlock - 1) / kSpheresPerBlock;
    if (maxima_.size() < blocks) {
      maxima_.resize(blocks);
      scratches_.resize(blocks);
    }
    models::parallelFor(
        count, kSpheresPerBlock, settings_.threads, [&](std::size_t begin, std::size_t end) {
          const std::size_t block = begin / kSpheresPerBlock;
          maxima_[block].clear();
          for (std::size_t i = begin; i < end; ++i)
            lookAround(spheres[firstOfRound + i], scratches_[block], maxima_[block]);
        });
    for (std::size_t b = 0; b < blocks; ++b) {
      for (const PackedSphere& ball : maxima_[b])
        push(ball);
    }
  }

  /// Most of what waits is too small to be among the spheres asked for. Three times as many as are
  /// missing stay, because some are overlapped before their turn comes.
  void forgetTooSmall() {
    const std::size_t missing = settings_.target.spheres - grid_.spheres().size();
    const std::size_t enough = 3 * missing + 1'000;
    if (queue_.size() < 2 * enough) return;
    const auto last = queue_.begin() + static_cast<std::ptrdiff_t>(enough);
    std::nth_element(queue_.begin(), last, queue_.end(),
                     [](const Candidate& a, const Candidate& b) { return b < a; });
    leastUseful_ = std::max(leastUseful_, last->ball.radius);
    queue_.erase(last, queue_.end());
    std::make_heap(queue_.begin(), queue_.end());
  }

  /// Tells the caller once in 2 % of the work. False: cancelled.
  bool report() {
    if (!settings_.progress) return true;
    const double spheres = static_cast<double>(grid_.spheres().size()) /
                           static_cast<double>(std::max<std::size_t>(1, settings_.target.spheres));
    // all of the volume is no aim: then the number of spheres tells alone
    const double wanted = settings_.target.filled;
    const double volume = wanted > 0.0 && wanted < 1.0 ? packing_.filled() / wanted : 0.0;
    // the last percents of the volume take nearly all spheres
    const double share = std::min(1.0, std::max(spheres, volume * volume * volume * volume));
    if (share < nextReport_) return true;
    nextReport_ = share + 0.02;
    return settings_.progress({grid_.spheres().size(), packing_.filled(), share});
  }

  const SurfaceDistance& surface_;
  const PackingSettings& settings_;
  SpherePacking packing_;
  SphereGrid grid_;
  std::vector<Candidate> queue_;
  std::uint64_t pushed_ = 0;
  float leastUseful_ = 0.0F;
  std::vector<Candidate> round_;
  std::vector<float> radii_;
  std::vector<std::vector<PackedSphere>> maxima_;
  std::vector<Scratch> scratches_;
  double nextReport_ = 0.0;
};

}  // namespace

double insideVolume(const models::Mesh& mesh, const SurfaceDistance& surface, unsigned threads) {
  if (surface.signRule() == SignRule::Pseudonormal) {
    return models::massProperties(mesh, threads).volume;
  }
  const models::Bounds& bounds = surface.bounds();
  if (bounds.isEmpty()) return 0.0;
  const models::Topology topology = models::topologyOf(mesh, threads);
  const models::MassProperties mass = models::massProperties(mesh, threads);
  if (models::solidityOf(mesh, topology, mass) != models::Solidity::Open) {
    return models::solidMass(mesh, topology, threads).mass.volume;
  }
  const Vector3d size = bounds.upper - bounds.lower;
  const double cell = size.maxCoeff() / 48.0;
  if (!(cell > 0.0)) return 0.0;
  // a flat object still gets sixteen points across
  std::array<std::size_t, 3> count{};
  Vector3d step;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto axis = static_cast<Eigen::Index>(k);
    count[k] = std::max<std::size_t>(16, static_cast<std::size_t>(std::lround(size[axis] / cell)));
    step[axis] = size[axis] / static_cast<double>(count[k]);
  }
  std::vector<std::size_t> inside(count[2]);
  models::parallelFor(count[2], 1, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t z = begin; z < end; ++z) {
      for (std::size_t y = 0; y < count[1]; ++y) {
        for (std::size_t x = 0; x < count[0]; ++x) {
          const Vector3d cellPoint(static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5,
                                   static_cast<double>(z) + 0.5);
          if (surface.contains(bounds.lower + step.cwiseProduct(cellPoint))) ++inside[z];
        }
      }
    }
  });
  std::size_t all = 0;
  for (const std::size_t n : inside)
    all += n;
  return static_cast<double>(all) * step.prod();
}

SpherePacking packSpheres(const models::Mesh& mesh, const SurfaceDistance& surface,
                          const PackingSettings& settings) {
  return Packer(mesh, surface, settings).run();
}

SpherePacking packSpheres(const models::Mesh& mesh, const PackingSettings& settings) {
  const SurfaceDistance surface(
      mesh, {.signRule = signRuleFor(mesh, settings.threads), .threads = settings.threads});
  return packSpheres(mesh, surface, settings);
}

}  // namespace tactus::collision
