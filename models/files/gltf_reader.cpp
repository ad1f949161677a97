#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/files/byte_order.hpp"
#include "models/files/byte_stream.hpp"
#include "models/files/gltf_buffers.hpp"
#include "models/files/gltf_document.hpp"
#include "models/files/mesh_builder.hpp"
#include "models/files/mesh_parsers.hpp"

// Source: Khronos Group, "glTF 2.0 Specification", 2021 (ISO/IEC 12113:2022). Read are the meshes
// of the default scene under their nodes' transforms, at rest: no skins, morph targets, animations.
namespace tactus::models {
namespace {

constexpr std::uint64_t kAbsent = ~std::uint64_t{0};
constexpr std::uint32_t kGlbMagic = 0x46546C67;  // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;
constexpr std::uint32_t kBinaryChunk = 0x004E4942;
constexpr std::uint64_t kFloatType = 5126;
constexpr std::uint64_t kPositionBytes = 12;

// The JSON is the only part that is held whole; with base64 inside it may be large.
constexpr std::uint64_t kMaxJsonBytes = std::uint64_t{1} << 30U;

// A file may place one mesh many times, so a small one could ask for endless memory. An assembly of
// a hundred bolts fits, and so does whatever repeats itself less than 256 times.
constexpr std::uint64_t kMinAllowance = std::uint64_t{32} << 20U;
constexpr std::uint64_t kAllowancePerByte = 256;

/// Affine map from a node's frame to the scene's; row by row, fixed order of operations.
struct Transform {
  std::array<std::array<double, 4>, 3> row{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

  [[nodiscard]] Eigen::Vector3d operator()(const Eigen::Vector3d& p) const {
    Eigen::Vector3d q;
    for (std::size_t i = 0; i < 3; ++i) {
      q[static_cast<Eigen::Index>(i)] =
          row[i][0] * p.x() + row[i][1] * p.y() + row[i][2] * p.z() + row[i][3];
    }
    return q;
  }
  [[nodiscard]] Transform after(const Transform& inner) const {
    Transform product;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        product.row[i][j] = row[i][0] * inner.row[0][j] + row[i][1] * inner.row[1][j] +
                            row[i][2] * inner.row[2][j] + (j == 3 ? row[i][3] : 0.0);
      }
    }
    return product;
  }
  /// True if it turns left hands into right ones.
  [[nodiscard]] bool mirrors() const {
    const auto& r = row;
    return r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) -
               r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
               r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]) <
           0.0;
  }
};

/// Size of an index by its component type; 0 if it can be none.
std::size_t indexBytes(std::uint64_t componentType) {
  switch (componentType) {
    case 5121:
      return 1;
    case 5123:
      return 2;
    case 5125:
      return 4;
    default:
      return 0;
  }
}

/// An index of so many bytes.
std::uint32_t indexAt(const std::byte* at, std::size_t bytes) {
  if (bytes == 1) return load<std::uint8_t>(at, std::endian::little);
  if (bytes == 2) return load<std::uint16_t>(at, std::endian::little);
  return load<std::uint32_t>(at, std::endian::little);
}

/// `count` numbers of a JSON array.
template <std::size_t count>
bool numbers(const Json& array, std::array<double, count>& values) {
  if (!array.is_array() || array.size() != count) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!array[i].is_number()) return false;
    values[i] = array[i].get<double>();
  }
  return true;
}

