#include "models/sculpt/remeshing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/mesh/parallel_for.hpp"
#include "models/sculpt/edge_lengths.hpp"

namespace tactus::models {
namespace {

constexpr std::size_t kVerticesAtOnce = 2048;

// Botsch and Kobbelt: an edge longer than 4/3 or shorter than 4/5 of the wanted length comes nearer
// to it by a split or a collapse.
constexpr float kLongSquared = 16.0F / 9.0F;
constexpr float kShortSquared = 16.0F / 25.0F;

// While a mesh that is much too fine is coarsened, the wanted length grows by this much a round, so
// that each round smooths what the one before has left.
constexpr float kCoarsening = 1.5F;

// A triangle should face within about 80 degrees of the surface normals at its corners.
constexpr float kLeastFacing = 0.15F;

// A triangle within 60 degrees of the normals at its corners is right, whatever was there before.
constexpr float kSurelyOutward = 0.5F;

// Normals that turn by more than this at neighbours speak of a crease between them, 37 degrees; for
// a vertex that is on one already, where its normal may be the mean, half as much.
constexpr float kSharp = 0.8F;
constexpr float kSharpOnCrease = 0.95F;
// A vertex is caught by a crease this near, in wanted lengths: of two on either side of it the
// nearer.
constexpr float kCreaseCatch = 0.4F;
// A fillet of a radius below this, in wanted lengths, is a crease to the mesh.
constexpr float kNarrowFillet = 0.4F;
// And surfaces that curve may miss the line where their tangent planes meet by this much.
constexpr float kCreaseMiss = 0.03F;
// An edge turns into a crease if its middle comes nearer to the surface by this factor.
constexpr float kChordGain = 0.5F;

// When the corners of a fresh triangle go to the surface it may turn by 70 degrees.
constexpr float kLeastTurned = 0.34F;

// Below this quality a triangle is mended, and may not get worse: sin^2 of 26 degrees.
constexpr float kSliver = 0.192F;
// Collapses leave nothing worse than this for smoothing to repair: 13 degrees.
constexpr float kLeastAfterCollapse = 0.05F;
// A flip that helps the valences may cost the worse triangle this much.
constexpr float kFlipLoss = 0.6F;
// A flip for the angles must gain more than rounding, or two edges could take turns for ever.
constexpr float kFlipGain = 1.02F;
// A triangle this thin has no direction that could turn: 3 degrees.
constexpr float kNoDirection = 0.003F;

// A vertex goes this much further than to the mean of the centroids around it, which counts itself
// by a third: 1.5 would be the mean of the neighbours.
constexpr float kRelaxation = 1.2F;

// Enough for the vertices next to a crease to find it one after the other.
constexpr int kSmoothingRounds = 3;
constexpr int kMendingRounds = 6;

float qualityOf(const Eigen::Vector3f& a, const Eigen::Vector3f& b, const Eigen::Vector3f& c) {
  // The smallest angle lies between the two longer edges: its sine is twice the area over their
  // product.
  const Eigen::Vector3f ab = b - a;
  const Eigen::Vector3f ac = c - a;
  const float ab2 = ab.squaredNorm();
  const float ac2 = ac.squaredNorm();
  const float bc2 = (ac - ab).squaredNorm();
  const float product = ab2 * ac2 * bc2;
  return product > 0.0F ? ab.cross(ac).squaredNorm() * std::min(ab2, std::min(ac2, bc2)) / product
                        : 0.0F;
}

}  // namespace

float Remesher::wanted(std::uint32_t vertex) const {
  return std::min(edge_, std::max(mesh_->target[vertex], kFinestEdge * edge_));
}

float Remesher::wantedSquared(std::uint32_t h) const {
  const float length = 0.5F * (wanted(mesh_->from(h)) + wanted(mesh_->to(h)));
  return length * length;
}

float Remesher::edgeSquared(std::uint32_t h) const {
  return (mesh_->position[mesh_->to(h)] - mesh_->position[mesh_->from(h)]).squaredNorm();
}

float Remesher::quality(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
  return qualityOf(mesh_->position[a], mesh_->position[b], mesh_->position[c]);
}

float Remesher::qualityOfTriangle(std::uint32_t triangle) const {
  const std::uint32_t h = 3 * triangle;
  return quality(mesh_->from(h), mesh_->from(h + 1), mesh_->from(h + 2));
}

float Remesher::facing(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
  const Eigen::Vector3f ab = mesh_->position[b] - mesh_->position[a];
  const Eigen::Vector3f ac = mesh_->position[c] - mesh_->position[a];
  const Eigen::Vector3f across = ab.cross(ac);
  const float length = across.norm();
  if (!(length > 0.0F)) return -1.0F;
  float worst = length;
  for (const std::uint32_t v : {a, b, c}) {
    if (mesh_->onCrease[v] == 0) worst = std::min(worst, across.dot(mesh_->normal[v]));
  }
  return worst / length;
}

bool Remesher::mayCollapse(std::uint32_t h) const {
  return (mesh_->onCrease[mesh_->from(h)] == 0 || mesh_->onCrease[mesh_->to(h)] != 0) &&
         mesh_->canCollapse(h);
}

bool Remesher::isSharp(std::uint32_t h) const {
  const Eigen::Vector3f& a = mesh_->position[mesh_->from(h)];
  const Eigen::Vector3f along = mesh_->position[mesh_->to(h)] - a;
  const Eigen::Vector3f left = along.cross(mesh_->position[mesh_->opposite(h)] - a);
  const Eigen::Vector3f right = (mesh_->position[mesh_->opposite(mesh_->twin(h))] - a).cross(along);
  return left.dot(right) < kSharp * left.norm() * right.norm();
}

float Remesher::chordDistance(std::uint32_t a, std::uint32_t b) const {
  return std::abs(projection_->distanceAt(0.5F * (mesh_->position[a] + mesh_->position[b])));
}

Remesher::Star Remesher::starOf(std::uint32_t vertex) const {
  Star worst;
  std::uint32_t h = mesh_->outgoing(vertex);
  do {
    const std::uint32_t b = mesh_->to(h);
    const std::uint32_t c = mesh_->opposite(h);
    worst.quality = std::min(worst.quality, quality(vertex, b, c));
    worst.facing = std::min(worst.facing, facing(vertex, b, c));
    h = mesh_->aroundFrom(h);
  } while (h != mesh_->outgoing(vertex));
  return worst;
}

void Remesher::splitLong() {
  // Each edge once: what is still too long is left to the next time, so that this ends whatever the
  // triangles look like.
  const std::uint32_t oldVertices = mesh_->vertexCount();
  const std::uint32_t oldHalfEdges = mesh_->halfEdgeCount();
  for (std::uint32_t h = 0; h < oldHalfEdges; ++h) {
    if (mesh_->isRemoved(h) || h > mesh_->twin(h)) continue;
    if (edgeSquared(h) <= kLongSquared * wantedSquared(h)) continue;
    mesh_->split(h, 0.5F * (mesh_->position[mesh_->from(h)] + mesh_->position[mesh_->to(h)]));
  }
  projection_->project(std::span(mesh_->position).subspan(oldVertices),
                       std::span(mesh_->normal).subspan(oldVertices));
}

float Remesher::qualityAfterCollapse(std::uint32_t h, float longestSquared) const {
  const std::uint32_t gone = mesh_->from(h);
  const std::uint32_t kept = mesh_->to(h);
  const Eigen::Vector3f& keptAt = mesh_->position[kept];
  const std::uint32_t last = SurfaceMesh::next(mesh_->twin(h));
  float worst = 1.0F;
  float worstFacing = 1.0F;
  // The fan around the vertex that goes, without the two triangles of the edge.
  for (std::uint32_t i = mesh_->aroundFrom(h); i != h; i = mesh_->aroundFrom(i)) {
    const std::uint32_t b = mesh_->to(i);
    const Eigen::Vector3f& bAt = mesh_->position[b];
    if ((bAt - keptAt).squaredNorm() > longestSquared) return -1.0F;
    const std::uint32_t c = mesh_->opposite(i);
    if (i == last || c == kept) continue;
    worst = std::min(worst, quality(kept, b, c));
    const float outward = facing(kept, b, c);
    worstFacing = std::min(worstFacing, outward);
    // Nor may a triangle turn over against what it was, if it had a direction at all and was not
    // folded itself.
    const Eigen::Vector3f edge = mesh_->position[c] - bAt;
    const Eigen::Vector3f before = edge.cross(mesh_->position[gone] - bAt);
    const Eigen::Vector3f after = edge.cross(keptAt - bAt);
    if (after.dot(before) < 0.0F && outward < kSurelyOutward &&
        quality(gone, b, c) > kNoDirection) {
      return -1.0F;
    }
  }
  if (worstFacing < kLeastFacing && worstFacing < starOf(gone).facing) return -1.0F;
  return worst;
}

void Remesher::collapseShort() {
  for (std::uint32_t h = 0; h < mesh_->halfEdgeCount(); ++h) {
    if (mesh_->isRemoved(h) || h > mesh_->twin(h)) continue;
    const float wantedHere = wantedSquared(h);
    if (edgeSquared(h) >= kShortSquared * wantedHere) continue;
    const float longest = kLongSquared * wantedHere;
    const std::uint32_t t = mesh_->twin(h);
    const float there = mayCollapse(h) ? qualityAfterCollapse(h, longest) : -1.0F;
    const float back = mayCollapse(t) ? qualityAfterCollapse(t, longest) : -1.0F;
    if (std::max(there, back) < kLeastAfterCollapse) continue;
    mesh_->collapse(there >= back ? h : mesh_->twin(h));
  }
  mesh_->compact();
}

float Remesher::qualityAfterFlip(std::uint32_t h) const {
  const std::uint32_t a = mesh_->from(h);
  const std::uint32_t b = mesh_->to(h);
  const std::uint32_t left = mesh_->opposite(h);
  const std::uint32_t right = mesh_->opposite(mesh_->twin(h));
  const float after = std::min(facing(a, right, left), facing(b, left, right));
  if (after < kLeastFacing && after < std::min(facing(a, b, left), facing(b, a, right))) {
    return -1.0F;
  }
  const float worst = std::min(quality(a, right, left), quality(b, left, right));
  // Where the surface bends, the edge that keeps nearer to it is the right one.
  if (worst > 0.0F && isSharp(h) && chordDistance(left, right) > chordDistance(a, b)) {
    return -1.0F;
  }
  return worst;
}

void Remesher::flipForValence() {
  std::vector<std::uint16_t> valence(mesh_->vertexCount(), 0);
  for (std::uint32_t h = 0; h < mesh_->halfEdgeCount(); ++h) {
    if (!mesh_->isRemoved(h)) ++valence[mesh_->from(h)];
  }
  const auto off = [](int count) { return (count - 6) * (count - 6); };
  for (std::uint32_t h = 0; h < mesh_->halfEdgeCount(); ++h) {
    if (mesh_->isRemoved(h) || h > mesh_->twin(h)) continue;
    const std::uint32_t a = mesh_->from(h);
    const std::uint32_t b = mesh_->to(h);
    const std::uint32_t left = mesh_->opposite(h);
    const std::uint32_t right = mesh_->opposite(mesh_->twin(h));
    const int before = off(valence[a]) + off(valence[b]) + off(valence[left]) + off(valence[right]);
    const int after = off(valence[a] - 1) + off(valence[b] - 1) + off(valence[left] + 1) +
                      off(valence[right] + 1);
    if (after >= before) continue;
    const float now = std::min(quality(a, b, left), quality(b, a, right));
    if (qualityAfterFlip(h) < std::min(kFlipLoss * now, kSliver) || !mesh_->canFlip(h)) continue;
    mesh_->flip(h);
    --valence[a];
    --valence[b];
    ++valence[left];
    ++valence[right];
  }
}

void Remesher::flipForAngles() {
  for (std::uint32_t h = 0; h < mesh_->halfEdgeCount(); ++h) {
    if (mesh_->isRemoved(h) || h > mesh_->twin(h)) continue;
    const float now = std::min(qualityOfTriangle(h / 3), qualityOfTriangle(mesh_->twin(h) / 3));
    const float after = qualityAfterFlip(h);
    const bool gains = after > kFlipGain * now ||
                       (after > kLeastAfterCollapse && isSharp(h) &&
                        chordDistance(mesh_->opposite(h), mesh_->opposite(mesh_->twin(h))) <
                            kChordGain * chordDistance(mesh_->from(h), mesh_->to(h)));
    if (gains && mesh_->canFlip(h)) mesh_->flip(h);
  }
}

// Moves all vertices to moved_ but those that would do harm: a triangle that turns away, or gets
// worse than it was and than a good one, calls its corners back; then the triangles around these
// are looked at again. On a fresh mesh, whose corners were beside the surface, triangles may get
// worse and are judged by how they turn; later by the normals at their corners.
void Remesher::moveWithoutHarm(bool isFresh) {
  const std::uint32_t vertices = mesh_->vertexCount();
  const std::uint32_t triangles = mesh_->halfEdgeCount() / 3;
  stays_.assign(vertices, 0);
  spoiled_.resize(triangles);
  mesh_->position.swap(moved_);  // position: where they go; moved_: where they were
  mesh_->normal.swap(movedNormal_);

  const auto isSpoiled = [&](std::uint32_t t) {
    const std::uint32_t a = mesh_->from(3 * t);
    const std::uint32_t b = mesh_->from(3 * t + 1);
    const std::uint32_t c = mesh_->from(3 * t + 2);
    if (stays_[a] + stays_[b] + stays_[c] == 3) return false;
    const float now = quality(a, b, c);
    if (now < (isFresh ? kNoDirection : kSliver) &&
        now < qualityOf(moved_[a], moved_[b], moved_[c])) {
      return true;
    }
    if (!isFresh && facing(a, b, c) < kLeastFacing) return true;
    const Eigen::Vector3f before = (moved_[b] - moved_[a]).cross(moved_[c] - moved_[a]);
    const Eigen::Vector3f after =
        (mesh_->position[b] - mesh_->position[a]).cross(mesh_->position[c] - mesh_->position[a]);
    const float turned = after.dot(before);
    return isFresh ? turned <= kLeastTurned * after.norm() * before.norm() : turned < 0.0F;
  };
  std::vector<std::uint32_t> calledBack;
  const auto callBack = [&](std::uint32_t v) {
    if (stays_[v] != 0) return;
    stays_[v] = 1;
    mesh_->position[v] = moved_[v];
    mesh_->normal[v] = movedNormal_[v];
    mesh_->onCrease[v] = wasOnCrease_[v];
    calledBack.push_back(v);
  };
  for (std::uint32_t v = 0; v < vertices; ++v) {
    if (!projection_->onSurface(v)) callBack(v);
  }
  calledBack.clear();  // what that spoils is found with all the rest
  parallelFor(triangles, kVerticesAtOnce, threads_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      spoiled_[t] = isSpoiled(static_cast<std::uint32_t>(t)) ? 1 : 0;
    }
  });
  for (std::uint32_t t = 0; t < triangles; ++t) {
    for (std::uint32_t k = 0; spoiled_[t] != 0 && k < 3; ++k)
      callBack(mesh_->from(3 * t + k));
  }
  for (std::size_t i = 0; i < calledBack.size(); ++i) {
    const std::uint32_t start = mesh_->outgoing(calledBack[i]);
    std::uint32_t h = start;
    do {
      if (isSpoiled(h / 3)) {
        for (std::uint32_t k = 0; k < 3; ++k)
          callBack(mesh_->from(h - h % 3 + k));
      }
      h = mesh_->aroundFrom(h);
    } while (h != start);
  }
}

