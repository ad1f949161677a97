#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>
#include <vector>

#include "app/commands.hpp"
#include "app/pose_list.hpp"
#include "collision/exact/exact_distance.hpp"
#include "collision/exact/exact_overlap.hpp"

namespace tactus::app {
namespace {

using collision::ExactBody;
using collision::ExactDistance;
using collision::ExactOverlap;
using models::Error;
using models::Reason;
using models::Result;

/// The answer at one pose, with the contract's names.
struct Answer {
  double volume = 0.0, volumeLower = 0.0, volumeUpper = 0.0;  ///< [m^3]
  double distance = 0.0;                                      ///< [m]
  Eigen::Vector3d force = Eigen::Vector3d::Zero();            ///< on B, in A's frame, at k = 1
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();           ///< about B's origin
  int contacts = 0;     ///< 1 with an overlap: the exact method does not divide it into patches
  double medianUs = 0;  ///< time of one query [us]
};

Answer ask(const ExactBody& a, const ExactBody& b, const Eigen::Isometry3d& aFromB) {
  Answer answer;
  // surfaces that do not meet share nothing, to the bit: that is told by the distance
  const ExactDistance apart = collision::exactDistance(a, b, aFromB);
  answer.distance = apart.distance;
  if (apart.distance > 0.0) return answer;
  const ExactOverlap overlap = collision::exactOverlap(a, b, aFromB);
  answer.volume = overlap.volume;
  answer.volumeLower = std::max(0.0, overlap.volume - overlap.volumeError);
  answer.volumeUpper = overlap.volume + overlap.volumeError;
  answer.force = overlap.force;
  answer.torque = overlap.torque;
  answer.contacts = overlap.volume > 0.0 ? 1 : 0;
  return answer;
}

/// Asks the whole list `repeat` times; each pose keeps its median time.
std::vector<Answer> askAll(const ExactBody& a, const ExactBody& b,
                           const std::vector<Eigen::Isometry3d>& poses, std::size_t repeat) {
  std::vector<Answer> answers(poses.size());
  std::vector<std::vector<double>> times(poses.size());
  for (std::size_t round = 0; round < repeat; ++round) {
    for (std::size_t p = 0; p < poses.size(); ++p) {
      const auto start = std::chrono::steady_clock::now();
      answers[p] = ask(a, b, poses[p]);
      const std::chrono::duration<double, std::micro> took =
          std::chrono::steady_clock::now() - start;
      times[p].push_back(took.count());
    }
  }
  for (std::size_t p = 0; p < poses.size(); ++p) {
    const auto middle = times[p].begin() + static_cast<std::ptrdiff_t>(times[p].size() / 2);
    std::nth_element(times[p].begin(), middle, times[p].end());
    answers[p].medianUs = *middle;
  }
  return answers;
}

/// A model whose inside is known; the sentence says what is wrong with another one.
Result<ExactBody> openSolid(const std::string& name) {
  Result<SourcedModel> source = openModel(name);
  if (!source) return source.error();
  ExactBody body(std::move(source.value().mesh), std::move(source.value().remainders));
  switch (body.solidity) {
    case collision::Solidity::Solid:
      return body;
    case collision::Solidity::Open:
      return Error{Reason::BadValue, -1,
                   fmt::format("{}: the surface is not closed, so it has no volume; see 'tactus "
                               "info', or mend it with 'tactus convert --repair'.",
                               name)};
    case collision::Solidity::InsideOut:
      break;
  }
  return Error{Reason::BadValue, -1,
               fmt::format("{}: the surface is turned inside out; mend it with 'tactus convert "
                           "--repair'.",
                           name)};
}

Json describe(const QueryRequest& request, const std::vector<Answer>& answers) {
  Json results = Json::array();
  for (const Answer& answer : answers) {
    results.push_back({{"volume", answer.volume},
                       {"volume_lower", answer.volumeLower},
                       {"volume_upper", answer.volumeUpper},
                       {"distance", answer.distance},
                       {"force", toJson(answer.force)},
                       {"torque", toJson(answer.torque)},
                       {"contacts", answer.contacts},
                       {"us", answer.medianUs}});
  }
  return {{"a", request.a}, {"b", request.b}, {"method", "exact"}, {"results", results}};
}

void printTable(const QueryRequest& request, const std::vector<Answer>& answers) {
  std::string text =
      fmt::format("{} and {}, exact; force and torque on B at k = 1 Pa, torque about B's origin\n",
                  request.a, request.b);
  text += fmt::format("{:>5} {:>16} {:>14} {:>38} {:>38} {:>10}\n", "pose", "volume [m^3]",
                      "distance [m]", "force [N]", "torque [N m]", "time [ms]");
  const auto vector = [](const Eigen::Vector3d& v) {
    return fmt::format("{:>12.5e} {:>12.5e} {:>12.5e}", v.x(), v.y(), v.z());
  };
  for (std::size_t p = 0; p < answers.size(); ++p) {
    const Answer& answer = answers[p];
    text += fmt::format("{:>5} {:>16.9e} {:>14.7e} {} {} {:>10.2f}\n", p + 1, answer.volume,
                        answer.distance, vector(answer.force), vector(answer.torque),
                        answer.medianUs / 1000.0);
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace

ExitCode runExactQuery(const QueryRequest& request) {
  const auto refuse = [](const Error& error) {
    complain(error.sentence);
    return ExitCode::BadInput;
  };
  if (request.law == "depth") {
    complain("'tactus query --method exact --law depth' is not built yet; '--law volume' works.");
    return ExitCode::BadInput;
  }
  std::vector<Eigen::Isometry3d> poses{Eigen::Isometry3d::Identity()};
  if (request.poses) {
    Result<std::vector<Eigen::Isometry3d>> read = readPoses(*request.poses);
    if (!read) return refuse(read.error());
    poses = std::move(read).value();
  }
  const Result<ExactBody> a = openSolid(request.a);
  if (!a) return refuse(a.error());
  const Result<ExactBody> b = openSolid(request.b);
  if (!b) return refuse(b.error());

  const std::vector<Answer> answers = askAll(a.value(), b.value(), poses, request.repeat);
  if (request.asJson) {
    printJson(describe(request, answers));
  } else {
    printTable(request, answers);
  }
  return ExitCode::Good;
}

}  // namespace tactus::app
