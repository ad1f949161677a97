#include "render/sign_painter.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tactus::render {

using models::Bounds;
using models::Done;
using models::Result;

namespace {

// How much of a hidden sign is seen: enough to find it, too little to take it for a near one.
constexpr float kHiddenStrength = 0.22F;

constexpr GLsizei kLineCorners = 4;

template <typename Element>
void stream(GLenum kind, const GlBuffer& buffer, const std::vector<Element>& elements) {
  glBindBuffer(kind, buffer.get());
  // A new store each time, so that the card may still read the last one.
  glBufferData(kind, static_cast<GLsizeiptr>(elements.size() * sizeof(Element)), elements.data(),
               GL_STREAM_DRAW);
}

}  // namespace

Result<Done> SignPainter::makePrograms() {
  if (arrowLayout_.get() != 0) return Done{};
  const auto make = [](SignProgram& into, std::string_view vertex, std::string_view fragment,
                       bool onePass) -> Result<Done> {
    Result<GlProgram> made =
        makeFrameProgram({vertexStage(vertex), fragmentStage(fragment, onePass)});
    if (!made) return made.error();
    into.program = std::move(made).value();
    into.strength = glGetUniformLocation(into.program.get(), "strength");
    return Done{};
  };
  for (const bool onePass : {false, true}) {
    Result<Done> made = make(line_[onePass ? 1 : 0], "line.vert", "line.frag", onePass);
    if (made) made = make(arrow_[onePass ? 1 : 0], "arrow.vert", "arrow.frag", onePass);
    if (!made) return made;
  }
  lineLayout_ = makeVertexArray();
  lineRecords_ = makeBuffer();
  glBindVertexArray(lineLayout_.get());
  glBindBuffer(GL_ARRAY_BUFFER, lineRecords_.get());
  describeFloats(0, 3, sizeof(LineRecord), offsetof(LineRecord, from));
  describeFloats(1, 3, sizeof(LineRecord), offsetof(LineRecord, to));
  // Colour and width are neighbours.
  describeFloats(2, 4, sizeof(LineRecord), offsetof(LineRecord, colour));
  for (GLuint attribute = 0; attribute < 3; ++attribute)
    glVertexAttribDivisor(attribute, 1);
  arrowLayout_ = makeVertexArray();
  arrowVertices_ = makeBuffer();
  arrowTriangles_ = makeBuffer();
  glBindVertexArray(arrowLayout_.get());
  glBindBuffer(GL_ARRAY_BUFFER, arrowVertices_.get());
  describeFloats(0, 3, sizeof(ArrowVertex), offsetof(ArrowVertex, position));
  describeFloats(1, 3, sizeof(ArrowVertex), offsetof(ArrowVertex, normal));
  describeFloats(2, 3, sizeof(ArrowVertex), offsetof(ArrowVertex, colour));
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, arrowTriangles_.get());
  glBindVertexArray(0);
  return Done{};
}

Result<Done> SignPainter::prepare(const SceneView& view) {
  lines_.clear();
  arrows_.clear();
  bounds_ = Bounds{};
  if (view.lines.empty() && view.arrows.empty() && view.turns.empty()) return Done{};
  Result<Done> made = makePrograms();
  if (!made) return made;

  const Eigen::Vector3d& origin = view.camera.target;
  const auto include = [&](const Eigen::Vector3f& position) {
    const Eigen::Vector3d place = position.cast<double>();
    bounds_ = joined(bounds_, {place, place});
  };
  for (const DrawLine& line : view.lines) {
    lines_.push_back({(line.from - origin).cast<float>(), (line.to - origin).cast<float>(),
                      line.colour, std::max(line.width, 1.0F)});
    include(lines_.back().from);
    include(lines_.back().to);
  }
  for (const DrawArrow& arrow : view.arrows)
    arrows_.add(arrow, origin);
  // Rarely is an axis along this diagonal of the picture, where a turn would have no middle.
  const Eigen::Vector3d middle = view.camera.worldFromViewAxes().rowwise().sum();
  for (const DrawTurn& turn : view.turns)
    arrows_.add(turn, origin, middle);
  for (const ArrowVertex& vertex : arrows_.vertices)
    include(vertex.position);

  glBindVertexArray(0);
  if (!lines_.empty()) stream(GL_ARRAY_BUFFER, lineRecords_, lines_);
  if (!arrows_.triangles.empty()) {
    stream(GL_ARRAY_BUFFER, arrowVertices_, arrows_.vertices);
    glBindVertexArray(arrowLayout_.get());
    stream(GL_ELEMENT_ARRAY_BUFFER, arrowTriangles_, arrows_.triangles);
    glBindVertexArray(0);
  }
  return Done{};
}

void SignPainter::draw(bool onePass, float strength) const {
  if (!arrows_.triangles.empty()) {
    const SignProgram& arrow = arrow_[onePass ? 1 : 0];
    glUseProgram(arrow.program.get());
    glUniform1f(arrow.strength, strength);
    glBindVertexArray(arrowLayout_.get());
    glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(3 * arrows_.triangles.size()),
                   GL_UNSIGNED_INT, nullptr);
  }
  if (!lines_.empty()) {
    const SignProgram& line = line_[onePass ? 1 : 0];
    glUseProgram(line.program.get());
    glUniform1f(line.strength, strength);
    glBindVertexArray(lineLayout_.get());
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, kLineCorners, static_cast<GLsizei>(lines_.size()));
  }
}

void SignPainter::paint(bool onePass) const {
  if (lines_.empty() && arrows_.triangles.empty()) return;
  glEnable(GL_BLEND);
  // First what is hidden, while the depths are still those of the solid things alone.
  glDepthFunc(GL_GREATER);
  glDepthMask(GL_FALSE);
  glEnable(GL_CULL_FACE);  // or the far side of an arrow would shine through its near side
  draw(onePass, kHiddenStrength);
  glDisable(GL_CULL_FACE);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LEQUAL);
  draw(onePass, 1.0F);
  glDisable(GL_BLEND);
}

}  // namespace tactus::render
