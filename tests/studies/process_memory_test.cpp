#include "studies/process_memory.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

namespace tactus::studies {
namespace {

constexpr std::size_t kBlock = 64U << 20U;

TEST(ProcessMemory, PeakGrowsWithWhatIsTouchedAndForgetsWhenReset) {
  resetPeakMemory();
  const std::size_t before = peakMemory();
  ASSERT_GT(before, 0U);
  {
    const std::unique_ptr<char[]> block(new char[kBlock]);
    std::memset(block.get(), 1, kBlock);
    // Read back through volatile: else the compiler may leave block and memset out.
    EXPECT_EQ(*const_cast<volatile char*>(block.get() + kBlock - 1), 1);
    EXPECT_GE(peakMemory(), before + kBlock * 9 / 10);
  }
  EXPECT_GE(peakMemory(), before + kBlock * 9 / 10) << "a peak stays when the memory goes";
#ifndef TACTUS_SANITIZED  // these keep what is freed
  resetPeakMemory();
  EXPECT_LT(peakMemory(), before + kBlock / 2);
#endif
}

}  // namespace
}  // namespace tactus::studies