void Remesher::settle() {
  // A vertex that cannot go to the surface keeps the mesh's own normal.
  const std::uint32_t vertices = mesh_->vertexCount();
  for (Eigen::Vector3f& normal : mesh_->normal)
    normal.setZero();
  for (std::uint32_t h = 0; h < mesh_->halfEdgeCount(); h += 3) {
    const std::uint32_t a = mesh_->from(h);
    const std::uint32_t b = mesh_->from(h + 1);
    const std::uint32_t c = mesh_->from(h + 2);
    const Eigen::Vector3f across =
        (mesh_->position[b] - mesh_->position[a]).cross(mesh_->position[c] - mesh_->position[a]);
    for (const std::uint32_t v : {a, b, c})
      mesh_->normal[v] += across;
  }
  for (std::uint32_t v = 0; v < vertices; ++v) {
    const float length = mesh_->normal[v].norm();
    if (length > 0.0F) mesh_->normal[v] /= length;
  }
  moved_ = mesh_->position;
  movedNormal_.resize(vertices);
  projection_->project(moved_, movedNormal_);
  wasOnCrease_ = mesh_->onCrease;
  moveWithoutHarm(true);
}

// Towards the mean of the centroids of the triangles around, weighted by how much larger than
// wanted they are, and along the surface only.
Eigen::Vector3f Remesher::shiftToMean(std::uint32_t vertex) const {
  const Eigen::Vector3f& here = mesh_->position[vertex];
  Eigen::Vector3f sum = Eigen::Vector3f::Zero();
  float weights = 0.0F;
  std::uint32_t h = mesh_->outgoing(vertex);
  do {
    const std::uint32_t b = mesh_->to(h);
    const std::uint32_t c = mesh_->opposite(h);
    const Eigen::Vector3f first = mesh_->position[b] - here;
    const Eigen::Vector3f second = mesh_->position[c] - here;
    const float length = wanted(b) + wanted(c);
    const float weight = first.cross(second).norm() / (length * length);
    sum += weight * (first + second);
    weights += weight;
    h = mesh_->aroundFrom(h);
  } while (h != mesh_->outgoing(vertex));
  if (!(weights > 0.0F)) return Eigen::Vector3f::Zero();
  const Eigen::Vector3f shift = (kRelaxation / 3.0F / weights) * sum;
  return shift - shift.dot(mesh_->normal[vertex]) * mesh_->normal[vertex];
}

