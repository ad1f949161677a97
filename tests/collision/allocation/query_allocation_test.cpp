// No query of the servo loop may allocate: the allocator of this program ends it if one does. To
// add a query, write a case that calls allocatesNothing() with it.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collision/cache/object_builder.hpp"
#include "collision/contact/contact_patches.hpp"
#include "collision/contact/contact_set.hpp"
#include "collision/contact/seed_wrench.hpp"
#include "collision/pointshell/swept_points.hpp"
#include "collision/pointshell/voxmap_pointshell.hpp"
#include "collision/surface/volume_bounds.hpp"
#include "collision/tree/budgeted_volume.hpp"
#include "collision/tree/proximity.hpp"
#include "collision/tree/solids_touch.hpp"
#include "collision/tree/time_of_impact.hpp"
#include "models/builtin.hpp"
#include "models/lanes/vector_target.hpp"
#include "tests/collision/allocation/no_allocation.hpp"
#include "tests/collision/random_pose.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using tests::NoAllocation;

/// An animal with thin ears and a bolt with a thread, as all queries know them.
struct Objects {
  CollisionObject objectA, objectB;
  ProximityBody a, b;
  TouchBody touchA, touchB;
  double size;  ///< of a

  Objects(CollisionObject ofA, CollisionObject ofB)
      : objectA(std::move(ofA)),
        objectB(std::move(ofB)),
        a(objectA.body()),
        b(objectB.body()),
        touchA{a.spheres, a.facets},
        touchB{b.spheres, b.facets},
        size(static_cast<double>(a.spheres.bounds()[0].radius[0])) {}
};

CollisionObject built(const char* name) {
  constexpr std::uint64_t kSpheres = 600;
  models::Result<models::Mesh> mesh = models::makeBuiltin(name, 2000);
  BuildSettings settings;
  settings.parameters.spheres = kSpheres;
  return buildObject({std::move(mesh).value(), {}}, settings).object;
}

const Objects& objects() {
  static const Objects all(built("rabbit"), built("bolt"));
  return all;
}

/// From deep in each other to apart, shallow ones most of all; then a path of small steps.
const std::vector<Isometry3d>& poses() {
  static const std::vector<Isometry3d> all = [] {
    const Objects& o = objects();
    tests::SeededBits random(7);
    std::vector<Isometry3d> made;
    constexpr int kAnywhere = 20;
    constexpr int kSteps = 30;
    made.reserve(kAnywhere + kSteps);
    for (int k = 0; k < kAnywhere; ++k) {
      made.push_back(tests::randomPose(random, o.a.spheres.origin(), o.b.spheres.origin(),
                                       o.size * 1.6 * k / kAnywhere));
    }
    for (int k = 0; k < kSteps; ++k) {
      Isometry3d pose = made[kAnywhere / 2];
      pose.translation() += Vector3d::UnitX() * (o.size * 0.02 * (k - 0.5 * kSteps));
      made.push_back(pose);
    }
    return made;
  }();
  return all;
}

/// Asks at all poses with each vector code. `query` takes a pose and returns a number that is not
/// 0 where it found something; it must have done so somewhere, or the case would be about nothing.
template <typename Query>
void allocatesNothing(const char* what, const Query& query) {
  const std::vector<Isometry3d>& all = poses();
  int found = 0;
  for (const models::VectorTarget target : models::supportedTargets()) {
    ASSERT_TRUE(models::useTarget(target));
    for (const Isometry3d& pose : all) {
      const NoAllocation guard(what);
      if (query(pose) != 0.0) ++found;
    }
  }
  ASSERT_TRUE(models::useTarget(models::bestTarget()));
  EXPECT_GT(found, 0) << what;
}

// The guard works: each way to get memory ends the program.
TEST(QueryAllocationDeathTest, EachWayToAllocateIsNoticed) {
  std::vector<std::unique_ptr<double>> room;
  room.reserve(1);
  std::vector<double> filled(100, 1.0);
  std::string text;
  EXPECT_DEATH(
      {
        const NoAllocation guard("a test");
        room.push_back(std::make_unique<double>(1.0));
      },
      "allocation of 8 bytes in a test");
  EXPECT_DEATH(
      {
        const NoAllocation guard("a test");
        filled.push_back(2.0);
      },
      "in a test");
  EXPECT_DEATH(
      {
        const NoAllocation guard("a test");
        std::vector<double>().swap(filled);
      },
      "release");
  EXPECT_DEATH(
      {
        const NoAllocation guard("a test");
        text.assign(1000, 'x');
      },
      "in a test");
  EXPECT_DEATH(
      {
        const NoAllocation guard("a test");
        Eigen::VectorXd vector(filled.size());
        vector.setOnes();
        filled[0] = vector.sum();
      },
      "in a test");
}

