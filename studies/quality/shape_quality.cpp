#include "studies/quality/shape_quality.hpp"

#include "collision/exact/exact_depth.hpp"
#include "collision/exact/exact_overlap.hpp"
#include "studies/stolen_time.hpp"

namespace tactus::studies {
namespace {

using collision::CollisionObject;
using collision::ExactDepth;
using collision::ExactDepthLaw;
using collision::ExactOverlap;
using Eigen::Isometry3d;
using models::Result;
using response::Wrench;

/// A solid as the exact references want it.
struct ExactSolid {
  explicit ExactSolid(const models::Mesh& mesh)
      : body(mesh), surface(mesh, {.signRule = collision::signRuleFor(mesh)}) {}
  collision::ExactBody body;
  collision::SurfaceDistance surface;
};

/// What is on B about its origin, in A's frame, of what is on A about its origin, in B's frame.
Wrench reaction(const Wrench& onA, const Isometry3d& aFromB) {
  const Wrench turned{aFromB.linear() * onA.force, aFromB.linear() * onA.torque};
  const Wrench aboutB = response::aboutPoint(turned, Eigen::Vector3d::Zero(), aFromB.translation());
  return {-aboutB.force, -aboutB.torque};
}

/// On B about its origin.
Wrench exactWrench(QualityLaw law, const ExactSolid& a, const ExactSolid& b,
                   const Isometry3d& aFromB) {
  if (law == QualityLaw::IstVolume) {
    const ExactOverlap overlap = collision::exactOverlap(a.body, b.body, aFromB);
    return {overlap.force, overlap.torque};
  }
  if (law == QualityLaw::Ist) {
    const ExactDepth depth = collision::exactDepth(a.surface, b.surface, aFromB);
    return {depth.force, depth.torque};
  }
  // Points of B in A's map: the depth below A, which is the second body of the swapped pair.
  const ExactDepth depth =
      collision::exactDepth(b.surface, a.surface, aFromB.inverse(), ExactDepthLaw::OfB);
  return reaction({depth.force, depth.torque}, aFromB);
}

}  // namespace

void fillFigures(ShapeQuality& shape) {
  constexpr int kAnyComponent = 0;  // noise is of the scenarios
  for (ShapeLaw& law : shape.laws) {
    law.force = figuresOf(law.course.idealForce, law.course.force, kAnyComponent);
    law.torque = figuresOf(law.course.idealTorque, law.course.torque, kAnyComponent);
  }
}

Result<ShapeQuality> measureShape(const RecordedPath& path, const ShapeSettings& settings,
                                  QualityObjects& objects) {
  const Result<const CollisionObject*> a = objects.open(path.a, settings.fineness);
  if (!a) return a.error();
  const Result<const CollisionObject*> b = objects.open(path.b, settings.fineness);
  if (!b) return b.error();
  const Result<double> ball = smallestBall(*a.value(), *b.value());
  if (!ball) return ball.error();
  const Result<collision::SolidMesh> meshOfA = a.value()->cold->solid();
  if (!meshOfA) return meshOfA.error();
  const Result<collision::SolidMesh> meshOfB = b.value()->cold->solid();
  if (!meshOfB) return meshOfB.error();
  const ExactSolid exactA(meshOfA.value().mesh);
  const ExactSolid exactB(meshOfB.value().mesh);

  ShapeQuality shape;
  shape.path = path;
  shape.stepLength = kStepOfSmallestBall * ball.value();
  const models::Bounds box = exactB.body.mesh.bounds();
  const WalkedPath walked{[&](double share) { return path.poseAt(share); }, box.centre(), false};
  const double furthest =
      box.lower.cwiseAbs().cwiseMax(box.upper.cwiseAbs()).norm();  // of B from its origin
  const JumpSearch search{settings.jumpWindows, settings.jumpSteps,
                          shape.stepLength / path.lengthFor(furthest)};

  std::array<std::vector<Wrench>, kShapeLaws.size()> ideals;
  for (std::size_t k = 0; k < settings.samples; ++k) {
    const Isometry3d pose = path.poseAt(shareOf(k, settings.samples));
    for (std::size_t i = 0; i < kShapeLaws.size(); ++i) {
      const Wrench onB = exactWrench(kShapeLaws[i], exactA, exactB, pose);
      ideals[i].push_back(response::aboutPoint(onB, pose.translation(), pose * walked.measuredAt));
    }
  }

  LawQuery query(*a.value(), *b.value());
  for (shape.attempts = 1;; ++shape.attempts) {
    const StolenTime stolen;
    for (std::size_t i = 0; i < kShapeLaws.size(); ++i) {
      LawCourse& course = shape.laws[i].course;
      course = {};
      for (std::size_t k = 0; k < settings.samples; ++k) {
        addSample(query, walked, kShapeLaws[i], shareOf(k, settings.samples), settings.repetitions,
                  ideals[i][k], course);
      }
    }
    shape.stolenShare = stolen.share();
    if (shape.stolenShare <= kMostStolen || shape.attempts == kMostAttempts) break;
  }
  for (std::size_t i = 0; i < kShapeLaws.size(); ++i) {
    ShapeLaw& law = shape.laws[i];
    law.course.jumps = findJumps(query, walked, kShapeLaws[i], search);
    law.budget = meanTests(query, walked, kShapeLaws[i]) / 2;
    if (law.budget > 0)
      law.course.cutJumps = findJumps(query, walked, kShapeLaws[i], search, law.budget);
  }
  fillFigures(shape);
  return shape;
}

}  // namespace tactus::studies
