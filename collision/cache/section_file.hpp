#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collision/cache/mapped_file.hpp"
#include "models/files/file_label.hpp"
#include "models/mesh/result.hpp"

namespace tactus::collision {

/// A name for content: two files of the same identity hold the same. 128 bits, so that nobody ever
/// meets two different contents of one name.
struct ContentIdentity {
  std::array<std::uint64_t, 2> words{};

  [[nodiscard]] bool operator==(const ContentIdentity&) const noexcept = default;
  /// 32 hexadecimal digits.
  [[nodiscard]] std::string text() const;
};

/// How much of a file is needed when.
enum class Heat : std::uint32_t {
  Cold = 0,  ///< now and then: exact steps, drawing, building more
  Hot = 1,   ///< by every query
};

/// An array of a file, as its table lists it.
struct SectionEntry {
  std::string name;
  std::uint64_t offset = 0;        ///< of its first byte
  std::uint64_t bytes = 0;         ///< a multiple of elementBytes
  std::uint64_t checksum = 0;      ///< XXH64 of the bytes, seed 0
  std::uint32_t elementBytes = 1;  ///< size of one element
  Heat heat = Heat::Cold;

  [[nodiscard]] std::uint64_t elements() const noexcept { return bytes / elementBytes; }
};

/// What stands at the start of a file.
struct SectionFileHead {
  std::uint32_t formatVersion = 0;
  std::uint32_t builderVersion = 0;  ///< of what made the content
  ContentIdentity identity;
  std::uint64_t fileBytes = 0;
};

/// A file of named arrays that can be used where they lie: docs/cache-format.md has every byte.
///
/// Opening checks the head and the table, and that each section lies within the file; of the
/// sections themselves nothing is touched. checked() compares a section with its checksum.
class SectionFile {
 public:
  /// Raised when a file of the new kind cannot be read by an old program.
  static constexpr std::uint32_t kFormatVersion = 1;
  static constexpr std::string_view kMagic = "\x89TACTUS\n";
  /// Sections begin at multiples of a cache line, large ones at multiples of a page.
  static constexpr std::size_t kAlignment = 64;

  [[nodiscard]] static models::Result<std::shared_ptr<const SectionFile>> open(
      const std::filesystem::path& file);

  [[nodiscard]] const SectionFileHead& head() const noexcept { return head_; }
  [[nodiscard]] const std::vector<SectionEntry>& sections() const noexcept { return sections_; }
  [[nodiscard]] const models::FileLabel& label() const noexcept { return label_; }

  /// Null if there is none of this name.
  [[nodiscard]] const SectionEntry* find(std::string_view name) const noexcept;

  /// The bytes of a section, not looked at.
  [[nodiscard]] std::span<const std::byte> bytesOf(const SectionEntry& section) const noexcept;

  /// The bytes of a section whose elements are `elementBytes` large, once its checksum holds.
  [[nodiscard]] models::Result<std::span<const std::byte>> checked(std::string_view name,
                                                                   std::size_t elementBytes) const;

 private:
  SectionFile(std::shared_ptr<const MappedFile> file, models::FileLabel label)
      : file_(std::move(file)), label_(std::move(label)) {}

  [[nodiscard]] models::Result<models::Done> readTable();

  std::shared_ptr<const MappedFile> file_;
  models::FileLabel label_;
  SectionFileHead head_;
  std::vector<SectionEntry> sections_;
};

/// Whether a file begins as these do. False for what cannot be read.
[[nodiscard]] bool isSectionFile(const std::filesystem::path& file);

/// An array to be written.
struct SectionContent {
  std::string_view name;  ///< at most 23 printable letters
  std::size_t elementBytes = 1;
  Heat heat = Heat::Cold;
  std::span<const std::byte> bytes;
};

/// Writes the sections in their order. The file appears whole or not at all, and stays there when
/// the power fails afterwards. Returns its size. `overwrites`: else an existing file is an error.
[[nodiscard]] models::Result<std::uint64_t> writeSections(const std::filesystem::path& file,
                                                          const ContentIdentity& identity,
                                                          std::uint32_t builderVersion,
                                                          std::span<const SectionContent> sections,
                                                          bool overwrites);

}  // namespace tactus::collision
