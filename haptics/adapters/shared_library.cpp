#include "haptics/adapters/shared_library.hpp"

#include <dlfcn.h>

#include <utility>

#include "models/files/file_label.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::haptics {

using models::Done;
using models::Error;
using models::Reason;
using models::Result;
using models::say;

SharedLibrary::SharedLibrary(void* handle, std::string name)
    // Vendors' threads outlive their last call now and then: what is loaded stays loaded.
    : handle_(handle, [](void*) {}), name_(std::move(name)) {}

Result<SharedLibrary> SharedLibrary::open(std::span<const std::string> names) {
  std::string trouble;
  for (const std::string& name : names) {
    if (void* handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL))
      return SharedLibrary(handle, name);
    const char* said = ::dlerror();
    const std::string reason = models::printable(said == nullptr ? "" : said);
    // "cannot open" is said of what is not there at all; anything else is worth telling.
    if (reason.find(name + ": cannot open shared object file: No such file") == std::string::npos)
      trouble += say(trouble.empty() ? "" : "; ", reason);
  }
  const std::string wanted = names.empty() ? std::string("a library") : names.front();
  if (!trouble.empty()) {
    return Error{Reason::Unsupported, -1,
                 say("The library ", wanted, " cannot be loaded: ", trouble, ".")};
  }
  return Error{
      Reason::FileMissing, -1,
      say("The library ", wanted,
          " is not installed, or not where the loader looks: install the vendor's package, "
          "or name its folder in LD_LIBRARY_PATH.")};
}

void* SharedLibrary::symbol(const char* name) const noexcept {
  return ::dlsym(handle_.get(), name);
}

Result<Done> EntryPoints::finish() const {
  if (missing_.empty()) return Done{};
  std::string list;
  for (const std::string& name : missing_)
    list += say(list.empty() ? "" : ", ", name);
  return Error{Reason::Unsupported, -1,
               say("The library ", library_.name(), " lacks what we call: ", list,
                   "; it is too old, or another library of the same name.")};
}

}  // namespace tactus::haptics
