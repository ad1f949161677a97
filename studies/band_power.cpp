#include "studies/band_power.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "models/lanes/elementary.hpp"

namespace tactus::studies {
namespace {

constexpr double kTwoPi = 6.28318530717958647693;

std::vector<double> withoutLine(std::span<const double> signal) {
  const auto count = static_cast<double>(signal.size());
  const double middle = 0.5 * (count - 1.0);
  double sum = 0.0;
  double moment = 0.0;
  for (std::size_t i = 0; i < signal.size(); ++i) {
    sum += signal[i];
    moment += (static_cast<double>(i) - middle) * signal[i];
  }
  const double spread = count * (count * count - 1.0) / 12.0;
  const double slope = spread > 0.0 ? moment / spread : 0.0;
  std::vector<double> rest(signal.begin(), signal.end());
  for (std::size_t i = 0; i < rest.size(); ++i)
    rest[i] -= sum / count + slope * (static_cast<double>(i) - middle);
  return rest;
}

/// Mean square of the signal's part at `bin` turns over its length.
double powerAt(const std::vector<double>& signal, std::size_t bin) {
  const auto count = static_cast<double>(signal.size());
  const models::elementary::SinCos step =
      models::elementary::sinCos(kTwoPi * static_cast<double>(bin) / count);
  double c = 1.0;
  double s = 0.0;
  double real = 0.0;
  double imaginary = 0.0;
  for (const double value : signal) {
    real += value * c;
    imaginary += value * s;
    const double next = c * step.cos - s * step.sin;
    s = s * step.cos + c * step.sin;
    c = next;
  }
  // both signs of the frequency, which are one at zero and at half the rate
  const double sides = bin == 0 || 2 * bin == signal.size() ? 1.0 : 2.0;
  return sides * (real * real + imaginary * imaginary) / (count * count);
}

}  // namespace

double bandRms(std::span<const double> signal, double rate, double low, double high) {
  if (signal.size() < 2) return 0.0;
  const std::vector<double> rest = withoutLine(signal);
  const double perBin = rate / static_cast<double>(signal.size());
  const std::size_t most = signal.size() / 2;
  std::vector<std::size_t> inside;
  std::vector<std::size_t> outside;
  // an edge of the band that is a bin must not be lost by rounding
  constexpr double kSlack = 1e-9;
  for (std::size_t bin = 0; bin <= most; ++bin) {
    const double frequency = perBin * static_cast<double>(bin);
    const bool isInside = frequency >= low * (1.0 - kSlack) && frequency <= high * (1.0 + kSlack);
    (isInside ? inside : outside).push_back(bin);
  }
  const bool countsOutside = outside.size() < inside.size();
  double power = 0.0;
  for (const std::size_t bin : countsOutside ? outside : inside)
    power += powerAt(rest, bin);
  if (countsOutside) {
    double whole = 0.0;
    for (const double value : rest)
      whole += value * value;
    power = whole / static_cast<double>(rest.size()) - power;
  }
  return std::sqrt(std::max(0.0, power));
}

}  // namespace tactus::studies
