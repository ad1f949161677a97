#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/mesh/result.hpp"

namespace tactus::haptics {

/// A vendor's library, found at run time by name, so that one program works with and without it.
class SharedLibrary {
 public:
  /// The first of these names that can be loaded. The error tells what the loader said of each that
  /// exists and cannot be loaded, or that none is there.
  [[nodiscard]] static models::Result<SharedLibrary> open(std::span<const std::string> names);

  /// Sets a pointer to a C function; false if there is none of this name.
  template <typename Function>
  bool bind(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(symbol(name));
    return function != nullptr;
  }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  explicit SharedLibrary(void* handle, std::string name);
  [[nodiscard]] void* symbol(const char* name) const noexcept;

  std::shared_ptr<void> handle_;
  std::string name_;
};

/// Binds a table of functions; the names of those that are missing.
class EntryPoints {
 public:
  explicit EntryPoints(const SharedLibrary& library) : library_(library) {}
  template <typename Function>
  EntryPoints& need(Function*& function, const char* name) {
    if (!library_.bind(function, name)) missing_.emplace_back(name);
    return *this;
  }
  template <typename Function>
  EntryPoints& want(Function*& function, const char* name) {
    library_.bind(function, name);
    return *this;
  }
  [[nodiscard]] models::Result<models::Done> finish() const;

 private:
  const SharedLibrary& library_;
  std::vector<std::string> missing_;
};

}  // namespace tactus::haptics
