#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/fuzz/loader_check.hpp"

namespace tactus::models::test {

/// One call of libFuzzer: stops it when a loader is wrong about the bytes.
inline int fuzzLoader(MeshFormat format, const std::uint8_t* data, std::size_t size) {
  const std::string found = complaint(format, std::as_bytes(std::span(data, size)));
  if (!found.empty()) {
    std::fprintf(stderr, "%s\n", found.c_str());
    std::abort();
  }
  return 0;
}

}  // namespace tactus::models::test
