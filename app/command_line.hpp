#pragma once
#include "app/output.hpp"

namespace tactus::app {

/// Reads the command line, runs what it asks for, and returns what the process should return.
///
/// Every mistake of the user ends in one sentence on standard error and ExitCode::BadInput; a name
/// that is not known is answered with the nearest one that is.
[[nodiscard]] ExitCode runCommandLine(int argc, char** argv);

}  // namespace tactus::app
