#pragma once
#include <memory>
#include <string>

#include "app/scene_session.hpp"
#include "haptics/devices/device.hpp"
#include "models/mesh/result.hpp"

namespace tactus::app {

/// A device that shows again what a recording has of a hand.
struct RecordedHand {
  std::unique_ptr<haptics::HapticDevice> device;
  haptics::DeviceProfile profile;
};

/// `replay:FILE` in a hand: that hand of the recording, or its only one. All of its samples are
/// read at once, 0.3 MB a second.
[[nodiscard]] models::Result<RecordedHand> openRecordedHand(const std::string& file,
                                                            haptics::Hand hand);

}  // namespace tactus::app
