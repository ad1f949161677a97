#include "tests/models/lanes/lanes_kernels.hpp"

#include <algorithm>

#define TACTUS_LANES_FILE "tests/models/lanes/lanes_kernels.cpp"
#include "models/lanes/lanes.hpp"
// The next one is read once a target as well.
#include "models/lanes/short_append.hpp"

TACTUS_LANES_BEGIN(tactus::tests);

template <typename T>
LANES_INLINE T* put(Lanes<T> v, T* row) {
  store(v, row);
  return row + kLanes;
}

// The rows stand in the order of the expectations in lanes_test.cpp.
template <typename T>
void operations(const T* pa, const T* pb, const T* pc, T* row) {
  const Lanes<T> a = load(pa);
  const Lanes<T> b = load(pb);
  const Lanes<T> c = load(pc);
  const T one = 1;
  const T zero = 0;
  row = put(a + b, row);
  row = put(a - b, row);
  row = put(a * b, row);
  row = put(a / b, row);
  row = put(-a, row);
  row = put(sqrt(a), row);
  row = put(abs(a), row);
  row = put(floor(a), row);
  row = put(min(a, b), row);
  row = put(max(a, b), row);
  row = put(a * b + c, row);
  row = put(c - a * b, row);
  row = put(a * b - b * c, row);
  row = put(sqrt(a * a + b * b + c * c), row);
  row = put(select(a < b, one, zero), row);
  row = put(select(a <= b, one, zero), row);
  row = put(select(a > b, one, zero), row);
  row = put(select(a >= b, one, zero), row);
  row = put(select(a == b, one, zero), row);
  row = put(select(a != b, one, zero), row);
  row = put(select((a < b) & (b < c), one, zero), row);
  row = put(select((a < b) | (b < c), one, zero), row);
  row = put(select(!(a < b), one, zero), row);
  row = put(select(a < c, a, b), row);
  Lanes<T> v = a;
  v += b;
  row = put(v, row);
  v -= c;
  row = put(v, row);
  v *= a;
  row = put(v, row);
  for (std::size_t i = 0; i < kLanes; ++i)
    row[i] = (T{2} * a).lane(i);
}

void floatOperations(const float* a, const float* b, const float* c, float* results) {
  operations(a, b, c, results);
}

void doubleOperations(const double* a, const double* b, const double* c, double* results) {
  operations(a, b, c, results);
}

void intOperations(const std::int32_t* pa, const std::int32_t* pb, std::int32_t* row) {
  const I32x16 a = load(pa);
  const I32x16 b = load(pb);
  row = put(a + b, row);
  row = put(a - b, row);
  row = put(a * b, row);
  row = put(-a, row);
  row = put(abs(a), row);
  row = put(min(a, b), row);
  row = put(max(a, b), row);
  row = put(select(a < b, 1, 0), row);
  row = put(select(a <= b, 1, 0), row);
  row = put(select(a > b, 1, 0), row);
  row = put(select(a >= b, 1, 0), row);
  row = put(select(a == b, 1, 0), row);
  row = put(select(a != b, 1, 0), row);
  row = put(toInt(select(maskOf<float>(a < b), 3.0F, 4.0F)), row);
  row = put(laneNumbers(), row);
  row = put(select(maskOf<std::int32_t>(toFloat(a) < toFloat(b)), 1, 0), row);
  store(a + 7, row);
}

Conversions conversions(const float* f, const double* d, const std::int32_t* i) {
  Conversions result;
  store(toDouble(load(f)), result.doubleOfFloat);
  store(toDouble(load(i)), result.doubleOfInt);
  store(toFloat(load(d)), result.floatOfDouble);
  store(toFloat(load(i)), result.floatOfInt);
  store(toInt(load(f)), result.intOfFloat);
  return result;
}

template <typename T>
LANES_INLINE Reductions<T> reductions(const T* p) {
  const Lanes<T> v = load(p);
  return {sum(v), minimum(v), maximum(v)};
}

Reductions<float> floatReductions(const float* v) {
  return reductions(v);
}
Reductions<double> doubleReductions(const double* v) {
  return reductions(v);
}
Reductions<std::int32_t> intReductions(const std::int32_t* v) {
  return reductions(v);
}

void gatherFloats(const float* base, const std::int32_t* index, float* to) {
  store(gather(base, load(index)), to);
}
void gatherDoubles(const double* base, const std::int32_t* index, double* to) {
  store(gather(base, load(index)), to);
}
void gatherInts(const std::int32_t* base, const std::int32_t* index, std::int32_t* to) {
  store(gather(base, load(index)), to);
}

template <typename T>
T copy(const T* from, T* to, std::size_t count, T rest) {
  Lanes<T> filled = T{};
  for (std::size_t i = 0; i < count; i += kLanes) {
    const std::size_t n = count - i;
    const Lanes<T> v = load(from + i, n, rest);
    store(v, to + i, n);
    filled += select(firstLanes<T>(std::min(n, kLanes)), T{}, v);
  }
  return sum(filled);
}

float copyFloats(const float* from, float* to, std::size_t count, float rest) {
  return copy(from, to, count, rest);
}
double copyDoubles(const double* from, double* to, std::size_t count, double rest) {
  return copy(from, to, count, rest);
}

template <typename T>
int asked(const T* a, const T* b) {
  const auto less = load(a) < load(b);
  return (any(less) ? 1 : 0) | (all(less) ? 2 : 0) | (none(less) ? 4 : 0);
}

int askedFloats(const float* a, const float* b) {
  return asked(a, b);
}
int askedDoubles(const double* a, const double* b) {
  return asked(a, b);
}

