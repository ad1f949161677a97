#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "haptics/adapters/open_hands.hpp"

namespace tactus::haptics {

/// What stands between this machine and a force at 1 kHz, and what to do about it.
enum class Verdict : std::uint8_t {
  Good,
  Missing,  ///< not there, and only those need it who want it
  Wrong,    ///< there, but it cannot be used as it is
};

struct Finding {
  std::string area;  ///< "library", "node", "service", "scheduling"
  std::string name;  ///< what was looked at
  Verdict verdict = Verdict::Good;
  std::string found;   ///< what there is
  std::string advice;  ///< what to do; empty if nothing
};

struct DoctorSettings {
  std::filesystem::path root = "/";  ///< of the file system that is looked at
  OpenSettings open;
};

/// Looks at libraries (can they be loaded, do they have what we call), device nodes (is a known
/// device on the bus, may this user read and write it), the daemon of the SpaceMouse, and the right
/// to run a thread ahead of others with its memory locked. Changes nothing, opens no device.
[[nodiscard]] std::vector<Finding> examineMachine(const DoctorSettings& settings);

[[nodiscard]] const char* nameOf(Verdict verdict) noexcept;

}  // namespace tactus::haptics
