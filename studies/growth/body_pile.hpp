#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "models/mesh/result.hpp"
#include "response/bodies/world.hpp"

namespace tactus::studies {

/// What piles are made of: one body, and the floor they lie on.
struct PileBodies {
  response::BodyDescription body, floor;
};

/// Rhinos of 10 cm of so many triangles and spheres, and a floor 1.4 m wide whose top is y = 0.
[[nodiscard]] models::Result<PileBodies> makePileBodies(std::size_t triangles,
                                                        std::uint64_t spheres,
                                                        unsigned threads = 0);

struct PileSettings {
  std::size_t bodies = 2;       ///< without the floor; less than World::kMostBodies
  std::size_t settleSteps = 0;  ///< of a millisecond, before any is timed
  std::size_t steps = 0;        ///< that are timed
  int repetitions = 1;          ///< of the whole, from the start; of each step the median counts
};

struct PileTiming {
  std::vector<std::vector<double>> times;  ///< of each repetition, each step [us]
  // Means of the timed steps.
  double contacts = 0.0;      ///< pairs that touch
  double asked = 0.0;         ///< pairs whose law was asked
  double carried = 0.0;       ///< pairs in contact that were carried on instead
  double tests = 0.0;         ///< of cubes, by those that were asked
  std::uint32_t dropped = 0;  ///< contacts without room, in any step: must be 0
  std::uint32_t lost = 0;     ///< bodies whose middle was below the floor at the end: must be 0
  std::size_t peakBytes = 0;  ///< by which memory grew at most: World and what it needs to step
  std::uint64_t hash = 0;     ///< of all poses at the end
  bool isSteady = true;       ///< they were the same in every repetition

  /// Of each step the median over the repetitions [us].
  [[nodiscard]] std::vector<double> medians() const;
};

/// Drops bodies in layers, and times World::step() once they lie on each other.
///
/// Method: layers of k x k bodies, k the rounded cube root of their number, each turned at random,
/// as near to the next as they can never overlap; so a pile of any size begins alike, and what a
/// body touches is the same but for the pile's skin. Nothing falls asleep, or nothing would be left
/// to be timed. All else are the defaults of World: beyond WorldSettings::testsOfStep contacts take
/// turns.
[[nodiscard]] PileTiming timePile(const PileBodies& of, const PileSettings& settings);

}  // namespace tactus::studies