/// A node's own transform; nothing if it is no proper one.
std::optional<Transform> transformOf(const Json& node) {
  Transform t;
  if (const Json* const matrix = member(node, "matrix")) {
    std::array<double, 16> m{};
    if (!numbers(*matrix, m)) return std::nullopt;
    if (m[3] != 0.0 || m[7] != 0.0 || m[11] != 0.0 || m[15] != 1.0) return std::nullopt;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 4; ++j)
        t.row[i][j] = m[4 * j + i];  // stored column by column
    }
    return t;
  }
  std::array<double, 3> translation{0, 0, 0};
  std::array<double, 4> rotation{0, 0, 0, 1};
  std::array<double, 3> scale{1, 1, 1};
  const Json* const parts[] = {member(node, "translation"), member(node, "rotation"),
                               member(node, "scale")};
  if ((parts[0] != nullptr && !numbers(*parts[0], translation)) ||
      (parts[1] != nullptr && !numbers(*parts[1], rotation)) ||
      (parts[2] != nullptr && !numbers(*parts[2], scale))) {
    return std::nullopt;
  }
  const auto [x, y, z, w] = rotation;
  const double size = x * x + y * y + z * z + w * w;
  if (!(size > 0.0)) return std::nullopt;
  const double s = 2.0 / size;  // 2 for a unit quaternion, and forgives one that is not
  const double turn[3][3] = {{1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)},
                             {s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)},
                             {s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      t.row[i][j] = turn[i][j] * scale[j];
    t.row[i][3] = translation[i];
  }
  return t;
}

/// Extensions that change looks only, so that a file which requires them still has our geometry.
bool leavesGeometryAlone(std::string_view extension) {
  static constexpr std::string_view kLooks[] = {
      "KHR_materials_", "KHR_texture_", "EXT_texture_", "MSFT_texture_", "KHR_lights_",
      "EXT_lights_", "KHR_animation_pointer", "KHR_xmp",
      // Allows positions in whole numbers, which the accessor then tells.
      "KHR_mesh_quantization"};
  return std::ranges::any_of(kLooks,
                             [&](std::string_view known) { return extension.starts_with(known); });
}

/// Elements of an accessor, front to back: those of its view, or zeros without one, but for the
/// sparse ones that take the place of some.
class Elements {
 public:
  /// What takes the place of others: ascending numbers, and as many values.
  struct Sparse {
    GltfBuffers::View indices, values;
    std::uint64_t count = 0;
    std::size_t indexBytes = 0;
  };

  /// Ranges must have been checked.
  Elements(const std::optional<GltfBuffers::View>& dense, const std::optional<Sparse>& sparse,
           std::size_t elementBytes)
      : elementBytes_(elementBytes) {
    if (dense) dense_.emplace(*dense);
    if (!sparse) return;
    indices_.emplace(sparse->indices);
    values_.emplace(sparse->values);
    indexBytes_ = sparse->indexBytes;
    left_ = sparse->count;
    advance();
  }

  /// The next element; null if a file ended early. Valid until the next call.
  [[nodiscard]] const std::byte* next() {
    const std::byte* at = kZeros.data();
    if (dense_) at = dense_->take(elementBytes_);
    if (at != nullptr && hasNext_ && next_ == element_ && values_) {
      at = values_->take(elementBytes_);
      advance();
    }
    ++element_;
    return isCut_ ? nullptr : at;
  }

  /// Whether all that is sparse has found its place: its numbers ascend and are below the count.
  [[nodiscard]] bool areInOrder() const noexcept { return !hasNext_ && left_ == 0; }

 private:
  /// A view's bytes, element by element.
  class Strided {
   public:
    explicit Strided(const GltfBuffers::View& view)
        : slice_(*view.bytes, view.first, view.length), stream_(slice_), stride_(view.stride) {}
    Strided(const Strided&) = delete;
    Strided& operator=(const Strided&) = delete;

    [[nodiscard]] const std::byte* take(std::size_t bytes) {
      if (!stream_.skip(gap_)) return nullptr;
      gap_ = stride_ - bytes;
      return stream_.take(bytes);
    }

   private:
    SliceBytes slice_;
    ByteStream stream_;
    std::uint64_t stride_, gap_ = 0;
  };

  void advance() {
    hasNext_ = false;
    if (left_ == 0 || !indices_) return;
    const std::byte* const at = indices_->take(indexBytes_);
    isCut_ = isCut_ || at == nullptr;
    if (at == nullptr) return;
    --left_;
    next_ = indexAt(at, indexBytes_);
    hasNext_ = true;
  }

