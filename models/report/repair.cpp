#include "models/report/repair.hpp"

#include <Eigen/Geometry>  // cross product
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>

#include "models/mesh/wording.hpp"
#include "models/report/dangling_sheets.hpp"
#include "models/report/duplicates.hpp"
#include "models/report/hole_filling.hpp"
#include "models/report/mass_properties.hpp"
#include "models/report/self_intersection.hpp"
#include "models/report/shell_orientation.hpp"
#include "models/report/slivers.hpp"
#include "models/report/solid_mass.hpp"
#include "models/report/topology.hpp"
#include "models/report/triangle_bvh.hpp"
#include "models/report/welding.hpp"

namespace tactus::models {
namespace {

// Rounds until nothing changes: two for most meshes, four for the worst of 10 000 random ones. More
// can only mean that two steps undo each other, and then it is better to end.
constexpr int kMostRounds = 16;

// Passes until nothing changes, if one has had to do without something: what it did then may let
// the next do it. One does for 99 of 100 random tangles, two for the others but for two of 24 000,
// of which a part is turned to and fro.
constexpr int kMostPasses = 6;

// A volume below this part of its extent cubed is rounding, see solidityOf().
constexpr double kNoVolume = 1e-12;

// Volumes of overlapping parts that differ by less are measured as one: see solidMass().
constexpr double kSameVolume = 1e-3;

// Sizes of holes that a line names one by one.
constexpr std::size_t kNamedSizes = 8;

/// Triangles of the input that run the other way round in the result.
struct Flipped {
  std::size_t triangles = 0;
  std::size_t parts = 0;  ///< shells of the result in which they lie
};

/// What no step mends.
struct Left {
  std::size_t selfIntersections = 0;
  bool isCountComplete = true;
  std::size_t crowdedEdges = 0;  ///< with more than two triangles
  std::size_t fanVertices = 0;   ///< with more than one fan
};

/// All rounds together. Of what had to be left only the last round's word counts.
struct Tally {
  std::size_t unreadable = 0;
  std::size_t hanging = 0;
  Welded welded;
  DroppedDuplicates duplicates;
  RemovedSlivers slivers;
  std::size_t neededSlivers = 0;  ///< kept, as the surface would meet itself without them
  DroppedSheets sheets;
  std::size_t turned = 0;  ///< in all rounds, lids too
  Flipped flipped;
  std::size_t oneSided = 0;  ///< shells like a Moebius strip
  FilledHoles holes;
  std::size_t unused = 0;
  Left left;
  std::string_view withheld;         ///< steps that would have opened a solid; empty: none
  std::vector<std::uint32_t> nowIs;  ///< vertex of the input -> the one that it joined, or itself
};

std::string number(double value) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 3);
  return {text.data(), end.ptr};
}

/// "3 edges", "3 and 12 edges", "3, 4 and 12 edges", "3 to 41 edges"; `sizes` ascending, not empty.
std::string edgesOf(const std::vector<std::size_t>& sizes) {
  if (sizes.size() > kNamedSizes) {
    const bool isOneSize = sizes.front() == sizes.back();
    const std::string smallest = isOneSize ? "" : say(sizes.front(), " to ");
    return say(smallest, sizes.back(), " edges");
  }
  std::string text = std::to_string(sizes.front());
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    text += i + 1 < sizes.size() ? ", " : " and ";
    text += std::to_string(sizes[i]);
  }
  return text.append(" edges");
}

Bounds boundsOfTriangles(const Mesh& mesh) {
  Bounds box;
  for (const Triangle& t : mesh.triangles) {
    for (const std::uint32_t v : t) {
      const Eigen::Vector3d p = mesh.positions[v].cast<double>();
      box.lower = box.isEmpty() ? p : Eigen::Vector3d(box.lower.cwiseMin(p));
      box.upper = box.isEmpty() ? p : Eigen::Vector3d(box.upper.cwiseMax(p));
    }
  }
  return box;
}

/// Whether its corners exist and are finite.
bool isReadable(const Mesh& mesh, const Triangle& t) {
  return std::all_of(t.begin(), t.end(), [&mesh](std::uint32_t v) {
    return v < mesh.positions.size() && mesh.positions[v].allFinite();
  });
}

