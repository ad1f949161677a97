// A library with libspnav's C entry points and a daemon that is not there.
#include "tests/haptics/adapters/stand_in.hpp"

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

tactus::tests::SpnavStandIn state;

struct Motion {
  int type, x, y, z, rx, ry, rz;
  unsigned period;
  int* data;
};
struct Button {
  int type, press, number;
};

}  // namespace

EXPORTED tactus::tests::SpnavStandIn* tactusStandIn() {
  return &state;
}

// The names are the library's.
// NOLINTBEGIN(readability-identifier-naming)
EXPORTED int spnav_open() {
  if (!state.daemonRuns) return -1;
  state.isOpen = true;
  return 0;
}
EXPORTED int spnav_close() {
  state.isOpen = false;
  return 0;
}
EXPORTED int spnav_fd() {
  return state.isOpen && state.daemonRuns ? 3 : -1;
}
EXPORTED int spnav_poll_event(void* event) {
  if (state.hasMotion) {
    state.hasMotion = false;
    const int* m = state.motion;
    *static_cast<Motion*>(event) = {1, m[0], m[1], m[2], m[3], m[4], m[5], 16, nullptr};
    return 1;
  }
  if (state.button >= 0) {
    *static_cast<Button*>(event) = {2, state.press, state.button};
    state.button = -1;
    return 2;
  }
  return 0;
}
// NOLINTEND(readability-identifier-naming)