  // of the largest element, a position
  static constexpr std::array<std::byte, kPositionBytes> kZeros{};

  std::size_t elementBytes_;
  std::optional<Strided> dense_, indices_, values_;
  std::size_t indexBytes_ = 0;
  std::uint64_t left_ = 0;  // sparse ones of which the number is not read yet
  std::uint64_t next_ = 0;  // number of the sparse one at hand
  bool hasNext_ = false;
  bool isCut_ = false;
  std::uint64_t element_ = 0;
};

class GltfReader {
 public:
  GltfReader(const ByteSource& source, const FileLabel& label, const std::filesystem::path& folder)
      : source_(source), label_(label), folder_(folder) {}

  Result<LoadedMesh> read() {
    if (!readContainer()) return error_;
    GltfBuffers buffers(document_, chunk_ ? &*chunk_ : nullptr, folder_, label_);
    buffers_ = &buffers;
    const bool done = checkVersion() && readScene();
    if (const int error = buffers.readError(); error != 0) {
      return label_.whole(Reason::FileMissing, say("a buffer's file could not be read (",
                                                   systemMessage(error), "); check the disk"));
    }
    if (!done) return error_;
    return builder_.finish(format_, source_, label_);
  }

 private:
  // ---- container ----

  bool readContainer() {
    std::array<std::byte, 20> head{};
    const std::size_t got = source_.read(0, head);
    const auto word = [&](std::size_t at) {
      return load<std::uint32_t>(head.data() + at, std::endian::little);
    };
    if (got < 4 || word(0) != kGlbMagic) {
      format_ = MeshFormat::Gltf;
      return readDocument(0, source_.size());
    }
    format_ = MeshFormat::Glb;
    if (got < head.size())
      return fail(Reason::Truncated, "the GLB ends within its header; it is cut");
    if (word(4) != 2) {
      return fail(Reason::Unsupported,
                  say("this is GLB version ", word(4), ", only 2 is read; export it as glTF 2.0"));
    }
    const std::uint64_t length = word(8);
    if (length > source_.size()) {
      return fail(Reason::Truncated, say("the GLB declares ", counted(length, "byte", "bytes"),
                                         " and has ", source_.size(), "; it is cut"));
    }
    const std::uint64_t jsonLength = word(12);
    if (word(16) != kJsonChunk) {
      return fail(Reason::Malformed, "the GLB does not begin with its JSON; the file is damaged");
    }
    if (length < head.size() || jsonLength > length - head.size()) {
      return fail(
          Reason::Malformed,
          say("the GLB's JSON of ", counted(jsonLength, "byte", "bytes"), " reaches beyond the ",
              length, " that the GLB declares for all of it; the file is damaged"));
    }
    const std::uint64_t next = head.size() + jsonLength;
    std::array<std::byte, 8> chunkHead{};
    if (length >= next + chunkHead.size() && source_.read(next, chunkHead) == chunkHead.size() &&
        load<std::uint32_t>(chunkHead.data() + 4, std::endian::little) == kBinaryChunk) {
      const std::uint64_t bytes = load<std::uint32_t>(chunkHead.data(), std::endian::little);
      if (bytes > length - next - chunkHead.size()) {
        return fail(Reason::Truncated, "the GLB's binary chunk reaches beyond the file; it is cut");
      }
      chunk_.emplace(source_, next + chunkHead.size(), bytes);
    }
    return readDocument(head.size(), jsonLength);
  }

  bool readDocument(std::uint64_t first, std::uint64_t length) {
    if (length > kMaxJsonBytes) {
      return fail(Reason::TooLarge, "the JSON is larger than 1 GiB; export the object as GLB");
    }
    std::string text(static_cast<std::size_t>(length), '\0');
    const std::size_t got = source_.read(first, std::as_writable_bytes(std::span(text)));
    text.resize(got);
    Result<Json> parsed = parseGltfDocument(text, first, label_);
    if (!parsed.ok()) {
      error_ = parsed.error();
      return false;
    }
    document_ = std::move(parsed).value();
    return true;
  }

