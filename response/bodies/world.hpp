#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/broad/pair_schedule.hpp"
#include "collision/contact/contact_patches.hpp"
#include "collision/surface/facet_distance.hpp"
#include "collision/tree/time_of_impact.hpp"
#include "response/bodies/held_friction.hpp"
#include "response/bodies/implicit_contacts.hpp"
#include "response/bodies/rigid_body.hpp"
#include "response/bodies/turned_boxes.hpp"
#include "response/contact/bristle_friction.hpp"
#include "response/contact/carried_contact.hpp"
#include "response/contact/contact_law.hpp"
#include "response/contact/material.hpp"
#include "response/coupling/contact_load.hpp"
#include "response/wrench.hpp"

namespace tactus::response {

enum class BodyKind : std::uint8_t {
  Fixed,      ///< never moves
  Kinematic,  ///< moves as it is told, whatever pushes
  Dynamic,    ///< falls, slides, sleeps
  Tool,       ///< as a dynamic one that a hand holds: without gravity, never asleep
};

/// A body as a world is given it.
struct BodyDescription {
  ContactSolid solid;
  BodyMass mass;
  Material material;
  BodyKind kind = BodyKind::Dynamic;
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();  ///< of the mesh, in the world
  /// How deep below the surface the hard core begins, by the balls of the solid's tree [m]. Of two
  /// bodies the lesser counts, and cores never enter each other, whatever pushes. Negative: half of
  /// the largest ball's radius, so a plate has its core in the middle half.
  double coreInset = -1.0;
};

/// What acts on a body besides its contacts and its weight: force and torque about its centre of
/// mass, in the world's axes, and how they change as it moves: wrench - stiffness * (shift, turn)
/// - damping * (velocity, angular velocity - those at which `wrench` was measured are 0).
struct ExternalWrench {
  Vector6 wrench = Vector6::Zero();     ///< at the pose as it is, of a body at rest [N, N m]
  Matrix6 stiffness = Matrix6::Zero();  ///< without negative eigenvalues
  Matrix6 damping = Matrix6::Zero();    ///< likewise
};

struct WorldSettings {
  Eigen::Vector3d gravity = Eigen::Vector3d(0.0, -9.81, 0.0);  ///< [m/s^2]
  ContactLaw law = ContactLaw::Depth;
  std::uint32_t budgetOfPair = collision::kNoBudget;  ///< see ContactSettings::budget
  /// See ImplicitSettings. With 0.55 a bounce of omega T = 0.03, 0.07, 0.14 loses some 1, 2 and 4 %
  /// of its energy, and none gains any; with 0.5 the ticks at which a contact begins and ends
  /// decide.
  double implicitness = 0.55;
  /// Where all pairs in contact take more tests together than this in a step, some of those that
  /// no hand holds are carried on by their stiffness for one step, see World. A test of a cube is
  /// some 10 ns, so this is a sixth of a millisecond, which pairs have to themselves in any scene.
  std::uint32_t testsOfStep = 16'000;
  std::uint32_t rounds = 10;  ///< of solveContacts()
  bool hasCores = true;       ///< of pairs with a tree; see BodyDescription::coreInset
  /// Pairs of nodes that each search for the impact of two cores may open, some 60 ns each. In the
  /// shipped scenes 614 is the most; between objects of 100,000 spheres 4435, in 4320 steps of a
  /// hundredth of their size (10 m/s). A search that is cut holds both bodies back, see step().
  std::uint32_t pairsOfImpact = 8192;
  /// Steps that each search for the contact of points with a core may make, see SweptSettings; cut
  /// the same way.
  std::uint32_t stepsOfSweep = 4096;
  bool mayAllSleep = true;
  double sleepSpeed = 2e-3;         ///< of any point of a body that falls asleep [m/s]
  double sleepTime = 0.5;           ///< for so long [s]
  std::size_t mostContacts = 1024;  ///< pairs that touch at once; memory for as many
};

/// Two bodies that touch, as the last step began. A is the one with the lower number.
struct PairContact {
  std::uint32_t a = 0, b = 0;
  ContactLaw law = ContactLaw::Depth;
  Eigen::Isometry3d worldFromA = Eigen::Isometry3d::Identity();
  Eigen::Isometry3d aFromB = Eigen::Isometry3d::Identity();
  ContactForce force;  ///< elastic; in A's frame
  collision::ContactPatches patches;
  Bristles bristles;  ///< as the step ended
  Material material;  ///< of the pair
  /// What B got in the step, of A's push and friction: world's axes, about `point` in the world.
  Wrench onB;
  Eigen::Vector3d frictionOnB = Eigen::Vector3d::Zero();  ///< its part [N]
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  std::uint32_t age = 0;  ///< steps since its law was asked: 0, or 1 where it was carried on

