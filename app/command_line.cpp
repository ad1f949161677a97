#include "app/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/bench_growth_command.hpp"
#include "app/commands.hpp"
#include "app/scene_window.hpp"
#include "app/study_command_line.hpp"
#include "app/vector_code.hpp"
#include "haptics/profiles/device_profile.hpp"
#include "models/builtin.hpp"
#include "models/files/file_label.hpp"
#include "models/mesh/nearest_name.hpp"
#include "models/scene/scene.hpp"
#include "render/window.hpp"

namespace tactus::app {
namespace {

using models::nearestName;

/// A way to ask, and what it needs that is not there; empty: nothing.
struct QueryMethod {
  std::string_view name;
  std::string_view needs;
};

constexpr std::array kQueryMethods = {
    QueryMethod{"ist", ""},
    QueryMethod{"vps", ""},
    QueryMethod{"exact", ""},
};

std::string footer() {
  std::string text = fmt::format(
      "\nA MODEL is a mesh file (OBJ, STL, PLY, OFF, glTF, GLB), a .tactus cache that 'tactus "
      "build'\n"
      "has written, or builtin:NAME[@TRIANGLES] with {} to {} triangles, {} if not said,\n"
      "which is met within 3 %:\n",
      models::kFewestTriangles, models::kMostTriangles, models::kDefaultTriangles);
  for (const models::Builtin& builtin : models::builtins()) {
    text += fmt::format("  {:<17} {}\n", builtin.name, builtin.description);
  }
  text += "\nTACTUS_SIMD=scalar|sse4|avx2|avx512 in the environment chooses the vector code.\n";
  text += "Exit codes: 0 good, 1 the work failed, 2 the command line or an input file is wrong.\n";
  return text;
}

std::string fullNameOf(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? "tactus" : fullNameOf(*parent) + " " + command.get_name();
}

/// How sentences name a command: each begins with "tactus: " already.
std::string placeNameOf(const CLI::App& command) {
  constexpr std::string_view kProgram = "tactus ";
  const std::string name = fullNameOf(command);
  return name.starts_with(kProgram) ? name.substr(kProgram.size()) + ": " : std::string();
}

std::vector<std::string> optionsOf(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
    for (const std::string& name : option->get_snames())
      names.push_back("-" + name);
  }
  return names;
}

std::vector<std::string> commandsOf(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(sub->get_name());
  }
  return names;
}

std::string aboutUnknown(const CLI::App& command, const std::string& word) {
  const bool isOption = word.size() > 1 && word.front() == '-';
  const std::vector<std::string> known = isOption ? optionsOf(command) : commandsOf(command);
  const std::string where = fullNameOf(command);
  if (known.empty()) {
    return fmt::format("'{}' is one word too many for '{}'; see '{} --help'.", word, where, where);
  }
  std::string nearest;
  if (isOption) {
    nearest = nearestName(word.substr(0, word.find('=')), known);
  } else {
    // `tactus help` is what other programs call it.
    std::vector<std::string> words = known;
    words.emplace_back("help");
    if (command.get_parent() == nullptr) words.emplace_back("version");
    nearest = nearestName(word, words);
    if (nearest == "help" || (nearest == "version")) nearest.insert(0, "--");
  }
  const std::string advice = nearest.empty() ? fmt::format("see '{} --help'.", where)
                                             : fmt::format("did you mean '{}'?", nearest);
  return fmt::format("'{}' is not {} of '{}'; {}", word, isOption ? "an option" : "a command",
                     where, advice);
}

/// The command that the words led to, for naming the place of a mistake.
const CLI::App& innermost(const CLI::App& command) {
  const std::vector<const CLI::App*> chosen =
      command.get_subcommands([](const CLI::App* sub) { return sub->count() > 0; });
  return chosen.empty() ? command : innermost(*chosen.front());
}

std::string aboutMistake(const CLI::App& tactus, const CLI::ParseError& mistake) {
  const CLI::App& place = innermost(tactus);
  const std::vector<std::string> extras = tactus.remaining(true);
  if (!extras.empty()) {
    const auto option = std::ranges::find_if(
        extras, [](const std::string& word) { return word.size() > 1 && word.front() == '-'; });
    return aboutUnknown(place, option == extras.end() ? extras.front() : *option);
  }
  std::string what = mistake.what();
  std::ranges::replace(what, '\n', ' ');
  if (what.ends_with('?')) return placeNameOf(place) + what;  // it names what was meant
  return fmt::format("{}{}; see '{} --help'.", placeNameOf(place), what, fullNameOf(place));
}

