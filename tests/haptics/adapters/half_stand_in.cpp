// A library of the right name and with next to nothing in it, as an old version may be.
extern "C" __attribute__((visibility("default"))) int dhdGetDeviceCount() {
  return 0;
}
extern "C" __attribute__((visibility("default"))) unsigned hdInitDevice(const char*) {
  return 0;
}
