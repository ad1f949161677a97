#include "studies/configuration_parts.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "models/files/file_label.hpp"
#include "models/files/words.hpp"
#include "models/mesh/parallel_for.hpp"

namespace tactus::studies {
namespace {

using models::Done;
using models::Error;
using models::Found;
using models::Reason;
using models::Result;

std::string digits(double value) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// What a part belongs to: other plans have other words.
std::string headOf(const std::vector<ConfigurationPlan>& plans) {
  std::string head = "tactus-configuration-part 1";
  for (const ConfigurationPlan& plan : plans) {
    head += " | " + plan.a + ' ' + plan.b + ' ' + std::to_string(plan.seed) + ' ' +
            std::to_string(static_cast<int>(plan.method)) + ' ' + std::to_string(plan.cells) + ' ' +
            std::to_string(plan.posesPerStand);
    for (const WantedStand& stand : plan.stands)
      head += ' ' + nameOf(stand);
  }
  return head;
}

/// `PLAN CANDIDATE none`, or `PLAN CANDIDATE tx ty tz qw qx qy qz EXACT`, to the bit.
std::string lineOf(std::size_t plan, std::size_t candidate,
                   const std::optional<OverlapConfiguration>& found) {
  std::string line = std::to_string(plan) + ' ' + std::to_string(candidate);
  if (!found) return line + " none\n";
  for (const double value : found->pose)
    line += ' ' + digits(value);
  return line + ' ' + digits(found->exact) + '\n';
}

bool readLine(std::string_view line, const std::vector<ConfigurationPlan>& plans,
              FoundCandidates& known) {
  models::Words words(line);
  std::int64_t plan = -1, candidate = -1;
  if (words.integer(plan) != Found::Value || words.integer(candidate) != Found::Value) return false;
  if (plan < 0 || static_cast<std::size_t>(plan) >= plans.size()) return false;
  const auto p = static_cast<std::size_t>(plan);
  const auto c = static_cast<std::size_t>(candidate);
  if (candidate < 0 || c >= plans[p].candidates()) return false;
  FoundCandidates::Candidate& of = known.ofPlans[p][c];
  if (line.ends_with(" none")) {
    of = {true, std::nullopt};
    return true;
  }
  OverlapConfiguration configuration;
  configuration.wanted = plans[p].standOf(c);
  for (double& value : configuration.pose) {
    if (words.number(value) != Found::Value) return false;
  }
  if (words.number(configuration.exact) != Found::Value || !words.done()) return false;
  of = {true, configuration};
  return true;
}

Error cannot(const char* what, const std::filesystem::path& path) {
  return {Reason::BadValue, -1,
          models::printable(path.string()) + ": this cannot be " + what + "."};
}

}  // namespace

std::size_t FoundCandidates::missing() const noexcept {
  std::size_t count = 0;
  for (const std::vector<Candidate>& plan : ofPlans)
    count += static_cast<std::size_t>(std::ranges::count(plan, false, &Candidate::isDone));
  return count;
}

Result<FoundCandidates> readParts(const std::filesystem::path& folder,
                                  const std::vector<ConfigurationPlan>& plans) {
  FoundCandidates known;
  for (const ConfigurationPlan& plan : plans)
    known.ofPlans.emplace_back(plan.candidates());
  std::error_code trouble;
  std::set<std::filesystem::path> files;  // in an order that does not depend on the disk
  for (const auto& entry : std::filesystem::directory_iterator(folder, trouble))
    files.insert(entry.path());
  const std::string head = headOf(plans);
  for (const std::filesystem::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return cannot("read", file);
    const std::string all{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    std::string_view text = all;
    for (bool isFirst = true;; isFirst = false) {
      const std::size_t end = text.find('\n');
      if (end == std::string_view::npos) break;  // nothing, or the end of who was killed
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end + 1);
      const bool isRight = isFirst ? line == head : readLine(line, plans, known);
      if (!isRight) {
        return Error{Reason::Malformed, -1,
                     models::printable(file.string()) +
                         ": this is no part of these configurations; name another file, or remove "
                         "the folder of parts."};
      }
    }
  }
  return known;
}

Result<Done> writePart(const std::filesystem::path& folder,
                       const std::vector<ConfigurationPlan>& plans, const FoundCandidates& known,
                       const PartOfWork& part) {
  std::error_code trouble;
  std::filesystem::create_directories(folder, trouble);
  std::filesystem::path file;
  for (int attempt = 0; file.empty() || std::filesystem::exists(file, trouble); ++attempt)
    file = folder / ("rank-" + std::to_string(part.rank) + "-" + std::to_string(attempt) + ".txt");
  std::ofstream stream(file, std::ios::binary);
  stream << headOf(plans) << '\n' << std::flush;
  std::mutex writing;
  std::size_t number = 0;  // among all that is missing
  for (std::size_t p = 0; p < plans.size(); ++p) {
    std::vector<std::size_t> mine;
    for (std::size_t c = 0; c < known.ofPlans[p].size(); ++c) {
      if (!known.ofPlans[p][c].isDone && number++ % part.ranks == part.rank) mine.push_back(c);
    }
    if (mine.empty()) continue;
    const Result<PlannedBodies> bodies = bodiesOf(plans[p], part.threads);
    if (!bodies) return bodies.error();
    const ConfigurationFinder finder(*bodies.value().a, *bodies.value().b);
    models::parallelFor(mine.size(), 1, part.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::string line = lineOf(p, mine[i], findCandidate(finder, plans[p], mine[i]));
        const std::scoped_lock lock(writing);
        stream << line << std::flush;
      }
    });
  }
  if (!stream) return cannot("written", file);
  return Done();
}

Result<std::vector<ConfigurationSet>> setsOf(const std::vector<ConfigurationPlan>& plans,
                                             const FoundCandidates& found) {
  std::vector<ConfigurationSet> sets;
  for (std::size_t p = 0; p < plans.size(); ++p) {
    std::vector<std::optional<OverlapConfiguration>> ofPlan;
    for (const FoundCandidates::Candidate& candidate : found.ofPlans[p])
      ofPlan.push_back(candidate.configuration);
    Result<ConfigurationSet> set = setOf(plans[p], ofPlan);
    if (!set) return set.error();
    sets.push_back(std::move(set).value());
  }
  return sets;
}

}  // namespace tactus::studies
