#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "models/scene/scene.hpp"

namespace tactus::models::test {

/// What is wrong with how the reader took this text; empty if nothing is. Any text must give a
/// sound scene or a proper sentence, and the scene's own text the same scene.
inline std::string complaintAboutScene(std::string_view text) {
  const Result<Scene> read = parseScene(text, "fuzzed.toml");
  if (!read) {
    const std::string& s = read.error().sentence;
    if (!s.starts_with("fuzzed.toml") || !s.ends_with('.'))
      return "no sentence that names the file: " + s;
    const bool isOneLine =
        std::ranges::all_of(s, [](char c) { return static_cast<unsigned char>(c) >= 0x20; });
    if (!isOneLine) return "a control character in: " + s;
    return s.size() > 600 ? "too long for one sentence: " + s : "";
  }
  const Scene& scene = read.value();
  if (scene.bodies.empty() || scene.bodies.size() > kMostSceneBodies) return "so many bodies";
  if (scene.hands.size() > kMostSceneHands) return "so many hands";
  for (const SceneBody& body : scene.bodies) {
    if (body.name.empty() || body.model.source.empty()) return "a body without name or model";
    if (body.material >= scene.materials.size()) return "a material that is not there";
    if (!body.pose().matrix().allFinite()) return "a pose that is not finite";
    if (std::abs(body.orientation.norm() - 1.0) > 1e-9) return "a quaternion that is not one";
  }
  for (const SceneHand& hand : scene.hands) {
    if (hand.tool >= scene.bodies.size()) return "a tool that is not there";
    if (hand.path.empty() || hand.path.front().at != 0.0) return "a path that does not begin";
    if (!std::ranges::is_sorted(hand.path, {}, &SceneHandKey::at)) return "a path back in time";
  }
  for (const auto& [a, b] : scene.neverTouch) {
    if (a >= b || b >= scene.bodies.size()) return "a pair that is none";
  }
  const Result<Scene> again = parseScene(scene.text, scene.file);
  return again.ok() && again.value().bodies.size() == scene.bodies.size() ? "" : "not read again";
}

}  // namespace tactus::models::test
