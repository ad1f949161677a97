#pragma once
#include <filesystem>
#include <string>

#include "app/output.hpp"
#include "models/mesh/result.hpp"
#include "studies/raw_table.hpp"

namespace tactus::app {

/// The folder of `--report DIR`: `raw/*.csv` with what the figures were computed from, and the
/// figures themselves as JSON.
///
/// Made before the work begins. A folder with something in it is refused unless `overwrites`; then
/// only files of the same names are replaced.
class ReportFolder {
 public:
  [[nodiscard]] static models::Result<ReportFolder> open(const std::string& name, bool overwrites);

  /// raw/NAME.csv
  [[nodiscard]] models::Result<models::Done> writeRaw(const std::string& name,
                                                      const studies::RawTable& table) const;
  /// NAME.json
  [[nodiscard]] models::Result<models::Done> writeJson(const std::string& name,
                                                       const Json& value) const;
  /// A file of this whole name.
  [[nodiscard]] models::Result<models::Done> writeText(const std::string& name,
                                                       const std::string& text) const;

 private:
  ReportFolder(std::filesystem::path path, bool overwrites)
      : path_(std::move(path)), overwrites_(overwrites) {}
  std::filesystem::path path_;
  bool overwrites_;
};

}  // namespace tactus::app
