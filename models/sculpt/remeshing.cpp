#include "models/sculpt/remeshing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "models/mesh/parallel_for.hpp"

namespace tactus::models {
namespace {

constexpr std::uint32_t kNone = SurfaceMesh::kNone;
constexpr std::size_t kVerticesAtOnce = 2048;

// Botsch and Kobbelt: an edge longer than 4/3 or shorter than 4/5 of the wanted length comes nearer
// to it by a split or a collapse.
constexpr float kLongSquared = 16.0F / 9.0F;
constexpr float kShortSquared = 16.0F / 25.0F;

// A chord of this many radii still shows a round cross-section, as a pentagon.
constexpr float kEdgePerRadius = 1.2F;
// Normals that turn by more than this along one edge of the first mesh mean a crease, which finer
// triangles would not resolve. (The chord between two unit normals.)
constexpr float kCreaseTurn = 1.0F;
// The wanted length may change by this much per length along the surface...
constexpr float kGradation = 0.4F;
// ...and is never less than this part of the length wanted where nothing curves.
constexpr float kFinest = 0.2F;

// A triangle must face within about 80 degrees of the surface normals at its corners.
constexpr float kLeastFacing = 0.15F;

// sin^2 of the angle at which mending starts: 26 degrees.
constexpr float kSliver = 0.192F;
// A flip that helps the valences may cost this much of the worse triangle's quality.
constexpr float kFlipLoss = 0.6F;

// sin^2 of the smallest angle. It lies between the two longer edges, so its sine is twice the area
// over their product.
float qualityOf(const Eigen::Vector3f& a, const Eigen::Vector3f& b, const Eigen::Vector3f& c) {
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
  return std::min(edge_, std::max(mesh_->target[vertex], kFinest * edge_));
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

bool Remesher::facesOutward(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
  const Eigen::Vector3f ab = mesh_->position[b] - mesh_->position[a];
  const Eigen::Vector3f ac = mesh_->position[c] - mesh_->position[a];
  const Eigen::Vector3f across = ab.cross(ac);
  const float least = kLeastFacing * across.norm();
  return across.dot(mesh_->normal[a]) > least && across.dot(mesh_->normal[b]) > least &&
         across.dot(mesh_->normal[c]) > least;
}

float Remesher::starQuality(std::uint32_t vertex) const {
  float worst = 1.0F;
  std::uint32_t h = mesh_->outgoing(vertex);
  do {
    worst = std::min(worst, quality(vertex, mesh_->to(h), mesh_->opposite(h)));
    h = mesh_->aroundFrom(h);
  } while (h != mesh_->outgoing(vertex));
  return worst;
}

bool Remesher::projectAll() {
  projection_->project(mesh_->position, mesh_->normal);
  for (std::size_t v = 0; v < mesh_->position.size(); ++v) {
    if (!projection_->onSurface(v)) return false;
  }
  return true;
}

void Remesher::measureCurvature() {
  const std::uint32_t vertices = mesh_->vertexCount();
  parallelFor(vertices, kVerticesAtOnce, threads_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto v = static_cast<std::uint32_t>(i);
      float curvature = 0.0F;
      std::uint32_t h = mesh_->outgoing(v);
      do {
        const float turn = (mesh_->normal[mesh_->to(h)] - mesh_->normal[v]).norm();
        if (turn < kCreaseTurn) curvature = std::max(curvature, turn / std::sqrt(edgeSquared(h)));
        h = mesh_->aroundFrom(h);
      } while (h != mesh_->outgoing(v));
      mesh_->target[v] = kEdgePerRadius / std::max(curvature, 1e-6F);
    }
  });
}

float Remesher::edgeLengthFor(std::size_t triangles) const {
  // The count that a length would lead to is the integral of one over the area of a wanted
  // triangle.
  std::vector<std::array<float, 2>> pieces;  // area, limit
  pieces.reserve(mesh_->triangleCount());
  double area = 0.0;
  for (std::uint32_t h = 0; h < mesh_->halfEdgeCount(); h += 3) {
    if (mesh_->isRemoved(h)) continue;
    const Eigen::Vector3f& a = mesh_->position[mesh_->from(h)];
    const Eigen::Vector3f ab = mesh_->position[mesh_->from(h + 1)] - a;
    const Eigen::Vector3f ac = mesh_->position[mesh_->from(h + 2)] - a;
    const float size = 0.5F * ab.cross(ac).norm();
    const float limit = (mesh_->target[mesh_->from(h)] + mesh_->target[mesh_->from(h + 1)] +
                         mesh_->target[mesh_->from(h + 2)]) /
                        3.0F;
    pieces.push_back({size, limit});
    area += static_cast<double>(size);
  }
  constexpr double kEquilateral = 0.4330127018922193;  // area over squared edge
  const auto wantedCount = static_cast<double>(triangles);
  double high = std::sqrt(area / (kEquilateral * wantedCount)) * 4.0;
  double low = high / 64.0;
  for (int step = 0; step < 24; ++step) {
    const double middle = std::sqrt(low * high);
    double count = 0.0;
    for (const auto& [size, limit] : pieces) {
      const double length = std::min(
          middle, std::max(static_cast<double>(limit), static_cast<double>(kFinest) * middle));
      count += static_cast<double>(size) / (kEquilateral * length * length);
    }
    (count > wantedCount ? low : high) = middle;
  }
  return static_cast<float>(std::sqrt(low * high));
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
  // The fan around the vertex that goes, without the two triangles of the edge.
  for (std::uint32_t i = mesh_->aroundFrom(h); i != h; i = mesh_->aroundFrom(i)) {
    const std::uint32_t b = mesh_->to(i);
    if ((mesh_->position[b] - keptAt).squaredNorm() > longestSquared) return -1.0F;
    const std::uint32_t c = mesh_->opposite(i);
    if (i == last || c == kept) continue;
    const float after = quality(kept, b, c);
    worst = std::min(worst, after);
    if (!facesOutward(kept, b, c)) return -1.0F;
    // Nor may the triangle turn far from what it was.
    const Eigen::Vector3f edge = mesh_->position[c] - mesh_->position[b];
    const Eigen::Vector3f before = edge.cross(mesh_->position[gone] - mesh_->position[b]);
    const Eigen::Vector3f now = edge.cross(keptAt - mesh_->position[b]);
    if (now.dot(before) < 0.0F) return -1.0F;
  }
  return worst;
}

void Remesher::collapseShort() {
  // A collapse may not make what will be slivers even after smoothing: 12 degrees.
  constexpr float kLeast = 0.043F;
  for (std::uint32_t h = 0; h < mesh_->halfEdgeCount(); ++h) {
    if (mesh_->isRemoved(h) || h > mesh_->twin(h)) continue;
    const float wantedHere = wantedSquared(h);
    if (edgeSquared(h) >= kShortSquared * wantedHere || !mesh_->canCollapse(h)) continue;
    const float longest = kLongSquared * wantedHere;
    const float there = qualityAfterCollapse(h, longest);
    const float back = qualityAfterCollapse(mesh_->twin(h), longest);
    if (std::max(there, back) < kLeast) continue;
    mesh_->collapse(there >= back ? h : mesh_->twin(h));
  }
}

float Remesher::qualityAfterFlip(std::uint32_t h) const {
  const std::uint32_t a = mesh_->from(h);
  const std::uint32_t b = mesh_->to(h);
  const std::uint32_t left = mesh_->opposite(h);
  const std::uint32_t right = mesh_->opposite(mesh_->twin(h));
  const float worst = std::min(quality(a, right, left), quality(b, left, right));
  if (!facesOutward(a, right, left) || !facesOutward(b, left, right)) return -1.0F;
  return worst;
}

void Remesher::flipForValence() {
  std::vector<std::uint8_t> valence(mesh_->vertexCount(), 0);
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
  constexpr float kGain = 1.02F;  // less is rounding, and could go on for ever
  for (std::uint32_t h = 0; h < mesh_->halfEdgeCount(); ++h) {
    if (mesh_->isRemoved(h) || h > mesh_->twin(h)) continue;
    const std::uint32_t a = mesh_->from(h);
    const std::uint32_t b = mesh_->to(h);
    const float now =
        std::min(quality(a, b, mesh_->opposite(h)), quality(b, a, mesh_->opposite(mesh_->twin(h))));
    if (qualityAfterFlip(h) > kGain * now && mesh_->canFlip(h)) mesh_->flip(h);
  }
}

void Remesher::relax(float strength) {
  const std::uint32_t vertices = mesh_->vertexCount();
  moved_.resize(vertices);
  movedNormal_.resize(vertices);
  stays_.assign(vertices, 0);
  // Towards the mean of the centroids of the triangles around, weighted by how much larger than
  // wanted they are, and along the surface only.
  parallelFor(vertices, kVerticesAtOnce, threads_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto v = static_cast<std::uint32_t>(i);
      const Eigen::Vector3f& here = mesh_->position[v];
      moved_[v] = here;
      if (mesh_->outgoing(v) == kNone) continue;
      Eigen::Vector3f sum = Eigen::Vector3f::Zero();
      float weights = 0.0F;
      std::uint32_t h = mesh_->outgoing(v);
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
      } while (h != mesh_->outgoing(v));
      if (!(weights > 0.0F)) continue;
      const Eigen::Vector3f shift = (strength / 3.0F / weights) * sum;
      moved_[v] = here + shift - shift.dot(mesh_->normal[v]) * mesh_->normal[v];
    }
  });
  projection_->project(moved_, movedNormal_);
  for (std::uint32_t v = 0; v < vertices; ++v) {
    if (!projection_->onSurface(v)) stays_[v] = 1;
  }
  // Let all go that spoil nothing. A triangle that folds, or gets worse than it was and than a good
  // one, calls its corners back; then the triangles around these are looked at again.
  mesh_->position.swap(moved_);  // position: where they go; moved_: where they were
  mesh_->normal.swap(movedNormal_);
  const std::uint32_t triangles = mesh_->halfEdgeCount() / 3;
  const auto isSpoiled = [&](std::uint32_t t) {
    const std::uint32_t a = mesh_->from(3 * t);
    const std::uint32_t b = mesh_->from(3 * t + 1);
    const std::uint32_t c = mesh_->from(3 * t + 2);
    if (stays_[a] + stays_[b] + stays_[c] == 3) return false;
    if (!facesOutward(a, b, c)) return true;
    const float now = quality(a, b, c);
    return now < kSliver && now < qualityOf(moved_[a], moved_[b], moved_[c]);
  };
  std::vector<std::uint32_t> callBack;
  const auto stay = [&](std::uint32_t v) {
    if (stays_[v] != 0) return;
    stays_[v] = 1;
    callBack.push_back(v);
  };
  for (std::uint32_t v = 0; v < vertices; ++v) {
    if (!projection_->onSurface(v)) stay(v);
  }
  for (const std::uint32_t v : callBack) {
    mesh_->position[v] = moved_[v];
    mesh_->normal[v] = movedNormal_[v];
  }
  callBack.clear();
  spoiled_.resize(triangles);
  parallelFor(triangles, kVerticesAtOnce, threads_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      spoiled_[t] = isSpoiled(static_cast<std::uint32_t>(t)) ? 1 : 0;
    }
  });
  for (std::uint32_t t = 0; t < triangles; ++t) {
    if (spoiled_[t] == 0) continue;
    for (std::uint32_t k = 0; k < 3; ++k)
      stay(mesh_->from(3 * t + k));
  }
  for (std::size_t i = 0; i < callBack.size(); ++i) {
    const std::uint32_t v = callBack[i];
    mesh_->position[v] = moved_[v];
    mesh_->normal[v] = movedNormal_[v];
    std::uint32_t h = mesh_->outgoing(v);
    do {
      if (isSpoiled(h / 3)) {
        for (std::uint32_t k = 0; k < 3; ++k)
          stay(mesh_->from(h - h % 3 + k));
      }
      h = mesh_->aroundFrom(h);
    } while (h != mesh_->outgoing(v));
  }
}

