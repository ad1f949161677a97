#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "render/picture_tiles.hpp"

namespace tactus::render {

/// Where in a picture a shadow can be seen: what is visible in each tile of it, as a light sees it.
///
/// The shadow of a thing that moves falls from it down to whatever is below; taken as far as the
/// scene reaches, it changes most of a picture. What is really seen lies at the depths that the
/// last picture has left behind, and these say it to a tile.
///
/// Method:
/// - a tile's pixels with their least and greatest depth are a cell of the view's pyramid; its
/// eight
///   corners are brought into the light's map
/// - a caster reaches a tile if nothing parts their corners across the light, and some of the
/// tile's
///   lie behind the caster's nearest point
class ShadowReceivers {
 public:
  /// A picture of that size, seen by that view and lit by that light: all three coordinates of its
  /// map go from 0 to 1, the third away from the light. If any differs from before, nothing is
  /// known of any tile.
  void look(const Eigen::Matrix4d& clipFromRender, const Eigen::Matrix4d& mapFromRender, int width,
            int height);
  /// Nothing is known of any tile.
  void forget();
  [[nodiscard]] bool knowsAll() const noexcept { return knowsAll_; }

  /// Depths (0 to 1, row by row from below) of the pixels of whole tiles, as
  /// PictureTiles::around() gives them. Pixels of depth 1 are the background's, on which no shadow
  /// falls.
  void learn(const PixelRect& rect, std::span<const float> depths);
  /// Here something is seen through what has left its depth: behind it may be anything.
  void open(const PixelRect& rect);

  /// Tiles in which a shadow of what lies between `points` (render coordinates) may be seen, and
  /// what is within `blur` of it [m].
  void addReached(std::span<const Eigen::Vector3d> points, double blur, PictureTiles& tiles) const;

 private:
  struct Tile {
    Tile() { corners.fill(Eigen::Vector2f::Zero()); }
    std::array<Eigen::Vector2f, 8> corners;  ///< in the map
    float farthest = -1.0F;                  ///< from the light; less than 0: nothing receives
    float nearestDepth = 0.0F;               ///< in the picture
    bool isKnown = false;                    ///< else it may be anywhere
  };
  void place(Tile& tile, int column, int row, double nearest, double farthest) const;
  template <typename Change>
  void eachTile(const PixelRect& rect, Change change);

  Eigen::Matrix4d clipFromRender_ = Eigen::Matrix4d::Zero();
  Eigen::Matrix4d mapFromRender_ = Eigen::Matrix4d::Zero();
  Eigen::Matrix4d mapFromClip_ = Eigen::Matrix4d::Zero();
  PictureTiles grid_;
  bool knowsAll_ = false;
  std::vector<Tile> tiles_;
};

}  // namespace tactus::render
