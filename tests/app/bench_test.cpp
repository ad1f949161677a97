#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "tests/app/started_process.hpp"

namespace tactus::tests {
namespace {

/// Without a folder for its files the benchmark must not start: it once wrote them where it was
/// called, over files of the same names.
TEST(Bench, WithoutATemporaryFolderNothingIsTouched) {
  const Folder folder;
  for (const char* name : {"model.ply", "model.obj", "model-ascii.ply"})
    folder.write(name, "precious");
  // Nobody can make a folder in /proc, not even root.
  for (const char* place : {"/proc", "/no/such/folder"}) {
    Start start;
    start.arguments = {TACTUS_PROGRAM, "bench", "models", "--quick"};
    start.environment = {std::string("TMPDIR=") + place};
    start.folder = folder.path();
    const Ended ended = runToEnd(start);
    EXPECT_EQ(ended.code, 1) << place;
    EXPECT_EQ(ended.out, "") << place;
    EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
    EXPECT_NE(ended.err.find("TMPDIR"), std::string::npos) << ended.err;
  }
  for (const char* name : {"model.ply", "model.obj", "model-ascii.ply"})
    EXPECT_EQ(contentOf(folder.file(name)), "precious") << name;
}

using Json = nlohmann::json;

/// The rows of a CSV, each as a map from column to cell.
std::vector<std::map<std::string, std::string>> rowsOf(const std::string& file) {
  const auto cellsOf = [](const std::string& line) {
    std::vector<std::string> cells;
    std::stringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');)
      cells.push_back(cell);
    return cells;
  };
  std::stringstream text(contentOf(file));
  std::string line;
  std::getline(text, line);
  const std::vector<std::string> columns = cellsOf(line);
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(text, line)) {
    const std::vector<std::string> cells = cellsOf(line);
    EXPECT_EQ(cells.size(), columns.size()) << line;
    std::map<std::string, std::string> row;
    for (std::size_t k = 0; k < std::min(cells.size(), columns.size()); ++k)
      row[columns[k]] = cells[k];
    rows.push_back(row);
  }
  return rows;
}

/// The middle of three.
double medianOf(std::vector<double> times) {
  EXPECT_EQ(times.size(), 3U);
  std::ranges::sort(times);
  return times[1];
}

// One pair, two poses a class, few spheres: every key of the contract, and every figure again from
// the raw timings.
TEST(Bench, PerformanceReportsWhatItsRawTimingsSay) {
  const Folder folder;
  const std::string report = folder.file("report");
  const std::vector<std::string> words = {
      "bench", "performance", "--quick", "--only", "bolt@20000 nut", "--spheres",
      "300",   "--poses",     "2",       "--json", "--report",       report};
  const std::vector<std::string> cache = {"XDG_CACHE_HOME=" + folder.file("cache")};
  const Ended ended = tactus(words, cache);
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json json = Json::parse(ended.out);
  EXPECT_EQ(Json::parse(contentOf(report + "/performance.json")), json);
  EXPECT_EQ(json["spheres"], 300);
  EXPECT_TRUE(json["steady"]);
  for (const char* key : {"cpu", "isa", "steal", "compiler", "flags"})
    EXPECT_TRUE(json["machine"].contains(key)) << key;
  EXPECT_EQ(json["build"].size(), 2U);
  EXPECT_GT(json["two_threads"]["ratio"], 0.0);
  EXPECT_LT(json["agreement"]["ist_textbook"], 1e-3);

  std::map<std::string, std::map<std::string, std::map<std::string, std::vector<double>>>> times;
  for (auto& row : rowsOf(report + "/raw/timings.csv"))
    times[row["class"]][row["method"]][row["pose"]].push_back(std::stod(row["us"]));
  for (const char* name : {"d0.01", "d0.05", "v0.001", "v0.01", "v0.03", "v0.1"}) {
    ASSERT_TRUE(json["classes"].contains(name)) << name;
    const Json& ofClass = json["classes"][name];
    EXPECT_TRUE(ofClass.contains("ist")) << name;
    EXPECT_EQ(ofClass.contains("ist_textbook"), name[0] == 'v') << name;
    EXPECT_EQ(ofClass.size(), times[name].size()) << name;
    for (const auto& [method, figures] : ofClass.items()) {
      ASSERT_EQ(times[name][method].size(), 2U) << name << method;
      std::vector<double> medians;
      for (const auto& [pose, single] : times[name][method])
        medians.push_back(medianOf(single));
      std::ranges::sort(medians);
      EXPECT_DOUBLE_EQ(figures["us_mean"], 0.5 * (medians[0] + medians[1])) << name << method;
      EXPECT_EQ(figures["us_p50"], medians[0]);
      for (const char* key : {"us_p99", "us_p999", "us_max"})
        EXPECT_EQ(figures[key], medians[1]) << key;
    }
    if (name[0] == 'v') {
      const double ratio = ofClass["ist_textbook"]["us_mean"].get<double>() /
                           ofClass["ist"]["us_mean"].get<double>();
      EXPECT_DOUBLE_EQ(json["ratios"]["ist_textbook"][name]["of_means"], ratio) << name;
    }
  }
  EXPECT_FALSE(rowsOf(report + "/raw/answers.csv").empty());
  EXPECT_FALSE(rowsOf(report + "/raw/two-threads.csv").empty());

  // a folder with something in it is left alone, and before any work
  const Ended again = tactus(words, cache);
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(again.out, "");
  EXPECT_TRUE(isOneSentence(again.err)) << again.err;
  EXPECT_NE(again.err.find("--force"), std::string::npos) << again.err;
  // unless that is wanted; the same is computed, and a person can read it
  std::vector<std::string> forced = words;
  forced.erase(std::ranges::find(forced, "--json"));
  forced.emplace_back("--force");
  const Ended table = tactus(forced, cache);
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_NE(table.out.find("v0.01"), std::string::npos);
  EXPECT_NE(table.out.find(json["hash"]["ist"].get<std::string>()), std::string::npos);
}

// Two sizes of one series: every figure again from the raw tables.
TEST(Bench, GrowthReportsWhatItsRawTablesSay) {
  const Folder folder;
  const std::string report = folder.file("report");
  const Ended ended = tactus({"bench", "growth", "--quick", "--only", "spheres", "--largest",
                              "3000", "--poses", "2", "--json", "--report", report});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json json = Json::parse(ended.out);
  EXPECT_EQ(Json::parse(contentOf(report + "/growth.json")), json);
  EXPECT_TRUE(json["steady"]);
  EXPECT_TRUE(json["machine"].contains("steal"));
  ASSERT_EQ(json["series"].size(), 1U);
  const Json& series = json["series"]["spheres"];
  auto rows = rowsOf(report + "/raw/spheres.csv");
  ASSERT_EQ(rows.size(), 2U);
  ASSERT_EQ(series["rows"].size(), 2U);
  for (std::size_t r = 0; r < 2; ++r) {
    EXPECT_DOUBLE_EQ(std::stod(rows[r]["spheres"]), series["rows"][r]["spheres"]);
    std::map<std::string, std::map<std::string, std::vector<double>>> times;
    for (auto& row : rowsOf(report + "/raw/query-times.csv")) {
      if (row["size"] == rows[r]["spheres"])
        times[row["method"]][row["pose"]].push_back(std::stod(row["us"]));
    }
    for (const char* method : {"ist", "ist_volume", "vps"}) {
      ASSERT_EQ(times[method].size(), 2U) << method;
      const double mean = 0.5 * (medianOf(times[method].begin()->second) +
                                 medianOf(times[method].rbegin()->second));
      EXPECT_DOUBLE_EQ(series["rows"][r][std::string(method) + "_us"], mean) << method;
    }
  }
  // a line through two points
  for (const auto& [name, law] : series["exponents"].items()) {
    if (law.is_null()) continue;
    const double slope = std::log(std::stod(rows[1][name]) / std::stod(rows[0][name])) /
                         std::log(std::stod(rows[1]["spheres"]) / std::stod(rows[0]["spheres"]));
    EXPECT_NEAR(law["exponent"], slope, 1e-12) << name;
    EXPECT_EQ(law["points"], 2) << name;
    EXPECT_TRUE(law["standard_error"].is_null()) << name;
  }
  EXPECT_TRUE(series["exponents"]["pack_seconds"].is_object());
  EXPECT_NE(contentOf(report + "/growth.html").find("<svg"), std::string::npos);
  EXPECT_TRUE(contentOf(report + "/configurations.txt").starts_with("tactus-configurations"));
}

TEST(Bench, GrowthRefusesWhatLeavesNothing) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--only", "tigers"},
                                             {"--largest", "500"},
                                             {"--largest", "0"},
                                             {"--only", "overlap", "--largest", "3000"},
                                             {"--only", "spheres", "--spheres", "100"}}) {
    std::vector<std::string> all = {"bench", "growth", "--quick"};
    all.insert(all.end(), words.begin(), words.end());
    const Ended ended = tactus(all);
    EXPECT_EQ(ended.code, 2) << words[1];
    EXPECT_EQ(ended.out, "");
    EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
    EXPECT_NE(ended.err.find(words[words.size() - 2]), std::string::npos) << ended.err;
  }
}