std::size_t dropUnreadable(Mesh& mesh) {
  return std::erase_if(mesh.triangles, [&mesh](const Triangle& t) { return !isReadable(mesh, t); });
}

std::vector<std::uint8_t> usedVertices(const Mesh& mesh) {
  std::vector<std::uint8_t> isUsed(mesh.positions.size(), 0);
  for (const Triangle& t : mesh.triangles) {
    for (const std::uint32_t v : t)
      isUsed[v] = 1;
  }
  return isUsed;
}

/// Returns how many were dropped.
std::size_t dropUnused(Mesh& mesh) {
  const std::vector<std::uint8_t> isUsed = usedVertices(mesh);
  std::vector<std::uint32_t> target(mesh.positions.size());
  std::uint32_t kept = 0;
  for (std::uint32_t v = 0; v < target.size(); ++v) {
    target[v] = kept;
    if (isUsed[v] != 0) mesh.positions[kept++] = mesh.positions[v];
  }
  const std::size_t dropped = mesh.positions.size() - kept;
  if (dropped == 0) return 0;
  mesh.positions.resize(kept);
  for (Triangle& t : mesh.triangles) {
    for (std::uint32_t& v : t)
      v = target[v];
  }
  return dropped;
}

void follow(const std::vector<JoinedVertices>& joined, std::vector<std::uint32_t>& nowIs) {
  for (const JoinedVertices& pair : joined)
    nowIs[pair.lost] = pair.kept;
}

/// The corners from the smallest one on, in the same direction.
Triangle fromSmallest(Triangle t) {
  std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  return t;
}

/// Compares the result with the input by corners: what rounds have turned back and forth, or have
/// turned and then dropped, and lids of which a later round turned some, have not been flipped.
Flipped countFlipped(const Mesh& input, const std::vector<std::uint32_t>& nowIs,
                     const Mesh& result) {
  // ends, because a vertex is lost only once: no triangle names it any more
  const auto end = [&nowIs](std::uint32_t v) {
    while (nowIs[v] != v)
      v = nowIs[v];
    return v;
  };
  std::vector<Triangle> before;
  before.reserve(input.triangles.size());
  for (const Triangle& t : input.triangles) {
    before.push_back(fromSmallest({end(t[0]), end(t[1]), end(t[2])}));
  }
  std::sort(before.begin(), before.end());
  const auto wasThere = [&before](const Triangle& t) {
    return std::binary_search(before.begin(), before.end(), fromSmallest(t));
  };

  const Parts shells = partsOf(topologyOf(result), Joint::TwoUsesOnly);
  std::vector<std::uint8_t> isTouched(shells.count, 0);
  Flipped flipped;
  for (std::size_t i = 0; i < result.triangles.size(); ++i) {
    const Triangle& t = result.triangles[i];
    const std::uint32_t shell = shells.ofTriangle[i];
    if (shell == kNone || wasThere(t) || !wasThere({t[0], t[2], t[1]})) continue;
    ++flipped.triangles;
    isTouched[shell] = 1;
  }
  flipped.parts =
      static_cast<std::size_t>(std::count(isTouched.begin(), isTouched.end(), std::uint8_t{1}));
  return flipped;
}

Left lookForWhatIsLeft(const Mesh& mesh) {
  const Topology topology = topologyOf(mesh);
  const SelfIntersections meetings =
      selfIntersections(mesh, topology, buildTriangleBvh(mesh), {}, {.firstPairs = 0});
  const std::vector<std::uint32_t> fans = fansOf(topology);
  Left left;
  left.selfIntersections = meetings.pairs;
  left.isCountComplete = meetings.isComplete;
  left.crowdedEdges =
      static_cast<std::size_t>(std::count_if(topology.edges.begin(), topology.edges.end(),
                                             [](const Edge& edge) { return edge.useCount > 2; }));
  left.fanVertices = static_cast<std::size_t>(
      std::count_if(fans.begin(), fans.end(), [](std::uint32_t count) { return count > 1; }));
  return left;
}

