#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "models/files/byte_source.hpp"
#include "models/files/gltf_document.hpp"

namespace tactus::models {

/// The buffers of a glTF file wherever they are: in the GLB's binary chunk, as base64 in the JSON,
/// or in a file of their own. Each is opened when it is first needed; files and the chunk are read
/// block by block and never held.
class GltfBuffers {
 public:
  /// `chunk` is the binary chunk of a GLB or null; all must outlive this.
  GltfBuffers(const Json& document, const ByteSource* chunk, const std::filesystem::path& folder,
              const FileLabel& label);

  /// The bytes of a bufferView and the distance of its elements (0: dense).
  struct View {
    const ByteSource* bytes;
    std::uint64_t first, length, stride;
  };
  [[nodiscard]] Result<View> view(std::uint64_t index);

  /// Bytes of the buffers that were needed so far.
  [[nodiscard]] std::uint64_t openedBytes() const noexcept { return openedBytes_; }

  /// errno of a file that could not be read to its end, 0 if there is none.
  [[nodiscard]] int readError() const noexcept;

 private:
  [[nodiscard]] Result<const ByteSource*> buffer(std::uint64_t index);
  [[nodiscard]] Result<Done> openBuffer(std::uint64_t index, const Json& description);
  [[nodiscard]] Result<Done> openFile(std::uint64_t index, std::string_view uri);

  struct Buffer {
    std::vector<std::byte> decoded;  // of base64
    std::unique_ptr<FileBytes> file;
    std::unique_ptr<ByteSource> bytes;  // what lies inside byteLength
  };

  const Json* views_;
  const Json* descriptions_;
  const ByteSource* chunk_;
  const std::filesystem::path& folder_;
  const FileLabel& label_;
  std::vector<Buffer> buffers_;
  std::uint64_t openedBytes_ = 0;
};

/// Decodes base64 (RFC 4648, padding optional); nothing if `text` is none.
[[nodiscard]] std::optional<std::vector<std::byte>> decodeBase64(std::string_view text);

}  // namespace tactus::models
