#include "app/figures_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "collision/pointshell/thin_parts.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::app {
namespace {

std::string_view nameOf(collision::SignRule rule) noexcept {
  return rule == collision::SignRule::Pseudonormal ? "pseudonormal" : "winding_number";
}

std::string_view nameOf(collision::PackingEnd end) noexcept {
  switch (end) {
    case collision::PackingEnd::SphereCount:
      return "sphere_count";
    case collision::PackingEnd::Filled:
      return "filled";
    case collision::PackingEnd::SmallestRadius:
      return "smallest_radius";
    case collision::PackingEnd::NothingFits:
      return "nothing_fits";
    case collision::PackingEnd::Cancelled:
      break;
  }
  return "cancelled";
}

}  // namespace

std::string_view nameOf(collision::PackingMethod method) noexcept {
  return method == collision::PackingMethod::Voxel ? "voxel" : "protosphere";
}

Json figuresJson(const collision::BuildFigures& figures) {
  return {{"closed", figures.closed},
          {"triangles", figures.triangles},
          {"volume", figures.volume},
          {"spheres", figures.spheres},
          {"filled", figures.filled()},
          {"check_seconds", figures.checkSeconds},
          {"pack_seconds", figures.packSeconds},
          {"cells_seconds", figures.cellsSeconds},
          {"tree_seconds", figures.treeSeconds},
          {"facets_seconds", figures.facetsSeconds},
          {"voxmap_seconds", figures.voxmapSeconds},
          {"points_seconds", figures.pointsSeconds},
          {"sign_rule", nameOf(figures.signRule)},
          {"packing_end", nameOf(figures.end)}};
}

Json parametersJson(const collision::BuildParameters& parameters) {
  return {{"spheres", parameters.spheres},
          {"packing", nameOf(parameters.packing)},
          {"seed", parameters.seed},
          {"cell_fineness", parameters.cellFineness},
          {"voxel_size", parameters.voxelSize},
          {"voxmap_bytes", parameters.voxmapBytes},
          {"points", parameters.points == collision::kPointsAsSpheres ? parameters.spheres
                                                                      : parameters.points},
          {"points_offset", parameters.pointsOffset}};
}

std::string figuresText(const collision::BuildParameters& parameters,
                        const collision::BuildFigures& figures) {
  std::string text = fmt::format(
      "{}, {:.6g} m^3{}\n{} of {} asked for ({}), {:.2f} % filled\n",
      models::countedInGroups(figures.triangles, "triangle", "triangles"), figures.volume,
      figures.signRule == collision::SignRule::WindingNumber ? ", by winding number" : "",
      models::countedInGroups(figures.spheres, "sphere", "spheres"),
      models::grouped(parameters.spheres), nameOf(parameters.packing), 100.0 * figures.filled());
  if (figures.filled() < kWellFilled) {
    text += fmt::format("only {:.1f} % of it is filled: thin parts need more spheres\n",
                        100.0 * figures.filled());
  }
  text += fmt::format(
      "built in {:.2f} s: check {:.2f}, packing {:.2f}, cells {:.2f}, tree {:.2f}, facets {:.2f}, "
      "voxmap {:.2f}, points {:.2f}\n",
      figures.checkSeconds + figures.packSeconds + figures.cellsSeconds + figures.treeSeconds +
          figures.facetsSeconds + figures.voxmapSeconds + figures.pointsSeconds,
      figures.checkSeconds, figures.packSeconds, figures.cellsSeconds, figures.treeSeconds,
      figures.facetsSeconds, figures.voxmapSeconds, figures.pointsSeconds);
  return text;
}

Json depthsJson(const collision::CollisionObject& object) {
  const collision::DepthField::Arrays& all = object.depths.arrays();
  return {{"side", static_cast<double>(all.side)},
          {"corners", all.size},
          {"bytes", all.values.size_bytes()},
          {"thin_walls", object.figures.thinWalls}};
}

std::string depthsText(const collision::CollisionObject& object) {
  const collision::DepthField::Arrays& all = object.depths.arrays();
  std::string text = fmt::format(
      "depths: {} x {} x {} corners, {:.4g} m apart, {} bytes\n", all.size[0], all.size[1],
      all.size[2], static_cast<double>(all.side), models::grouped(all.values.size_bytes()));
  const std::string thin = aboutThinWalls(object);
  if (!thin.empty()) text += thin + '\n';
  return text;
}

