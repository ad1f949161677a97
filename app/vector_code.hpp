#pragma once
#include <string>

namespace tactus::app {

/// Takes the vector code that TACTUS_SIMD names (scalar, sse4, avx2, avx512); the machine's best if
/// it names none. Returns a sentence about what is wrong with it, else an empty string. Results are
/// the same to the bit with each; this is for tests and for measuring.
[[nodiscard]] std::string chooseVectorCode();

}  // namespace tactus::app