/// All steps once. Returns whether the mesh was changed.
bool mendOnce(Mesh& mesh, const RepairSettings& settings, bool keepsFolded, Tally& tally) {
  const double diagonal = boundsOfTriangles(mesh).diagonal();
  const Welded welded = weld(mesh, settings.weldDistance * diagonal);
  tally.welded.equal += welded.equal;
  tally.welded.near += welded.near;
  tally.welded.collapsed += welded.collapsed;
  tally.welded.specks += welded.specks;
  tally.welded.furthest = std::max(tally.welded.furthest, welded.furthest);
  follow(welded.joined, tally.nowIs);

  DroppedDuplicates duplicates;
  if (settings.dropsDuplicates) duplicates = dropDuplicates(mesh);
  tally.duplicates.copies += duplicates.copies;
  tally.duplicates.sheets += duplicates.sheets;
  tally.duplicates.needed = duplicates.needed;

  const RemovedSlivers slivers = removeSlivers(mesh, settings.sliverHeight * diagonal);
  tally.slivers.collapsedEdges += slivers.collapsedEdges;
  tally.slivers.collapsedTriangles += slivers.collapsedTriangles;
  tally.slivers.turnedEdges += slivers.turnedEdges;
  tally.slivers.dropped += slivers.dropped;
  tally.slivers.left = slivers.left;
  tally.slivers.walls = slivers.walls;
  follow(slivers.joined, tally.nowIs);

  DroppedSheets sheets;
  if (settings.dropsDanglingSheets) sheets = dropDanglingSheets(mesh);
  tally.sheets.sheets += sheets.sheets;
  tally.sheets.triangles += sheets.triangles;
  tally.sheets.undecided = sheets.undecided;

  Oriented oriented;
  if (settings.orients) oriented = orientShells(mesh);
  tally.turned += oriented.triangles;
  tally.oneSided = oriented.oneSided;

  FilledHoles holes;
  if (settings.largestHole > 0) {
    holes = fillHoles(mesh, {settings.largestHole, settings.widestHole,
                             settings.sliverHeight * diagonal, keepsFolded});
  }
  std::vector<std::size_t>& filled = tally.holes.filled;
  filled.insert(filled.end(), holes.filled.begin(), holes.filled.end());
  tally.holes.widest = std::max(tally.holes.widest, holes.widest);
  tally.holes.folded += holes.folded;
  tally.holes.tooLarge = holes.tooLarge;
  tally.holes.tooWide = holes.tooWide;
  tally.holes.cutting = holes.cutting;
  tally.holes.flat = holes.flat;
  tally.holes.crossing = holes.crossing;
  tally.holes.tangled = holes.tangled;

  return welded.any() || duplicates.any() || slivers.any() || sheets.any() || oriented.any() ||
         holes.any();
}

void addLine(std::vector<RepairStep>& steps, std::size_t count, std::string what) {
  if (count > 0) steps.push_back({std::move(what), count, true});
}

void addLeft(std::vector<RepairStep>& steps, std::size_t count, std::string what) {
  if (count > 0) steps.push_back({std::move(what), count, false});
}

void addLeftHoles(std::vector<RepairStep>& steps, const std::vector<std::size_t>& sizes,
                  std::string_view reason) {
  if (sizes.empty()) return;
  addLeft(steps, sizes.size(),
          say("left ", counted(sizes.size(), "hole", "holes"), " of ", edgesOf(sizes),
              " open: ", reason));
}

