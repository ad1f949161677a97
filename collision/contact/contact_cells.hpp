#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tactus::collision {

class NormalCones;

/// Arrays of a stream of elements: what a pair of leaves or a cube of space adds to a contact.
enum ElementArray : std::size_t {
  kElementX,  ///< where the force acts, from the stream's origin [m]
  kElementY,
  kElementZ,
  kElementFx,  ///< force on what moves in the stream's frame
  kElementFy,
  kElementFz,
  kElementEnergy,
  kElementVolume,
  kElementReach,  ///< how far around its place the element is [m]
  kElementCx,     ///< with cones: the force on A
  kElementCy,
  kElementCz,
  kElementArrays
};

/// What a cell sums up, by its first number.
enum CellSum : std::size_t {
  kCellForce = 0,
  kCellTorque = 3,    ///< about the cell's middle
  kCellPressure = 6,  ///< lengths of the forces
  kCellFirst = 7,     ///< pressure times place
  kCellSecond = 10,   ///< pressure times the place's square
  kCellEnergy = 11,
  kCellVolume = 12,
  kCellSums
};

/// Where a stream comes from.
struct ContactStream {
  /// Into A's frame, from the one that the elements stand in.
  Eigen::Isometry3d aFromFrame = Eigen::Isometry3d::Identity();
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< of the elements, in their frame
  Eigen::Vector3d anchor = Eigen::Vector3d::Zero();  ///< a corner of cells is here
  Eigen::AlignedBox3d box;                           ///< that holds all elements, in their frame
  double side = 0.0;                                 ///< of the smallest cells [m]
  bool movesA = false;                               ///< forces are on A, not on B
};

/// For the seed's law: forces go along the axes of normal cones.
struct ContactCones {
  const NormalCones* ofA = nullptr;  ///< whose frame is the stream's
  const NormalCones* ofB = nullptr;
};

/// What overlaps and pushes, gathered in the cells of a grid: whatever the number of pairs of
/// leaves or cubes, there are at most kMostCells, and their sums are those of all elements.
///
/// Source: the project's own. A query fills in elements and calls add(); which law they are of does
/// not matter here. contactPatches() and contactSet() read what came of it.
///
/// Cells stand still in the frame of one of the bodies, so that an element changes its cell only by
/// its own motion. Their side is the smallest power of two times the stream's with which the box
/// that the bodies share has no more than 64 along each axis. Where there are more cells in use
/// than there is room for, further elements are added to the last cell that was found; sums stay
/// right.
///
/// Room of one thread: about 2 MB, none of it allocated after the constructor.
class ContactCells {
 public:
  static constexpr std::uint32_t kAlong = 64;
  static constexpr std::size_t kMostCells = std::size_t{1} << 14U;
  static constexpr std::size_t kElementsHeld = 2048;
  static constexpr std::size_t kStride = kElementsHeld + 16;

  /// Sums over the elements of a cell, as wide as a cache line; places are from its middle.
  struct alignas(64) Cell {
    std::array<float, 16> sums;

    [[nodiscard]] double operator[](CellSum sum) const noexcept {
      return static_cast<double>(sums[sum]);
    }
    [[nodiscard]] Eigen::Vector3d three(CellSum sum) const noexcept {
      return {static_cast<double>(sums[sum]), static_cast<double>(sums[sum + 1]),
              static_cast<double>(sums[sum + 2])};
    }
  };

  ContactCells();

  /// Nothing is in contact.
  void clear() noexcept;

  /// Forgets what was there; elements of a stream follow. With cones, elements are pairs of leaves,
  /// and their forces are replaced by those of the seed's law; see seedWrench().
  void begin(const ContactStream& stream) noexcept;
  /// `turnOfB` leads from B's axes to the stream's.
  void begin(const ContactStream& stream, const ContactCones& cones,
             const Eigen::Matrix3d& turnOfB) noexcept;

  /// Where a query writes elements: sixteen behind the last one may be written.
  [[nodiscard]] float* elements(ElementArray array) noexcept {
    return elements_.data() + array * kStride;
  }
  /// Of pairs of leaves, ~slot of each; wanted with cones only.
  [[nodiscard]] std::int32_t* linksOfA() noexcept { return links_.data(); }
  [[nodiscard]] std::int32_t* linksOfB() noexcept { return links_.data() + kStride; }
  [[nodiscard]] bool wantsLinks() const noexcept { return cones_.ofA != nullptr; }