TEST(QueryAllocation, MemoryCanBeHadAgainAfterwards) {
  {
    const NoAllocation guard("a test");
  }
  const std::vector<double> filled(1000, 1.0);
  EXPECT_EQ(filled.size(), 1000U);
}

TEST(QueryAllocation, OfPenetrationVolume) {
  const Objects& o = objects();
  PenetrationScratch scratch;
  for (const EnergyLaw law : {EnergyLaw::Volume, EnergyLaw::Depth, EnergyLaw::DepthOfB}) {
    for (const LeafBalls balls : {LeafBalls::Cells, LeafBalls::Lower}) {
      for (const bool wantsStiffness : {false, true}) {
        const PenetrationSettings settings{law, balls, wantsStiffness};
        allocatesNothing("penetrationVolume", [&](const Isometry3d& pose) {
          return penetrationVolume(o.a.spheres, o.b.spheres, pose, scratch, settings).volume;
        });
      }
    }
  }
}

TEST(QueryAllocation, OfBudgetedVolume) {
  const Objects& o = objects();
  PenetrationScratch scratch;
  for (const std::uint32_t budget : {16U, 500U, 5000U, 1'000'000U}) {
    for (const EnergyLaw law : {EnergyLaw::Volume, EnergyLaw::Depth}) {
      allocatesNothing("budgetedVolume", [&](const Isometry3d& pose) {
        return budgetedVolume(o.a.spheres, o.b.spheres, pose, budget, scratch,
                              {.law = law, .wantsStiffness = true})
            .found.volume;
      });
    }
  }
}

TEST(QueryAllocation, OfProximity) {
  const Objects& o = objects();
  for (const Coherence coherence : {Coherence::None, Coherence::SmallSteps}) {
    ProximityScratch scratch(o.a, o.b, coherence);
    for (const EnergyLaw law : {EnergyLaw::Volume, EnergyLaw::Depth, EnergyLaw::DepthOfB}) {
      for (const bool wantsStiffness : {false, true}) {
        for (const std::uint32_t budget : {500U, 5000U, kNoBudget}) {
          const ProximitySettings settings{.law = law,
                                           .wantsStiffness = wantsStiffness,
                                           .wantsCentroid = wantsStiffness,
                                           .pairTests = budget};
          allocatesNothing("proximity", [&](const Isometry3d& pose) {
            const Proximity found = proximity(o.a, o.b, pose, scratch, settings);
            return found.volume + found.distance;
          });
        }
      }
    }
    allocatesNothing("proximity from nothing", [&](const Isometry3d& pose) {
      scratch.forget();
      return proximity(o.a, o.b, pose, scratch).volumeUpper;
    });
  }
}

TEST(QueryAllocation, OfDistances) {
  const Objects& o = objects();
  FacetDistanceScratch scratch;
  allocatesNothing("facetDistance", [&](const Isometry3d& pose) {
    return facetDistance(o.a.facets, o.b.facets, pose, scratch).distance;
  });
  allocatesNothing("facetDistance from nothing", [&](const Isometry3d& pose) {
    scratch.forget();
    return facetDistance(o.a.facets, o.b.facets, pose, scratch).distance;
  });
  SeparationList list;
  allocatesNothing("coherentDistance", [&](const Isometry3d& pose) {
    return coherentDistance(o.a.facets, o.b.facets, pose, list).distance;
  });
  allocatesNothing("coherentDistance after forgetting", [&](const Isometry3d& pose) {
    list.forget();
    return coherentDistance(o.a.facets, o.b.facets, pose, list).distance;
  });
}

TEST(QueryAllocation, OfTouch) {
  const Objects& o = objects();
  TouchScratch scratch(o.a.facets, o.b.facets);
  allocatesNothing("solidsTouch", [&](const Isometry3d& pose) {
    return solidsTouch(o.touchA, o.touchB, pose, scratch).touch ? 1.0 : 0.0;
  });
  SeparationList list;
  allocatesNothing("surfacesMeet", [&](const Isometry3d& pose) {
    return surfacesMeet(o.a.facets, o.b.facets, pose, list).meets ? 1.0 : 0.0;
  });
}

RigidMotion motionFrom(const Objects& o, const Isometry3d& pose) {
  RigidMotion motion;
  motion.start = pose;
  motion.centre = pose * o.b.spheres.origin();
  motion.velocity = o.a.spheres.origin() - motion.centre;
  motion.angularVelocity = Vector3d(0.3, -0.5, 0.2);
  motion.duration = 1.0;
  return motion;
}

