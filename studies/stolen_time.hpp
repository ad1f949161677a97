#pragma once
#include <cstdint>

namespace tactus::studies {

/// Processor time that the host of a virtual machine gave to others, since it was constructed.
///
/// A timing during which more than kMostStolen was taken says nothing about our code.
class StolenTime {
 public:
  StolenTime();
  /// Share of all processor time since construction; 0 on a machine of its own.
  [[nodiscard]] double share() const;

 private:
  struct Counters {
    std::uint64_t stolen = 0;
    std::uint64_t all = 0;
  };
  [[nodiscard]] static Counters now();
  Counters start_;
};

constexpr double kMostStolen = 0.001;

}  // namespace tactus::studies
