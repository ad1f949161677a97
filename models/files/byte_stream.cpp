#include "models/files/byte_stream.hpp"

#include <algorithm>
#include <cstring>

namespace tactus::models {
namespace {

// UTF-8 byte order mark, which some editors put before text.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

ByteStream::ByteStream(const ByteSource& source)
    : source_(source),
      buffer_(static_cast<std::size_t>(
          std::min<std::uint64_t>(source.size(), std::max<std::size_t>(source.blockBytes(), 1)))) {}

bool ByteStream::fetch() {
  const std::uint64_t left = source_.size() - fetched_;
  if (left == 0) return false;
  const std::size_t kept = end_ - begin_;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, kept);
  } else if (kept == buffer_.size()) {
    buffer_.resize(kept + static_cast<std::size_t>(std::min<std::uint64_t>(left, kept)));
  }
  begin_ = 0;
  end_ = kept;
  const std::size_t got = source_.read(fetched_, std::span(buffer_).subspan(end_));
  fetched_ += got;
  end_ += got;
  return got > 0;
}

bool ByteStream::gather(std::size_t count) {
  if (count > remaining()) return false;
  while (end_ - begin_ < count) {
    if (!fetch()) return false;
  }
  return true;
}

bool ByteStream::skip(std::uint64_t count) {
  if (count > remaining()) return false;
  while (count > 0) {
    if (begin_ == end_ && !fetch()) return false;
    const std::uint64_t step = std::min<std::uint64_t>(count, end_ - begin_);
    begin_ += static_cast<std::size_t>(step);
    count -= step;
  }
  return true;
}

void ByteStream::begin() {
  while (end_ - begin_ < kByteOrderMark.size() && fetch()) {
  }
  const auto* const text = reinterpret_cast<const char*>(buffer_.data());
  if (std::string_view(text, end_).starts_with(kByteOrderMark)) begin_ = kByteOrderMark.size();

  // Old Mac programs end lines with CR alone; the first line end tells.
  std::size_t searched = 0;
  do {
    const auto* const from = reinterpret_cast<const char*>(buffer_.data()) + begin_;
    const std::string_view window(from, end_ - begin_);
    const std::size_t hit = std::min(window.find_first_of("\r\n", searched), window.size());
    if (hit + 1 < window.size() || (hit < window.size() && window[hit] == '\n')) {
      if (window[hit] == '\r' && window[hit + 1] != '\n') lineEnd_ = '\r';
      return;
    }
    searched = hit;
  } while (end_ - begin_ <= kMaxLineBytes && fetch());
}

LineStatus ByteStream::nextLine(std::string_view& line) {
  if (line_ == 0) begin();
  std::size_t searched = 0;
  for (;;) {
    const auto* const text = reinterpret_cast<const char*>(buffer_.data()) + begin_;
    const std::size_t size = end_ - begin_;
    const void* const hit =
        searched < size ? std::memchr(text + searched, lineEnd_, size - searched) : nullptr;
    if (hit != nullptr) {
      line = std::string_view(text, static_cast<std::size_t>(static_cast<const char*>(hit) - text));
      begin_ += line.size() + 1;
      break;
    }
    if (size > kMaxLineBytes) {
      line = std::string_view(text, size);
      return LineStatus::TooLong;
    }
    searched = size;
    if (!fetch()) {
      if (size == 0) return LineStatus::End;
      line = std::string_view(reinterpret_cast<const char*>(buffer_.data()) + begin_, size);
      begin_ = end_;
      break;
    }
  }
  ++line_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return LineStatus::Text;
}

void ByteStream::skipLine() {
  if (line_ == 0) begin();
  ++line_;
  do {
    const std::byte* const from = buffer_.data() + begin_;
    const void* const hit = begin_ < end_ ? std::memchr(from, lineEnd_, end_ - begin_) : nullptr;
    if (hit != nullptr) {
      begin_ += static_cast<std::size_t>(static_cast<const std::byte*>(hit) - from) + 1;
      return;
    }
    begin_ = end_;
  } while (fetch());
}

}  // namespace tactus::models
