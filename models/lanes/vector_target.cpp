#include "models/lanes/vector_target.hpp"

#include <hwy/targets.h>

#include <array>
#include <atomic>

namespace tactus::models {
namespace {

constexpr std::array kTargets = {VectorTarget::Scalar, VectorTarget::Sse4, VectorTarget::Avx2,
                                 VectorTarget::Avx512};

/// Asks the processor once. Highway tests every feature that it compiles a target with, and whether
/// the operating system saves the wide registers.
std::int64_t supportedByMachine() noexcept {
  static const std::int64_t targets = hwy::SupportedTargets();
  return targets;
}

/// Whether the kernels are compiled for all targets, and not for Scalar and Avx2 only.
#ifdef TACTUS_FEW_TARGETS
constexpr bool kHasAll = false;
#else
constexpr bool kHasAll = true;
#endif

std::atomic<VectorTarget>& active() noexcept {
  static std::atomic<VectorTarget> target{bestTarget()};
  return target;
}

}  // namespace

bool targetSupported(VectorTarget target) noexcept {
  switch (target) {
    case VectorTarget::Scalar:
      return true;
    case VectorTarget::Sse4:
      return kHasAll && (supportedByMachine() & HWY_SSE4) != 0;
    case VectorTarget::Avx2:
      return (supportedByMachine() & HWY_AVX2) != 0;
    case VectorTarget::Avx512:
      return kHasAll && (supportedByMachine() & HWY_AVX3) != 0;
  }
  return false;
}

VectorTarget bestTarget() noexcept {
  VectorTarget best = VectorTarget::Scalar;
  for (const VectorTarget target : kTargets) {
    if (targetSupported(target)) best = target;
  }
  return best;
}

std::vector<VectorTarget> supportedTargets() {
  std::vector<VectorTarget> supported;
  for (const VectorTarget target : kTargets) {
    if (targetSupported(target)) supported.push_back(target);
  }
  return supported;
}

VectorTarget activeTarget() noexcept {
  return active().load(std::memory_order_relaxed);
}

bool useTarget(VectorTarget target) noexcept {
  if (!targetSupported(target)) return false;
  active().store(target, std::memory_order_relaxed);
  return true;
}

std::string_view nameOf(VectorTarget target) noexcept {
  switch (target) {
    case VectorTarget::Scalar:
      return "scalar";
    case VectorTarget::Sse4:
      return "sse4";
    case VectorTarget::Avx2:
      return "avx2";
    case VectorTarget::Avx512:
      return "avx512";
  }
  return "unknown";
}

std::optional<VectorTarget> targetFromName(std::string_view name) noexcept {
  for (const VectorTarget target : kTargets) {
    if (name == nameOf(target)) return target;
  }
  return std::nullopt;
}

}  // namespace tactus::models
