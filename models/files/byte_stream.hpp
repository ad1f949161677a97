#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "models/files/byte_source.hpp"

namespace tactus::models {

/// What ByteStream::nextLine met.
enum class LineStatus : std::uint8_t {
  Text,
  End,
  TooLong,  ///< longer than kMaxLineBytes: this is no text file, unless it is a comment
};

/// Reads a source from front to back through one small buffer, as lines, as bytes, or as both in
/// turn (a PLY file begins as text and goes on as bytes).
///
/// Memory: one block, more only for a longer line or record, which then is really in the file.
class ByteStream {
 public:
  /// A polygon of half a million corners fits; a disk image without line ends is refused early.
  static constexpr std::size_t kMaxLineBytes = std::size_t{16} * 1024 * 1024;

  explicit ByteStream(const ByteSource& source);

  /// Place of the next byte, counted from 0.
  [[nodiscard]] std::uint64_t offset() const noexcept { return fetched_ - (end_ - begin_); }
  [[nodiscard]] std::uint64_t remaining() const noexcept { return source_.size() - offset(); }

  /// The next `count` bytes, or null if there are fewer. Valid until the next call.
  [[nodiscard]] const std::byte* take(std::size_t count) {
    if (end_ - begin_ < count && !gather(count)) return nullptr;
    const std::byte* const first = buffer_.data() + begin_;
    begin_ += count;
    return first;
  }
  /// False if fewer are left.
  [[nodiscard]] bool skip(std::uint64_t count);

  /// The next line without its end. Lines end with LF, CR LF, or CR alone if the first one does.
  /// Valid until the next call. Of a line that is too long `line` is the beginning, and it stays
  /// the next one.
  [[nodiscard]] LineStatus nextLine(std::string_view& line);
  /// Passes over the next line, however long it is.
  void skipLine();
  /// Number of the line that nextLine returned last, counted from 1.
  [[nodiscard]] std::uint64_t lineNumber() const noexcept { return line_; }

 private:
  [[nodiscard]] bool gather(std::size_t count);
  [[nodiscard]] bool fetch();
  void begin();

  const ByteSource& source_;
  std::vector<std::byte> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // unread bytes of the buffer
  std::uint64_t fetched_ = 0;        // bytes taken from the source so far
  std::uint64_t line_ = 0;
  char lineEnd_ = '\n';
};

}  // namespace tactus::models