std::string aboutUnbuilt(std::string_view command, std::string_view needs) {
  return fmt::format(
      "'{}' is not built yet, because it needs {}; 'tactus --help' lists what works.", command,
      needs);
}

/// What is said with a query, besides its method.
struct QueryOptions {
  bool hasBudget = false, isSwept = false, hasSpheres = false, hasPointsOf = false;
};

/// The sentence about a query whose method, or an option of it, has no code behind it.
std::string aboutQuery(const std::string& method, const QueryOptions& with) {
  for (const QueryMethod& known : kQueryMethods) {
    if (known.name != method || known.needs.empty()) continue;
    return aboutUnbuilt(fmt::format("tactus query --method {}", method), known.needs);
  }
  if (with.hasBudget && method == "exact")
    return "A budget is for '--method ist' and '--method vps'; --method exact has none.";
  if (with.hasSpheres && method == "exact") {
    return "--spheres are for '--method ist' and '--method vps'; --method exact asks the "
           "triangles.";
  }
  if (with.hasPointsOf && method != "vps") return "Only '--method vps' has points to choose.";
  if (with.isSwept && method != "vps")
    return "Only '--method vps' looks at the ways between poses.";
  return {};
}

/// "'X' is neither A nor B", with the one that was meant if it can be told.
std::string checkOneOfTwo(const std::string& text, const std::string& one,
                          const std::string& other) {
  if (text == one || text == other) return {};
  const std::string nearest = nearestName(text, {one, other});
  return fmt::format("'{}' is neither {} nor {}{}", text, one, other,
                     nearest.empty() ? "" : fmt::format(", did you mean '{}'?", nearest));
}

std::string checkPacking(const std::string& text) {
  return checkOneOfTwo(text, "protosphere", "voxel");
}

std::string checkMethod(const std::string& text) {
  std::vector<std::string> names;
  for (const QueryMethod& known : kQueryMethods) {
    if (known.name == text) return {};
    names.emplace_back(known.name);
  }
  const std::string nearest = nearestName(text, names);
  return fmt::format("'{}' is none of ist, vps and exact{}", text,
                     nearest.empty() ? "" : fmt::format(", did you mean '{}'?", nearest));
}

std::string checkPointsOf(const std::string& text) {
  return checkOneOfTwo(text, "a", "b");
}

std::string checkLaw(const std::string& text) {
  return checkOneOfTwo(text, "volume", "depth");
}

/// A whole number from `least` to `most`.
CLI::Validator wholeNumber(std::size_t least, std::size_t most) {
  const auto check = [least, most](const std::string& text) -> std::string {
    std::size_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isWhole = code == std::errc() && end == text.data() + text.size();
    if (isWhole && value >= least && value <= most) return {};
    return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
  };
  return {check, ""};
}

// Of a quarter of a second after a change the ticks do not count.
constexpr double kLeastBlink = 0.5;  // [s]

// More repetitions than that never end.
constexpr std::size_t kMostRepeats = 1'000'000;

// As good as no budget.
constexpr std::size_t kMostPairTests = 1'000'000'000;

// Ten million spheres or points take some gigabytes and minutes; more is a slip of the finger.
constexpr std::size_t kMostSpheres = 10'000'000;

std::string checkPositive(const std::string& text) {
  double value = 0.0;
  const bool isNumber = CLI::detail::lexical_cast(text, value);
  if (isNumber && std::isfinite(value) && value > 0.0) return {};
  return fmt::format("'{}' is not a number greater than 0", text);
}

std::string checkFinite(const std::string& text) {
  double value = 0.0;
  if (CLI::detail::lexical_cast(text, value) && std::isfinite(value)) return {};
  return fmt::format("'{}' is not a number", text);
}

std::string checkPictureSize(const std::string& text) {
  if (parsePictureSize(text)) return {};
  return fmt::format("'{}' is not a size between 16x16 and 8192x8192, such as 1280x800", text);
}

