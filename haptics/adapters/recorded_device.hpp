#pragma once
#include <memory>
#include <utility>

#include "haptics/devices/device.hpp"

namespace tactus::haptics {

/// What a device has shown and said, tick by tick, as whoever reads recordings hands it out.
class SampleSource {
 public:
  SampleSource() = default;
  SampleSource(const SampleSource&) = delete;
  SampleSource& operator=(const SampleSource&) = delete;
  virtual ~SampleSource() = default;
  [[nodiscard]] virtual const DeviceCapabilities& capabilities() const noexcept = 0;
  /// Sample and statuses of read() and write() of the next tick; false at the end. Called in the
  /// tick: allocates nothing and does not wait, so what it gives must have been read before.
  [[nodiscard]] virtual bool next(DeviceSample& sample, DeviceStatus& read,
                                  DeviceStatus& write) noexcept = 0;
};

/// A recording in the place of a device: shows again what was shown, and feels nothing. At its end
/// it is lost.
class RecordedDevice final : public HapticDevice {
 public:
  explicit RecordedDevice(std::unique_ptr<SampleSource> source) : source_(std::move(source)) {}

  [[nodiscard]] const DeviceCapabilities& capabilities() const noexcept override {
    return source_->capabilities();
  }
  [[nodiscard]] DeviceStatus read(std::int64_t /*nowNs*/, DeviceSample& sample) noexcept override {
    DeviceStatus status;
    if (source_->next(last_, status, written_)) {
      ++counters_.measurements;
    } else {
      last_.stage = DeviceStage::Searching;
      ++last_.ageTicks;
      written_ = {};
      status = {DeviceFlag::Lost, DeviceFlag::Stale, DeviceFlag::NotReady};
    }
    sample = last_;
    return status;
  }
  [[nodiscard]] DeviceStatus write(const DeviceCommand& /*command*/) noexcept override {
    return written_;
  }
  [[nodiscard]] DeviceCounters counters() const noexcept override { return counters_; }

 private:
  std::unique_ptr<SampleSource> source_;
  DeviceSample last_;
  DeviceStatus written_;
  DeviceCounters counters_;
};

}  // namespace tactus::haptics
