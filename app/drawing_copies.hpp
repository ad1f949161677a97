#pragma once
#include <memory>
#include <vector>

#include "app/scene_session.hpp"

namespace tactus::app {

/// Of each object of a scene a copy with as few triangles as show its shape: for processors that
/// draw. Of bodies that are plane a dozen, of animals some hundreds.
///
/// Method: half as many triangles again and again, as long as the copy is off by no more than a
/// 250th of the object's size: a pixel or two of an object that is seen whole.
[[nodiscard]] std::vector<std::shared_ptr<const models::Mesh>> drawingCopies(
    const LoadedScene& loaded);

}  // namespace tactus::app