  bool checkVersion() {
    const Json* const asset = member(document_, "asset");
    const Json* const version = asset != nullptr ? member(*asset, "version") : nullptr;
    if (version == nullptr || !version->is_string()) {
      return fail(Reason::Malformed, "the JSON has no asset.version; this is no glTF file");
    }
    const std::string_view text = version->get_ref<const std::string&>();
    if (!text.starts_with("2.")) {
      return fail(Reason::Unsupported, say("this is glTF version ", inQuotes(text),
                                           ", only 2 is read; export it as 2.0"));
    }
    const Json* const required = member(document_, "extensionsRequired");
    for (std::uint64_t i = 0; const Json* const name = entry(required, i); ++i) {
      if (!name->is_string()) continue;
      const std::string_view extension = name->get_ref<const std::string&>();
      if (leavesGeometryAlone(extension)) continue;
      return fail(Reason::Unsupported, say("the file requires the extension ", inQuotes(extension),
                                           ", which is not read; export the object without it"));
    }
    return true;
  }

  // ---- scene ----

  bool readScene() {
    nodes_ = member(document_, "nodes");
    const std::size_t nodeCount = nodes_ != nullptr && nodes_->is_array() ? nodes_->size() : 0;
    visited_.assign(nodeCount, false);

    std::vector<Visit> open;
    const Json* const scenes = member(document_, "scenes");
    std::uint64_t chosen = 0;
    if (!wholeNumber(document_, "scene", 0, chosen)) {
      return fail(Reason::Malformed, "the scene's number is none; the file is damaged");
    }
    if (const Json* const scene = entry(scenes, chosen)) {
      if (const Json* const roots = member(*scene, "nodes")) {
        if (!push(*roots, {}, open)) return false;
      }
    } else if (member(document_, "scene") != nullptr) {
      return fail(Reason::IndexOutOfRange,
                  say("scene ", chosen, " is used but does not exist; the file is damaged"));
    } else if (nodeCount > 0) {
      // A library without a scene: every node that is nobody's child.
      std::vector<bool> isChild(nodeCount, false);
      for (const Json& node : *nodes_) {
        const Json* const children = member(node, "children");
        for (std::uint64_t i = 0; const Json* const child = entry(children, i); ++i) {
          if (!child->is_number_unsigned()) continue;
          const auto index = child->get<std::uint64_t>();
          if (index < nodeCount) isChild[static_cast<std::size_t>(index)] = true;
        }
      }
      for (std::size_t i = nodeCount; i-- > 0;) {
        if (!isChild[i]) open.push_back({i, {}});
      }
    } else {
      const Json* const meshes = member(document_, "meshes");
      for (std::uint64_t i = 0; entry(meshes, i) != nullptr; ++i) {
        if (!readMesh(i, {})) return false;
      }
    }

    while (!open.empty()) {
      const Visit visit = open.back();
      open.pop_back();
      if (!readNode(visit, open)) return false;
    }
    return true;
  }

  struct Visit {
    std::uint64_t node;
    Transform sceneFromParent;
  };

  /// Notes nodes to visit, the first on top.
  bool push(const Json& indices, const Transform& sceneFromParent, std::vector<Visit>& open) {
    if (!indices.is_array()) {
      return fail(Reason::Malformed, "a list of nodes is none; the file is damaged");
    }
    for (std::size_t i = indices.size(); i-- > 0;) {
      if (!indices[i].is_number_unsigned()) {
        return fail(Reason::Malformed, "a list of nodes holds something else; the file is damaged");
      }
      open.push_back({indices[i].get<std::uint64_t>(), sceneFromParent});
    }
    return true;
  }

