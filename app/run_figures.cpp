#include "app/run_figures.hpp"

#include <fmt/format.h>

#include "app/machine_json.hpp"

namespace tactus::app {
namespace {

using haptics::TickTimes;

constexpr double kNsPerUs = 1e3;

/// Of nothing: 0.
double meanOf(double sum, std::uint64_t count) {
  return count == 0 ? 0.0 : sum / static_cast<double>(count);
}

Json percentiles(const TickTimes& times) {
  const auto us = [&](double share) {
    return static_cast<double>(times.percentile(share)) / kNsPerUs;
  };
  return {{"p50", us(0.5)},
          {"p99", us(0.99)},
          {"p999", us(0.999)},
          {"max", static_cast<double>(times.longest()) / kNsPerUs}};
}

Json servoJson(const haptics::ServoTimes& times, const std::string& policy) {
  const double span = static_cast<double>(times.endedNs - times.beganNs) * 1e-9;
  const double rate =
      times.ticks > 1 && span > 0.0 ? static_cast<double>(times.ticks - 1) / span : 0.0;
  return {{"ticks", times.ticks},
          {"rate_hz", rate},
          {"late", times.late},
          {"skipped", times.skipped},
          {"compute_us", percentiles(times.compute)},
          {"period_us", percentiles(times.period)},
          {"policy", policy}};
}

Json contactsJson(const haptics::ContactTotals& totals) {
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return meanOf(static_cast<double>(part), whole);
  };
  const auto mean = [&](std::uint64_t sum) { return share(sum, totals.ticks); };
  return {{"pairs_mean", mean(totals.touching)},
          {"pairs_max", totals.mostTouching},
          {"asleep_mean", mean(totals.asleep)},
          {"cut_share", share(totals.cut, totals.asked)},
          // a contact is computed in the tick that uses it or in the one before
          {"age_ticks",
           {{"p99", 100 * totals.carried > totals.touching ? 1 : 0},
            {"max", totals.carried > 0 ? 1 : 0}}},
          {"carried_share", share(totals.carried, totals.touching)},
          {"dropped", totals.dropped}};
}

Json handsJson(const OpenedSession& session, const haptics::HapticTick& tick,
               const haptics::HapticLoop& loop) {
  Json list = Json::array();
  for (std::size_t k = 0; k < session.hands.size(); ++k) {
    const haptics::HandResult& last = tick.result(k);
    const haptics::HandTotals& totals = loop.totals(k);
    const haptics::DeviceCounters counters = session.devices[k].device->counters();
    list.push_back(
        {{"hand", haptics::nameOf(session.hands[k].hand)},
         {"spec", session.hands[k].spec},
         {"model", session.hands[k].capabilities.model},
         {"profile", session.hands[k].profile.name},
         {"stage", haptics::nameOf(last.stage)},
         {"phase", response::nameOf(last.response.safe.phase)},
         {"reason", response::nameOf(last.response.safe.reason)},
         {"force_n",
          {{"max", totals.mostForce}, {"mean_touching", meanOf(totals.sumForce, totals.touching)}}},
         {"torque_max_nm", totals.mostTorque},
         {"touching_share", meanOf(static_cast<double>(totals.touching), loop.totals().ticks)},
         {"energy_given_j", tick.response(k).ledger().givenToHand},
         {"held_back_ticks", tick.response(k).passivity().heldBack},
         {"damped_ticks", tick.response(k).passivity().damped},
         {"stale", counters.stale},
         {"saturated", counters.saturated},
         {"losses", counters.losses}});
  }
  return list;
}

}  // namespace

Json runJson(const RunFigures& run) {
  const OpenedSession& session = *run.session;
  return {{"scene", session.loaded.scene.name},
          {"bodies", session.loaded.scene.bodies.size()},
          {"triangles", session.loaded.triangles},
          {"servo", servoJson(run.loop->times(), run.policy)},
          {"contacts", contactsJson(run.loop->totals())},
          {"recorder", {{"records", run.records}, {"dropped", run.droppedRecords}}},
          {"hands", handsJson(session, *run.tick, *run.loop)},
          {"machine", machineJson(run.stolenShare)}};
}

void printRun(const Json& json) {
  const Json& servo = json["servo"];
  const Json& contacts = json["contacts"];
  fmt::print("{} ticks at {:.1f} Hz; {} late, {} skipped; {}\n",
             servo["ticks"].get<std::uint64_t>(), servo["rate_hz"].get<double>(),
             servo["late"].get<std::uint64_t>(), servo["skipped"].get<std::uint64_t>(),
             servo["policy"].get<std::string>());
  const auto line = [](const char* name, const Json& of) {
    fmt::print("{:<8} median {:8.1f} us, p99 {:8.1f}, p99.9 {:8.1f}, longest {:8.1f}\n", name,
               of["p50"].get<double>(), of["p99"].get<double>(), of["p999"].get<double>(),
               of["max"].get<double>());
  };
  line("compute", servo["compute_us"]);
  line("period", servo["period_us"]);
  fmt::print(
      "{:.1f} pairs of bodies in contact (massless tools aside), at most {}; {:.1f} bodies asleep; "
      "{:.2f} % of the queries "
      "cut\n",
      contacts["pairs_mean"].get<double>(), contacts["pairs_max"].get<std::uint64_t>(),
      contacts["asleep_mean"].get<double>(), 100.0 * contacts["cut_share"].get<double>());
  for (const Json& hand : json["hands"]) {
    const std::string reason = hand["reason"].get<std::string>();
    fmt::print("{:<7} {} ({}): {}{}{}\n", hand["hand"].get<std::string>(),
               hand["spec"].get<std::string>(), hand["model"].get<std::string>(),
               hand["phase"].get<std::string>(), reason.empty() ? "" : ", ", reason);
    fmt::print(
        "        {:.2f} N at most, {:.2f} N on average while it touched, {:.0f} % of the time; "
        "torque {:.3f} N m at most\n",
        hand["force_n"]["max"].get<double>(), hand["force_n"]["mean_touching"].get<double>(),
        100.0 * hand["touching_share"].get<double>(), hand["torque_max_nm"].get<double>());
  }
  const Json& recorder = json["recorder"];
  if (!recorder.is_null()) {
    fmt::print("{} records written, {} dropped\n", recorder["records"].get<std::uint64_t>(),
               recorder["dropped"].get<std::uint64_t>());
  }
}

}  // namespace tactus::app
