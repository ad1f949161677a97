// A cache is believed only after it has been looked at: here each byte is flipped and each length
// cut, and content that was made wrong on purpose must not pass although its checksums are right.
#include "collision/cache/object_cache.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "collision/contact/contact_patches.hpp"
#include "collision/contact/seed_wrench.hpp"
#include "collision/pointshell/swept_points.hpp"
#include "collision/pointshell/voxmap_pointshell.hpp"
#include "collision/surface/facet_distance.hpp"
#include "collision/tree/penetration_volume.hpp"
#include "tests/collision/cache/small_object.hpp"
#include "tests/collision/cache/temporary_file.hpp"
#include "tests/fuzz/cache_check.hpp"
#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/test_folder.hpp"

namespace {

using namespace tactus::collision;
using tactus::models::Error;
using tactus::models::Reason;
using tactus::models::Result;
using tactus::tests::smallObject;
using tactus::tests::smallSolid;
using tactus::tests::TemporaryFile;

template <typename T>
bool areSame(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

template <typename T>
bool areSame(const std::vector<T>& a, const std::vector<T>& b) {
  return areSame(std::span<const T>(a), std::span<const T>(b));
}

/// To the bit, in everything that queries read.
bool areSame(const CollisionObject& a, const CollisionObject& b) {
  const InnerSphereTree::Arrays& s = a.tree.arrays();
  const InnerSphereTree::Arrays& t = b.tree.arrays();
  const FacetHierarchy::Arrays& f = a.facets.arrays();
  const FacetHierarchy::Arrays& g = b.facets.arrays();
  const DistanceField::Arrays& v = a.field.arrays();
  const DistanceField::Arrays& w = b.field.arrays();
  const DepthField::Arrays& d = a.depths.arrays();
  const DepthField::Arrays& e = b.depths.arrays();
  const Voxmap::Arrays& x = a.voxmap.arrays();
  const Voxmap::Arrays& y = b.voxmap.arrays();
  return areSame(s.bounds, t.bounds) && areSame(s.contents, t.contents) &&
         areSame(s.sums, t.sums) && areSame(s.sphereOfSlot, t.sphereOfSlot) &&
         s.origin == t.origin && s.volume == t.volume && s.leafCount == t.leafCount &&
         s.depth == t.depth && areSame(f.caps, g.caps) && areSame(f.links, g.links) &&
         areSame(f.slots, g.slots) && areSame(f.facets, g.facets) &&
         areSame(f.corners, g.corners) && f.origin == g.origin && f.radius == g.radius &&
         areSame(v.values, w.values) && v.levelCount == w.levelCount && v.origin == w.origin &&
         areSame(d.values, e.values) && d.size == e.size && d.side == e.side && d.unit == e.unit &&
         d.origin == e.origin && areSame(a.cones.arrays().cones, b.cones.arrays().cones) &&
         areSame(x.places, y.places) && areSame(x.values, y.values) && x.size == y.size &&
         x.voxel == y.voxel && x.unit == y.unit && x.coarseUnits == y.coarseUnits &&
         x.origin == y.origin && x.error.nearMost == y.error.nearMost &&
         x.error.nearRms == y.error.nearRms && x.error.anywherePoints == y.error.anywherePoints &&
         a.figures.voxmapBound.inBricks == b.figures.voxmapBound.inBricks &&
         a.figures.voxmapBound.elsewhere == b.figures.voxmapBound.elsewhere &&
         a.figures.thinWalls == b.figures.thinWalls &&
         a.figures.voxmapSeconds == b.figures.voxmapSeconds && a.parameters == b.parameters &&
         a.identity == b.identity &&
         areSame(a.pointshell.arrays().levels, b.pointshell.arrays().levels) &&
         areSame(a.pointshell.arrays().blocks, b.pointshell.arrays().blocks) &&
         areSame(a.pointshell.arrays().balls, b.pointshell.arrays().balls) &&
         areSame(a.pointshell.arrays().sums, b.pointshell.arrays().sums) &&
         areSame(a.pointshell.arrays().cones, b.pointshell.arrays().cones) &&
         areSame(a.pointshell.arrays().order, b.pointshell.arrays().order) &&
         a.pointshell.origin() == b.pointshell.origin() &&
         a.pointshell.arrays().radius == b.pointshell.arrays().radius &&
         a.figures.volume == b.figures.volume && a.figures.packSeconds == b.figures.packSeconds;
}

bool areSame(const SolidMesh& a, const SolidMesh& b) {
  return a.mesh.origin == b.mesh.origin && areSame(a.mesh.positions, b.mesh.positions) &&
         areSame(a.mesh.triangles, b.mesh.triangles) && areSame(a.remainders, b.remainders) &&
         a.mesh.mergedByRounding == b.mesh.mergedByRounding;
}

bool areSame(const PackedBalls& a, const PackedBalls& b) {
  return a.origin == b.origin && areSame(a.spheres, b.spheres) &&
         areSame(a.medialAxis, b.medialAxis);
}

bool isOneSentence(const Error& error) {
  return error.sentence.ends_with('.') && error.sentence.find('\n') == std::string::npos;
}

/// smallObject() in a file.
class Cache : public testing::Test {
 protected:
  Cache() {
    const Result<std::uint64_t> written = writeObject(smallObject(), file_.path(), false);
    EXPECT_TRUE(written.ok());
    content_ = file_.content();
    EXPECT_EQ(written.value(), content_.size());
  }

  /// Reads everything; empty if it is what was written, else the sentence.
  [[nodiscard]] std::string complaint() const {
    const Result<CollisionObject> object = readObject(file_.path());
    const auto sentence = [](const Error& error) {
      EXPECT_TRUE(isOneSentence(error)) << error.sentence;
      return error.sentence;
    };
    if (!object) return sentence(object.error());
    const Result<SolidMesh> solid = object.value().cold->solid();
    if (!solid) return sentence(solid.error());
    const Result<PackedBalls> packing = object.value().cold->packing();
    if (!packing) return sentence(packing.error());
    EXPECT_TRUE(areSame(object.value(), smallObject()));
    EXPECT_TRUE(areSame(solid.value(), smallSolid()));
    EXPECT_TRUE(areSame(packing.value(), smallObject().cold->packing().value()));
    return {};
  }

  TemporaryFile file_;
  std::string content_;
};

TEST_F(Cache, ReadsWhatWasWritten) {
  EXPECT_EQ(complaint(), "");
  const CollisionObject object = readObject(file_.path()).value();
  EXPECT_EQ(object.figures.closed, true);
  EXPECT_EQ(object.figures.spheres, 60U);
  EXPECT_EQ(object.figures.end, PackingEnd::SphereCount);
}

TEST_F(Cache, ReadAndWrittenAgainItHasTheSameBytes) {
  const TemporaryFile second;
  ASSERT_TRUE(writeObject(readObject(file_.path()).value(), second.path(), false).ok());
  EXPECT_EQ(second.content(), content_);
}

TEST_F(Cache, AnswersAsTheObjectInMemory) {
  const CollisionObject& built = smallObject();
  const CollisionObject read = readObject(file_.path()).value();
  ProximityScratch scratch(built.body(), built.body());
  for (const double shift : {0.0, 0.04, 0.09, 0.3}) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = Eigen::Vector3d(shift, 0.3 * shift, 0.0);
    const Proximity a = proximity(built.body(), built.body(), pose, scratch);
    scratch.forget();
    const Proximity b = proximity(read.body(), read.body(), pose, scratch);
    scratch.forget();
    EXPECT_EQ(a.volume, b.volume);
    EXPECT_EQ(a.volumeLower, b.volumeLower);
    EXPECT_EQ(a.volumeUpper, b.volumeUpper);
    EXPECT_EQ(a.force, b.force);
    EXPECT_EQ(a.torque, b.torque);
    EXPECT_EQ(a.distance, b.distance);
  }
}

/// What was read lives on when its file is replaced or deleted.
TEST_F(Cache, OutlivesItsFile) {
  const CollisionObject object = readObject(file_.path()).value();
  ASSERT_TRUE(writeObject(smallObject(), file_.path(), true).ok());
  std::filesystem::remove(file_.path());
  EXPECT_TRUE(areSame(object, smallObject()));
  EXPECT_TRUE(object.cold->solid().ok());
}

TEST_F(Cache, HotArraysLieInTheMapAndAreAligned) {
  const auto file = SectionFile::open(file_.path()).value();
  const CollisionObject object = readObject(file).value();
  const std::byte* const bounds = file->bytesOf(*file->find("tree.bounds")).data();
  EXPECT_EQ(static_cast<const void*>(object.tree.bounds().data()), bounds);
  for (const SectionEntry& section : file->sections()) {
    EXPECT_EQ(section.offset % 64, 0U) << section.name;
    if (section.bytes >= 4096) {
      EXPECT_EQ(section.offset % 4096, 0U) << section.name;
    }
  }
}

/// The design allows the tree 96 bytes a sphere; its head is not a sphere's.
TEST_F(Cache, TheTreeIsSmall) {
  const auto file = SectionFile::open(file_.path()).value();
  std::uint64_t bytes = 0;
  for (const SectionEntry& section : file->sections()) {
    if (section.name.starts_with("tree.")) bytes += section.bytes;
  }
  EXPECT_LE(bytes, 96U * 60U);
}

TEST_F(Cache, NothingIsOverwrittenUnasked) {
  const Result<std::uint64_t> refused = writeObject(smallObject(), file_.path(), false);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().reason, Reason::AlreadyExists);
  EXPECT_EQ(file_.content(), content_);
  EXPECT_TRUE(writeObject(smallObject(), file_.path(), true).ok());
}

