#include "app/temporary_folder.hpp"

#include <cstdlib>
#include <string>
#include <system_error>

namespace tactus::app {

TemporaryFolder::TemporaryFolder() {
  std::error_code missing;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(missing);
  if (missing) return;
  // Six X are what mkdtemp asks for and replaces by a name of its own.
  std::string pattern = parent / "tactus-bench-XXXXXX";
  if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace tactus::app
