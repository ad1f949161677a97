#pragma once
#include <Eigen/Core>
#include <nlohmann/json.hpp>
#include <string>

namespace tactus::app {

/// What the process returns; the contract's three numbers.
enum class ExitCode : int { Good = 0, WorkFailed = 1, BadInput = 2 };

/// Keys keep the order in which they are written: the reader of a report wants the verdict first.
using Json = nlohmann::ordered_json;

/// The one JSON value of a `--json` run, on standard output. A name that is not UTF-8 is shown with
/// replacement characters; numbers are printed so that they read back to the bit.
void printJson(const Json& value);
/// The same as text.
[[nodiscard]] std::string jsonText(const Json& value);

/// One sentence on standard error, as `tactus: ...`.
void complain(const std::string& sentence);

/// Three numbers as an array.
[[nodiscard]] Json toJson(const Eigen::Vector3d& vector);

/// Bytes of the standard output could be written; a full disk or a closed pipe is not a success.
[[nodiscard]] bool standardOutputIsGood();

}  // namespace tactus::app