TEST_F(Cache, LeavesNothingElseBehind) {
  for (const auto& entry : std::filesystem::directory_iterator(file_.folder()))
    EXPECT_EQ(entry.path(), file_.path());
  EXPECT_FALSE(writeObject(smallObject(), file_.folder() / "none" / "x.tactus", false).ok());
}

TEST_F(Cache, EveryFlippedByteIsFound) {
  const auto file = SectionFile::open(file_.path()).value();
  const int descriptor = ::open(file_.path().c_str(), O_WRONLY);
  ASSERT_GE(descriptor, 0);
  std::size_t found = 0;
  for (std::size_t i = 0; i < content_.size(); ++i) {
    const bool isInTable = i < 64 * (1 + file->sections().size());
    const bool isInSection = std::ranges::any_of(file->sections(), [&](const SectionEntry& s) {
      return i >= s.offset && i < s.offset + s.bytes;
    });
    for (const int mask : {1 << (i % 8), 0xff}) {
      const auto flipped = static_cast<char>(content_[i] ^ mask);
      ASSERT_EQ(::pwrite(descriptor, &flipped, 1, static_cast<off_t>(i)), 1);
      const std::string sentence = complaint();
      // between two sections nothing is read
      EXPECT_EQ(sentence.empty(), !isInTable && !isInSection) << "byte " << i;
      found += sentence.empty() ? 0 : 1;
    }
    ASSERT_EQ(::pwrite(descriptor, &content_[i], 1, static_cast<off_t>(i)), 1);
  }
  ::close(descriptor);
  EXPECT_GT(found, content_.size());
  EXPECT_EQ(complaint(), "");
}

