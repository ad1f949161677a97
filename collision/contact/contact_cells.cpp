#include "collision/contact/contact_cells.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "collision/contact/normal_cones.hpp"
#include "models/lanes/elementary.hpp"

#define TACTUS_LANES_FILE "collision/contact/contact_cells.cpp"
#include "models/lanes/lanes.hpp"

TACTUS_LANES_BEGIN(tactus::collision);

/// Cells of elements, and what each element adds to its own.
void sumElements(const float* elements, std::size_t count, const ContactCells::Grid& grid,
                 const ContactCells::Weights& weights, ContactCells& cells) noexcept {
  alignas(64) ContactCells::Tile tile{};
  alignas(64) std::array<std::int32_t, kLanes> indices;
  for (std::size_t i = 0; i < count; i += kLanes) {
    const auto read = [&](ElementArray array) {
      return elements + array * ContactCells::kStride + i;
    };
    const auto place = [&](ElementArray array, std::size_t k, I32x16& cell, F32x16& off) {
      const F32x16 at = load(read(array)) + grid.offset[k];
      const float last = static_cast<float>(grid.size[k]) - 0.5F;
      cell = toInt(min(max(at * grid.perSide, 0.0F), last));
      off = at - (toFloat(cell) + 0.5F) * grid.side;
    };
    I32x16 ix;
    I32x16 iy;
    I32x16 iz;
    F32x16 x;
    F32x16 y;
    F32x16 z;
    place(kElementX, 0, ix, x);
    place(kElementY, 1, iy, y);
    place(kElementZ, 2, iz, z);
    constexpr auto kAlong = static_cast<std::int32_t>(ContactCells::kAlong);
    store((iz * kAlong + iy) * kAlong + ix, indices.data());
    const F32x16 fx = weights.force * load(read(kElementFx));
    const F32x16 fy = weights.force * load(read(kElementFy));
    const F32x16 fz = weights.force * load(read(kElementFz));
    const F32x16 pressure = sqrt(fx * fx + fy * fy + fz * fz);
    const F32x16 px = pressure * x;
    const F32x16 py = pressure * y;
    const F32x16 pz = pressure * z;
    const F32x16 volume = weights.volume * load(read(kElementVolume));
    const auto put = [&tile](std::size_t sum, const F32x16& value) {
      store(value, tile[sum].data());
    };
    put(kCellForce, fx);
    put(kCellForce + 1, fy);
    put(kCellForce + 2, fz);
    put(kCellTorque, y * fz - z * fy);
    put(kCellTorque + 1, z * fx - x * fz);
    put(kCellTorque + 2, x * fy - y * fx);
    put(kCellPressure, pressure);
    put(kCellFirst, px);
    put(kCellFirst + 1, py);
    put(kCellFirst + 2, pz);
    put(kCellSecond, px * x + py * y + pz * z);
    put(kCellEnergy, weights.energy * load(read(kElementEnergy)));
    put(kCellVolume, volume);
    const auto counts = maskOf<std::int32_t>((volume > 0.0F) | (pressure > 0.0F)) &
                        (laneNumbers() < static_cast<std::int32_t>(std::min(count - i, kLanes)));
    const std::uint32_t bits = bitsOf(counts);
    if (bits != 0) cells.addTile(tile, indices.data(), elements + i, bits);
  }
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr std::size_t kIndices = ContactCells::kAlong * ContactCells::kAlong * ContactCells::kAlong;

// More would be needed by boxes that are not finite only.
constexpr int kMostDoublings = 60;

// Cones wider than a half space do not tell a way out: then it is the line of centres. It fades
// when the lens's disc is small against what its volume lets expect, as one ball goes into the
// other.
constexpr double kWide = 0.0;
constexpr double kThin = 0.05;

constexpr std::size_t kInTile = 16;

using Quad [[gnu::vector_size(16)]] = float;

Quad quadAt(const float* from) noexcept {
  Quad quad;
  std::memcpy(&quad, from, sizeof(quad));
  return quad;
}

void putQuad(float* to, const Quad& quad) noexcept {
  std::memcpy(to, &quad, sizeof(quad));
}

/// Four sums of four elements, from `sum` and `element` on, by element.
void turnFour(const ContactCells::Tile& tile, std::size_t sum, std::size_t element,
              std::array<std::array<Quad, 4>, 4>& all) noexcept {
  const Quad a = quadAt(tile[sum].data() + element);
  const Quad b = quadAt(tile[sum + 1].data() + element);
  const Quad c = quadAt(tile[sum + 2].data() + element);
  const Quad d = quadAt(tile[sum + 3].data() + element);
  const Quad lowAb = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const Quad highAb = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Quad lowCd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Quad highCd = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  all[0][sum / 4] = __builtin_shufflevector(lowAb, lowCd, 0, 1, 4, 5);
  all[1][sum / 4] = __builtin_shufflevector(lowAb, lowCd, 2, 3, 6, 7);
  all[2][sum / 4] = __builtin_shufflevector(highAb, highCd, 0, 1, 4, 5);
  all[3][sum / 4] = __builtin_shufflevector(highAb, highCd, 2, 3, 6, 7);
}

}  // namespace

