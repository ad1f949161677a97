// OBJ, STL, PLY and OFF written by hand, with the meshes that must come out.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/models/files/loading.hpp"

namespace tactus::models {
namespace {

using test::bigEndianBytesOf;
using test::bytesOf;
using test::expectError;
using test::load;
using test::loadGood;

void expectTetrahedron(const Result<LoadedMesh>& loaded) {
  ASSERT_TRUE(loaded.ok()) << loaded.error().sentence;
  const Mesh& mesh = loaded.value().mesh;
  EXPECT_EQ(mesh.positions.size(), 4U);
  EXPECT_EQ(mesh.triangles.size(), 4U);
  EXPECT_EQ(mesh.origin, Eigen::Vector3d::Zero());
  EXPECT_NEAR(test::signedVolume(mesh), 1.0 / 6.0, 1e-15);
}

// ---- OBJ ----

TEST(Obj, ReadsVerticesAndFacesInTheirOrder) {
  const auto loaded = loadGood(MeshFormat::Obj, "v 1 2 3\nv 4 5 6\nv 7 8 10\nf 3 1 2\n");
  ASSERT_TRUE(loaded.ok());
  const Mesh& mesh = loaded.value().mesh;
  ASSERT_EQ(mesh.positions.size(), 3U);
  EXPECT_EQ(mesh.positions[1], Eigen::Vector3f(4, 5, 6));
  ASSERT_EQ(mesh.triangles.size(), 1U);
  EXPECT_EQ(mesh.triangles[0], (Triangle{2, 0, 1}));
  EXPECT_EQ(loaded.value().format, MeshFormat::Obj);
  EXPECT_EQ(loaded.value().polygons, 0U);
}

TEST(Obj, CubeOfQuadsWithEveryKindOfCorner) {
  const std::string file =
      "# a cube\nmtllib a.mtl\no cube\n"
      "v 0 0 0\nv 1 0 0 1.0\n\tv  0 1\t0 \r\nv 1 1 0 0.5 0.5 0.5\n"
      "v 0 0 1\nv +1 0 1.e0\nv 0 1 1\nv 1 1 1\n"
      "vt 0 0\nvn 0 0 1\nvp 0.5\ng all\ns off\nusemtl grey\n"
      "f 1/1/1 3/1/1 4/1/1 2/1/1\nf 5//1 6//1 8//1 7//1\nf 1/1 2/1 6/1 5/1\n"
      "f 2 4 8 6\nf -2 -1 \\\n -5 -6\r\nf 3 1 5 7\nl 1 2\np 1\nmy_extension 1 2 3\n";
  const auto loaded = loadGood(MeshFormat::Obj, file);
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded.value().mesh.positions.size(), 8U);
  EXPECT_EQ(loaded.value().mesh.triangles.size(), 12U);
  EXPECT_EQ(loaded.value().polygons, 6U);
  EXPECT_EQ(loaded.value().fileBytes, file.size());
  EXPECT_NEAR(test::signedVolume(loaded.value().mesh), 1.0, 1e-15);
}

TEST(Obj, ConcavePolygonKeepsItsAreaAndPlaceAmongTriangles) {
  const auto loaded = loadGood(MeshFormat::Obj,
                               "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 5 5 5\n"
                               "f 1 2 7\nf 1 2 3 4 5 6\nf 1 7 2\n");
  ASSERT_TRUE(loaded.ok());
  const Mesh& mesh = loaded.value().mesh;
  ASSERT_EQ(mesh.triangles.size(), 6U);
  EXPECT_EQ(mesh.triangles.front(), (Triangle{0, 1, 6}));
  EXPECT_EQ(mesh.triangles.back(), (Triangle{0, 6, 1}));
  double area = 0.0;
  for (std::size_t i = 1; i < 5; ++i) {
    const Triangle& t = mesh.triangles[i];
    const double part = 0.5 * (mesh.position(t[1]) - mesh.position(t[0]))
                                  .cross(mesh.position(t[2]) - mesh.position(t[0]))
                                  .z();
    EXPECT_GT(part, 0.0);
    area += part;
  }
  EXPECT_NEAR(area, 3.0, 1e-15);
}

TEST(Obj, FacesMayComeBeforeTheirVertices) {
  const auto loaded = loadGood(MeshFormat::Obj, "f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n");
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded.value().mesh.triangles[0], (Triangle{0, 1, 2}));
}

