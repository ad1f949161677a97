#pragma once
#include <Eigen/Geometry>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "models/mesh/mesh.hpp"

namespace tactus::studies {

/// Another library's contact query, to be measured beside ours: where two triangle meshes cut each
/// other. It is asked at overlaps; its time is shown, and no ratio, for it does not answer what
/// ours does: there is no force in it.
///
/// An adapter to one more library is one source with a class of this interface, less than 150
/// lines, and a row in peerContacts(); see docs/benchmarks.md for an example. A library that is not
/// there when the build is configured has no row.
class PeerContacts {
 public:
  PeerContacts() = default;
  PeerContacts(const PeerContacts&) = delete;
  PeerContacts& operator=(const PeerContacts&) = delete;
  virtual ~PeerContacts() = default;

  struct Answer {
    std::size_t contacts = 0;
    double deepest = 0.0;  ///< as the library means it [m]
  };
  /// All contacts, points and normals included, with nothing carried over from query to query.
  [[nodiscard]] virtual Answer query(const Eigen::Isometry3d& aFromB) = 0;
};

/// A library that can be asked.
struct PeerLibrary {
  std::string_view name;  ///< of its PerformanceMethod
  /// With its best structure for this. Both meshes stay alive as long as what is made of them.
  std::unique_ptr<PeerContacts> (*make)(const models::Mesh& a, const models::Mesh& b);
};

/// Those of this build.
[[nodiscard]] std::vector<PeerLibrary> peerContacts();

/// Null in a build without the library.
[[nodiscard]] std::unique_ptr<PeerContacts> bulletContacts(const models::Mesh& a,
                                                           const models::Mesh& b);
[[nodiscard]] std::unique_ptr<PeerContacts> fclContacts(const models::Mesh& a,
                                                        const models::Mesh& b);

}  // namespace tactus::studies
