#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "models/report/mesh_report.hpp"

namespace tactus::models {
namespace {

// Width of the first column: the longest label and two spaces.
constexpr std::size_t kLabelWidth = 24;

constexpr int kDigits = 4;  // significant ones; a fifth tells nobody more

constexpr std::string_view kRepair = "`tactus convert IN -o OUT --repair`";

/// Whole numbers in groups of three: 871 414.
std::string grouped(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t end = text.size(); end > 3; end -= 3)
    text.insert(end - 3, " ");
  return text;
}

/// Independent of the locale. Plain digits where that is short, else with an exponent.
std::string figure(double number, int digits = kDigits) {
  if (number == 0.0) return "0";
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number,
                                 std::chars_format::general, digits);
  return {text.data(), end.ptr};
}

/// "1 edge", "2 edges", "3 vertices".
std::string counted(std::size_t number, std::string_view one, std::string_view many) {
  return grouped(number) + " " + std::string(number == 1 ? one : many);
}

struct Unit {
  std::string_view name;
  double size;  ///< in SI units
};

/// The largest unit of which there is at least one, else the smallest.
template <std::size_t N>
Unit unitFor(double size, const std::array<Unit, N>& largestFirst) {
  const auto unit = std::find_if(largestFirst.begin(), largestFirst.end(),
                                 [&](const Unit& u) { return std::fabs(size) >= u.size; });
  return unit == largestFirst.end() ? largestFirst.back() : *unit;
}

Unit lengthUnitFor(double length) {
  constexpr std::array<Unit, 5> kUnits{
      {{"km", 1e3}, {"m", 1.0}, {"mm", 1e-3}, {"µm", 1e-6}, {"nm", 1e-9}}};
  return unitFor(length, kUnits);
}

Unit volumeUnitFor(double volume) {
  constexpr std::array<Unit, 5> kUnits{
      {{"km³", 1e9}, {"m³", 1e-2}, {"cm³", 1e-7}, {"mm³", 1e-12}, {"µm³", 1e-18}}};
  Unit unit = unitFor(volume, kUnits);
  // each is used from a hundredth (or tenth) of it on; what it stands for is this
  if (unit.name == "m³") unit.size = 1.0;
  if (unit.name == "cm³") unit.size = 1e-6;
  if (unit.name == "mm³") unit.size = 1e-9;
  return unit;
}

std::string inUnit(double value, const Unit& unit) {
  return figure(value / unit.size) + " " + std::string(unit.name);
}

std::string length(double value) {
  return inUnit(value, lengthUnitFor(value));
}

/// A place in the unit of the object's size, rounded to a 10 000th of it.
std::string place(const Eigen::Vector3d& p, const MeshReport& report) {
  const double furthest = std::max(report.bounds.lower.cwiseAbs().maxCoeff(),
                                   report.bounds.upper.cwiseAbs().maxCoeff());
  const Unit unit = lengthUnitFor(furthest);
  // far from zero the leading digits are the same everywhere: show enough of those that differ
  const double extent = report.bounds.diagonal();
  const int extra = extent > 0.0 ? static_cast<int>(std::log10(furthest / extent)) : 0;
  const int digits = kDigits + std::clamp(extra, 0, 8);
  return "(" + figure(p.x() / unit.size, digits) + ", " + figure(p.y() / unit.size, digits) + ", " +
         figure(p.z() / unit.size, digits) + ") " + std::string(unit.name);
}

