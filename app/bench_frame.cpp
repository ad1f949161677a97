#include "app/bench_frame.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <utility>

#include "app/object_source.hpp"

namespace tactus::app {

using models::Done;
using models::Result;

Result<std::optional<ReportFolder>> openReport(const BenchRequest& request) {
  if (!request.report) return std::optional<ReportFolder>();
  Result<ReportFolder> opened = ReportFolder::open(*request.report, request.overwrites);
  if (!opened) return opened.error();
  return std::optional<ReportFolder>(std::move(opened).value());
}

void tellStep(const studies::BenchmarkStep& step) {
  fmt::print(stderr, "[{}/{}] {} {}\n", step.number, step.count, step.step, step.model);
}

ExitCode handOver(bool asJson, const Json& json, const std::optional<ReportFolder>& report,
                  const std::function<Result<Done>(const ReportFolder&)>& write,
                  const std::function<void()>& printTable) {
  if (report) {
    if (const Result<Done> written = write(*report); !written) {
      complain(written.error().sentence);
      return exitCodeOf(written.error());
    }
  }
  if (asJson) {
    printJson(json);
  } else {
    printTable();
  }
  return ExitCode::Good;
}

}  // namespace tactus::app
