#include "app/machine_json.hpp"

#include <fmt/format.h>

#include "studies/machine_facts.hpp"
#include "studies/stolen_time.hpp"

namespace tactus::app {

Json machineJson(double stolenShare) {
  const studies::MachineFacts facts = studies::machineFacts();
  return {{"cpu", facts.cpu},           {"cores", facts.cores}, {"isa", facts.isa},
          {"compiler", facts.compiler}, {"flags", facts.flags}, {"steal", stolenShare}};
}

std::string machineText(double stolenShare) {
  const studies::MachineFacts facts = studies::machineFacts();
  return fmt::format(
      "{}, {} cores, {}; {}, {}\nstolen processor time {:.2f} %{}\n", facts.cpu, facts.cores,
      facts.isa, facts.compiler, facts.flags, 100.0 * stolenShare,
      stolenShare > studies::kMostStolen ? ": these times do not count, run it again" : "");
}

}  // namespace tactus::app
