// glTF and GLB: documents written by hand, with the meshes that must come out.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/files/gltf_buffers.hpp"
#include "tests/models/files/loading.hpp"

namespace tactus::models {
namespace {

using test::bytesOf;
using test::expectError;
using test::load;
using test::loadGood;

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k > bytes.size() ? '=' : kDigits[bits >> (18U - 6U * k) & 63U];
    }
  }
  return text;
}

const std::vector<std::uint32_t> kCorners = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};

std::string positions() {
  std::string bytes;
  for (const auto& p : {std::array{0.F, 0.F, 0.F}, std::array{1.F, 0.F, 0.F},
                        std::array{0.F, 1.F, 0.F}, std::array{0.F, 0.F, 1.F}}) {
    for (const float c : p)
      bytes += bytesOf(c);
  }
  return bytes;
}

template <typename Index>
std::string indices() {
  std::string bytes;
  for (const std::uint32_t corner : kCorners)
    bytes += bytesOf(static_cast<Index>(corner));
  return bytes;
}

/// A tetrahedron of volume 1/6 with 16-bit indices; `binary` without a uri.
Json tetrahedron(const std::string& uri) {
  Json document = Json::parse(R"({
    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                  {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}],
    "bufferViews": [{"buffer": 0, "byteLength": 48},
                    {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
    "buffers": [{"byteLength": 72}]})");
  if (!uri.empty()) document["buffers"][0]["uri"] = uri;
  return document;
}

Json embedded() {
  return tetrahedron("data:application/octet-stream;base64," +
                     base64(positions() + indices<std::uint16_t>()));
}

std::string glb(const Json& document, std::string binary) {
  std::string json = document.dump();
  json.resize((json.size() + 3) / 4 * 4, ' ');
  binary.resize((binary.size() + 3) / 4 * 4, '\0');
  std::string body = bytesOf(static_cast<std::uint32_t>(json.size())) + "JSON" + json;
  if (!binary.empty()) {
    body += bytesOf(static_cast<std::uint32_t>(binary.size())) + std::string("BIN\0", 4) + binary;
  }
  return "glTF" + bytesOf(2U) + bytesOf(static_cast<std::uint32_t>(12 + body.size())) + body;
}

void expectVolume(const Result<LoadedMesh>& loaded, double volume, std::size_t triangles = 4) {
  ASSERT_TRUE(loaded.ok()) << loaded.error().sentence;
  EXPECT_EQ(loaded.value().mesh.triangles.size(), triangles);
  EXPECT_NEAR(test::signedVolume(loaded.value().mesh), volume, 1e-6);
}

TEST(Gltf, EmbeddedBuffer) {
  const auto loaded = loadGood(MeshFormat::Gltf, embedded().dump());
  expectVolume(loaded, 1.0 / 6.0);
  EXPECT_EQ(loaded.value().format, MeshFormat::Gltf);
}

TEST(Gltf, BinaryChunk) {
  const auto loaded =
      loadGood(MeshFormat::Glb, glb(tetrahedron(""), positions() + indices<std::uint16_t>()));
  expectVolume(loaded, 1.0 / 6.0);
  EXPECT_EQ(loaded.value().format, MeshFormat::Glb);
}

TEST(Gltf, FileBesideIt) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("scene.gltf", tetrahedron("my%20data.bin").dump());
  expectError(readMesh(file), Reason::FileMissing, "my data.bin");
  (void)folder.write("my data.bin", positions() + indices<std::uint16_t>());
  expectVolume(readMesh(file), 1.0 / 6.0);
  (void)folder.write("my data.bin", positions());
  expectError(readMesh(file), Reason::Truncated, "buffer 0 declares 72 bytes and has 48");
}