  /// As the step ended: its own as it began, and the work that A and B have done on it since but
  /// for that against friction [J]. Only of what touches a tool.
  double energyAfter = 0.0;

  // Of the next step.
  Vector6 guess = Vector6::Zero();
  bool isNew = true;
};

/// What the last step did.
struct WorldCounters {
  std::uint32_t due = 0;       ///< pairs whose balls were compared
  std::uint32_t loads = 0;     ///< pairs that loadOn() asked or remembered since the step before
  std::uint32_t queried = 0;   ///< of the due ones: whose contact law was asked
  std::uint32_t touching = 0;  ///< of them, and of the carried ones: all pairs in contact
  std::uint32_t carried = 0;   ///< pairs in contact whose law was asked in the step before instead
  std::uint32_t tests = 0;     ///< of cubes, balls or points, by the pairs that were asked
  std::uint32_t cut = 0;       ///< of all that were asked: by their budget
  std::uint32_t distances = 0;
  std::uint32_t cores = 0;         ///< pairs whose cores stopped each other
  std::uint32_t heldBack = 0;      ///< pairs whose search for an impact took more than it may
  std::uint32_t asleep = 0;        ///< bodies
  std::uint32_t dropped = 0;       ///< contacts for which there was no room: must be 0
  std::uint32_t frictionless = 0;  ///< patches, and pairs of loadOn(), likewise
};

/// Up to 256 rigid bodies that push each other, in steps of a millisecond.
///
/// Source: the parts name theirs: PairSchedule, contactForce(), followPatches(), solveContacts().
/// Sleeping by islands of contact is common to rigid body engines; ours compares surface speeds.
///
/// One step, in this order, all of it in the caller's thread:
/// - pairs that can have met since they were looked at are compared: balls first, then by their
///   contact law; what does not touch is put off by the distance of the surfaces
/// - where that would be too much for a step, pairs take turns: what is held by no hand, was asked
///   in the step before and has changed little since is carried on once (carriedContact()), and is
///   asked in the next step whatever happens. So no contact is older than a step, the work of a
///   step is about the same in any two, and who waits is a matter of poses and counts alone
/// - a sleeping body that an awake or moved one touches wakes, and so do those that it touches
/// - velocities at the step's end from linearly implicit contacts, with friction of each patch
/// - what touches, or is fast enough to pass through another body's shell in a step, is stopped
///   where hard cores would meet (timeOfImpactOfCores()): an overlap's energy alone cannot keep a
///   tool from being pushed through a thin plate. By a law of points, theirs are stopped as deep in
///   the other body, too (sweptContact()), up to four of them: cores are balls with gaps between,
///   through which one plate goes into another, and a surface without an inside has none. Where the
///   search for an impact was cut, both bodies go that part of their way that is known to be free,
///   at so much less speed
/// - bristles bend, bodies move, islands of bodies that have been slow for long fall asleep
///
/// Momentum: wrenches are equal and opposite about one point, and arms are measured from where a
/// body would be after the explicit part of the step. So linear and angular momentum of free bodies
/// are kept to rounding. That is why of the seed's law, whose two wrenches are not opposite, what
/// is on B counts for both. Immovable is what is fixed, kinematic or asleep.
///
/// Deviation: velocities and poses are the step's end, contacts() its beginning. Nothing is
/// allocated after construction; a step has no branch on the clock, and the same bytes on every
/// vector target.
class World {
 public:
  static constexpr std::size_t kMostBodies = 256;

  /// Precondition: not more than kMostBodies.
  explicit World(std::span<const BodyDescription> bodies, const WorldSettings& settings = {});

  [[nodiscard]] std::size_t size() const noexcept { return bodies_.size(); }
  void step(double dt) noexcept;

  /// Pairs of no interest never touch. All are of interest but those of two immovable ones.
  void setInterest(std::size_t i, std::size_t j, bool isOfInterest) noexcept;
  /// Of all pairs: those that touch go on with the law they have until they do not.
  void requestLaw(ContactLaw law) noexcept { settings_.law = law; }
  void setGravity(const Eigen::Vector3d& gravity) noexcept { settings_.gravity = gravity; }
  void setBudgetOfPair(std::uint32_t tests) noexcept { settings_.budgetOfPair = tests; }
  void setMaterial(std::size_t body, const Material& material) noexcept;

