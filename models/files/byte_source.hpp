#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "models/files/file_label.hpp"
#include "models/mesh/result.hpp"

namespace tactus::models {

/// Bytes that can be read at any place: a file, a piece of memory, or a part of either.
///
/// Files are read and not mapped: a mapped file that somebody else shortens meanwhile kills the
/// process, and mapped pages count as memory until they are dropped.
class ByteSource {
 public:
  /// Bytes fetched at a time. Large enough that calls cost nothing, small against any mesh.
  static constexpr std::size_t kBlockBytes = std::size_t{256} * 1024;

  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;
  /// Copies what lies at `offset`; the count is smaller than asked only at the end of the bytes.
  [[nodiscard]] virtual std::size_t read(std::uint64_t offset,
                                         std::span<std::byte> into) const noexcept = 0;
  /// How many bytes a ByteStream should fetch at a time.
  [[nodiscard]] virtual std::size_t blockBytes() const noexcept { return kBlockBytes; }
};

/// Bytes that somebody else holds. Tests choose tiny blocks to meet every block border.
class MemoryBytes final : public ByteSource {
 public:
  explicit MemoryBytes(std::span<const std::byte> bytes, std::size_t block = kBlockBytes) noexcept
      : bytes_(bytes), block_(block) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return bytes_.size(); }
  [[nodiscard]] std::size_t read(std::uint64_t offset,
                                 std::span<std::byte> into) const noexcept override;
  [[nodiscard]] std::size_t blockBytes() const noexcept override { return block_; }

 private:
  std::span<const std::byte> bytes_;
  std::size_t block_;
};

/// `length` bytes of another source from `first` on; both must lie inside it.
class SliceBytes final : public ByteSource {
 public:
  SliceBytes(const ByteSource& whole, std::uint64_t first, std::uint64_t length) noexcept
      : whole_(whole), first_(first), length_(length) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return length_; }
  [[nodiscard]] std::size_t read(std::uint64_t offset,
                                 std::span<std::byte> into) const noexcept override;
  [[nodiscard]] std::size_t blockBytes() const noexcept override { return whole_.blockBytes(); }

 private:
  const ByteSource& whole_;
  std::uint64_t first_;
  std::uint64_t length_;
};

/// A regular file. Its size is that of the moment of opening.
class FileBytes final : public ByteSource {
 public:
  /// Refuses folders, pipes and devices: they have no end, or never send one.
  [[nodiscard]] static Result<std::unique_ptr<FileBytes>> open(const std::filesystem::path& file,
                                                               const FileLabel& label);
  ~FileBytes() override;
  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  [[nodiscard]] std::size_t read(std::uint64_t offset,
                                 std::span<std::byte> into) const noexcept override;
  /// errno of the first read that failed, 0 if none did.
  [[nodiscard]] int readError() const noexcept { return readError_; }

 private:
  FileBytes(int descriptor, std::uint64_t size) noexcept : descriptor_(descriptor), size_(size) {}
  int descriptor_;
  std::uint64_t size_;
  mutable int readError_ = 0;
};

}  // namespace tactus::models