TEST(Gltf, ReadsNoFileElsewhere) {
  const test::TemporaryFolder folder;
  for (const char* uri : {"../x.bin", "/etc/passwd", "%2e%2e/x.bin", "a/%2E./x.bin", "",
                          "file:///etc/passwd", "http://example.org/x.bin"}) {
    Json document = tetrahedron("x");
    document["buffers"][0]["uri"] = uri;
    const auto file = folder.write("scene.gltf", document.dump());
    expectError(readMesh(file), Reason::Unsupported, "not beside the file");
  }
}

TEST(Gltf, IndexTypesStridesAndOffsets) {
  for (const std::uint64_t type : {5121U, 5123U, 5125U}) {
    Json document = tetrahedron("");
    const std::string corners = type == 5121   ? indices<std::uint8_t>()
                                : type == 5123 ? indices<std::uint16_t>()
                                               : indices<std::uint32_t>();
    // Positions with normals between them, after four bytes of something else.
    std::string vertices = "skip";
    for (std::size_t i = 0; i < 4; ++i)
      vertices += positions().substr(12 * i, 12) + "normal------";
    document["accessors"][0]["byteOffset"] = 4;
    document["accessors"][1]["componentType"] = type;
    document["bufferViews"][0] = {
        {"buffer", 0}, {"byteLength", vertices.size()}, {"byteStride", 24}};
    document["bufferViews"][1] = {
        {"buffer", 0}, {"byteOffset", vertices.size()}, {"byteLength", corners.size()}};
    document["buffers"][0]["byteLength"] = vertices.size() + corners.size();
    expectVolume(loadGood(MeshFormat::Glb, glb(document, vertices + corners)), 1.0 / 6.0);
  }
}

TEST(Gltf, WithoutIndices) {
  Json document = tetrahedron("");
  std::string vertices;
  for (const std::uint32_t corner : kCorners)
    vertices += positions().substr(12 * corner, 12);
  document["meshes"][0]["primitives"][0].erase("indices");
  document["accessors"][0]["count"] = 12;
  document["bufferViews"][0]["byteLength"] = vertices.size();
  document["buffers"][0]["byteLength"] = vertices.size();
  const auto loaded = loadGood(MeshFormat::Glb, glb(document, vertices));
  expectVolume(loaded, 1.0 / 6.0);
  EXPECT_EQ(loaded.value().mesh.positions.size(), 12U) << "vertices stay as they are";
}

TEST(Gltf, StripsAndFans) {
  // A strip that turns over with every triangle; 0 1 2 3 3 0 0 ... joins parts without area.
  const std::vector<std::uint16_t> corners = {0, 1, 2, 3, 3, 0, 0, 1, 2};
  std::string bytes = positions();
  for (const std::uint16_t corner : corners)
    bytes += bytesOf(corner);
  Json document = tetrahedron("");
  document["accessors"][1]["count"] = corners.size();
  document["bufferViews"][1]["byteLength"] = 2 * corners.size();
  document["buffers"][0]["byteLength"] = bytes.size();
  document["meshes"][0]["primitives"][0]["mode"] = 5;
  auto loaded = loadGood(MeshFormat::Glb, glb(document, bytes));
  ASSERT_TRUE(loaded.ok());
  // 012, 132, then 233 330 300 001 without area, then 012 as an even triangle.
  EXPECT_EQ(loaded.value().mesh.triangles,
            (std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}, {0, 1, 2}}));

  document["meshes"][0]["primitives"][0]["mode"] = 6;
  document["accessors"][1]["count"] = 4;
  loaded = loadGood(MeshFormat::Glb, glb(document, bytes));
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded.value().mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(Gltf, PrimitivesShareTheirPositions) {
  Json document = embedded();
  document["meshes"][0]["primitives"].push_back(document["meshes"][0]["primitives"][0]);
  document["meshes"][0]["primitives"].push_back({{"mode", 1}, {"attributes", {{"POSITION", 0}}}});
  const auto loaded = loadGood(MeshFormat::Gltf, document.dump());
  expectVolume(loaded, 2.0 / 6.0, 8);
  EXPECT_EQ(loaded.value().mesh.positions.size(), 4U);
}