/// Collects aligned lines.
class Lines {
 public:
  void add(std::string_view label, std::string_view content) {
    text_ += label;
    text_.append(kLabelWidth - std::min(kLabelWidth, label.size()), ' ');
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

void addFlaw(std::string_view label, const Flaw& flaw, const MeshReport& report, Lines& lines,
             std::string_view note = {}, bool isComplete = true) {
  if (flaw.count == 0 && isComplete) return;
  std::string content = (isComplete ? "" : "at least ") + grouped(flaw.count) + std::string(note);
  if (!flaw.places.empty()) content += ", first at " + place(flaw.places.front(), report);
  lines.add(label, content);
}

std::string closedness(const MeshReport& report) {
  if (report.closed) return "yes";
  if (report.boundaryEdges.count == 0) return "no";
  return "no, " + counted(report.holes, "hole", "holes");
}

std::string orientation(const MeshReport& report) {
  if (report.outwardOriented) return report.closed ? "outward" : "consistent";
  std::string text;
  if (report.misorientedEdges.count != 0) text = "neighbours disagree";
  if (report.invertedComponents != 0) {
    if (!text.empty()) text += ", ";
    text += counted(report.invertedComponents, "part", "parts") + " inside out";
  }
  return text.empty() ? "none" : text;
}

void addSize(const MeshReport& report, Lines& lines) {
  lines.add("triangles", grouped(report.triangles));
  std::string vertices = grouped(report.distinctVertices);
  if (report.distinctVertices != report.vertices) {
    vertices += " (" + grouped(report.vertices) + " stored)";
  }
  if (report.unusedVertices != 0) vertices += ", " + grouped(report.unusedVertices) + " unused";
  lines.add("vertices", vertices);
  if (report.bounds.isEmpty()) return;
  const Eigen::Vector3d size = report.bounds.upper - report.bounds.lower;
  const Unit unit = lengthUnitFor(report.bounds.diagonal());
  lines.add("size", figure(size.x() / unit.size) + " x " + figure(size.y() / unit.size) + " x " +
                        inUnit(size.z(), unit) + ", diagonal " +
                        inUnit(report.bounds.diagonal(), unit));
}

void addSolid(const MeshReport& report, Lines& lines) {
  const MassProperties& mass = report.mass;
  lines.add("volume", inUnit(mass.volume, volumeUnitFor(mass.volume)));
  lines.add("centre of mass", place(mass.centre, report));
  for (int row = 0; row < 3; ++row) {
    std::string content;
    for (int column = 0; column < 3; ++column) {
      const std::string entry = figure(mass.inertia(row, column));
      content.append(entry.size() < 12 ? 12 - entry.size() : 1, ' ');
      content += entry;
    }
    lines.add(row == 0 ? "inertia, 1 kg/m³" : "", content + (row == 0 ? "  kg m²" : ""));
  }
}

void addThickness(const MeshReport& report, Lines& lines) {
  if (!report.thicknessKnown) return;
  const bool isWidth = report.thicknessSource == ThicknessSource::Width;
  lines.add(
      isWidth ? "width" : "thinnest wall",
      length(report.minThickness) + (isWidth ? " (no walls face each other)"
                                             : ", at " + place(report.thinnestPlace, report)));
}

/// What to do, in one sentence.
std::string advice(const MeshReport& report) {
  const std::string repair(kRepair);
  if (report.triangles == 0) return "Empty: there is nothing to pack.";
  if (report.isClean()) return "Ready to pack.";
  if (!report.closed) {
    if (report.boundaryEdges.count != 0) return "Open: run " + repair + " before packing.";
    if (report.nonManifoldEdges.count != 0) {
      return "Not closed, some edges have more than two triangles: run " + repair +
             " before packing.";
    }
    return "Not closed, neighbours disagree on the outside: run " + repair + " before packing.";
  }
  if (report.invertedComponents != 0) return "Inside out: run " + repair + " before packing.";
  if (report.selfIntersections.count != 0 || !report.selfIntersectionsComplete) {
    return "Closed, but cuts itself: it can be packed as it is, with the inside by winding number; "
           "the volume above counts what overlaps more than once.";
  }
  if (report.degenerateTriangles.count != 0) {
    return "Ready to pack; " + repair + " drops the triangles without area.";
  }
  return "Ready to pack; the surface touches itself in single points, which does no harm.";
}

}  // namespace

std::string toText(const MeshReport& report) {
  Lines lines;
  addSize(report, lines);
  lines.add("closed", closedness(report));
  addFlaw("  boundary edges", report.boundaryEdges, report, lines);
  addFlaw("  non-manifold edges", report.nonManifoldEdges, report, lines);
  addFlaw("  non-manifold vertices", report.nonManifoldVertices, report, lines);
  lines.add("orientation", orientation(report));
  addFlaw("  misoriented edges", report.misorientedEdges, report, lines);
  lines.add("components", grouped(report.components));
  addFlaw("duplicate triangles", report.duplicateTriangles, report, lines);
  addFlaw("degenerate triangles", report.degenerateTriangles, report, lines);
  if (report.selfIntersections.count == 0 && report.selfIntersectionsComplete) {
    lines.add("self-intersections", "none");
  } else {
    addFlaw("self-intersections", report.selfIntersections, report, lines, " pairs of triangles",
            report.selfIntersectionsComplete);
  }
  if (report.closed) {
    addThickness(report, lines);
    addSolid(report, lines);
  } else if (report.triangles != 0) {
    lines.add("volume", "unknown while it is not closed");
  }
  lines.add("");
  lines.add(advice(report));
  return lines.take();
}

}  // namespace tactus::models
