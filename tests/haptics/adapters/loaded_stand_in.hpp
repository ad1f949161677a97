#pragma once
#include <dlfcn.h>

#include <cstdint>
#include <memory>
#include <string>

#include "haptics/adapters/vendor_devices.hpp"

namespace tactus::tests {

/// The steering wheel of a stand-in library, put back to its beginning.
template <typename State>
State& standIn(const std::string& library) {
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) std::abort();
  using Get = State* (*)();
  State* state = reinterpret_cast<Get>(::dlsym(handle, "tactusStandIn"))();
  state->~State();
  new (state) State();
  return *reinterpret_cast<Get>(::dlsym(handle, "tactusStandIn"))();
}

/// Time in the hands of the test; it stands still unless it is moved.
inline std::int64_t testClockNs = 0;
inline std::int64_t testClock() {
  return testClockNs;
}

inline haptics::VendorSettings byHand(const std::string& library) {
  testClockNs = 1'000'000'000;
  haptics::VendorSettings settings;
  settings.libraries = {library};
  settings.clock = &testClock;
  settings.hasThreads = false;
  return settings;
}

}  // namespace tactus::tests
