#pragma once
#include <Eigen/Core>
#include <array>
#include <initializer_list>
#include <string>

#include "models/mesh/result.hpp"
#include "render/gl_objects.hpp"
#include "render/palette.hpp"

namespace tactus::render {

/// Where a program of a frame finds what it does not bring itself.
constexpr GLuint kFrameBinding = 0;  ///< the uniform block of frame.glsl
constexpr GLint kLampUnit = 0;       ///< shadow maps
constexpr GLint kSkyUnit = 1;
constexpr GLint kPictureUnit = 2;  ///< any other texture
constexpr GLint kNormalUnit = 3;   ///< of a surface that is to be lit, whose colour is the picture
constexpr GLint kDepthUnit = 4;

/// Compiles, links, and connects block and samplers.
[[nodiscard]] models::Result<GlProgram> makeFrameProgram(std::initializer_list<ShaderStage> stages);

/// A vertex shader that knows the frame.
[[nodiscard]] ShaderStage vertexStage(std::string_view file, const std::string& definitions = {});
/// A fragment shader that knows the frame and the way to the display. `onePass`: its colours go
/// straight there.
[[nodiscard]] ShaderStage fragmentStage(std::string_view file, bool onePass,
                                        const std::string& definitions = {});
/// One that lights surfaces besides.
[[nodiscard]] ShaderStage surfaceStage(std::string_view file, bool onePass,
                                       const std::string& definitions = {});

using Float4 = std::array<float, 4>;
using Float16 = std::array<float, 16>;
[[nodiscard]] Float4 float4(const Eigen::Vector3d& xyz, double w);
[[nodiscard]] Float4 float4(const Colour& rgb, double w);
[[nodiscard]] Float16 float16(const Eigen::Matrix4d& matrix);

}  // namespace tactus::render
