// Which pairs touch, and by what forces; which of them are asked in this step, which are carried
// on.
#include <algorithm>
#include <cmath>

#include "collision/surface/separation_list.hpp"
#include "response/bodies/world.hpp"

namespace tactus::response {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

// A distance takes as long as some ten times the law of a pair that is just apart. So it pays if
// the pair is then left alone for as many steps; otherwise it is not asked for a while, since the
// law alone says whether they touch.
constexpr double kStepsThatPay = 10.0;
constexpr std::uint8_t kPatience = 60;

// One in a step: it takes as long as the law of a pair in contact, and whoever has to wait for it
// is told by the law meanwhile that they are apart.
constexpr std::uint32_t kDistancesOfStep = 1;

// Of that one: 500 pairs of nodes are usual between meshes of 100,000 triangles, and 14 us. What is
// cut here is asked again soon, and starts from the closest triangles that it has found.
constexpr std::uint32_t kMostNodePairs = 2048;

// Where surfaces lie side by side, all of them are nearly closest, and the distance itself took up
// to 0.3 ms. To know seven tenths of it for certain took a quarter of the time in the pile of
// twenty, and pairs were hardly asked more often.
constexpr double kShareOfDistance = 0.7;

// A contact that is carried on has changed by this share at most. The push of rounded bodies grows
// with the square of their depth: then it is off by less than a fiftieth, and for one step.
constexpr double kMostChange = 0.25;

/// By which a turned frame has turned, for small turns: sine times axis.
Vector3d turnBetween(const Matrix3d& from, const Matrix3d& to) noexcept {
  const Matrix3d by = to * from.transpose();
  return 0.5 * Vector3d(by(2, 1) - by(1, 2), by(0, 2) - by(2, 0), by(1, 0) - by(0, 1));
}

double volumeOf(const collision::ContactPatches& patches) {
  double volume = 0.0;
  for (const collision::ContactPatch& patch : patches.all())
    volume += patch.volume;
  return volume;
}

}  // namespace

void World::findContacts() noexcept {
  touching_.clear();
  active_.clear();
  corePairs_.clear();
  waiting_.clear();
  testsOfWaiting_ = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    if (isActive(bodies_[i])) active_.push_back(static_cast<std::uint32_t>(i));
  }
  // grows by what is woken on the way
  for (std::size_t k = 0; k < active_.size(); ++k)
    compareWithAll(active_[k]);
  askWaiting();
  std::sort(touching_.begin(), touching_.end());
  std::sort(corePairs_.begin(), corePairs_.end());
  counters_.touching = static_cast<std::uint32_t>(touching_.size());
  for (Body& body : bodies_)
    body.wasPlaced = false;
}

void World::compareWithAll(std::size_t body) noexcept {
  for (std::size_t other = 0; other < size(); ++other) {
    if (other == body || !schedule_.isDueWithin(body, other, ahead(body, other))) continue;
    Pair& pair = pairs_[pairOf(body, other)];
    if (!pair.isOfInterest || pair.askedIn == stepNumber_) continue;
    pair.askedIn = stepNumber_;
    const bool canMove = isMovable(bodies_[body]) || bodies_[body].isAsleep ||
                         isMovable(bodies_[other]) || bodies_[other].isAsleep;
    if (!canMove) continue;
    compare(std::min(body, other), std::max(body, other));
    // what touches what is active is active, too
    if (!pair.touches || !bodies_[other].isAsleep) continue;
    wake(other);
    active_.push_back(static_cast<std::uint32_t>(other));
  }
}

void World::compare(std::size_t i, std::size_t j) noexcept {
  ++counters_.due;
  const Body& a = bodies_[i];
  const Body& b = bodies_[j];
  Pair& pair = pairs_[pairOf(i, j)];
  // also of those that are not asked: the law says by what their cores meet
  pair.law.request(settings_.law);
  pair.law.update(pair.touches);
  double gap = (a.motion.centre - b.motion.centre).norm() - (a.mass.radius + b.mass.radius);
  if (!(gap > 0.0) && !pair.touches && pair.law.inForce() == ContactLaw::Depth)
    gap = gapOfFaces(a.box, b.box, a.pose.inverse(Eigen::Isometry) * b.pose);
  if (gap > 0.0) {
    schedule_.apartBy(i, j, gap);
    release(pair);
  } else if (!waits(i, j, pair)) {
    askContact(i, j, pair);
  }
  if (!(gap > ahead(i, j)) && mayMeetCores(i, j) && corePairs_.size() < corePairs_.capacity())
    corePairs_.push_back(static_cast<std::uint32_t>(pairOf(i, j)));
}

