#pragma once
#include <vector>

namespace tactus::studies {

/// A low pass that delays nothing: a Butterworth filter of second order, run forward and backward,
/// which together make one of fourth order; at the cutoff half of an amplitude is left.
///
/// Source: the bilinear transform of the analogue prototype, as in any textbook; forward and
/// backward after F. Gustafsson, "Determining the initial states in forward-backward filtering",
/// 1996. How ours differs: begins and ends as if the first and the last value had always been
/// there.
[[nodiscard]] std::vector<double> zeroPhaseLowPass(const std::vector<double>& values,
                                                   double cutoffHertz, double sampleSeconds);

}  // namespace tactus::studies