  /// Adds the first elements of the arrays.
  void add(std::size_t count) noexcept;

  /// How much further elements count.
  struct Weights {
    float force = 1.0F, energy = 1.0F, volume = 1.0F;
  };
  void weigh(const Weights& weights) noexcept { weights_ = weights; }
  [[nodiscard]] const Weights& weights() const noexcept { return weights_; }

  /// Multiplies what there is by factors that are not negative.
  void scale(const Weights& factors) noexcept;

  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] std::span<const Cell> cells() const noexcept {
    return std::span(cells_).first(count_);
  }
  [[nodiscard]] const ContactStream& stream() const noexcept { return stream_; }
  [[nodiscard]] double side() const noexcept { return static_cast<double>(grid_.side); }
  /// Middle of a cell, in the stream's frame.
  [[nodiscard]] Eigen::Vector3d middleOf(std::size_t cell) const noexcept;
  /// With cones: of the forces on A, which are not minus those on B.
  [[nodiscard]] const Eigen::Vector3f& counterforceOf(std::size_t cell) const noexcept {
    return counterforces_[cell];
  }
  [[nodiscard]] Eigen::Vector3d counterforce() const noexcept { return counterforce_; }
  /// About the stream's origin.
  [[nodiscard]] Eigen::Vector3d countertorque() const noexcept { return countertorque_; }
  [[nodiscard]] std::uint32_t elementCount() const noexcept { return elementCount_; }
  /// Elements for whose cells there was no room.
  [[nodiscard]] std::uint32_t crowded() const noexcept { return crowded_; }

  // Everything below is for the kernel and for contactPatches().
  struct Place {
    std::uint32_t x, y, z;
  };
  [[nodiscard]] static Place placeOf(std::uint32_t index) noexcept {
    return {index % kAlong, index / kAlong % kAlong, index / (kAlong * kAlong)};
  }
  [[nodiscard]] std::uint32_t indexOf(std::size_t cell) const noexcept { return indices_[cell]; }
  [[nodiscard]] const std::array<std::int32_t, 3>& size() const noexcept { return grid_.size; }
  /// Cells that an element reaches: a bit along x, a word a row, kAlong words along y.
  [[nodiscard]] std::span<const std::uint64_t> reached() const noexcept { return reached_; }
  /// Which rows have such a cell: a bit along y, a word along z.
  [[nodiscard]] std::span<const std::uint64_t> reachedRows() const noexcept { return reachedRows_; }

  struct Grid {
    std::array<float, 3> offset;  ///< of the stream's origin from the grid's first corner
    std::array<std::int32_t, 3> size;
    float side, perSide;
  };
  /// Sixteen elements, sum by sum; the last three are zeros.
  using Tile = std::array<std::array<float, 16>, 16>;
  /// Of the elements that `bits` tells; `elements` are the arrays from the first one on.
  void addTile(const Tile& tile, const std::int32_t* indices, const float* elements,
               std::uint32_t bits) noexcept;

 private:
  void useCones(std::size_t count) noexcept;
  void addNew(const std::array<float, 16>& element, std::uint32_t index) noexcept;
  void addToLast(const std::array<float, 16>& element, std::uint32_t index) noexcept;
  void markRow(std::uint32_t row, std::uint64_t bits) noexcept {
    reached_[row] |= bits;
    reachedRows_[row / kAlong] |= std::uint64_t{1} << (row % kAlong);
  }
  void markReached(std::uint32_t index, float radius) noexcept;

  ContactStream stream_;
  ContactCones cones_;
  Eigen::Matrix3d turnOfB_ = Eigen::Matrix3d::Identity();
  Weights weights_;
  Grid grid_{};
  Eigen::Vector3d corner_ = Eigen::Vector3d::Zero();  ///< of the grid, in the stream's frame
  std::size_t count_ = 0;
  std::uint32_t elementCount_ = 0, crowded_ = 0;
  Eigen::Vector3d counterforce_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d countertorque_ = Eigen::Vector3d::Zero();
  std::vector<float> elements_;
  std::vector<std::int32_t> links_;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> indices_;  ///< of the cells in the grid
  std::vector<Eigen::Vector3f> counterforces_;
  std::vector<std::uint16_t> cellAt_;  ///< 1 + the cell at an index; 0: none
  std::vector<std::uint64_t> reached_, reachedRows_;
};

}  // namespace tactus::collision