std::string aboutThinWalls(const collision::CollisionObject& object) {
  if (!(object.figures.thinWalls > collision::kThinShare)) return {};
  return fmt::format(
      "{:.1f} % of its surface is of walls thinner than {:.3g} m, two cubes of its depths: what "
      "the "
      "law of depth pushes with there is off by a tenth and more, and may be nothing below one "
      "cube; "
      "more --spheres make cubes smaller",
      100.0 * object.figures.thinWalls, 2.0 * static_cast<double>(object.depths.arrays().side));
}

Json voxmapJson(const collision::CollisionObject& object) {
  if (object.voxmap.empty()) return nullptr;
  const collision::Voxmap::Arrays& all = object.voxmap.arrays();
  const collision::VoxmapBound& bound = object.figures.voxmapBound;
  const auto orNull = [](double length) { return length > 0.0 ? Json(length) : Json(nullptr); };
  return {{"voxel", static_cast<double>(all.voxel)},
          {"voxels",
           {collision::Voxmap::kCells * all.size[0], collision::Voxmap::kCells * all.size[1],
            collision::Voxmap::kCells * all.size[2]}},
          {"bricks", all.bricks()},
          {"bytes", object.voxmap.bytes()},
          {"error_near_max", all.error.nearMost},
          {"error_near_rms", all.error.nearRms},
          {"error_max", all.error.anywhereMost},
          {"error_rms", all.error.anywhereRms},
          {"error_points", all.error.nearPoints + all.error.anywherePoints},
          {"error_bound_near", orNull(bound.inBricks)},
          {"error_bound", orNull(std::max(bound.inBricks, bound.elsewhere))},
          {"too_thin", object.pointshell.empty()
                           ? Json(nullptr)
                           : Json(collision::unresolvedShare(object.pointshell, object.voxmap,
                                                             object.parameters.pointsOffset))}};
}

std::string voxmapText(const collision::CollisionObject& object) {
  if (object.voxmap.empty())
    return "no voxmap: inside and outside meet where there is no surface\n";
  const collision::Voxmap::Arrays& all = object.voxmap.arrays();
  const collision::VoxmapBound& bound = object.figures.voxmapBound;
  std::string text = fmt::format(
      "voxmap: {} x {} x {} voxels of {:.4g} m, {} bricks, {} bytes; seen at {} points, off by at "
      "most {:.2g} m (rms {:.2g} m) near the surface, {:.2g} m elsewhere",
      collision::Voxmap::kCells * all.size[0], collision::Voxmap::kCells * all.size[1],
      collision::Voxmap::kCells * all.size[2], static_cast<double>(all.voxel),
      models::grouped(all.bricks()), models::grouped(object.voxmap.bytes()),
      models::grouped(all.error.nearPoints + all.error.anywherePoints), all.error.nearMost,
      all.error.nearRms, all.error.anywhereMost);
  if (bound.inBricks > 0.0) {
    text += fmt::format("; certainly by no more than {:.2g} m and {:.2g} m", bound.inBricks,
                        std::max(bound.inBricks, bound.elsewhere));
  }
  text += '\n';
  const std::string thin =
      aboutThinParts(object.pointshell, object.voxmap, object.parameters.pointsOffset);
  if (!thin.empty()) text += thin + '\n';
  return text;
}

std::string aboutThinParts(const collision::Pointshell& shell, const collision::Voxmap& map,
                           double offset) {
  const double share = collision::unresolvedShare(shell, map, offset);
  if (!(share > collision::kThinShare)) return {};
  return fmt::format(
      "under {:.1f} % of its surface there is less than a voxel of {:.3g} m: --method vps feels "
      "little or nothing there, unless it gets a smaller --voxel",
      100.0 * share, static_cast<double>(map.arrays().voxel));
}

Json pointshellJson(const collision::Pointshell& shell) {
  if (shell.empty()) return nullptr;
  const collision::Pointshell::Arrays& all = shell.arrays();
  return {{"points", shell.pointCount()},
          {"levels", all.levels.size()},
          {"area", all.area},
          {"spacing_min", all.spacing.least},
          {"spacing_mean", all.spacing.mean},
          {"spacing_lattice", all.spacing.lattice},
          {"bytes", shell.bytes()}};
}

std::string pointshellText(const collision::Pointshell& shell) {
  if (shell.empty()) return "no points\n";
  const collision::Pointshell::Arrays& all = shell.arrays();
  return fmt::format(
      "pointshell: {} points on {:.6g} m^2 in {}, {} bytes; {:.4g} m from the next one on the "
      "mean, "
      "{:.4g} m at least\n",
      models::grouped(shell.pointCount()), all.area,
      models::countedInGroups(all.levels.size(), "level", "levels"), models::grouped(shell.bytes()),
      all.spacing.mean, all.spacing.least);
}

}  // namespace tactus::app
