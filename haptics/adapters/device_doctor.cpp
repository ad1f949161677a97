#include "haptics/adapters/device_doctor.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <system_error>

#include "haptics/adapters/chai3d_entries.hpp"
#include "haptics/adapters/dhd_entries.hpp"
#include "haptics/adapters/openhaptics_entries.hpp"
#include "models/files/file_label.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::haptics {
namespace {

namespace fs = std::filesystem;
using models::Done;
using models::Result;
using models::say;

/// Makers by their number on the USB; of those with a product, that one only.
struct KnownUsb {
  std::string_view vendor, product;  ///< as sysfs writes them
  std::string_view name;
};
constexpr std::array kUsb = {
    KnownUsb{"1451", "", "Force Dimension"},
    KnownUsb{"2988", "", "3D Systems"},
    KnownUsb{"0403", "cb48", "Novint Falcon"},
    KnownUsb{"256f", "", "3Dconnexion"},
    KnownUsb{"046d", "c603", "SpaceMouse Plus"},
    KnownUsb{"046d", "c605", "CadMan"},
    KnownUsb{"046d", "c606", "SpaceMouse Classic"},
    KnownUsb{"046d", "c621", "SpaceBall 5000"},
    KnownUsb{"046d", "c623", "SpaceTraveler"},
    KnownUsb{"046d", "c625", "SpacePilot"},
    KnownUsb{"046d", "c626", "SpaceNavigator"},
    KnownUsb{"046d", "c627", "SpaceExplorer"},
    KnownUsb{"046d", "c628", "SpaceNavigator for Notebooks"},
    KnownUsb{"046d", "c629", "SpacePilot Pro"},
    KnownUsb{"046d", "c62b", "SpaceMouse Pro"},
};

constexpr int kWantedPriority = 80;
// The tick's working set with a large scene; estimated.
constexpr rlim_t kWantedLocked = rlim_t{2} << 30U;  // bytes

std::string firstLine(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return models::printable(line, 60);
}

template <typename Entries>
Finding examineLibrary(const char* name, const std::vector<std::string>& names,
                       const char* advice) {
  Finding finding{"library", name, Verdict::Good, {}, {}};
  const Result<SharedLibrary> library = SharedLibrary::open(names);
  if (!library) {
    const bool isAbsent = library.error().reason == models::Reason::FileMissing;
    finding.verdict = isAbsent ? Verdict::Missing : Verdict::Wrong;
    finding.found = isAbsent ? std::string("not installed") : library.error().sentence;
    finding.advice = advice;
    return finding;
  }
  finding.found = library.value().name();
  Entries entries;
  const Result<Done> bound = entries.bind(library.value());
  if (!bound) {
    finding.verdict = Verdict::Wrong;
    finding.found = bound.error().sentence;
    finding.advice = "install a newer version of the vendor's package";
  }
  return finding;
}

/// Ours, and so of no vendor's package.
Finding examineChai3d(const std::vector<std::string>& names) {
  Finding finding = examineLibrary<Chai3dEntries>(
      "CHAI3D", names,
      "for devices that CHAI3D alone drives: build this program with -DTACTUS_CHAI3D=ON, as "
      "docs/devices.md says");
  if (finding.verdict == Verdict::Wrong) {
    finding.advice =
        "install the library that is named, or build the module anew together with this program";
  }
  return finding;
}

/// A library of which nothing is called before it is used.
struct AnyEntries {
  [[nodiscard]] static Result<Done> bind(const SharedLibrary& /*library*/) { return Done{}; }
};

std::vector<std::string> namesOr(const VendorSettings& settings,
                                 const std::vector<std::string>& usual) {
  return settings.libraries.empty() ? usual : settings.libraries;
}

std::string padded(const std::string& number) {
  const std::string digits = number.empty() ? "0" : number;
  return std::string(digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits;
}

/// The device file that a sysfs folder has become, of a class that vendors use.
std::vector<std::string> classNodesOf(const fs::path& folder) {
  std::vector<std::string> nodes;
  std::error_code ignored;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         ignored);
  constexpr int kMostDepth = 6;
  for (const fs::recursive_directory_iterator end; !ignored && entry != end;
       entry.increment(ignored)) {
    if (entry.depth() >= kMostDepth) entry.disable_recursion_pending();
    const std::string name = entry->path().filename().string();
    const bool isNode = (name.starts_with("hidraw") && name != "hidraw") ||
                        (name.starts_with("ttyACM") && name != "ttyACM");
    if (isNode) nodes.push_back(name);
  }
  std::ranges::sort(nodes);
  nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
  return nodes;
}

Finding examineNode(const fs::path& root, const std::string& node, const std::string& device,
                    const std::string& vendor) {
  Finding finding{"node", "/" + node, Verdict::Good, device, {}};
  const fs::path file = root / node;
  if (::access(file.c_str(), F_OK) != 0) {
    finding.verdict = Verdict::Wrong;
    finding.found += ": there is no device file";
    finding.advice = "unplug it and plug it in again; in a container, hand the device file in";
  } else if (::access(file.c_str(), R_OK | W_OK) != 0) {
    finding.verdict = Verdict::Wrong;
    finding.found += ": you may not read and write it";
    finding.advice =
        say("put ATTRS{idVendor}==\"", vendor,
            "\", MODE=\"0666\" into /etc/udev/rules.d/80-haptics.rules, run 'udevadm control "
            "--reload', and plug it in again");
  } else {
    finding.found += ": you may use it";
  }
  return finding;
}

std::vector<Finding> examineBus(const fs::path& root) {
  std::vector<Finding> findings;
  std::vector<fs::path> folders;
  std::error_code ignored;
  fs::directory_iterator entry(root / "sys/bus/usb/devices", ignored);
  for (const fs::directory_iterator end; !ignored && entry != end; entry.increment(ignored))
    folders.push_back(entry->path());
  std::ranges::sort(folders);
  for (const fs::path& folder : folders) {
    const std::string vendor = firstLine(folder / "idVendor");
    const std::string product = firstLine(folder / "idProduct");
    const auto known = std::ranges::find_if(kUsb, [&](const KnownUsb& usb) {
      return usb.vendor == vendor && (usb.product.empty() || usb.product == product);
    });
    if (known == kUsb.end()) continue;
    const std::string called = firstLine(folder / "product");
    const std::string device =
        called.empty() ? std::string(known->name) : say(known->name, ", ", called);
    const std::string bus = padded(firstLine(folder / "busnum"));
    const std::string number = padded(firstLine(folder / "devnum"));
    findings.push_back(examineNode(root, say("dev/bus/usb/", bus, "/", number), device, vendor));
    for (const std::string& node : classNodesOf(folder))
      findings.push_back(examineNode(root, "dev/" + node, device, vendor));
  }
  if (findings.empty()) {
    findings.push_back(
        {"node", "USB", Verdict::Missing, "no haptic device that we know by its number",
         "plug it in and switch it on; a Touch at the network is found by its library alone"});
  }
  return findings;
}

Finding examineSpacenav(const fs::path& root) {
  for (const char* place : {"run/spnav.sock", "var/run/spnav.sock"}) {
    const fs::path socket = root / place;
    if (::access(socket.c_str(), F_OK) != 0) continue;
    if (::access(socket.c_str(), R_OK | W_OK) == 0)
      return {"service", "spacenavd", Verdict::Good, "running", {}};
    return {"service", "spacenavd", Verdict::Wrong, "running, but you may not talk to it",
            "see the permissions of /run/spnav.sock"};
  }
  return {"service", "spacenavd", Verdict::Missing, "not running",
          "for a SpaceMouse: install the package spacenavd, then 'systemctl start spacenavd'"};
}

/// Tries it in a thread that ends at once: limits say what may be asked for, not what is given.
bool canRunAhead() {
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return false;
  sched_param parameters{};
  parameters.sched_priority = kWantedPriority;
  ::pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  ::pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
  ::pthread_attr_setschedparam(&attributes, &parameters);
  pthread_t thread{};
  const bool began =
      ::pthread_create(&thread, &attributes, [](void*) -> void* { return nullptr; }, nullptr) == 0;
  if (began) ::pthread_join(thread, nullptr);
  ::pthread_attr_destroy(&attributes);
  return began;
}

std::vector<Finding> examineScheduling(const fs::path& root) {
  std::vector<Finding> findings;
  const bool ahead = canRunAhead();
  findings.push_back(
      {"scheduling", "SCHED_FIFO", ahead ? Verdict::Good : Verdict::Wrong,
       ahead ? say("a thread may run ahead of others, with priority ", kWantedPriority)
             : std::string("no thread may run ahead of others: forces will stutter under load"),
       ahead ? std::string()
             : std::string(
                   "put '@haptics - rtprio 90' into /etc/security/limits.d/haptics.conf, join the "
                   "group haptics, and log in again")});
  rlimit locked{};
  const bool asked = ::getrlimit(RLIMIT_MEMLOCK, &locked) == 0;
  const bool isEnough = ::geteuid() == 0 || (asked && locked.rlim_cur >= kWantedLocked);
  findings.push_back({"scheduling", "locked memory", isEnough ? Verdict::Good : Verdict::Wrong,
                      isEnough ? std::string("enough")
                               : say("at most ", static_cast<std::uint64_t>(locked.rlim_cur) >> 20U,
                                     " MB: a page that is fetched from the disk costs ticks"),
                      isEnough
                          ? std::string()
                          : std::string("put '@haptics - memlock unlimited' into "
                                        "/etc/security/limits.d/haptics.conf, and log in again")});
  const std::string runtime = firstLine(root / "proc/sys/kernel/sched_rt_runtime_us");
  const bool isUnlimited = runtime == "-1";
  if (!runtime.empty()) {
    findings.push_back({"scheduling",
                        "sched_rt_runtime_us",
                        Verdict::Good,
                        isUnlimited ? std::string("no limit")
                                    : say(runtime,
                                          " us of each second's million: the loop sleeps between "
                                          "ticks, so this does not bind it"),
                        {}});
  }
  return findings;
}

}  // namespace

