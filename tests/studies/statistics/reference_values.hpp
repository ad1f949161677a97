#pragma once
#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/test_folder.hpp"

namespace tactus::studies {

/// Numbers by name, of a file that a script in reference/ has made.
inline std::map<std::string, std::vector<double>> referenceFile(const std::string& file) {
  std::map<std::string, std::vector<double>> numbers;
  std::ifstream stream(std::string(test::kTestFolder) + "/studies/statistics/reference/" + file);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t tabulator = line.find('\t');
    if (line.starts_with('#') || tabulator == std::string::npos) continue;
    std::istringstream words(line.substr(tabulator + 1));
    for (std::string word; words >> word;) {
      double value = 0.0;
      std::from_chars(word.data(), word.data() + word.size(), value);
      numbers[line.substr(0, tabulator)].push_back(value);
    }
  }
  return numbers;
}

inline const std::vector<double>& valuesOf(const std::string& file, const std::string& name) {
  static std::map<std::string, std::map<std::string, std::vector<double>>> files;
  if (!files.contains(file)) files[file] = referenceFile(file);
  EXPECT_TRUE(files[file].contains(name)) << file << " has no " << name;
  return files[file][name];
}

inline const std::vector<double>& sample(const std::string& name) {
  return valuesOf("samples.txt", name);
}
inline const std::vector<double>& scipy(const std::string& name) {
  return valuesOf("scipy.txt", name);
}
inline const std::vector<double>& inR(const std::string& name) {
  return valuesOf("r.txt", name);
}

/// To 1e-9 of the number itself: also a small p value has to be right.
inline void expectSame(double value, double reference) {
  EXPECT_NEAR(value, reference, 1e-9 * std::abs(reference));
}

}  // namespace tactus::studies
