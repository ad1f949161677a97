#pragma once
#include "haptics/adapters/chai3d_table.hpp"
#include "haptics/adapters/shared_library.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::haptics {

/// The table of the module with CHAI3D, once it is loaded.
struct Chai3dEntries {
  const Chai3dTable* table = nullptr;

  [[nodiscard]] models::Result<models::Done> bind(const SharedLibrary& library) {
    Chai3dTable const* (*entry)(std::int32_t) = nullptr;
    EntryPoints entries(library);
    entries.need(entry, kChai3dEntryName);
    if (const auto bound = entries.finish(); !bound) return bound;
    table = entry(kChai3dTableVersion);
    if (table != nullptr) return models::Done{};
    return models::Error{models::Reason::Unsupported, -1,
                         models::say("The module ", library.name(),
                                     " is of another version of this program; build the two "
                                     "together.")};
  }
};

}  // namespace tactus::haptics