  bool readNode(const Visit& visit, std::vector<Visit>& open) {
    const Json* const node = entry(nodes_, visit.node);
    if (node == nullptr) {
      return fail(Reason::IndexOutOfRange,
                  say("node ", visit.node, " is used but does not exist; the file is damaged"));
    }
    if (visited_[static_cast<std::size_t>(visit.node)]) {
      return fail(Reason::Malformed,
                  say("node ", visit.node,
                      " is reached twice, but the scene must be a tree; the file is damaged"));
    }
    visited_[static_cast<std::size_t>(visit.node)] = true;
    const std::optional<Transform> parentFromNode = transformOf(*node);
    if (!parentFromNode) {
      return fail(Reason::Malformed,
                  say("the transform of node ", visit.node, " is none; the file is damaged"));
    }
    const Transform sceneFromNode = visit.sceneFromParent.after(*parentFromNode);
    if (member(*node, "mesh") != nullptr) {
      std::uint64_t mesh = 0;
      if (!wholeNumber(*node, "mesh", kAbsent, mesh)) mesh = kAbsent;
      // Bones alone place a mesh that has a skin; at rest it stands where its vertices say.
      const bool hasSkin = member(*node, "skin") != nullptr;
      if (!readMesh(mesh, hasSkin ? Transform{} : sceneFromNode)) return false;
    }
    const Json* const children = member(*node, "children");
    return children == nullptr || push(*children, sceneFromNode, open);
  }

  bool readMesh(std::uint64_t index, const Transform& sceneFromMesh) {
    const Json* const mesh = entry(member(document_, "meshes"), index);
    const Json* const primitives = mesh != nullptr ? member(*mesh, "primitives") : nullptr;
    if (primitives == nullptr || !primitives->is_array()) {
      return fail(Reason::Malformed, say("a node names a mesh that does not exist or has no "
                                         "primitives; the file is damaged"));
    }
    shared_.clear();
    meshAtHand_ = index;
    for (const Json& primitive : *primitives) {
      if (!readPrimitive(primitive, sceneFromMesh)) return false;
    }
    meshAtHand_.reset();
    return true;
  }

  // ---- geometry ----

  struct Accessor {
    std::optional<GltfBuffers::View> view;  ///< none: all zeros
    std::optional<Elements::Sparse> sparse;
    std::uint64_t count = 0, componentType = 0;
  };

  bool readPrimitive(const Json& primitive, const Transform& sceneFromMesh) {
    std::uint64_t mode = 0;
    if (!wholeNumber(primitive, "mode", 4, mode) || mode > 6) {
      return fail(Reason::Malformed, "a primitive has no known mode; the file is damaged");
    }
    if (mode < 4) return true;  // points and lines
    const Json* const extensions = member(primitive, "extensions");
    isCompressed_ = extensions != nullptr && extensions->is_object() && !extensions->empty();
    const Json* const attributes = member(primitive, "attributes");
    if (attributes == nullptr || member(*attributes, "POSITION") == nullptr) {
      return fail(Reason::Malformed, "a primitive has no POSITION; export the object again");
    }
    std::uint64_t positionIndex = 0;
    std::uint64_t firstVertex = 0;
    std::uint64_t vertexCount = 0;
    if (!wholeNumber(*attributes, "POSITION", kAbsent, positionIndex)) positionIndex = kAbsent;
    if (!readPositions(positionIndex, sceneFromMesh, firstVertex, vertexCount)) return false;

    triangle_ = {};
    const bool flipped = sceneFromMesh.mirrors();
    if (member(primitive, "indices") == nullptr) {
      if (!checkCorners(mode, vertexCount) || !spendCorners(mode, vertexCount)) return false;
      for (std::uint64_t i = 0; i < vertexCount; ++i)
        addCorner(mode, firstVertex + i, flipped);
      return true;
    }
    std::uint64_t indices = 0;
    if (!wholeNumber(primitive, "indices", kAbsent, indices)) indices = kAbsent;
    return readIndices(indices, mode, flipped, firstVertex, vertexCount);
  }