TEST(Obj, FarFromZeroKeepsItsDetail) {
  const auto loaded = loadGood(MeshFormat::Obj,
                               "v 500000.001 4000000.002 7\nv 500000.011 4000000.002 7\nv "
                               "500000.001 4000000.012 7\nf 1 2 3\n");
  ASSERT_TRUE(loaded.ok());
  const Mesh& mesh = loaded.value().mesh;
  EXPECT_NEAR((mesh.position(1) - mesh.position(0)).x(), 0.01, 2e-9);  // one ulp of 4e6 is 5e-10
  EXPECT_NEAR((mesh.position(2) - mesh.position(0)).y(), 0.01, 2e-9);
}

// What says nothing of the triangles, from the specification and from what programs add.
TEST(Obj, OtherStatementsArePassedOver) {
  expectTetrahedron(loadGood(
      MeshFormat::Obj,
      "mtllib a b.mtl\no\ng one two\nv 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 1 0 0 1 # red\n"
      "v 0 0 1\nvt 0 0\nvn 0 0 nonsense\nvp 0.5\nusemtl a\ns off\np 1\nl 1 2\nf 1 3 2\n"
      "cstype bezier\ndeg 3\ncurv 0 1 1 2 3 4\nparm u 0 1\nend\nf 1/1 2//2 4/3/4\nlod 2\n"
      "bevel on\nf 2 3 4\nf 1 4 3\nshadow_obj x\n"));
}

TEST(Obj, CommentsAndBlanksAfterWhatCounts) {
  expectTetrahedron(loadGood(MeshFormat::Obj,
                             "v 0 0 0 # origin\nv 1 0 0 #\nv 0 1 0\nv 0 0 1\nf 1 3 2 # below\n"
                             "f 1 2 \\ \t\r\n4\nf 2 3 4 #\nf 1 4 \\\n3 #seen\n"));
  expectError(load(MeshFormat::Obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 # 3\n"), Reason::Malformed,
              "2 corners");
}

TEST(Obj, SaysWhatIsWrongAndWhere) {
  const std::string start = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  const auto wrong = [&](std::string_view more, Reason reason, std::string_view words) {
    expectError(load(MeshFormat::Obj, start + std::string(more)), reason, words);
  };
  wrong("f 1 2 4\n", Reason::IndexOutOfRange,
        "test, line 4: the face names vertex 4, but there are 3; the file is damaged or cut.");
  wrong("f 1 2 3\nf 9 1 2\nf 1 2 8\n", Reason::IndexOutOfRange, "line 5: the face names vertex 9");
  wrong("f 0 1 2\n", Reason::IndexOutOfRange, "line 4");
  wrong("f -4 1 2\n", Reason::IndexOutOfRange, "\"-4\"");
  wrong("f 99999999999999999999 1 2\n", Reason::IndexOutOfRange,
        "line 4: the face names vertex 10^18 or more, but there are 3");
  wrong("f 1 2\n", Reason::Malformed, "2 corners");
  wrong("f\n", Reason::Malformed, "0 corners");
  wrong("f 1 2 x\n", Reason::Malformed, "\"x\"");
  wrong("f 1 2 3.5\n", Reason::Malformed, "\"3.5\"");
  wrong("f 1 2 3/a\n", Reason::Malformed, "\"3/a\"");
  wrong("v 1 2\n", Reason::Malformed, "2 of 3 coordinates");
  wrong("v 1 2 3,5\n", Reason::Malformed, "\"3,5\"");
  wrong("v 1 nan 3\n", Reason::NotFinite, "NaN");
  wrong("v 1 inf 3\n", Reason::NotFinite, "infinite");
  wrong("v 1 1e400 3\n", Reason::NotFinite, "infinite");
  wrong("v 1 1e38 1e35\nv 1e30 0 0\n", Reason::NotFinite, "5e29");
  wrong("v 1 2 3 f 1 2 3\n", Reason::Malformed, "line 4: after the vertex stands \"f\"");
  wrong("v1.5 2 3\n", Reason::Malformed, "line 4: \"v1.5\" is no word of an OBJ file");
  wrong("1.5 2 3\n", Reason::Malformed, "\"1.5\" is no word");
  wrong("<html>\n", Reason::Malformed, "\"<html>\" is no word");
  wrong("vertex 1 2 3\n", Reason::Malformed, "\"vertex\" is no word");
  wrong("\x01\x02\x03 1\n", Reason::Malformed, "\"\\x01\\x02\\x03\"");
  wrong("", Reason::Empty, "3 points but no triangles");
  expectError(load(MeshFormat::Obj, "# nothing\n"), Reason::Empty, "no triangles");
}

// ---- STL ----

std::string binaryStl(std::uint32_t declared, std::uint32_t triangles, std::string header = {}) {
  const Mesh mesh = test::tetrahedron();
  header.resize(80, ' ');
  std::string file = header + bytesOf(declared);
  for (std::uint32_t i = 0; i < triangles; ++i) {
    file += std::string(12, '\0');
    for (const std::uint32_t corner : mesh.triangles[i % 4]) {
      for (int axis = 0; axis < 3; ++axis)
        file += bytesOf(mesh.positions[corner][axis]);
    }
    file += std::string(2, '\0');
  }
  return file;
}

std::string asciiTetrahedron() {
  std::string file = "solid tetra hedron\n";
  const char* const corners[] = {"0 0 0", "1 0 0", "-0 1 -0.0", "0 0 1e0"};
  const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  for (const auto& face : faces) {
    file += "  facet normal nan 0 -inf\n    outer loop\n";
    for (const int corner : face)
      file += std::string("      vertex ") + corners[corner] + "\n";
    file += "    endloop\n  endfacet\n";
  }
  return file + "endsolid tetra hedron\n";
}

TEST(Stl, BinaryIsWeldedWhereverPositionsAreEqual) {
  const auto loaded = loadGood(MeshFormat::Stl, binaryStl(4, 4));
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded.value().mesh.positions.size(), 4U);
  EXPECT_NEAR(test::signedVolume(loaded.value().mesh), test::signedVolume(test::tetrahedron()),
              1e-7);
}

