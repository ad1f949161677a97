#pragma once
#include <cstddef>
#include <filesystem>
#include <vector>

#include "models/mesh/result.hpp"
#include "studies/overlap_configurations.hpp"

/// Configurations by many processes, which may be killed.
///
/// Method: what is found is written at once, a line each, into a file of one's own in a folder that
/// all processes see. Who begins reads all files there, and leaves out what is done; of the rest
/// process r of n takes each n-th. A configuration depends on its number alone, and the set is put
/// together in the order of numbers: the same bytes for any number of processes, killed or not.
namespace tactus::studies {

/// What is known of all candidates of all plans.
struct FoundCandidates {
  struct Candidate {
    bool isDone = false;
    std::optional<OverlapConfiguration> configuration;  ///< none was found there
  };
  std::vector<std::vector<Candidate>> ofPlans;

  [[nodiscard]] std::size_t missing() const noexcept;
};

/// Reads all parts in the folder, which need not exist. A line that a killed process left without
/// its end is not done. Parts of other plans are an error.
[[nodiscard]] models::Result<FoundCandidates> readParts(
    const std::filesystem::path& folder, const std::vector<ConfigurationPlan>& plans);

/// Who shares the work.
struct PartOfWork {
  std::size_t rank = 0, ranks = 1;
  unsigned threads = 0;  ///< of this process; 0: one a core
};

/// Finds this process's share of what `known` lacks, into a new file of the folder.
[[nodiscard]] models::Result<models::Done> writePart(const std::filesystem::path& folder,
                                                     const std::vector<ConfigurationPlan>& plans,
                                                     const FoundCandidates& known,
                                                     const PartOfWork& part);

/// The sets, when nothing is missing.
[[nodiscard]] models::Result<std::vector<ConfigurationSet>> setsOf(
    const std::vector<ConfigurationPlan>& plans, const FoundCandidates& found);

}  // namespace tactus::studies