std::string checkRunMethod(const std::string& text) {
  const std::vector<std::string> methods = {"ist", "vps"};
  if (std::ranges::find(methods, text) != methods.end()) return {};
  const std::string nearest = nearestName(text, methods);
  if (nearest.empty()) return fmt::format("'{}' is not a method; there are 'ist' and 'vps'", text);
  return fmt::format("'{}' is not a method; did you mean '{}'?", text, nearest);
}

std::string checkQuality(const std::string& text) {
  if (render::qualityNamed(text)) return {};
  return fmt::format("'{}' is none of draft, coarse, plain, fast, fair, good and full", text);
}

void addSizeOptions(CLI::App& command, SizeOptions& size) {
  const CLI::Validator positive(checkPositive, "");
  CLI::Option* scale = command.add_option("--scale", size.scale, "multiply all coordinates by X");
  scale->check(positive)->type_name("X");
  command.add_option("--fit", size.fit, "make the box diagonal this long [m], and centre it")
      ->check(positive)
      ->type_name("DIAGONAL")
      ->excludes(scale);
}

/// `window`: the option without which there is none; may be null.
void addWindowOptions(CLI::App& command, ViewOptions& view, CLI::Option* window) {
  CLI::Option* size = command.add_option_function<std::string>(
      "--size", [&view](const std::string& text) { view.size = *parsePictureSize(text); },
      "of the window or picture, 1280x800 if not said");
  size->check(CLI::Validator(checkPictureSize, ""))->type_name("WxH");
  CLI::Option* seconds =
      command.add_option("--seconds", view.seconds, "close the window after S seconds");
  seconds->check(CLI::Validator(checkPositive, ""))->type_name("S");
  if (window == nullptr) return;
  size->needs(window);
  seconds->needs(window);
}

void addViewOptions(CLI::App& command, ViewOptions& view) {
  command.add_option("--screenshot", view.screenshot, "write a PNG picture and open no window")
      ->type_name("FILE.png");
  addWindowOptions(command, view, nullptr);
  command.add_flag("--edges", view.showsEdges, "draw the edges of the triangles");
  command.add_flag("--force", view.overwrites, "overwrite the picture");
}

/// What --device takes, the same for `run` and `devices`.
std::string aboutSpecs() {
  std::string profiles;
  for (const models::ShippedText& shipped : haptics::shippedProfiles()) {
    if (!profiles.empty()) profiles += ' ';
    profiles += shipped.name;
  }
  return fmt::format(
      "\nA SPEC says which device:\n"
      "  openhaptics[:NAME]        as configured in the vendor's control panel\n"
      "  dhd[:SERIAL]              of Force Dimension, and the Falcon\n"
      "  chai3d[:INDEX]            through CHAI3D, where it was built in\n"
      "  spacemouse                through the spacenav daemon; no forces\n"
      "  mouse                     mouse and keyboard of the window; no forces\n"
      "  sim:PROFILE[,hand=FILE]   simulated, by a shipped profile or a TOML file\n"
      "  replay:FILE               the hand of a recording\n"
      "  none                      no device in this hand\n"
      "Profiles: {}.\n",
      profiles);
}