// To where the tangent plane of the vertex meets that of a neighbour across a crease: the nearest
// such line, from a point in the vertex' own plane; zero if none is near. `allowance` is how far
// from the surface that place may be for it to be a crease: a fillet of radius r that turns by the
// angle w between the planes is away from their line by r (1 / cos(w / 2) - 1).
Eigen::Vector3f Remesher::shiftToCrease(std::uint32_t vertex, const Eigen::Vector3f& from,
                                        float& allowance) const {
  const Eigen::Vector3f& normal = mesh_->normal[vertex];
  const float sharp = mesh_->onCrease[vertex] != 0 ? kSharpOnCrease : kSharp;
  const float length = wanted(vertex);
  float nearest = kCreaseCatch * length;
  Eigen::Vector3f shift = Eigen::Vector3f::Zero();
  std::uint32_t h = mesh_->outgoing(vertex);
  do {
    const std::uint32_t other = mesh_->to(h);
    h = mesh_->aroundFrom(h);
    const Eigen::Vector3f& otherNormal = mesh_->normal[other];
    const float cosine = normal.dot(otherNormal);
    if (cosine >= sharp || cosine <= -kSharp) continue;
    const float gap = (mesh_->position[other] - from).dot(otherNormal);
    const Eigen::Vector3f step = (gap / (1.0F - cosine * cosine)) * (otherNormal - cosine * normal);
    const float distance = step.norm();
    if (distance >= nearest) continue;
    nearest = distance;
    shift = step;
    allowance = length * (kCreaseMiss + kNarrowFillet * (std::sqrt(2.0F / (1.0F + cosine)) - 1.0F));
  } while (h != mesh_->outgoing(vertex));
  return shift;
}

