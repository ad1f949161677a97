#include "collision/voxmap/large_pages.hpp"

#include <sys/mman.h>

#include <memory>
#include <new>
#include <span>

namespace tactus::collision {
namespace {

constexpr std::size_t kLine = 64;

// Of x86-64, and of others that have 4 KB for small ones.
constexpr std::size_t kLargePage = std::size_t{1} << 21U;

std::size_t roundedUp(std::size_t bytes, std::size_t step) {
  return (bytes + step - 1) / step * step;
}

template <typename T>
std::span<const T> copied(std::span<const T> from, std::byte* to) {
  T* const first = reinterpret_cast<T*>(to);
  std::uninitialized_copy(from.begin(), from.end(), first);
  return {first, from.size()};
}

}  // namespace

std::shared_ptr<std::byte> largePages(std::size_t bytes) {
  // a smaller part of such a page is left to others
  const std::align_val_t border{bytes >= kLargePage ? kLargePage : kLine};
  const std::size_t size = roundedUp(bytes, static_cast<std::size_t>(border));
  void* const memory = ::operator new(size, border, std::nothrow);
  if (memory == nullptr) return nullptr;
#ifdef MADV_HUGEPAGE
  // where there are none, small ones will do
  if (bytes >= kLargePage) static_cast<void>(::madvise(memory, size, MADV_HUGEPAGE));
#endif
  return {static_cast<std::byte*>(memory),
          [border](std::byte* first) { ::operator delete(first, border); }};
}

Voxmap inLargePages(const Voxmap& map) {
  if (map.empty()) return map;
  Voxmap::Arrays arrays = map.arrays();
  // bricks begin behind the coarse corners, so that these begin somewhere on a line
  const std::size_t corners = sizeof(std::int16_t) * arrays.corners();
  const std::size_t values =
      roundedUp(arrays.places.size_bytes(), kLine) + roundedUp(corners, kLine) - corners;
  const std::shared_ptr<std::byte> memory = largePages(values + arrays.values.size_bytes());
  if (memory == nullptr) return map;
  arrays.places = copied(arrays.places, memory.get());
  arrays.values = copied(arrays.values, memory.get() + values);
  return {arrays, memory};
}

}  // namespace tactus::collision