/// The options of `tactus run` about its loop.
void addLoopOptions(CLI::App& command, SessionRequest& session, bool& isHeadless) {
  command.add_flag("--headless", isHeadless,
                   "the haptic loop without a window; hands without a device are simulated");
  CLI::Option* device = command.add_option(
      "--device", session.devices, "put a device into a hand, once for each: right=sim:sigma7");
  device->type_name("HAND=SPEC")->allow_extra_args(false);
  CLI::Option* method = command.add_option(
      "--method", session.method, "how contact is found, ist or vps; not said: the scene's");
  method->check(CLI::Validator(checkRunMethod, ""))->type_name("METHOD");
  CLI::Option* record = command.add_option("--record", session.recording,
                                           "write a recording that 'tactus replay' runs again");
  record->type_name("FILE");
  std::string scenes;
  for (const models::ShippedText& scene : models::shippedScenes()) {
    if (!scenes.empty()) scenes += ", ";
    scenes += scene.name;
  }
  command.footer(fmt::format(
      "\nA SCENE is a shipped one ({}) or a TOML file, see docs/scenes.md.\n"
      "HAND is left, right, left2 or right2, as far as the scene has it. Hands without --device "
      "get "
      "what\nis plugged in, else the mouse; with --headless simulated ones.\n"
      "With --screenshot simulated hands move the scene for --seconds before it is drawn.\n"
      "{}"
      "\nForces begin some 2 s after a device is ready and its hand calm, and rise from nothing. "
      "They "
      "stay\nwithin the device's limits, and end with the window or Ctrl-C. How stiff they are "
      "comes "
      "from the\ndevice's profile and the scene; the window's panel changes them while all runs. A "
      "mouse "
      "or\nSpaceMouse gives none: there the distance between the tool and its ghost shows the "
      "push.\n"
      "See docs/panel.md and docs/stability.md.\n"
      "\nJSON: servo{{ticks, rate_hz, late, skipped, compute_us{{p50, p99, p999, max}}, "
      "period_us{{}}, "
      "policy}},\ncontacts{{pairs_mean, pairs_max, asleep_mean, cut_share, age_ticks{{}}, "
      "dropped}},\n"
      "recorder{{records, dropped}}, hands[], machine{{}}, with a window render{{}}.\n",
      scenes, aboutSpecs()));
  command.add_flag("--simulated-time", session.hasSimulatedTime,
                   "tick as fast as the machine can; with --headless");
  command.add_flag("--json", session.asJson, "print one JSON value in the end");
}

/// What `bench growth`, `performance`, `pack`, `quality` and `stability` share.
CLI::App* addBench(CLI::App& command, const char* name, const char* does, const char* quick,
                   BenchRequest& request) {
  CLI::App* sub = command.add_subcommand(name, does);
  sub->add_flag("--quick", request.quick, quick);
  CLI::Option* report = sub->add_option(
      "--report", request.report, "also write the figures and raw/*.csv, all they are made of");
  report->type_name("DIR");
  sub->add_flag("--force", request.overwrites, "overwrite an older report")->needs(report);
  sub->add_flag("--json", request.asJson, "print one JSON value");
  sub->add_option("--only", request.only,
                  "only models, pairs, scenarios or devices with TEXT in their names")
      ->type_name("TEXT");
  sub->add_option("--spheres", request.spheres, "of each object, in place of the usual numbers")
      ->check(wholeNumber(1, kMostSpheres))
      ->type_name("N");
  return sub;
}

void addDevicesOptions(CLI::App& command, DevicesRequest& devices) {
  CLI::Option* measure = command.add_flag("--measure", devices.measures,
                                          "push a device about for ten seconds, let go of it: its "
                                          "rate, noise, latency, mass, damping and "
                                          "friction");
  command
      .add_option("--device", devices.device,
                  "which to measure, as in sim:sigma7; the first with motors, if not said")
      ->type_name("SPEC")
      ->needs(measure);
  CLI::Option* output = command.add_option("-o,--output", devices.output,
                                           "its profile; NAME-measured.toml here, if not said");
  output->type_name("FILE.toml")->needs(measure);
  command.add_flag("--force", devices.overwrites, "overwrite the profile")->needs(measure);
  command.add_flag("--json", devices.asJson, "print one JSON value");
  command.footer(
      aboutSpecs() +
      "Only what has motors can be measured. Without --measure nothing moves.\n"
      "\nJSON: devices[{spec, model, serial, side, sensed_dof, actuated_dof, peak_force_n, ...}],\n"
      "checks[{area, name, verdict, found, advice}], profiles[]; with --measure: device, model, "
      "serial,\n"
      "file, measurement{rate_hz, jitter_us, noise_m, position_step_m, latency_s, mass_kg,\n"
      "damping_ns_per_m, friction_n, unexplained, ...}.\n");
}

ExitCode refuse(const std::string& sentence) {
  complain(sentence);
  return ExitCode::BadInput;
}

}  // namespace