// Edges in order of length over wanted length, shortest first. Sorted into buckets of 1/256 octave
// of the squared ratio only: that is finer than what tells a good choice from a bad one, and linear
// in time.
void Remesher::orderEdges() {
  constexpr std::uint32_t kBuckets = 4096;
  const auto bucketOf = [&](std::uint32_t h) {
    const float ratio = edgeSquared(h) / wantedSquared(h);
    return static_cast<std::uint32_t>(std::min(ratio * 512.0F, static_cast<float>(kBuckets - 1)));
  };
  std::vector<std::uint32_t> start(kBuckets + 1, 0);
  edgeBucket_.resize(mesh_->halfEdgeCount());
  for (std::uint32_t h = 0; h < mesh_->halfEdgeCount(); ++h) {
    edgeBucket_[h] = kBuckets;
    if (mesh_->isRemoved(h) || h > mesh_->twin(h)) continue;
    edgeBucket_[h] = static_cast<std::uint16_t>(bucketOf(h));
    ++start[edgeBucket_[h] + 1];
  }
  for (std::uint32_t b = 0; b < kBuckets; ++b)
    start[b + 1] += start[b];
  edgeOrder_.resize(start[kBuckets]);
  for (std::uint32_t h = 0; h < mesh_->halfEdgeCount(); ++h) {
    if (edgeBucket_[h] != kBuckets) edgeOrder_[start[edgeBucket_[h]]++] = h;
  }
}

