#include <exception>
#include <new>

#include "app/command_line.hpp"

int main(int argc, char** argv) {
  using tactus::app::ExitCode;
  // Nothing of ours throws on purpose; what the standard library throws still ends in a sentence.
  try {
    return static_cast<int>(tactus::app::runCommandLine(argc, argv));
  } catch (const std::bad_alloc&) {
    tactus::app::complain("There is not enough memory for this; try a smaller model.");
  } catch (const std::exception& problem) {
    tactus::app::complain(std::string("Stopped by an error of our own: ") + problem.what() + ".");
  }
  return static_cast<int>(ExitCode::WorkFailed);
}
