#pragma once
#include <span>

namespace tactus::studies {

/// Root mean square of what a signal holds between two frequencies [Hz], both ends included.
///
/// Method: the line through the signal by least squares is taken off first, for a slow drift over
/// the window would leak into all frequencies; then the discrete Fourier transform without a window
/// function, whose bins are 1 / duration apart, and the sum of the bins in the band (Parseval). Of
/// the bins inside and those outside whichever are fewer are computed, each by the recurrence of G.
/// Goertzel, 1958, in its rotated form. A band that reaches half the rate includes it.
[[nodiscard]] double bandRms(std::span<const double> signal, double rate, double low, double high);

}  // namespace tactus::studies
