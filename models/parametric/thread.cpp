#include "models/parametric/thread.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tactus::models {
namespace {

// Share of a turn over which the profile fades.
constexpr double kFade = 0.5;

// Heights of the profile's corners over one pitch, as shares of it, from the middle of a crest: the
// crest ends, the root begins, the root ends, the next crest begins.
constexpr std::array kCorners{1.0 / 16.0, 3.0 / 8.0, 5.0 / 8.0, 15.0 / 16.0};

// The plain cylinder between an end and the nearest helical row, as a share of the pitch: as high
// as the wedge begins, and no needle.
constexpr double kMargin = 0.3;

// Rows nearer than this, in pitches, are one row.
constexpr double kSameRow = 1e-9;

double fade(double turns) {
  const double t = std::clamp(turns / kFade, 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

/// Where the helical rows begin and end, in pitches above the crest at height 0, at the angle 0.
/// The first row is the upper edge of the flat into which the lower end fades and the last one the
/// lower edge of the other: the wedges continue these flats.
struct Extent {
  double first = 0.0, last = 0.0;
};

Extent extentOf(const Thread& thread) {
  const double upperEdge = thread.fadesToMinorBelow ? kCorners[2] : kCorners[0];
  const double lowerEdge = thread.fadesToMinorAbove ? kCorners[1] : kCorners[3];
  Extent extent;
  extent.first = std::ceil(thread.from / thread.pitch + kMargin - upperEdge) + upperEdge;
  // The last row rises by one more pitch until it has gone round.
  extent.last = std::floor(thread.to / thread.pitch - kMargin - 1.0 - lowerEdge) + lowerEdge;
  return extent;
}

/// Radius of the profile at a share of the pitch from the middle of a crest.
double profileAt(const Thread& thread, double share) {
  const double within = share - std::floor(share);
  const double away = std::min(within, 1.0 - within);  // symmetric about the crest
  const double t = std::clamp((away - kCorners[0]) / (kCorners[1] - kCorners[0]), 0.0, 1.0);
  return thread.major + t * (thread.minor - thread.major);
}

/// Radius with both ends faded; `passed` and `left` are turns along the helix since it began and
/// until it ends.
double fadedRadius(const Thread& thread, double share, double passed, double left) {
  const double below = thread.fadesToMinorBelow ? thread.minor : thread.major;
  const double above = thread.fadesToMinorAbove ? thread.minor : thread.major;
  const double radius = profileAt(thread, share);
  const double lower = below + (radius - below) * fade(passed);
  return above + (lower - above) * fade(left);
}

/// Rows of one pitch: where each lies and how far the next is. The corners are among them.
std::vector<double> rowsOfOnePitch(const Thread& thread, double first, const Fineness& fineness) {
  std::vector<double> cuts{first};
  for (double whole = std::floor(first) - 1.0; whole < first + 2.0; whole += 1.0) {
    for (const double corner : kCorners) {
      const double cut = whole + corner;
      if (cut > first + kSameRow && cut < first + 1.0 + kSameRow) cuts.push_back(cut);
    }
  }
  std::vector<double> rows;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    const double rise = (cuts[k + 1] - cuts[k]) * thread.pitch;
    const double depth = profileAt(thread, cuts[k + 1]) - profileAt(thread, cuts[k]);
    const int n = fineness.rowsAcross(std::sqrt(rise * rise + depth * depth));
    for (int i = 0; i < n; ++i) {
      rows.push_back(cuts[k] + (cuts[k + 1] - cuts[k]) * (static_cast<double>(i) / n));
    }
  }
  return rows;
}

/// The helical rows. Row j begins at the angle 0 at the height of at(j) pitches; after one turn it
/// is row j + perPitch() at the angle 0.
class HelixRows {
 public:
  HelixRows(const Thread& thread, const Extent& extent, const Fineness& fineness)
      : pitchRows_(rowsOfOnePitch(thread, extent.first, fineness)) {
    while (at(last_) < extent.last - kSameRow)
      ++last_;
  }

  [[nodiscard]] int perPitch() const { return static_cast<int>(pitchRows_.size()); }
  [[nodiscard]] int last() const { return last_; }
  [[nodiscard]] double at(int j) const {
    const int turns = j / perPitch();
    const int within = j - turns * perPitch();
    return pitchRows_[static_cast<std::size_t>(within)] + turns;
  }

 private:
  std::vector<double> pitchRows_;
  int last_ = 0;
};

class ThreadMesher {
 public:
  ThreadMesher(SurfaceBuilder& builder, const Thread& thread, int columns, double swell,
               const Fineness& fineness)
      : builder_(builder),
        thread_(thread),
        columns_(columns),
        swell_(swell),
        fineness_(fineness),
        rows_(thread, extentOf(thread), fineness) {}

  ThreadRims make() {
    rims_.below = makeRim(thread_.from);
    rims_.above = makeRim(thread_.to);
    helix_.resize(static_cast<std::size_t>(columns_));
    for (int i = 0; i < columns_; ++i) {
      const int count = rows_.last() + 1 + (i == 0 ? rows_.perPitch() : 0);
      for (int j = 0; j < count; ++j) {
        helix_[static_cast<std::size_t>(i)].push_back(addVertex(i, heightOf(i, j)));
      }
    }
    fillBelow();
    for (int i = 0; i < columns_; ++i) {
      builder_.stitch(helixColumn(i + 1, 0, rows_.last()), helixColumn(i, 0, rows_.last()));
    }
    fillAbove();
    return rims_;
  }

 private:
  [[nodiscard]] double heightOf(int column, int row) const {
    return thread_.pitch * (rows_.at(row) + static_cast<double>(column) / columns_);
  }

  [[nodiscard]] std::uint32_t addVertex(int column, double height) {
    const double radius = swell_ * thread_.radiusAt(static_cast<double>(column) / columns_, height);
    const Eigen::Vector2d direction = unitCircle({column, columns_});
    return builder_.add({radius * direction.x(), radius * direction.y(), height});
  }

  [[nodiscard]] Chain makeRim(double height) {
    const double radius = swell_ * thread_.radiusAt(0.0, height);
    return builder_.ring(columns_, false, [&](Turn turn) {
      const Eigen::Vector2d direction = unitCircle(turn);
      return Eigen::Vector3d(radius * direction.x(), radius * direction.y(), height);
    });
  }

  /// A vertex of the helix; the column after the last one is the first, one turn further.
  [[nodiscard]] std::uint32_t helixVertex(int column, int row) const {
    const int turnedRow = row + rows_.perPitch();
    if (column == columns_) return helix_.front()[static_cast<std::size_t>(turnedRow)];
    return helix_[static_cast<std::size_t>(column)][static_cast<std::size_t>(row)];
  }

  [[nodiscard]] Chain helixColumn(int column, int from, int to) const {
    Chain chain;
    for (int j = from; j <= to; ++j)
      chain.append(helixVertex(column, j), j);
    return chain;
  }

  [[nodiscard]] std::uint32_t rimVertex(const Chain& rim, int column) const {
    return rim.vertices[static_cast<std::size_t>(column % columns_)];
  }

  /// Rows in a column of a wedge that starts with `thin` rows and gains one pitch in a turn.
  [[nodiscard]] int wedgeRows(int thin, int columnsFromThin) const {
    return thin + (2 * rows_.perPitch() * columnsFromThin + columns_) / (2 * columns_);
  }

  /// Parameters of a chain that rises: shares of its height.
  void setParameters(Chain& chain) const {
    const double from = builder_.at(chain.vertices.front()).z();
    const double to = builder_.at(chain.vertices.back()).z();
    for (std::size_t k = 0; k < chain.vertices.size(); ++k) {
      chain.parameters[k] = (builder_.at(chain.vertices[k]).z() - from) / (to - from);
    }
  }

  /// Vertices between two heights, ends left out, evenly spread over `rows` rows.
  void appendBetween(Chain& chain, int column, double from, double to, int rows) {
    for (int k = 1; k < rows; ++k) {
      chain.append(addVertex(column, from + (to - from) * (static_cast<double>(k) / rows)), 0.0);
    }
  }

  /// The wedge between the lower end and the first turn.
  void fillBelow() {
    const int thin = fineness_.rowsAcross(heightOf(0, 0) - thread_.from);
    Chain first;
    Chain left;
    for (int i = 0; i <= columns_; ++i) {
      Chain right;
      if (i < columns_) {
        right.append(rimVertex(rims_.below, i), 0.0);
        appendBetween(right, i, thread_.from, heightOf(i, 0), wedgeRows(thin, i));
        right.append(helixVertex(i, 0), 1.0);
      } else {
        right = first;
        for (int j = 1; j <= rows_.perPitch(); ++j)
          right.append(helixVertex(0, j), 1.0);
      }
      setParameters(right);
      if (i == 0) {
        first = right;
      } else {
        builder_.stitch(right, left);
      }
      left = std::move(right);
    }
  }

  /// The wedge between the last turn and the upper end.
  void fillAbove() {
    const int last = rows_.last();
    const int thin = fineness_.rowsAcross(thread_.to - heightOf(columns_, last));
    Chain final;  // the column where the wedge is thin, which is a part of the first one
    final.append(helixVertex(columns_, last), 0.0);
    appendBetween(final, 0, heightOf(columns_, last), thread_.to, thin);
    final.append(rimVertex(rims_.above, 0), 1.0);

    Chain left = helixColumn(0, last, last + rows_.perPitch() - 1);
    for (const std::uint32_t vertex : final.vertices)
      left.append(vertex, 1.0);
    setParameters(left);
    setParameters(final);
    for (int i = 1; i <= columns_; ++i) {
      Chain right;
      if (i < columns_) {
        right.append(helixVertex(i, last), 0.0);
        appendBetween(right, i, heightOf(i, last), thread_.to, wedgeRows(thin, columns_ - i));
        right.append(rimVertex(rims_.above, i), 1.0);
        setParameters(right);
      } else {
        right = final;
      }
      builder_.stitch(right, left);
      left = std::move(right);
    }
  }

  SurfaceBuilder& builder_;
  const Thread& thread_;
  int columns_;
  double swell_;
  const Fineness& fineness_;
  HelixRows rows_;
  ThreadRims rims_;
  std::vector<std::vector<std::uint32_t>> helix_;  ///< per column, rows upward
};

}  // namespace

double Thread::fullRadiusAt(double turns, double height) const {
  return profileAt(*this, height / pitch - turns);
}

double Thread::radiusAt(double turns, double height) const {
  const Extent extent = extentOf(*this);
  const double share = height / pitch - turns;
  // A row that lies exactly where a turn begins may count for the turn before: there the profile
  // has the radius into which it fades.
  const double passed = std::floor(share - extent.first) + turns;
  const double left = std::floor(extent.last - share) + 1.0 - turns;
  return fadedRadius(*this, share, passed, left);
}

double Thread::fullFrom() const {
  return pitch * (extentOf(*this).first + 1.0 + kFade);
}
double Thread::fullTo() const {
  return pitch * (extentOf(*this).last - kFade);
}

ThreadRims addThread(SurfaceBuilder& builder, const Thread& thread, int columns, double swell,
                     const Fineness& fineness) {
  return ThreadMesher(builder, thread, columns, swell, fineness).make();
}

}  // namespace tactus::models
