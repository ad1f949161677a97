#pragma once
#include <GL/glcorearb.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/mesh/result.hpp"

namespace tactus::render {

/// Owns one name that OpenGL gave; the context must be current when it dies.
template <void (*release)(GLuint)>
class GlName {
 public:
  GlName() = default;
  explicit GlName(GLuint name) noexcept : name_(name) {}
  GlName(GlName&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  GlName& operator=(GlName&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  GlName(const GlName&) = delete;
  GlName& operator=(const GlName&) = delete;
  ~GlName() {
    if (name_ != 0) release(name_);
  }
  [[nodiscard]] GLuint get() const noexcept { return name_; }

 private:
  GLuint name_ = 0;
};

namespace release {
inline void buffer(GLuint name) {
  glDeleteBuffers(1, &name);
}
inline void vertexArray(GLuint name) {
  glDeleteVertexArrays(1, &name);
}
inline void texture(GLuint name) {
  glDeleteTextures(1, &name);
}
inline void framebuffer(GLuint name) {
  glDeleteFramebuffers(1, &name);
}
inline void program(GLuint name) {
  glDeleteProgram(name);
}
inline void shader(GLuint name) {
  glDeleteShader(name);
}
}  // namespace release

using GlBuffer = GlName<release::buffer>;
using GlVertexArray = GlName<release::vertexArray>;
using GlTexture = GlName<release::texture>;
using GlFramebuffer = GlName<release::framebuffer>;
using GlProgram = GlName<release::program>;
using GlShader = GlName<release::shader>;

[[nodiscard]] GlBuffer makeBuffer();
[[nodiscard]] GlVertexArray makeVertexArray();

/// Tells the bound vertex array that an attribute is some floats of each element of the bound
/// buffer.
void describeFloats(GLuint attribute, GLint floats, std::size_t elementBytes, std::size_t offset);

/// Forgets errors of before, so that the next one is told for what comes now.
void clearErrors();

/// One stage of a program: the built-in shader files that are joined to its source, and
/// preprocessor lines to put behind the first file, which holds the version (may be empty).
struct ShaderStage {
  GLenum stage;
  std::vector<std::string_view> files;
  std::string definitions;
};

/// Compiles and links; the error carries the driver's own words.
[[nodiscard]] models::Result<GlProgram> makeProgram(std::initializer_list<ShaderStage> stages);

/// A framebuffer with textures of one size.
struct RenderTarget {
  GlFramebuffer framebuffer;
  GlTexture colour;
  GlTexture secondColour;
  GlTexture depth;
  int width = 0;
  int height = 0;
};

/// Each format may be 0 for none. A depth texture without colour is set up to
/// be compared against (sampler2DShadow): linear filter, nothing is nearer outside of it.
[[nodiscard]] models::Result<RenderTarget> makeRenderTarget(int width, int height,
                                                            GLenum colourFormat, GLenum depthFormat,
                                                            GLenum secondColourFormat = 0);

/// Makes a target anew if it has another size.
[[nodiscard]] models::Result<models::Done> fitRenderTarget(RenderTarget& target, int width,
                                                           int height, GLenum colourFormat,
                                                           GLenum depthFormat,
                                                           GLenum secondColourFormat = 0);

}  // namespace tactus::render