// Of two vertices on either side of a crease only the nearer goes onto it: a triangle between them
// would else be left without area.
bool Remesher::isNearestToCrease(std::uint32_t vertex) const {
  const float mine = toCrease_[vertex].squaredNorm();
  std::uint32_t h = mesh_->outgoing(vertex);
  do {
    const std::uint32_t other = mesh_->to(h);
    h = mesh_->aroundFrom(h);
    if (creaseAllowance_[other] == 0.0F ||
        mesh_->normal[vertex].dot(mesh_->normal[other]) >= kSharp ||
        (mesh_->onCrease[vertex] != 0 && mesh_->onCrease[other] != 0)) {
      continue;
    }
    const float its = toCrease_[other].squaredNorm();
    if (its < mine || (its == mine && other < vertex)) return false;
  } while (h != mesh_->outgoing(vertex));
  return true;
}

// Sends the vertices near a crease onto it instead, where the surface really has one.
void Remesher::catchCreases() {
  creaseVertex_.clear();
  creasePoint_.clear();
  for (std::uint32_t v = 0; v < mesh_->vertexCount(); ++v) {
    if (creaseAllowance_[v] == 0.0F || !isNearestToCrease(v)) continue;
    creaseVertex_.push_back(v);
    creasePoint_.push_back(moved_[v] + toCrease_[v]);
  }
  creaseNormal_.resize(creasePoint_.size());
  projection_->project(creasePoint_, creaseNormal_);
  wasOnCrease_ = mesh_->onCrease;
  std::fill(mesh_->onCrease.begin(), mesh_->onCrease.end(), std::uint8_t{0});
  for (std::size_t i = 0; i < creaseVertex_.size(); ++i) {
    const std::uint32_t v = creaseVertex_[i];
    if (!projection_->onSurface(i) ||
        (creasePoint_[i] - moved_[v] - toCrease_[v]).norm() > creaseAllowance_[v]) {
      continue;
    }
    moved_[v] = creasePoint_[i];
    mesh_->onCrease[v] = 1;
  }
}