  /// Makes all contacts of a body stiffer or softer, of a pair by both factors: a tool's contacts
  /// are kept in proportion to its coupling (see ContactRatio).
  void setStiffnessFactor(std::size_t body, double factor) noexcept;
  /// What the other bodies, as they are, would do to a body at a pose; nothing moves and nothing
  /// wakes. For tools that rest where coupling and contact balance.
  [[nodiscard]] ContactLoad loadOn(std::size_t body, const Eigen::Isometry3d& pose) noexcept;
  /// Around the calls of loadOn() for a body in a tick, if friction is to hold it: the first one
  /// asks where the body is and fixes the normal forces, all have the friction of what the body
  /// would slide, and endLoads() lets slide what friction did not hold on the way to `pose`. There
  /// loads on others see the body from then on, as it will be after the step: tools that settle one
  /// after the other each pay for what they change in a contact between them, and for no more.
  void beginLoads(std::size_t body, double dt) noexcept;
  void endLoads(std::size_t body, const Eigen::Isometry3d& pose) noexcept;
  /// How much of the way from a pose to another, a point of the body going straight while it turns
  /// evenly, the body can go before its hard core meets that of another one, where loadOn() sees
  /// it: 0 to 1.
  /// For the same tools. Cores that are within each other do not hold each other.
  [[nodiscard]] double clearShare(std::size_t body, const Eigen::Isometry3d& from,
                                  const Eigen::Isometry3d& to,
                                  const Eigen::Vector3d& pointInBody) noexcept;

  /// From the next step on, until it is called again. Of dynamic bodies and tools. What is not
  /// finite counts as nothing: one such number would be everywhere after some contacts.
  void setExternal(std::size_t body, const ExternalWrench& external) noexcept;
  /// Of a kinematic body: how it moves from now on.
  void setTwist(std::size_t body, const Eigen::Vector3d& velocity,
                const Eigen::Vector3d& angularVelocity) noexcept;
  /// Lets a body that a hand holds move as it is told (Kinematic) or be pulled (Tool). Of these two
  /// kinds only.
  void setKind(std::size_t body, BodyKind kind) noexcept;
  /// Puts a body elsewhere, whatever is in between; what touched it wakes.
  void place(std::size_t body, const BodyMotion& motion) noexcept;
  void wake(std::size_t body) noexcept;

  [[nodiscard]] Eigen::Isometry3d pose(std::size_t body) const noexcept;
  [[nodiscard]] const BodyMotion& motion(std::size_t body) const noexcept {
    return bodies_[body].motion;
  }
  [[nodiscard]] const BodyMass& mass(std::size_t body) const noexcept { return bodies_[body].mass; }
  /// Velocity of the centre and angular velocity, in the world's axes.
  [[nodiscard]] Vector6 twist(std::size_t body) const noexcept;
  [[nodiscard]] bool isAsleep(std::size_t body) const noexcept { return bodies_[body].isAsleep; }

  /// Elastic wrench of all contacts on a body as the last step began, about its centre of mass
  /// then, in the world's axes, and its derivative (without negative eigenvalues).
  struct ContactSum {
    Vector6 wrench = Vector6::Zero();
    Matrix6 stiffness = Matrix6::Zero();
    double energy = 0.0;       ///< [J]
    double energyAfter = 0.0;  ///< of a tool's contacts, see PairContact [J]
  };
  [[nodiscard]] ContactSum contactsOn(std::size_t body) const noexcept;

  /// What other bodies, by moving, have brought into the contacts of a tool (BodyKind::Tool) since
  /// the start, or taken out of them [J]. Both of two tools count the energy of the contact between
  /// them as theirs, and what is brought to both is that energy, once: the one gets what the other
  /// gives. Of all others it is the work that they did on the contact; of a fixed body nothing.
  [[nodiscard]] double broughtTo(std::size_t body) const noexcept { return bodies_[body].brought; }
  /// Whether the two hung together by touching, when they were asked last, also by way of others
  /// that can move or are moved.
  [[nodiscard]] bool areJoined(std::size_t i, std::size_t j) const noexcept;

  /// Pairs that touched in the last step, by their numbers. What sleeps beside immovable things is
  /// not asked, and not among them.
  [[nodiscard]] std::size_t contactCount() const noexcept { return touching_.size(); }
  [[nodiscard]] const PairContact& contact(std::size_t k) const noexcept {
    return contacts_[pairs_[touching_[k]].contact];
  }
  [[nodiscard]] const WorldCounters& counters() const noexcept { return counters_; }

  /// Of all dynamic bodies and tools [J].
  [[nodiscard]] double kineticEnergy() const noexcept;
  /// Momentum, and angular momentum about the world's origin, of all dynamic bodies and tools.
  [[nodiscard]] Vector6 momentum() const noexcept;

