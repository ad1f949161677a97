#include <utility>
#include <vector>

#include "app/object_source.hpp"
#include "app/pose_list.hpp"
#include "app/query_answers.hpp"

namespace tactus::app {

using models::Result;

ExitCode runQuery(const QueryRequest& asked) {
  QueryRequest request = asked;
  std::vector<Eigen::Isometry3d> poses{Eigen::Isometry3d::Identity()};
  if (request.poses) {
    Result<std::vector<Eigen::Isometry3d>> read = readPoses(*request.poses);
    if (!read) {
      complain(read.error().sentence);
      return ExitCode::BadInput;
    }
    poses = std::move(read).value();
  }
  const Result<std::vector<QueryAnswer>> answers =
      request.method == "exact" ? askExact(request, poses)
      : request.method == "vps" ? askPoints(request, poses)
                                : askTrees(request, poses);
  if (!answers) {
    complain(answers.error().sentence);
    return exitCodeOf(answers.error());
  }
  printAnswers(request, answers.value());
  return ExitCode::Good;
}

}  // namespace tactus::app
