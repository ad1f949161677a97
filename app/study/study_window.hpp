#pragma once
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "studies/people/people_session.hpp"
#include "studies/runner/study_folder.hpp"

namespace tactus::app {

struct StudyWindowRequest {
  std::vector<std::string> devices;  ///< HAND=SPEC, beside those of the protocol
  double timeScale = 1.0;
  bool isRehearsal = false;
  std::string schedule;           ///< what the system grants to the servo thread
  std::string scheduleObjection;  ///< why that is too little; empty: it is not
};

/// A session with people in a window: screens, trials through the real loop, and everything that
/// they do into the study's journal.
[[nodiscard]] ExitCode runStudyWindow(const studies::StudyFolder& study,
                                      studies::StudyJournal& journal,
                                      studies::PeopleSession& session,
                                      const StudyWindowRequest& request);

}  // namespace tactus::app
