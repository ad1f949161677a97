#pragma once
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "collision/cache/object_builder.hpp"
#include "haptics/session/scene_session.hpp"
#include "models/builtin.hpp"

namespace tactus::tests {

/// A built-in model of a scene, built on the spot.
inline models::Result<collision::CollisionObject> builtObject(const models::SceneModel& model,
                                                              std::size_t) {
  const std::string name = model.source.substr(8, model.source.find('@') - 8);
  models::Result<models::Mesh> mesh = models::makeBuiltin(name, 1000);
  if (!mesh) return mesh.error();
  models::Mesh scaled = std::move(mesh).value();
  for (auto& position : scaled.positions)
    position *= static_cast<float>(model.scale.value_or(1.0));
  collision::BuildSettings settings;
  settings.parameters = haptics::buildParametersOf(model);
  collision::BuildOutcome outcome = collision::buildObject({std::move(scaled), {}}, settings);
  EXPECT_EQ(outcome.end, collision::BuildEnd::Built);
  return std::move(outcome.object);
}

}  // namespace tactus::tests
