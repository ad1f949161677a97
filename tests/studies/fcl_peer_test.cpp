// The peer is asked the right question: its distances are the exact ones.
#include "studies/fcl_peer.hpp"

#include <gtest/gtest.h>

#include "collision/exact/exact_distance.hpp"
#include "models/builtin.hpp"
#include "tests/collision/random_pose.hpp"

namespace tactus::studies {
namespace {

TEST(FclPeer, DistancesAndNearestPointsAreTheExactOnes) {
  if (!FclPeer::isThere()) GTEST_SKIP() << "this build has no FCL";
  const models::Mesh meshA = models::makeBuiltin("rhino", 2000).value();
  const models::Mesh meshB = models::makeBuiltin("gear", 2000).value();
  const collision::ExactBody exactA(meshA);
  const collision::ExactBody exactB(meshB);
  const FclPeer a(meshA);
  const FclPeer b(meshB);
  tests::SeededBits random(5);
  int apart = 0;
  for (int k = 0; k < 20; ++k) {
    const Eigen::Isometry3d pose = tests::randomPose(
        random, meshA.origin + exactA.bounds.centre(), meshB.origin + exactB.bounds.centre(),
        random.between(0.7, 1.2) * exactA.bounds.diagonal());
    const double exact = collision::exactDistance(exactA, exactB, pose).distance;
    if (exact == 0.0) continue;
    ++apart;
    const FclPeer::Nearest found = a.distance(b, pose);
    EXPECT_NEAR(found.distance, exact, 1e-9);
    EXPECT_NEAR((found.onA - found.onB).norm(), exact, 1e-9);
  }
  EXPECT_GT(apart, 10);
}

}  // namespace
}  // namespace tactus::studies
