#include "collision/contact/contact_patches.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tactus::collision {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr std::size_t kAlong = ContactCells::kAlong;
constexpr std::size_t kRows = kAlong * kAlong;
constexpr std::uint32_t kNoPart = 0xffffffffU;

std::uint32_t rootOf(std::vector<std::uint32_t>& parent, std::uint32_t run) noexcept {
  while (parent[run] != run) {
    parent[run] = parent[parent[run]];
    run = parent[run];
  }
  return run;
}

/// The earlier run stays the root, so that the order does not depend on how they were joined.
void join(std::vector<std::uint32_t>& parent, std::uint32_t a, std::uint32_t b) noexcept {
  const std::uint32_t rootA = rootOf(parent, a);
  const std::uint32_t rootB = rootOf(parent, b);
  parent[std::max(rootA, rootB)] = std::min(rootA, rootB);
}

/// Joins runs of two rows that touch.
void joinRows(PatchScratch& s, std::size_t row, std::size_t other) noexcept {
  const PatchScratch::Row of = s.rows[row];
  const PatchScratch::Row beside = s.rows[other];
  std::uint32_t b = beside.first;
  for (std::uint32_t a = of.first; a < of.end; ++a) {
    while (b < beside.end && s.runs[b].to + 1 < s.runs[a].from)
      ++b;
    for (std::uint32_t c = b; c < beside.end && s.runs[c].from <= s.runs[a].to + 1; ++c)
      join(s.parent, a, c);
  }
}

/// Only rows that something reaches are looked at, as neighbours too: of the others a scratch holds
/// what an earlier query left there.
void findRuns(const ContactCells& cells, PatchScratch& s) noexcept {
  const std::span<const std::uint64_t> reached = cells.reached();
  const std::span<const std::uint64_t> rowsAt = cells.reachedRows();
  std::uint32_t count = 0;
  for (std::size_t z = 0; z < kAlong; ++z) {
    const std::uint64_t beside = rowsAt[z];
    const std::uint64_t below = z > 0 ? rowsAt[z - 1] : 0;
    for (std::uint64_t rows = beside; rows != 0; rows &= rows - 1) {
      const auto y = static_cast<std::size_t>(std::countr_zero(rows));
      const std::size_t row = z * kAlong + y;
      s.rows[row].first = count;
      std::uint64_t bits = reached[row];
      while (bits != 0) {
        const int from = std::countr_zero(bits);
        const int length = std::countr_one(bits >> from);
        s.runs[count] = {static_cast<std::uint8_t>(from),
                         static_cast<std::uint8_t>(from + length - 1)};
        s.parent[count] = count;
        s.partOf[count] = kNoPart;
        ++count;
        bits = from + length < 64 ? bits & (~std::uint64_t{0} << (from + length)) : 0;
      }
      s.rows[row].end = count;
      const std::uint64_t own = std::uint64_t{1} << y;
      if ((beside & own >> 1U) != 0) joinRows(s, row, row - 1);
      if ((below & own >> 1U) != 0) joinRows(s, row, row - kAlong - 1);
      if ((below & own) != 0) joinRows(s, row, row - kAlong);
      if ((below & own << 1U) != 0) joinRows(s, row, row - kAlong + 1);
    }
  }
}

/// Returns how many parts there are.
std::uint32_t findParts(const ContactCells& cells, PatchScratch& s) noexcept {
  std::uint32_t count = 0;
  for (std::size_t c = 0; c < cells.cells().size(); ++c) {
    const ContactCells::Place place = ContactCells::placeOf(cells.indexOf(c));
    std::uint32_t run = s.rows[place.z * kAlong + place.y].first;
    while (s.runs[run].to < place.x)
      ++run;
    std::uint32_t& number = s.partOf[rootOf(s.parent, run)];
    if (number == kNoPart) {
      number = count++;
      s.parts[number] = {};
    }
    s.partOfCell[c] = number;
    PatchScratch::Part& part = s.parts[number];
    const ContactCells::Cell& cell = cells.cells()[c];
    part.pressure += cell[kCellPressure];
    part.volume += cell[kCellVolume];
    part.places += Vector3d(place.x, place.y, place.z);
    ++part.cells;
  }
  return count;
}

/// Gives each part its patch.
void rankParts(std::uint32_t count, PatchScratch& s, ContactPatches& result) noexcept {
  const std::span order = std::span(s.order).first(count);
  for (std::uint32_t n = 0; n < count; ++n)
    order[n] = n;
  result.count = std::min<std::size_t>(count, ContactPatches::kMost);
  result.merged = static_cast<std::uint32_t>(count - result.count);
  const auto isBefore = [&s](std::uint32_t a, std::uint32_t b) {
    const PatchScratch::Part& first = s.parts[a];
    const PatchScratch::Part& second = s.parts[b];
    if (first.pressure != second.pressure) return first.pressure > second.pressure;
    if (first.volume != second.volume) return first.volume > second.volume;
    return a < b;
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(result.count),
                    order.end(), isBefore);
  const auto middleOf = [&s](std::uint32_t part) {
    return Vector3d(s.parts[part].places / s.parts[part].cells);
  };
  for (std::size_t n = 0; n < count; ++n) {
    std::size_t patch = n;
    if (n >= result.count) {
      const Vector3d middle = middleOf(order[n]);
      patch = 0;
      for (std::size_t k = 1; k < result.count; ++k) {
        if ((middleOf(order[k]) - middle).squaredNorm() <
            (middleOf(order[patch]) - middle).squaredNorm())
          patch = k;
      }
    }
    s.parts[order[n]].patch = static_cast<std::uint8_t>(patch);
  }
}

