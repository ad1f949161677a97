#include "tests/fuzz/fuzz_loader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tactus::models::test::fuzzLoader(tactus::models::MeshFormat::Off, data, size);
}