void World::askContact(std::size_t i, std::size_t j, Pair& pair) noexcept {
  const Body& a = bodies_[i];
  const Body& b = bodies_[j];
  const Isometry3d aFromB = a.pose.inverse(Eigen::Isometry) * b.pose;
  const Material material = materialOf(a, b);
  ++counters_.queried;
  const ContactForce force =
      contactForce(a.solid, b.solid, aFromB, material,
                   {.law = pair.law.inForce(), .budget = settings_.budgetOfPair, .length = length_},
                   scratch_, &patches_);
  if (force.isCut) ++counters_.cut;
  counters_.tests += force.tests;
  if (pair.touches && contacts_[pair.contact].age != 0) testsOfWaiting_ += force.tests;
  if (!force.touches) {
    release(pair);
    askDistance(i, j, aFromB, pair);
    return;
  }
  if (!pair.touches) {
    if (places_.empty()) {
      ++counters_.dropped;
      return;
    }
    pair.touches = true;
    pair.contact = places_.back();
    places_.pop_back();
    contacts_[pair.contact].bristles.count = 0;
    contacts_[pair.contact].isNew = true;
  }
  PairContact& contact = contacts_[pair.contact];
  contact.a = static_cast<std::uint32_t>(i);
  contact.b = static_cast<std::uint32_t>(j);
  contact.law = pair.law.inForce();
  contact.force = force;
  contact.patches = patches_;
  contact.material = material;
  contact.age = 0;
  if (contact.isNew) contact.aFromB = aFromB;
  follow(contact, aFromB);
}

/// Takes the bristles along, and tells that they touch.
void World::follow(PairContact& contact, const Isometry3d& aFromB) noexcept {
  const Body& b = bodies_[contact.b];
  followPatches(contact.patches, turnBetween(contact.aFromB.linear(), aFromB.linear()),
                collision::farthestMove(contact.aFromB, aFromB, b.mass.centre, b.mass.radius),
                contact.bristles);
  contact.aFromB = aFromB;
  contact.worldFromA = bodies_[contact.a].pose;
  touching_.push_back(static_cast<std::uint32_t>(pairOf(contact.a, contact.b)));
}

CarriedContact World::carried(const PairContact& contact) const noexcept {
  const Isometry3d aFromB =
      bodies_[contact.a].pose.inverse(Eigen::Isometry) * bodies_[contact.b].pose;
  return carriedContact(contact.force, contact.aFromB, aFromB, length_);
}

/// Lets a pair wait for its turn, if it may be carried on.
bool World::waits(std::size_t i, std::size_t j, const Pair& pair) noexcept {
  if (!pair.touches) return false;
  const PairContact& contact = contacts_[pair.contact];
  if (contact.isNew || contact.age >= kOldest) return false;
  for (const Body* body : {&bodies_[i], &bodies_[j]}) {
    // hands feel what is; what sleeps is not looked at but to wake it
    if (body->kind == BodyKind::Tool || body->kind == BodyKind::Kinematic || body->isAsleep)
      return false;
  }
  const double change = carried(contact).change;
  if (!(change <= kMostChange)) return false;
  waiting_.push_back({change, static_cast<std::uint32_t>(pairOf(i, j))});
  return true;
}

