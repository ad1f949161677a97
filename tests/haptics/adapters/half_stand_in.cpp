// A library of the right name and with next to nothing in it, as an old version may be.
#include "haptics/adapters/chai3d_table.hpp"

extern "C" __attribute__((visibility("default"))) int dhdGetDeviceCount() {
  return 0;
}
extern "C" __attribute__((visibility("default"))) unsigned hdInitDevice(const char*) {
  return 0;
}
// A module that was built for another version of the program.
extern "C" __attribute__((visibility("default"))) const tactus::haptics::Chai3dTable* tactusChai3d(
    std::int32_t) {
  return nullptr;
}