TEST(Bench, QualityKnowsItsScenarios) {
  const Ended ended = tactus({"bench", "quality", "--quick", "--only", "V"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
  for (const char* name : {"IV-half", "shapes", "sweep"})
    EXPECT_NE(ended.err.find(name), std::string::npos) << ended.err;
}

/// A vector in a row of a CSV.
Eigen::Vector3d vectorOf(const std::map<std::string, std::string>& row, const std::string& name) {
  Eigen::Vector3d vector;
  const std::string axes = "xyz";
  for (int k = 0; k < 3; ++k)
    vector(k) = std::stod(row.at(name + axes[static_cast<std::size_t>(k)]));
  return vector;
}

// A ball round a cylinder, roughly: the figures of all laws again from the raw courses and jumps.
TEST(Bench, QualityReportsWhatItsRawTablesSay) {
  const Folder folder;
  const std::string report = folder.file("report");
  const Ended ended = tactus({"bench", "quality", "--quick", "--only", "II", "--spheres", "200",
                              "--json", "--report", report},
                             {"XDG_CACHE_HOME=" + folder.file("cache")});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json json = Json::parse(ended.out);
  EXPECT_EQ(Json::parse(contentOf(report + "/quality.json")), json);
  EXPECT_TRUE(json["sweep"].empty());
  EXPECT_TRUE(json["shapes"].empty());
  const auto courses = rowsOf(report + "/raw/courses.csv");
  const auto jumps = rowsOf(report + "/raw/jumps.csv");
  EXPECT_EQ(json["scenarios"]["II"]["ist"]["jump_ratio_budgeted"].is_null(), false);
  for (const char* law : {"ist", "ist_volume", "vps", "ist_seed", "vps_seed"}) {
    const Json& figures = json["scenarios"]["II"][law];
    double largest = 0.0, us = 0.0;
    std::vector<Eigen::Vector3d> force, ideal;
    for (const auto& row : courses) {
      if (row.at("law") != law) continue;
      force.push_back(vectorOf(row, "f"));
      ideal.push_back(vectorOf(row, "ideal_f"));
      largest = std::max(largest, ideal.back().norm());
      us += std::stod(row.at("us"));
    }
    ASSERT_EQ(force.size(), 1001U) << law;
    double squares = 0.0, angles = 0.0;
    for (std::size_t k = 0; k < force.size(); ++k) {
      squares += std::pow((ideal[k].norm() - force[k].norm()) / largest, 2);
      const double cosine = ideal[k].dot(force[k]) / (ideal[k].norm() * force[k].norm());
      angles += std::acos(std::clamp(cosine, -1.0, 1.0)) * 180.0 / std::numbers::pi;
    }
    const auto count = static_cast<double>(force.size());
    EXPECT_NEAR(figures["sigma_force"], std::sqrt(squares / count), 1e-9) << law;
    EXPECT_NEAR(figures["gamma_force_deg"], angles / count, 1e-6) << law;
    EXPECT_NEAR(figures["us_mean"], us / count, 1e-6) << law;

    std::map<bool, std::array<double, 2>> jump;  // by whether there was a budget
    for (const auto& row : jumps) {
      if (row.at("law") != law) continue;
      std::array<double, 2>& most = jump[row.at("budget") != "0"];
      most[0] = std::max(most[0], std::stod(row.at("jump")));
      most[1] = std::max(most[1], std::stod(row.at("jump_of_half")));
    }
    for (const bool hasBudget : {false, true}) {
      const Json& ratio = figures[hasBudget ? "jump_ratio_budgeted" : "jump_ratio"];
      ASSERT_EQ(ratio.is_null(), !jump.contains(hasBudget)) << law << hasBudget;
      if (!ratio.is_null()) {
        EXPECT_DOUBLE_EQ(ratio, jump[hasBudget][1] / jump[hasBudget][0]) << law;
      }
    }
  }
  EXPECT_NE(contentOf(report + "/quality.html").find("<svg"), std::string::npos);
}

TEST(Bench, PackReportsWhatWasBuilt) {
  const Folder folder;
  const std::string report = folder.file("new/report");
  const Ended ended = tactus({"bench", "pack", "--quick", "--only", "torus", "--spheres", "400",
                              "--json", "--report", report});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json json = Json::parse(ended.out);
  ASSERT_EQ(json["builds"].size(), 2U);
  EXPECT_EQ(json["builds"][0]["packing"], "protosphere");
  EXPECT_EQ(json["builds"][1]["packing"], "voxel");
  for (const Json& build : json["builds"]) {
    EXPECT_EQ(build["spheres_asked"], 400);
    for (const char* key : {"pack_seconds", "cells_seconds", "tree_seconds", "field_seconds",
                            "facets_seconds", "peak_bytes", "bytes", "filled", "spheres"})
      EXPECT_GT(build[key], 0.0) << key;
  }
  const auto rows = rowsOf(report + "/raw/builds.csv");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_DOUBLE_EQ(std::stod(rows[0].at("sphere_volume")) / std::stod(rows[0].at("volume")),
                   json["builds"][0]["filled"]);
  EXPECT_EQ(Json::parse(contentOf(report + "/pack.json")), json);
}

// One device, rhinos of few spheres: every key of the contract, and what the figures were computed
// from.
TEST(Bench, StabilityReportsWhatItsRunsSay) {
  const Folder folder;
  const std::string report = folder.file("report");
  const Ended ended = tactus({"bench", "stability", "--quick", "--only", "touch-x", "--spheres",
                              "200", "--json", "--report", report});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json json = Json::parse(ended.out);
  EXPECT_EQ(Json::parse(contentOf(report + "/stability.json")), json);
  ASSERT_EQ(json["profiles"].size(), 1U);
  const Json& figures = json["profiles"]["touch-x"];
  for (const char* key : {"default_stiffness", "critical_stiffness", "margin", "passive_ratio",
                          "excess_rms_share", "passivity_share"})
    EXPECT_TRUE(figures[key].is_number()) << key;
  EXPECT_DOUBLE_EQ(figures["margin"], figures["critical_stiffness"].get<double>() /
                                          figures["default_stiffness"].get<double>());
  EXPECT_FALSE(json["whole"]);
  double least = 1e9;
  double share = 0.0;
  for (auto& row : rowsOf(report + "/raw/runs.csv")) {
    if (row["calm"] == "0" && row["passivity_on"] == "0")
      least = std::min(least, std::stod(row["factor"]));
    if (row["passivity_on"] == "1")
      share = std::max(share, std::stod(row["passivity_ticks"]) / std::stod(row["contact_ticks"]));
  }
  if (!figures["critical_beyond_range"]) {
    EXPECT_DOUBLE_EQ(figures["margin"], least);
  }
  EXPECT_DOUBLE_EQ(figures["passivity_share"], share);
  EXPECT_EQ(rowsOf(report + "/raw/region.csv").size(), 64U);
  EXPECT_TRUE(contentOf(report + "/region-touch-x.svg").starts_with("<svg"));
  EXPECT_NE(contentOf(report + "/stability.html").find("touch-x"), std::string::npos);
  EXPECT_EQ(tactus({"bench", "stability", "--only", "no-such"}).code, 2);
}

TEST(Bench, AReportGoesNeitherIntoAFileNorAmongOthersFiles) {
  const Folder folder;
  const std::string file = folder.write("file", "precious");
  const std::string inUse = folder.file("");
  for (const char* bench : {"growth", "performance", "pack", "stability"}) {
    for (const std::string& place : {file, inUse}) {
      const Ended ended = tactus({"bench", bench, "--quick", "--report", place});
      EXPECT_EQ(ended.code, 2) << place;
      EXPECT_EQ(ended.out, "") << place;
      EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
    }
    // not even with --force into a file
    EXPECT_EQ(tactus({"bench", bench, "--quick", "--report", file, "--force"}).code, 2);
  }
  EXPECT_EQ(contentOf(file), "precious");
}

}  // namespace
}  // namespace tactus::tests
