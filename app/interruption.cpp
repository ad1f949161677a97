#include "app/interruption.hpp"

#include <array>
#include <atomic>
#include <csignal>

namespace tactus::app {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM};

// What a signal handler may touch.
std::atomic<bool> asked{false};
static_assert(std::atomic<bool>::is_always_lock_free);

std::array<struct sigaction, kSignals.size()> before;

}  // namespace

Interruption::Interruption() {
  asked = false;
  struct sigaction action{};
  action.sa_handler = [](int) { asked = true; };
  // reading goes on where it was
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
}

Interruption::~Interruption() {
  for (std::size_t i = 0; i < kSignals.size(); ++i)
    sigaction(kSignals[i], &before[i], nullptr);
}

bool Interruption::wasAsked() noexcept {
  return asked;
}

}  // namespace tactus::app
