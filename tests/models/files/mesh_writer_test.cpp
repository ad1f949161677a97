// Writing, reading back to the bit, and everything that can go wrong on a disk.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <limits>
#include <locale>
#include <string>

#include "tests/models/files/loading.hpp"

namespace tactus::models {
namespace {

using test::contentOf;

struct Kind {
  const char* name;
  PlyEncoding encoding;
};
constexpr Kind kKinds[] = {{"mesh.obj", PlyEncoding::Ascii},
                           {"ascii.ply", PlyEncoding::Ascii},
                           {"little.ply", PlyEncoding::BinaryLittleEndian},
                           {"big.PLY", PlyEncoding::BinaryBigEndian}};

void expectSameAfterWriting(const Mesh& mesh) {
  const test::TemporaryFolder folder;
  for (const Kind& kind : kKinds) {
    WriteSettings settings;
    settings.plyEncoding = kind.encoding;
    const auto written = writeMesh(mesh, folder.path() / kind.name, settings);
    ASSERT_TRUE(written.ok()) << written.error().sentence;
    const auto loaded = readMesh(folder.path() / kind.name);
    ASSERT_TRUE(loaded.ok()) << loaded.error().sentence;
    const Mesh& back = loaded.value().mesh;
    ASSERT_EQ(back.positions.size(), mesh.positions.size());
    EXPECT_EQ(back.triangles, mesh.triangles);
    EXPECT_EQ(back.origin, mesh.origin) << kind.name;
    for (std::uint32_t i = 0; i < mesh.positions.size(); ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(back.position(i)[axis]),
                  std::bit_cast<std::uint64_t>(mesh.position(i)[axis]))
            << kind.name << " vertex " << i << " axis " << axis;
      }
    }
  }
}

TEST(WriteMesh, ReadsBackToTheBit) {
  expectSameAfterWriting(test::sphere(0.1, 20, 30));
}

TEST(WriteMesh, ReadsBackToTheBitFarFromZero) {
  Mesh mesh = test::sphere(0.1, 20, 30);
  for (const Eigen::Vector3d& origin :
       {Eigen::Vector3d(500'000.123, -4e6, 77.7), Eigen::Vector3d(1e15, 1e-3, 0),
        Eigen::Vector3d(0.01, 0, 0), Eigen::Vector3d(1.0 / 3.0, 2.0 / 3.0, 1e20)}) {
    mesh.origin = origin;
    expectSameAfterWriting(mesh);
  }
}

// Here the reader's rule alone would choose another origin and lose the small coordinates.
TEST(WriteMesh, ReadsBackToTheBitWhereTheOriginIsUnusual) {
  Mesh mesh = test::sphere(1.0, 10, 10);
  mesh.positions[3].x() = 1e-20F;
  mesh.positions[4].y() = -1e-30F;
  for (Eigen::Vector3f& p : mesh.positions)
    p.z() += 100.0F;
  expectSameAfterWriting(mesh);
  mesh.origin = {-50.0, 1e-9, 0.25};
  expectSameAfterWriting(mesh);
}

TEST(WriteMesh, ReadsBackToTheBitAtTheEndsOfFloat) {
  Mesh mesh = test::tetrahedron();
  mesh.positions[0] = {std::numeric_limits<float>::denorm_min(), -0.0F,
                       std::numeric_limits<float>::min()};
  mesh.positions[1] = {1e29F, -1e29F, 0.1F};
  mesh.positions[2] = {16777216.0F, 0.333333343F, -1e-38F};
  expectSameAfterWriting(mesh);
}

TEST(WriteMesh, RandomBitsReadBack) {
  std::uint32_t state = 99;
  Mesh mesh;
  while (mesh.positions.size() < 3000) {
    Eigen::Vector3f p;
    for (int axis = 0; axis < 3; ++axis) {
      state = state * 1664525U + 1013904223U;
      p[axis] = std::bit_cast<float>((state & 0x807FFFFFU) | (96U + state % 40U) << 23U);
    }
    mesh.positions.push_back(p);
  }
  mesh.triangles = {{0, 1, 2}};
  expectSameAfterWriting(mesh);
  mesh.origin = {3.14159e7, -2.71828e3, 1.0e-7};
  expectSameAfterWriting(mesh);
}

// Somebody moved the vertices and kept the comment: it must not cost detail.
TEST(WriteMesh, AStaleOriginCommentDoesNoHarm) {
  const auto loaded = test::loadGood(
      MeshFormat::Obj,
      "# tactus origin 1e9 0 0\nv 0.001 0 0\nv 0.002 0.001 0\nv 0.001 0.001 0\nf 1 2 3\n");
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded.value().mesh.origin, Eigen::Vector3d::Zero());
  EXPECT_EQ(loaded.value().mesh.positions[0].x(), 0.001F);
}

