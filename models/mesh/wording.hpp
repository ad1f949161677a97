#pragma once
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace tactus::models {

/// Joins words and whole numbers to a text, in any locale the same.
///
/// Not operator+, of which GCC 12 believes that it copies over itself (-Wrestrict, its bug 105651).
template <typename... Parts>
[[nodiscard]] std::string say(const Parts&... parts) {
  std::string text;
  const auto append = [&text](const auto& part) {
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(part)>>) {
      char digits[24];
      const auto end = std::to_chars(digits, digits + sizeof(digits), part).ptr;
      text.append(digits, end);
    } else {
      text.append(std::string_view(part));
    }
  };
  (append(parts), ...);
  return text;
}

/// "1 vertex", "2 vertices".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

/// Whole numbers in groups of three, for tables: "871 414".
[[nodiscard]] std::string grouped(std::uint64_t number);

/// "1 vertex", "871 414 vertices".
[[nodiscard]] std::string countedInGroups(std::uint64_t count, std::string_view one,
                                          std::string_view many);

}  // namespace tactus::models