template <typename T>
int countFirst(std::size_t count) {
  T ones[kLanes];
  store(select(firstLanes<T>(count), T{1}, T{0}), ones);
  int n = 0;
  while (n < 16 && ones[n] == 1)
    ++n;
  return std::count(ones, ones + kLanes, T{1}) == n ? n : -1;
}

int countFirstFloats(std::size_t count) {
  return countFirst<float>(count);
}
int countFirstDoubles(std::size_t count) {
  return countFirst<double>(count);
}

void gatherBytes(const std::int8_t* base, const std::int32_t* index, std::int32_t* to) {
  store(gather(base, load(index)), to);
}

void gatherShorts(const std::int16_t* base, const std::int32_t* index, std::int32_t* to) {
  const ShortPairs pairs = gatherPairs(base, load(index));
  store(pairs.first, to);
  store(pairs.second, to + kLanes);
}

template <typename T>
void fours(const T* p, const T* q, const T* r, const T* s, T* to) {
  store(repeat4(p), to);
  store(tile4(p), to + kLanes);
  store(join4(p, q, r, s), to + 2 * kLanes);
}
void foursOfFloats(const float* p, const float* q, const float* r, const float* s, float* to) {
  fours(p, q, r, s, to);
}
void foursOfInts(const std::int32_t* p, const std::int32_t* q, const std::int32_t* r,
                 const std::int32_t* s, std::int32_t* to) {
  fours(p, q, r, s, to);
}

template <typename T>
Chosen choose(const T* from, T limit, bool isShort, T* to) {
  const Lanes<T> v = load(from);
  const auto mask = v < limit;
  const std::size_t appended =
      isShort && countOf(mask) <= kShortAppend ? shortAppend(v, mask, to) : append(v, mask, to);
  return {appended, countOf(mask), bitsOf(mask), bitsOf(maskOfBits(bitsOf(mask)))};
}
Chosen chooseFloats(const float* from, float limit, bool isShort, float* to) {
  return choose(from, limit, isShort, to);
}
Chosen chooseInts(const std::int32_t* from, std::int32_t limit, bool isShort, std::int32_t* to) {
  return choose(from, limit, isShort, to);
}

TACTUS_LANES_END(tactus::tests);

#if TACTUS_LANES_ONCE
namespace tactus::tests {

void everyOperation(const float* a, const float* b, const float* c, float* results) {
  TACTUS_LANES_CALL(floatOperations)(a, b, c, results);
}
void everyOperation(const double* a, const double* b, const double* c, double* results) {
  TACTUS_LANES_CALL(doubleOperations)(a, b, c, results);
}
void everyIntOperation(const std::int32_t* a, const std::int32_t* b, std::int32_t* results) {
  TACTUS_LANES_CALL(intOperations)(a, b, results);
}
Conversions everyConversion(const float* f, const double* d, const std::int32_t* i) {
  return TACTUS_LANES_CALL(conversions)(f, d, i);
}
Reductions<float> everyReduction(const float* v) {
  return TACTUS_LANES_CALL(floatReductions)(v);
}
Reductions<double> everyReduction(const double* v) {
  return TACTUS_LANES_CALL(doubleReductions)(v);
}
Reductions<std::int32_t> everyReduction(const std::int32_t* v) {
  return TACTUS_LANES_CALL(intReductions)(v);
}
void gatherAll(const float* base, const std::int32_t* index, float* to) {
  TACTUS_LANES_CALL(gatherFloats)(base, index, to);
}
void gatherAll(const double* base, const std::int32_t* index, double* to) {
  TACTUS_LANES_CALL(gatherDoubles)(base, index, to);
}
void gatherAll(const std::int32_t* base, const std::int32_t* index, std::int32_t* to) {
  TACTUS_LANES_CALL(gatherInts)(base, index, to);
}
void gatherAll(const std::int8_t* base, const std::int32_t* index, std::int32_t* to) {
  TACTUS_LANES_CALL(gatherBytes)(base, index, to);
}
void gatherAll(const std::int16_t* base, const std::int32_t* index, std::int32_t* to) {
  TACTUS_LANES_CALL(gatherShorts)(base, index, to);
}
void foursOf(const float* p, const float* q, const float* r, const float* s, float* to) {
  TACTUS_LANES_CALL(foursOfFloats)(p, q, r, s, to);
}
void foursOf(const std::int32_t* p, const std::int32_t* q, const std::int32_t* r,
             const std::int32_t* s, std::int32_t* to) {
  TACTUS_LANES_CALL(foursOfInts)(p, q, r, s, to);
}
Chosen chooseBelow(const float* from, float limit, bool isShort, float* to) {
  return TACTUS_LANES_CALL(chooseFloats)(from, limit, isShort, to);
}
Chosen chooseBelow(const std::int32_t* from, std::int32_t limit, bool isShort, std::int32_t* to) {
  return TACTUS_LANES_CALL(chooseInts)(from, limit, isShort, to);
}
float copyWithTail(const float* from, float* to, std::size_t count, float rest) {
  return TACTUS_LANES_CALL(copyFloats)(from, to, count, rest);
}
double copyWithTail(const double* from, double* to, std::size_t count, double rest) {
  return TACTUS_LANES_CALL(copyDoubles)(from, to, count, rest);
}
int questions(const float* a, const float* b) {
  return TACTUS_LANES_CALL(askedFloats)(a, b);
}
int questions(const double* a, const double* b) {
  return TACTUS_LANES_CALL(askedDoubles)(a, b);
}
int firstLanesOfFloat(std::size_t count) {
  return TACTUS_LANES_CALL(countFirstFloats)(count);
}
int firstLanesOfDouble(std::size_t count) {
  return TACTUS_LANES_CALL(countFirstDoubles)(count);
}

}  // namespace tactus::tests
#endif
