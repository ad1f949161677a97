#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace tactus::models {

/// Points that are evaluated together: the sixteen virtual lanes of models/lanes/lanes.hpp.
constexpr std::size_t kPointsAtOnce = 16;

/// Sixteen points, one array a coordinate.
struct PointBlock {
  alignas(64) std::array<float, kPointsAtOnce> x{}, y{}, z{};
};

/// What a sculpture's field is at sixteen points.
struct FieldBlock {
  alignas(64) std::array<float, kPointsAtOnce> distance{}, gradientX{}, gradientY{}, gradientZ{};
};

/// Everything of a stroke that does not depend on the point; the formulas are in sculpture.cpp.
struct PreparedStroke {
  bool isEllipsoid = false;
  bool carves = false;
  std::array<float, 3> centre{};     ///< round cone: first centre
  std::array<float, 3> direction{};  ///< round cone: unit vector to the second centre
  float length = 0.0F;               ///< round cone: between the centres
  float radius = 0.0F;               ///< round cone: at the first centre
  float slope = 0.0F, lean = 0.0F;   ///< round cone: s and s / sqrt(1 - s^2)
  std::array<float, 9> axes{};       ///< ellipsoid: row i is axis i
  std::array<float, 3> inverse{};    ///< ellipsoid: 1 / half axis
  float leastAxis = 0.0F, longestAxis = 0.0F;
  float blend = 0.0F, inverseBlend = 0.0F;  ///< 1 / blend, or 0 for a crease
};

/// How a group joins the groups before it.
struct PreparedJoint {
  float blend = 0.0F, inverseBlend = 0.0F;
};

/// One instruction: evaluate a stroke and join it with what stands.
struct TapeStep {
  std::uint16_t stroke = 0;
  std::uint16_t group = 0;
  bool replacesPiece = false;  ///< nothing of its group stands yet, or nothing that matters
  bool endsGroup = false;      ///< then the group joins the groups before
  bool replacesWhole = false;  ///< when it does: no group stands yet, or none that matters
};

/// What a tape's numbers refer to.
struct PreparedSculpture {
  const PreparedStroke* strokes = nullptr;
  const PreparedJoint* groups = nullptr;
};

/// Distances at sixteen points, by the active vector target.
void distancesOf(const PreparedSculpture& sculpture, const TapeStep* tape, std::size_t steps,
                 const PointBlock& points, std::array<float, kPointsAtOnce>& distance) noexcept;

/// The same distances to the bit, and their gradients.
void fieldOf(const PreparedSculpture& sculpture, const TapeStep* tape, std::size_t steps,
             const PointBlock& points, FieldBlock& field) noexcept;

}  // namespace tactus::models
