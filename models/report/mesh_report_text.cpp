#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "models/mesh/wording.hpp"
#include "models/report/mesh_report.hpp"

namespace tactus::models {
namespace {

// Width of the first column: the longest label and two spaces.
constexpr std::size_t kLabelWidth = 25;
constexpr std::size_t kMatrixColumn = 12;  // a sign, four digits, an exponent and a space

constexpr int kDigits = 4;  // significant ones; a fifth tells nobody more

constexpr std::string_view kRepair = "`tactus convert IN -o OUT --repair`";

/// How large a value must be to be written in this unit, and what the unit is, both in SI.
struct Unit {
  std::string_view name;
  double from, size;
};

constexpr std::array<Unit, 5> kLengths{
    {{"km", 1e3, 1e3}, {"m", 1.0, 1.0}, {"mm", 1e-3, 1e-3}, {"µm", 1e-6, 1e-6}, {"nm", 0.0, 1e-9}}};
constexpr std::array<Unit, 5> kVolumes{{{"km³", 1e9, 1e9},
                                        {"m³", 1e-2, 1.0},
                                        {"cm³", 1e-7, 1e-6},
                                        {"mm³", 1e-11, 1e-9},
                                        {"µm³", 0.0, 1e-18}}};

/// Independent of the locale. Plain digits where that is short, else with an exponent.
std::string figure(double number, int digits = kDigits) {
  if (number == 0.0) return "0";  // not "-0"
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number,
                                 std::chars_format::general, digits);
  return {text.data(), end.ptr};
}

/// The first unit that the value is large enough for.
const Unit& unitFor(double value, std::span<const Unit> units) {
  return *std::find_if(units.begin(), units.end() - 1,
                       [&](const Unit& unit) { return std::fabs(value) >= unit.from; });
}

std::string inUnit(double value, const Unit& unit) {
  return say(figure(value / unit.size), " ", unit.name);
}

/// A place in the unit that suits the object, to a 1 000th of its size at least.
std::string place(const Eigen::Vector3d& p, const MeshReport& report) {
  const double furthest = std::max(report.bounds.lower.cwiseAbs().maxCoeff(),
                                   report.bounds.upper.cwiseAbs().maxCoeff());
  const Unit& unit = unitFor(furthest, kLengths);
  // far from zero the leading digits are the same everywhere: add as many as those are
  const double extent = report.bounds.diagonal();
  const double common = extent > 0.0 ? std::clamp(furthest / extent, 1.0, 1e8) : 1.0;
  int digits = kDigits;
  for (double power = 10.0; power <= common; power *= 10.0)
    ++digits;
  // what is nothing but rounding beside the object's size is zero
  const auto coordinate = [&](double x) {
    return figure(std::fabs(x) < 1e-9 * furthest ? 0.0 : x / unit.size, digits);
  };
  return say("(", coordinate(p.x()), ", ", coordinate(p.y()), ", ", coordinate(p.z()), ") ",
             unit.name);
}

/// Characters of UTF-8 text: all bytes but those that continue one.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

/// Collects aligned lines.
class Lines {
 public:
  void add(std::string_view label, std::string_view content) {
    text_ += label;
    text_.append(kLabelWidth - std::min(kLabelWidth, columns(label)), ' ');
    text_ += content;
    text_ += '\n';
  }
  void add(std::string_view line) {
    text_ += line;
    text_ += '\n';
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// A line on a kind of flaw, if there are any: how many, and where the first one is.
void addFlaw(std::string_view label, const Flaw& flaw, const MeshReport& report, Lines& lines) {
  if (flaw.count == 0) return;
  std::string content = grouped(flaw.count);
  if (!flaw.places.empty()) {
    content += say(flaw.count == 1 ? ", at " : ", first at ", place(flaw.places.front(), report));
  }
  lines.add(label, content);
}

void addSelfIntersections(const MeshReport& report, Lines& lines) {
  const Flaw& flaw = report.selfIntersections;
  std::string content = "none";
  if (flaw.count != 0) {
    content = say(report.selfIntersectionsComplete ? "" : "at least ",
                  countedInGroups(flaw.count, "pair of triangles", "pairs of triangles"),
                  flaw.count == 1 ? ", at " : ", first at ", place(flaw.places.front(), report));
  } else if (!report.selfIntersectionsComplete) {
    content = "none found before the search was given up";
  }
  lines.add("self-intersections", content);
}

std::string closedness(const MeshReport& report) {
  if (report.closed) return "yes";
  if (report.solidity == Solidity::Solid) return "no, but it bounds a solid";
  if (report.boundaryEdges.count == 0) return "no";
  return say("no, ", countedInGroups(report.holes, "hole", "holes"));
}

std::string orientation(const MeshReport& report) {
  if (report.components == 0) return "none";
  if (report.outwardOriented) return "outward";
  if (!report.orientationKnown && report.boundaryEdges.count != 0)
    return "consistent, outward unknown as it is open";
  if (!report.orientationKnown)
    return "consistent, outward unknown as edges have more than two triangles";
  std::string text;
  if (report.misorientedEdges.count != 0) text = "neighbours disagree";
  if (report.invertedComponents != 0) {
    if (!text.empty()) text += ", ";
    text += say(countedInGroups(report.invertedComponents, "part", "parts"), " inside out");
  }
  return text;
}

void addSize(const MeshReport& report, Lines& lines) {
  lines.add("triangles", grouped(report.triangles));
  std::string vertices = grouped(report.distinctVertices);
  if (report.distinctVertices != report.vertices) {
    vertices += say(" distinct of ", grouped(report.vertices));
  }
  if (report.unusedVertices != 0) {
    vertices += say(", ", grouped(report.unusedVertices), " unused");
  }
  lines.add("vertices", vertices);
  if (report.mergedByRounding != 0) {
    lines.add(
        "  merged by rounding",
        say(countedInGroups(report.mergedByRounding, "vertex", "vertices"),
            " nearer to another than floats tell apart: put far parts into files of their own"));
  }
  if (report.bounds.isEmpty()) return;
  const Eigen::Vector3d size = report.bounds.upper - report.bounds.lower;
  const Unit& unit = unitFor(report.bounds.diagonal(), kLengths);
  lines.add("size",
            say(figure(size.x() / unit.size), " x ", figure(size.y() / unit.size), " x ",
                inUnit(size.z(), unit), ", diagonal ", inUnit(report.bounds.diagonal(), unit)));
}

void addThickness(const MeshReport& report, Lines& lines) {
  if (report.mayOverlap()) lines.add("thinnest wall", "unknown, as the surface meets itself");
  if (!report.thicknessKnown) return;
  const std::string length = inUnit(report.minThickness, unitFor(report.minThickness, kLengths));
  if (report.thicknessSource == ThicknessSource::Width) {
    lines.add("width", say(length, ", as no walls face each other closer"));
  } else {
    lines.add("thinnest wall", say(length, ", at ", place(report.thinnestPlace, report)));
  }
}

void addSolid(const MeshReport& report, Lines& lines) {
  const MassProperties& mass = report.mass;
  std::string volume = inUnit(mass.volume, unitFor(mass.volume, kVolumes));
  if (mass.volume != report.signedVolume) {
    volume += say(", overlaps counted once (",
                  inUnit(report.signedVolume, unitFor(report.signedVolume, kVolumes)),
                  " as often as they overlap)");
  }
  lines.add("volume", volume);
  lines.add("centre of mass", place(mass.centre, report));
  const double largest = mass.inertia.cwiseAbs().maxCoeff();
  for (int row = 0; row < 3; ++row) {
    std::string content;
    for (int column = 0; column < 3; ++column) {
      const double entry = mass.inertia(row, column);
      const std::string text = figure(std::fabs(entry) < 1e-9 * largest ? 0.0 : entry);
      content += text;
      if (column < 2) content.append(kMatrixColumn - std::min(kMatrixColumn, text.size()), ' ');
    }
    if (row == 2) content += "  kg m² at 1 kg/m³";
    lines.add(row == 0 ? "inertia" : "", content);
  }
}

}  // namespace

std::string whyNotClean(const MeshReport& report) {
  if (report.isClean()) return {};
  if (report.invertedComponents != 0) {
    return say(countedInGroups(report.invertedComponents, "part is", "parts are"), " inside out");
  }
  if (report.duplicateTriangles.count != 0) return "triangles lie on the corners of others";
  if (report.selfIntersections.count != 0) return "the surface meets itself";
  if (report.mayOverlap()) return "the surface may meet itself";
  if (!report.closed) return "edges have more than two triangles";
  if (report.degenerateTriangles.count != 0) return "triangles have no area";
  return "the surface touches itself in single points";
}

std::string adviceOn(const MeshReport& report) {
  if (report.triangles == 0) return "Empty: there is nothing to pack.";
  if (report.isClean()) return "Ready to pack.";
  if (report.isSheet && report.components != 0) {
    return "A flat sheet: it encloses nothing that could be packed.";
  }
  if (report.solidity == Solidity::Open) {
    std::string_view why = "Not closed, neighbours disagree on the outside";
    if (report.components == 0) why = "No triangle has an area";
    if (report.nonManifoldEdges.count != 0) why = "Not closed, edges have more than two triangles";
    if (report.boundaryEdges.count != 0) why = "Open";
    if (!report.leftByRepair.empty()) {
      return say(why, ", and ", kRepair, " mends no more of it: ", report.leftByRepair, ".");
    }
    return say(why, ": run ", kRepair, " before packing.");
  }
  if (report.solidity == Solidity::InsideOut) {
    return say("Inside out: run ", kRepair, " before packing.");
  }
  if (report.isFlat() && report.duplicateTriangles.count != 0) {
    return say("Flat, as triangles lie on the corners of others: run ", kRepair,
               " before packing.");
  }
  if (report.isFlat()) return "Flat: it encloses nothing that could be packed.";
  std::string why = whyNotClean(report);
  if (why.front() >= 'a') why.front() = static_cast<char>(why.front() - 'a' + 'A');
  if (report.invertedComponents != 0) return say(why, ": run ", kRepair, " before packing.");
  if (report.duplicateTriangles.count != 0) {
    return say(why, ": can be packed as it is, with the inside by winding number; ", kRepair,
               " leaves what is needed of them.");
  }
  if (report.closed && !report.mayOverlap() && report.degenerateTriangles.count != 0) {
    return say("Ready to pack; ", kRepair, " drops the triangles without area.");
  }
  if (report.closed && !report.mayOverlap()) {
    return say("Ready to pack; ", whyNotClean(report), ", which does no harm.");
  }
  return say(why, ": can be packed as it is, with the inside by winding number.");
}

std::string toText(const MeshReport& report) {
  Lines lines;
  addSize(report, lines);
  lines.add("components", grouped(report.components));
  lines.add("closed", closedness(report));
  addFlaw("  boundary edges", report.boundaryEdges, report, lines);
  addFlaw("  non-manifold edges", report.nonManifoldEdges, report, lines);
  lines.add("orientation", orientation(report));
  addFlaw("  misoriented edges", report.misorientedEdges, report, lines);
  addSelfIntersections(report, lines);
  addFlaw("non-manifold vertices", report.nonManifoldVertices, report, lines);
  addFlaw("duplicate triangles", report.duplicateTriangles, report, lines);
  addFlaw("degenerate triangles", report.degenerateTriangles, report, lines);
  if (report.closed) addThickness(report, lines);
  if (report.solidity != Solidity::Open) {
    addSolid(report, lines);
  } else if (report.triangles != 0) {
    lines.add("volume", "unknown as long as it is not closed");
  }
  lines.add("");
  lines.add(adviceOn(report));
  return lines.take();
}

}  // namespace tactus::models