  /// Primitives of one mesh often share their positions: those are added once.
  bool readPositions(std::uint64_t index, const Transform& sceneFromMesh,
                     std::uint64_t& firstVertex, std::uint64_t& vertexCount) {
    if (const auto known = shared_.find(index); known != shared_.end()) {
      firstVertex = known->second.firstVertex;
      vertexCount = known->second.vertexCount;
      return true;
    }
    Accessor accessor;
    if (!openAccessor(index, "VEC3", kPositionBytes, accessor)) return false;
    if (accessor.componentType != kFloatType) {
      return fail(
          Reason::Unsupported,
          "positions in whole numbers are not read; export the object without quantization");
    }
    firstVertex = builder_.vertexCount();
    vertexCount = accessor.count;
    if (!spend(accessor.count)) return false;
    Elements elements(accessor.view, accessor.sparse, kPositionBytes);
    for (std::uint64_t i = 0; i < accessor.count; ++i) {
      const std::byte* const at = elements.next();
      if (at == nullptr) return cutWhileReading();
      const Eigen::Vector3d p = sceneFromMesh({load<float>(at, std::endian::little),
                                               load<float>(at + 4, std::endian::little),
                                               load<float>(at + 8, std::endian::little)});
      if (!MeshBuilder::isStorable(p)) {
        return fail(Reason::NotFinite,
                    say(MeshBuilder::whyNotStorable(p), " (element ", i, " of accessor ", index,
                        "); repair the file where it was made"));
      }
      builder_.addPosition(p);
    }
    if (!elements.areInOrder()) return sparseOutOfOrder(index);
    shared_[index] = {firstVertex, vertexCount};
    return true;
  }

  bool readIndices(std::uint64_t index, std::uint64_t mode, bool flipped, std::uint64_t firstVertex,
                   std::uint64_t vertexCount) {
    Accessor accessor;
    if (!openAccessor(index, "SCALAR", 0, accessor)) return false;
    const std::size_t size = indexBytes(accessor.componentType);
    if (!checkCorners(mode, accessor.count) || !spendCorners(mode, accessor.count)) return false;
    Elements elements(accessor.view, accessor.sparse, size);
    for (std::uint64_t i = 0; i < accessor.count; ++i) {
      const std::byte* const at = elements.next();
      if (at == nullptr) return cutWhileReading();
      const std::uint32_t vertex = indexAt(at, size);
      if (vertex >= vertexCount) {
        return fail(
            Reason::IndexOutOfRange,
            say("index ", i, " of accessor ", index, " names vertex ", vertex, ", but there ",
                vertexCount == 1 ? "is " : "are ", vertexCount, "; the file is damaged"));
      }
      addCorner(mode, firstVertex + vertex, flipped);
    }
    return elements.areInOrder() || sparseOutOfOrder(index);
  }