 private:
  struct Body {
    explicit Body(const BodyDescription& given);

    ContactSolid solid;
    BodyBox box;  ///< of its depths, and a cube's side more
    BodyMass mass;
    TurnedInertia inertia;
    Material material;
    BodyKind kind = BodyKind::Dynamic;
    BodyMotion motion;
    Eigen::Vector3d givenTurn = Eigen::Vector3d::Zero();  ///< of a kinematic one [rad/s]
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    ExternalWrench external;
    bool hasExternal = false;
    bool isAsleep = false;
    bool wasPlaced = false;
    double coreInset = -1.0;  ///< negative: no core [m]
    double stiffnessFactor = 1.0;
    double quiet = 0.0;      ///< how long it has been slow [s]
    double lastPath = 0.0;   ///< in the last step, of any point at most [m]
    double freeShare = 1.0;  ///< of this step's way; less where the search for an impact was cut
    double brought = 0.0;    ///< into its contacts [J]
    Eigen::Isometry3d settled = Eigen::Isometry3d::Identity();  ///< where endLoads() has put it
    bool isSettled = false;  ///< and the step has not yet moved it there
    [[nodiscard]] const Eigen::Isometry3d& seen() const noexcept {
      return isSettled ? settled : pose;
    }
  };
  struct Pair {
    std::int32_t nearA = -1, nearB = -1;  ///< leaves that were closest
    std::uint32_t contact = 0;            ///< its place, if it has one
    std::uint32_t askedIn = 0;            ///< step
    std::uint32_t loadedIn = 0;           ///< step after which it last touched in loadOn()
    SwitchedLaw law;
    bool isOfInterest = true;
    bool touches = false;
    bool isLoaded = false;          ///< touched when loadOn() last asked
    std::uint8_t patience = 0;      ///< steps until its distance is asked again
    std::uint8_t corePatience = 0;  ///< likewise, whether its cores are well apart
  };

  /// Friction of a body that loadOn() is asked of, with another one.
  struct Held {
    std::uint32_t body = 0, other = 0;
    bool isTaken = false;  ///< or free for another pair
    bool touches = false;  ///< in this tick
    HeldFriction friction;
  };

  /// Poses at which loadOn() has found two bodies apart, the later one first: a hand that rests
  /// beside something asks about the same ones again and again.
  struct Apart {
    std::uint32_t pair = 0, budget = 0;
    std::uint32_t count = 0;
    std::array<Eigen::Isometry3d, 2> at;  ///< B's, in A's frame
  };

  /// A pair in contact that may be carried on, if its turn is in the next step.
  struct WaitingPair {
    double change = 0.0;  ///< since its law was asked, see CarriedContact
    std::uint32_t pair = 0;
  };

  [[nodiscard]] bool isMovable(const Body& body) const noexcept;
  [[nodiscard]] bool isActive(const Body& body) const noexcept;
  [[nodiscard]] std::size_t pairOf(std::size_t i, std::size_t j) const noexcept;
  void findContacts() noexcept;
  void compareWithAll(std::size_t body) noexcept;
  void compare(std::size_t i, std::size_t j) noexcept;
  void askContact(std::size_t i, std::size_t j, Pair& pair) noexcept;
  [[nodiscard]] CarriedContact carried(const PairContact& contact) const noexcept;
  [[nodiscard]] bool waits(std::size_t i, std::size_t j, const Pair& pair) noexcept;
  void askWaiting() noexcept;
  void carryOn(Pair& pair) noexcept;
  void follow(PairContact& contact, const Eigen::Isometry3d& aFromB) noexcept;
  void askAgain(std::size_t body) noexcept;
  void askDistance(std::size_t i, std::size_t j, const Eigen::Isometry3d& aFromB,
                   Pair& pair) noexcept;
  [[nodiscard]] bool wereApartAt(std::size_t pair, const Eigen::Isometry3d& aFromB) const noexcept;
  void rememberApart(std::size_t pair, const Eigen::Isometry3d& aFromB) noexcept;
  void holdBy(std::size_t body, std::size_t other, const Eigen::Isometry3d& aFromB,
              const Material& material) noexcept;
  void addHeld(std::size_t body, const Eigen::Isometry3d& pose, ContactLoad& load) noexcept;
  void letGoUntouched(std::size_t body) noexcept;
  void letGo(std::size_t body) noexcept;
  [[nodiscard]] Material materialOf(const Body& a, const Body& b) const noexcept;
  void release(Pair& pair) noexcept;
  void setFree(double dt) noexcept;
  void makeBlocks(double dt) noexcept;
  void addPatches(PairContact& contact) noexcept;
  [[nodiscard]] double ahead(std::size_t i, std::size_t j) const noexcept;
  [[nodiscard]] bool mayMeetCores(std::size_t i, std::size_t j) const noexcept;
  void makeCores(double dt) noexcept;
  void addCores(std::size_t i, std::size_t j, double dt) noexcept;
  [[nodiscard]] collision::RigidMotion motionOf(const Body& a, const Body& b,
                                                const MovingBody& movingA,
                                                const MovingBody& movingB,
                                                double dt) const noexcept;
  [[nodiscard]] bool areCoresApart(std::size_t i, std::size_t j,
                                   const collision::RigidMotion& motion, double path,
                                   double before) noexcept;
  [[nodiscard]] bool hasPointsForCore(std::size_t i, std::size_t j) const noexcept;
  [[nodiscard]] static bool arePointsOfFirst(const Body& a, const Body& b) noexcept;
  // Steps that a contact may be carried on. Of two the error would be four times as large, and half
  // of the work is saved by one already.
  static constexpr std::uint32_t kOldest = 1;
  // What lands flat by its points is stopped where it would turn on, too, until a plate can turn
  // about none of its edges.
  static constexpr std::size_t kMostStops = 4;
  // Places for pairs that were apart: of four tools, with 64 bodies each.
  static constexpr std::size_t kMostApart = 256;