TEST(Stl, BinaryThatBeginsWithSolidIsStillBinary) {
  EXPECT_TRUE(loadGood(MeshFormat::Stl, binaryStl(4, 4, "solid made by a CAD program")).ok());
}

TEST(Stl, TextThatDoesNotBeginWithSolidIsAnsweredAsText) {
  expectError(load(MeshFormat::Stl, "# by hand\n" + asciiTetrahedron()), Reason::Malformed,
              "line 1: \"#\" stands where \"solid\" should");
}

TEST(Stl, BinarySizeMustFitTheCount) {
  expectError(load(MeshFormat::Stl, binaryStl(5, 4)), Reason::Truncated,
              "byte 80: the header declares 5 triangles (334 bytes), but the file has 284");
  expectError(load(MeshFormat::Stl, binaryStl(3, 4)), Reason::WrongCount, "3 triangles");
  expectError(load(MeshFormat::Stl, binaryStl(0xFFFFFFFF, 0)), Reason::Truncated, "4294967295");
  expectError(load(MeshFormat::Stl, binaryStl(0, 0)), Reason::Empty, "no triangles");
  expectError(load(MeshFormat::Stl, binaryStl(4, 4).substr(0, 60)), Reason::Truncated, "60 bytes");
}

TEST(Stl, BinaryNanIsNamedByByteAndTriangle) {
  std::string file = binaryStl(4, 4);
  file.replace(84 + 50 + 12 + 12 + 4, 4, bytesOf(std::nanf("")));
  expectError(load(MeshFormat::Stl, file), Reason::NotFinite, "test, byte 158: ");
  expectError(load(MeshFormat::Stl, file), Reason::NotFinite, "(triangle 1)");
}

TEST(Stl, AsciiIsWeldedAndNormalsDoNotMatter) {
  expectTetrahedron(loadGood(MeshFormat::Stl, asciiTetrahedron()));
}

