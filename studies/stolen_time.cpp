#include "studies/stolen_time.hpp"

#include <sys/resource.h>

#include <fstream>
#include <string>
#include <utility>

namespace tactus::studies {

StolenTime::StolenTime(std::filesystem::path statistics)
    : statistics_(std::move(statistics)), start_(now()) {}

double StolenTime::share() const {
  const Counters end = now();
  if (end.all <= start_.all) return 0.0;
  return static_cast<double>(end.stolen - start_.stolen) /
         static_cast<double>(end.all - start_.all);
}

StolenTime::Counters StolenTime::now() const {
  // First line: cpu user nice system idle iowait irq softirq steal ..., proc(5).
  constexpr int kColumns = 8;
  constexpr int kSteal = 7;
  std::ifstream stat(statistics_);
  std::string name;
  stat >> name;
  Counters counters;
  for (int column = 0; column < kColumns; ++column) {
    std::uint64_t ticks = 0;
    stat >> ticks;
    counters.all += ticks;
    if (column == kSteal) counters.stolen = ticks;
  }
  return counters;
}

long involuntarySwitches() noexcept {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

}  // namespace tactus::studies
