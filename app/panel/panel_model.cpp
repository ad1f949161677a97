#include "app/panel/panel_model.hpp"

#include <algorithm>

namespace tactus::app {
namespace {

double percentile(std::vector<float>& values, double share) {
  if (values.empty()) return 0.0;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return static_cast<double>(values[static_cast<std::size_t>(at)]);
}

void copy(const CurveHistory& from, std::vector<float>& to) {
  to.clear();
  for (std::size_t k = 0; k < from.size(); ++k)
    to.push_back(from[k]);
}

}  // namespace

void Curves::add(const haptics::TracePoint& point) {
  // The first tick has no tick before it.
  if (point.number > 0) {
    computeUs.add(point.computeUs);
    periodUs.add(point.periodUs);
  }
  contactVolume.add(point.contactVolume);
  for (std::size_t k = 0; k < force.size(); ++k) {
    force[k].add(point.force[k]);
    torque[k].add(point.torque[k]);
  }
}

TimingFigures timingOf(const Curves& curves, std::vector<float>& room) {
  TimingFigures figures;
  copy(curves.computeUs, room);
  figures.computeP50 = percentile(room, 0.5);
  figures.computeP99 = percentile(room, 0.99);
  figures.computeP999 = percentile(room, 0.999);
  figures.computeMax = percentile(room, 1.0);
  copy(curves.periodUs, room);
  double sum = 0.0;
  for (const float period : room)
    sum += static_cast<double>(period);
  constexpr double kUsASecond = 1e6;
  if (sum > 0.0) figures.rateHertz = kUsASecond * static_cast<double>(room.size()) / sum;
  figures.periodP99 = percentile(room, 0.99);
  figures.periodMax = percentile(room, 1.0);
  return figures;
}

}  // namespace tactus::app