ContactCells::ContactCells()
    : elements_(kElementArrays * kStride),
      links_(2 * kStride),
      cells_(kMostCells),
      indices_(kMostCells),
      counterforces_(kMostCells),
      cellAt_(kIndices),
      reached_(kAlong * kAlong),
      reachedRows_(kAlong) {}

void ContactCells::clear() noexcept {
  for (std::size_t cell = 0; cell < count_; ++cell)
    cellAt_[indices_[cell]] = 0;
  // all rows are 32 kB, the first cache whole: those in use are some dozens
  for (std::size_t z = 0; z < kAlong; ++z) {
    for (std::uint64_t rows = reachedRows_[z]; rows != 0; rows &= rows - 1)
      reached_[z * kAlong + static_cast<std::size_t>(std::countr_zero(rows))] = 0;
    reachedRows_[z] = 0;
  }
  grid_.size = {};
  count_ = 0;
  elementCount_ = crowded_ = 0;
  counterforce_ = countertorque_ = Vector3d::Zero();
  weights_ = {};
  cones_ = {};
}

void ContactCells::begin(const ContactStream& stream) noexcept {
  clear();
  stream_ = stream;
  // as a float, so that the kernel and middleOf() mean the same cells
  grid_.side = static_cast<float>(stream.side);
  if (!(grid_.side > 0.0F)) grid_.side = 1.0F;
  const Vector3d low = stream.box.min() - stream.anchor;
  const Vector3d high = stream.box.max() - stream.anchor;
  Vector3d first = Vector3d::Zero();
  grid_.size = {1, 1, 1};  // of what has no box
  for (int doublings = 0; doublings < kMostDoublings && !stream.box.isEmpty(); ++doublings) {
    const double perSide = 1.0 / side();
    const Vector3d from = (low * perSide).array().floor();
    const Vector3d cells = (high * perSide).array().floor() - from.array() + 1.0;
    if (cells.maxCoeff() <= static_cast<double>(kAlong)) {
      first = from;
      for (std::size_t k = 0; k < 3; ++k)
        grid_.size[k] = static_cast<std::int32_t>(cells[static_cast<Eigen::Index>(k)]);
      break;
    }
    grid_.side *= 2.0F;
  }
  grid_.perSide = 1.0F / grid_.side;
  const Vector3d offset = stream.origin - (stream.anchor + side() * first);
  for (std::size_t k = 0; k < 3; ++k)
    grid_.offset[k] = static_cast<float>(offset[static_cast<Eigen::Index>(k)]);
  corner_ = stream.origin - Vector3f(grid_.offset.data()).cast<double>();
}

void ContactCells::begin(const ContactStream& stream, const ContactCones& cones,
                         const Eigen::Matrix3d& turnOfB) noexcept {
  begin(stream);
  cones_ = cones;
  turnOfB_ = turnOfB;
}

