#pragma once
#include <cstdint>
#include <filesystem>

namespace tactus::studies {

/// Processor time that the host of a virtual machine gave to others, since it was constructed.
///
/// A timing during which more than kMostStolen was taken says nothing about our code.
class StolenTime {
 public:
  /// `statistics` is what proc(5) calls /proc/stat.
  explicit StolenTime(std::filesystem::path statistics = "/proc/stat");
  /// Share of all processor time since construction; 0 on a machine of its own.
  [[nodiscard]] double share() const;

 private:
  struct Counters {
    std::uint64_t stolen = 0;
    std::uint64_t all = 0;
  };
  [[nodiscard]] Counters now() const;
  std::filesystem::path statistics_;
  Counters start_;
};

constexpr double kMostStolen = 0.001;
/// So often a timing is taken, until little enough was stolen.
constexpr int kMostAttempts = 3;

/// How often the system has given the processor of the calling thread to another one: a time during
/// which that happened is the other one's, too.
[[nodiscard]] long involuntarySwitches() noexcept;

}  // namespace tactus::studies