TEST_F(Cache, EveryCutIsFound) {
  for (std::size_t length = content_.size(); length-- > 0;) {
    ASSERT_EQ(::truncate(file_.path().c_str(), static_cast<off_t>(length)), 0);
    EXPECT_NE(complaint(), "") << length;
  }
  file_.write(content_ + "more");
  EXPECT_NE(complaint(), "");
}

TEST_F(Cache, TellsWhatIsWrong) {
  struct Case {
    std::string content;
    Reason reason;
    std::string part;  ///< of the sentence
  };
  std::string newer = content_;
  newer[8] = 2;
  std::string older = content_;
  older[8] = 0;
  std::string noise(5000, 'x');
  const std::vector<Case> cases = {{"", Reason::Empty, "empty"},
                                   {"OFF\n1 2 3\n", Reason::UnknownFormat, "not a cache"},
                                   {noise, Reason::UnknownFormat, "not a cache"},
                                   {newer, Reason::Unsupported, "has format 2"},
                                   {older, Reason::Unsupported, "old format 0"},
                                   {content_.substr(0, 5), Reason::Truncated, "cut off"},
                                   {content_.substr(0, 100), Reason::Truncated, "cut off"},
                                   {content_ + "x", Reason::Malformed, "behind its end"}};
  for (const Case& wrong : cases) {
    file_.write(wrong.content);
    const Result<CollisionObject> object = readObject(file_.path());
    ASSERT_FALSE(object.ok()) << wrong.part;
    EXPECT_EQ(object.error().reason, wrong.reason) << object.error().sentence;
    EXPECT_TRUE(isOneSentence(object.error())) << object.error().sentence;
    EXPECT_NE(object.error().sentence.find(wrong.part), std::string::npos)
        << object.error().sentence;
  }
}

TEST(CachePlace, WhatIsNoFile) {
  const TemporaryFile file;
  ASSERT_EQ(mkfifo(file.path().c_str(), 0600), 0);
  for (const std::filesystem::path& place :
       {file.folder(), file.folder() / "none.tactus", file.path(),
        std::filesystem::path("/dev/null"), std::filesystem::path()}) {
    const Result<CollisionObject> object = readObject(place);
    ASSERT_FALSE(object.ok()) << place;
    EXPECT_TRUE(isOneSentence(object.error())) << object.error().sentence;
    EXPECT_FALSE(isSectionFile(place)) << place;
  }
}

