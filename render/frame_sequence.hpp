#pragma once
#include <cstdint>
#include <filesystem>

#include "models/mesh/result.hpp"
#include "render/image.hpp"

namespace tactus::render {

/// Where picture `number` of a sequence lies: `folder`/frame-000123.png. Names sort as the numbers
/// do up to a million pictures, which is four and a half hours at 60 Hz.
[[nodiscard]] std::filesystem::path frameFile(const std::filesystem::path& folder,
                                              std::uint64_t number);

/// Writes one picture of a sequence; the folder is made when it is not there. Returns the file.
[[nodiscard]] models::Result<std::filesystem::path> writeFrame(
    const Image& image, const std::filesystem::path& folder, std::uint64_t number,
    IfExists ifExists = IfExists::Refuse);

}  // namespace tactus::render
