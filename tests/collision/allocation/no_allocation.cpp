#include "tests/collision/allocation/no_allocation.hpp"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace {

// Of the program itself, so that reading it never allocates.
thread_local const char* forbiddenIn = nullptr;

void say(std::string_view text) {
  // what cannot be said is no reason to go on
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

/// `bytes` of an allocation; a release has none.
void demandNothing(std::string_view call, std::size_t bytes) {
  if (forbiddenIn == nullptr) return;
  const char* const what = forbiddenIn;
  forbiddenIn = nullptr;  // what ends the program may allocate
  char digits[24];
  const char* const end = std::to_chars(digits, digits + sizeof(digits), bytes).ptr;
  say(call);
  say(" of ");
  say({digits, static_cast<std::size_t>(end - digits)});
  say(" bytes in ");
  say(what);
  say("\n");
  std::abort();
}

}  // namespace

// The names that follow are those of the C library and of the sanitizers, not ours.
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
#if defined(TACTUS_SANITIZED)

// The sanitizers replace the allocator themselves, and tell who asks. Declared here because
// g++ 12 has it in its library and no header for it.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void*,
                                                                           std::size_t),
                                                         void (*released)(const volatile void*));

namespace {
const int kInstalled = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t bytes) { demandNothing("allocation", bytes); },
    [](const volatile void*) { demandNothing("release", 0); });
}  // namespace

#else

// The GNU library's own, under the names that stay when a program defines malloc.
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* old, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);

// Visible, so that shared libraries call them as well.
#define TACTUS_EVERYWHERE __attribute__((visibility("default")))

TACTUS_EVERYWHERE void* malloc(std::size_t bytes) noexcept {
  demandNothing("allocation", bytes);
  return __libc_malloc(bytes);
}
TACTUS_EVERYWHERE void* calloc(std::size_t count, std::size_t bytes) noexcept {
  demandNothing("allocation", count * bytes);
  return __libc_calloc(count, bytes);
}
TACTUS_EVERYWHERE void* realloc(void* old, std::size_t bytes) noexcept {
  demandNothing("allocation", bytes);
  return __libc_realloc(old, bytes);
}
TACTUS_EVERYWHERE void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  demandNothing("allocation", bytes);
  return __libc_memalign(alignment, bytes);
}
TACTUS_EVERYWHERE void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  demandNothing("allocation", bytes);
  return __libc_memalign(alignment, bytes);
}
TACTUS_EVERYWHERE int posix_memalign(void** memory, std::size_t alignment,
                                     std::size_t bytes) noexcept {
  demandNothing("allocation", bytes);
  *memory = __libc_memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}
TACTUS_EVERYWHERE void free(void* memory) noexcept {
  if (memory != nullptr) demandNothing("release", 0);
  __libc_free(memory);
}
}

#endif
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)

namespace tactus::tests {

NoAllocation::NoAllocation(const char* what) noexcept {
  forbiddenIn = what;
}
NoAllocation::~NoAllocation() {
  forbiddenIn = nullptr;
}

}  // namespace tactus::tests
