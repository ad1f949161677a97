// Uses the installed libraries as an engineer would who embeds them: a gear falls on a box, and the
// contact where it lies is asked for. Types with Eigen members cross the border in both directions,
// by value, in containers and by reference. Prints what it got in hexadecimal, so that two builds
// can be compared to the bit.
#include <collision/cache/object_builder.hpp>
#include <collision/tree/penetration_volume.hpp>
#include <haptics/profiles/device_profile.hpp>
#include <models/builtin.hpp>
#include <models/report/mesh_report.hpp>
#include <response/bodies/world.hpp>

#include <Eigen/Dense>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

using namespace tactus;

void print(const char* name, const Eigen::MatrixXd& values) {
  std::printf("%s", name);
  for (const double value : values.reshaped()) {
    std::printf(" %a", value);
  }
  std::printf("\n");
}

/// The linker may keep any one of several copies of an inline function. These are copies of what
/// the libraries compute with, made with this program's options: nothing of theirs may use them.
double ownCopies(const Eigen::Isometry3d& pose) {
  const Eigen::Isometry3d twice = pose * pose.inverse() * pose;
  const Eigen::Quaterniond turn(twice.linear());
  Eigen::Matrix<double, 6, 6> square = Eigen::Matrix<double, 6, 6>::Identity();
  square.topLeftCorner<3, 3>() = turn.normalized() * twice.linear().transpose() * twice.linear();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> solver(square);
  const Eigen::Vector<double, 6> solved =
      square.partialPivLu().solve(square.llt().solve(solver.eigenvectors() * square.col(2)));
  Eigen::AlignedBox3d box(Eigen::Vector3d::Zero(), twice.translation());
  box.transform(twice);
  return solved.norm() + box.diagonal().norm();
}

}  // namespace

int main() {
  collision::BuildSettings settings;
  settings.parameters.spheres = 1000;
  std::vector<collision::CollisionObject> objects;
  std::vector<response::BodyDescription> bodies;
  for (const char* name : {"box", "gear"}) {
    const models::Result<models::Mesh> made = models::makeBuiltin(name, 2000);
    if (!made) {
      std::fprintf(stderr, "%s\n", made.error().sentence.c_str());
      return 1;
    }
    const models::MeshReport report = models::reportOn(made.value());
    print("volume", Eigen::Vector<double, 1>(report.mass.volume));
    print("inertia", report.mass.inertia);
    collision::BuildOutcome built = collision::buildObject({made.value(), {}}, settings);
    if (built.end != collision::BuildEnd::Built) {
      return 1;
    }
    objects.push_back(std::move(built.object));

    response::BodyDescription body;
    body.solid = response::contactSolidOf(objects.back());
    body.mass = response::bodyMassOf(made.value(), 1000.0);
    body.kind = bodies.empty() ? response::BodyKind::Fixed : response::BodyKind::Dynamic;
    body.pose.translation().y() = bodies.empty() ? 0.0 : 0.054;
    bodies.push_back(std::move(body));
  }

  response::World world(bodies);
  std::uint32_t touched = 0;
  for (int tick = 0; tick < 500; ++tick) {
    world.step(1e-3);
    touched += world.counters().touching;
  }
  const Eigen::Isometry3d pose = world.pose(1);
  print("pose", pose.matrix());

  collision::PenetrationScratch scratch;
  Eigen::Isometry3d deeper = Eigen::Isometry3d::Identity();
  deeper.translation() = Eigen::Vector3d(0.005, 0.048, 0.001);
  const collision::PenetrationVolume shared =
      collision::penetrationVolume(objects[0].tree, objects[1].tree, deeper, scratch);
  print("shared", Eigen::Vector<double, 1>(shared.volume));
  print("force", shared.force);
  print("torque", shared.torque);
  const models::Result<haptics::DeviceProfile> device = haptics::findProfile("sigma7");
  print("device", Eigen::Vector<double, 1>(device ? device.value().mass : 0.0));
  std::printf("touched %u\nlayout %zu %zu %zu\n", touched, sizeof(models::MeshReport),
              sizeof(response::BodyDescription), alignof(response::BodyDescription));
  return touched > 0 && shared.volume > 0.0 && ownCopies(pose) > 0.0 ? 0 : 1;
}
