#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "haptics/recording/recorder.hpp"
#include "haptics/tick/haptic_tick.hpp"

namespace tactus::haptics {

/// What a tick leaves in a recording: fixed records without gaps, little-endian, as
/// docs/recording-format.md lists them. Poses and everything that a replay needs or compares are
/// doubles; what is only looked at is floats.

/// Stream "hand.NAME": a device's measurement, and what was made of it.
struct HandRecord {
  std::uint64_t sampleNumber = 0;
  std::int64_t measuredNs = 0, ageNs = 0;
  std::uint32_t ageTicks = 0, buttons = 0;
  std::uint16_t readFlags = 0, writeFlags = 0;  ///< DeviceStatus::bits()
  std::uint8_t deviceStage = 0, startStage = 0, phase = 0, reason = 0;
  double position[3] = {}, orientation[4] = {};  ///< w x y z
  double velocity[3] = {}, angularVelocity[3] = {}, gripperAngle = 0.0;
  double force[3] = {}, torque[3] = {};  ///< as written to the device
  double toolPosition[3] = {}, toolOrientation[4] = {};
  float couplingForce[3] = {}, couplingTorque[3] = {};  ///< before all safety, device's
  float storedEnergy = 0.0F, balance = 0.0F;            ///< [J]
  float gain = 0.0F, addedDamping = 0.0F;
  std::uint32_t hasVelocity = 0;  ///< bit 0 of shifts, bit 1 of turns
  float stiffnessRatio = 0.0F;
};
inline constexpr const char* kHandFields =
    "u64 sample_number, i64 measured_ns, i64 age_ns, u32 age_ticks, u32 buttons, u16 read_flags, "
    "u16 write_flags, u8 device_stage, u8 start_stage, u8 phase, u8 reason, f64 position_m[3], "
    "f64 orientation_wxyz[4], f64 velocity_ms[3], f64 angular_velocity_rads[3], f64 "
    "gripper_angle_rad, f64 force_n[3], f64 torque_nm[3], f64 tool_position_m[3], f64 "
    "tool_orientation_wxyz[4], f32 coupling_force_n[3], f32 coupling_torque_nm[3], f32 "
    "stored_energy_j, f32 balance_j, f32 gain, f32 added_damping_nsm, u32 has_velocity, f32 "
    "stiffness_ratio";
static_assert(sizeof(HandRecord) == 40 + 27 * 8 + 12 * 4);
static_assert(std::is_trivially_copyable_v<HandRecord>);

/// Stream "tick": of all hands together.
struct TickRecord {
  std::uint32_t skipped = 0;
  float computeUs = 0.0F;  ///< the tick before took, from samples read to wrenches written
  std::uint16_t due = 0, queried = 0, touching = 0, cut = 0, distances = 0, cores = 0;
  std::uint16_t asleep = 0, dropped = 0;
};
inline constexpr const char* kTickFields =
    "u32 skipped, f32 compute_us, u16 due, u16 queried, u16 touching, u16 cut, u16 distances, u16 "
    "cores, u16 asleep, u16 dropped";
static_assert(sizeof(TickRecord) == 24);

/// Stream "bodies", of each body in the order of the scene.
struct BodyRecord {
  double position[3] = {}, orientation[4] = {};  ///< w x y z
};
static_assert(sizeof(BodyRecord) == 56);

[[nodiscard]] HandRecord handRecord(const HandSample& sample, const HandResult& result,
                                    const response::HandResponse& response,
                                    DeviceStatus written) noexcept;
/// DeviceStatus::bits() back.
[[nodiscard]] DeviceStatus statusOf(std::uint16_t bits) noexcept;
/// What a replay feeds to the tick.
[[nodiscard]] HandSample handSample(const HandRecord& record) noexcept;
[[nodiscard]] TickRecord tickRecord(const TickInputs& inputs, const response::World& world,
                                    double computeUs) noexcept;

/// Gives each tick to a recorder. Its push() is for the tick's thread.
class TickRecorder {
 public:
  /// `handNames` in the order of the tick's hands.
  [[nodiscard]] static std::vector<StreamLayout> streamsOf(std::span<const std::string> handNames,
                                                           std::size_t bodies);
  /// Without a recorder it must not be used.
  TickRecorder(Recorder* recorder, std::size_t hands, std::size_t bodies)
      : recorder_(recorder), hands_(hands), bodies_(bodies) {}

  void push(const RecordRing::Stamp& stamp, const TickInputs& inputs, const HapticTick& tick,
            std::span<const DeviceStatus> written, double computeUs) noexcept;
  /// Notes what differs.
  void noteChanges(const RecordRing::Stamp& stamp, const TickParameters& before,
                   const TickParameters& after) noexcept;

 private:
  Recorder* recorder_;
  std::size_t hands_;
  std::vector<BodyRecord> bodies_;
};

}  // namespace tactus::haptics
