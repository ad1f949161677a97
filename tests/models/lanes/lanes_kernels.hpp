#pragma once
#include <cstddef>
#include <cstdint>

/// Every operation of models/lanes/lanes.hpp, compiled for every target; tests choose the target.
namespace tactus::tests {

inline constexpr std::size_t kOperations = 28;

/// Row k of `results` (16 numbers each) gets operation k of the 16 numbers at a, b and c. A mask is
/// written as ones and zeros.
void everyOperation(const float* a, const float* b, const float* c, float* results);
void everyOperation(const double* a, const double* b, const double* c, double* results);

inline constexpr std::size_t kIntOperations = 17;
void everyIntOperation(const std::int32_t* a, const std::int32_t* b, std::int32_t* results);

struct Conversions {
  double doubleOfFloat[16], doubleOfInt[16];
  float floatOfDouble[16], floatOfInt[16];
  std::int32_t intOfFloat[16];
};
Conversions everyConversion(const float* f, const double* d, const std::int32_t* i);

template <typename T>
struct Reductions {
  T sum, minimum, maximum;
};
Reductions<float> everyReduction(const float* v);
Reductions<double> everyReduction(const double* v);
Reductions<std::int32_t> everyReduction(const std::int32_t* v);

/// to[k] = base[index[k]]
void gatherAll(const float* base, const std::int32_t* index, float* to);
void gatherAll(const double* base, const std::int32_t* index, double* to);
void gatherAll(const std::int32_t* base, const std::int32_t* index, std::int32_t* to);

/// The same of bytes, as ints.
void gatherAll(const std::int8_t* base, const std::int32_t* index, std::int32_t* to);
/// base[i] of all lanes, then base[i + 1] of all.
void gatherAll(const std::int16_t* base, const std::int32_t* index, std::int32_t* to);

/// Sixteen of p's first four numbers each four times, sixteen of them in turn, sixteen of four
/// fours.
void foursOf(const float* p, const float* q, const float* r, const float* s, float* to);
void foursOf(const std::int32_t* p, const std::int32_t* q, const std::int32_t* r,
             const std::int32_t* s, std::int32_t* to);

/// Those of sixteen numbers that are less than `limit`, in their order. `to` has room for sixteen.
struct Chosen {
  std::size_t appended, counted;
  std::uint32_t bits, bitsOfBits;  ///< as bitsOf(), and after maskOfBits()
};
/// `isShort`: by shortAppend() where it may be.
Chosen chooseBelow(const float* from, float limit, bool isShort, float* to);
Chosen chooseBelow(const std::int32_t* from, std::int32_t limit, bool isShort, std::int32_t* to);

/// Copies `count` numbers sixteen at a time; returns the sum of what else the last round loaded.
float copyWithTail(const float* from, float* to, std::size_t count, float rest);
double copyWithTail(const double* from, double* to, std::size_t count, double rest);

/// any, all and none of (a < b) as bits 0, 1, 2.
int questions(const float* a, const float* b);
int questions(const double* a, const double* b);

/// Number of lanes that firstLanes<T>(count) holds, if they are the first ones; else -1.
int firstLanesOfFloat(std::size_t count);
int firstLanesOfDouble(std::size_t count);

}  // namespace tactus::tests