std::vector<RepairStep> linesOf(Tally& tally, const RepairSettings& settings, double diagonal) {
  std::vector<RepairStep> steps;
  addLine(steps, tally.unreadable,
          say("dropped ", counted(tally.unreadable, "triangle", "triangles"),
              " with corners that do not exist or are not finite"));
  addLine(steps, tally.hanging,
          say("dropped ", counted(tally.hanging, "single triangle", "single triangles"),
              " that hung in a hole by the corners"));
  addLine(steps, tally.welded.equal,
          say("welded ", counted(tally.welded.equal, "vertex", "vertices"), " at equal positions"));
  addLine(steps, tally.welded.near,
          say("welded ", counted(tally.welded.near, "vertex", "vertices"), " that ",
              tally.welded.near == 1 ? "was" : "were", " up to ", number(tally.welded.furthest),
              " m apart"));
  addLine(steps, tally.welded.collapsed,
          say("dropped ", counted(tally.welded.collapsed, "triangle", "triangles"),
              " of which welding made two corners one"));
  addLine(steps, tally.welded.specks,
          say("dropped ", counted(tally.welded.specks, "single triangle", "single triangles"),
              " smaller than ", number(settings.weldDistance * diagonal), " m"));
  addLine(steps, tally.duplicates.copies,
          say("dropped ", counted(tally.duplicates.copies, "triangle", "triangles"),
              " that lay on the corners of another"));
  addLine(steps, tally.duplicates.sheets,
          say("dropped ", counted(tally.duplicates.sheets, "triangle", "triangles"),
              " of sheets without thickness"));
  const RemovedSlivers& slivers = tally.slivers;
  addLine(
      steps, slivers.collapsedEdges + slivers.turnedEdges + slivers.dropped,
      say("removed slivers lower than ", number(settings.sliverHeight * diagonal),
          " m: ", counted(slivers.collapsedEdges, "edge", "edges"), " collapsed with ",
          counted(slivers.collapsedTriangles, "triangle", "triangles"), ", ", slivers.turnedEdges,
          " turned, ", counted(slivers.dropped, "triangle", "triangles"), " dropped"));
  addLine(
      steps, tally.sheets.triangles,
      say("dropped ", counted(tally.sheets.triangles, "triangle", "triangles"), " in ",
          counted(tally.sheets.sheets, "sheet", "sheets"), " that hung on the surface by an edge"));
  addLine(steps, tally.flipped.triangles,
          say("flipped ", counted(tally.flipped.triangles, "triangle", "triangles"), " in ",
              counted(tally.flipped.parts, "part", "parts")));
  std::vector<std::size_t>& filled = tally.holes.filled;
  std::sort(filled.begin(), filled.end());
  if (!filled.empty()) {
    addLine(steps, filled.size(),
            say("filled ", counted(filled.size(), "hole", "holes"), " of ", edgesOf(filled),
                filled.size() == 1 ? ", " : ", up to ", number(tally.holes.widest), " m wide"));
  }
  addLine(steps, tally.unused,
          say("removed ", counted(tally.unused, "vertex", "vertices"), " that no triangle uses"));

  addLeft(steps, tally.duplicates.needed,
          say("left ", counted(tally.duplicates.needed, "triangle", "triangles"), " that ",
              tally.duplicates.needed == 1 ? "lies" : "lie",
              " on the corners of others: the edges around would be open without"));
  addLeft(steps, tally.withheld.empty() ? 0 : 1,
          say("left out ", tally.withheld, ": what is solid would not remain so"));
  addLeft(steps, slivers.left,
          say("left ", counted(slivers.left, "sliver", "slivers"),
              " that could not go without tearing the surface"));
  addLeft(steps, slivers.walls,
          say("left ", counted(slivers.walls, "triangle", "triangles"), " lower than ",
              number(settings.sliverHeight * diagonal), " m: their part is hardly thicker"));
  addLeft(steps, tally.neededSlivers,
          say("left ", counted(tally.neededSlivers, "triangle", "triangles"), " lower than ",
              number(settings.sliverHeight * diagonal),
              " m: without them the surface would meet itself"));
  addLeft(steps, tally.sheets.undecided,
          say("left ", counted(tally.sheets.undecided, "open sheet", "open sheets"),
              " on an edge of three or more: none of them is a body on which the others hang"));
  addLeft(steps, tally.oneSided,
          say("left ", counted(tally.oneSided, "part", "parts"),
              " as found: one-sided like a Moebius strip"));
  addLeftHoles(
      steps, tally.holes.tooLarge,
      say("only those of up to ", counted(settings.largestHole, "edge", "edges"), " are filled"));
  addLeftHoles(
      steps, tally.holes.tooWide,
      say("not flat and wider than ", number(100.0 * settings.widestHole), " % of the part"));
  addLeftHoles(steps, tally.holes.cutting, "a lid would cut the surface or another lid");
  addLeftHoles(steps, tally.holes.flat, "a lid on a flat sheet would enclose nothing");
  addLeftHoles(steps, tally.holes.crossing,
               "sheets cross at an edge there, and any two of them could bound the hole");
  addLeftHoles(steps, tally.holes.tangled, "the surface around is not a simple rim");
  const Left& left = tally.left;
  addLeft(
      steps, left.crowdedEdges,
      say("left ", counted(left.crowdedEdges, "edge", "edges"), " with more than two triangles"));
  addLeft(steps, left.fanVertices,
          say("left ", counted(left.fanVertices, "vertex", "vertices"),
              " with several fans: the surface touches itself there"));
  addLeft(steps, left.selfIntersections,
          say("left ", left.isCountComplete ? "" : "at least ",
              counted(left.selfIntersections, "self-intersection", "self-intersections"),
              ": packing tells the inside by winding number"));
  return steps;
}

