#include "render/frame_program.hpp"

#include <utility>

namespace tactus::render {

using models::Result;

Result<GlProgram> makeFrameProgram(std::initializer_list<ShaderStage> stages) {
  Result<GlProgram> made = makeProgram(stages);
  if (!made) return made;
  const GLuint program = made.value().get();
  const GLuint block = glGetUniformBlockIndex(program, "Frame");
  if (block != GL_INVALID_INDEX) glUniformBlockBinding(program, block, kFrameBinding);
  glUseProgram(program);
  glUniform1i(glGetUniformLocation(program, "lampDepth"), kLampUnit);
  glUniform1i(glGetUniformLocation(program, "skyDepth"), kSkyUnit);
  for (const char* sampler : {"onePass", "sum", "pixels", "surfaceColour"}) {
    glUniform1i(glGetUniformLocation(program, sampler), kPictureUnit);
  }
  glUniform1i(glGetUniformLocation(program, "surfaceNormal"), kNormalUnit);
  glUniform1i(glGetUniformLocation(program, "surfaceDepth"), kDepthUnit);
  return made;
}

ShaderStage vertexStage(std::string_view file, const std::string& definitions) {
  return {GL_VERTEX_SHADER, {"frame.glsl", file}, definitions};
}

ShaderStage fragmentStage(std::string_view file, bool onePass, const std::string& definitions) {
  return {GL_FRAGMENT_SHADER,
          {"frame.glsl", "display.glsl", file},
          (onePass ? "#define ONE_PASS\n" : "") + definitions};
}

ShaderStage surfaceStage(std::string_view file, bool onePass, const std::string& definitions) {
  ShaderStage stage = fragmentStage(file, onePass, definitions);
  stage.files = {"frame.glsl", "display.glsl", "lighting.glsl", "surface.glsl", file};
  return stage;
}

Float4 float4(const Eigen::Vector3d& xyz, double w) {
  return {static_cast<float>(xyz.x()), static_cast<float>(xyz.y()), static_cast<float>(xyz.z()),
          static_cast<float>(w)};
}

Float4 float4(const Colour& rgb, double w) {
  return float4(Eigen::Vector3d(rgb.cast<double>()), w);
}

Float16 float16(const Eigen::Matrix4d& matrix) {
  Float16 out;
  Eigen::Map<Eigen::Matrix4f>(out.data()) = matrix.cast<float>();
  return out;
}

}  // namespace tactus::render