TEST(QueryAllocation, OfTimeOfImpact) {
  const Objects& o = objects();
  TouchScratch touch(o.a.facets, o.b.facets);
  ImpactScratch scratch;
  allocatesNothing("timeOfImpact", [&](const Isometry3d& pose) {
    return timeOfImpact(o.touchA, o.touchB, motionFrom(o, pose), {}, touch, scratch).time;
  });
  allocatesNothing("timeOfImpactOfCores", [&](const Isometry3d& pose) {
    return timeOfImpactOfCores(o.a.spheres, o.b.spheres, 0.0, motionFrom(o, pose), {}, scratch)
        .time;
  });
}

TEST(QueryAllocation, OfVolumeBounds) {
  const Objects& o = objects();
  VolumeBoundsScratch scratch(o.a.field);
  for (const std::uint32_t most : {100U, 5000U, kAllCubes}) {
    allocatesNothing("volumeBounds", [&](const Isometry3d& pose) {
      return volumeBounds(o.a.field, o.b.field, pose.inverse(), scratch, most).upper;
    });
  }
}

TEST(QueryAllocation, OfDepthEnergy) {
  const Objects& o = objects();
  DepthScratch scratch(o.a.depths, o.b.depths);
  for (const EnergyLaw law : {EnergyLaw::Depth, EnergyLaw::DepthOfB}) {
    for (const std::uint32_t most : {500U, 1'000'000U}) {
      allocatesNothing("depthEnergy", [&](const Isometry3d& pose) {
        return depthEnergy(o.a.depths, o.b.depths, pose, scratch, {law, true, most}).energy;
      });
    }
  }
}

TEST(QueryAllocation, OfContacts) {
  const Objects& o = objects();
  ProximityScratch scratch(o.a, o.b);
  ContactCells cells;
  PatchScratch room;
  ContactSetScratch order;
  const auto set = std::make_unique<ContactSet>();
  const auto gather = [&](const Isometry3d& pose) {
    const ContactPatches patches = contactPatches(cells, pose, room);
    contactSet(cells, pose, room.patchOfCell(), order, *set);
    return static_cast<double>(patches.count + set->count);
  };
  for (const EnergyLaw law : {EnergyLaw::Volume, EnergyLaw::Depth, EnergyLaw::DepthOfB}) {
    for (const std::uint32_t budget : {5000U, kNoBudget}) {
      allocatesNothing("contacts of proximity", [&](const Isometry3d& pose) {
        static_cast<void>(proximity(o.a, o.b, pose, scratch,
                                    {.law = law, .pairTests = budget, .contacts = &cells}));
        return gather(pose);
      });
    }
  }
  const ConedTree a{o.a.spheres, o.objectA.cones};
  const ConedTree b{o.b.spheres, o.objectB.cones};
  allocatesNothing("seedWrench", [&](const Isometry3d& pose) {
    const SeedWrench found = seedWrench(a, b, pose, scratch.penetration, cells);
    return found.volume + gather(pose);
  });
}

TEST(QueryAllocation, OfPoints) {
  const Objects& o = objects();
  VoxmapPointshell anew({&o.objectA.pointshell, &o.objectA.voxmap},
                        {&o.objectB.pointshell, &o.objectB.voxmap});
  VoxmapPointshell coherent({&o.objectA.pointshell, &o.objectA.voxmap},
                            {&o.objectB.pointshell, &o.objectB.voxmap}, Coherence::SmallSteps);
  std::array<PointContact, 8> contacts;
  for (const PointLaw law : {PointLaw::Volume, PointLaw::Depth, PointLaw::Layers}) {
    for (const PointsOf pointsOf : {PointsOf::A, PointsOf::B}) {
      for (const std::uint32_t budget : {100U, kAllPoints}) {
        for (VoxmapPointshell* const points : {&anew, &coherent}) {
          allocatesNothing("voxmap and pointshell", [&](const Isometry3d& pose) {
            const PointForce found = points->query(pose, {.law = law,
                                                          .pointsOf = pointsOf,
                                                          .pointTests = budget,
                                                          .wantsContacts = true,
                                                          .wantsStiffness = true});
            return found.area + static_cast<double>(found.isCut ? 0 : points->contacts(contacts));
          });
        }
      }
    }
  }
  allocatesNothing("the way of points", [&](const Isometry3d& pose) {
    return anew.sweep(pose, Isometry3d::Identity(), PointsOf::A).time;
  });
  PointScratch scratch(o.objectB.pointshell);
  allocatesNothing("sweptContact", [&](const Isometry3d& pose) {
    const RigidMotion motion = motionFrom(o, pose);
    static_cast<void>(sweptContact(o.objectB.pointshell, o.objectA.voxmap, motion, scratch));
    return longestWay(o.objectB.pointshell, motion);
  });
}

}  // namespace
}  // namespace tactus::collision