/// The object is the same for any number of threads, and so is all of its file but the times.
TEST(CacheContent, IsTheSameForAnyNumberOfThreads) {
  const TemporaryFile one("1.tactus");
  const TemporaryFile four("4.tactus");
  for (const auto& [file, threads] : {std::pair(&one, 1U), std::pair(&four, 4U)}) {
    BuildSettings settings;
    settings.parameters.spheres = 200;
    settings.threads = threads;
    const BuildOutcome built = buildObject(smallSolid(), settings);
    ASSERT_EQ(built.end, BuildEnd::Built);
    ASSERT_TRUE(writeObject(built.object, file->path(), false).ok());
  }
  const auto a = SectionFile::open(one.path()).value();
  const auto b = SectionFile::open(four.path()).value();
  ASSERT_EQ(a->sections().size(), b->sections().size());
  for (std::size_t i = 0; i < a->sections().size(); ++i) {
    if (a->sections()[i].name.starts_with("build")) continue;  // seconds
    EXPECT_EQ(a->sections()[i].checksum, b->sections()[i].checksum) << a->sections()[i].name;
  }
}

/// Sections of a file, to be written again with one of them changed.
class Forgery {
 public:
  explicit Forgery(const std::filesystem::path& file) : file_(SectionFile::open(file).value()) {
    for (const SectionEntry& section : file_->sections()) {
      const auto bytes = file_->bytesOf(section);
      contents_.emplace_back(bytes.begin(), bytes.end());
    }
  }

  /// The section as an array of T, to be changed.
  template <typename T>
  T* array(std::string_view name) {
    return reinterpret_cast<T*>(contents_[indexOf(name)].data());
  }
  void resize(std::string_view name, std::ptrdiff_t by) {
    std::vector<std::byte>& bytes = contents_[indexOf(name)];
    bytes.resize(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(bytes.size()) +
                                          by * file_->find(name)->elementBytes));
  }
  void clear(std::string_view name) { contents_[indexOf(name)].clear(); }
  /// Puts one of the numbers that break things somewhere into any section but the empty ones.
  void tellAnyLie(tactus::tests::SeededBits& random) {
    constexpr std::array<std::uint32_t, 10> kNumbers = {
        0,           1,           0xffffffffU, 0x80000000U, 0x7fffffffU,
        0x7fc00000U, 0x7f800000U, 0x7f7fffffU, 0xff7fffffU, 0x00000001U};  // NaN, inf, largest
    std::vector<std::byte>& bytes = contents_[random.below(static_cast<int>(contents_.size()))];
    const std::size_t words = bytes.size() / 4;
    if (words == 0) return;
    const std::uint32_t number = random.below(3) == 0
                                     ? static_cast<std::uint32_t>(random.below(200))
                                     : kNumbers[random.below(static_cast<int>(kNumbers.size()))];
    std::memcpy(bytes.data() + 4 * random.below(static_cast<int>(words)), &number, 4);
  }
  void rename(std::string_view name, std::string_view other) { renamed_ = {name, other}; }

  /// With right checksums.
  void write(const std::filesystem::path& to) const {
    std::vector<SectionContent> sections;
    for (std::size_t i = 0; i < contents_.size(); ++i) {
      const SectionEntry& section = file_->sections()[i];
      const std::string_view name =
          section.name == renamed_.first ? renamed_.second : std::string_view(section.name);
      sections.push_back({name, section.elementBytes, section.heat, contents_[i]});
    }
    ASSERT_TRUE(writeSections(to, file_->head().identity, 1, sections, true).ok());
  }

 private:
  [[nodiscard]] std::size_t indexOf(std::string_view name) const {
    return static_cast<std::size_t>(file_->find(name) - file_->sections().data());
  }

  std::shared_ptr<const SectionFile> file_;
  std::vector<std::vector<std::byte>> contents_;
  std::pair<std::string_view, std::string_view> renamed_;
};

