#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "haptics/devices/device.hpp"
#include "haptics/devices/device_spec.hpp"
#include "haptics/devices/start_sequence.hpp"
#include "response/bodies/world.hpp"
#include "response/hand/hand_response.hpp"
#include "response/hand/world_tool.hpp"

namespace tactus::haptics {

inline constexpr std::size_t kMostHands = kHandNames.size();
/// That may be changed while all runs.
inline constexpr std::size_t kMostMaterials = 8;

/// A hand before its first tick.
struct TickHand {
  Hand hand = Hand::Right;
  std::size_t body = 0;  ///< of the world: its tool
  response::HandSetup setup;
  DeviceCapabilities capabilities;
  response::ForceParameters parameters;
};

struct TickSetup {
  std::vector<response::BodyDescription> bodies;
  response::WorldSettings world;
  std::vector<std::pair<std::size_t, std::size_t>> strangers;  ///< bodies that never touch
  std::vector<TickHand> hands;                                 ///< at most kMostHands
  /// What the bodies are made of, as far as the panel may change it; of each body its number among
  /// them. A number of kMostMaterials or more, or no entry: the body stays what it is made of.
  std::array<response::Material, kMostMaterials> materials;
  std::vector<std::size_t> materialOf;
  double tickSeconds = 1e-3;
};

/// What a tick brings from one device.
struct HandSample {
  DeviceSample sample;
  DeviceStatus status;
};

/// All that could make two runs differ, and so all that a replay needs, besides parameters.
struct TickInputs {
  std::uint64_t number = 0;
  std::uint32_t skipped = 0;  ///< ticks since the one before that never were
  std::array<HandSample, kMostHands> hands;
};

/// What the panel may change while all runs. Plain: it is handed over whole.
struct TickParameters {
  std::array<response::ForceParameters, kMostHands> hands;  ///< by Hand, whichever there are
  response::ContactLaw law = response::ContactLaw::Depth;
  std::array<double, 3> gravity = {0.0, -9.81, 0.0};  ///< [m/s^2]
  std::array<response::Material, kMostMaterials> materials;
  double budgetOfPair = 0.0;  ///< tests of one pair of bodies in a tick; 0: as many as it takes
  /// Of the scene's time, up to 1. The hands live on in their own.
  double speed = 1.0;
  bool isPaused = false;    ///< forces fade, the scene stands still
  std::uint32_t steps = 0;  ///< each one more is one step of a scene that is paused
};

/// What a tick gives to one device, and how it came to that.
struct HandResult {
  DeviceCommand command;
  response::HandTick response;
  StartStage stage = StartStage::Identify;
  WaitingFor waitingFor = WaitingFor::Device;
};

/// One tick of everything: a function of its state, the inputs and the nominal dt, which you can
/// read from top to bottom in tick().
///
///     samples -> hands' wishes -> tools' pulls, or tools that settle -> step of all bodies
///             -> what the tools came to -> wrenches for the devices
///
/// This is where the force is computed: contacts in World::step() (and loadOn() for tools without
/// mass), what the hand gets of them in HandResponse::end().
///
/// A paused scene takes no step, and its hands are let go as by the clutch; a slow one takes
/// shorter steps, while its hands' couplings go on in their own time.
///
/// No clock, lock, allocation, exception or I/O. A copy of the inputs gives the same bytes on every
/// machine and vector target.
///
/// Buttons: the first is the clutch; with `3in+buttons` the next six turn the tool about +x, -x,
/// +y, -y, +z and -z. A device with exactly four has no clutch in that mode: three turn the tool
/// about x, y and z, and while the fourth is held, the other way round.
class HapticTick {
 public:
  explicit HapticTick(const TickSetup& setup);

  void tick(const TickInputs& inputs, const TickParameters& wanted) noexcept;

  [[nodiscard]] std::size_t handCount() const noexcept { return hands_.size(); }
  [[nodiscard]] const HandResult& result(std::size_t hand) const noexcept {
    return hands_[hand].result;
  }
  [[nodiscard]] const response::HandResponse& response(std::size_t hand) const noexcept {
    return hands_[hand].response;
  }
  [[nodiscard]] Hand handOf(std::size_t hand) const noexcept { return hands_[hand].which; }
  [[nodiscard]] std::size_t bodyOf(std::size_t hand) const noexcept { return hands_[hand].body; }
  [[nodiscard]] const response::World& world() const noexcept { return world_; }
  [[nodiscard]] double tickSeconds() const noexcept { return dt_; }

 private:
  struct HeldHand {
    explicit HeldHand(const TickHand& given, const Eigen::Isometry3d& sceneFromTool, double dt);

    Hand which;
    std::size_t body;
    int buttons;  // of the device
    response::HandResponse response;
    response::WorldTool tool;
    StartSequence start;
    HandResult result;
    response::HandInputs inputs;  // of this tick, like the rest
    response::HandWish wish;
    response::CoupledTool settled;
    bool isPulled = false;
  };

  void readHand(HeldHand& hand, const HandSample& from, const TickInputs& inputs) noexcept;
  void takeMaterials(const TickParameters& wanted) noexcept;
  void moveTool(HeldHand& hand, double sceneSeconds) noexcept;
  void rest(const HeldHand& hand) noexcept;
  void tellDeficits() noexcept;
  void answerHand(HeldHand& hand, double sceneSeconds) noexcept;

  response::World world_;
  std::vector<HeldHand> hands_;
  double dt_;
  std::array<response::Material, kMostMaterials> materials_;  // as they are now
  std::vector<std::size_t> materialOf_;
  bool haveMaterialsMoved_ = false;
  std::uint32_t steps_ = 0;  // of a paused scene, that were taken
  bool wasCut_ = false;      // a query of the last tick was, by its budget
};

}  // namespace tactus::haptics
