#include "response/coupling/contact_ratio.hpp"

#include <algorithm>

namespace tactus::response {

double ContactRatio::tick(double ratio, const Band& band, double dt) noexcept {
  // a tick's first graze of a soft corner says nothing of the contact to come
  constexpr double kGraze = 0.1;
  if (!(ratio > kGraze)) return factor_;
  const double most = std::clamp(band.ratePerSecond * dt, 0.0, 0.5);
  const double wanted = std::clamp(ratio, band.low, band.high) / ratio;
  factor_ = std::clamp(factor_ * std::clamp(wanted, 1.0 - most, 1.0 + most), band.leastFactor,
                       band.mostFactor);
  return factor_;
}

}  // namespace tactus::response
