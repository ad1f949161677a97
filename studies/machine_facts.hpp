#pragma once
#include <string>

namespace tactus::studies {

/// What a timing has to be read with.
struct MachineFacts {
  std::string cpu;       ///< as the system names it; empty if it does not
  unsigned cores = 0;    ///< that may run threads
  std::string isa;       ///< vector code in use: scalar, sse4, avx2, avx512
  std::string compiler;  ///< that compiled this program
  std::string flags;     ///< of its build type
};

[[nodiscard]] MachineFacts machineFacts();

}  // namespace tactus::studies