TEST(Gltf, NodesMoveTurnScaleAndMirror) {
  const auto with = [](const char* nodes) {
    Json document = embedded();
    document["nodes"] = Json::parse(nodes);
    return loadGood(MeshFormat::Gltf, document.dump());
  };
  auto loaded = with(R"([{"mesh": 0, "translation": [1, 2, 3], "scale": [2, 3, 4],
                          "rotation": [0, 0, 0.70710678118654752, 0.70710678118654752]}])");
  expectVolume(loaded, 24.0 / 6.0);
  const Mesh turned = loaded.value().mesh;
  // x of the mesh (1 0 0) is scaled to 2, turned to y and moved.
  EXPECT_LT((turned.position(1) - Eigen::Vector3d(1, 4, 3)).norm(), 1e-6);
  EXPECT_LT((turned.position(2) - Eigen::Vector3d(-2, 2, 3)).norm(), 1e-6);

  loaded = with(R"([{"mesh": 0, "matrix": [0,1,0,0, -1,0,0,0, 0,0,1,0, 5,6,7,1]}])");
  expectVolume(loaded, 1.0 / 6.0);
  EXPECT_EQ(loaded.value().mesh.position(1), Eigen::Vector3d(5, 7, 7));

  // A mirror alone would turn the surface inside out.
  expectVolume(with(R"([{"mesh": 0, "scale": [-1, 1, 1]}])"), 1.0 / 6.0);
  expectVolume(with(R"([{"mesh": 0, "scale": [-1, -1, 1]}])"), 1.0 / 6.0);
  expectVolume(
      with(R"([{"children": [1], "scale": [-1, 1, 1]}, {"mesh": 0, "scale": [1, -2, 1]}])"),
      2.0 / 6.0);
  expectVolume(with(R"([{"children": [1, 2], "translation": [9, 0, 0]}, {"mesh": 0},
                        {"mesh": 0, "translation": [0, 5, 0], "scale": [2, 2, -2]}])"),
               9.0 / 6.0, 8);

  // A skin's bones place the mesh, not its node.
  loaded = with(R"([{"children": [1], "translation": [1, 0, 0]},
                    {"mesh": 0, "skin": 0, "translation": [10, 0, 0]}])");
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded.value().mesh.position(0), Eigen::Vector3d(0, 0, 0));

  loaded = with(R"([{"children": [1], "scale": [2, 2, 2], "translation": [1, 0, 0]},
                    {"mesh": 0, "translation": [10, 0, 0]}])");
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded.value().mesh.position(0), Eigen::Vector3d(21, 0, 0));
}

TEST(Gltf, SceneChoiceAndMissingScenes) {
  Json document = embedded();
  document["nodes"] = Json::parse(R"([{"mesh": 0}, {"mesh": 0, "scale": [2, 2, 2]}])");
  document["scenes"] = Json::parse(R"([{"nodes": [0]}, {"nodes": [1]}])");
  expectVolume(loadGood(MeshFormat::Gltf, document.dump()), 1.0 / 6.0);
  document["scene"] = 1;
  expectVolume(loadGood(MeshFormat::Gltf, document.dump()), 8.0 / 6.0);
  document["scene"] = 2;
  expectError(load(MeshFormat::Gltf, document.dump()), Reason::IndexOutOfRange, "scene 2");
  document.erase("scene");
  document.erase("scenes");
  expectVolume(loadGood(MeshFormat::Gltf, document.dump()), 9.0 / 6.0, 8);
  document.erase("nodes");
  expectVolume(loadGood(MeshFormat::Gltf, document.dump()), 1.0 / 6.0);
}

