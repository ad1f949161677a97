#include "app/recorded_session.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "haptics/tick/tick_parameters.hpp"

namespace tactus::app {

using haptics::RecordingReader;
using models::Error;
using models::Reason;
using models::Result;

std::string metaOf(const RecordingReader& recording, const char* key) {
  const auto found = recording.meta().find(key);
  return found == recording.meta().end() ? std::string() : found->second;
}

Result<RecordedSession> openRecordedSession(const RecordingReader& recording,
                                            const std::string& shown,
                                            const LoadingWatcher& watcher) {
  const Error isNone{Reason::BadValue, -1,
                     fmt::format("{}: what it should run again is not in it; was it written by "
                                 "'tactus run --record'?",
                                 shown)};
  Result<models::Scene> scene =
      models::parseScene(metaOf(recording, "scene_text"), metaOf(recording, "scene_file"));
  if (!scene) return isNone;
  const std::string method = metaOf(recording, "method");
  if (method == "vps") scene.value().contact.method = models::SceneMethod::Voxmap;
  if (method == "ist") scene.value().contact.method = models::SceneMethod::InnerSpheres;
  const Result<response::ContactLaw> law = haptics::lawOf(scene.value().contact);
  const std::optional<std::vector<SessionHand>> hands =
      haptics::sessionHands(metaOf(recording, "hands"));
  if (!law || !hands) return isNone;

  RecordedSession recorded;
  OpenedSession& session = recorded.session;
  Result<LoadedScene> loaded = loadScene(std::move(scene).value(), watcher);
  if (!loaded) return loaded.error();
  session.loaded = std::move(loaded).value();
  session.method = method;
  session.hands = *hands;
  session.devices.resize(session.hands.size());
  for (std::size_t k = 0; k < session.hands.size(); ++k)
    session.devices[k].hand = session.hands[k].hand;
  recorded.hasSameObjects = haptics::objectsText(session.loaded) == metaOf(recording, "objects");
  session.setup = haptics::tickSetupOf(session.loaded, law.value(), session.hands, kTickSeconds);
  recorded.parameters = haptics::parametersOf(session.setup);
  if (!haptics::readParameters(metaOf(recording, "parameters"), recorded.parameters)) return isNone;
  return recorded;
}

}  // namespace tactus::app