void Remesher::relax() {
  const std::uint32_t vertices = mesh_->vertexCount();
  moved_.resize(vertices);
  movedNormal_.resize(vertices);
  toCrease_.resize(vertices);
  creaseAllowance_.assign(vertices, 0.0F);
  parallelFor(vertices, kVerticesAtOnce, threads_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto v = static_cast<std::uint32_t>(i);
      moved_[v] = mesh_->position[v] + shiftToMean(v);
      toCrease_[v] = shiftToCrease(v, moved_[v], creaseAllowance_[v]);
    }
  });
  catchCreases();
  projection_->project(moved_, movedNormal_);
  moveWithoutHarm(false);
}

// Edges in order of length over wanted length, shortest first. Sorted into buckets only: 1/512 of
// the squared ratio is finer than what tells a good choice from a bad one, and linear in time.
void Remesher::orderEdges() {
  constexpr std::uint16_t kBuckets = 4096;
  constexpr float kBucketsPerUnit = 512.0F;
  std::vector<std::uint32_t> start(kBuckets + 1, 0);
  edgeBucket_.assign(mesh_->halfEdgeCount(), kBuckets);
  for (std::uint32_t h = 0; h < mesh_->halfEdgeCount(); ++h) {
    if (mesh_->isRemoved(h) || h > mesh_->twin(h)) continue;
    const float ratio = edgeSquared(h) / wantedSquared(h);
    edgeBucket_[h] = static_cast<std::uint16_t>(
        std::min(ratio * kBucketsPerUnit, static_cast<float>(kBuckets - 1)));
    ++start[edgeBucket_[h] + 1U];
  }
  for (std::uint32_t b = 0; b < kBuckets; ++b)
    start[b + 1] += start[b];
  edgeOrder_.resize(start[kBuckets]);
  for (std::uint32_t h = 0; h < mesh_->halfEdgeCount(); ++h) {
    if (edgeBucket_[h] != kBuckets) edgeOrder_[start[edgeBucket_[h]]++] = h;
  }
}