/// Lies of any kind: whatever passes must not lead a query astray. Sanitizers watch.
TEST_F(Cache, WhateverIsBelievedCanBeAsked) {
  tactus::tests::SeededBits random(20251118);
  const Forgery honest(file_.path());
  ContactCells cells;
  PatchScratch room;
  int believed = 0;
  constexpr int kForgeries = 300;
  for (int i = 0; i < kForgeries; ++i) {
    Forgery forgery = honest;
    const std::uint64_t lies = 1 + random.below(3);
    for (std::uint64_t k = 0; k < lies; ++k)
      forgery.tellAnyLie(random);
    forgery.write(file_.path());
    const Result<CollisionObject> object = readObject(file_.path());
    if (!object) {
      EXPECT_TRUE(isOneSentence(object.error())) << object.error().sentence;
      continue;
    }
    ++believed;
    const CollisionObject& a = object.value();
    ProximityScratch scratch(a.body(), a.body());
    for (const double shift : {0.0, 0.06, 0.4}) {
      Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
      pose.translation().x() = shift;
      static_cast<void>(proximity(a.body(), a.body(), pose, scratch, {.contacts = &cells}));
      static_cast<void>(contactPatches(cells, pose, room));
      const ConedTree tree{a.tree, a.cones};
      static_cast<void>(seedWrench(tree, tree, pose, scratch.penetration, cells));
      static_cast<void>(contactPatches(cells, pose, room));
    }
    VoxmapPointshell points({&a.pointshell, &a.voxmap}, {&a.pointshell, &a.voxmap},
                            believed % 2 == 0 ? Coherence::None : Coherence::SmallSteps);
    PointScratch sweepScratch(a.pointshell);
    std::array<PointContact, 4> contacts;
    for (const double shift : {0.0, 0.06, 0.4}) {
      Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
      pose.translation().x() = shift;
      for (const PointLaw law : {PointLaw::Volume, PointLaw::Depth, PointLaw::Layers}) {
        static_cast<void>(points.query(pose, {.law = law, .wantsContacts = shift > 0.0}));
        static_cast<void>(points.contacts(contacts));
        static_cast<void>(points.query(pose, {.law = law, .pointTests = 100}));
      }
      const RigidMotion motion =
          motionBetween(pose, Eigen::Isometry3d::Identity(), Eigen::Vector3d::Zero());
      static_cast<void>(sweptContact(a.pointshell, a.voxmap, motion, sweepScratch));
    }
    for (const double place : {-1.0, 0.0, 0.01, 0.1}) {
      if (!a.voxmap.empty())
        static_cast<void>(a.voxmap.sample(Eigen::Vector3d(place, 0.0, 0.5 * place)));
    }
    const Result<SolidMesh> solid = a.cold->solid();
    if (solid) static_cast<void>(identityOf(solid.value(), a.parameters));
    static_cast<void>(a.cold->packing());
  }
  EXPECT_GT(believed, kForgeries / 10) << "nothing was tried";
  EXPECT_LT(believed, kForgeries) << "nothing was refused";
}

// Every file the fuzzer starts from, as it does: with checksums that are right.
TEST_F(Cache, TakesEveryFileOfTheCorpus) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(tactus::test::kTestFolder) / "fuzz/corpus/cache")) {
    std::stringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    std::string cache = bytes.str();
    test::mendChecksums(std::as_writable_bytes(std::span(cache)));
    file_.write(cache);
    EXPECT_EQ(test::complaintAboutCache(file_.path()), "") << entry.path();
    ++files;
  }
  EXPECT_GE(files, 3U);
}

// An error of any size is believed, since nobody can know a map's; it only makes a query look at
// all there is, and at nothing else.
TEST_F(Cache, AMapThatErrsHugelyIsAskedEverywhere) {
  for (const double error : {1e10, 1e30, 1e300}) {
    Forgery forgery(file_.path());
    double* const head = forgery.array<double>("voxmap");
    for (std::size_t k = 9; k < 13; ++k)
      head[k] = error;
    const TemporaryFile forged;
    forgery.write(forged.path());
    const Result<CollisionObject> object = readObject(forged.path());
    ASSERT_TRUE(object.ok());
    const CollisionObject& a = object.value();
    ASSERT_EQ(a.voxmap.arrays().error.nearMost, error);
    PointScratch sweepScratch(a.pointshell);
    for (const Coherence coherent : {Coherence::None, Coherence::SmallSteps}) {
      VoxmapPointshell points({&a.pointshell, &a.voxmap}, {&a.pointshell, &a.voxmap}, coherent);
      for (const double shift : {0.0, 0.06, 0.4, 3.0}) {
        Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
        pose.translation().x() = shift;
        const PointForce found = points.query(pose);
        EXPECT_LE(found.pointTests, 3 * 16 * a.pointshell.arrays().blocks.size());
        const RigidMotion motion =
            motionBetween(pose, Eigen::Isometry3d::Identity(), Eigen::Vector3d::Zero());
        static_cast<void>(sweptContact(a.pointshell, a.voxmap, motion, sweepScratch));
      }
    }
  }
}

struct Lie {
  const char* what;
  void (*tell)(Forgery&);
  const char* section;  ///< that the sentence must name

  friend std::ostream& operator<<(std::ostream& out, const Lie& lie) { return out << lie.what; }
};

class LyingCache : public Cache, public testing::WithParamInterface<Lie> {};