/// Whose turn it is: by tests as near to half of what waited and waits as whole pairs come, and
/// more while the step has tests left. Those come first that have changed most.
void World::askWaiting() noexcept {
  std::uint32_t wait = 0;
  for (const WaitingPair& waiting : waiting_)
    wait += contacts_[pairs_[waiting.pair].contact].force.tests;
  const std::uint32_t half = (testsOfWaiting_ + wait) / 2;
  std::sort(waiting_.begin(), waiting_.end(), [](const WaitingPair& a, const WaitingPair& b) {
    return a.change != b.change ? a.change > b.change : a.pair < b.pair;
  });
  std::uint32_t asked = testsOfWaiting_;
  for (const WaitingPair& waiting : waiting_) {
    Pair& pair = pairs_[waiting.pair];
    const std::uint32_t own = contacts_[pair.contact].force.tests;
    if (asked + own / 2 >= half && counters_.tests >= settings_.testsOfStep) {
      carryOn(pair);
      continue;
    }
    const std::uint32_t before = counters_.tests;
    askContact(waiting.pair / size(), waiting.pair % size(), pair);
    asked += counters_.tests - before;
  }
}

void World::carryOn(Pair& pair) noexcept {
  PairContact& contact = contacts_[pair.contact];
  const CarriedContact carriedOn = carried(contact);
  contact.force = carriedOn.force;
  scalePatches(carriedOn.scale, contact.patches);
  ++contact.age;
  ++counters_.carried;
  follow(contact, bodies_[contact.a].pose.inverse(Eigen::Isometry) * bodies_[contact.b].pose);
}

Material World::materialOf(const Body& a, const Body& b) const noexcept {
  Material pair = pairedWith(a.material, b.material);
  const double factor = a.stiffnessFactor * b.stiffnessFactor;
  pair.stiffness *= factor;
  pair.pressure *= factor;
  pair.layerStiffness *= factor;
  return pair;
}

ContactLoad World::loadOn(std::size_t body, const Isometry3d& pose) noexcept {
  ContactLoad load;
  const Body& of = bodies_[body];
  const Vector3d centre = pose * of.mass.centre;
  for (std::size_t other = 0; other < size(); ++other) {
    Pair& pair = pairs_[pairOf(body, other)];
    if (other == body || !pair.isOfInterest) continue;
    const Body& beside = bodies_[other];
    const Isometry3d& worldFromOther = beside.seen();
    const double reach = of.mass.radius + beside.mass.radius;
    pair.law.request(settings_.law);
    pair.law.update(pair.touches || pair.isLoaded);
    pair.isLoaded = false;
    if (!((centre - worldFromOther * beside.mass.centre).norm() <= reach)) continue;
    // in the order of a contact of step(), so that a pair pushes the same whoever asks
    const bool isFirst = body < other;
    const Isometry3d& worldFromA = isFirst ? pose : worldFromOther;
    const Isometry3d& worldFromB = isFirst ? worldFromOther : pose;
    const Isometry3d aFromB = worldFromA.inverse(Eigen::Isometry) * worldFromB;
    // most of what is beside a hand's tool, and a tenth of the time of an answer that says so
    if (pair.law.inForce() == ContactLaw::Depth &&
        gapOfFaces(isFirst ? of.box : beside.box, isFirst ? beside.box : of.box, aFromB) > 0.0)
      continue;
    const bool isByDepth = pair.law.inForce() == ContactLaw::Depth;
    if (isByDepth && wereApartAt(pairOf(body, other), aFromB)) {
      ++loads_;
      continue;
    }
    const Material material = isFirst ? materialOf(of, beside) : materialOf(beside, of);
    const ContactForce force = contactForce(
        isFirst ? of.solid : beside.solid, isFirst ? beside.solid : of.solid, aFromB, material,
        {.law = pair.law.inForce(), .budget = settings_.budgetOfPair, .length = length_}, scratch_,
        &patches_);
    ++loads_;
    if (force.isCut) ++cutLoads_;
    if (!force.touches) {
      if (isByDepth && !force.isCut) rememberApart(pairOf(body, other), aFromB);
      continue;
    }
    pair.isLoaded = true;
    pair.loadedIn = stepNumber_;
    if (isFirstLoad_ && body == loaded_) holdBy(body, other, aFromB, material);
    const Matrix3d turn = worldFromA.linear();
    const Wrench& push = isFirst ? force.onA : force.onB;
    const Vector3d pushed = turn * push.force;
    load.energy += force.energy;
    load.volume += volumeOf(patches_);
    load.wrench.force += pushed;
    load.wrench.torque += turn * push.torque;
    // about the middle of pressure, where it has no negative eigenvalues, and from there about the
    // origin without the turned force: so it keeps none
    load.stiffness +=
        turnedAndMoved(force.stiffness, turn, worldFromA * force.point - pose.translation());
  }
  if (body == loaded_) addHeld(body, pose, load);
  return load;
}