TEST(Stl, AsciiInCapitalsWithOtherLineBreaks) {
  std::string file = asciiTetrahedron();
  for (char& c : file) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  }
  expectTetrahedron(loadGood(MeshFormat::Stl, file));
  const std::size_t body = file.find('\n') + 1;
  for (std::size_t i = body; i < file.size(); ++i) {
    if (file[i] == '\n') file[i] = ' ';
  }
  expectTetrahedron(loadGood(MeshFormat::Stl, file));
  for (std::size_t i = body; i < file.size(); ++i) {
    if (file[i] == ' ') file[i] = '\n';
  }
  // Then the solid's name would be split too; without one it is not.
  file = "solid\n" + file.substr(body, file.find("ENDSOLID") + 8 - body);
  expectTetrahedron(loadGood(MeshFormat::Stl, file));
}

TEST(Stl, SeveralSolids) {
  const auto loaded =
      loadGood(MeshFormat::Stl,
               asciiTetrahedron() +
                   "\nsolid one more\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 "
                   "0\nvertex 1 1 0\nendloop\nendfacet\nendsolid");
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded.value().mesh.triangles.size(), 5U);
  EXPECT_EQ(loaded.value().mesh.positions.size(), 5U) << "two corners are the tetrahedron's";
}

TEST(Stl, AsciiSaysWhatIsWrongAndWhere) {
  const std::string good = asciiTetrahedron();
  const auto wrong = [&](std::string_view from, std::string_view to, Reason reason,
                         std::string_view words) {
    std::string file = good;
    file.replace(file.find(from), from.size(), to);
    expectError(load(MeshFormat::Stl, file), reason, words);
  };
  wrong("vertex 0 0 0", "vertex 0 zero 0", Reason::Malformed, "line 4: \"zero\" stands where");
  wrong("vertex 0 0 0", "vertex 0 inf 0", Reason::NotFinite, "line 4");
  wrong("vertex 0 0 0", "", Reason::Malformed,
        "line 7: the facet has 2 corners and must have three");
  wrong("vertex 0 0 0", "vertex 0 0 0\nvertex 1 1 1", Reason::Malformed,
        "line 8: the facet has 4 corners and must have three");
  wrong("endloop", "endloop\nouter loop", Reason::Malformed, "\"loop\" stands where \"endfacet\"");
  wrong("endfacet", "", Reason::Malformed, "\"facet\" stands where \"endfacet\"");
  wrong("endfacet", "endfacet\nendfacet", Reason::Malformed, "\"endfacet\" stands where \"facet\"");
  wrong("facet normal nan 0 -inf", "", Reason::Malformed, "\"loop\" stands where \"facet\"");
  wrong("outer loop", "", Reason::Malformed, "\"vertex\"");
  wrong("facet normal", "facets abnormal", Reason::Malformed, "\"facets\"");
  wrong("endloop", "loop", Reason::Malformed, "\"loop\"");
  wrong("endsolid tetra hedron", "", Reason::Truncated, "endsolid");
  expectError(load(MeshFormat::Stl, good + "more"), Reason::Malformed, "\"more\"");
  expectError(load(MeshFormat::Stl, "solid x\nendsolid x\n"), Reason::Empty, "no triangles");
}

// ---- PLY ----

std::string plyHeader(std::string_view format, std::string_view vertexType = "float",
                      std::string_view list = "uchar int", std::uint64_t vertices = 4,
                      std::uint64_t faces = 4) {
  const std::string type(vertexType);
  return "ply\nformat " + std::string(format) +
         " 1.0\ncomment by hand\nobj_info x\nelement vertex " + std::to_string(vertices) +
         "\nproperty " + type + " x\nproperty " + type + " y\nproperty " + type +
         " z\nelement face " + std::to_string(faces) + "\nproperty list " + std::string(list) +
         " vertex_indices\nend_header\n";
}

const std::string kTetrahedronText =
    "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";

template <typename Real, typename Count, typename Index, typename Encode>
std::string binaryTetrahedron(const Encode& encode) {
  std::string body;
  const int corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  for (const auto& corner : corners) {
    for (const int c : corner)
      body += encode(static_cast<Real>(c));
  }
  for (const auto& face : faces) {
    body += encode(static_cast<Count>(3));
    for (const int i : face)
      body += encode(static_cast<Index>(i));
  }
  return body;
}