void addCell(const ContactCells::Cell& cell, const Vector3d& middle, PatchScratch::Sums& sums,
             ContactPatch& patch) noexcept {
  const Vector3d force = cell.three(kCellForce);
  const Vector3d first = cell.three(kCellFirst);
  const double pressure = cell[kCellPressure];
  sums.force += force;
  sums.torque += cell.three(kCellTorque) + middle.cross(force);
  sums.pressure += pressure;
  sums.first += first + pressure * middle;
  sums.second += cell[kCellSecond] + 2.0 * first.dot(middle) + pressure * middle.squaredNorm();
  patch.volume += cell[kCellVolume];
  patch.energy += cell[kCellEnergy];
  ++patch.cells;
}

/// Normal and centre of pressure.
void finishWrench(PatchScratch::Sums& sums) noexcept {
  if (!(sums.pressure > 0.0)) return;
  const Vector3d middle = sums.first / sums.pressure;
  sums.centre = middle;
  const double square = sums.force.squaredNorm();
  if (!(square > 0.0)) return;
  sums.normal = sums.force / std::sqrt(square);
  // the line along which the wrench acts passes here
  Vector3d aside = sums.force.cross(sums.torque - middle.cross(sums.force)) / square;
  const double reach = std::sqrt(std::max(sums.second / sums.pressure - middle.squaredNorm(), 0.0));
  const double length = aside.norm();
  if (length > reach) aside *= reach / length;
  if (aside.allFinite()) sums.centre += aside;
}

/// Of what pushes along the normal, how far around the centre it is. In a cell it is taken to be as
/// thin as a sheet across the normal: a contact that is thicker has a radius that is larger by less
/// than what the square of a cell's side over 12 adds to its square.
void addSpread(const ContactCells::Cell& cell, const Vector3d& middle,
               PatchScratch::Sums& sums) noexcept {
  const double pressure = cell[kCellPressure];
  const double along = cell.three(kCellForce).dot(sums.normal);
  if (!(along > 0.0) || !(pressure > 0.0)) return;
  const Vector3d off = middle - sums.centre;
  const Vector3d first = cell.three(kCellFirst) / pressure;
  const double onAxis = sums.normal.dot(off + first);
  const double square =
      cell[kCellSecond] / pressure + 2.0 * first.dot(off) + off.squaredNorm() - onAxis * onAxis;
  const double distance = std::sqrt(std::max(square, 0.0));
  sums.weight += along;
  sums.squares += along * distance * distance;
  sums.distances += along * distance;
}

}  // namespace

PatchScratch::PatchScratch()
    : runs(kRows * kAlong / 2),
      rows(kRows),
      parent(kRows * kAlong / 2),
      partOf(kRows * kAlong / 2),
      parts(ContactCells::kMostCells),
      order(ContactCells::kMostCells),
      partOfCell(ContactCells::kMostCells),
      patchOfCell_(ContactCells::kMostCells) {}

ContactPatches contactPatches(const ContactCells& cells, const Eigen::Isometry3d& aFromB,
                              PatchScratch& scratch) noexcept {
  ContactPatches result;
  if (cells.empty()) return result;
  findRuns(cells, scratch);
  rankParts(findParts(cells, scratch), scratch, result);

  const ContactStream& stream = cells.stream();
  std::array<PatchScratch::Sums, ContactPatches::kMost>& sums = scratch.sums;
  std::fill_n(sums.begin(), result.count, PatchScratch::Sums{});
  for (std::size_t c = 0; c < cells.cells().size(); ++c) {
    const std::uint8_t patch = scratch.parts[scratch.partOfCell[c]].patch;
    scratch.patchOfCell_[c] = patch;
    addCell(cells.cells()[c], cells.middleOf(c) - stream.origin, sums[patch],
            result.patches[patch]);
  }
  for (std::size_t n = 0; n < result.count; ++n)
    finishWrench(sums[n]);
  for (std::size_t c = 0; c < cells.cells().size(); ++c) {
    addSpread(cells.cells()[c], cells.middleOf(c) - stream.origin, sums[scratch.patchOfCell_[c]]);
  }

  const Matrix3d turn = stream.aFromFrame.linear();
  const Vector3d arm = stream.aFromFrame * stream.origin - aFromB.translation();
  const double sign = stream.movesA ? -1.0 : 1.0;
  for (std::size_t n = 0; n < result.count; ++n) {
    const PatchScratch::Sums& of = sums[n];
    ContactPatch& patch = result.patches[n];
    patch.force = turn * (sign * of.force);
    patch.torque = turn * (sign * of.torque) + arm.cross(patch.force);
    patch.normal = turn * (sign * of.normal);
    patch.normalForce = of.force.norm();
    patch.pressure = of.pressure;
    patch.centre = stream.aFromFrame * Vector3d(stream.origin + of.centre);
    if (!(of.weight > 0.0)) continue;
    patch.radius = std::sqrt(of.squares / of.weight);
    patch.spinRadius = of.distances / of.weight;
  }
  return result;
}

}  // namespace tactus::collision