bool World::wereApartAt(std::size_t pair, const Isometry3d& aFromB) const noexcept {
  const Apart& apart = apart_[pair % kMostApart];
  if (apart.pair != pair || apart.budget != settings_.budgetOfPair) return false;
  for (std::size_t k = 0; k < apart.count; ++k) {
    if (apart.at[k].matrix() == aFromB.matrix()) return true;
  }
  return false;
}

/// In place of what another pair had there.
void World::rememberApart(std::size_t pair, const Isometry3d& aFromB) noexcept {
  Apart& apart = apart_[pair % kMostApart];
  if (apart.pair != pair || apart.budget != settings_.budgetOfPair) {
    apart.pair = static_cast<std::uint32_t>(pair);
    apart.budget = settings_.budgetOfPair;
    apart.count = 0;
  }
  if (apart.count > 0) apart.at[1] = apart.at[0];
  apart.at[0] = aFromB;
  apart.count = std::min<std::uint32_t>(apart.count + 1, 2);
}

void World::askDistance(std::size_t i, std::size_t j, const Isometry3d& aFromB,
                        Pair& pair) noexcept {
  if (pair.patience > 0) {
    --pair.patience;
    return;
  }
  const Body& a = bodies_[i];
  const Body& b = bodies_[j];
  if (a.solid.body.facets.empty() || b.solid.body.facets.empty()) return;
  if (counters_.distances == kDistancesOfStep) return;
  ++counters_.distances;
  distance_.remember(a.solid.body.facets, b.solid.body.facets, pair.nearA, pair.nearB);
  const collision::FacetDistance found =
      collision::facetDistance(a.solid.body.facets, b.solid.body.facets, aFromB, distance_,
                               {.nodePairs = kMostNodePairs, .share = kShareOfDistance});
  pair.nearA = distance_.lastA;
  pair.nearB = distance_.lastB;
  // floats of the facets are off by so much of the bodies' size
  constexpr double kLost = 4e-6;
  const double gap = found.least - kLost * (a.mass.radius + b.mass.radius);
  schedule_.apartBy(i, j, gap);
  if (!(gap > kStepsThatPay * (a.lastPath + b.lastPath))) pair.patience = kPatience;
}

void World::release(Pair& pair) noexcept {
  if (!pair.touches) return;
  bookEnd(contacts_[pair.contact]);
  places_.push_back(pair.contact);
  pair.touches = false;
}

World::ContactSum World::contactsOn(std::size_t body) const noexcept {
  ContactSum sum;
  for (std::size_t k = 0; k < contactCount(); ++k) {
    const PairContact& pair = contact(k);
    if (pair.a != body && pair.b != body) continue;
    // as it was then: bodies have moved since
    const Isometry3d worldFromB = pair.worldFromA * pair.aFromB;
    const Matrix3d turn = pair.worldFromA.linear();
    const Vector3d originOfB = worldFromB.translation();
    const Vector3d centre = body == pair.a ? pair.worldFromA * bodies_[pair.a].mass.centre
                                           : worldFromB * bodies_[pair.b].mass.centre;
    const Wrench about =
        aboutPoint({turn * pair.force.onB.force, turn * pair.force.onB.torque}, originOfB, centre);
    const double sign = body == pair.b ? 1.0 : -1.0;
    sum.wrench += sign * stacked(about.force, about.torque);
    sum.stiffness += turnedAndMoved(pair.force.stiffness, turn, pair.point - centre);
    sum.energy += pair.force.energy;
    sum.energyAfter += pair.energyAfter;
  }
  return sum;
}

}  // namespace tactus::response
