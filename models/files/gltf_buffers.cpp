#include "models/files/gltf_buffers.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace tactus::models {
namespace {

constexpr std::uint64_t kAbsent = ~std::uint64_t{0};

int base64Digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// A URI's %20 and the like; other signs stay.
std::string decodePercent(std::string_view uri) {
  std::string text;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const int high = uri[i] == '%' && i + 2 < uri.size() ? hexDigit(uri[i + 1]) : -1;
    const int low = high >= 0 ? hexDigit(uri[i + 2]) : -1;
    if (low < 0) {
      text += uri[i];
    } else {
      text += static_cast<char>(16 * high + low);
      i += 2;
    }
  }
  return text;
}

/// "http:" and the like; a letter followed by a colon may be a drive of Windows, which is no file
/// of ours either.
bool hasScheme(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  return colon != std::string_view::npos && colon > 0 &&
         uri.substr(0, colon).find_first_not_of(
             "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-.") ==
             std::string_view::npos;
}

}  // namespace

std::optional<std::vector<std::byte>> decodeBase64(std::string_view text) {
  while (text.ends_with('='))
    text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int digit = base64Digit(c);
    if (digit < 0) return std::nullopt;
    bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<std::byte>((bits >> static_cast<unsigned>(count)) & 0xFFU));
  }
  return bytes;
}

GltfBuffers::GltfBuffers(const Json& document, const ByteSource* chunk,
                         const std::filesystem::path& folder, const FileLabel& label)
    : views_(member(document, "bufferViews")),
      descriptions_(member(document, "buffers")),
      chunk_(chunk),
      folder_(folder),
      label_(label),
      buffers_(descriptions_ != nullptr && descriptions_->is_array() ? descriptions_->size() : 0) {}

int GltfBuffers::readError() const noexcept {
  for (const Buffer& buffer : buffers_) {
    if (buffer.file && buffer.file->readError() != 0) return buffer.file->readError();
  }
  return 0;
}

Result<GltfBuffers::View> GltfBuffers::view(std::uint64_t index) {
  const Json* const description = entry(views_, index);
  std::uint64_t bufferIndex = 0;
  View view{};
  if (description == nullptr) {
    return label_.whole(
        Reason::IndexOutOfRange,
        say("bufferView ", index, " is used but does not exist; the file is damaged"));
  }
  if (!wholeNumber(*description, "buffer", kAbsent, bufferIndex) ||
      !wholeNumber(*description, "byteOffset", 0, view.first) ||
      !wholeNumber(*description, "byteLength", kAbsent, view.length) ||
      !wholeNumber(*description, "byteStride", 0, view.stride)) {
    return label_.whole(Reason::Malformed, say("bufferView ", index,
                                               " has a number that is none; the file is damaged"));
  }
  Result<const ByteSource*> bytes = buffer(bufferIndex);
  if (!bytes.ok()) return bytes.error();
  view.bytes = bytes.value();
  const std::uint64_t size = view.bytes->size();
  if (view.first > size || view.length > size - view.first) {
    return label_.whole(Reason::Truncated,
                        say("bufferView ", index, " reaches beyond buffer ", bufferIndex,
                            " with its ", counted(size, "byte", "bytes"), "; the file is damaged"));
  }
  return view;
}

Result<const ByteSource*> GltfBuffers::buffer(std::uint64_t index) {
  const Json* const description = entry(descriptions_, index);
  if (description == nullptr) {
    return label_.whole(
        Reason::IndexOutOfRange,
        index == kAbsent
            ? std::string("a bufferView names no buffer; the file is damaged")
            : say("buffer ", index, " is used but does not exist; the file is damaged"));
  }
  Buffer& buffer = buffers_[static_cast<std::size_t>(index)];
  if (!buffer.bytes) {
    Result<Done> opened = openBuffer(index, *description);
    if (!opened.ok()) return opened.error();
  }
  return static_cast<const ByteSource*>(buffer.bytes.get());
}

Result<Done> GltfBuffers::openBuffer(std::uint64_t index, const Json& description) {
  std::uint64_t length = 0;
  if (!wholeNumber(description, "byteLength", kAbsent, length) || length == kAbsent) {
    return label_.whole(Reason::Malformed,
                        say("buffer ", index, " has no byteLength; the file is damaged"));
  }
  Buffer& buffer = buffers_[static_cast<std::size_t>(index)];
  const ByteSource* whole = nullptr;
  std::unique_ptr<ByteSource> decoded;
  const Json* const uri = member(description, "uri");
  if (uri == nullptr) {
    if (index != 0 || chunk_ == nullptr) {
      return label_.whole(Reason::Unsupported,
                          say("buffer ", index,
                              " has no bytes of its own (compressed?); export the "
                              "object without compression"));
    }
    whole = chunk_;
  } else if (!uri->is_string()) {
    return label_.whole(Reason::Malformed,
                        say("the uri of buffer ", index, " is no text; the file is damaged"));
  } else {
    const std::string_view text = uri->get_ref<const std::string&>();
    if (text.starts_with("data:")) {
      const std::size_t comma = text.find(',');
      if (comma == std::string_view::npos || !text.substr(0, comma).ends_with(";base64")) {
        return label_.whole(Reason::Unsupported, say("the data of buffer ", index,
                                                     " are not base64; export the object as GLB"));
      }
      auto bytes = decodeBase64(text.substr(comma + 1));
      if (!bytes) {
        return label_.whole(Reason::Malformed, say("the base64 of buffer ", index,
                                                   " is damaged; export the object again"));
      }
      buffer.decoded = std::move(*bytes);
      decoded = std::make_unique<MemoryBytes>(buffer.decoded);
      whole = decoded.get();
    } else {
      Result<Done> opened = openFile(index, text);
      if (!opened.ok()) return opened;
      whole = buffer.file.get();
    }
  }
  if (whole->size() < length) {
    return label_.whole(Reason::Truncated,
                        say("buffer ", index, " declares ", counted(length, "byte", "bytes"),
                            " and has ", whole->size(), "; the file is damaged or cut"));
  }
  openedBytes_ += length;
  if (decoded) {
    buffer.bytes = std::make_unique<MemoryBytes>(
        std::span<const std::byte>(buffer.decoded).first(static_cast<std::size_t>(length)));
  } else {
    buffer.bytes = std::make_unique<SliceBytes>(*whole, 0, length);
  }
  return Done{};
}

Result<Done> GltfBuffers::openFile(std::uint64_t index, std::string_view uri) {
  const std::string name = decodePercent(uri);
  const std::filesystem::path path(name);
  // A mesh file from somewhere must not make us read any file of this machine.
  const bool inside = !name.empty() && !hasScheme(uri) && path.is_relative() &&
                      name.find('\0') == std::string::npos &&
                      std::ranges::none_of(path, [](const auto& part) { return part == ".."; });
  if (!inside) {
    return label_.whole(Reason::Unsupported,
                        say("buffer ", index, " is at ", inQuotes(uri),
                            ", which is not beside the file; export the object as GLB"));
  }
  if (folder_.empty()) {
    return label_.whole(Reason::FileMissing,
                        say("buffer ", index, " is the file ", inQuotes(name),
                            ", which is not at hand; export the object as GLB"));
  }
  const std::filesystem::path file = folder_ / path;
  Result<std::unique_ptr<FileBytes>> opened =
      FileBytes::open(file, FileLabel(say(label_.text(), ", buffer ", index, " (", name, ")")));
  if (!opened.ok()) return opened.error();
  buffers_[static_cast<std::size_t>(index)].file = std::move(opened).value();
  return Done{};
}

}  // namespace tactus::models