class DecimalComma : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(WriteMesh, TheLocaleChangesNoByte) {
  const test::TemporaryFolder folder;
  Mesh mesh = test::sphere(1234.5, 40, 50);
  WriteSettings settings;
  settings.plyEncoding = PlyEncoding::Ascii;
  for (const char* name : {"a.obj", "a.ply"}) {
    ASSERT_TRUE(writeMesh(mesh, folder.path() / name, settings).ok());
    const std::locale before = std::locale::global(std::locale(std::locale(), new DecimalComma));
    const std::string categoryBefore = std::setlocale(LC_ALL, nullptr);
    std::setlocale(LC_ALL, "de_DE.UTF-8");
    const std::string german = std::string("german_") + name;
    EXPECT_TRUE(writeMesh(mesh, folder.path() / german, settings).ok());
    const auto loaded = readMesh(folder.path() / name);
    std::setlocale(LC_ALL, categoryBefore.c_str());
    std::locale::global(before);
    EXPECT_EQ(contentOf(folder.path() / name), contentOf(folder.path() / german));
    ASSERT_TRUE(loaded.ok());
    EXPECT_EQ(loaded.value().mesh.positions, mesh.positions);
  }
}

TEST(WriteMesh, NothingIsOverwrittenUnasked) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("kept.ply", "precious");
  const auto refused = writeMesh(test::tetrahedron(), file);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().reason, Reason::AlreadyExists);
  EXPECT_EQ(contentOf(file), "precious");

  std::filesystem::permissions(
      file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  WriteSettings settings;
  settings.overwrites = true;
  ASSERT_TRUE(writeMesh(test::tetrahedron(), file, settings).ok());
  EXPECT_TRUE(readMesh(file).ok());
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_EQ(folder.count(), 1U) << "no left-overs";
}

TEST(WriteMesh, ALinkStaysALink) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("real.obj", "old");
  std::filesystem::create_symlink("real.obj", folder.path() / "link.obj");
  WriteSettings settings;
  settings.overwrites = true;
  ASSERT_TRUE(writeMesh(test::tetrahedron(), folder.path() / "link.obj", settings).ok());
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link.obj"));
  EXPECT_NE(contentOf(file), "old");
}

void expectCannotWrite(const std::filesystem::path& file, Reason reason, std::string_view words,
                       bool overwrites = false) {
  WriteSettings settings;
  settings.overwrites = overwrites;
  const auto written = writeMesh(test::sphere(1.0, 60, 60), file, settings);
  ASSERT_FALSE(written.ok()) << file;
  EXPECT_EQ(written.error().reason, reason) << written.error().sentence;
  EXPECT_NE(written.error().sentence.find(words), std::string::npos) << written.error().sentence;
  EXPECT_TRUE(written.error().sentence.ends_with('.')) << written.error().sentence;
}

