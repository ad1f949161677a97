#include "app/report_folder.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "models/files/file_label.hpp"
#include "models/files/whole_file.hpp"

namespace tactus::app {

using models::Done;
using models::Error;
using models::Reason;
using models::Result;

Result<ReportFolder> ReportFolder::open(const std::string& name, bool overwrites) {
  const std::filesystem::path folder = name;
  const std::string shown = models::printable(name);
  std::error_code trouble;
  const bool isThere = std::filesystem::exists(folder, trouble);
  if (isThere && !std::filesystem::is_directory(folder, trouble)) {
    return Error{Reason::BadValue, -1,
                 fmt::format("{}: this is a file; name a folder for the report.", shown)};
  }
  if (isThere && !overwrites && !std::filesystem::is_empty(folder, trouble)) {
    return Error{Reason::AlreadyExists, -1,
                 fmt::format("{}: this folder is not empty; name another one for the report, or "
                             "overwrite the report in it with --force.",
                             shown)};
  }
  std::filesystem::create_directories(folder / "raw", trouble);
  if (trouble) {
    return Error{Reason::BadValue, -1,
                 fmt::format("{}: this folder cannot be made ({}); name another one for the "
                             "report.",
                             shown, trouble.message())};
  }
  return ReportFolder(folder, overwrites);
}

Result<Done> ReportFolder::writeRaw(const std::string& name, const studies::RawTable& table) const {
  return table.write(path_ / "raw" / (name + ".csv"), overwrites_);
}

Result<Done> ReportFolder::writeJson(const std::string& name, const Json& value) const {
  return writeText(name + ".json", jsonText(value));
}

Result<Done> ReportFolder::writeText(const std::string& name, const std::string& text) const {
  models::WholeFile file(path_ / name, overwrites_);
  if (Result<Done> opened = file.open(); !opened) return opened;
  file.write(text);
  return file.finish();
}

}  // namespace tactus::app