Vector3d ContactCells::middleOf(std::size_t cell) const noexcept {
  const Place place = placeOf(indices_[cell]);
  return corner_ + side() * (Vector3d(place.x, place.y, place.z) + Vector3d::Constant(0.5));
}

void ContactCells::add(std::size_t count) noexcept {
  if (wantsLinks()) useCones(count);
  TACTUS_LANES_CALL(sumElements)(elements_.data(), count, grid_, weights_, *this);
}

// Sums of an element stand apart in the tile and together in its cell: four by four are turned
// around at once. The same bytes as one by one, in two thirds of the time of the whole stream.
void ContactCells::addTile(const Tile& tile, const std::int32_t* indices, const float* elements,
                           std::uint32_t bits) noexcept {
  const float near = 0.5F * grid_.side;
  const float* const reach = elements + kElementReach * kStride;
  elementCount_ += static_cast<std::uint32_t>(std::popcount(bits));
  for (std::size_t first = 0; first < kInTile; first += 4) {
    std::uint32_t four = bits >> first & 0xFU;
    if (four == 0) continue;
    std::array<std::array<Quad, 4>, 4> all;  // by element
    for (std::size_t q = 0; q < 4; ++q)
      turnFour(tile, 4 * q, first, all);
    for (; four != 0; four &= four - 1) {
      const auto n = static_cast<std::size_t>(std::countr_zero(four));
      const std::size_t k = first + n;
      const auto index = static_cast<std::uint32_t>(indices[k]);
      markRow(index / kAlong, std::uint64_t{1} << (index % kAlong));
      if (reach[k] > near) markReached(index, reach[k]);
      const std::uint16_t known = cellAt_[index];
      if (known == 0) {
        std::array<float, kInTile> sums;
        for (std::size_t q = 0; q < 4; ++q)
          putQuad(sums.data() + 4 * q, all[n][q]);
        addNew(sums, index);
      } else {
        float* const sums = cells_[known - 1U].sums.data();
        for (std::size_t q = 0; q < 4; ++q)
          putQuad(sums + 4 * q, quadAt(sums + 4 * q) + all[n][q]);
      }
      if (!wantsLinks()) continue;
      const float* const against = elements + kElementCx * kStride + k;
      counterforces_[cellAt_[index] != 0 ? cellAt_[index] - 1U : count_ - 1] +=
          Vector3f(against[0], against[kStride], against[2 * kStride]);
    }
  }
}

/// To a cell of its own, if there is room.
void ContactCells::addNew(const std::array<float, 16>& element, std::uint32_t index) noexcept {
  if (count_ == kMostCells) {
    addToLast(element, index);
    return;
  }
  cells_[count_].sums = element;
  counterforces_[count_] = Vector3f::Zero();
  indices_[count_] = index;
  cellAt_[index] = static_cast<std::uint16_t>(++count_);
}

/// To a cell elsewhere: places, and the sums with places, are from another middle there.
void ContactCells::addToLast(const std::array<float, 16>& element, std::uint32_t index) noexcept {
  ++crowded_;
  std::array<float, 16>& to = cells_[count_ - 1].sums;
  const Place from = placeOf(index);
  const Place there = placeOf(indices_[count_ - 1]);
  const auto apart = [this](std::uint32_t a, std::uint32_t b) {
    return grid_.side * (static_cast<float>(a) - static_cast<float>(b));
  };
  const Vector3f off(apart(from.x, there.x), apart(from.y, there.y), apart(from.z, there.z));
  const auto three = [&element](CellSum sum) {
    return Vector3f(element[sum], element[sum + 1], element[sum + 2]);
  };
  const auto addThree = [&to](CellSum sum, const Vector3f& v) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      to[sum + axis] += v[static_cast<Eigen::Index>(axis)];
  };
  const Vector3f force = three(kCellForce);
  const Vector3f first = three(kCellFirst);
  const float pressure = element[kCellPressure];
  addThree(kCellForce, force);
  addThree(kCellTorque, three(kCellTorque) + off.cross(force));
  addThree(kCellFirst, first + pressure * off);
  to[kCellPressure] += pressure;
  to[kCellSecond] += element[kCellSecond] + 2.0F * first.dot(off) + pressure * off.squaredNorm();
  to[kCellEnergy] += element[kCellEnergy];
  to[kCellVolume] += element[kCellVolume];
}

