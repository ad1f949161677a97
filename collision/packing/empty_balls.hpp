#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <vector>

namespace tactus::collision {

/// What bounds empty balls near a place: balls and triangles, as structures of arrays.
///
/// In a frame of its own: the place is at 0 and lengths are divided by a typical one, so that
/// floats do. Keeps its memory when cleared, so one object a thread serves many places.
class BallSites {
 public:
  void clear();
  void addBall(const Eigen::Vector3f& centre, float radius);
  void addTriangle(const Eigen::Vector3f& a, const Eigen::Vector3f& b, const Eigen::Vector3f& c);

  [[nodiscard]] std::size_t ballCount() const noexcept { return balls_; }
  [[nodiscard]] std::size_t triangleCount() const noexcept { return triangles_; }

 private:
  friend class EmptyBallSearch;

  std::array<std::vector<float>, 4> ball_;    ///< x y z radius; full rounds of sixteen
  std::array<std::vector<float>, 9> corner_;  ///< a.x a.y a.z b.x ... c.z; likewise
  std::size_t balls_ = 0, triangles_ = 0;
};

struct EmptyBall {
  Eigen::Vector3f centre = Eigen::Vector3f::Zero();
  float radius = 0.0F;
  bool isStart = false;  ///< it has not climbed: so small that it should in a frame of its own
};

/// Finds balls that no site enters and that cannot grow: Voronoi nodes of the sites.
///
/// Source: the prototypes of Weller and Zachmann, "ProtoSphere: A GPU-Assisted Prototype Guided
/// Sphere Packing Algorithm for Arbitrary Objects", 2010, which walk away from the closest site.
/// How ours differs: a prototype looks at all sites near it, not at the closest one only. The
/// distance d_i to a ball or triangle is a convex function, so it lies above its tangent:
///   d_i(x + s) >= d_i(x) + n_i . s,   n_i the unit vector away from the site.
/// The step that maximises min_i (d_i + n_i . s) is a linear program of four unknowns; whatever its
/// answer, the true clearance after the step is at least as large, so that every step climbs,
/// none crosses a site, and near a Voronoi node the steps are Newton's. The cooling functions of
/// the source, which guess a step's length, are not needed.
///
/// Method of around(), for the neighbourhood of one ball:
/// - 92 directions: the largest ball that touches the ball there and is empty. With t its centre's
///   distance, a ball at v of radius r bounds it by 1/t >= 2 (u . v + e) / (v . v - e e), e = r -
///   1; a triangle acts through its closest point, which is found again until nothing changes
/// - from the directions that are better than all their neighbours, prototypes climb, and keep
///   touching the ball meanwhile, unless the clearance clearly rises away from it: where it is the
///   same all over, as in a plate, the program's answer would be any place of the plate
/// A maximum of the clearance that is new since the ball was inserted touches it, so all of them
/// are found here, if the directions are dense enough: no two are closer to each other than about
/// 40 degrees when no site is smaller than the ball.
///
/// Floats: radii are off by about 1e-6 of the largest coordinate; the caller measures again, and
/// lets small balls climb from where they were found, see EmptyBall::isStart.
class EmptyBallSearch {
 public:
  EmptyBallSearch();

  /// Appends the balls that touch the unit ball at 0 (which must be site number 0), of radius
  /// `smallest` or more. `reach`: every site closer to 0 than this is in `sites`; balls that would
  /// stick out of that radius are cut down to it.
  void around(const BallSites& sites, float reach, float smallest, std::vector<EmptyBall>& found);

  /// Climbs from a place with clearance. `reach` as above.
  [[nodiscard]] EmptyBall climb(const BallSites& sites, const Eigen::Vector3f& start, float reach);

 private:
  std::array<std::vector<float>, 4> tangent_;  ///< per site: clearance and unit vector away
  std::array<std::vector<float>, 4> bound_;    ///< per ball: 1/t >= u . bound + bound[3]
};

}  // namespace tactus::collision
