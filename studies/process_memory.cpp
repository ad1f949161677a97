#include "studies/process_memory.hpp"

#include <malloc.h>

#include <fstream>
#include <string>

namespace tactus::studies {

std::size_t peakMemory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    std::size_t kibibytes = 0;
    status >> kibibytes;
    return kibibytes * 1024;
  }
  return 0;
}

void resetPeakMemory() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";  // 5: reset the peak, proc(5)
}

}  // namespace tactus::studies