/// Drops each triangle that shares two corners or three with others, and no edge: there is no
/// telling which way round it hangs in its hole. Returns how many there were.
std::size_t dropHanging(Mesh& mesh) {
  const Topology topology = topologyOf(mesh);
  std::vector<std::uint32_t> uses(topology.merged.count(), 0);
  for (const Triangle& t : topology.triangles) {
    for (const std::uint32_t corner : t)
      ++uses[corner];
  }
  std::vector<Triangle> kept;
  kept.reserve(mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& corners = topology.triangles[t];
    const auto shared = std::count_if(corners.begin(), corners.end(),
                                      [&uses](std::uint32_t corner) { return uses[corner] > 1; });
    bool isAlone = !topology.isCollapsed(t) && shared >= 2;
    for (std::uint32_t side = 3 * t; isAlone && side < 3 * t + 3; ++side)
      isAlone = topology.edges[topology.edgeOfSide[side]].useCount == 1;
    if (!isAlone) kept.push_back(mesh.triangles[t]);
  }
  const std::size_t dropped = mesh.triangles.size() - kept.size();
  mesh.triangles = std::move(kept);
  return dropped;
}

/// The mesh with rounds done, and what they did.
struct Attempt {
  Mesh mesh;
  Tally tally;
  double diagonal = 0.0;   ///< of the triangles before the first round [m]
  bool isSettled = false;  ///< the same once more would change nothing
};

/// How an attempt goes about lids that meet something, the boldest first.
enum class Care : std::uint8_t {
  KeepsFolded,   ///< a later round may mend what they do; see HoleLimits::keepsFolded
  Keeps,         ///< makes none
  DropsHanging,  ///< nor keeps triangles that hang in holes, which make them
};

/// Goes on from what there is.
Attempt attempt(const Attempt& before, const RepairSettings& settings, Care care) {
  Attempt done = before;
  done.tally.neededSlivers = 0;
  if (care == Care::DropsHanging) done.tally.hanging += dropHanging(done.mesh);
  done.isSettled = false;
  for (int round = 0; round < kMostRounds && !done.isSettled; ++round) {
    done.isSettled = !mendOnce(done.mesh, settings, care == Care::KeepsFolded, done.tally);
  }
  return done;
}

std::size_t boundaryEdgesOf(const Mesh& mesh) {
  const Topology topology = topologyOf(mesh);
  return static_cast<std::size_t>(
      std::count_if(topology.edges.begin(), topology.edges.end(),
                    [](const Edge& edge) { return edge.useCount == 1; }));
}