  /// `elementBytes` 0: indices, whose component type tells.
  bool openAccessor(std::uint64_t index, std::string_view type, std::uint64_t elementBytes,
                    Accessor& accessor) {
    const Json* const description = entry(member(document_, "accessors"), index);
    if (description == nullptr) {
      return fail(Reason::IndexOutOfRange,
                  "an accessor is used that does not exist; the file is damaged");
    }
    const Json* const declaredType = member(*description, "type");
    if (declaredType == nullptr || !declaredType->is_string() ||
        declaredType->get_ref<const std::string&>() != type) {
      return fail(Reason::Malformed,
                  say("accessor ", index, " should be of type ", type, "; the file is damaged"));
    }
    std::uint64_t viewIndex = 0;
    std::uint64_t offset = 0;
    if (!wholeNumber(*description, "bufferView", kAbsent, viewIndex) ||
        !wholeNumber(*description, "byteOffset", 0, offset) ||
        !wholeNumber(*description, "count", 0, accessor.count) ||
        !wholeNumber(*description, "componentType", 0, accessor.componentType)) {
      return fail(Reason::Malformed,
                  say("accessor ", index, " has a number that is none; the file is damaged"));
    }
    if (elementBytes == 0) elementBytes = indexBytes(accessor.componentType);
    if (elementBytes == 0) {
      return fail(Reason::Malformed,
                  say("accessor ", index, " holds indices of component type ",
                      accessor.componentType, ", which glTF forbids; the file is damaged"));
    }
    if (viewIndex == kAbsent) {
      if (isCompressed_) {
        return fail(Reason::Unsupported,
                    say("accessor ", index,
                        " has no bufferView but an extension in its place (compressed?); export "
                        "the object without compression"));
      }
      if (accessor.count > kMinAllowance / elementBytes) {
        return fail(Reason::TooLarge,
                    say("accessor ", index, " has ", counted(accessor.count, "element", "elements"),
                        " of which the file holds nothing; store them"));
      }
    } else {
      accessor.view =
          openElements(viewIndex, offset, accessor.count, elementBytes, say("accessor ", index));
      if (!accessor.view) return false;
    }
    const Json* const sparse = member(*description, "sparse");
    return sparse == nullptr || openSparse(*sparse, index, elementBytes, accessor);
  }

  /// Numbers and values that take the place of others. Source: glTF 2.0, section 3.6.2.3.
  bool openSparse(const Json& sparse, std::uint64_t index, std::uint64_t elementBytes,
                  Accessor& accessor) {
    Elements::Sparse& opened = accessor.sparse.emplace();
    const Json* const indices = member(sparse, "indices");
    const Json* const values = member(sparse, "values");
    std::uint64_t type = 0;
    std::array<std::uint64_t, 2> views{};
    std::array<std::uint64_t, 2> offsets{};
    if (indices == nullptr || values == nullptr || !wholeNumber(sparse, "count", 0, opened.count) ||
        !wholeNumber(*indices, "componentType", 0, type) ||
        !wholeNumber(*indices, "bufferView", kAbsent, views[0]) ||
        !wholeNumber(*indices, "byteOffset", 0, offsets[0]) ||
        !wholeNumber(*values, "bufferView", kAbsent, views[1]) ||
        !wholeNumber(*values, "byteOffset", 0, offsets[1]) || indexBytes(type) == 0 ||
        opened.count > accessor.count) {
      return fail(Reason::Malformed, say("the sparse elements of accessor ", index,
                                         " are not well described; the file is damaged"));
    }
    opened.indexBytes = indexBytes(type);
    const std::string whose = say("the sparse part of accessor ", index);
    const std::optional<GltfBuffers::View> numbers =
        openElements(views[0], offsets[0], opened.count, opened.indexBytes, whose);
    if (!numbers) return false;
    const std::optional<GltfBuffers::View> elements =
        openElements(views[1], offsets[1], opened.count, elementBytes, whose);
    if (!elements) return false;
    opened.indices = *numbers;
    opened.values = *elements;
    return true;
  }

  /// The part of a bufferView that holds `count` elements, `stride` from one to the next. Nothing
  /// if it has failed.
  std::optional<GltfBuffers::View> openElements(std::uint64_t viewIndex, std::uint64_t offset,
                                                std::uint64_t count, std::uint64_t elementBytes,
                                                const std::string& whose) {
    Result<GltfBuffers::View> found = buffers_->view(viewIndex);
    if (!found.ok()) {
      error_ = found.error();
      return std::nullopt;
    }
    GltfBuffers::View view = found.value();
    if (view.stride == 0) view.stride = elementBytes;
    if (view.stride < elementBytes) {
      fail(Reason::Malformed, say("the elements of ", whose, " overlap (byteStride ", view.stride,
                                  "); the file is damaged"));
      return std::nullopt;
    }
    if (count == 0) {
      view.length = 0;
      return view;
    }
    if (offset > view.length || elementBytes > view.length - offset ||
        count - 1 > (view.length - offset - elementBytes) / view.stride) {
      fail(Reason::Truncated, say(whose, " with ", counted(count, "element", "elements"),
                                  " reaches beyond its bufferView; the file is damaged or cut"));
      return std::nullopt;
    }
    view.first += offset;
    view.length -= offset;
    return view;
  }

