#pragma once
#include <functional>
#include <optional>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "app/report_folder.hpp"
#include "models/mesh/result.hpp"
#include "studies/model_benchmark.hpp"

/// What the commands of all benchmarks do around the work itself.
namespace tactus::app {

/// The folder of `--report`, if one is asked for.
[[nodiscard]] models::Result<std::optional<ReportFolder>> openReport(const BenchRequest& request);

/// "[2/7] packing rhino", on standard error.
void tellStep(const studies::BenchmarkStep& step);

/// Of a benchmark that ended well: writes the report, if there is one, then prints JSON or table.
[[nodiscard]] ExitCode handOver(
    bool asJson, const Json& json, const std::optional<ReportFolder>& report,
    const std::function<models::Result<models::Done>(const ReportFolder&)>& write,
    const std::function<void()>& printTable);

}  // namespace tactus::app