std::size_t Remesher::collapseEdges(std::size_t count) {
  constexpr float kLongest = 3.0F;  // squared, in wanted lengths: rather too long than not at all
  orderEdges();
  frozen_.assign(mesh_->vertexCount(), 0);
  std::size_t done = 0;
  for (const std::uint32_t h : edgeOrder_) {
    if (done == count) break;
    if (mesh_->isRemoved(h) || frozen_[mesh_->from(h)] != 0 || frozen_[mesh_->to(h)] != 0) {
      continue;
    }
    const float longest = kLongest * wantedSquared(h);
    const std::uint32_t t = mesh_->twin(h);
    const float there = mayCollapse(h) ? qualityAfterCollapse(h, longest) : -1.0F;
    const float back = mayCollapse(t) ? qualityAfterCollapse(t, longest) : -1.0F;
    if (std::max(there, back) < kLeastAfterCollapse) continue;
    const std::uint32_t chosen = there >= back ? h : mesh_->twin(h);
    const std::uint32_t kept = mesh_->to(chosen);
    mesh_->collapse(chosen);
    ++done;
    std::uint32_t around = mesh_->outgoing(kept);
    do {
      frozen_[mesh_->to(around)] = 1;
      around = mesh_->aroundFrom(around);
    } while (around != mesh_->outgoing(kept));
    frozen_[kept] = 1;
  }
  mesh_->compact();
  return done;
}

