// tactus_configurations FILE: finds the configurations of the performance benchmark anew, or those
// of one pair that is named. Alone, or as many ranks of MPI:
//   mpirun -n 2 tactus_configurations FILE
// What is found is kept in FILE.parts until all is: who is killed goes on from there. The file is
// the same for any number of ranks and threads. Ranks on several machines need a folder that all
// of them see.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "models/files/whole_file.hpp"
#include "studies/configuration_parts.hpp"

#ifdef TACTUS_HAS_MPI
#define OMPI_SKIP_MPICXX 1  // the C interface alone: the other one is not ours to be warned of
#include <mpi.h>
#endif

namespace {

using namespace tactus;

/// This process among all; alone without MPI.
class Ranks {
 public:
  Ranks() {
#ifdef TACTUS_HAS_MPI
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
#endif
  }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  ~Ranks() {
#ifdef TACTUS_HAS_MPI
    MPI_Finalize();
#endif
  }

  [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(rank_); }
  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(count_); }

  /// Until all have come here.
  static void meet() {
#ifdef TACTUS_HAS_MPI
    MPI_Barrier(MPI_COMM_WORLD);
#endif
  }

  /// Ends all of them: none may wait for one that has failed.
  static int fail(const models::Error& error) {
    std::fprintf(stderr, "%s\n", error.sentence.c_str());
#ifdef TACTUS_HAS_MPI
    MPI_Abort(MPI_COMM_WORLD, 1);
#endif
    return 1;
  }

 private:
  int rank_ = 0, count_ = 1;
};

struct Request {
  std::string file;
  std::vector<std::string> pair, classes;
  std::string method = "sphere";
  std::size_t poses = 16, cells = 4;
  std::uint64_t seed = 1;
  unsigned threads = 0;
};

/// One pair if it is named, else those of the benchmark.
models::Result<std::vector<studies::ConfigurationPlan>> plansOf(const Request& request) {
  if (request.pair.empty()) return studies::benchmarkPlans();
  studies::ConfigurationPlan plan{.a = request.pair[0], .b = request.pair[1], .stands = {}};
  plan.posesPerStand = request.poses;
  plan.seed = request.seed;
  plan.cells = request.cells;
  if (request.method == "grid") plan.method = studies::ConfigurationMethod::Grid;
  for (const std::string& name : request.classes) {
    const std::optional<studies::WantedStand> stand = studies::standFromName(name);
    if (!stand) {
      return models::Error{models::Reason::BadValue, -1,
                           "'" + name + "' is no class; d0.05 and v0.01 are."};
    }
    plan.stands.push_back(*stand);
  }
  if (plan.stands.empty()) plan.stands = studies::benchmarkStands();
  return std::vector{plan};
}

int generate(const Request& request, const Ranks& ranks) {
  const models::Result<std::vector<studies::ConfigurationPlan>> plans = plansOf(request);
  if (!plans) return Ranks::fail(plans.error());
  const std::filesystem::path folder = request.file + ".parts";
  models::Result<studies::FoundCandidates> known = studies::readParts(folder, plans.value());
  if (!known) return Ranks::fail(known.error());
  Ranks::meet();  // before anybody writes what another one would take for done
  if (ranks.rank() == 0)
    std::fprintf(stderr, "%zu configurations to find\n", known.value().missing());
  // Several ranks are as many as there are cores: each has one thread.
  unsigned threads = request.threads;
  if (threads == 0 && ranks.count() > 1) threads = 1;
  const models::Result<models::Done> part =
      studies::writePart(folder, plans.value(), known.value(),
                         {.rank = ranks.rank(), .ranks = ranks.count(), .threads = threads});
  if (!part) return Ranks::fail(part.error());
  Ranks::meet();
  if (ranks.rank() != 0) return 0;
  known = studies::readParts(folder, plans.value());
  if (!known) return Ranks::fail(known.error());
  const models::Result<std::vector<studies::ConfigurationSet>> sets =
      studies::setsOf(plans.value(), known.value());
  if (!sets) return Ranks::fail(sets.error());
  models::WholeFile file(request.file, true);
  models::Result<models::Done> done = file.open();
  if (done) {
    file.write(studies::textOf(sets.value()));
    done = file.finish();
  }
  if (!done) return Ranks::fail(done.error());
  std::error_code trouble;
  std::filesystem::remove_all(folder, trouble);
  return 0;
}

int run(int argc, char** argv) {
  Request request;
  CLI::App app("Finds the configurations of the performance benchmark, alone or as ranks of MPI.");
  app.add_option("FILE", request.file, "to write; FILE.parts keeps what was found until then")
      ->required();
  CLI::Option* pair = app.add_option("--pair", request.pair,
                                     "two built-in models, rhino@20000; not said: the benchmark's");
  pair->expected(2)->type_name("A B");
  app.add_option("--classes", request.classes, "d0.05 for a gap, v0.01 for an overlap")
      ->needs(pair)
      ->type_name("CLASS...");
  app.add_option("--method", request.method, "sphere (16 poses of each class) or grid")
      ->needs(pair)
      ->check(CLI::IsMember({"sphere", "grid"}));
  app.add_option("--poses", request.poses, "of each class; by the grid: rotations")->needs(pair);
  app.add_option("--cells", request.cells, "of the grid along each axis")->needs(pair);
  app.add_option("--seed", request.seed, "of all random choices")->needs(pair);
  app.add_option("--threads", request.threads, "of each rank");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    return app.exit(asked);
  } catch (const CLI::ParseError& mistake) {
    std::fprintf(stderr, "%s\n", mistake.what());
    return 2;
  }
  const Ranks ranks;
  return generate(request, ranks);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& trouble) {
    std::fprintf(stderr, "%s\n", trouble.what());
    return 1;
  }
}
