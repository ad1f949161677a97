#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tactus::models {

/// The instruction sets for which the kernels of all rooms are compiled, worst first. All give the
/// same bytes (models/lanes/lanes.hpp); they differ in speed only.
enum class VectorTarget : std::uint8_t {
  Scalar,  ///< plain C++, on every machine
  Sse4,    ///< 4 floats at once; SSE 4.2
  Avx2,    ///< 8 floats at once
  Avx512,  ///< 16 floats at once; F, VL, DQ and BW
};

/// Whether this processor and its operating system can run it.
[[nodiscard]] bool targetSupported(VectorTarget target) noexcept;

/// The last one of the list that is supported.
[[nodiscard]] VectorTarget bestTarget() noexcept;

/// All that are supported, Scalar first.
[[nodiscard]] std::vector<VectorTarget> supportedTargets();

/// What kernels run with from now on: the best one until useTarget() chose another.
[[nodiscard]] VectorTarget activeTarget() noexcept;

/// Chooses for the whole process; to be called at its start. A kernel that runs meanwhile on
/// another thread ends with the target it began with. Returns false, and changes nothing, if this
/// machine does not support the target.
[[nodiscard]] bool useTarget(VectorTarget target) noexcept;

/// "scalar", "sse4", "avx2" or "avx512".
[[nodiscard]] std::string_view nameOf(VectorTarget target) noexcept;

/// The other way round, in this spelling only.
[[nodiscard]] std::optional<VectorTarget> targetFromName(std::string_view name) noexcept;

}  // namespace tactus::models
