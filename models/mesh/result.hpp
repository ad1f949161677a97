#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace tactus::models {

/// Why something made of a user's data could not be had.
enum class Reason : std::uint8_t {
  FileMissing,      ///< no such file, or no permission to read it
  CannotWrite,      ///< the file could not be created or the disk is full
  AlreadyExists,    ///< writing would overwrite a file and that was not asked for
  UnknownFormat,    ///< neither the name nor the first bytes tell a known format
  Unsupported,      ///< a known format uses a feature that we do not read
  Empty,            ///< no bytes, no vertices or no triangles
  Truncated,        ///< the file ends before what it declares
  Malformed,        ///< a word or structure is not what the format demands
  WrongCount,       ///< a count contradicts the data that follow
  NotFinite,        ///< a coordinate is NaN, infinite or beyond what a float can hold
  IndexOutOfRange,  ///< a face names a vertex that does not exist
  TooLarge,         ///< more vertices or triangles than 32-bit indices can name
  UnknownName,      ///< no built-in of this name
  BadValue,         ///< a parameter is outside its range
  Cancelled,        ///< the user stopped the work
};

/// One sentence for a person, and where it happened for a program.
struct Error {
  Reason reason = Reason::Malformed;
  std::int64_t index = -1;  ///< line, byte or element that `sentence` names; -1 if none
  std::string sentence;     ///< what, where, what to do; no line break, ends with a full stop
};

/// A value, or the reason why there is none. Stands in for std::expected, which C++20 lacks.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Error error) : content_(std::move(error)) {}

  [[nodiscard]] bool ok() const noexcept { return content_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  /// Only when ok(); std::get refuses otherwise.
  [[nodiscard]] T& value() & { return std::get<0>(content_); }
  [[nodiscard]] const T& value() const& { return std::get<0>(content_); }
  [[nodiscard]] T&& value() && { return std::get<0>(std::move(content_)); }
  [[nodiscard]] const Error& error() const { return std::get<1>(content_); }

 private:
  std::variant<T, Error> content_;
};

/// The value of an operation that has none.
struct Done {};

}  // namespace tactus::models
