#pragma once
#include <cstddef>

namespace tactus::studies {

/// Most memory that this process has had in RAM since it started, or since resetPeakMemory [bytes].
/// File pages that are mapped count. 0 if the system does not tell.
///
/// Why not getrusage: its peak survives exec, so a small program started by a large one would seem
/// to need nothing more.
[[nodiscard]] std::size_t peakMemory();

/// Hands memory that was freed back to the system, and starts peakMemory anew from what is in use.
void resetPeakMemory();

}  // namespace tactus::studies
