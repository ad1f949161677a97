#include "studies/peer_contacts.hpp"

namespace tactus::studies {

std::vector<PeerLibrary> peerContacts() {
  std::vector<PeerLibrary> libraries;
#ifdef TACTUS_HAS_FCL
  libraries.push_back({"fcl_contacts", fclContacts});
#endif
#ifdef TACTUS_HAS_BULLET
  libraries.push_back({"bullet", bulletContacts});
#endif
  return libraries;
}

}  // namespace tactus::studies
