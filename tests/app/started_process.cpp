#include "tests/app/started_process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace tactus::tests {
namespace {

constexpr int kCannotStart = 127;  // as shells say it

/// In the child: never returns.
[[noreturn]] void become(const Start& start, const Folder& pipes) {
  const auto redirect = [&](const char* name, const char* mode, FILE* stream) {
    if (std::freopen(pipes.file(name).c_str(), mode, stream) == nullptr) _exit(kCannotStart);
  };
  redirect("in", "r", stdin);
  redirect("out", "w", stdout);
  redirect("err", "w", stderr);
  if (!start.folder.empty() && chdir(start.folder.c_str()) != 0) _exit(kCannotStart);
  for (const std::string& entry : start.environment) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) {
      unsetenv(entry.c_str());
    } else {
      setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
    }
  }
  std::vector<char*> words;
  words.reserve(start.arguments.size() + 1);
  for (const std::string& argument : start.arguments) {
    words.push_back(const_cast<char*>(argument.c_str()));  // execv's old signature; it changes none
  }
  words.push_back(nullptr);
  execv(words[0], words.data());
  _exit(kCannotStart);
}

}  // namespace

Ended runToEnd(const Start& start) {
  // Files rather than pipes: nothing can block, however much is printed.
  const Folder pipes;
  pipes.write("in", start.input);
  const pid_t child = fork();
  if (child == 0) become(start, pipes);
  int status = 0;
  waitpid(child, &status, 0);
  Ended ended;
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  ended.out = contentOf(pipes.file("out"));
  ended.err = contentOf(pipes.file("err"));
  return ended;
}

Ended tactus(const std::vector<std::string>& arguments,
             const std::vector<std::string>& environment) {
  Start start;
  start.arguments = {TACTUS_PROGRAM};
  start.arguments.insert(start.arguments.end(), arguments.begin(), arguments.end());
  start.environment = environment;
  return runToEnd(start);
}

bool isOneSentence(const std::string& text) {
  const bool isOneLine = !text.empty() && text.find('\n') == text.size() - 1;
  if (!isOneLine || !text.starts_with("tactus: ") || text.size() < 20) return false;
  const char last = text[text.size() - 2];
  return last == '.' || last == '?';
}

Folder::Folder() {
  std::string pattern = std::filesystem::temp_directory_path() / "tactus-test-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) ADD_FAILURE() << "no folder for the test";
  path_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::write(const std::string& name, const std::string& content) const {
  std::ofstream(path_ / name, std::ios::binary) << content;
  return path_ / name;
}

std::string contentOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) ADD_FAILURE() << "there is no " << file;
  std::stringstream content;
  content << stream.rdbuf();
  return content.str();
}

}  // namespace tactus::tests
