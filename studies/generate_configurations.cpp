// tactus_configurations FILE: finds the configurations of the performance benchmark anew. Takes
// some minutes on two cores; the file is the same for any number of them.
#include <cstdio>
#include <string>
#include <vector>

#include "models/files/whole_file.hpp"
#include "studies/overlap_configurations.hpp"

int main(int argc, char** argv) {
  using namespace tactus;
  if (argc != 2) {
    std::fprintf(stderr, "usage: tactus_configurations FILE\n");
    return 2;
  }
  std::vector<studies::ConfigurationSet> sets;
  for (const studies::ConfigurationPlan& plan : studies::benchmarkPlans()) {
    std::fprintf(stderr, "%s %s\n", plan.a.c_str(), plan.b.c_str());
    models::Result<studies::ConfigurationSet> set = studies::findConfigurations(plan);
    if (!set) {
      std::fprintf(stderr, "%s\n", set.error().sentence.c_str());
      return 1;
    }
    sets.push_back(std::move(set).value());
  }
  models::WholeFile file(argv[1], true);
  models::Result<models::Done> done = file.open();
  if (done) {
    file.write(studies::textOf(sets));
    done = file.finish();
  }
  if (done) return 0;
  std::fprintf(stderr, "%s\n", done.error().sentence.c_str());
  return 1;
}