std::size_t Remesher::collapseEdges(std::size_t count) {
  constexpr float kLeast = 0.06F;  // 14 degrees, to be smoothed
  constexpr float kLongest = 3.0F;
  orderEdges();
  frozen_.assign(mesh_->vertexCount(), 0);
  std::size_t done = 0;
  for (const std::uint32_t h : edgeOrder_) {
    if (done == count) break;
    if (mesh_->isRemoved(h) || frozen_[mesh_->from(h)] != 0 || frozen_[mesh_->to(h)] != 0 ||
        !mesh_->canCollapse(h)) {
      continue;
    }
    const float longest = kLongest * wantedSquared(h);
    const float there = qualityAfterCollapse(h, longest);
    const float back = qualityAfterCollapse(mesh_->twin(h), longest);
    if (std::max(there, back) < kLeast) continue;
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

// Looks for a better place of one vertex around where it is: eight directions, three distances.
bool Remesher::moveForAngles(std::uint32_t vertex) {
  const Eigen::Vector3f place = mesh_->position[vertex];
  const Eigen::Vector3f up = mesh_->normal[vertex];
  const Eigen::Vector3f first =
      (std::abs(up.x()) < 0.6F ? Eigen::Vector3f::UnitX() : Eigen::Vector3f::UnitY())
          .cross(up)
          .normalized();
  const Eigen::Vector3f second = up.cross(first);
  constexpr float kDiagonal = 0.70710678F;
  constexpr std::array<std::array<float, 2>, 8> kWays = {{{1, 0},
                                                          {kDiagonal, kDiagonal},
                                                          {0, 1},
                                                          {-kDiagonal, kDiagonal},
                                                          {-1, 0},
                                                          {-kDiagonal, -kDiagonal},
                                                          {0, -1},
                                                          {kDiagonal, -kDiagonal}}};
  float best = starQuality(vertex);
  Eigen::Vector3f bestPlace = place;
  Eigen::Vector3f bestNormal = up;
  const float length = wanted(vertex);
  for (const float step : {0.3F, 0.15F, 0.07F}) {
    const Eigen::Vector3f centre = bestPlace;
    for (const auto& [x, y] : kWays) {
      Eigen::Vector3f there = centre + (step * length) * (x * first + y * second);
      Eigen::Vector3f normalThere = up;
      if (!projection_->projectOne(there, normalThere)) continue;
      mesh_->position[vertex] = there;
      mesh_->normal[vertex] = normalThere;
      const float now = starQuality(vertex);
      if (now <= best) continue;
      bool outward = true;
      std::uint32_t h = mesh_->outgoing(vertex);
      do {
        outward = outward && facesOutward(vertex, mesh_->to(h), mesh_->opposite(h));
        h = mesh_->aroundFrom(h);
      } while (h != mesh_->outgoing(vertex));
      if (!outward) continue;
      best = now;
      bestPlace = there;
      bestNormal = normalThere;
    }
  }
  mesh_->position[vertex] = bestPlace;
  mesh_->normal[vertex] = bestNormal;
  return bestPlace != place;
}

void Remesher::mendSlivers() {
  for (std::uint32_t h = 0; h < mesh_->halfEdgeCount(); h += 3) {
    if (mesh_->isRemoved(h)) continue;
    const std::array<std::uint32_t, 3> corner = {mesh_->from(h), mesh_->from(h + 1),
                                                 mesh_->from(h + 2)};
    if (quality(corner[0], corner[1], corner[2]) >= kSliver) continue;
    for (const std::uint32_t v : corner)
      moveForAngles(v);
  }
}

float Remesher::worstQuality() const {
  float worst = 1.0F;
  for (std::uint32_t h = 0; h < mesh_->halfEdgeCount(); h += 3) {
    if (mesh_->isRemoved(h)) continue;
    worst = std::min(worst, quality(mesh_->from(h), mesh_->from(h + 1), mesh_->from(h + 2)));
  }
  return worst;
}

void Remesher::remesh(std::size_t triangles) {
  const float goal = edgeLengthFor(triangles);
  // Down to near the goal in steps that are local.
  float mean = edgeLengthFor(mesh_->triangleCount());
  while (mesh_->triangleCount() > triangles + triangles) {
    mean = std::min(1.5F * mean, goal);
    edge_ = mean;
    collapseShort();
    mesh_->compact();
    flipForValence();
    relax(1.0F);
    if (mean == goal) break;
  }
  edge_ = goal;
  flipForValence();
  relax(1.2F);
  splitLong();
  meetCount(triangles);
  flipForValence();
  relax(1.2F);
  flipForValence();
  relax(1.2F);
  flipForAngles();
  relax(1.2F);
  flipForAngles();
  mendSlivers();
}

}  // namespace tactus::models
