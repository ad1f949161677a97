// Uses the installed libraries as an engineer would who embeds them: types with Eigen members cross
// the border in both directions, by value, in containers and by reference. Prints what it got in
// hexadecimal, so that two builds can be compared to the bit.
#include <collision/balls/ball_lens.hpp>
#include <models/builtin.hpp>
#include <models/report/mesh_report.hpp>

#include <cstdio>

int main() {
  using namespace tactus;
  const models::Result<models::Mesh> made = models::makeBuiltin("gear", 5000);
  if (!made) {
    std::fprintf(stderr, "%s\n", made.error().sentence.c_str());
    return 1;
  }
  const models::MeshReport report = models::reportOn(made.value());
  const collision::BallLens lens = collision::ballLens(1.0, 1.0, 1.0);
  std::printf("clean %d\nvolume %a\ncentre %a %a %a\n", report.isClean() ? 1 : 0,
              report.mass.volume, report.mass.centre.x(), report.mass.centre.y(),
              report.mass.centre.z());
  for (int row = 0; row < 3; ++row) {
    std::printf("inertia %a %a %a\n", report.mass.inertia(row, 0), report.mass.inertia(row, 1),
                report.mass.inertia(row, 2));
  }
  std::printf("lens %a\nlayout %zu %zu\n", lens.volume, sizeof(models::MeshReport),
              alignof(models::MeshReport));
  return report.isClean() && lens.volume > 1.3 && lens.volume < 1.31 ? 0 : 1;
}
