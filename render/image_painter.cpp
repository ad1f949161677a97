#include "render/image_painter.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "render/frame_program.hpp"

namespace tactus::render {

using models::Bounds;
using models::Done;
using models::Error;
using models::Reason;
using models::Result;

namespace {

Result<GlTexture> copyOf(const Texture& image, int largestSide) {
  const bool isWhole = image.width > 0 && image.height > 0 && image.width <= largestSide &&
                       image.height <= largestSide &&
                       image.rgba.size() == 4 * static_cast<std::size_t>(image.width) *
                                                static_cast<std::size_t>(image.height);
  if (!isWhole) {
    return Error{Reason::BadValue, -1,
                 "An image of " + std::to_string(image.width) + " by " +
                     std::to_string(image.height) + " pixels and " +
                     std::to_string(image.rgba.size()) +
                     " bytes cannot be shown; it takes four bytes a pixel, and sides of 1 to " +
                     std::to_string(largestSide) + " pixels."};
  }
  GLuint name = 0;
  glGenTextures(1, &name);
  GlTexture texture(name);
  clearErrors();
  glActiveTexture(GL_TEXTURE0 + kPictureUnit);
  glBindTexture(GL_TEXTURE_2D, name);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, image.width, image.height, 0, GL_RGBA,
               GL_UNSIGNED_BYTE, image.rgba.data());
  glGenerateMipmap(GL_TEXTURE_2D);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  if (glGetError() == GL_OUT_OF_MEMORY) {
    return Error{Reason::TooLarge, -1,
                 "The graphics card has no room for an image of " + std::to_string(image.width) +
                     " by " + std::to_string(image.height) + " pixels; show a smaller one."};
  }
  return texture;
}

}  // namespace

Result<Done> ImagePainter::makePrograms() {
  if (noVertices_.get() != 0) return Done{};
  for (const bool onePass : {false, true}) {
    Result<GlProgram> made =
        makeFrameProgram({vertexStage("image.vert"), fragmentStage("image.frag", onePass)});
    if (!made) return made.error();
    ImageProgram& image = image_[onePass ? 1 : 0];
    image.program = std::move(made).value();
    image.renderFromImage = glGetUniformLocation(image.program.get(), "renderFromImage");
    image.size = glGetUniformLocation(image.program.get(), "size");
    image.opacity = glGetUniformLocation(image.program.get(), "opacity");
  }
  noVertices_ = makeVertexArray();
  return Done{};
}

Result<Done> ImagePainter::prepare(const SceneView& view, int largestSide) {
  textures_.dropUnused();
  images_.clear();
  bounds_ = Bounds{};
  const Eigen::Vector3d eye = view.camera.eye();
  for (const DrawImage& draw : view.images) {
    const bool isSeen = draw.texture != nullptr && draw.width > 0.0 && draw.height > 0.0;
    if (!isSeen) continue;
    Result<Done> made = makePrograms();
    if (!made) return made;
    const Result<const GlTexture*> texture = textures_.find(
        draw.texture, [&](const Texture& shared) { return copyOf(shared, largestSide); });
    if (!texture) return texture.error();
    const Eigen::Isometry3d renderFromImage =
        Eigen::Translation3d(-view.camera.target) * draw.worldFromImage;
    const Eigen::Vector3d corner(0.5 * draw.width, 0.5 * draw.height, 0.0);
    bounds_ = joined(bounds_, transformed({-corner, corner}, renderFromImage));
    images_.push_back({texture.value()->get(), renderFromImage, static_cast<float>(draw.width),
                       static_cast<float>(draw.height), draw.opacity,
                       (draw.worldFromImage.translation() - eye).norm()});
  }
  std::stable_sort(images_.begin(), images_.end(),
                   [](const Shown& a, const Shown& b) { return a.fromEye > b.fromEye; });
  return Done{};
}

void ImagePainter::paint(bool onePass) const {
  if (images_.empty()) return;
  const ImageProgram& image = image_[onePass ? 1 : 0];
  glUseProgram(image.program.get());
  glBindVertexArray(noVertices_.get());
  glActiveTexture(GL_TEXTURE0 + kPictureUnit);
  glEnable(GL_BLEND);
  // Depths are written: images that cut each other then hide each other as they should.
  for (const Shown& shown : images_) {
    glBindTexture(GL_TEXTURE_2D, shown.texture);
    glUniformMatrix4fv(image.renderFromImage, 1, GL_FALSE,
                       float16(shown.renderFromImage.matrix()).data());
    glUniform2f(image.size, shown.width, shown.height);
    glUniform1f(image.opacity, shown.opacity);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  }
  glDisable(GL_BLEND);
}

}  // namespace tactus::render
