#include "render/frame_sequence.hpp"

#include <algorithm>
#include <string>
#include <system_error>

#include "models/files/file_label.hpp"

namespace tactus::render {

namespace fs = std::filesystem;
using models::Done;
using models::Reason;
using models::Result;

fs::path frameFile(const fs::path& folder, std::uint64_t number) {
  constexpr std::size_t kDigits = 6;
  const std::string digits = std::to_string(number);
  const std::size_t zeros = kDigits - std::min(kDigits, digits.size());
  return folder / ("frame-" + std::string(zeros, '0') + digits + ".png");
}

Result<fs::path> writeFrame(const Image& image, const fs::path& folder, std::uint64_t number,
                            IfExists ifExists) {
  std::error_code trouble;
  fs::create_directories(folder, trouble);
  if (trouble) {
    return models::FileLabel(folder.string())
        .whole(Reason::CannotWrite,
               "the folder cannot be made (" + models::systemMessage(trouble.value()) + ")");
  }
  const fs::path file = frameFile(folder, number);
  const Result<Done> written = writePng(image, file, ifExists);
  if (!written) return written.error();
  return file;
}

}  // namespace tactus::render
