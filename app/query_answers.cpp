#include "app/query_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>

namespace tactus::app {
namespace {

Json describe(const QueryRequest& request, const std::vector<QueryAnswer>& answers) {
  Json results = Json::array();
  for (const QueryAnswer& answer : answers) {
    results.push_back({{"volume", answer.volume},
                       {"volume_lower", answer.volumeLower},
                       {"volume_upper", answer.volumeUpper},
                       {"centroid", answer.centroid ? toJson(*answer.centroid) : Json(nullptr)},
                       {"distance", answer.distance},
                       {"energy", answer.energy},
                       {"force", toJson(answer.force)},
                       {"torque", toJson(answer.torque)},
                       {"contacts", answer.contacts},
                       {"cut", answer.isCut},
                       {"status", answer.lacksPairs ? "queue_was_full" : "complete"},
                       {"us", answer.medianUs}});
    // warnings, beside the keys that are always there
    if (answer.countsTwice) results.back()["counts_twice"] = true;
    if (answer.hasThinWalls) results.back()["thin_walls"] = true;
    if (answer.isRough) results.back()["rough"] = true;
    if (request.isSwept) {
      results.back()["free_way"] = answer.freeWay ? Json(*answer.freeWay) : Json(nullptr);
    }
  }
  Json json = {{"a", request.a},
               {"b", request.b},
               {"method", request.method},
               {"law", request.law},
               {"results", results}};
  if (request.budget) json["budget"] = *request.budget;
  if (request.method == "vps") json["points_of"] = request.pointsOf;
  return json;
}

void printTable(const QueryRequest& request, const std::vector<QueryAnswer>& answers) {
  std::string text = fmt::format(
      "{} and {}, {}; force and torque on B at {}, torque about B's origin\n", request.a, request.b,
      request.method, request.law == "depth" ? "K = 1 N/m^3" : "k = 1 Pa");
  if (request.budget) text += fmt::format("at most {} tests a query\n", *request.budget);
  text += fmt::format("{:>5} {:>16} {:>14} {:>38} {:>38} {:>10}\n", "pose", "volume [m^3]",
                      "distance [m]", "force [N]", "torque [N m]", "time [us]");
  const auto vector = [](const Eigen::Vector3d& v) {
    return fmt::format("{:>12.5e} {:>12.5e} {:>12.5e}", v.x(), v.y(), v.z());
  };
  bool hasVolumes = true;
  for (std::size_t p = 0; p < answers.size(); ++p) {
    const QueryAnswer& answer = answers[p];
    const bool hasVolume = !std::isnan(answer.volume);
    hasVolumes = hasVolumes && hasVolume;
    text +=
        fmt::format("{:>5} {:>16} {:>14.7e} {} {} {:>10.1f}\n", p + 1,
                    hasVolume ? fmt::format("{:.9e}", answer.volume) : std::string("-"),
                    answer.distance, vector(answer.force), vector(answer.torque), answer.medianUs);
    if (answer.freeWay && *answer.freeWay < 1.0)
      text += fmt::format("      touches after {:.6g} of the way to here\n", *answer.freeWay);
  }
  if (!hasVolumes) text += fmt::format("{} finds no volume; ist and exact do.\n", request.method);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace

void printAnswers(const QueryRequest& request, const std::vector<QueryAnswer>& answers) {
  const auto lacking = static_cast<std::size_t>(
      std::ranges::count_if(answers, [](const QueryAnswer& answer) { return answer.lacksPairs; }));
  if (lacking != 0) {
    complain(
        fmt::format("At {} of {} poses there were more pairs of spheres than a query has room "
                    "for, so overlap and wrench are not whole; fewer spheres fit.",
                    lacking, answers.size()));
  }
  const auto rough = static_cast<std::size_t>(
      std::ranges::count_if(answers, [](const QueryAnswer& answer) { return answer.isRough; }));
  if (rough != 0) {
    complain(
        fmt::format("At {} of {} poses the depth was not integrated over the whole overlap, which "
                    "is too thin and slanting, so energy and wrench are not exact there; turn the "
                    "meshes so that thin walls lie along A's axes.",
                    rough, answers.size()));
  }
  if (request.asJson) {
    printJson(describe(request, answers));
  } else {
    printTable(request, answers);
  }
}

}  // namespace tactus::app
