// Bullet's contacts of two moving meshes, by GImpact: F. Leon, "GIMPACT", 2006, as part of E.
// Coumans, "Bullet Physics Library". Trees of quantised boxes, in the library's floats. Its
// constraint solver and its persistent manifolds take no part: each query begins with an empty one.
//
// Bullet is built for sizes of about a metre: with our centimetres its triangle test would find
// its own tolerances. So lengths are multiplied, and depths divided again.
#include "studies/peer_contacts.hpp"

#ifdef TACTUS_HAS_BULLET

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>

namespace tactus::studies {
namespace {

constexpr double kScale = 10.0;

btVector3 scaled(const Eigen::Vector3d& v) {
  const Eigen::Vector3f f = (kScale * v).cast<float>();
  return {f.x(), f.y(), f.z()};
}

btTransform scaled(const Eigen::Isometry3d& pose) {
  const Eigen::Quaternionf q(Eigen::Quaterniond(pose.linear()).cast<float>());
  return btTransform(btQuaternion(q.x(), q.y(), q.z(), q.w()), scaled(pose.translation()));
}

/// A mesh, and the object made of it.
struct Body {
  explicit Body(const models::Mesh& mesh) {
    positions.reserve(mesh.positions.size());
    for (const Eigen::Vector3f& position : mesh.positions)
      positions.push_back(scaled(mesh.origin + position.cast<double>()));
    for (const models::Triangle& triangle : mesh.triangles) {
      for (std::size_t corner = 0; corner < 3; ++corner)
        indices.push_back(static_cast<int>(triangle[corner]));
    }
    triangles = std::make_unique<btTriangleIndexVertexArray>(
        static_cast<int>(indices.size() / 3), indices.data(), 3 * static_cast<int>(sizeof(int)),
        static_cast<int>(positions.size()), positions.front().m_floats,
        static_cast<int>(sizeof(btVector3)));
    shape = std::make_unique<btGImpactMeshShape>(triangles.get());
    shape->setMargin(0.0F);
    shape->updateBound();
    object.setCollisionShape(shape.get());
  }

  std::vector<btVector3> positions;
  std::vector<int> indices;
  std::unique_ptr<btTriangleIndexVertexArray> triangles;
  std::unique_ptr<btGImpactMeshShape> shape;
  btCollisionObject object;
};

/// Counts contacts; the manifold that it stands for keeps four.
class Counter final : public btManifoldResult {
 public:
  using btManifoldResult::btManifoldResult;

  void addContactPoint(const btVector3& /*normal*/, const btVector3& /*point*/,
                       btScalar distance) override {
    ++answer.contacts;
    answer.deepest = std::max(answer.deepest, -static_cast<double>(distance) / kScale);
  }

  PeerContacts::Answer answer;
};

class BulletContacts final : public PeerContacts {
 public:
  BulletContacts(const models::Mesh& a, const models::Mesh& b)
      : dispatcher_(&configuration_), a_(a), b_(b) {
    btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_);
    a_.object.setWorldTransform(btTransform::getIdentity());
  }

  Answer query(const Eigen::Isometry3d& aFromB) override {
    b_.object.setWorldTransform(scaled(aFromB));
    const btCollisionObjectWrapper a = wrapped(a_);
    const btCollisionObjectWrapper b = wrapped(b_);
    btCollisionAlgorithm* algorithm =
        dispatcher_.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    Counter counter(&a, &b);
    algorithm->processCollision(&a, &b, info_, &counter);
    algorithm->~btCollisionAlgorithm();
    dispatcher_.freeCollisionAlgorithm(algorithm);
    return counter.answer;
  }

 private:
  static btCollisionObjectWrapper wrapped(const Body& body) {
    return {nullptr, body.shape.get(), &body.object, body.object.getWorldTransform(), -1, -1};
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDispatcherInfo info_;
  Body a_, b_;
};

}  // namespace

std::unique_ptr<PeerContacts> bulletContacts(const models::Mesh& a, const models::Mesh& b) {
  return std::make_unique<BulletContacts>(a, b);
}

}  // namespace tactus::studies

#else

namespace tactus::studies {
std::unique_ptr<PeerContacts> bulletContacts(const models::Mesh& /*a*/, const models::Mesh& /*b*/) {
  return nullptr;
}
}  // namespace tactus::studies

#endif