TEST(Gltf, SaysWhatIsWrong) {
  const auto wrong = [](const char* patch, Reason reason, std::string_view words) {
    expectError(load(MeshFormat::Gltf, embedded().patch(Json::parse(patch)).dump()), reason, words);
  };
  wrong(R"([{"op": "replace", "path": "/asset/version", "value": "1.0"}])", Reason::Unsupported,
        "\"1.0\"");
  wrong(R"([{"op": "remove", "path": "/asset"}])", Reason::Malformed, "asset.version");
  for (const char* extension : {"KHR_draco_mesh_compression", "EXT_meshopt_compression"}) {
    wrong((std::string(R"([{"op": "add", "path": "/extensionsRequired", "value": [")") + extension +
           "\"]}]")
              .c_str(),
          Reason::Unsupported, extension);
  }
  wrong(R"([{"op": "add", "path": "/accessors/0/sparse", "value": {}}])", Reason::Malformed,
        "sparse elements of accessor 0");
  wrong(R"([{"op": "replace", "path": "/accessors/0/componentType", "value": 5123}])",
        Reason::Unsupported, "whole numbers");
  wrong(R"([{"op": "replace", "path": "/accessors/1/componentType", "value": 5126}])",
        Reason::Malformed, "5126");
  wrong(R"([{"op": "replace", "path": "/accessors/0/type", "value": "VEC2"}])", Reason::Malformed,
        "VEC3");
  wrong(R"([{"op": "replace", "path": "/accessors/0/count", "value": 5}])", Reason::Truncated,
        "5 elements");
  wrong(R"([{"op": "replace", "path": "/accessors/0/count", "value": 18446744073709551615}])",
        Reason::Truncated, "mesh 0: accessor 0");
  wrong(R"([{"op": "replace", "path": "/accessors/0/count", "value": 3}])", Reason::IndexOutOfRange,
        "names vertex 3, but there are 3");
  wrong(R"([{"op": "replace", "path": "/accessors/1/count", "value": 11}])", Reason::WrongCount,
        "11 corners");
  wrong(R"([{"op": "replace", "path": "/accessors/1/count", "value": -1}])", Reason::Malformed,
        "accessor 1");
  wrong(R"([{"op": "replace", "path": "/bufferViews/0/byteLength", "value": 73}])",
        Reason::Truncated, "bufferView 0");
  wrong(
      R"([{"op": "replace", "path": "/bufferViews/1/byteOffset", "value": 18446744073709551600}])",
      Reason::Truncated, "bufferView 1");
  wrong(R"([{"op": "replace", "path": "/buffers/0/byteLength", "value": 100}])", Reason::Truncated,
        "declares 100 bytes");
  wrong(R"([{"op": "replace", "path": "/buffers/0/uri", "value": "data:;base64,AAA~"}])",
        Reason::Malformed, "base64");
  wrong(R"([{"op": "replace", "path": "/buffers/0/uri", "value": "data:text/plain,hello"}])",
        Reason::Unsupported, "not base64");
  wrong(R"([{"op": "remove", "path": "/buffers/0/uri"}])", Reason::Unsupported, "no bytes");
  wrong(R"([{"op": "replace", "path": "/nodes/0/mesh", "value": 1}])", Reason::Malformed, "mesh");
  wrong(R"([{"op": "replace", "path": "/scenes/0/nodes", "value": [1]}])", Reason::IndexOutOfRange,
        "node 1");
  wrong(R"([{"op": "add", "path": "/nodes/0/children", "value": [0]}])", Reason::Malformed,
        "reached twice");
  wrong(R"([{"op": "add", "path": "/nodes/0/matrix", "value": [1, 2]}])", Reason::Malformed,
        "transform of node 0");
  wrong(R"([{"op": "add", "path": "/nodes/0/rotation", "value": [0, 0, 0, 0]}])", Reason::Malformed,
        "transform of node 0");
  wrong(R"([{"op": "add", "path": "/nodes/0/scale", "value": [1e300, 1, 1]}])", Reason::NotFinite,
        "accessor 0");
  wrong(R"([{"op": "add", "path": "/meshes/0/primitives/0/mode", "value": 1}])", Reason::Empty,
        "no triangles");
  expectError(load(MeshFormat::Gltf, "{\"asset\":"), Reason::Malformed, "test, byte 9: ");
  expectError(load(MeshFormat::Gltf, "{\"a\": \"caf\xE9 \"}"), Reason::Malformed,
              "test, byte 11: a text in the JSON is not UTF-8 here");
  expectError(load(MeshFormat::Gltf, "[1, 2]"), Reason::Malformed, "no object");
  expectError(load(MeshFormat::Gltf, std::string(200'000, '[')), Reason::Malformed, "64 levels");
}

/// A tetrahedron of which the last corner is sparse: (0, 0, 2) instead of (0, 0, 1).
Json sparse(const std::string& numbers) {
  const std::string corner = bytesOf(0.0F) + bytesOf(0.0F) + bytesOf(2.0F);
  const std::string bytes = positions() + indices<std::uint16_t>() + corner + numbers;
  Json document = tetrahedron("data:application/octet-stream;base64," + base64(bytes));
  document["buffers"][0]["byteLength"] = bytes.size();
  document["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", 72}, {"byteLength", 12}});
  document["bufferViews"].push_back(
      {{"buffer", 0}, {"byteOffset", 84}, {"byteLength", numbers.size()}});
  document["accessors"][0]["sparse"] = Json::parse(R"({"count": 1,
      "indices": {"bufferView": 3, "componentType": 5121}, "values": {"bufferView": 2}})");
  return document;
}

// Zeros, or what a bufferView holds, then the sparse substitutions (glTF 2.0, section 3.6.2.3).
TEST(Gltf, SparseAccessors) {
  Json document = sparse("\x03");
  expectVolume(loadGood(MeshFormat::Gltf, document.dump()), 2.0 / 6.0);
  document["accessors"][0].erase("bufferView");
  const auto loaded = loadGood(MeshFormat::Gltf, document.dump());
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded.value().mesh.position(3), Eigen::Vector3d(0, 0, 2));
  for (const std::uint32_t v : {0U, 1U, 2U})
    EXPECT_EQ(loaded.value().mesh.position(v), Eigen::Vector3d::Zero());

  // corners, too, and with numbers of other sizes: the last one becomes vertex 0
  document = embedded();
  const std::string bytes =
      positions() + indices<std::uint16_t>() + bytesOf(11U) + bytesOf(std::uint16_t{0});
  document["buffers"][0] = {{"byteLength", bytes.size()},
                            {"uri", "data:application/octet-stream;base64," + base64(bytes)}};
  document["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", 72}, {"byteLength", 6}});
  document["accessors"][1]["sparse"] = Json::parse(R"({"count": 1,
      "indices": {"bufferView": 2, "componentType": 5125},
      "values": {"bufferView": 2, "byteOffset": 4}})");
  const auto corners = loadGood(MeshFormat::Gltf, document.dump());
  ASSERT_TRUE(corners.ok());
  EXPECT_EQ(corners.value().mesh.triangles.back(), (Triangle{0, 3, 0}));
}