/// Mends as boldly as does no harm.
Attempt bestAttempt(const Attempt& before, const RepairSettings& settings) {
  Attempt bold = attempt(before, settings, Care::KeepsFolded);
  if (bold.tally.holes.folded == before.tally.holes.folded) return bold;
  Attempt careful = attempt(before, settings, Care::Keeps);
  careful.isSettled = false;  // what it has changed may be what boldness came to grief on
  const std::size_t left = lookForWhatIsLeft(careful.mesh).selfIntersections;
  const auto isHarmless = [left](const Mesh& mended) {
    const Left ofIt = lookForWhatIsLeft(mended);
    return ofIt.isCountComplete && ofIt.selfIntersections <= left;
  };
  if (isHarmless(bold.mesh)) return bold;
  if (careful.tally.holes.cutting.empty()) return careful;
  Attempt without = attempt(before, settings, Care::DropsHanging);
  without.isSettled = false;
  const bool closesMore = boundaryEdgesOf(without.mesh) < boundaryEdgesOf(careful.mesh);
  return without.tally.hanging > before.tally.hanging && closesMore && isHarmless(without.mesh)
             ? std::move(without)
             : std::move(careful);
}

/// Triangles with area that are lower than this.
std::size_t lowTriangles(const Mesh& mesh, double height) {
  return static_cast<std::size_t>(
      std::count_if(mesh.triangles.begin(), mesh.triangles.end(), [&](const Triangle& t) {
        const Eigen::Vector3d a = mesh.positions[t[0]].cast<double>();
        const Eigen::Vector3d ab = mesh.positions[t[1]].cast<double>() - a;
        const Eigen::Vector3d ac = mesh.positions[t[2]].cast<double>() - a;
        const double longest = std::max({ab.norm(), ac.norm(), (ac - ab).norm()});
        const double doubledArea = ab.cross(ac).norm();
        return doubledArea > 0.0 && doubledArea <= height * longest;
      }));
}

/// A fin as thin as a sliver on a thick body loses its walls one by one, until what is left of them
/// cross: then no sliver goes.
Attempt harmlessAttempt(const Attempt& before, const RepairSettings& settings) {
  Attempt done = bestAttempt(before, settings);
  if (done.tally.slivers.changes() == before.tally.slivers.changes()) return done;
  const Left found = lookForWhatIsLeft(before.mesh);
  const std::size_t after = lookForWhatIsLeft(done.mesh).selfIntersections;
  if (!found.isCountComplete || after <= found.selfIntersections) return done;
  RepairSettings gentle = settings;
  gentle.sliverHeight = 0.0;
  Attempt kept = bestAttempt(before, gentle);
  if (lookForWhatIsLeft(kept.mesh).selfIntersections >= after) return done;
  kept.tally.neededSlivers = lowTriangles(kept.mesh, settings.sliverHeight * kept.diagonal);
  kept.isSettled = false;
  return kept;
}

/// Until nothing changes.
Attempt allPasses(const Attempt& before, const RepairSettings& settings) {
  Attempt done = harmlessAttempt(before, settings);
  for (int pass = 1; pass < kMostPasses && !done.isSettled; ++pass) {
    Attempt next = harmlessAttempt(done, settings);
    if (next.mesh.triangles == done.mesh.triangles) break;
    done = std::move(next);
  }
  return done;
}

/// Open for what encloses next to nothing: a sheet may lose one of its two sides.
Solidity solidityOfBody(const Mesh& mesh) {
  const MassProperties mass = massProperties(mesh);
  const double extent = boundsOfTriangles(mesh).diagonal();
  const bool isFlat = std::fabs(mass.volume) <= kNoVolume * extent * extent * extent;
  return isFlat ? Solidity::Open : solidityOf(mesh, topologyOf(mesh), mass);
}

/// Which steps to do when others are withheld.
struct Withheld {
  std::string_view name;  ///< of those withheld
  bool dropsDuplicates, orients, doesRest;
};

// The first that keeps a solid one is taken. Welding alone always does: it joins the ends of edges,
// and what was used as often in one direction as in the other still is.
constexpr std::array<Withheld, 4> kWithheld{
    {{"turning parts", true, false, true},
     {"dropping duplicates", false, true, true},
     {"turning parts and dropping duplicates", false, false, true},
     {"all but welding", false, false, false}}};

