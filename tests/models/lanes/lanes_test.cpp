// Every operation on every target that this machine supports against plain C++ written here, lane
// by lane and to the bit. NaNs are compared as NaNs: their sign and payload are not promised.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "models/lanes/vector_target.hpp"
#include "tests/models/lanes/lanes_kernels.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

namespace {

using namespace tactus::models;
using namespace tactus::tests;

bool sameBytes(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

bool sameBytes(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool sameBytes(std::int32_t a, std::int32_t b) {
  return a == b;
}

/// Runs a test body once for each target, and leaves the best one active.
class LanesOn : public testing::TestWithParam<VectorTarget> {
 protected:
  void SetUp() override { ASSERT_TRUE(useTarget(GetParam())); }
  void TearDown() override { ASSERT_TRUE(useTarget(bestTarget())); }
};

INSTANTIATE_TEST_SUITE_P(Targets, LanesOn, testing::ValuesIn(supportedTargets()),
                         [](const auto& target) { return std::string(nameOf(target.param)); });

template <typename T>
std::vector<T> nastyNumbers() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> numbers;
  for (const T x : {T{0},
                    Limits::denorm_min(),
                    Limits::min() / 2,
                    Limits::min(),
                    T(1e-20),
                    Limits::epsilon(),
                    T(0.1),
                    T(0.5),
                    T(1),
                    1 + Limits::epsilon(),
                    T(1.5),
                    T(2.5),
                    T(3),
                    T(100.7),
                    T(16777217),
                    T(2147483520),
                    T(2147483648),
                    T(2147483649),
                    T(9007199254740993),
                    T(1e19),
                    Limits::max() / 2,
                    Limits::max(),
                    Limits::infinity(),
                    Limits::quiet_NaN()}) {
    numbers.push_back(x);
    numbers.push_back(-x);
  }
  return numbers;
}

template <typename T>
T anyBits(SeededBits& random) {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(static_cast<std::uint32_t>(random.next()));
  } else {
    return std::bit_cast<T>(random.next());
  }
}

template <typename T>
struct Expectation {
  const char* name;
  T (*of)(T a, T b, T c);
};

// Products go through volatile, so that no compiler contracts what is expected here either.
template <typename T>
const std::array<Expectation<T>, kOperations>& expectations() {
  static const std::array<Expectation<T>, kOperations> all = {{
      {"a + b", [](T a, T b, T) { return a + b; }},
      {"a - b", [](T a, T b, T) { return a - b; }},
      {"a * b", [](T a, T b, T) { return a * b; }},
      {"a / b", [](T a, T b, T) { return a / b; }},
      {"-a", [](T a, T, T) { return -a; }},
      {"sqrt", [](T a, T, T) { return std::sqrt(a); }},
      {"abs", [](T a, T, T) { return std::fabs(a); }},
      {"floor", [](T a, T, T) { return std::floor(a); }},
      {"min", [](T a, T b, T) { return a < b ? a : b; }},
      {"max", [](T a, T b, T) { return a > b ? a : b; }},
      {"a * b + c",
       [](T a, T b, T c) {
         const volatile T product = a * b;
         return product + c;
       }},
      {"c - a * b",
       [](T a, T b, T c) {
         const volatile T product = a * b;
         return c - product;
       }},
      {"a * b - b * c",
       [](T a, T b, T c) {
         const volatile T first = a * b;
         const volatile T second = b * c;
         return first - second;
       }},
      {"length",
       [](T a, T b, T c) {
         const volatile T x = a * a;
         const volatile T y = b * b;
         const volatile T z = c * c;
         const volatile T xy = x + y;
         return std::sqrt(xy + z);
       }},
      {"a < b", [](T a, T b, T) { return T(a < b); }},
      {"a <= b", [](T a, T b, T) { return T(a <= b); }},
      {"a > b", [](T a, T b, T) { return T(a > b); }},
      {"a >= b", [](T a, T b, T) { return T(a >= b); }},
      {"a == b", [](T a, T b, T) { return T(a == b); }},
      {"a != b", [](T a, T b, T) { return T(a != b); }},
      {"and", [](T a, T b, T c) { return T(a < b && b < c); }},
      {"or", [](T a, T b, T c) { return T(a < b || b < c); }},
      {"not", [](T a, T b, T) { return T(!(a < b)); }},
      {"select", [](T a, T b, T c) { return a < c ? a : b; }},
      {"+=", [](T a, T b, T) { return a + b; }},
      {"-=", [](T a, T b, T c) { return (a + b) - c; }},
      {"*=",
       [](T a, T b, T c) {
         const volatile T difference = (a + b) - c;
         return difference * a;
       }},
      {"scalar times lane", [](T a, T, T) { return T(2) * a; }},
  }};
  return all;
}

template <typename T>
void expectOperations(const std::array<T, 16>& a, const std::array<T, 16>& b,
                      const std::array<T, 16>& c) {
  std::array<T, kOperations * 16> results{};
  everyOperation(a.data(), b.data(), c.data(), results.data());
  for (std::size_t k = 0; k < kOperations; ++k) {
    const Expectation<T>& expected = expectations<T>()[k];
    for (std::size_t i = 0; i < 16; ++i) {
      ASSERT_TRUE(sameBytes(results[16 * k + i], expected.of(a[i], b[i], c[i])))
          << expected.name << " of " << a[i] << ' ' << b[i] << ' ' << c[i] << " gave "
          << results[16 * k + i] << " in lane " << i;
    }
  }
}

template <typename T>
void expectOperationsOfNastyAndRandomNumbers() {
  const std::vector<T> nasty = nastyNumbers<T>();
  SeededBits random(11);
  std::array<T, 16> a;
  std::array<T, 16> b;
  std::array<T, 16> c;
  std::size_t lane = 0;
  const auto add = [&](T x, T y, T z) {
    a[lane] = x, b[lane] = y, c[lane] = z;
    if (++lane < 16) return;
    lane = 0;
    expectOperations(a, b, c);
  };
  for (const T x : nasty) {
    for (const T y : nasty)
      add(x, y, nasty[random.next() % nasty.size()]);
  }
  for (int i = 0; i < 16 * 500; ++i) {
    add(anyBits<T>(random), anyBits<T>(random), anyBits<T>(random));
    const auto near = [&] { return static_cast<T>(random.between(-2.0, 2.0)); };
    add(near(), near(), near());
  }
}

TEST_P(LanesOn, FloatOperations) {
  expectOperationsOfNastyAndRandomNumbers<float>();
}
TEST_P(LanesOn, DoubleOperations) {
  expectOperationsOfNastyAndRandomNumbers<double>();
}

std::int32_t wrapped(std::uint32_t x) {
  return std::bit_cast<std::int32_t>(x);
}

TEST_P(LanesOn, IntOperations) {
  const std::vector<std::int32_t> nasty = {0,      1,        -1,         2,           -2,
                                           65535,  -65536,   2147483647, -2147483648, 46341,
                                           -46341, 16777217, 1000000,    -7};
  SeededBits random(12);
  for (int round = 0; round < 500; ++round) {
    std::array<std::int32_t, 16> a;
    std::array<std::int32_t, 16> b;
    for (std::size_t i = 0; i < 16; ++i) {
      const bool pick = (random.next() & 1U) != 0;
      a[i] = pick ? nasty[random.next() % nasty.size()]
                  : wrapped(static_cast<std::uint32_t>(random.next()));
      b[i] = (random.next() & 7U) == 0 ? a[i] : nasty[random.next() % nasty.size()];
    }
    std::array<std::int32_t, kIntOperations * 16> results{};
    everyIntOperation(a.data(), b.data(), results.data());
    for (std::size_t i = 0; i < 16; ++i) {
      const auto x = static_cast<std::uint32_t>(a[i]);
      const auto y = static_cast<std::uint32_t>(b[i]);
      const std::array<std::int32_t, kIntOperations> expected = {
          wrapped(x + y),
          wrapped(x - y),
          wrapped(x * y),
          wrapped(0U - x),
          a[i] < 0 ? wrapped(0U - x) : a[i],
          std::min(a[i], b[i]),
          std::max(a[i], b[i]),
          a[i] < b[i] ? 1 : 0,
          a[i] <= b[i] ? 1 : 0,
          a[i] > b[i] ? 1 : 0,
          a[i] >= b[i] ? 1 : 0,
          a[i] == b[i] ? 1 : 0,
          a[i] != b[i] ? 1 : 0,
          a[i] < b[i] ? 3 : 4,
          static_cast<std::int32_t>(i),
          static_cast<float>(a[i]) < static_cast<float>(b[i]) ? 1 : 0,
          wrapped(x + 7U)};
      for (std::size_t k = 0; k < kIntOperations; ++k) {
        ASSERT_EQ(results[16 * k + i], expected[k])
            << "operation " << k << " of " << a[i] << ' ' << b[i];
      }
    }
  }
}

std::int32_t truncated(float x) {
  if (std::isnan(x)) return 0;
  if (x >= 0x1p31F) return std::numeric_limits<std::int32_t>::max();
  if (x < -0x1p31F) return std::numeric_limits<std::int32_t>::min();
  return static_cast<std::int32_t>(x);
}

TEST_P(LanesOn, Conversions) {
  const std::vector<float> floats = nastyNumbers<float>();
  const std::vector<double> doubles = nastyNumbers<double>();
  SeededBits random(13);
  for (int round = 0; round < 1000; ++round) {
    std::array<float, 16> f;
    std::array<double, 16> d;
    std::array<std::int32_t, 16> n;
    for (std::size_t i = 0; i < 16; ++i) {
      const std::uint64_t pick = random.next() % 3;
      f[i] = pick == 0   ? floats[random.next() % floats.size()]
             : pick == 1 ? anyBits<float>(random)
                         : static_cast<float>(random.between(-1e5, 1e5));
      d[i] = pick == 0   ? doubles[random.next() % doubles.size()]
             : pick == 1 ? anyBits<double>(random)
                         : random.between(-1e5, 1e5);
      n[i] = wrapped(static_cast<std::uint32_t>(random.next() >> (random.next() % 32U)));
    }
    const Conversions converted = everyConversion(f.data(), d.data(), n.data());
    for (std::size_t i = 0; i < 16; ++i) {
      ASSERT_TRUE(sameBytes(converted.doubleOfFloat[i], static_cast<double>(f[i]))) << f[i];
      ASSERT_TRUE(sameBytes(converted.floatOfDouble[i], static_cast<float>(d[i]))) << d[i];
      ASSERT_EQ(converted.doubleOfInt[i], static_cast<double>(n[i]));
      ASSERT_EQ(converted.floatOfInt[i], static_cast<float>(n[i]));
      ASSERT_EQ(converted.intOfFloat[i], truncated(f[i])) << f[i];
    }
  }
}

template <typename T>
T add(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return wrapped(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  } else {
    return a + b;
  }
}

/// The tree, written out: eight pairs, four, two, one.
template <typename T, typename Join>
T tree(const std::array<T, 16>& v, Join join) {
  std::array<T, 8> w;
  for (std::size_t i = 0; i < 8; ++i)
    w[i] = join(v[i], v[i + 8]);
  const T even = join(join(w[0], w[4]), join(w[2], w[6]));
  const T odd = join(join(w[1], w[5]), join(w[3], w[7]));
  return join(even, odd);
}

template <typename T, typename Draw>
void expectReductions(Draw draw) {
  for (int round = 0; round < 2000; ++round) {
    std::array<T, 16> v;
    for (T& x : v)
      x = draw();
    const Reductions<T> result = everyReduction(v.data());
    ASSERT_TRUE(sameBytes(result.sum, tree(v, [](T a, T b) { return add(a, b); })));
    ASSERT_TRUE(sameBytes(result.minimum, tree(v, [](T a, T b) { return a < b ? a : b; })));
    ASSERT_TRUE(sameBytes(result.maximum, tree(v, [](T a, T b) { return a > b ? a : b; })));
  }
}

TEST_P(LanesOn, Reductions) {
  SeededBits random(14);
  const std::vector<float> floats = nastyNumbers<float>();
  expectReductions<float>([&] { return floats[random.next() % floats.size()]; });
  expectReductions<float>([&] { return static_cast<float>(random.between(-1.0, 1.0)); });
  expectReductions<double>([&] { return random.between(-1.0, 1.0); });
  expectReductions<std::int32_t>(
      [&] { return wrapped(static_cast<std::uint32_t>(random.next())); });
}

template <typename T>
void expectGather() {
  SeededBits random(15);
  std::vector<T> base(1000);
  for (std::size_t i = 0; i < base.size(); ++i)
    base[i] = static_cast<T>(3 * i + 1);
  for (int round = 0; round < 500; ++round) {
    std::array<std::int32_t, 16> index;
    for (std::int32_t& i : index)
      i = static_cast<std::int32_t>(random.below(1000)) - 500;
    std::array<T, 16> result{};
    gatherAll(base.data() + 500, index.data(), result.data());
    for (std::size_t i = 0; i < 16; ++i) {
      ASSERT_EQ(result[i], base[static_cast<std::size_t>(index[i] + 500)]);
    }
  }
}

TEST_P(LanesOn, GatherWithIndicesOfEitherSign) {
  expectGather<float>();
  expectGather<double>();
  expectGather<std::int32_t>();
}

TEST_P(LanesOn, GathersBytesWithTheirSigns) {
  SeededBits random(16);
  // three more bytes behind the last one may be read
  std::vector<std::int8_t> base(1003);
  for (std::int8_t& byte : base)
    byte = static_cast<std::int8_t>(static_cast<int>(random.below(256)) - 128);
  for (int round = 0; round < 500; ++round) {
    std::array<std::int32_t, 16> index;
    for (std::int32_t& i : index)
      i = static_cast<std::int32_t>(random.below(1000)) - 500;
    std::array<std::int32_t, 16> result{};
    gatherAll(base.data() + 500, index.data(), result.data());
    for (std::size_t i = 0; i < 16; ++i)
      ASSERT_EQ(result[i], base[static_cast<std::size_t>(index[i] + 500)]);
  }
}

TEST_P(LanesOn, GathersNeighboursWithTheirSigns) {
  SeededBits random(17);
  std::vector<std::int16_t> base(1001);
  for (std::int16_t& number : base)
    number = static_cast<std::int16_t>(static_cast<int>(random.below(65'536)) - 32'768);
  for (int round = 0; round < 500; ++round) {
    std::array<std::int32_t, 16> index;
    for (std::int32_t& i : index)
      i = static_cast<std::int32_t>(random.below(1000)) - 500;
    std::array<std::int32_t, 32> result{};
    gatherAll(base.data() + 500, index.data(), result.data());
    for (std::size_t i = 0; i < 16; ++i) {
      const std::int32_t shifted = index[i] + 500;
      const auto at = static_cast<std::size_t>(shifted);
      ASSERT_EQ(result[i], base[at]);
      ASSERT_EQ(result[16 + i], base[at + 1]);
    }
  }
}

template <typename T>
void expectFours() {
  std::array<std::array<T, 4>, 4> from;
  T number = 0;
  for (std::array<T, 4>& four : from) {
    for (T& x : four)
      x = ++number;
  }
  std::array<T, 48> to{};
  foursOf(from[0].data(), from[1].data(), from[2].data(), from[3].data(), to.data());
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(to[i], from[0][i / 4]) << "repeated, lane " << i;
    EXPECT_EQ(to[16 + i], from[0][i % 4]) << "in turn, lane " << i;
    EXPECT_EQ(to[32 + i], from[i / 4][i % 4]) << "joined, lane " << i;
  }
}

TEST_P(LanesOn, Fours) {
  expectFours<float>();
  expectFours<std::int32_t>();
}

template <typename T>
void expectChosen() {
  SeededBits random(17);
  for (int round = 0; round < 500; ++round) {
    std::array<T, 16> from;
    for (T& x : from)
      x = static_cast<T>(random.below(100));
    const auto limit = static_cast<T>(random.below(101));
    std::array<T, 32> to;
    to.fill(T{-1});
    const Chosen chosen = chooseBelow(from.data(), limit, round % 2 == 1, to.data());
    std::size_t count = 0;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 16; ++i) {
      if (!(from[i] < limit)) continue;
      ASSERT_EQ(to[count], from[i]);
      ++count;
      bits |= 1U << i;
    }
    ASSERT_EQ(chosen.appended, count);
    ASSERT_EQ(chosen.counted, count);
    ASSERT_EQ(chosen.bits, bits);
    ASSERT_EQ(chosen.bitsOfBits, bits);
    // what is behind the sixteen places is not touched
    for (std::size_t i = 16; i < to.size(); ++i)
      ASSERT_EQ(to[i], T{-1});
  }
}

TEST_P(LanesOn, AppendsWhatTheMaskHolds) {
  expectChosen<float>();
  expectChosen<std::int32_t>();
}

// The arrays are exactly as long as the numbers, so that the address sanitizer sees any overrun.
template <typename T>
void expectTails() {
  for (std::size_t count = 0; count <= 33; ++count) {
    std::vector<T> from(count);
    for (std::size_t i = 0; i < count; ++i)
      from[i] = static_cast<T>(i + 1);
    std::vector<T> exact(count);
    const std::size_t filled = (16 - count % 16) % 16;
    EXPECT_EQ(copyWithTail(from.data(), exact.data(), count, T{5}), static_cast<T>(5 * filled));
    EXPECT_EQ(exact, from);
    std::vector<T> longer(count + 16, T{-7});
    copyWithTail(from.data(), longer.data(), count, T{0});
    for (std::size_t i = 0; i < longer.size(); ++i) {
      ASSERT_EQ(longer[i], i < count ? from[i] : T{-7}) << "count " << count << ", number " << i;
    }
  }
}

TEST_P(LanesOn, TailsAreLoadedFilledAndStoredToTheNumber) {
  expectTails<float>();
  expectTails<double>();
  for (std::size_t count = 0; count <= 16; ++count) {
    EXPECT_EQ(firstLanesOfFloat(count), static_cast<int>(count));
    EXPECT_EQ(firstLanesOfDouble(count), static_cast<int>(count));
  }
}

template <typename T>
void expectQuestions() {
  constexpr int kAny = 1;
  constexpr int kAll = 2;
  constexpr int kNone = 4;
  const std::array<T, 16> zeros{};
  std::array<T, 16> b{};
  EXPECT_EQ(questions(zeros.data(), b.data()), kNone);
  for (std::size_t i = 0; i < 16; ++i) {  // one lane alone, then all but that one
    b.fill(T{0});
    b[i] = 1;
    EXPECT_EQ(questions(zeros.data(), b.data()), kAny) << i;
    b.fill(T{1});
    b[i] = 0;
    EXPECT_EQ(questions(zeros.data(), b.data()), kAny) << i;
  }
  b.fill(T{1});
  EXPECT_EQ(questions(zeros.data(), b.data()), kAny | kAll);
}

TEST_P(LanesOn, AnyAllNone) {
  expectQuestions<float>();
  expectQuestions<double>();
}

TEST(VectorTarget, NamesGoBothWays) {
  for (const VectorTarget target :
       {VectorTarget::Scalar, VectorTarget::Sse4, VectorTarget::Avx2, VectorTarget::Avx512}) {
    EXPECT_EQ(targetFromName(nameOf(target)), target);
  }
  EXPECT_EQ(nameOf(VectorTarget::Avx512), "avx512");
  EXPECT_FALSE(targetFromName("AVX2"));
  EXPECT_FALSE(targetFromName(""));
  EXPECT_FALSE(targetFromName("unknown"));
}

TEST(VectorTarget, TheBestIsActiveUntilAnotherIsChosen) {
  EXPECT_EQ(activeTarget(), bestTarget());
  EXPECT_EQ(supportedTargets().front(), VectorTarget::Scalar);
  EXPECT_EQ(supportedTargets().back(), bestTarget());
  ASSERT_TRUE(useTarget(VectorTarget::Scalar));
  EXPECT_EQ(activeTarget(), VectorTarget::Scalar);
  ASSERT_TRUE(useTarget(bestTarget()));
  EXPECT_EQ(activeTarget(), bestTarget());
}

TEST(VectorTarget, OneThatTheMachineLacksIsRefused) {
  for (const VectorTarget target : {VectorTarget::Sse4, VectorTarget::Avx2, VectorTarget::Avx512}) {
    EXPECT_EQ(useTarget(target), targetSupported(target));
  }
  ASSERT_TRUE(useTarget(bestTarget()));
}

}  // namespace
