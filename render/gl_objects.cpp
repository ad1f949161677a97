#include "render/gl_objects.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <string>
#include <vector>

namespace tactus::render {

namespace {

using models::Done;
using models::Error;
using models::Reason;
using models::Result;

struct BuiltInShader {
  std::string_view file;
  std::string_view source;
};
constexpr BuiltInShader kShaders[] = {
#include "render/shader_sources.inc"
};

std::string_view sourceOf(std::string_view file) {
  const auto* const found = std::find_if(std::begin(kShaders), std::end(kShaders),
                                         [&](const BuiltInShader& s) { return s.file == file; });
  return found == std::end(kShaders) ? std::string_view{} : found->source;
}

/// The first line of a driver's log: the sentence must stay one sentence.
std::string firstLine(std::string log) {
  log.resize(std::min(log.find_first_of("\r\n\0", 0, 3), log.size()));
  return log.empty() ? "the driver gives no reason" : log;
}

Result<GlShader> compile(const ShaderStage& stage) {
  // The version must be the first line, so definitions go behind the first file.
  std::string source;
  for (const std::string_view file : stage.files) {
    source += sourceOf(file);
    source += '\n';
    if (file == stage.files.front()) {
      source += stage.definitions;
      source += '\n';
    }
  }
  GlShader shader(glCreateShader(stage.stage));
  const char* text = source.c_str();
  glShaderSource(shader.get(), 1, &text, nullptr);
  glCompileShader(shader.get());
  GLint good = GL_FALSE;
  glGetShaderiv(shader.get(), GL_COMPILE_STATUS, &good);
  if (good == GL_TRUE) return shader;
  std::string log(1024, '\0');
  glGetShaderInfoLog(shader.get(), static_cast<GLsizei>(log.size()), nullptr, log.data());
  return Error{Reason::Unsupported, -1,
               "The graphics driver rejects our shader " + std::string(stage.files.back()) + " (" +
                   firstLine(std::move(log)) +
                   "); update the driver or draw in software with LIBGL_ALWAYS_SOFTWARE=1."};
}

}  // namespace

GlBuffer makeBuffer() {
  GLuint name = 0;
  glGenBuffers(1, &name);
  return GlBuffer(name);
}

GlVertexArray makeVertexArray() {
  GLuint name = 0;
  glGenVertexArrays(1, &name);
  return GlVertexArray(name);
}

void describeFloats(GLuint attribute, GLint floats, std::size_t elementBytes, std::size_t offset) {
  glEnableVertexAttribArray(attribute);
  // OpenGL takes the offset as a pointer, for the sake of times before there were buffers.
  glVertexAttribPointer(attribute, floats, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(elementBytes),
                        std::bit_cast<const void*>(offset));
}

void clearErrors() {
  while (glGetError() != GL_NO_ERROR) {
  }
}

Result<GlProgram> makeProgram(std::initializer_list<ShaderStage> stages) {
  GlProgram program(glCreateProgram());
  std::vector<GlShader> shaders;
  for (const ShaderStage& stage : stages) {
    Result<GlShader> shader = compile(stage);
    if (!shader) return shader.error();
    glAttachShader(program.get(), shader.value().get());
    shaders.push_back(std::move(shader).value());
  }
  glLinkProgram(program.get());
  for (const GlShader& shader : shaders)
    glDetachShader(program.get(), shader.get());
  GLint good = GL_FALSE;
  glGetProgramiv(program.get(), GL_LINK_STATUS, &good);
  if (good == GL_TRUE) return program;
  std::string log(1024, '\0');
  glGetProgramInfoLog(program.get(), static_cast<GLsizei>(log.size()), nullptr, log.data());
  return Error{Reason::Unsupported, -1,
               "The graphics driver cannot link our shaders (" + firstLine(std::move(log)) +
                   "); update the driver or draw in software with LIBGL_ALWAYS_SOFTWARE=1."};
}

Result<RenderTarget> makeRenderTarget(int width, int height, GLenum colourFormat,
                                      GLenum depthFormat, GLenum secondColourFormat) {
  RenderTarget target;
  target.width = width;
  target.height = height;
  GLuint name = 0;
  glGenFramebuffers(1, &name);
  target.framebuffer = GlFramebuffer(name);
  glBindFramebuffer(GL_FRAMEBUFFER, name);
  const auto attach = [&](GLenum attachment, GLenum format, GLenum components, GLenum type) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), width, height, 0, components, type,
                 nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, texture, 0);
    return GlTexture(texture);
  };
  if (colourFormat != 0) {
    target.colour = attach(GL_COLOR_ATTACHMENT0, colourFormat, GL_RGBA, GL_FLOAT);
  }
  if (secondColourFormat != 0) {
    target.secondColour = attach(GL_COLOR_ATTACHMENT1, secondColourFormat, GL_RGBA, GL_FLOAT);
    constexpr std::array<GLenum, 2> kBoth = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glDrawBuffers(2, kBoth.data());
  }
  if (depthFormat != 0) {
    const bool hasStencil = depthFormat == GL_DEPTH24_STENCIL8;
    target.depth = hasStencil
                       ? attach(GL_DEPTH_STENCIL_ATTACHMENT, depthFormat, GL_DEPTH_STENCIL,
                                GL_UNSIGNED_INT_24_8)
                       : attach(GL_DEPTH_ATTACHMENT, depthFormat, GL_DEPTH_COMPONENT, GL_FLOAT);
  }
  if (colourFormat == 0) {
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    constexpr std::array<float, 4> kFarthest = {1.0F, 1.0F, 1.0F, 1.0F};
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, kFarthest.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  }
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    return Error{Reason::Unsupported, -1,
                 "The graphics driver offers no framebuffer of " + std::to_string(width) + " by " +
                     std::to_string(height) + " pixels; ask for a smaller picture."};
  }
  return target;
}

Result<Done> fitRenderTarget(RenderTarget& target, int width, int height, GLenum colourFormat,
                             GLenum depthFormat, GLenum secondColourFormat) {
  if (target.width == width && target.height == height) return Done{};
  target = RenderTarget{};
  Result<RenderTarget> made =
      makeRenderTarget(width, height, colourFormat, depthFormat, secondColourFormat);
  if (!made) return made.error();
  target = std::move(made).value();
  return Done{};
}

}  // namespace tactus::render