std::size_t Remesher::splitEdges(std::size_t count) {
  orderEdges();
  frozen_.assign(mesh_->vertexCount(), 0);
  const std::uint32_t oldVertices = mesh_->vertexCount();
  std::size_t done = 0;
  for (auto edge = edgeOrder_.rbegin(); edge != edgeOrder_.rend() && done < count; ++edge) {
    const std::uint32_t h = *edge;
    const std::array<std::uint32_t, 4> corners = {mesh_->from(h), mesh_->to(h), mesh_->opposite(h),
                                                  mesh_->opposite(mesh_->twin(h))};
    if (std::any_of(corners.begin(), corners.end(),
                    [&](std::uint32_t v) { return v >= oldVertices || frozen_[v] != 0; })) {
      continue;
    }
    for (const std::uint32_t v : corners)
      frozen_[v] = 1;
    mesh_->split(h, 0.5F * (mesh_->position[corners[0]] + mesh_->position[corners[1]]));
    ++done;
  }
  projection_->project(std::span(mesh_->position).subspan(oldVertices),
                       std::span(mesh_->normal).subspan(oldVertices));
  return done;
}

void Remesher::meetCount(std::size_t triangles) {
  while (mesh_->triangleCount() != triangles) {
    const std::size_t now = mesh_->triangleCount();
    const std::size_t done =
        now > triangles ? collapseEdges((now - triangles) / 2) : splitEdges((triangles - now) / 2);
    if (done == 0) break;
  }
}

// Looks for a better place of one vertex around where it is: eight directions, four distances.
bool Remesher::moveForAngles(std::uint32_t vertex) {
  if (mesh_->onCrease[vertex] != 0) return false;
  constexpr float kDiagonal = 0.70710678F;
  constexpr std::array<std::array<float, 2>, 8> kWays = {{{1.0F, 0.0F},
                                                          {kDiagonal, kDiagonal},
                                                          {0.0F, 1.0F},
                                                          {-kDiagonal, kDiagonal},
                                                          {-1.0F, 0.0F},
                                                          {-kDiagonal, -kDiagonal},
                                                          {0.0F, -1.0F},
                                                          {kDiagonal, -kDiagonal}}};
  const Eigen::Vector3f up = mesh_->normal[vertex];
  const Eigen::Vector3f aside =
      std::abs(up.x()) < 0.6F ? Eigen::Vector3f::UnitX() : Eigen::Vector3f::UnitY();
  const Eigen::Vector3f first = aside.cross(up).normalized();
  const Eigen::Vector3f second = up.cross(first);
  const float length = wanted(vertex);

  Star best = starOf(vertex);
  Eigen::Vector3f bestPlace = mesh_->position[vertex];
  Eigen::Vector3f bestNormal = up;
  bool found = false;
  for (const float step : {0.3F, 0.15F, 0.07F, 0.03F}) {
    const Eigen::Vector3f centre = bestPlace;
    for (const auto& [x, y] : kWays) {
      Eigen::Vector3f there = centre + (step * length) * (x * first + y * second);
      Eigen::Vector3f normalThere = up;
      if (!projection_->projectOne(there, normalThere)) continue;
      mesh_->position[vertex] = there;
      mesh_->normal[vertex] = normalThere;
      const Star now = starOf(vertex);
      if (now.quality <= best.quality) continue;
      if (now.facing < kLeastFacing && now.facing < best.facing) continue;
      best = now;
      bestPlace = there;
      bestNormal = normalThere;
      found = true;
    }
  }
  mesh_->position[vertex] = bestPlace;
  mesh_->normal[vertex] = bestNormal;
  return found;
}

// Takes a triangle away by the collapse, of its six, that leaves the best triangles, all better
// than `least`.
bool Remesher::collapseWorst(std::uint32_t triangle, float least) {
  std::uint32_t chosen = SurfaceMesh::kNone;
  float best = least;
  for (std::uint32_t k = 0; k < 3; ++k) {
    const std::uint32_t edge = 3 * triangle + k;
    if (!mesh_->canCollapse(edge)) continue;
    for (const std::uint32_t h : {edge, mesh_->twin(edge)}) {
      const float after = qualityAfterCollapse(h, kLongSquared * kLongSquared * wantedSquared(h));
      if (after <= best) continue;
      best = after;
      chosen = h;
    }
  }
  if (chosen == SurfaceMesh::kNone) return false;
  mesh_->collapse(chosen);
  return true;
}

