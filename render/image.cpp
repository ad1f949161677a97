#include "render/image.hpp"

#include <stb_image_write.h>

#include <string>

#include "models/files/whole_file.hpp"

namespace tactus::render {
namespace {

using models::Done;
using models::Error;
using models::Reason;
using models::Result;

void append(void* context, void* data, int size) {
  static_cast<models::WholeFile*>(context)->write(
      {static_cast<const char*>(data), static_cast<std::size_t>(size)});
}

}  // namespace

Result<Done> writePng(const Image& image, const std::filesystem::path& file, IfExists ifExists) {
  models::WholeFile out(file, ifExists == IfExists::Replace);
  Result<Done> opened = out.open();
  if (!opened) return opened;
  const bool isWhole = image.width > 0 && image.height > 0 &&
                       image.rgb.size() == 3 * static_cast<std::size_t>(image.width) *
                                               static_cast<std::size_t>(image.height);
  if (!isWhole || stbi_write_png_to_func(append, &out, image.width, image.height, 3,
                                         image.rgb.data(), 3 * image.width) == 0) {
    return Error{Reason::BadValue, -1,
                 "A picture of " + std::to_string(image.width) + " by " +
                     std::to_string(image.height) + " pixels cannot be stored as PNG."};
  }
  return out.finish();
}

}  // namespace tactus::render
