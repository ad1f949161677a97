#include "render/parts_mask.hpp"

#include <Eigen/Core>
#include <vector>

#include "render/frame_program.hpp"

namespace tactus::render {

using models::Done;
using models::Result;

namespace {

constexpr GLuint kAllBits = 0xFF;

}  // namespace

Result<Done> PartsMask::build() {
  Result<GlProgram> made = makeFrameProgram(
      {vertexStage("parts.vert"), {GL_FRAGMENT_SHADER, {"frame.glsl", "depth.frag"}, {}}});
  if (!made) return made.error();
  program_ = std::move(made).value();
  layout_ = makeVertexArray();
  corners_ = makeBuffer();
  glBindVertexArray(layout_.get());
  glBindBuffer(GL_ARRAY_BUFFER, corners_.get());
  describeFloats(0, 2, sizeof(Eigen::Vector2f), 0);
  glBindVertexArray(0);
  return Done{};
}

void PartsMask::begin(std::span<const PixelRect> parts, int width, int height, Depths depths) {
  std::vector<Eigen::Vector2f> corners;
  corners.reserve(6 * parts.size());
  const auto corner = [&](int x, int y) {
    corners.emplace_back(2.0F * static_cast<float>(x) / static_cast<float>(width) - 1.0F,
                         2.0F * static_cast<float>(y) / static_cast<float>(height) - 1.0F);
  };
  PixelRect around;
  for (const PixelRect& part : parts) {
    around = joined(around, part);
    corner(part.left, part.bottom);
    corner(part.right, part.bottom);
    corner(part.left, part.top);
    corner(part.left, part.top);
    corner(part.right, part.bottom);
    corner(part.right, part.top);
  }
  glDisable(GL_SCISSOR_TEST);
  if (++mark_ > last_) {
    glClear(GL_STENCIL_BUFFER_BIT);
    mark_ = first_;
  }
  glEnable(GL_SCISSOR_TEST);
  glScissor(around.left, around.bottom, around.right - around.left, around.top - around.bottom);
  glViewport(0, 0, width, height);
  glBindVertexArray(layout_.get());
  glBindBuffer(GL_ARRAY_BUFFER, corners_.get());
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(corners.size() * sizeof(Eigen::Vector2f)),
               corners.data(), GL_STREAM_DRAW);
  glUseProgram(program_.get());
  glEnable(GL_STENCIL_TEST);
  glStencilFunc(GL_ALWAYS, mark_, kAllBits);
  glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_ALWAYS);
  glDepthMask(depths == Depths::Farthest ? GL_TRUE : GL_FALSE);
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(corners.size()));
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LEQUAL);
  glStencilFunc(GL_EQUAL, mark_, kAllBits);
  glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
  glBindVertexArray(0);
}

void PartsMask::end() {
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_SCISSOR_TEST);
}

}  // namespace tactus::render
