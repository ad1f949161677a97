#pragma once
#include <map>
#include <memory>
#include <utility>

#include "models/mesh/result.hpp"

namespace tactus::render {

/// Copies on the graphics card of what lists share by pointer: made at the first sight of a
/// pointer, dropped when nobody holds it any more.
template <typename Shared, typename Copy>
class Uploads {
 public:
  /// The copy; `make` is called with the shared thing when there is none yet.
  template <typename Make>
  [[nodiscard]] models::Result<const Copy*> find(const std::shared_ptr<const Shared>& shared,
                                                 const Make& make) {
    const auto known = copies_.find(shared);
    if (known != copies_.end()) return &known->second;
    models::Result<Copy> made = make(*shared);
    if (!made) return made.error();
    return &copies_.emplace(shared, std::move(made).value()).first->second;
  }
  void dropUnused() {
    std::erase_if(copies_, [](const auto& entry) { return entry.first.expired(); });
  }

 private:
  std::map<std::weak_ptr<const Shared>, Copy, std::owner_less<>> copies_;
};

}  // namespace tactus::render
