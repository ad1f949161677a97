#pragma once
#include <string>

#include "app/output.hpp"

namespace tactus::app {

/// What every benchmark says of the machine: cpu, cores, isa, compiler, flags, steal (the share of
/// processor time that went to other guests of the host).
[[nodiscard]] Json machineJson(double stolenShare);

/// The same in two lines, with a word about times that do not count.
[[nodiscard]] std::string machineText(double stolenShare);

}  // namespace tactus::app
