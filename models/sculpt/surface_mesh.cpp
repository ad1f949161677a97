#include "models/sculpt/surface_mesh.hpp"

#include <utility>

namespace tactus::models {

SurfaceMesh::SurfaceMesh(std::vector<Eigen::Vector3f> positions,
                         const std::vector<Triangle>& triangles,
                         const std::vector<std::uint64_t>& hints)
    : position(std::move(positions)), triangles_(triangles.size()) {
  normal.assign(position.size(), Eigen::Vector3f::Zero());
  target.assign(position.size(), 0.0F);
  onCrease.assign(position.size(), 0);
  outgoing_.assign(position.size(), kNone);
  from_.resize(3 * triangles.size());
  twin_.assign(from_.size(), kNone);

  // Half-edges in order of the vertex they leave; each then looks for its twin among the few that
  // leave its end.
  std::vector<std::uint32_t> first(position.size() + 1, 0);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      from_[3 * t + k] = triangles[t][k];
      ++first[triangles[t][k] + 1];
    }
  }
  for (std::size_t v = 0; v < position.size(); ++v)
    first[v + 1] += first[v];
  std::vector<std::uint32_t> leaving(from_.size());
  std::vector<std::uint32_t> filled(first.begin(), first.end() - 1);
  for (std::uint32_t h = 0; h < halfEdgeCount(); ++h)
    leaving[filled[from_[h]]++] = h;

  for (std::uint32_t h = 0; h < halfEdgeCount(); ++h) {
    outgoing_[from_[h]] = h;
    if (twin_[h] != kNone) continue;
    const std::uint32_t start = from_[h];
    const std::uint32_t end = to(h);
    for (std::uint32_t i = first[end]; i < first[end + 1]; ++i) {
      const std::uint32_t other = leaving[i];
      if (to(other) != start || twin_[other] != kNone) continue;
      twin_[h] = other;  // kept if no hint speaks for a better one
      if (hints[h / 3] == hints[other / 3]) break;
    }
    if (twin_[h] != kNone) twin_[twin_[h]] = h;
  }
}

std::uint32_t SurfaceMesh::valence(std::uint32_t vertex) const {
  std::uint32_t count = 0;
  std::uint32_t h = outgoing_[vertex];
  do {
    ++count;
    h = aroundFrom(h);
  } while (h != outgoing_[vertex]);
  return count;
}

bool SurfaceMesh::areJoined(std::uint32_t a, std::uint32_t b) const {
  std::uint32_t h = outgoing_[a];
  do {
    if (to(h) == b) return true;
    h = aroundFrom(h);
  } while (h != outgoing_[a]);
  return false;
}

std::uint32_t SurfaceMesh::split(std::uint32_t h, const Eigen::Vector3f& where) {
  const std::uint32_t t = twin_[h];
  const std::uint32_t a = from_[h];
  const std::uint32_t b = from_[t];
  const std::uint32_t left = opposite(h);
  const std::uint32_t right = opposite(t);
  const std::uint32_t afterH = next(h);       // b to left
  const std::uint32_t beforeT = previous(t);  // right to b
  const std::uint32_t outerLeft = twin_[afterH];
  const std::uint32_t outerRight = twin_[beforeT];

  const std::uint32_t m = vertexCount();
  position.push_back(where);
  const Eigen::Vector3f sum = normal[a] + normal[b];
  const float length = sum.norm();
  normal.push_back(length > 0.0F ? Eigen::Vector3f(sum / length) : normal[a]);
  target.push_back(0.5F * (target[a] + target[b]));
  onCrease.push_back(0);

  // (a b left) becomes (a m left) and a new (m b left); (b a right) becomes (m a right) and a new
  // (b m right).
  const std::uint32_t n = halfEdgeCount();
  from_.insert(from_.end(), {m, b, left, b, m, right});
  twin_.resize(twin_.size() + 6, kNone);
  from_[afterH] = m;
  from_[t] = m;
  pair(n + 1, outerLeft);   // b left
  pair(n + 2, afterH);      // left m, m left
  pair(n, n + 3);           // m b, b m
  pair(n + 4, beforeT);     // m right, right m
  pair(n + 5, outerRight);  // right b
  pair(h, t);               // a m, m a
  outgoing_.push_back(n);
  outgoing_[b] = n + 1;
  outgoing_[right] = n + 5;
  triangles_ += 2;
  return m;
}

// The ends share exactly the two corners opposite the edge, and neither corner loses its third
// edge.
bool SurfaceMesh::canCollapse(std::uint32_t h) const {
  const std::uint32_t t = twin_[h];
  const std::uint32_t a = from_[h];
  const std::uint32_t b = from_[t];
  const std::uint32_t left = opposite(h);
  const std::uint32_t right = opposite(t);
  if (left == right) return false;
  for (std::uint32_t i = aroundFrom(h); i != h; i = aroundFrom(i)) {
    const std::uint32_t neighbour = to(i);
    if (neighbour == left || neighbour == right) continue;
    for (std::uint32_t j = aroundFrom(t); j != t; j = aroundFrom(j)) {
      if (to(j) == neighbour) return false;
    }
  }
  return valence(left) > 3 && valence(right) > 3 && valence(a) + valence(b) > 6;
}

