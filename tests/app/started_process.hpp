#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace tactus::tests {

/// What a process did.
struct Ended {
  int code = -1;    ///< exit code; 128 + signal if one ended it
  std::string out;  ///< standard output
  std::string err;  ///< standard error
};

/// How to start it.
struct Start {
  std::vector<std::string> arguments;    ///< the program first
  std::vector<std::string> environment;  ///< NAME=VALUE to set, NAME alone to unset
  std::string input;                     ///< standard input
  std::filesystem::path folder;          ///< to run in; empty: here
};

/// Runs to the end and collects what it printed.
[[nodiscard]] Ended runToEnd(const Start& start);

/// Runs the tactus program under test.
[[nodiscard]] Ended tactus(const std::vector<std::string>& arguments,
                           const std::vector<std::string>& environment = {});

/// Whether text is exactly one line, a sentence that the program says of a mistake.
[[nodiscard]] bool isOneSentence(const std::string& text);

/// A folder for one test, gone afterwards.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();
  [[nodiscard]] std::string file(const std::string& name) const { return path_ / name; }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& content) const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// All bytes of a file; fails the test if there is none.
[[nodiscard]] std::string contentOf(const std::filesystem::path& file);

}  // namespace tactus::tests
