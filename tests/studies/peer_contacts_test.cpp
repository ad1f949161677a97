// Peers are asked the right question: they see a contact where surfaces cut each other, and none
// where they do not.
#include "studies/peer_contacts.hpp"

#include <gtest/gtest.h>

#include "models/builtin.hpp"

namespace tactus::studies {
namespace {

TEST(PeerContacts, AreWhereSurfacesCutEachOther) {
  const models::Mesh ball = models::makeBuiltin("sphere", 2000).value();
  const models::Mesh box = models::makeBuiltin("box", 1000).value();  // 60 x 40 x 20 mm
  for (const PeerLibrary& library : peerContacts()) {
    const std::unique_ptr<PeerContacts> peer = library.make(box, ball);
    ASSERT_NE(peer, nullptr) << library.name;
    const auto contactsAt = [&](double x) {
      Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
      pose.translation().x() = x;
      return peer->query(pose);
    };
    EXPECT_EQ(contactsAt(0.0605).contacts, 0U) << library.name << ": half a millimetre apart";
    const PeerContacts::Answer touching = contactsAt(0.058);
    EXPECT_GT(touching.contacts, 5U) << library.name << ": two millimetres deep";
    EXPECT_GT(touching.deepest, 1e-5) << library.name;
    EXPECT_LT(touching.deepest, 5e-3) << library.name;
    // nothing of the last query is left
    EXPECT_EQ(contactsAt(0.0605).contacts, 0U) << library.name;
    const PeerContacts::Answer again = contactsAt(0.058);
    EXPECT_EQ(again.contacts, touching.contacts) << library.name;
    EXPECT_EQ(again.deepest, touching.deepest) << library.name;
  }
}

}  // namespace
}  // namespace tactus::studies
