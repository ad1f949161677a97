#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "collision/cache/collision_object.hpp"
#include "models/mesh/result.hpp"

namespace tactus::studies {

/// Gives the object of `builtin:NAME@TRIANGLES`, from a cache or built.
using OpenObject = std::function<models::Result<collision::CollisionObject>(
    const std::string& name, const collision::BuildParameters&)>;

/// How finely a model is made and packed.
struct Fineness {
  std::uint64_t triangles = 0, spheres = 0;
};

/// Objects of built-in models, each opened once.
class QualityObjects {
 public:
  explicit QualityObjects(OpenObject open) : open_(std::move(open)) {}

  /// Lives as long as this. A ball gets 20,000 triangles at most: with more, one sphere fills it so
  /// well that nothing else fits, and fields of distances and depths, whose size goes by the number
  /// of spheres, have a handful of cubes.
  [[nodiscard]] models::Result<const collision::CollisionObject*> open(std::string_view model,
                                                                       const Fineness& fineness);

 private:
  OpenObject open_;
  std::map<std::pair<std::string, std::uint64_t>, collision::CollisionObject> known_;
};

/// Radius of the smallest ball of two packings [m].
[[nodiscard]] models::Result<double> smallestBall(const collision::CollisionObject& a,
                                                  const collision::CollisionObject& b);

}  // namespace tactus::studies