  /// Where what may not meet would meet, in A's frame.
  struct CoreMeeting {
    bool happens = false;
    double time = 0.0;                                 ///< of the motion [s]
    double shortBy = 0.0;                              ///< the gap is less by this [m]
    Eigen::Vector3d point = Eigen::Vector3d::Zero();   ///< at that time
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< from A to B; zero if it cannot be told
    bool isCut = false;  ///< nothing meets before `time`, and what happens then is not known
  };
  [[nodiscard]] CoreMeeting firstMeeting(std::size_t i, std::size_t j,
                                         const collision::RigidMotion& motion) noexcept;
  [[nodiscard]] CoreMeeting meetingOfCores(const Body& a, const Body& b,
                                           const collision::RigidMotion& motion) noexcept;
  [[nodiscard]] CoreMeeting meetingOfPoints(const Body& a, const Body& b,
                                            const collision::RigidMotion& motion) noexcept;
  void takeResults(double dt) noexcept;
  void bookWork(double dt) noexcept;
  void bookEnd(PairContact& contact) noexcept;
  [[nodiscard]] double workOf(std::size_t body, const Wrench& onContact,
                              const Eigen::Vector3d& point, double dt) const noexcept;
  void move(double dt) noexcept;
  void letSleep(double dt) noexcept;
  void joinKinematic() noexcept;

  WorldSettings settings_;
  std::vector<Body> bodies_;
  double length_ = 0.1;
  collision::PairSchedule schedule_;
  collision::PairSchedule coreSchedule_;  ///< of pairs whose cores are well apart
  std::vector<Pair> pairs_;               ///< of i < j: i * size + j
  std::vector<PairContact> contacts_;     ///< places for pairs that touch
  std::vector<std::uint32_t> places_;     ///< of them, that are not taken
  std::vector<std::uint32_t> touching_;   ///< pairs
  std::vector<WaitingPair> waiting_;      ///< for their turn
  std::vector<std::uint32_t> active_;     ///< bodies whose pairs are compared
  std::vector<MovingBody> moving_;
  std::vector<PairBlock> pairBlocks_;
  std::vector<PatchBlock> patchBlocks_;
  std::vector<CoreBlock> coreBlocks_;
  std::vector<std::uint32_t> corePairs_;  ///< pairs whose cores may meet in this step
  std::vector<std::uint32_t> parent_;     ///< of a body in its island
  std::vector<std::uint8_t> isAwakeIsland_;
  ContactScratch scratch_;
  collision::ImpactScratch impact_;
  collision::FacetDistanceScratch distance_;
  collision::ContactPatches patches_;
  WorldCounters counters_;
  std::vector<Held> held_;
  std::vector<Apart> apart_;  ///< kMostApart places
  std::uint32_t loads_ = 0, cutLoads_ = 0, frictionlessLoads_ = 0;
  std::size_t loaded_ = kMostBodies;  ///< body between beginLoads() and endLoads(); none
  double timeOfLoads_ = 0.0;          ///< since the loads before [s]
  bool isFirstLoad_ = false;
  std::uint32_t testsOfWaiting_ = 0;  ///< by pairs whose turn it was, in this step
  std::uint32_t stepNumber_ = 0;
};

}  // namespace tactus::response
