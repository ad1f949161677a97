#pragma once
#include <cstddef>

#include "models/mesh/mesh.hpp"
#include "models/parametric/revolution.hpp"

namespace tactus::models {

/// Solids of revolution about y, their box centred on the origin. The radii of sphere and cylinder
/// are equal and the cone is as high as wide, as the benchmark's scenarios want them: Weller, "New
/// Geometric Data Structures for Collision Detection and Haptics", 2013, section 6.4.2.
constexpr double kSphereRadius = 0.030;    // [m]
constexpr double kCylinderRadius = 0.030;  // [m]
constexpr double kCylinderHeight = 0.080;  // [m]
constexpr double kConeRadius = 0.030;      // [m]
constexpr double kConeHeight = 0.060;      // [m]
constexpr double kTorusRadius = 0.032;     // of the circle along which the tube runs [m]
constexpr double kTorusTube = 0.013;       // [m]

/// Rows of circles rather than a divided icosahedron: its numbers of triangles, 20 n^2, leave gaps
/// of 30 % at a thousand. No crowding at the poles: rows have vertices by their circumference.
[[nodiscard]] Profile sphereProfile();
[[nodiscard]] Profile cylinderProfile();
[[nodiscard]] Profile coneProfile();
[[nodiscard]] Profile torusProfile();

[[nodiscard]] Mesh makeSphere(std::size_t triangles);
[[nodiscard]] Mesh makeCylinder(std::size_t triangles);
[[nodiscard]] Mesh makeCone(std::size_t triangles);
[[nodiscard]] Mesh makeTorus(std::size_t triangles);

}  // namespace tactus::models