TEST(Ply, AllEncodingsAndTypes) {
  const auto little = [](auto value) { return bytesOf(value); };
  const auto big = [](auto value) { return bigEndianBytesOf(value); };
  expectTetrahedron(loadGood(MeshFormat::Ply, plyHeader("ascii") + kTetrahedronText));
  const std::string le = "binary_little_endian";
  const std::string be = "binary_big_endian";
  expectTetrahedron(
      loadGood(MeshFormat::Ply,
               plyHeader(le) + binaryTetrahedron<float, std::uint8_t, std::int32_t>(little)));
  expectTetrahedron(loadGood(
      MeshFormat::Ply, plyHeader(be) + binaryTetrahedron<float, std::uint8_t, std::int32_t>(big)));
  expectTetrahedron(
      loadGood(MeshFormat::Ply, plyHeader(be, "double", "uint ushort") +
                                    binaryTetrahedron<double, std::uint32_t, std::uint16_t>(big)));
  expectTetrahedron(loadGood(
      MeshFormat::Ply, plyHeader(le, "int16", "int8 uint8") +
                           binaryTetrahedron<std::int16_t, std::int8_t, std::uint8_t>(little)));
  expectTetrahedron(loadGood(
      MeshFormat::Ply, plyHeader(le, "uint8", "int16 uint32") +
                           binaryTetrahedron<std::uint8_t, std::int16_t, std::uint32_t>(little)));
}

TEST(Ply, AnyOrderOfPropertiesAndOtherElements) {
  const std::string header =
      "element camera 2\nproperty list uchar float m\nproperty int id\n"
      "element vertex 4\nproperty uchar red\nproperty double z\nproperty list uchar short odd\n"
      "property float x\nproperty float32 y\n"
      "element face 2\nproperty list uint8 float texcoord\nproperty list uint8 uint32 "
      "vertex_index\nproperty uchar flag\n"
      "element edge 1\nproperty int a\nproperty int b\nend_header\n";
  const auto check = [](const Result<LoadedMesh>& loaded) {
    ASSERT_TRUE(loaded.ok());
    const Mesh& mesh = loaded.value().mesh;
    ASSERT_EQ(mesh.positions.size(), 4U);
    EXPECT_EQ(mesh.positions[3], Eigen::Vector3f(3, 4, 5));
    EXPECT_EQ(mesh.triangles.size(), 3U);
    EXPECT_EQ(loaded.value().polygons, 1U);
  };
  check(loadGood(MeshFormat::Ply,
                 "ply\nformat ascii 1.0\n" + header +
                     "2 0.5 0.25 7\n0 8\n255 0 0 0 0\n1 0 2 9 9 1 0\n2 1 0 1 1\n3 5 1 5 3 4\n"
                     "2 0.5 0.5 4 0 1 2 3 1\n\n0 3 0 1 2 0\n0 1\n\n"));
  const auto vertex = [](float x, float y, double z) {
    return bytesOf(std::uint8_t{9}) + bytesOf(z) + "\x01" + bytesOf(std::int16_t{5}) + bytesOf(x) +
           bytesOf(y);
  };
  std::string body = bytesOf(std::uint8_t{2}) + bytesOf(0.5F) + bytesOf(0.25F) + bytesOf(7);
  body += std::string(1, '\0') + bytesOf(8);
  body += vertex(0, 0, 0) + vertex(1, 0, 0) + vertex(1, 1, 0) + vertex(3, 4, 5);
  body += bytesOf(std::uint8_t{2}) + bytesOf(0.5F) + bytesOf(0.5F) + "\x04" + bytesOf(0) +
          bytesOf(1) + bytesOf(2) + bytesOf(3) + "\x01";
  body +=
      std::string(1, '\0') + "\x03" + bytesOf(0) + bytesOf(1) + bytesOf(2) + std::string(1, '\0');
  body += bytesOf(0) + bytesOf(1);
  check(loadGood(MeshFormat::Ply, "ply\nformat binary_little_endian 1.0\n" + header + body));
}

