#include "collision/cache/section_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

#include "collision/cache/xxhash64.hpp"
#include "models/files/byte_source.hpp"
#include "models/files/whole_file.hpp"

namespace tactus::collision {
namespace {

using models::Done;
using models::FileLabel;
using models::Reason;
using models::Result;
using models::say;

static_assert(std::endian::native == std::endian::little,
              "the arrays of a file are used where they lie, and are little-endian");

/// The first 64 bytes of a file.
struct Head {
  std::array<char, 8> magic{};
  std::uint32_t formatVersion = 0;
  std::uint32_t sectionCount = 0;
  std::uint64_t fileBytes = 0;
  std::array<std::uint64_t, 2> identity{};
  std::uint32_t builderVersion = 0;
  std::uint32_t reserved = 0;
  std::uint64_t checksum = 0;  ///< of head and table, with 0 in this place
  std::uint64_t alsoReserved = 0;
};
static_assert(sizeof(Head) == 64 && std::has_unique_object_representations_v<Head>);

/// One of the table behind it.
struct Entry {
  std::array<char, 24> name{};  ///< ends with at least one zero
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
  std::uint32_t elementBytes = 0;
  std::uint32_t heat = 0;
  std::uint64_t reserved = 0;
};
static_assert(sizeof(Entry) == 64 && std::has_unique_object_representations_v<Entry>);

// Ours have twenty; a damaged number must not become a long loop.
constexpr std::uint32_t kMostSections = 256;

// The memory's unit: sections of this size and more do not share one with a neighbour.
constexpr std::uint64_t kPage = 4096;

std::uint64_t roundedUp(std::uint64_t offset, std::uint64_t unit) noexcept {
  return (offset + unit - 1) / unit * unit;
}

/// The hash that stands in the head.
std::uint64_t checksumOf(Head head, std::span<const Entry> table) noexcept {
  head.checksum = 0;
  return xxhash64(std::as_bytes(table), xxhash64(std::as_bytes(std::span(&head, 1))));
}

bool isPrintable(std::string_view name) noexcept {
  return !name.empty() &&
         std::ranges::all_of(name, [](char letter) { return letter > ' ' && letter <= '~'; });
}

std::string_view nameOf(const Entry& entry) noexcept {
  return {entry.name.data(), ::strnlen(entry.name.data(), entry.name.size())};
}

}  // namespace

std::string ContentIdentity::text() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint64_t word : words) {
    for (unsigned shift = 64; shift != 0; shift -= 4)
      text += kDigits[word >> (shift - 4) & 15U];
  }
  return text;
}

Result<std::shared_ptr<const SectionFile>> SectionFile::open(const std::filesystem::path& file) {
  FileLabel label(file.native());
  Result<std::shared_ptr<const MappedFile>> mapped = MappedFile::open(file, label);
  if (!mapped) return mapped.error();
  std::shared_ptr<SectionFile> opened(new SectionFile(std::move(mapped).value(), std::move(label)));
  if (const Result<Done> read = opened->readTable(); !read) return read.error();
  return std::shared_ptr<const SectionFile>(std::move(opened));
}

Result<Done> SectionFile::readTable() {
  const std::span<const std::byte> bytes = file_->bytes();
  const std::size_t known = std::min(bytes.size(), kMagic.size());
  if (std::memcmp(bytes.data(), kMagic.data(), known) != 0) {
    return label_.whole(Reason::UnknownFormat, "this is not a cache that tactus has built");
  }
  const auto cut = [&] {
    return label_.whole(Reason::Truncated, "the cache is cut off; build it again");
  };
  const auto damaged = [&](std::string_view what) {
    return label_.whole(Reason::Malformed,
                        say("the cache is damaged (", what, "); build it again"));
  };
  if (bytes.size() < sizeof(Head)) return cut();
  Head head;
  std::memcpy(&head, bytes.data(), sizeof(head));
  if (head.formatVersion > kFormatVersion) {
    return label_.whole(
        Reason::Unsupported,
        say("the cache has format ", head.formatVersion, " and this program reads up to ",
            kFormatVersion, "; bring the program up to date, or build the cache again with it"));
  }
  if (head.formatVersion < kFormatVersion) {
    return label_.whole(Reason::Unsupported, say("the cache has the old format ",
                                                 head.formatVersion, "; build it again"));
  }
  if (head.fileBytes > bytes.size()) return cut();
  if (head.fileBytes < bytes.size()) return damaged("there are bytes behind its end");
  if (head.sectionCount > kMostSections) return damaged("its number of sections");
  const std::uint64_t tableEnd = sizeof(Head) + std::uint64_t{head.sectionCount} * sizeof(Entry);
  if (tableEnd > bytes.size()) return cut();
  std::vector<Entry> table(head.sectionCount);
  if (!table.empty()) {
    std::memcpy(table.data(), bytes.data() + sizeof(Head), table.size() * sizeof(Entry));
  }
  if (checksumOf(head, table) != head.checksum) return damaged("the checksum of its table");
  head_ = {head.formatVersion, head.builderVersion, {head.identity}, head.fileBytes};

  std::uint64_t end = tableEnd;
  for (const Entry& entry : table) {
    const std::string_view name = nameOf(entry);
    if (name.size() == entry.name.size() || !isPrintable(name)) return damaged("a section's name");
    if (find(name) != nullptr) return damaged(say("two sections ", name));
    // in this order no sum can overflow
    if (entry.offset < end || entry.offset % kAlignment != 0 || entry.offset > bytes.size() ||
        entry.bytes > bytes.size() - entry.offset) {
      return damaged(say("the place of section ", name));
    }
    if (entry.elementBytes == 0 || entry.bytes % entry.elementBytes != 0) {
      return damaged(say("the size of section ", name));
    }
    end = entry.offset + entry.bytes;
    sections_.push_back({std::string(name), entry.offset, entry.bytes, entry.checksum,
                         entry.elementBytes, entry.heat != 0 ? Heat::Hot : Heat::Cold});
  }
  return Done{};
}