// Whether a vertex can be put elsewhere without turning a triangle around it much, or flattening
// one.
bool Remesher::canMove(std::uint32_t vertex, const Eigen::Vector3f& there) const {
  const Eigen::Vector3f& here = mesh_->position[vertex];
  std::uint32_t h = mesh_->outgoing(vertex);
  do {
    const Eigen::Vector3f& b = mesh_->position[mesh_->to(h)];
    const Eigen::Vector3f& c = mesh_->position[mesh_->opposite(h)];
    const Eigen::Vector3f before = (b - here).cross(c - here);
    const Eigen::Vector3f after = (b - there).cross(c - there);
    if (after.dot(before) <= kLeastTurned * after.norm() * before.norm()) return false;
    const float quality = qualityOf(there, b, c);
    if (quality < kNoDirection && quality < qualityOf(here, b, c)) return false;
    h = mesh_->aroundFrom(h);
  } while (h != mesh_->outgoing(vertex));
  return true;
}

// Vertices that were kept from the surface, or did not find it (in a cleft narrower than a cell):
// one by one, when all around has settled, there may be a way; if not, they go into a neighbour.
bool Remesher::bringHome() {
  moved_ = mesh_->position;
  movedNormal_ = mesh_->normal;
  projection_->project(moved_, movedNormal_);
  bool changed = false;
  for (std::uint32_t v = 0; v < mesh_->vertexCount(); ++v) {
    const bool isHome = projection_->onSurface(v);
    if (isHome && moved_[v] == mesh_->position[v]) continue;
    if (isHome && canMove(v, moved_[v])) {
      mesh_->position[v] = moved_[v];
      mesh_->normal[v] = movedNormal_[v];
      changed = true;
      continue;
    }
    std::uint32_t chosen = SurfaceMesh::kNone;
    float best = kNoDirection;
    const std::uint32_t start = mesh_->outgoing(v);
    std::uint32_t h = start;
    do {
      const float longest = kLongSquared * kLongSquared * wantedSquared(h);
      const float after = mesh_->canCollapse(h) ? qualityAfterCollapse(h, longest) : -1.0F;
      if (after > best) {
        best = after;
        chosen = h;
      }
      h = mesh_->aroundFrom(h);
    } while (h != start);
    if (chosen == SurfaceMesh::kNone) continue;
    mesh_->collapse(chosen);
    changed = true;
  }
  mesh_->compact();
  return changed;
}

// Moves the corners of each sliver, and collapses those that this does not help; what then misses
// comes back by splits elsewhere.
void Remesher::mendSlivers(std::size_t triangles) {
  for (int round = 0; round < kMendingRounds; ++round) {
    bool changed = bringHome();
    for (std::uint32_t h = 0; h < mesh_->halfEdgeCount(); h += 3) {
      if (mesh_->isRemoved(h) || qualityOfTriangle(h / 3) >= kSliver) continue;
      for (std::uint32_t k = 0; k < 3; ++k) {
        changed = moveForAngles(mesh_->from(h + k)) || changed;
      }
      if (qualityOfTriangle(h / 3) >= kSliver) continue;
      changed = collapseWorst(h / 3, qualityOfTriangle(h / 3)) || changed;
    }
    if (!changed) return;
    mesh_->compact();
    meetCount(triangles);
    flipForAngles();
  }
}

void Remesher::unfold(const std::vector<std::uint32_t>& folded, std::size_t triangles) {
  for (const std::uint32_t t : folded) {
    if (!mesh_->isRemoved(3 * t)) collapseWorst(t, -1.0F);
  }
  mesh_->compact();
  meetCount(triangles);
  flipForAngles();
  mendSlivers(triangles);
}

void Remesher::remesh(std::size_t triangles) {
  const float goal = edgeLengthFor(*mesh_, triangles);
  edge_ = edgeLengthFor(*mesh_, mesh_->triangleCount());
  while (mesh_->triangleCount() > 2 * triangles && edge_ < goal) {
    edge_ = std::min(kCoarsening * edge_, goal);
    collapseShort();
    flipForValence();
    relax();
  }
  edge_ = goal;
  flipForValence();
  relax();
  bringHome();
  splitLong();
  meetCount(triangles);
  for (int round = 0; round < kSmoothingRounds; ++round) {
    flipForValence();
    relax();
  }
  flipForAngles();
  relax();
  flipForAngles();
  mendSlivers(triangles);
}

}  // namespace tactus::models
