#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/model_source.hpp"
#include "app/output.hpp"
#include "collision/cache/collision_object.hpp"

/// What each sub-command is asked, and the functions that do it. One source file a command.
namespace tactus::app {

struct InfoRequest {
  std::string model;
  SizeOptions size;
  bool asJson = false;
};
/// `tactus info`: the validation report of a mesh, for a person or as JSON; of a cache what it was
/// built from and how (cache_info.hpp).
///
/// JSON: `min_thickness` in metres (null of a surface that is not closed), `thinnest_place` the
/// middle of the material there, `thickness_source` which length it is: "wall" (between two walls,
/// or across the material at a crease) or "width" (of a component; no walls face each other
/// closer). See models::leastThickness. `self_intersections_complete` false: the search stopped at
/// its budget and the number is a lower bound; duplicates are in `duplicate_triangles` alone.
/// `solidity`: "solid", "open", "inside_out" or "flat", which is what `build` goes by. `volume`,
/// `centre` and `inertia` count all space once and are null of an open surface; `volume_error` is 0
/// where they are exact; `signed_volume` counts what overlaps as often as it does. `advice` is the
/// text's last line.
///
/// JSON of a cache: the keys of `build`; `format_version`, `builder_version` and whether it is
/// `stale`, `identity`; `parameters{spheres, packing, seed, cell_fineness}` that were asked
/// for; `sections[{name, bytes, elements, offset, hot}]`.
[[nodiscard]] ExitCode runInfo(const InfoRequest& request);

struct ConvertRequest {
  std::string model;
  std::string output;
  SizeOptions size;
  bool repairs = false;
  bool writesAscii = false;
  bool overwrites = false;
  bool asJson = false;
};
/// `tactus convert`: reads or makes a model, mends it if asked, writes OBJ or PLY.
[[nodiscard]] ExitCode runConvert(const ConvertRequest& request);

struct BuildRequest {
  std::string model;
  std::optional<std::string> output;  ///< none: into the user's cache folder
  SizeOptions size;
  collision::BuildParameters parameters;
  bool overwrites = false;
  bool asJson = false;
};
/// `tactus build`: packs a model with spheres and writes a cache.
///
/// JSON: the contract's keys; `check_seconds` is what it took to find out whether the surface is
/// closed and clean, `facets_seconds` the tree of triangles, `sign_rule` how inside was told
/// ("pseudonormal", or "winding_number" of a surface that is not clean), `packing_end` why no more
/// spheres were packed ("sphere_count", "nothing_fits"), `identity` the hash of what is in it.
[[nodiscard]] ExitCode runBuild(const BuildRequest& request);

struct PictureSize {
  int width = 1280;  ///< [px]
  int height = 800;  ///< [px]
};
/// Reads "1280x800"; nothing if it is not two numbers from 16 to 8192.
[[nodiscard]] std::optional<PictureSize> parsePictureSize(std::string_view text);

/// How to look at something.
struct ViewOptions {
  std::optional<std::string> screenshot;  ///< PNG; no window then
  PictureSize size;
  std::optional<double> seconds;  ///< closes the window by itself
  std::optional<double> blinks;   ///< hides and shows the window, for so many seconds each
  std::string quality;            ///< of the window's pictures; empty: as time allows
  bool showsEdges = false;
  bool showsSpheres = false;  ///< of a scene: the inner spheres, and bodies as ghosts
  bool overwrites = false;
};

struct ShowRequest {
  std::vector<std::string> models;
  SizeOptions size;
  ViewOptions view;
};
/// `tactus show`: models side by side on a floor, in a window or a picture.
[[nodiscard]] ExitCode runShow(const ShowRequest& request);

struct SessionRequest {
  std::string scene = "workspace";   ///< shipped name or TOML file
  std::vector<std::string> devices;  ///< HAND=SPEC
  std::string method;                ///< ist or vps; empty: as the scene says
  std::optional<std::string> recording;
  std::optional<double> seconds;  ///< from the first tick; none: until Ctrl-C
  bool hasSimulatedTime = false;
  bool overwrites = false;
  bool asJson = false;
};
/// `tactus run --headless`: the haptic loop without a window. A hand without a device has a
/// simulated one, which does what the scene says.
///
/// JSON: the contract's keys; `servo.policy` says what the system granted, and in simulated time
/// `rate_hz` and `period_us` are how fast it went; `contacts.dropped` must be 0;
/// `contacts.pairs_mean` and `pairs_max` count the pairs of the bodies' step: what a tool without
/// mass (`quasi-static`) touches of fixed bodies is not among them; `contacts.age_ticks` is 0 of
/// those computed in the tick that uses them and 1 of those of the tick before, whose share is
/// `contacts.carried_share`; `hands[]` with `hand`, `spec`, `model`,
/// `profile`, `phase`, `reason`, `stage`, and of the run `force_n` as the device got it (`max`, and
/// `mean_touching`: over the ticks in which something pushed the tool, whose share is
/// `touching_share`), `torque_max_nm`, `energy_given_j` and `held_back_ticks` of the passivity
/// controller, and the device's counters.
[[nodiscard]] ExitCode runSession(const SessionRequest& request);

struct ReplayRequest {
  std::string recording;
  bool asJson = false;
};
/// `tactus replay`: runs the inputs of a recording again and compares the wrenches to the bit.
///
/// JSON: the contract's keys; `stopped` is why not all ticks could run, or null. With --window see
/// runRecordingWindow() (scene_window.hpp); JSON: `render` as of `run`.
[[nodiscard]] ExitCode runReplay(const ReplayRequest& request);

struct QueryRequest {
  std::string a, b;
  std::optional<std::string> poses;  ///< file, or "-"; none: B where A is
  std::string method = "ist";
  std::string law = "volume";
  std::size_t repeat = 1;  ///< how often the whole list is asked; the median time counts
  collision::BuildParameters parameters;  ///< of what is no cache, with --method ist
  std::string pointsOf = "a";             ///< with --method vps: whose points, a or b
  std::optional<std::uint32_t> budget;    ///< pair or point tests a query
  std::optional<double> budgetUs;         ///< the same as time, to be turned into tests
  bool isCoherent = false;                ///< a query may begin with what the last one found
  bool isSwept = false;                   ///< with --method vps: also the ways between the poses
  bool asJson = false;
};
/// `tactus query`: overlap, wrench and distance of two models at a list of poses.
///
/// JSON: the contract's keys; `energy` by the law, `cut` whether a budget cut it, `points_of` whose
/// points were asked, and with --swept `free_way`: the share of the way from the last pose that
/// is free of contact (null of the first pose; 0 if they touch there).
[[nodiscard]] ExitCode runQuery(const QueryRequest& request);

struct BenchModelsRequest {
  bool quick = false;
  bool asJson = false;
};
/// `tactus bench models`: how fast models are made, written, read and checked.
[[nodiscard]] ExitCode runBenchModels(const BenchModelsRequest& request);

/// What `bench performance`, `pack`, `quality` and `stability` share.
struct BenchRequest {
  bool quick = false;
  std::optional<std::string> report;  ///< folder
  bool overwrites = false;
  bool asJson = false;
  std::string only;  ///< what has this in its name; empty: everything
  std::optional<std::uint64_t> spheres;
  std::optional<std::size_t> poses;  ///< of each pair and class; performance alone
};

/// `tactus bench performance`: how long queries take, of Inner Sphere Trees and of others, at the
/// same poses in one run.
///
/// JSON: `spheres`, `repetitions`, `valid`, `steady` (repetitions gave the same bits), `machine`;
/// `classes.CLASS.METHOD`: the contract's `us_mean`, `us_p50`, `us_p99`, `us_p999`, `us_max` of the
/// medians over the repetitions of each of `poses`, the counters `pair_tests`, `node_pairs`,
/// `leaf_pairs`, `cubes`, `facet_pairs` (means), and `error_mean`, `error_max` against the exact
/// volume or distance, relative. METHOD: `ist`, `ist_volume` (volume and wrench without bounds),
/// `ist_textbook`, `vps`, `vps_plain`, `fcl` (distances of gaps, contacts of overlaps) and `bullet`
/// (contacts), if the program was built with them. `ratios.METHOD.CLASS{of_means, least,
/// pairs{}}`: how much longer than `ist`; `ratios.fcl.all` over all gaps. `agreement`: largest
/// relative difference of the peers' answers to ours. `two_threads`: queries a second and their
/// `ratio`, and as `ceiling` the ratio of plain arithmetic at the same time. `build.MODEL`: the
/// keys of `build`; `build_peers[]`. `hash.METHOD`: of all answers. `stolen[]`: by pair, stolen
/// share, attempts, and how many queries were interrupted and asked again.
[[nodiscard]] ExitCode runBenchPerformance(const BenchRequest& request);

/// `tactus bench pack`: time and quality of both sphere packings, and of all that is built on them.
///
/// JSON: `builds[]` with the keys of `build`, and `model`, `packing`, `spheres_asked`,
/// `field_seconds` (of tree_seconds), `depths_seconds` (of facets_seconds), `peak_bytes`, `steal`;
/// `machine`, `valid`.
[[nodiscard]] ExitCode runBenchPack(const BenchRequest& request);

/// `tactus bench stability`: how far stiffness and damping of each device profile's defaults are
/// from where a contact is not calm any more; see docs/stability.md.
///
/// JSON: `profiles.NAME`: the contract's `default_stiffness`, `critical_stiffness`, `margin`,
/// `passive_ratio`, `excess_rms_share`, `passivity_share`, and `default_damping`,
/// `critical_beyond_range` (nothing failed before a parameter's range ended, which is then the
/// critical one), `most_work` that a hand got at the defaults, `runs`, `weakest{contact, hand,
/// extra_delay_ticks, seed}` (null beyond the range). `holds`: all margins are at least 2 and the
/// controller acts in less than 1 %; `seeds`, `spheres`, `whole` (not --quick), `machine`. The
/// report adds raw/runs.csv, raw/region.csv, stability.html and region-NAME.svg.
[[nodiscard]] ExitCode runBenchStability(const BenchRequest& request);

/// `tactus bench quality`: forces and torques along paths whose ideal is known exactly, see
/// docs/benchmarks.md.
///
/// JSON: `scenarios.{Ia, Ib, II, III, IV, IV-half}.{ist, ist_volume, vps, ist_seed, vps_seed}`: the
/// contract's keys; `gamma_force_max_deg`, `gamma_torque_max_deg`; `sigma_force_by_own` and
/// `sigma_torque_by_own`, each course by its own largest; `ripple_force`, `ripple_torque`, the
/// larger of which is `ripple`; `jump_ratio_budgeted`; `stray`, what should not be there, as
/// |T|/(|F|R) or |F|c/|T|; `lets_go`, the number of samples that push the wrong way; `hash`. Of a
/// scenario also `step_m` of the jumps, `steal` and `attempts`. `shapes.PATH.{ist, ist_volume,
/// vps}`: the same of recorded paths, and `jump`, `jump_budgeted` over the largest force, with
/// `budget`, the tests of a query there. `sweep[]`: `scenario, law, spheres`, `sigma`, `gamma_deg`,
/// `eta`, `ripple` of what the scenario is about, `budget` (tests that fit `sweep_budget_us` at
/// `tests_per_us`), `cut_share`, `us_mean`, `us_max`, `best`, `hash`. `goals[]{what, value, limit,
/// holds}`, `history[]` with what the seed printed, `valid`, `machine`.
[[nodiscard]] ExitCode runBenchQuality(const BenchRequest& request);

struct DevicesRequest {
  bool measures = false;
  std::optional<std::string> device;  ///< SPEC to measure; none: the first found that has motors
  std::optional<std::string> output;  ///< TOML; none: NAME-measured.toml
  bool overwrites = false;
  bool asJson = false;
};
/// `tactus devices`: what is plugged in, and what is missing to use it; nothing moves.
///
/// JSON: `devices[]` that can be used, each with `spec` for --device, `model`, `serial`, `side`
/// ("left", "right", "either"), `sensed_dof`, `actuated_dof` (a gripper counts), `peak_force_n`,
/// `continuous_force_n`, `peak_torque_nm`, `workspace_m[3]`, `buttons`, `profile` (of the same
/// name, or null), `note`; `checks[]` with `area` ("library", "node", "service", "scheduling"),
/// `name`, `verdict` ("good", "missing", "wrong"), `found`, `advice` (empty if good); `profiles[]`,
/// the names that `sim:` takes.
///
/// With --measure a device is pushed about and its profile written (haptics/measure). JSON:
/// `device`, `model`, `serial`, `file`, `measurement{rate_hz, jitter_us, noise_m, position_step_m,
/// latency_s, mass_kg, damping_ns_per_m, friction_n, breakaway_n, push_n, unexplained, ticks,
/// stale, saturated, called_too_fast, oldest_age_ticks}`; `unexplained` is the share of the force's
/// square that mass, damping and friction do not explain.
[[nodiscard]] ExitCode runDevices(const DevicesRequest& request);

}  // namespace tactus::app
