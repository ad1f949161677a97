#pragma once
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

namespace tactus::tests {

/// Starts a program of the path; `keep` stays open in it. Its output is dropped.
inline pid_t startQuietly(std::vector<std::string> words, int keep = -1) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int standard : {0, 1, 2})
    ::dup2(nowhere, standard);
  if (keep >= 0) ::fcntl(keep, F_SETFD, 0);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

/// An X server without a screen, for the length of one test.
class VirtualDisplay {
 public:
  /// `folder`: what is on the screen lies in a file there, for ScreenPicture; empty: nowhere.
  explicit VirtualDisplay(const std::string& size = "640x480x24", const std::string& folder = {}) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    // The server chooses a free number and writes it to the pipe once it takes connections.
    std::vector<std::string> words = {
        "Xvfb", "-displayfd", std::to_string(ends[1]), "-screen", "0", size, "-nolisten", "tcp"};
    if (!folder.empty()) words.insert(words.end(), {"-fbdir", folder});
    server_ = startQuietly(std::move(words), ends[1]);
    ::close(ends[1]);
    std::string number;
    char byte = 0;
    while (::read(ends[0], &byte, 1) == 1 && byte != '\n')
      number.push_back(byte);
    ::close(ends[0]);
    if (!number.empty()) name_ = ":" + number;
  }
  VirtualDisplay(const VirtualDisplay&) = delete;
  VirtualDisplay& operator=(const VirtualDisplay&) = delete;
  ~VirtualDisplay() {
    if (server_ <= 0) return;
    ::kill(server_, SIGTERM);
    ::waitpid(server_, nullptr, 0);
  }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  pid_t server_ = -1;
  std::string name_;
};

/// Sends events to the window under the cursor, or with the focus; they arrive some frames later.
/// False if xdotool is missing.
inline bool sendEvents(std::vector<std::string> words) {
  words.insert(words.begin(), "xdotool");
  return startQuietly(std::move(words)) > 0;
}

}  // namespace tactus::tests
