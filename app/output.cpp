#include "app/output.hpp"

#include <cstdio>

namespace tactus::app {

std::string jsonText(const Json& value) {
  return value.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void printJson(const Json& value) {
  const std::string text = jsonText(value);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void complain(const std::string& sentence) {
  const std::string line = "tactus: " + sentence + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

Json toJson(const Eigen::Vector3d& vector) {
  return Json::array({vector.x(), vector.y(), vector.z()});
}

bool standardOutputIsGood() {
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

}  // namespace tactus::app