std::vector<Finding> examineMachine(const DoctorSettings& settings) {
  std::vector<Finding> findings;
  findings.push_back(examineLibrary<OpenHapticsEntries>(
      "OpenHaptics", namesOr(settings.open.openHaptics, openHapticsLibraries()),
      "for a Touch or Phantom: install the maker's OpenHaptics and device driver, then "
      "'ldconfig'"));
  findings.push_back(examineLibrary<DhdEntries>("Force Dimension",
                                                namesOr(settings.open.dhd, dhdLibraries()),
                                                "for omega, sigma, lambda, delta or Falcon: unpack "
                                                "the maker's SDK, and put the folder of its "
                                                "libdhd.so or libdrd.so into LD_LIBRARY_PATH"));
  findings.push_back(examineChai3d(namesOr(settings.open.chai3d, chai3dLibraries())));
  findings.push_back(
      examineLibrary<AnyEntries>("libspnav", namesOr(settings.open.spaceMouse, spacenavLibraries()),
                                 "for a SpaceMouse: install the package libspnav0"));
  for (const std::vector<Finding>& more :
       std::array{examineBus(settings.root), std::vector{examineSpacenav(settings.root)},
                  examineScheduling(settings.root)}) {
    findings.insert(findings.end(), more.begin(), more.end());
  }
  return findings;
}

const char* nameOf(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::Missing:
      return "missing";
    case Verdict::Wrong:
      return "wrong";
    case Verdict::Good:
      break;
  }
  return "good";
}

}  // namespace tactus::haptics