  bool sparseOutOfOrder(std::uint64_t index) {
    return fail(Reason::Malformed, say("the sparse indices of accessor ", index,
                                       " do not ascend below its count; the file is damaged"));
  }

  bool checkCorners(std::uint64_t mode, std::uint64_t corners) {
    if (mode != 4 || corners % 3 == 0) return true;
    return fail(Reason::WrongCount,
                say("a primitive of triangles has ", corners,
                    " corners, which three does not divide; the file is damaged"));
  }

  /// Next corner of a list, strip or fan of triangles.
  void addCorner(std::uint64_t mode, std::uint64_t vertex, bool flipped) {
    triangle_.corner[std::min<std::uint64_t>(triangle_.seen, 2)] =
        static_cast<std::uint32_t>(vertex);
    ++triangle_.seen;
    if (triangle_.seen < 3) return;
    auto& [a, b, c] = triangle_.corner;
    const bool strip = mode == 5;
    // Strips turn over with every triangle, and join their parts by triangles without area.
    const bool turned = flipped != (strip && triangle_.seen % 2 == 0);
    if (!strip || (a != b && b != c && c != a)) {
      builder_.addTriangle(a, turned ? c : b, turned ? b : c);
    }
    if (mode == 4) {
      triangle_.seen = 0;
    } else {
      if (strip) a = b;
      b = c;
    }
  }

  /// Bounds what a file may make of itself by placing its meshes again and again.
  bool spend(std::uint64_t elements) {
    const std::uint64_t bytes = source_.size() + buffers_->openedBytes();
    const std::uint64_t allowance = kMinAllowance + kAllowancePerByte * bytes;
    spent_ += kPositionBytes * (elements + 1);  // an empty one costs time too
    if (spent_ <= allowance) return true;
    return fail(Reason::TooLarge,
                say("the scene repeats its meshes into more than ", kAllowancePerByte,
                    " times the file's size; place fewer copies"));
  }

  bool spendCorners(std::uint64_t mode, std::uint64_t corners) {
    return spend(mode == 4 ? corners / 3 : corners);
  }

  bool cutWhileReading() {
    return fail(Reason::Truncated, "a buffer ended while it was read; load the file again");
  }
  bool fail(Reason reason, const std::string& what) {
    error_ = label_.whole(reason, meshAtHand_ ? say("mesh ", *meshAtHand_, ": ", what) : what);
    return false;
  }

  struct Shared {
    std::uint64_t firstVertex, vertexCount;
  };
  struct Corners {
    std::array<std::uint32_t, 3> corner{};
    std::uint64_t seen = 0;
  };

  const ByteSource& source_;
  const FileLabel& label_;
  const std::filesystem::path& folder_;
  MeshFormat format_ = MeshFormat::Gltf;
  std::optional<SliceBytes> chunk_;
  Json document_;
  GltfBuffers* buffers_ = nullptr;
  const Json* nodes_ = nullptr;
  std::vector<bool> visited_;
  std::map<std::uint64_t, Shared> shared_;   // by accessor: positions of the mesh at hand
  std::optional<std::uint64_t> meshAtHand_;  // for sentences
  bool isCompressed_ = false;  // the primitive at hand has an extension that may replace accessors
  Corners triangle_;
  std::uint64_t spent_ = 0;
  MeshBuilder builder_;
  Error error_;
};

}  // namespace

Result<LoadedMesh> parseGltf(const ByteSource& source, const FileLabel& label,
                             const std::filesystem::path& folder) {
  return GltfReader(source, label, folder).read();
}

}  // namespace tactus::models