const SectionEntry* SectionFile::find(std::string_view name) const noexcept {
  const auto found = std::ranges::find(sections_, name, &SectionEntry::name);
  return found == sections_.end() ? nullptr : &*found;
}

std::span<const std::byte> SectionFile::bytesOf(const SectionEntry& section) const noexcept {
  return file_->bytes().subspan(section.offset, section.bytes);
}

Result<std::span<const std::byte>> SectionFile::checked(std::string_view name,
                                                        std::size_t elementBytes) const {
  const SectionEntry* const section = find(name);
  if (section == nullptr) {
    return label_.whole(Reason::Malformed,
                        say("the cache lacks the section ", name, "; build it again"));
  }
  if (section->elementBytes != elementBytes) {
    return label_.whole(Reason::Unsupported, say("the section ", name, " of the cache has elements",
                                                 " of another size; build it again"));
  }
  const std::span<const std::byte> bytes = bytesOf(*section);
  if (xxhash64(bytes) != section->checksum) {
    return label_.whole(Reason::Malformed, say("the cache is damaged (the checksum of section ",
                                               name, "); build it again"));
  }
  return bytes;
}

bool isSectionFile(const std::filesystem::path& file) {
  const Result<std::unique_ptr<models::FileBytes>> opened =
      models::FileBytes::open(file, FileLabel(file.native()));
  if (!opened) return false;
  std::array<std::byte, SectionFile::kMagic.size()> start{};
  return opened.value()->read(0, start) == start.size() &&
         std::memcmp(start.data(), SectionFile::kMagic.data(), start.size()) == 0;
}

Result<std::uint64_t> writeSections(const std::filesystem::path& file,
                                    const ContentIdentity& identity, std::uint32_t builderVersion,
                                    std::span<const SectionContent> sections, bool overwrites) {
  Head head;
  std::memcpy(head.magic.data(), SectionFile::kMagic.data(), head.magic.size());
  head.formatVersion = SectionFile::kFormatVersion;
  head.sectionCount = static_cast<std::uint32_t>(sections.size());
  head.identity = identity.words;
  head.builderVersion = builderVersion;
  std::vector<Entry> table(sections.size());
  std::uint64_t end = sizeof(Head) + table.size() * sizeof(Entry);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const SectionContent& content = sections[i];
    Entry& entry = table[i];
    content.name.copy(entry.name.data(), entry.name.size() - 1);
    entry.offset = roundedUp(end, content.bytes.size() < kPage ? SectionFile::kAlignment : kPage);
    entry.bytes = content.bytes.size();
    entry.checksum = xxhash64(content.bytes);
    entry.elementBytes = static_cast<std::uint32_t>(content.elementBytes);
    entry.heat = static_cast<std::uint32_t>(content.heat);
    end = entry.offset + entry.bytes;
  }
  head.fileBytes = end;
  head.checksum = checksumOf(head, table);

  models::WholeFile out(file, overwrites);
  out.survivePowerCut();
  if (const Result<Done> opened = out.open(); !opened) return opened.error();
  const auto write = [&out](std::span<const std::byte> bytes) {
    out.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  };
  write(std::as_bytes(std::span(&head, 1)));
  write(std::as_bytes(std::span(table)));
  std::uint64_t written = sizeof(Head) + table.size() * sizeof(Entry);
  const std::string gap(kPage, '\0');
  for (std::size_t i = 0; i < table.size(); ++i) {
    out.write(std::string_view(gap).substr(0, table[i].offset - written));
    write(sections[i].bytes);
    written = table[i].offset + table[i].bytes;
  }
  if (const Result<Done> done = out.finish(); !done) return done.error();
  return end;
}

}  // namespace tactus::collision