ExitCode runCommandLine(int argc, char** argv) {
  CLI::App tactus(
      "Tactus: hold a device and feel detailed rigid objects touch.\n"
      "Without a command it opens the default workspace, as 'tactus run' does.",
      "tactus");
  tactus.set_version_flag("-V,--version", "tactus " TACTUS_VERSION);
  tactus.footer(footer);

  ViewOptions run;
  SessionRequest session;
  bool isHeadless = false;
  CLI::App* runCommand =
      tactus.add_subcommand("run", "open a scene: devices in your hands, the picture, the panel");
  runCommand->add_option("SCENE", session.scene, "workspace, if not said");
  addViewOptions(*runCommand, run);
  runCommand
      ->add_option("--quality", run.quality,
                   "of the window's pictures, draft, coarse, plain, fast, fair, good or full;\nnot "
                   "said: the best that comes in time")
      ->check(CLI::Validator(checkQuality, ""))
      ->type_name("NAME");
  runCommand->add_flag("--packing", run.showsSpheres,
                       "draw the inner spheres, and the bodies as ghosts");
  runCommand
      ->add_option("--blink", run.blinks,
                   "hide the window for S seconds of every two times S: render.tick_us of --json\n"
                   "then tells what drawing costs a tick")
      ->check(CLI::Validator(checkPositive, ""))
      ->type_name("S");
  addLoopOptions(*runCommand, session, isHeadless);

  InfoRequest info;
  CLI::App* infoCommand = tactus.add_subcommand(
      "info",
      "check a mesh: closed, clean, how thin, how heavy; what is in a cache or a recording");
  infoCommand->add_option("MODEL", info.model, "mesh file, cache or built-in")->required();
  addSizeOptions(*infoCommand, info.size);
  infoCommand->add_flag("--json", info.asJson, "print one JSON value");

  ConvertRequest convert;
  CLI::App* convertCommand =
      tactus.add_subcommand("convert", "read or make a model, mend it if asked, write OBJ or PLY");
  convertCommand->add_option("MODEL", convert.model, "mesh file, cache or built-in")->required();
  convertCommand->add_option("-o,--output", convert.output, "FILE.obj or FILE.ply")
      ->required()
      ->type_name("FILE");
  convertCommand->add_flag("--repair", convert.repairs,
                           "weld, drop duplicates and slivers, orient, fill small holes");
  convertCommand->add_flag("--ascii", convert.writesAscii,
                           "write PLY as text, not binary; OBJ is always text");
  addSizeOptions(*convertCommand, convert.size);
  convertCommand->add_flag("--force", convert.overwrites, "overwrite the output file");
  convertCommand->add_flag("--json", convert.asJson, "print one JSON value");

  BuildRequest build;
  std::string packing = "protosphere";
  CLI::App* buildCommand =
      tactus.add_subcommand("build", "pack a model with spheres and write a .tactus cache");
  buildCommand->add_option("MODEL", build.model, "mesh file, cache or built-in")->required();
  buildCommand
      ->add_option("-o,--output", build.output,
                   "FILE.tactus; not said: in the cache folder, where query finds it")
      ->type_name("FILE");
  buildCommand
      ->add_option("--spheres", build.parameters.spheres, "as many at most, 100000 if not said")
      ->check(wholeNumber(1, kMostSpheres))
      ->type_name("N");
  buildCommand->add_option("--packing", packing, "protosphere or voxel")
      ->check(CLI::Validator(checkPacking, ""))
      ->type_name("NAME");
  buildCommand
      ->add_option("--points", build.parameters.points,
                   "of the pointshell, as many as spheres if not said; 0: none")
      ->check(wholeNumber(0, kMostSpheres))
      ->type_name("N");
  buildCommand
      ->add_option("--points-offset", build.parameters.pointsOffset,
                   "how far outside of the surface the points lie [m], 0 if not said; negative: "
                   "inside")
      ->check(CLI::Validator(checkFinite, ""))
      ->type_name("OFFSET");
  CLI::Option* voxelOption =
      buildCommand
          ->add_option("--voxel", build.parameters.voxelSize,
                       "edge of a voxel [m]; not said: the smallest that fits into the bytes")
          ->check(CLI::Validator(checkPositive, ""))
          ->type_name("SIZE");
  buildCommand
      ->add_option("--voxmap-bytes", build.parameters.voxmapBytes,
                   "of the voxmap; 320 for each sphere if not said, or 16000000 if thin parts need "
                   "them, and no more")
      ->check(wholeNumber(1, collision::Voxmap::kMostBytes))
      ->excludes(voxelOption)
      ->type_name("N");
  addSizeOptions(*buildCommand, build.size);
  buildCommand->add_flag("--force", build.overwrites,
                         "overwrite a file that is no cache; caches are replaced anyway");
  buildCommand->add_flag("--json", build.asJson, "print one JSON value");

  QueryRequest query;
  CLI::App* queryCommand =
      tactus.add_subcommand("query", "overlap, wrench and distance of two models");
  queryCommand->add_option("A", query.a, "mesh file, cache or built-in")->required();
  queryCommand->add_option("B", query.b, "mesh file, cache or built-in")->required();
  queryCommand
      ->add_option("--poses", query.poses,
                   "lines 'tx ty tz qw qx qy qz', of B in A's frame [m]; - is standard input; "
                   "one pose without motion, if not said")
      ->type_name("FILE");
  queryCommand->add_option("--method", query.method, "ist if not said, vps or exact")
      ->check(CLI::Validator(checkMethod, ""))
      ->type_name("NAME");
  queryCommand
      ->add_option("--law", query.law,
                   "energy whose gradient is the wrench: volume if not said, or depth; with "
                   "--method vps that is the depth in the map's body alone, about twice what ist "
                   "and exact give for two solids that overlap")
      ->check(CLI::Validator(checkLaw, ""))
      ->type_name("NAME");
  queryCommand->add_option("--repeat", query.repeat, "ask K times and print the median time")
      ->check(wholeNumber(1, kMostRepeats))
      ->type_name("K");
  CLI::Option* spheres =
      queryCommand
          ->add_option("--spheres", query.parameters.spheres,
                       "with --method ist or vps, of what is no cache: 100000 if not said, and as "
                       "many points; caches keep their own")
          ->check(wholeNumber(1, kMostSpheres))
          ->type_name("N");
  CLI::Option* pointsOf =
      queryCommand
          ->add_option("--points-of", query.pointsOf,
                       "with --method vps, whose points meet the other's voxmap: a if not said, or "
                       "b; that one's surface may be open")
          ->check(CLI::Validator(checkPointsOf, ""))
          ->type_name("a|b");
  queryCommand->add_flag("--swept", query.isSwept,
                         "with --method vps, also look at the way from one pose to the next: what "
                         "share of it is free, so that nothing passes through unseen");
  queryCommand->add_flag("--coherent", query.isCoherent,
                         "let a query begin with what the last one found, as in a servo loop");
  queryCommand->add_flag("--json", query.asJson, "print one JSON value");
  queryCommand->footer(
      "\nWith --method ist or vps a mesh or built-in is packed with spheres at first, which takes "
      "some\n"
      "seconds, and found again in the cache folder afterwards: tactus/ in XDG_CACHE_HOME, or in\n"
      "~/.cache. Old ones go by themselves. 'tactus build -o' makes a cache to keep.\n"
      "JSON: a, b, method, law, results[{volume, volume_lower, volume_upper, centroid[3], "
      "distance,\n"
      "energy, force[3], torque[3], contacts, cut, status, us}].\n"
      "contacts: the patches of contact that hang together (of exact 1 where the two overlap); "
      "cut: "
      "a\n"
      "budget ended the query; status: complete, or queue_was_full where pairs of spheres were "
      "left "
      "out.\n"
      "us: the median time of one query in microseconds; of ist and vps some queries before are "
      "not\n"
      "timed, so that it is that of a loop, unless --coherent.\n"
      "Null is what a method does not tell: volumes and centroid of vps, and a centroid where "
      "nothing is\n"
      "shared.\n"
      "Warnings are in a result only where they hold: thin_walls (walls too thin for the depths of "
      "ist),\n"
      "rough (exact integrated a part of the depth roughly), counts_twice (a surface overlaps "
      "itself).\n");
  CLI::Option* budget =
      queryCommand
          ->add_option(
              "--budget", query.budget,
              "at most N tests of pairs or points a query; forces (and the volume of --method "
              "ist) are then in part expected, and do not jump where it is cut")
          ->check(wholeNumber(1, kMostPairTests))
          ->type_name("N");
  CLI::Option* budgetUs =
      queryCommand
          ->add_option("--budget-us", query.budgetUs,
                       "the same in microseconds, turned into tests with a rate measured first")
          ->check(CLI::Validator(checkPositive, ""))
          ->type_name("U")
          ->excludes(budget);

  ShowRequest show;
  CLI::App* showCommand =
      tactus.add_subcommand("show", "look at models, in a window or as a picture");
  showCommand->add_option("MODEL", show.models, "mesh files, caches or built-ins")->required();
  addSizeOptions(*showCommand, show.size);
  addViewOptions(*showCommand, show.view);

  DevicesRequest devices;
  CLI::App* devicesCommand =
      tactus.add_subcommand("devices", "what is plugged in, what is missing to use it, and why");
  addDevicesOptions(*devicesCommand, devices);

  ReplayRequest replay;
  CLI::App* replayCommand =
      tactus.add_subcommand("replay", "run a recording again, compare the forces to the bit");
  replayCommand->add_option("RECORDING", replay.recording, "from 'tactus run --record'")
      ->required();
  replayCommand->add_flag("--json", replay.asJson, "print one JSON value");
  ViewOptions replayView;
  bool isReplayWatched = false;
  CLI::Option* replayWindow = replayCommand->add_flag(
      "--window", isReplayWatched, "look at it, forth and back, instead of comparing");
  addWindowOptions(*replayCommand, replayView, replayWindow);

  BenchModelsRequest bench;
  CLI::App* benchCommand = tactus.add_subcommand("bench", "measure this machine");
  benchCommand->require_subcommand(1);
  CLI::App* benchModels =
      benchCommand->add_subcommand("models", "time to make, write, read and check models");
  benchModels->add_flag("--quick", bench.quick, "one repetition instead of five");
  benchModels->add_flag("--json", bench.asJson, "print one JSON value");
  BenchRequest benchPerformance;
  CLI::App* performanceCommand =
      addBench(*benchCommand, "performance", "time of collision queries, against peers",
               "10000 spheres and fewer poses: less than a minute", benchPerformance);
  performanceCommand
      ->add_option("--poses", benchPerformance.poses, "of each pair and class, at most")
      ->check(wholeNumber(1, kMostRepeats))
      ->type_name("N");
  GrowthRequest benchGrowth;
  CLI::App* growthCommand = addBench(
      *benchCommand, "growth", "how time and memory grow with spheres, triangles, bodies, overlap",
      "smaller sizes of all: about a minute", benchGrowth.bench);
  growthCommand
      ->add_option("--largest", benchGrowth.largest,
                   "no more spheres, triangles or bodies than that")
      ->check(wholeNumber(1, kMostSpheres))
      ->type_name("N");
  growthCommand->add_option("--poses", benchGrowth.bench.poses, "of each class, 16 if not said")
      ->check(wholeNumber(1, kMostRepeats))
      ->type_name("N");
  growthCommand->footer(
      "\nOne size changes in a series, all else is fixed; --only takes a series' name. An exponent "
      "is the\nslope of a line through the upper sizes, both axes logarithmic: 1 is in proportion, "
      "0 "
      "does not grow.\ndocs/benchmarks.md has results, and what limits them.\n");
  BenchRequest benchPack;
  CLI::App* packCommand =
      addBench(*benchCommand, "pack", "time and quality of the sphere packings",
               "few models with 2000 and 10000 spheres: less than a minute", benchPack);
  BenchRequest benchQuality;
  CLI::App* qualityCommand =
      addBench(*benchCommand, "quality", "forces and torques against exact ones, along paths",
               "10000 spheres, and few small steps: less than a minute", benchQuality);
  qualityCommand->footer(
      "\nA scenario is a path whose exact force and torque are known: a cone slides through a "
      "block "
      "(Ia)\n"
      "and a plate (Ib), a ball goes round a cylinder (II), a square pin turns in its hole (III), "
      "two "
      "pins\n"
      "go round in their holes (IV; half as far off the middle: IV-half). A law is ist or vps by "
      "the\n"
      "default energy, ist_volume by the volume's, ist_seed and vps_seed Weller's. Columns:\n"
      "  sigma_F, sigma_T  root mean square error of the length of force and torque, over the "
      "ideal's\n"
      "                    largest length\n"
      "  gam_F, gam_T      mean angle to the ideal, and behind each the largest [degrees]\n"
      "  ripple            what trembles, over the ideal: of the force; of III the torque, of IV "
      "the "
      "worse\n"
      "  jump              largest jump by half a step over that by a whole one: 0.5 of what is "
      "continuous,\n"
      "                    1 of steps\n"
      "  cut               the same where a budget leaves half of the tests\n"
      "  stray             torque where only a force should be, or a force where only a torque\n"
      "  us                mean time of a query [microseconds]\n"
      "'-' stands where the ideal is zero. Paths out of recordings of real shapes (--only shapes, "
      "or "
      "the name\nof one) are held against the exact reference; --only sweep asks for several "
      "numbers "
      "of spheres, each\nwithin 0.9 ms. docs/benchmarks.md has definitions and results.\n");
  BenchRequest benchStability;
  CLI::App* stabilityCommand = addBench(
      *benchCommand, "stability", "how stiff a contact stays calm, for each device profile",
      "one seed and few runs of the pair of rhinos: about a minute", benchStability);
  StudyCommandLine study(tactus);

  try {
    tactus.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    tactus.exit(asked);  // prints help or version
    return standardOutputIsGood() ? ExitCode::Good : ExitCode::WorkFailed;
  } catch (const CLI::ParseError& mistake) {
    return refuse(aboutMistake(tactus, mistake));
  }

  if (runCommand->parsed()) {
    std::string sentence;
    if (session.hasSimulatedTime && !isHeadless && !run.screenshot)
      sentence = "A window shows real time; --simulated-time goes with --headless.";
    if (sentence.empty() && isHeadless && run.screenshot)
      sentence = "There is nothing to see with --headless; leave one of --screenshot and it out.";
    if (sentence.empty() && run.blinks && (isHeadless || run.screenshot))
      sentence = "Only a window can be hidden; --blink goes without --headless and --screenshot.";
    if (sentence.empty() && run.blinks && *run.blinks < kLeastBlink) {
      sentence = fmt::format(
          "--blink needs {:g} s at least: ticks settle after the window is hidden.", kLeastBlink);
    }
    if (!sentence.empty()) return refuse(sentence);
  }
  if (queryCommand->parsed()) {
    const std::string sentence =
        aboutQuery(query.method, {.hasBudget = budget->count() + budgetUs->count() > 0,
                                  .isSwept = query.isSwept,
                                  .hasSpheres = spheres->count() > 0,
                                  .hasPointsOf = pointsOf->count() > 0});
    if (!sentence.empty()) return refuse(sentence);
  }
  if (buildCommand->parsed()) {
    if (packing == "voxel") build.parameters.packing = collision::PackingMethod::Voxel;
  }
  if (const std::string sentence = chooseVectorCode(); !sentence.empty()) return refuse(sentence);

  ExitCode code = ExitCode::Good;
  if (study.isChosen()) {
    code = study.run();
  } else if (infoCommand->parsed()) {
    code = runInfo(info);
  } else if (convertCommand->parsed()) {
    code = runConvert(convert);
  } else if (queryCommand->parsed()) {
    code = runQuery(query);
  } else if (buildCommand->parsed()) {
    code = runBuild(build);
  } else if (showCommand->parsed()) {
    code = runShow(show);
  } else if (devicesCommand->parsed()) {
    code = runDevices(devices);
  } else if (benchModels->parsed()) {
    code = runBenchModels(bench);
  } else if (performanceCommand->parsed()) {
    code = runBenchPerformance(benchPerformance);
  } else if (growthCommand->parsed()) {
    code = runBenchGrowth(benchGrowth);
  } else if (packCommand->parsed()) {
    code = runBenchPack(benchPack);
  } else if (qualityCommand->parsed()) {
    code = runBenchQuality(benchQuality);
  } else if (replayCommand->parsed()) {
    code = isReplayWatched ? runRecordingWindow(replay, replayView) : runReplay(replay);
  } else if (isHeadless) {
    session.seconds = run.seconds;
    session.overwrites = run.overwrites;
    code = runSession(session);
  } else if (stabilityCommand->parsed()) {
    code = runBenchStability(benchStability);
  } else {
    session.seconds = run.seconds;
    session.overwrites = run.overwrites;
    code = run.screenshot ? drawScenePicture(session, run) : runSceneWindow(session, run);
  }
  if (code == ExitCode::Good && !standardOutputIsGood()) {
    complain("The output could not be written; is the disk full?");
    return ExitCode::WorkFailed;
  }
  return code;
}

}  // namespace tactus::app