TEST_P(LyingCache, IsNotBelieved) {
  Forgery forgery(file_.path());
  GetParam().tell(forgery);
  forgery.write(file_.path());
  const std::string sentence = complaint();
  EXPECT_NE(sentence.find(GetParam().section), std::string::npos) << "'" << sentence << "'";
}

using Bounds = InnerSphereTree::Bounds;
using Contents = InnerSphereTree::Contents;
using Sums = InnerSphereTree::Sums;
using Caps = FacetHierarchy::Caps;
using PointBlock = Pointshell::Block;
using PointBalls = Pointshell::Balls;
using PointLevel = Pointshell::Level;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

INSTANTIATE_TEST_SUITE_P(
    All, LyingCache,
    testing::Values(
        Lie{"pointNowhere", [](Forgery& f) { f.array<PointBlock>("points.blocks")->y[3] = kNan; },
            "points"},
        Lie{"pointFarAway", [](Forgery& f) { f.array<PointBlock>("points.blocks")->x[0] = 1e20F; },
            "points"},
        Lie{"infiniteNormal",
            [](Forgery& f) { f.array<PointBlock>("points.blocks")->nz[15] = kInfinity; }, "points"},
        Lie{"pointNodeNowhere",
            [](Forgery& f) { f.array<PointBalls>("points.balls")->z[0] = kInfinity; }, "points"},
        Lie{"pointNodeTooMany",
            [](Forgery& f) { f.array<PointBalls>("points.balls")->radius[15] = 1.0F; }, "points"},
        Lie{"pointNodeMissing",
            [](Forgery& f) {
              f.array<PointBalls>("points.balls")->radius[0] = Pointshell::kMissing;
            },
            "points"},
        Lie{"noSpacing", [](Forgery& f) { f.array<PointLevel>("points.levels")->spacing = 0.0F; },
            "points"},
        Lie{"manyPoints",
            [](Forgery& f) { f.array<PointLevel>("points.levels")->points = 0xffffffffU; },
            "points"},
        Lie{"noPointsInALevel",
            [](Forgery& f) { f.array<PointLevel>("points.levels")->points = 0; }, "points"},
        Lie{"levelElsewhere",
            [](Forgery& f) { f.array<PointLevel>("points.levels")->firstBlock = 1; }, "points"},
        Lie{"groupElsewhere",
            [](Forgery& f) { f.array<PointLevel>("points.levels")->firstGroup = 7; }, "points"},
        Lie{"fewerPointBlocks", [](Forgery& f) { f.resize("points.blocks", -1); }, "points"},
        Lie{"morePointSums", [](Forgery& f) { f.resize("points.sums", 1); }, "points"},
        Lie{"fewerCones", [](Forgery& f) { f.resize("points.cones", -1); }, "points"},
        Lie{"pointTwice",
            [](Forgery& f) {
              f.array<std::uint32_t>("points.order")[0] = f.array<std::uint32_t>("points.order")[1];
            },
            "points"},
        Lie{"pointBeyond", [](Forgery& f) { *f.array<std::uint32_t>("points.order") = 1000; },
            "points"},
        Lie{"orderTooShort", [](Forgery& f) { f.resize("points.order", -1); }, "points"},
        Lie{"rootMissing", [](Forgery& f) { f.array<Bounds>("tree.bounds")->x[0] = kNan; }, "tree"},
        Lie{"halfMissing", [](Forgery& f) { f.array<Bounds>("tree.bounds")[1].y[0] = kNan; },
            "tree"},
        Lie{"infinitePlace", [](Forgery& f) { f.array<Bounds>("tree.bounds")[1].z[0] = kInfinity; },
            "tree"},
        Lie{"nanRadius", [](Forgery& f) { f.array<Bounds>("tree.bounds")[1].radius[0] = kNan; },
            "tree"},
        Lie{"negativeRadius",
            [](Forgery& f) { f.array<Bounds>("tree.bounds")[1].radius[0] = -1.0F; }, "tree"},
        Lie{"secondRoot", [](Forgery& f) { f.array<Bounds>("tree.bounds")[0].x[1] = 0.0F; },
            "tree"},
        Lie{"rootLinksToItself",
            [](Forgery& f) { f.array<Contents>("tree.contents")->link[0] = 0; }, "tree"},
        Lie{"linkBeyond",
            [](Forgery& f) { f.array<Contents>("tree.contents")->link[0] = 1'000'000; }, "tree"},
        Lie{"linkFarBelow",
            [](Forgery& f) {
              f.array<Contents>("tree.contents")->link[0] =
                  std::numeric_limits<std::int32_t>::min();
            },
            "tree"},
        Lie{"linkToTheEmptyBlock",
            [](Forgery& f) {
              Contents* const all = f.array<Contents>("tree.contents");
              all[0].link[0] = all[0].link[3];
            },
            "tree"},
        Lie{"twoLinksToOneBlock",
            [](Forgery& f) {
              Contents* const all = f.array<Contents>("tree.contents");
              all[1].link[0] = all[1].link[1] = 2;
            },
            "tree"},
        Lie{"missingWithALink",
            [](Forgery& f) { f.array<Contents>("tree.contents")[0].link[2] = 1; }, "tree"},
        Lie{"cellRadius",
            [](Forgery& f) { f.array<Contents>("tree.contents")[3].cellRadius[1] = kNan; }, "tree"},
        Lie{"lowerRadius",
            [](Forgery& f) { f.array<Contents>("tree.contents")[3].lowerRadius[1] = -0.1F; },
            "tree"},
        Lie{"depthOfCell",
            [](Forgery& f) { f.array<Contents>("tree.contents")[3].depth[0] = kNan; }, "tree"},
        Lie{"volumeOfCell", [](Forgery& f) { f.array<Sums>("tree.sums")[2].volume[0] = kInfinity; },
            "tree"},
        Lie{"sphereBeyond",
            [](Forgery& f) {
              std::uint32_t* const all = f.array<std::uint32_t>("tree.spheres");
              std::replace_if(all, all + 60, [](std::uint32_t s) { return s < 60; }, 60U);
            },
            "tree"},
        Lie{"fewerBounds", [](Forgery& f) { f.resize("tree.bounds", -1); }, "tree"},
        Lie{"moreContents", [](Forgery& f) { f.resize("tree.contents", 1); }, "tree"},
        Lie{"fewerTreeCones", [](Forgery& f) { f.resize("tree.cones", -1); }, "tree.cones"},
        Lie{"coneWithoutAxis", [](Forgery& f) { f.array<std::uint32_t>("tree.cones")[5] = 0xFFFU; },
            "tree.cones"},
        Lie{"fewerSlots", [](Forgery& f) { f.resize("tree.spheres", -1); }, "tree"},
        Lie{"noBlocks",
            [](Forgery& f) {
              for (const char* name : {"tree.bounds", "tree.contents", "tree.sums", "tree.spheres"})
                f.clear(name);
              f.array<std::uint64_t>("tree")[4] = 0;
            },
            "tree"},
        Lie{"voxelSize", [](Forgery& f) { f.array<double>("voxmap")[6] = 0.0; }, "voxmap"},
        Lie{"voxmapOrigin", [](Forgery& f) { f.array<double>("voxmap")[0] = double{kNan}; },
            "voxmap"},
        Lie{"voxmapError", [](Forgery& f) { f.array<double>("voxmap")[9] = -1.0; }, "voxmap"},
        Lie{"thinWalls", [](Forgery& f) { f.array<double>("depths.thin")[0] = 1.5; },
            "depths.thin"},
        Lie{"voxmapBound", [](Forgery& f) { f.array<double>("voxmap.bound")[0] = -1.0; },
            "voxmap.bound"},
        Lie{"voxmapSize", [](Forgery& f) { ++f.array<std::uint64_t>("voxmap")[4]; }, "voxmap"},
        Lie{"hugeVoxmap",
            [](Forgery& f) {
              std::uint64_t* const head = f.array<std::uint64_t>("voxmap");
              head[3] = head[4] = head[5] = std::uint64_t{1} << 31U;
            },
            "voxmap"},
        Lie{"coarseUnits", [](Forgery& f) { f.array<std::uint64_t>("voxmap")[8] = ~0ULL; },
            "voxmap"},
        Lie{"brickBeyond",
            [](Forgery& f) { f.array<std::int32_t>("voxmap.places")[0] = 1'000'000; }, "voxmap"},
        Lie{"brickTwice",
            [](Forgery& f) {
              std::int32_t* all = f.array<std::int32_t>("voxmap.places");
              while (*all != 1)
                all += 2;
              *all = 0;
            },
            "voxmap"},
        Lie{"brickOffset",
            [](Forgery& f) {
              f.array<std::int32_t>("voxmap.places")[1] = std::numeric_limits<std::int32_t>::max();
            },
            "voxmap"},
        Lie{"fewerPlaces", [](Forgery& f) { f.resize("voxmap.places", -1); }, "voxmap"},
        Lie{"noPlaces", [](Forgery& f) { f.clear("voxmap.places"); }, "voxmap"},
        Lie{"fewerValues", [](Forgery& f) { f.resize("voxmap.values", -1); }, "voxmap"},
        Lie{"aBrickLess", [](Forgery& f) { f.resize("voxmap.values", -512); }, "voxmap"},
        Lie{"noVoxmapHead", [](Forgery& f) { f.rename("voxmap", "voxmop"); }, "voxmap"},
        Lie{"voxmapSeconds", [](Forgery& f) { f.array<double>("build.voxmap")[2] = double{kNan}; },
            "build.voxmap"},
        Lie{"leafCount", [](Forgery& f) { f.array<std::uint64_t>("tree")[4] = ~0ULL; }, "tree"},
        Lie{"depth", [](Forgery& f) { f.array<std::uint64_t>("tree")[5] = 1; }, "tree"},
        Lie{"hugeDepth", [](Forgery& f) { f.array<std::uint64_t>("tree")[5] = ~0ULL; }, "tree"},
        Lie{"nanOrigin",
            [](Forgery& f) {
              f.array<double>("tree")[1] = std::numeric_limits<double>::quiet_NaN();
            },
            "tree"},
        Lie{"twoHeads", [](Forgery& f) { f.resize("tree", 1); }, "tree"},
        Lie{"noHead", [](Forgery& f) { f.resize("tree", -1); }, "tree"},
        Lie{"lacksASection", [](Forgery& f) { f.rename("tree.sums", "tree.other"); }, "tree.sums"},
        Lie{"capHalfMissing", [](Forgery& f) { f.array<Caps>("facets.caps")[1].x[0] = kNan; },
            "facets"},
        Lie{"capRadius", [](Forgery& f) { f.array<Caps>("facets.caps")[1].radius[0] = -1.0F; },
            "facets"},
        Lie{"capNormal", [](Forgery& f) { f.array<Caps>("facets.caps")[1].ny[0] = kNan; },
            "facets"},
        Lie{"facetLink", [](Forgery& f) { f.array<std::int32_t>("facets.links")[0] = 77; },
            "facets"},
        Lie{"facetLeafBeyond", [](Forgery& f) { f.array<std::int32_t>("facets.links")[0] = ~12; },
            "facets"},
        Lie{"facetSlot", [](Forgery& f) { ++f.array<std::int32_t>("facets.slots")[3]; }, "facets"},
        Lie{"facetSlotFar",
            [](Forgery& f) {
              f.array<std::int32_t>("facets.slots")[3] = std::numeric_limits<std::int32_t>::max();
            },
            "facets"},
        Lie{"facetTriangle", [](Forgery& f) { f.array<std::uint32_t>("facets.triangles")[0] = 12; },
            "facets"},
        Lie{"facetCorner", [](Forgery& f) { f.array<float>("facets.corners")[13] = kInfinity; },
            "facets"},
        Lie{"fewerFacets", [](Forgery& f) { f.resize("facets.corners", -1); }, "facets"},
        Lie{"fewerDepths", [](Forgery& f) { f.resize("depths.values", -1); }, "depths"},
        Lie{"depthsOfOneCorner", [](Forgery& f) { f.array<std::uint64_t>("depths")[3] = 1; },
            "depths"},
        Lie{"depthsOfTooManyCorners",
            [](Forgery& f) { f.array<std::uint64_t>("depths")[5] = ~0ULL; }, "depths"},
        Lie{"depthsSide", [](Forgery& f) { f.array<double>("depths")[6] = 0.0; }, "depths"},
        Lie{"depthsOrigin",
            [](Forgery& f) {
              f.array<double>("depths")[1] = std::numeric_limits<double>::infinity();
            },
            "depths"},
        Lie{"meshTriangle", [](Forgery& f) { f.array<std::uint32_t>("mesh.triangles")[5] = 8; },
            "mesh"},
        Lie{"meshPosition", [](Forgery& f) { f.array<float>("mesh.positions")[5] = kNan; }, "mesh"},
        Lie{"remainders", [](Forgery& f) { f.resize("mesh.remainders", -1); }, "mesh"},
        Lie{"packedRadius", [](Forgery& f) { f.array<float>("packing.spheres")[3] = -1.0F; },
            "packing"},
        Lie{"packedCentre", [](Forgery& f) { f.array<float>("packing.medial")[0] = kNan; },
            "packing"},
        Lie{"signRule", [](Forgery& f) { f.array<std::uint64_t>("build")[5] = 2; }, "build"},
        Lie{"packingMethod", [](Forgery& f) { f.array<std::uint64_t>("build")[1] = 9; }, "build"}),
    [](const testing::TestParamInfo<Lie>& lie) { return std::string(lie.param.what); });

}  // namespace
