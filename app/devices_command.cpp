#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/commands.hpp"
#include "app/interruption.hpp"
#include "app/output_place.hpp"
#include "haptics/adapters/device_doctor.hpp"
#include "haptics/adapters/open_hands.hpp"
#include "haptics/loop/servo_thread.hpp"
#include "haptics/measure/device_measurement.hpp"
#include "haptics/simulated/simulated_device.hpp"
#include "models/files/whole_file.hpp"

namespace tactus::app {
namespace {

using haptics::DeviceCapabilities;
using haptics::DeviceKind;
using haptics::DeviceMeasurement;
using haptics::DeviceProfile;
using haptics::DeviceSpec;
using haptics::Finding;
using haptics::FoundDevice;
using haptics::HapticDevice;
using models::Done;
using models::Result;

constexpr double kMilli = 1e3;
constexpr double kMicro = 1e6;
constexpr std::int64_t kTickNs = 1'000'000;

Json deviceJson(const FoundDevice& found) {
  const DeviceCapabilities& device = found.capabilities;
  const std::optional<DeviceProfile> profile = haptics::profileOfModel(device.model);
  return {{"spec", haptics::toText(found.spec)},
          {"model", device.model},
          {"serial", device.serial},
          {"side", haptics::nameOf(device.side)},
          {"sensed_dof", device.sensedFreedoms()},
          {"actuated_dof", device.actuatedFreedoms()},
          {"peak_force_n", device.peakForce},
          {"continuous_force_n", device.continuousForce},
          {"peak_torque_nm", device.peakTorque},
          {"workspace_m", toJson(device.workspaceExtent)},
          {"buttons", device.buttons},
          {"profile", profile ? Json(profile->name) : Json(nullptr)},
          {"note", found.note}};
}

Json checkJson(const Finding& finding) {
  return {{"area", finding.area},
          {"name", finding.name},
          {"verdict", haptics::nameOf(finding.verdict)},
          {"found", finding.found},
          {"advice", finding.advice}};
}

void printDoctor(const std::vector<FoundDevice>& devices, const std::vector<Finding>& findings) {
  if (devices.empty()) {
    fmt::print(
        "No haptic device can be used. Without one: --device right=mouse, or right=sim:sigma7.\n");
  }
  for (const FoundDevice& found : devices) {
    const DeviceCapabilities& device = found.capabilities;
    fmt::print(
        "--device right={}\n  {}, serial number {}, for the {} hand; senses {} freedoms, drives "
        "{}, up to {:.1f} N\n",
        haptics::toText(found.spec), device.model, device.serial.empty() ? "none" : device.serial,
        haptics::nameOf(device.side), device.sensedFreedoms(), device.actuatedFreedoms(),
        device.peakForce);
  }
  fmt::print("\n");
  for (const Finding& finding : findings) {
    fmt::print("{:<8} {:<11} {:<20} {}\n", haptics::nameOf(finding.verdict), finding.area,
               finding.name, finding.found);
    if (!finding.advice.empty()) fmt::print("{:<41} -> {}\n", "", finding.advice);
  }
}

ExitCode runDoctor(const DevicesRequest& request) {
  const haptics::DoctorSettings settings;
  const std::vector<FoundDevice> devices = haptics::findDevices(settings.open);
  const std::vector<Finding> findings = haptics::examineMachine(settings);
  if (!request.asJson) {
    printDoctor(devices, findings);
    return ExitCode::Good;
  }
  Json found = Json::array();
  for (const FoundDevice& device : devices)
    found.push_back(deviceJson(device));
  Json checks = Json::array();
  for (const Finding& finding : findings)
    checks.push_back(checkJson(finding));
  Json profiles = Json::array();
  for (const models::ShippedText& shipped : haptics::shippedProfiles())
    profiles.push_back(shipped.name);
  printJson({{"devices", found}, {"checks", checks}, {"profiles", profiles}});
  return ExitCode::Good;
}

/// What shall be measured, ready to be pushed.
struct Candidate {
  std::unique_ptr<HapticDevice> device;
  DeviceProfile known;  ///< for what is not measured
  bool isSimulated = false;
};

Result<Candidate> openCandidate(const DeviceSpec& spec) {
  Candidate candidate;
  if (spec.kind == DeviceKind::Simulated) {
    Result<DeviceProfile> profile = haptics::findProfile(spec.name);
    if (!profile) return profile.error();
    // Nobody holds a device that is measured.
    candidate.known = profile.value();
    candidate.device = std::make_unique<haptics::SimulatedDevice>(
        profile.value(), haptics::noHand(), haptics::SimulatedSettings{});
    candidate.isSimulated = true;
    return candidate;
  }
  std::vector<haptics::HandSpec> hands;
  hands.push_back({haptics::Hand::Right, spec});
  Result<haptics::OpenedHands> opened = haptics::openHands(hands, {});
  if (!opened) return opened.error();
  haptics::HandDevice& hand = opened.value().hands.front();
  if (hand.device == nullptr || !hand.device->capabilities().actuatesPosition) {
    return models::Error{
        models::Reason::BadValue, -1,
        fmt::format("{} has no motors; there is nothing to measure.", haptics::toText(spec))};
  }
  candidate.device = std::move(hand.device);
  // A device of an unknown name: the smallest one's numbers are for what is not measured.
  candidate.known = hand.profile ? *hand.profile : haptics::findProfile("touch").value();
  return candidate;
}

Result<DeviceSpec> chosenSpec(const DevicesRequest& request) {
  if (request.device) return haptics::parseDeviceSpec(*request.device);
  for (const FoundDevice& found : haptics::findDevices({})) {
    if (found.capabilities.actuatesPosition) return found.spec;
  }
  return models::Error{
      models::Reason::FileMissing, -1,
      "No device with motors is found to be measured; 'tactus devices' tells why, and "
      "'--device sim:sigma7' measures a simulated one."};
}

/// Sleeps until the tick; how late it was is what jitter is about.
std::int64_t awaitTick(std::int64_t startNs, std::uint64_t tick) {
  haptics::sleepUntil(startNs + static_cast<std::int64_t>(tick) * kTickNs);
  return haptics::monotonicNs();
}

haptics::MeasurementSettings pacedFor(const Candidate& candidate) {
  haptics::MeasurementSettings settings;
  const std::int64_t start = haptics::monotonicNs() + kTickNs;
  const bool isSimulated = candidate.isSimulated;
  settings.pace = [start, isSimulated](std::uint64_t tick, bool& stop) {
    stop = Interruption::wasAsked();
    return isSimulated ? static_cast<std::int64_t>(tick) * kTickNs : awaitTick(start, tick);
  };
  return settings;
}

Json measurementJson(const DeviceMeasurement& m) {
  return {{"rate_hz", m.rate},
          {"jitter_us", m.jitter * kMicro},
          {"noise_m", m.noise},
          {"position_step_m", m.positionStep},
          {"latency_s", m.latency},
          {"mass_kg", m.mass},
          {"damping_ns_per_m", m.damping},
          {"friction_n", m.friction},
          {"breakaway_n", m.breakaway},
          {"push_n", m.pushForce},
          {"unexplained", m.unexplained},
          {"ticks", m.ticks},
          {"stale", m.counters.stale},
          {"saturated", m.counters.saturated},
          {"called_too_fast", m.counters.calledTooFast},
          {"oldest_age_ticks", m.counters.oldestAgeTicks}};
}

void printMeasurement(const DeviceMeasurement& m, const std::string& file) {
  fmt::print("rate      {:9.1f} Hz, jitter {:.1f} us\n", m.rate, m.jitter * kMicro);
  fmt::print("position  {:9.4f} mm a step, noise {:.4f} mm\n", m.positionStep * kMilli,
             m.noise * kMilli);
  fmt::print("latency   {:9.3f} ms beyond the hold of a tick\n", m.latency * kMilli);
  fmt::print("mass      {:9.4f} kg\n", m.mass);
  fmt::print("damping   {:9.4f} N s/m\n", m.damping);
  fmt::print("friction  {:9.4f} N\n", m.friction);
  fmt::print("{:.2f} % of the force is not explained by these.\n{} is its profile.\n",
             100.0 * m.unexplained, file);
}

std::vector<std::string> originsOf(const DeviceMeasurement& m, const DeviceCapabilities& device) {
  return {fmt::format("Measured by 'tactus devices --measure' on a {}, serial number {}.",
                      device.model, device.serial.empty() ? "none" : device.serial),
          fmt::format("mass_kg, damping_ns_per_m, friction_n, delay_s, position_step_m, "
                      "position_noise_m and rate_hz: "
                      "measured along x with {:.2f} N; {:.3f} % of the force unexplained.",
                      m.pushForce, 100.0 * m.unexplained),
          "Limits and workspace: as the device's library says.",
          "All other numbers: as in the shipped profile of the nearest model; see there."};
}

Result<Done> writeText(const std::string& file, const std::string& text, bool overwrites) {
  models::WholeFile whole(file, overwrites);
  if (Result<Done> opened = whole.open(); !opened) return opened;
  whole.write(text);
  return whole.finish();
}

ExitCode runMeasure(const DevicesRequest& request) {
  const Result<DeviceSpec> spec = chosenSpec(request);
  if (!spec) {
    complain(spec.error().sentence);
    return request.device ? ExitCode::BadInput : ExitCode::WorkFailed;
  }
  Result<Candidate> opened = openCandidate(spec.value());
  if (!opened) {
    complain(opened.error().sentence);
    const bool isName = opened.error().reason == models::Reason::UnknownName ||
                        opened.error().reason == models::Reason::BadValue;
    return isName ? ExitCode::BadInput : ExitCode::WorkFailed;
  }
  Candidate candidate = std::move(opened).value();
  const DeviceCapabilities device = candidate.device->capabilities();
  const std::string file = request.output.value_or(candidate.known.name + "-measured.toml");
  if (const Result<Done> place = checkOutputPlace(file, {".toml"}, request.overwrites); !place) {
    complain(place.error().sentence);
    return ExitCode::BadInput;
  }
  const Interruption interruption;
  if (!candidate.isSimulated) {
    fmt::print(stderr,
               "The grip of the {} will be pushed to and fro for ten seconds: let go of it, and "
               "keep its way free. Ctrl-C ends it.\n",
               device.model);
  }
  const Result<DeviceMeasurement> measured =
      haptics::measureDevice(*candidate.device, pacedFor(candidate));
  if (!measured) {
    complain(measured.error().sentence);
    return ExitCode::WorkFailed;
  }
  const DeviceProfile profile = haptics::profileOf(measured.value(), device, candidate.known);
  const std::string text = haptics::profileText(profile, originsOf(measured.value(), device));
  if (const Result<Done> written = writeText(file, text, request.overwrites); !written) {
    complain(written.error().sentence);
    return ExitCode::WorkFailed;
  }
  if (request.asJson) {
    Json json = {{"device", haptics::toText(spec.value())},
                 {"model", device.model},
                 {"serial", device.serial},
                 {"file", file}};
    json["measurement"] = measurementJson(measured.value());
    printJson(json);
  } else {
    printMeasurement(measured.value(), file);
  }
  return ExitCode::Good;
}

}  // namespace

ExitCode runDevices(const DevicesRequest& request) {
  return request.measures ? runMeasure(request) : runDoctor(request);
}

}  // namespace tactus::app
