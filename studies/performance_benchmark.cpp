#include "studies/performance_benchmark.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <bit>
#include <chrono>
#include <map>
#include <memory>
#include <thread>
#include <utility>

#include "collision/pointshell/voxmap_pointshell.hpp"
#include "collision/tree/proximity.hpp"
#include "studies/fcl_peer.hpp"
#include "studies/peer_contacts.hpp"
#include "studies/plain_pointshell_loop.hpp"
#include "studies/random_stream.hpp"
#include "studies/stolen_time.hpp"
#include "studies/textbook_tree_query.hpp"

namespace tactus::studies {
namespace {

using collision::CollisionObject;
using collision::ProximityBody;
using collision::ProximityScratch;
using models::Result;
using Clock = std::chrono::steady_clock;

// As long as a millisecond or two for the fastest method: longer than a thread needs to get the
// caches back, shorter than what a neighbour of a virtual machine does.
constexpr std::size_t kBlock = 32;

// On a busy machine a query of some milliseconds is hardly ever left alone.
constexpr std::size_t kMostInterruptions = 8;

double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// FNV-1a's step with a mix, 64 bits at a time.
class AnswerHash {
 public:
  void add(double value) {
    hash_ = (hash_ ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3U;
    hash_ ^= hash_ >> 29U;
  }
  void add(const Eigen::Vector3d& vector) {
    add(vector.x());
    add(vector.y());
    add(vector.z());
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

QueryAnswer answerOf(const collision::Proximity& found) {
  AnswerHash hash;
  for (const double value : {found.volume, found.volumeLower, found.volumeUpper, found.distance})
    hash.add(value);
  for (const Eigen::Vector3d& vector :
       {found.force, found.torque, found.nearestOnA, found.nearestOnB})
    hash.add(vector);
  return {found.volume, found.distance, hash.value(),
          QueryWork{
              .pairTests = found.pairs.pairTests,
              .nodePairs = found.pairs.nodePairs + found.pairs.mixedPairs + found.facets.nodePairs,
              .leafPairs = found.pairs.leafPairs,
              .cubes = found.cubes,
              .facetPairs = found.facets.facetPairs}};
}

QueryAnswer answerOf(const collision::PenetrationVolume& found) {
  AnswerHash hash;
  hash.add(found.volume);
  hash.add(found.force);
  hash.add(found.torque);
  return {found.volume, 0.0, hash.value(),
          QueryWork{.pairTests = found.counters.pairTests,
                    .nodePairs = found.counters.nodePairs + found.counters.mixedPairs,
                    .leafPairs = found.counters.leafPairs}};
}

QueryAnswer answerOf(const TextbookVolume& found) {
  AnswerHash hash;
  hash.add(found.volume);
  return {found.volume, 0.0, hash.value(),
          QueryWork{.pairTests = found.pairTests, .leafPairs = found.leafPairs}};
}

QueryAnswer answerOf(const collision::PointForce& found) {
  AnswerHash hash;
  hash.add(found.distance);
  hash.add(found.force);
  hash.add(found.torque);
  QueryAnswer answer{0.0, found.distance, hash.value(),
                     QueryWork{.pairTests = found.nodeTests + found.pointTests}};
  answer.force = found.force;
  return answer;
}

QueryAnswer answerOf(const PlainPointForce& found) {
  AnswerHash hash;
  hash.add(found.force);
  hash.add(found.torque);
  QueryAnswer answer{0.0, 0.0, hash.value(), {}};
  answer.force = found.force;
  return answer;
}

QueryAnswer answerOf(const FclPeer::Nearest& found) {
  AnswerHash hash;
  hash.add(found.distance);
  return {0.0, found.distance, hash.value(), {}};
}

QueryAnswer answerOf(const PeerContacts::Answer& found) {
  AnswerHash hash;
  hash.add(static_cast<double>(found.contacts));
  hash.add(found.deepest);
  QueryAnswer answer{0.0, 0.0, hash.value(), {}};
  answer.contacts = found.contacts;
  return answer;
}

/// The library of a method that asks a peer for contacts, if this build has it.
const PeerLibrary* libraryOf(PerformanceMethod method) {
  static const std::vector<PeerLibrary> libraries = peerContacts();
  const auto found = std::ranges::find(libraries, nameOf(method), &PeerLibrary::name);
  return found == libraries.end() ? nullptr : &*found;
}

bool isWanted(const PerformanceSettings& settings, PerformanceMethod method) {
  return settings.methods.empty() ||
         std::ranges::find(settings.methods, method) != settings.methods.end();
}

bool asksForContacts(PerformanceMethod method) {
  return method == PerformanceMethod::FclContacts || method == PerformanceMethod::Bullet;
}

/// An object with the structures of all methods that are wanted.
struct Contestant {
  CollisionObject object;
  models::Mesh mesh;  ///< for peers
  std::unique_ptr<TextbookTree> textbook;
  std::unique_ptr<PlainPointshell> plain;
  std::unique_ptr<FclPeer> fcl;
  double textbookSeconds = 0.0, plainSeconds = 0.0, fclSeconds = 0.0;
};

Result<Contestant> contestantOf(CollisionObject object, const PerformanceSettings& settings) {
  Contestant contestant;
  Clock::time_point start = Clock::now();
  if (isWanted(settings, PerformanceMethod::IstTextbook)) {
    contestant.textbook = std::make_unique<TextbookTree>(object.tree);
    contestant.textbookSeconds = 1e-6 * microsecondsSince(start);
  }
  start = Clock::now();
  if (isWanted(settings, PerformanceMethod::VpsPlain)) {
    contestant.plain = std::make_unique<PlainPointshell>(object.pointshell, object.voxmap);
    contestant.plainSeconds = 1e-6 * microsecondsSince(start);
  }
  Result<collision::SolidMesh> solid = object.cold->solid();
  if (!solid) return solid.error();
  contestant.mesh = std::move(solid).value().mesh;
  if (FclPeer::isThere() && isWanted(settings, PerformanceMethod::Fcl)) {
    start = Clock::now();
    contestant.fcl = std::make_unique<FclPeer>(contestant.mesh);
    contestant.fclSeconds = 1e-6 * microsecondsSince(start);
  }
  contestant.object = std::move(object);
  return contestant;
}

/// Two contestants, and one thread's memory.
class Duel {
 public:
  Duel(const Contestant& a, const Contestant& b)
      : a_(a),
        b_(b),
        bodyA_(a.object.body()),
        bodyB_(b.object.body()),
        scratch_(bodyA_, bodyB_),
        points_({&a.object.pointshell, &a.object.voxmap},
                {&b.object.pointshell, &b.object.voxmap}) {}

  /// A single query and how long it took [us].
  double ask(PerformanceMethod method, const Eigen::Isometry3d& aFromB, QueryAnswer& answer) {
    scratch_.forget();
    switch (method) {
      case PerformanceMethod::Ist:
        return timed(answer, [&] { return proximity(bodyA_, bodyB_, aFromB, scratch_); });
      case PerformanceMethod::IstVolume:
        return timed(answer, [&] {
          return penetrationVolume(bodyA_.spheres, bodyB_.spheres, aFromB, scratch_.penetration);
        });
      case PerformanceMethod::IstTextbook:
        return timed(answer, [&] { return textbookVolume(*a_.textbook, *b_.textbook, aFromB); });
      case PerformanceMethod::Vps:
        return timed(answer, [&] { return points_.query(aFromB); });
      case PerformanceMethod::VpsPlain:
        return timed(answer, [&] { return PlainPointshell::query(*a_.plain, *b_.plain, aFromB); });
      case PerformanceMethod::Fcl:
        return timed(answer, [&] { return a_.fcl->distance(*b_.fcl, aFromB); });
      case PerformanceMethod::FclContacts:
      case PerformanceMethod::Bullet: {
        PeerContacts& peer = peerOf(method);
        return timed(answer, [&] { return peer.query(aFromB); });
      }
    }
    return 0.0;
  }

  /// How long the structures of a peer took; 0 if it was not asked [s].
  [[nodiscard]] double peerSeconds(PerformanceMethod method) const {
    return peerSeconds_[static_cast<std::size_t>(method)];
  }

 private:
  template <typename Query>
  static double timed(QueryAnswer& answer, const Query& query) {
    const Clock::time_point start = Clock::now();
    const auto found = query();
    const double us = microsecondsSince(start);
    answer = answerOf(found);
    return us;
  }

  /// Made when it is first asked: most duels do without.
  PeerContacts& peerOf(PerformanceMethod method) {
    std::unique_ptr<PeerContacts>& peer = peers_[static_cast<std::size_t>(method)];
    if (!peer) {
      const Clock::time_point start = Clock::now();
      peer = libraryOf(method)->make(a_.mesh, b_.mesh);
      peerSeconds_[static_cast<std::size_t>(method)] = 1e-6 * microsecondsSince(start);
    }
    return *peer;
  }

  const Contestant& a_;
  const Contestant& b_;
  ProximityBody bodyA_, bodyB_;
  ProximityScratch scratch_;
  collision::VoxmapPointshell points_;
  std::array<std::unique_ptr<PeerContacts>, kPerformanceMethods> peers_;
  std::array<double, kPerformanceMethods> peerSeconds_{};
};

bool isAsked(const PerformanceSettings& settings, PerformanceMethod method,
             WantedStand::Kind kind) {
  if (!isWanted(settings, method)) return false;
  if (method == PerformanceMethod::Fcl && !FclPeer::isThere()) return false;
  if (asksForContacts(method) && libraryOf(method) == nullptr) return false;
  return answers(method, kind);
}

/// All poses of a pair, all methods, as often as asked. Returns whether repetitions agreed.
bool timePoses(Duel& duel, std::vector<PosePerformance>& poses, const PerformanceSettings& settings,
               std::size_t& interrupted) {
  std::vector<std::size_t> order;
  for (std::size_t p = 0; p < poses.size(); ++p)
    order.insert(order.end(), static_cast<std::size_t>(settings.repetitions), p);
  RandomStream(1).shuffle(order);
  std::vector<Eigen::Isometry3d> isometries;
  for (PosePerformance& pose : poses) {
    isometries.push_back(pose.configuration.aFromB());
    for (std::vector<double>& times : pose.times)
      times.clear();
  }
  bool isSteady = true;
  std::vector<std::size_t> queue;
  const auto runBlock = [&](std::size_t block, bool counts) {
    const std::size_t begin = block * kBlock;
    const std::size_t end = std::min(begin + kBlock, order.size());
    for (std::size_t m = 0; m < kPerformanceMethods; ++m) {
      const std::size_t which = (m + block) % kPerformanceMethods;
      const auto method = static_cast<PerformanceMethod>(which);
      queue.clear();
      for (std::size_t i = begin; i < end; ++i) {
        if (isAsked(settings, method, poses[order[i]].configuration.wanted.kind))
          queue.push_back(order[i]);
      }
      // What was interrupted goes to the end of the block.
      const std::size_t most = queue.size() * kMostInterruptions;
      for (std::size_t i = 0; i < queue.size(); ++i) {
        PosePerformance& pose = poses[queue[i]];
        QueryAnswer answer;
        const long switches = involuntarySwitches();
        const double us = duel.ask(method, isometries[queue[i]], answer);
        if (!counts) continue;
        if (involuntarySwitches() != switches && queue.size() < most) {
          queue.push_back(queue[i]);
          ++interrupted;
          continue;
        }
        if (!pose.times[which].empty() && answer.hash != pose.answers[which].hash) isSteady = false;
        pose.times[which].push_back(us);
        pose.answers[which] = answer;
      }
    }
  };
  runBlock(0, false);  // page faults, and code that was never run
  for (std::size_t block = 0; block * kBlock < order.size(); ++block)
    runBlock(block, true);
  return isSteady;
}

/// Pieces of work a second: each thread takes the next one when it is free.
template <typename Work>
double throughput(std::size_t threads, std::size_t pieces, const Work& work) {
  std::atomic<std::size_t> next = 0;
  Clock::time_point start;
  std::barrier ready(static_cast<std::ptrdiff_t>(threads),
                     [&start]() noexcept { start = Clock::now(); });
  const auto run = [&](std::size_t thread) {
    ready.arrive_and_wait();
    for (std::size_t i = next++; i < pieces; i = next++)
      work(thread, i);
  };
  std::vector<std::thread> others;
  for (std::size_t t = 1; t < threads; ++t)
    others.emplace_back(run, t);
  run(0);
  for (std::thread& thread : others)
    thread.join();
  return static_cast<double>(pieces) / (1e-6 * microsecondsSince(start));
}

/// Some 50 us of arithmetic that waits for nothing but itself.
void spin(std::size_t piece) {
  constexpr int kSteps = 20'000;
  RandomStream stream(piece);
  std::uint64_t sum = 0;
  for (int k = 0; k < kSteps; ++k)
    sum ^= stream.next();
  [[maybe_unused]] volatile const std::uint64_t kept = sum;  // or nothing need be computed
}

void timeThreads(const Contestant& a, const Contestant& b,
                 const std::vector<PosePerformance>& poses, const PerformanceSettings& settings,
                 PairPerformance& pair) {
  std::vector<Eigen::Isometry3d> isometries;
  isometries.reserve(poses.size());
  for (const PosePerformance& pose : poses)
    isometries.push_back(pose.configuration.aFromB());
  RandomStream(2).shuffle(isometries);
  constexpr std::size_t kThreads = 2;
  std::vector<std::unique_ptr<Duel>> duels;  // each thread has its own memory
  duels.reserve(kThreads);
  for (std::size_t t = 0; t < kThreads; ++t)
    duels.push_back(std::make_unique<Duel>(a, b));
  const auto query = [&](std::size_t thread, std::size_t i) {
    QueryAnswer answer;
    duels[thread]->ask(PerformanceMethod::Ist, isometries[i % isometries.size()], answer);
  };
  const auto arithmetic = [](std::size_t /*thread*/, std::size_t i) { spin(i); };
  // Once for warmth, and to learn how many make a round.
  const auto piecesOf = [&](const auto& work) {
    throughput(kThreads, isometries.size(), work);
    const double rate = throughput(1, isometries.size(), work);
    return std::max(isometries.size(),
                    static_cast<std::size_t>(rate * settings.threadRoundSeconds));
  };
  const std::size_t queries = piecesOf(query);
  const std::size_t spins = piecesOf(arithmetic);
  for (std::vector<double>* rates :
       {&pair.oneThread, &pair.twoThreads, &pair.oneSpinning, &pair.twoSpinning})
    rates->clear();
  for (int round = 0; round < settings.threadRounds; ++round) {
    pair.oneThread.push_back(throughput(1, queries, query));
    pair.twoThreads.push_back(throughput(kThreads, queries, query));
    pair.oneSpinning.push_back(throughput(1, spins, arithmetic));
    pair.twoSpinning.push_back(throughput(kThreads, spins, arithmetic));
  }
}

/// Opens each object once.
class Contestants {
 public:
  explicit Contestants(const PerformanceSettings& settings) : settings_(settings) {}

  Result<std::shared_ptr<const Contestant>> open(const std::string& name,
                                                 PerformanceBenchmark& benchmark) {
    if (const auto known = open_.find(name); known != open_.end()) return known->second;
    collision::BuildParameters parameters;
    parameters.spheres = settings_.spheres;
    Result<CollisionObject> object = settings_.open("builtin:" + name, parameters);
    if (!object) return object.error();
    benchmark.models.push_back({name, object.value().figures});
    Result<Contestant> contestant = contestantOf(std::move(object).value(), settings_);
    if (!contestant) return contestant.error();
    auto shared = std::make_shared<const Contestant>(std::move(contestant).value());
    open_[name] = shared;
    return std::shared_ptr<const Contestant>(shared);
  }

 private:
  const PerformanceSettings& settings_;
  std::map<std::string, std::shared_ptr<const Contestant>> open_;
};

}  // namespace

std::string_view nameOf(PerformanceMethod method) noexcept {
  switch (method) {
    case PerformanceMethod::Ist:
      return "ist";
    case PerformanceMethod::IstVolume:
      return "ist_volume";
    case PerformanceMethod::IstTextbook:
      return "ist_textbook";
    case PerformanceMethod::Vps:
      return "vps";
    case PerformanceMethod::VpsPlain:
      return "vps_plain";
    case PerformanceMethod::Fcl:
      return "fcl";
    case PerformanceMethod::FclContacts:
      return "fcl_contacts";
    case PerformanceMethod::Bullet:
      return "bullet";
  }
  return {};
}

bool answers(PerformanceMethod method, WantedStand::Kind kind) noexcept {
  switch (method) {
    case PerformanceMethod::Ist:
    case PerformanceMethod::Vps:
      return true;
    case PerformanceMethod::IstVolume:
    case PerformanceMethod::IstTextbook:
    case PerformanceMethod::VpsPlain:
    case PerformanceMethod::FclContacts:
    case PerformanceMethod::Bullet:
      return kind == WantedStand::Kind::Overlap;
    case PerformanceMethod::Fcl:
      return kind == WantedStand::Kind::Gap;
  }
  return false;
}

bool isComparable(PerformanceMethod method, WantedStand::Kind kind) noexcept {
  if (method == PerformanceMethod::VpsPlain || asksForContacts(method)) return false;
  return method != PerformanceMethod::Vps || kind == WantedStand::Kind::Gap;
}

bool PerformanceBenchmark::isValid() const noexcept {
  return worstStolenShare() <= kMostStolen;
}

double PerformanceBenchmark::worstStolenShare() const noexcept {
  double worst = 0.0;
  for (const PairPerformance& pair : pairs)
    worst = std::max(worst, pair.stolenShare);
  return worst;
}

Result<PerformanceBenchmark> benchmarkPerformance(const PerformanceSettings& settings) {
  PerformanceBenchmark benchmark;
  benchmark.spheres = settings.spheres;
  benchmark.repetitions = settings.repetitions;
  Contestants opened(settings);
  const std::size_t steps = 2 * settings.sets.size();
  const auto tell = [&](std::size_t number, const char* step, const ConfigurationSet& set) {
    if (settings.onStep) settings.onStep({number, steps, step, set.a + " " + set.b});
  };
  // All objects first: what builds them would disturb the timings, and leave the caches warm.
  using Shared = std::shared_ptr<const Contestant>;
  std::vector<std::pair<Shared, Shared>> duels;
  for (std::size_t s = 0; s < settings.sets.size(); ++s) {
    const ConfigurationSet& set = settings.sets[s];
    tell(s + 1, "open", set);
    const Result<Shared> a = opened.open(set.a, benchmark);
    if (!a) return a.error();
    const Result<Shared> b = opened.open(set.b, benchmark);
    if (!b) return b.error();
    duels.emplace_back(a.value(), b.value());
  }
  for (std::size_t s = 0; s < settings.sets.size(); ++s) {
    const ConfigurationSet& set = settings.sets[s];
    tell(settings.sets.size() + s + 1, "time", set);
    const auto& [a, b] = duels[s];
    PairPerformance pair;
    pair.a = set.a;
    pair.b = set.b;
    pair.textbookSeconds = a->textbookSeconds + b->textbookSeconds;
    pair.plainSeconds = a->plainSeconds + b->plainSeconds;
    pair.fclSeconds = a->fclSeconds + b->fclSeconds;
    std::vector<PosePerformance> poses;
    poses.reserve(set.configurations.size());
    for (const OverlapConfiguration& configuration : set.configurations)
      poses.push_back({s, configuration, {}, {}});
    Duel duel(*a, *b);
    for (pair.attempts = 1;; ++pair.attempts) {
      const StolenTime stolen;
      pair.isSteady = timePoses(duel, poses, settings, pair.interrupted);
      if (!poses.empty() && settings.threadRounds > 0) timeThreads(*a, *b, poses, settings, pair);
      pair.stolenShare = stolen.share();
      if (pair.stolenShare <= kMostStolen || pair.attempts == kMostAttempts) break;
    }
    pair.fclContactsSeconds = duel.peerSeconds(PerformanceMethod::FclContacts);
    pair.bulletSeconds = duel.peerSeconds(PerformanceMethod::Bullet);
    benchmark.pairs.push_back(std::move(pair));
    benchmark.poses.insert(benchmark.poses.end(), poses.begin(), poses.end());
  }
  return benchmark;
}

}  // namespace tactus::studies