TEST(WriteMesh, PlacesWhereNothingCanBeWritten) {
  const test::TemporaryFolder folder;
  expectCannotWrite(folder.path() / "no" / "such.ply", Reason::CannotWrite,
                    "folder does not exist");
  std::filesystem::create_directory(folder.path() / "taken.ply");
  expectCannotWrite(folder.path() / "taken.ply", Reason::AlreadyExists, "exists");
  expectCannotWrite(folder.path() / "taken.ply", Reason::CannotWrite, "folder", true);
  ASSERT_EQ(mkfifo((folder.path() / "pipe.ply").c_str(), 0600), 0);
  expectCannotWrite(folder.path() / "pipe.ply", Reason::CannotWrite, "device", true);
  std::filesystem::create_symlink("/dev/full", folder.path() / "full.ply");
  expectCannotWrite(folder.path() / "full.ply", Reason::CannotWrite, "device", true);
  expectCannotWrite(folder.path() / "mesh.stl", Reason::UnknownFormat, ".obj or .ply");
  expectCannotWrite(folder.path() / "mesh", Reason::UnknownFormat, ".obj or .ply");
  expectCannotWrite(folder.path() / (std::string(300, 'n') + ".ply"), Reason::CannotWrite, "nnn");
  const auto locked = folder.path() / "locked";
  std::filesystem::create_directory(locked);
  std::filesystem::permissions(
      locked, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  if (geteuid() != 0) expectCannotWrite(locked / "a.ply", Reason::CannotWrite, "permission");
}

// A limit on file size stands in for a full disk: the write itself fails, in the middle.
TEST(WriteMesh, AFullDiskLeavesNothingBehind) {
  const test::TemporaryFolder folder;
  const auto kept = folder.write("kept.ply", "precious");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  auto* const handlerBefore = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{20'000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  expectCannotWrite(folder.path() / "big.ply", Reason::CannotWrite, "could not be written");
  expectCannotWrite(kept, Reason::CannotWrite, "could not be written", true);
  setrlimit(RLIMIT_FSIZE, &before);
  (void)std::signal(SIGXFSZ, handlerBefore);
  EXPECT_EQ(contentOf(kept), "precious");
  EXPECT_EQ(folder.count(), 1U);
}

TEST(WriteMesh, RefusesMeshesThatNobodyCouldRead) {
  const test::TemporaryFolder folder;
  const auto reason = [&](const Mesh& mesh) {
    const auto written = writeMesh(mesh, folder.path() / "bad.ply");
    EXPECT_FALSE(written.ok());
    return written.ok() ? Reason::BadValue : written.error().reason;
  };
  EXPECT_EQ(reason({}), Reason::Empty);
  Mesh mesh = test::tetrahedron();
  mesh.triangles[2][1] = 4;
  EXPECT_EQ(reason(mesh), Reason::IndexOutOfRange);
  mesh = test::tetrahedron();
  mesh.positions[1].y() = std::nanf("");
  EXPECT_EQ(reason(mesh), Reason::NotFinite);
  EXPECT_EQ(folder.count(), 0U);
}

TEST(WriteMesh, TheFileIsWhatOtherProgramsExpect) {
  const test::TemporaryFolder folder;
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 0.5F, -2}};
  mesh.triangles = {{0, 1, 2}};
  ASSERT_TRUE(writeMesh(mesh, folder.path() / "a.obj").ok());
  EXPECT_EQ(contentOf(folder.path() / "a.obj"),
            "# 3 vertices, 1 triangle\nv 0 0 0\nv 1 0 0\nv 0 0.5 -2\nf 1 2 3\n");
  WriteSettings settings;
  settings.plyEncoding = PlyEncoding::Ascii;
  ASSERT_TRUE(writeMesh(mesh, folder.path() / "a.ply", settings).ok());
  EXPECT_EQ(contentOf(folder.path() / "a.ply"),
            "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty "
            "float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
            "0 0 0\n1 0 0\n0 0.5 -2\n3 0 1 2\n");
}

}  // namespace
}  // namespace tactus::models