/// A part that overlaps two bodies lies inside one when the wall between them is gone, and is then
/// turned as a cavity would be. Whether that has happened.
bool hasHollowed(const Attempt& before, const Attempt& done) {
  const bool mayHave = done.tally.duplicates.sheets > before.tally.duplicates.sheets &&
                       done.tally.turned > before.tally.turned;
  if (!mayHave) return false;
  const MeshReport was = reportOn(before.mesh);
  if (was.solidity != Solidity::Solid || was.invertedComponents > 0) return false;
  const MeshReport is = reportOn(done.mesh);
  const double error = was.volumeError + is.volumeError + kSameVolume * was.mass.volume;
  return is.mass.volume < was.mass.volume - error;
}

/// As asked, but for steps after which what bounds a solid would do so no more.
Attempt solidAttempt(const Attempt& before, const RepairSettings& settings) {
  Attempt done = allPasses(before, settings);
  done.tally.withheld = {};
  if (done.mesh.triangles == before.mesh.triangles) return done;
  const bool isHollowed = hasHollowed(before, done);
  if (!isHollowed && solidityOfBody(done.mesh) == Solidity::Solid) return done;
  const Solidity found = solidityOfBody(before.mesh);
  const auto isAsGood = [found](const Mesh& mesh) {
    const Solidity left = solidityOfBody(mesh);
    return left == Solidity::Solid || left == found;
  };
  if (found == Solidity::Open || (!isHollowed && isAsGood(done.mesh))) return done;
  for (const Withheld& without : kWithheld) {
    if (isHollowed && without.dropsDuplicates) continue;
    RepairSettings gentle = settings;
    gentle.dropsDuplicates = settings.dropsDuplicates && without.dropsDuplicates;
    gentle.orients = settings.orients && without.orients;
    if (!without.doesRest) {
      gentle.dropsDanglingSheets = false;
      gentle.sliverHeight = 0.0;
      gentle.largestHole = 0;
    }
    Attempt kept = allPasses(before, gentle);
    kept.tally.withheld = without.name;
    if (isAsGood(kept.mesh)) return kept;
  }
  return before;
}

/// The mesh without what cannot be read and what no triangle names: unused vertices would give
/// positions another order than they have once they are gone.
Attempt readable(const Mesh& mesh) {
  Attempt start;
  start.mesh = mesh;
  start.tally.unreadable = dropUnreadable(start.mesh);
  start.tally.unused = dropUnused(start.mesh);
  start.tally.nowIs.resize(start.mesh.positions.size());
  std::iota(start.tally.nowIs.begin(), start.tally.nowIs.end(), 0U);
  start.diagonal = boundsOfTriangles(start.mesh).diagonal();
  return start;
}

}  // namespace

Repaired repair(const Mesh& mesh, const RepairSettings& settings) {
  const Attempt start = readable(mesh);
  Attempt done = solidAttempt(start, settings);
  for (int pass = 1; pass < kMostPasses && !done.tally.withheld.empty(); ++pass) {
    Attempt next = solidAttempt(done, settings);
    if (next.mesh.triangles == done.mesh.triangles) break;
    done = std::move(next);
  }
  Tally& tally = done.tally;
  if (tally.turned > 0) tally.flipped = countFlipped(start.mesh, tally.nowIs, done.mesh);
  dropUnused(done.mesh);
  if (settings.namesWhatIsLeft) tally.left = lookForWhatIsLeft(done.mesh);
  std::vector<RepairStep> steps = linesOf(tally, settings, done.diagonal);
  return {std::move(done.mesh), std::move(steps)};
}

std::string whatRepairLeaves(const Mesh& mesh, const MeshReport& report) {
  const bool isUntouched = report.distinctVertices != report.vertices || report.unusedVertices != 0;
  if (report.solidity != Solidity::Open || report.isSheet || isUntouched) return {};
  const std::vector<RepairStep> steps = repair(mesh).steps;
  const bool mends = std::any_of(steps.begin(), steps.end(),
                                 [](const RepairStep& step) { return step.changesMesh; });
  if (mends) return {};
  if (steps.empty()) return "there is nothing that it could do";
  // the first line that is about holes, if one is
  const auto isOnHoles = [](const RepairStep& step) {
    return step.what.find(" open: ") != std::string::npos;
  };
  const auto reason = std::find_if(steps.begin(), steps.end(), isOnHoles);
  return reason != steps.end() ? reason->what : steps.front().what;
}

}  // namespace tactus::models
