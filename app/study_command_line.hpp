#pragma once
#include <CLI/CLI.hpp>

#include "app/study_commands.hpp"

namespace tactus::app {

/// `tactus study` on the command line: its commands, what they are asked, which one was chosen.
class StudyCommandLine {
 public:
  explicit StudyCommandLine(CLI::App& tactus);
  StudyCommandLine(const StudyCommandLine&) = delete;
  StudyCommandLine& operator=(const StudyCommandLine&) = delete;

  [[nodiscard]] bool isChosen() const { return study_->parsed(); }
  [[nodiscard]] ExitCode run() const;

 private:
  CLI::App* study_;
  CLI::App* new_;
  CLI::App* run_;
  CLI::App* status_;
  CLI::App* analyze_;
  CLI::App* power_;
  CLI::App* export_;
  StudyNewRequest newRequest_;
  StudyRunRequest runRequest_;
  StudyStatusRequest statusRequest_;
  StudyAnalyzeRequest analyzeRequest_;
  StudyPowerRequest powerRequest_;
  StudyExportRequest exportRequest_;
};

}  // namespace tactus::app
