#pragma once
#include <cstdint>
#include <filesystem>

#include "collision/cache/collision_object.hpp"

namespace tactus::collision {

/// Writes an object as a `.tactus` file: docs/cache-format.md. The file appears whole or not at
/// all. Returns its size in bytes. `overwrites`: else an existing file is an error.
[[nodiscard]] models::Result<std::uint64_t> writeObject(const CollisionObject& object,
                                                        const std::filesystem::path& file,
                                                        bool overwrites);

/// An object whose arrays lie in a file that stays mapped as long as a copy of the object lives.
///
/// What queries use is compared with its checksums and checked (array_checks.hpp) before it is
/// believed, which also fetches it from the disk; the rest is not touched, see ColdParts.
[[nodiscard]] models::Result<CollisionObject> readObject(const std::filesystem::path& file);

/// The same, of a file that was opened before: to see its head first, or its table.
[[nodiscard]] models::Result<CollisionObject> readObject(std::shared_ptr<const SectionFile> file);

}  // namespace tactus::collision