void SurfaceMesh::collapse(std::uint32_t h) {
  const std::uint32_t t = twin_[h];
  const std::uint32_t a = from_[h];
  const std::uint32_t b = from_[t];
  const std::uint32_t left = opposite(h);
  const std::uint32_t right = opposite(t);
  const std::uint32_t leftOfB = twin_[next(h)];       // left to b
  const std::uint32_t leftOfA = twin_[previous(h)];   // a to left
  const std::uint32_t rightOfA = twin_[next(t)];      // right to a
  const std::uint32_t rightOfB = twin_[previous(t)];  // b to right

  for (std::uint32_t i = aroundFrom(h); i != h; i = aroundFrom(i))
    from_[i] = b;
  pair(leftOfA, leftOfB);
  pair(rightOfA, rightOfB);
  outgoing_[b] = leftOfA;
  outgoing_[left] = leftOfB;
  outgoing_[right] = rightOfA;
  outgoing_[a] = kNone;
  for (const std::uint32_t gone : {h, t}) {
    const std::uint32_t corner = gone - gone % 3;
    for (std::uint32_t k = 0; k < 3; ++k)
      from_[corner + k] = kNone;
  }
  triangles_ -= 2;
}

bool SurfaceMesh::canFlip(std::uint32_t h) const {
  const std::uint32_t left = opposite(h);
  const std::uint32_t right = opposite(twin_[h]);
  return left != right && !areJoined(left, right) && valence(from_[h]) > 3 &&
         valence(from_[twin_[h]]) > 3;
}

void SurfaceMesh::flip(std::uint32_t h) {
  const std::uint32_t t = twin_[h];
  const std::uint32_t afterH = next(h);
  const std::uint32_t beforeH = previous(h);
  const std::uint32_t afterT = next(t);
  const std::uint32_t beforeT = previous(t);
  const std::uint32_t a = from_[h];
  const std::uint32_t b = from_[t];
  const std::uint32_t left = from_[beforeH];
  const std::uint32_t right = from_[beforeT];
  const std::uint32_t bLeft = twin_[afterH];
  const std::uint32_t aRight = twin_[afterT];

  // (a b left) and (b a right) become (right left a) and (left right b): h runs from right to left.
  from_[h] = right;
  from_[afterH] = left;
  from_[beforeH] = a;
  from_[t] = left;
  from_[afterT] = right;
  from_[beforeT] = b;
  const std::uint32_t leftA = twin_[beforeH];
  const std::uint32_t rightB = twin_[beforeT];
  pair(afterH, leftA);    // left a
  pair(beforeH, aRight);  // a right
  pair(afterT, rightB);   // right b
  pair(beforeT, bLeft);   // b left
  outgoing_[a] = beforeH;
  outgoing_[b] = beforeT;
  outgoing_[left] = afterH;
  outgoing_[right] = afterT;
}

void SurfaceMesh::compact() {
  std::vector<std::uint32_t> newVertex(position.size(), kNone);
  std::uint32_t vertices = 0;
  for (std::uint32_t v = 0; v < vertexCount(); ++v) {
    if (outgoing_[v] == kNone) continue;
    newVertex[v] = vertices;
    position[vertices] = position[v];
    normal[vertices] = normal[v];
    target[vertices] = target[v];
    onCrease[vertices] = onCrease[v];
    outgoing_[vertices] = outgoing_[v];
    ++vertices;
  }
  position.resize(vertices);
  normal.resize(vertices);
  target.resize(vertices);
  onCrease.resize(vertices);
  outgoing_.resize(vertices);

  std::vector<std::uint32_t> newCorner(from_.size() / 3, kNone);
  std::uint32_t corner = 0;
  for (std::uint32_t h = 0; h < halfEdgeCount(); h += 3) {
    if (from_[h] == kNone) continue;
    newCorner[h / 3] = corner;
    corner += 3;
  }
  const auto moved = [&](std::uint32_t h) { return newCorner[h / 3] + h % 3; };
  for (std::uint32_t h = 0; h < halfEdgeCount(); ++h) {
    if (from_[h] == kNone) continue;
    const std::uint32_t place = moved(h);  // never behind what is still to be read
    from_[place] = newVertex[from_[h]];
    twin_[place] = moved(twin_[h]);
  }
  from_.resize(corner);
  twin_.resize(corner);
  for (std::uint32_t& h : outgoing_)
    h = moved(h);
}

std::vector<Triangle> SurfaceMesh::triangleList() const {
  std::vector<Triangle> list;
  list.reserve(triangles_);
  for (std::uint32_t h = 0; h < halfEdgeCount(); h += 3) {
    if (from_[h] != kNone) list.push_back({from_[h], from_[h + 1], from_[h + 2]});
  }
  return list;
}

}  // namespace tactus::models