/// All cells of the box around an element. Large ones are few: balls do not overlap much.
void ContactCells::markReached(std::uint32_t index, float radius) noexcept {
  const float nearest = std::min(radius * grid_.perSide, static_cast<float>(kAlong)) + 0.5F;
  const auto steps = static_cast<std::int64_t>(nearest);
  const Place place = placeOf(index);
  const auto range = [&](std::uint32_t at, std::size_t k) {
    const auto middle = static_cast<std::int64_t>(at);
    return std::pair(std::max<std::int64_t>(middle - steps, 0),
                     std::min<std::int64_t>(middle + steps, grid_.size[k] - 1));
  };
  const auto [fromX, toX] = range(place.x, 0);
  const auto [fromY, toY] = range(place.y, 1);
  const auto [fromZ, toZ] = range(place.z, 2);
  const std::uint64_t row = (~std::uint64_t{0} >> (63 - (toX - fromX))) << fromX;
  constexpr auto kRows = static_cast<std::int64_t>(kAlong);
  for (std::int64_t z = fromZ; z <= toZ; ++z) {
    for (std::int64_t y = fromY; y <= toY; ++y)
      markRow(static_cast<std::uint32_t>(z * kRows + y), row);
  }
}

void ContactCells::scale(const Weights& factors) noexcept {
  for (std::size_t c = 0; c < count_; ++c) {
    std::array<float, 16>& sums = cells_[c].sums;
    for (std::size_t sum = 0; sum < kCellEnergy; ++sum)
      sums[sum] *= factors.force;
    sums[kCellEnergy] *= factors.energy;
    sums[kCellVolume] *= factors.volume;
  }
}

/// The force on B is the volume along the way out of A, the one on A along the way out of B.
void ContactCells::useCones(std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = [&](ElementArray array) -> float& { return elements(array)[i]; };
    const auto volume = static_cast<double>(number(kElementVolume));
    const Vector3d pull(static_cast<double>(number(kElementFx)),
                        static_cast<double>(number(kElementFy)),
                        static_cast<double>(number(kElementFz)));
    const double size = models::elementary::cbrt(volume);
    const Vector3d along = pull / std::max(pull.norm(), std::max(kThin * size * size, 1e-300));
    const std::int32_t slotOfA = ~linksOfA()[i];
    const std::int32_t slotOfB = ~linksOfB()[i];
    const NormalCone ofA = cones_.ofA->at(static_cast<std::size_t>(slotOfA));
    const NormalCone ofB = cones_.ofB->at(static_cast<std::size_t>(slotOfB));
    const Vector3d onB = volume * (ofA.cosine > kWide ? ofA.axis : along);
    const Vector3d onA =
        volume * (ofB.cosine > kWide ? Vector3d(turnOfB_ * ofB.axis) : Vector3d(-along));
    number(kElementFx) = static_cast<float>(onB.x());
    number(kElementFy) = static_cast<float>(onB.y());
    number(kElementFz) = static_cast<float>(onB.z());
    const Vector3d at(static_cast<double>(number(kElementX)),
                      static_cast<double>(number(kElementY)),
                      static_cast<double>(number(kElementZ)));
    number(kElementCx) = static_cast<float>(onA.x());
    number(kElementCy) = static_cast<float>(onA.y());
    number(kElementCz) = static_cast<float>(onA.z());
    counterforce_ += onA;
    countertorque_ += at.cross(onA);
  }
}

}  // namespace tactus::collision
#endif