TEST(Gltf, SparseAccessorsMustBeInOrder) {
  const auto wrong = [](Json document, const char* patch, Reason reason, std::string_view words) {
    document = document.patch(Json::parse(patch));
    expectError(load(MeshFormat::Gltf, document.dump()), reason, words);
  };
  constexpr auto kNothing = "[]";
  wrong(sparse("\x04"), kNothing, Reason::Malformed, "do not ascend below its count");
  const char* const two = R"([{"op": "replace", "path": "/accessors/0/sparse/count", "value": 2},
      {"op": "replace", "path": "/accessors/0/sparse/values/bufferView", "value": 0}])";
  wrong(sparse("\x02\x01"), two, Reason::Malformed, "do not ascend");
  wrong(sparse("\x02\x02"), two, Reason::Malformed, "do not ascend");
  wrong(sparse("\x03"), two, Reason::Truncated, "sparse part of accessor 0 with 2 elements");
  wrong(sparse("\x03"), R"([{"op": "replace", "path": "/accessors/0/sparse/count", "value": 5}])",
        Reason::Malformed, "sparse elements of accessor 0");
  wrong(sparse("\x03"),
        R"([{"op": "add", "path": "/accessors/0/sparse/values/byteOffset", "value": 1}])",
        Reason::Truncated, "sparse part of accessor 0 with 1 element");
  wrong(
      sparse("\x03"),
      R"([{"op": "replace", "path": "/accessors/0/sparse/indices/componentType", "value": 5126}])",
      Reason::Malformed, "sparse elements of accessor 0");
  // zeros that no byte stands for have a bound, and are none where an extension has the values
  wrong(embedded(), R"([{"op": "remove", "path": "/accessors/0/bufferView"},
      {"op": "replace", "path": "/accessors/0/count", "value": 9007199254740992}])",
        Reason::TooLarge, "of which the file holds nothing");
  wrong(embedded(), R"([{"op": "remove", "path": "/accessors/0/bufferView"},
      {"op": "add", "path": "/meshes/0/primitives/0/extensions",
       "value": {"KHR_draco_mesh_compression": {}}}])",
        Reason::Unsupported, "compressed");
}