TEST(Ply, CrLfAndBlanks) {
  std::string file = plyHeader("ascii") + " " + kTetrahedronText;
  for (std::size_t i = 0; (i = file.find('\n', i)) != std::string::npos; i += 3) {
    file.replace(i, 1, " \r\n");
  }
  expectTetrahedron(loadGood(MeshFormat::Ply, file));
}

TEST(Ply, FacesWithoutAreaAreCounted) {
  const auto loaded =
      loadGood(MeshFormat::Ply, plyHeader("ascii", "float", "uchar int", 3, 4) +
                                    "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n2 0 1\n1 0\n0\n");
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded.value().mesh.triangles.size(), 1U);
  EXPECT_EQ(loaded.value().droppedFaces, 3U);
}

TEST(Ply, SaysWhatIsWrongAndWhere) {
  const auto wrong = [](const std::string& file, Reason reason, std::string_view words) {
    expectError(load(MeshFormat::Ply, file), reason, words);
  };
  const std::string head = plyHeader("ascii");
  const std::string le = "binary_little_endian";
  wrong(head + "0 0 0\n1 0 0\n", Reason::Truncated, "4 of \"vertex\", but only 12 bytes");
  wrong(head + "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n", Reason::Truncated,
        "after 3 of 4");
  wrong(head + kTetrahedronText + "3 0 1 2\n", Reason::WrongCount, "more follows");
  wrong(
      "ply\nformat ascii 1.0\nelement vertex 99999999999999999999\nproperty float x\n"
      "property float y\nproperty float z\nend_header\n",
      Reason::Truncated, "declares 10^18 or more of \"vertex\"");
  wrong(plyHeader("ascii", "float", "uchar int", 3, 5) + kTetrahedronText, Reason::WrongCount,
        "line 15");
  wrong(plyHeader("ascii", "float", "uchar int", 5, 3) + kTetrahedronText, Reason::WrongCount,
        "line 16");
  wrong(head + "0 0 0\n1 0 0\n0 1 0\n0 0 nan\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n",
        Reason::NotFinite, "line 15");
  wrong(head + "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 4\n3 0 1 3\n3 1 2 3\n3 0 3 2\n",
        Reason::IndexOutOfRange, "line 16: face 0 names vertex 4, but there are 4");
  wrong(head + "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 -1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n",
        Reason::IndexOutOfRange, "-1");
  wrong(head + "0 0 0\n1 0 0\n0 one 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n",
        Reason::Malformed, "\"one\"");
  const std::string binary = plyHeader(le) + binaryTetrahedron<float, std::uint8_t, std::int32_t>(
                                                 [](auto value) { return bytesOf(value); });
  wrong(binary.substr(0, binary.size() - 1), Reason::Truncated, "\"face\" 3 of 4");
  wrong(binary + "x", Reason::WrongCount, "more follows");
  wrong(plyHeader(le, "float", "uchar int", 10'000'000'000), Reason::Truncated, "10000000000");
  wrong(plyHeader(le, "float", "uchar int", 0, 10'000'000'000), Reason::Truncated, "10000000000");
  wrong(plyHeader("ascii", "float", "uchar int", 10'000'000'000), Reason::Truncated, "10000000000");
  wrong(plyHeader(le, "float", "uint int", 0, 1) + "\xF0\xFF\xFF\xFF", Reason::Truncated,
        "\"face\"");
  wrong(plyHeader(le, "float", "char int", 0, 1) + "\xFF", Reason::Malformed, "-1 values");
  wrong(plyHeader("ascii_but_not_quite"), Reason::Unsupported, "\"ascii_but_not_quite\"");
  wrong("ply\nformat ascii 2.0\n", Reason::Unsupported, "1.0");
  wrong("ply\nelement vertex\n", Reason::Malformed, "line 2");
  wrong("ply\nproperty float x\n", Reason::Malformed, "line 2");
  wrong("ply\nelement vertex 1\nproperty complex x\n", Reason::Malformed, "\"complex\"");
  wrong("ply\nelement vertex 1\nproperty list float int x\n", Reason::Malformed, "\"float\"");
  wrong("ply\nend_header\n", Reason::Malformed, "format");
  wrong("ply\nformat ascii 1.0\n", Reason::Truncated, "header");
  wrong("ply\nformat ascii 1.0\nend_header\n", Reason::Empty, "vertices");
  wrong("plywood\n", Reason::Malformed, "\"ply\"");
  wrong(plyHeader("ascii", "float", "uchar float") + kTetrahedronText, Reason::Malformed,
        "vertex_indices");
  std::string noZ = head;
  noZ.replace(noZ.find(" z\n"), 3, " w\n");
  wrong(noZ + kTetrahedronText, Reason::Malformed, "\"z\"");
  const std::string points =
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float "
      "z\n";
  wrong(points + "end_header\n0 0 0\n", Reason::Empty, "1 point but no triangles");
  wrong(points +
            "element tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n1 0\n",
        Reason::Unsupported, "\"tristrips\"");
}

// ---- OFF ----

TEST(Off, PlainAndWithEverythingAllowed) {
  expectTetrahedron(loadGood(MeshFormat::Off, "OFF\n4 4 6\n" + kTetrahedronText));
  expectTetrahedron(loadGood(MeshFormat::Off, "# c\n\nOFF 4 4 # edges\n# c\n" + kTetrahedronText));
  for (const char* counts :
       {"OFF\n4\n4\n6\n", "OFF 4\n# c\n4 6\n", "OFF\n4 4\n6\n", "OFF\n4\n\n4\n"}) {
    expectTetrahedron(loadGood(MeshFormat::Off, counts + kTetrahedronText));
  }
  const auto loaded = loadGood(
      MeshFormat::Off,
      "STCNOFF\r\n4 3 0\r\n0 0 0 0 0 1 1 1 1 1 0 0\r\n1 0 0 0 0 1 1 1 1 1 0 0\r\n"
      "1 1 0 0 0 1 1 1 1 1 0 0 # last\r\n0 1 0\r\n4 0 1 2 3 255 0 0\r\n2 0 1\r\n3 0 1 2 0.5 "
      "0.5 0.5 1\r\n\r\n");
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded.value().mesh.triangles.size(), 3U);
  EXPECT_EQ(loaded.value().polygons, 1U);
  EXPECT_EQ(loaded.value().droppedFaces, 1U);
}

TEST(Off, SaysWhatIsWrongAndWhere) {
  const auto wrong = [](const std::string& file, Reason reason, std::string_view words) {
    expectError(load(MeshFormat::Off, file), reason, words);
  };
  wrong("OFF\n10000000000 10000000000 0\n0 0 0\n", Reason::Truncated, "line 2: the file declares");
  wrong("OFF\n1000000000000000000\n99999999999999999999\n0\n0 0 0\n", Reason::Truncated,
        "line 4: the file declares 10^18 or more vertices and 10^18 or more faces, but only 6");
  wrong("OFF\n3\n1 edge\n", Reason::Malformed, "line 3: the numbers of vertices");
  wrong("OFF\n4 5 0\n" + kTetrahedronText, Reason::Truncated, "ends before");
  wrong("OFF\n4 3 0\n" + kTetrahedronText, Reason::WrongCount, "line 10");
  wrong("OFF\n3 4 0\n" + kTetrahedronText, Reason::IndexOutOfRange, "line 8: face 2");
  wrong("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", Reason::IndexOutOfRange,
        "line 6: face 0 names vertex 3, but they run from 0 to 2");
  wrong("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", Reason::IndexOutOfRange, "-1");
  wrong("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 nan\n3 0 1 2\n", Reason::NotFinite, "line 5");
  wrong("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 z\n3 0 1 2\n", Reason::Malformed, "\"z\"");
  wrong("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1\n3 0 1 2\n", Reason::Malformed, "2 of 3");
  wrong("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1", Reason::Truncated, "names 2");
  wrong("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3.0 0 1 2\n", Reason::Malformed, "\"3.0\"");
  wrong("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0 up\n3 0 1 2\n", Reason::Malformed,
        "line 5: after vertex 2 stands \"up\"");
  wrong("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 red\n", Reason::Malformed,
        "line 6: after face 0 stands \"red\"");
  wrong("OFF\n-3 1 0\n", Reason::Malformed, "line 2");
  wrong("OFF BINARY\n", Reason::Unsupported, "binary");
  wrong("4OFF\n1 0 0\n", Reason::Unsupported, "three dimensions");
  wrong("ROFF\n1 0 0\n", Reason::Malformed, "\"ROFF\"");
  wrong("OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n", Reason::Empty, "3 points");
}

// ---- OBJ and OFF ----

/// Text with a long run of one letter in it, made block by block as a file is read.
class LongText final : public ByteSource {
 public:
  LongText(std::string before, std::uint64_t run, std::string after)
      : before_(std::move(before)), run_(run), after_(std::move(after)) {}
  [[nodiscard]] std::uint64_t size() const noexcept override {
    return before_.size() + run_ + after_.size();
  }
  [[nodiscard]] std::size_t read(std::uint64_t offset,
                                 std::span<std::byte> into) const noexcept override {
    const std::size_t count = std::min<std::uint64_t>(into.size(), size() - offset);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t at = offset + i;
      const char c = at < before_.size()          ? before_[at]
                     : at < before_.size() + run_ ? 'x'
                                                  : after_[at - before_.size() - run_];
      into[i] = static_cast<std::byte>(c);
    }
    return count;
  }

 private:
  std::string before_;
  std::uint64_t run_;
  std::string after_;
};

// A comment may be longer than any line that says something.
TEST(Comments, MayBeOfFortyMegabytes) {
  const auto read = [](MeshFormat format, const char* before, const std::string& after) {
    return parseMesh(format, LongText(before, 40'000'000, after), FileLabel("test"));
  };
  const std::string faces = "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  expectTetrahedron(read(MeshFormat::Obj, "v 0 0 0\n#", "\nv 1 0 0\nv 0 1 0\nv 0 0 1\n" + faces));
  expectTetrahedron(read(MeshFormat::Obj, "#", "\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n" + faces));
  expectTetrahedron(read(MeshFormat::Off, "OFF\n#", "\n4 4 6\n" + kTetrahedronText));
  expectError(read(MeshFormat::Obj, "#", "\n\nf 1 2\n"), Reason::Malformed, "line 3: the face");
  expectError(read(MeshFormat::Obj, "v 0 0 0\nv#", "\n"), Reason::Malformed,
              "line 2: the line is longer than 16 MiB and no comment");
}

// ---- which format ----

TEST(Recognise, ContentBeforeName) {
  const auto format = [](std::string_view content, const char* name) {
    const auto found =
        recognise(MemoryBytes(std::as_bytes(std::span(content))), name, FileLabel("f"));
    return found.ok() ? std::string(nameOf(found.value())) : found.error().sentence;
  };
  EXPECT_EQ(format("ply\nformat ascii 1.0\n", "a.obj"), "ply");
  EXPECT_EQ(format("OFF 4 4\n", "a.obj"), "off");
  EXPECT_EQ(format("# c\nSTOFF\n", "a"), "off");
  EXPECT_EQ(format("solid x\n", "a.ply"), "stl");
  EXPECT_EQ(format("# c\n\nv 0 0 0\n", "a.stl"), "obj");
  EXPECT_EQ(format("  {\"asset\"", "a.obj"), "gltf");
  EXPECT_EQ(format("glTF....", "a.gltf"), "glb");
  for (const char* header : {"", "solid", "OFF of a part", "ply\n", "glTF", "{", "v 0 0 0\n"}) {
    EXPECT_EQ(format(binaryStl(4, 4, header), "a.obj"), "stl") << header;
  }
  EXPECT_EQ(format("unheard of", "a.OBJ"), "obj");
  EXPECT_EQ(format("unheard of", "A.Glb"), "glb");
  EXPECT_EQ(
      format("unheard of", "a.xyz"),
      "f: neither the content nor the name tells a mesh format; known are OBJ, STL, PLY, OFF, "
      "glTF and GLB.");
  EXPECT_EQ(format("", "a.obj"), "f: the file is empty; export it again.");
}

}  // namespace
}  // namespace tactus::models
