#pragma once
#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "models/files/byte_source.hpp"
#include "models/files/file_label.hpp"
#include "models/files/mesh_file.hpp"
#include "models/files/words.hpp"

namespace tactus::models {

/// Collects what a reader finds and makes the mesh of it. Positions are doubles until the end,
/// because only then it is known where the object is and hence what a float can hold.
class MeshBuilder {
 public:
  /// Half of what meshFromPositions allows between two positions.
  static constexpr double kLargestCoordinate = 5e29;

  [[nodiscard]] static bool isStorable(const Eigen::Vector3d& p) noexcept {
    return std::abs(p.x()) <= kLargestCoordinate && std::abs(p.y()) <= kLargestCoordinate &&
           std::abs(p.z()) <= kLargestCoordinate;
  }
  /// Why a position is refused: "coordinate nan is not finite" and the like.
  [[nodiscard]] static std::string whyNotStorable(const Eigen::Vector3d& p);

  [[nodiscard]] std::size_t vertexCount() const noexcept { return positions_.size(); }
  /// For readers that look positions up, such as VertexWelder.
  [[nodiscard]] std::vector<Eigen::Vector3d>& positions() noexcept { return positions_; }

  /// Memory for counts that the file's size has confirmed.
  void reserve(std::uint64_t vertices, std::uint64_t triangles);

  /// `p` must be storable.
  void addPosition(const Eigen::Vector3d& p) {
    if (positions_.size() < kMaxCount) {
      positions_.push_back(p);
    } else {
      tooLarge_ = true;
    }
  }
  void addTriangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (triangles_.size() < kMaxCount) {
      triangles_.push_back({a, b, c});
    } else {
      tooLarge_ = true;
    }
  }
  /// A polygon; one with fewer than three corners has no area and is only counted.
  void addFace(std::span<const std::uint32_t> corners);

  /// Takes the origin out of a comment that writeMesh left ("tactus origin X Y Z"). It is used only
  /// if all positions then come out to the bit, so that a stale comment does no harm.
  void noteComment(Words comment);

  /// All corners must name vertices that exist.
  [[nodiscard]] Result<LoadedMesh> finish(MeshFormat format, const ByteSource& source,
                                          const FileLabel& label);

 private:
  static constexpr std::size_t kMaxCount = 0xFFFFFFFE;  // 32-bit indices, one left as a mark

  struct Polygon {
    std::uint32_t firstTriangle;
    std::uint32_t triangles;
  };
  [[nodiscard]] bool originHolds(const Eigen::Vector3d& origin) const;

  std::vector<Eigen::Vector3d> positions_;
  std::vector<Triangle> triangles_;
  std::vector<Polygon> polygons_;  // stand as fans in triangles_ until all positions are known
  std::uint64_t droppedFaces_ = 0;
  std::optional<Eigen::Vector3d> notedOrigin_;
  bool tooLarge_ = false;
};

/// What writeMesh writes into a comment and noteComment looks for.
inline constexpr std::string_view kOriginComment = "tactus origin";

}  // namespace tactus::models
