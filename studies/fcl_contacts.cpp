// FCL's contacts of two meshes. Source: J. Pan, S. Chitta and D. Manocha, "FCL: A General Purpose
// Library for Collision and Proximity Queries", 2012. Trees of oriented boxes (OBBRSS), in doubles.
#include "studies/peer_contacts.hpp"

#ifdef TACTUS_HAS_FCL

#include <fcl/narrowphase/collision.h>

#include <algorithm>

#include "studies/fcl_tree.hpp"

namespace tactus::studies {
namespace {

// More than triangles of two surfaces of 100,000 can cut each other in any of our poses.
constexpr std::size_t kMostContacts = 10'000'000;

class FclContacts final : public PeerContacts {
 public:
  FclContacts(const models::Mesh& a, const models::Mesh& b) {
    buildFclTree(a_, a);
    buildFclTree(b_, b);
  }

  Answer query(const Eigen::Isometry3d& aFromB) override {
    const fcl::CollisionRequestd request(kMostContacts, true);
    fcl::CollisionResultd result;
    fcl::collide(&a_, fcl::Transform3d::Identity(), &b_, aFromB, request, result);
    Answer answer{.contacts = result.numContacts()};
    for (std::size_t i = 0; i < answer.contacts; ++i)
      answer.deepest = std::max(answer.deepest, result.getContact(i).penetration_depth);
    return answer;
  }

 private:
  FclTree a_, b_;
};

}  // namespace

std::unique_ptr<PeerContacts> fclContacts(const models::Mesh& a, const models::Mesh& b) {
  return std::make_unique<FclContacts>(a, b);
}

}  // namespace tactus::studies

#else

namespace tactus::studies {
std::unique_ptr<PeerContacts> fclContacts(const models::Mesh& /*a*/, const models::Mesh& /*b*/) {
  return nullptr;
}
}  // namespace tactus::studies

#endif
