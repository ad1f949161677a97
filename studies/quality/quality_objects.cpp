#include "studies/quality/quality_objects.hpp"

#include <algorithm>
#include <limits>

namespace tactus::studies {

using collision::CollisionObject;
using models::Result;

Result<const CollisionObject*> QualityObjects::open(std::string_view model,
                                                    const Fineness& fineness) {
  constexpr std::uint64_t kMostOfBall = 20'000;
  const std::uint64_t triangles =
      model == "sphere" ? std::min(fineness.triangles, kMostOfBall) : fineness.triangles;
  const std::string name = "builtin:" + std::string(model) + "@" + std::to_string(triangles);
  const std::pair key(name, fineness.spheres);
  if (const auto known = known_.find(key); known != known_.end()) return &known->second;
  collision::BuildParameters parameters;
  parameters.spheres = fineness.spheres;
  Result<CollisionObject> object = open_(name, parameters);
  if (!object) return object.error();
  return &known_.emplace(key, std::move(object).value()).first->second;
}

Result<double> smallestBall(const CollisionObject& a, const CollisionObject& b) {
  double least = std::numeric_limits<double>::infinity();
  for (const CollisionObject* object : {&a, &b}) {
    const Result<collision::PackedBalls> packed = object->cold->packing();
    if (!packed) return packed.error();
    for (const collision::PackedSphere& sphere : packed.value().spheres)
      least = std::min(least, static_cast<double>(sphere.radius));
  }
  return least;
}

}  // namespace tactus::studies
