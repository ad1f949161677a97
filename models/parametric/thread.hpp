#pragma once
#include "models/parametric/surface_builder.hpp"

namespace tactus::models {

/// A right-handed screw thread on the cylinder between two heights: ISO metric profile with 60
/// degrees, crest P/8 and root P/4 wide, measured on the bolt.
///
/// Source: ISO 68-1, "ISO general purpose screw threads, basic profile", 1998.
/// Deviation: at either end the profile does not stop but fades over part of a turn into a plain
/// cylinder, of the major or of the minor radius. So the surface stays closed, its radius is one
/// value for each angle and height, and crest and root edges are lines of the mesh from end to end.
///
/// The middle of a crest passes the height 0 at the angle 0: two threads of the same pitch fit in
/// their own frames, and after turning one by 2 pi h / pitch while lifting it by h.
struct Thread {
  double pitch = 3.0e-3;   ///< [m]
  double major = 12.0e-3;  ///< radius of the crest [m]
  double minor = 10.0e-3;  ///< radius of the root [m]
  double from = -30.0e-3;  ///< heights of the ends [m]
  double to = 0.0;
  bool fadesToMinorBelow = true;  ///< the lower end runs into the minor radius, else the major one
  bool fadesToMinorAbove = false;

  /// Depth of the basic profile: 5/8 of the height of the sharp triangle.
  [[nodiscard]] static constexpr double depthOf(double pitch) {
    return 0.54126587736527418 * pitch;
  }

  /// Radius of the surface where the profile does not fade, for an angle in turns.
  [[nodiscard]] double fullRadiusAt(double turns, double height) const;
  /// Radius of the surface anywhere between the ends. Angle in turns, in [0, 1].
  [[nodiscard]] double radiusAt(double turns, double height) const;
  /// Heights between which the profile is full at all angles.
  [[nodiscard]] double fullFrom() const;
  [[nodiscard]] double fullTo() const;
};

struct ThreadRims {
  Chain below, above;  ///< closed, at the heights `from` and `to`
};

/// Builds the surface, seen from outside the axis; a nut turns it over. Vertices lie on the
/// surface, or at `swell` times its radius: a nut swells so that its chords stay outside the true
/// surface.
///
/// Method: rows run along the helix, so that the grid of rows and columns has the thread's edges
/// for rows, and a row that comes back after one turn is the row one pitch higher. The wedges
/// between the first and last turn and the plane ends are filled column by column with a growing
/// number of rows.
[[nodiscard]] ThreadRims addThread(SurfaceBuilder& builder, const Thread& thread, int columns,
                                   double swell, const Fineness& fineness);

}  // namespace tactus::models