TEST(Gltf, GlbHeaderMustBeTrue) {
  const std::string good = glb(tetrahedron(""), positions() + indices<std::uint16_t>());
  std::string file = good;
  file.replace(4, 4, bytesOf(1U));
  expectError(load(MeshFormat::Glb, file), Reason::Unsupported, "version 1");
  file = good;
  file.replace(8, 4, bytesOf(0x7FFFFFFFU));
  expectError(load(MeshFormat::Glb, file), Reason::Truncated, "2147483647");
  file = good;
  file.replace(12, 4, bytesOf(0xFFFFFFFFU));
  expectError(load(MeshFormat::Glb, file), Reason::Malformed,
              "the GLB's JSON of 4294967295 bytes reaches beyond the");
  file = good;
  file.replace(16, 4, "BIN ");
  expectError(load(MeshFormat::Glb, file), Reason::Malformed, "does not begin with its JSON");
  expectError(load(MeshFormat::Glb, good.substr(0, 15)), Reason::Truncated, "header");
}

// 20 kB that ask for 4 GB: a thousand nodes, each with the same big mesh.
TEST(Gltf, CopiesAreBounded) {
  std::string binary = positions();
  const std::size_t corners = 3 * 60'000;
  for (std::size_t i = 0; i < corners; ++i)
    binary += static_cast<char>(i % 4);
  Json document = tetrahedron("");
  document["accessors"][1] = {
      {"bufferView", 1}, {"componentType", 5121}, {"count", corners}, {"type", "SCALAR"}};
  document["bufferViews"][1]["byteLength"] = corners;
  document["buffers"][0]["byteLength"] = binary.size();
  document["scenes"][0]["nodes"].clear();
  for (int i = 0; i < 6000; ++i) {
    document["scenes"][0]["nodes"].push_back(i);
    document["nodes"][static_cast<std::size_t>(i)] = {{"mesh", 0}};
  }
  expectError(load(MeshFormat::Glb, glb(document, binary)), Reason::TooLarge, "repeats");
}

TEST(Base64, DecodesWhatTheStandardSays) {
  const auto decoded = [](std::string_view text) {
    const auto bytes = decodeBase64(text);
    return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size())
                 : "none";
  };
  EXPECT_EQ(decoded(""), "");
  EXPECT_EQ(decoded("Zg=="), "f");
  EXPECT_EQ(decoded("Zm8="), "fo");
  EXPECT_EQ(decoded("Zm9v"), "foo");
  EXPECT_EQ(decoded("Zm9vYg"), "foob");
  EXPECT_EQ(decoded("Zm9vYmFy"), "foobar");
  EXPECT_EQ(decoded("Zm9vY"), "none");
  EXPECT_EQ(decoded("Zm 9v"), "none");
}

}  // namespace
}  // namespace tactus::models
