#include "studies/export/pseudonyms.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "models/mesh/wording.hpp"
#include "studies/random_stream.hpp"

namespace tactus::studies {
namespace {

void assign(Pseudonyms& pseudonyms, const std::vector<std::string>& codes, char kind,
            RandomStream& random) {
  std::vector<std::size_t> numbers;
  for (std::size_t k = 1; k <= codes.size(); ++k)
    numbers.push_back(k);
  random.shuffle(numbers);
  for (std::size_t k = 0; k < codes.size(); ++k) {
    std::string digits = std::to_string(numbers[k]);
    digits.insert(0, digits.size() < 3 ? 3 - digits.size() : 0, '0');
    pseudonyms[codes[k]] = kind + digits;
  }
}

void rename(std::string& code, const Pseudonyms& pseudonyms) {
  const auto found = pseudonyms.find(code);
  code = found == pseudonyms.end() ? std::string() : found->second;
}

/// Rows of one participant stay in their order.
template <typename Row>
void sortByCode(std::vector<Row>& rows) {
  std::multimap<std::string, Row> sorted;
  for (Row& row : rows) {
    std::string code = row.participant;
    sorted.emplace(std::move(code), std::move(row));
  }
  rows.clear();
  for (auto& [code, row] : sorted)
    rows.push_back(std::move(row));
}

}  // namespace

Pseudonyms pseudonymsFor(const StudyPlan& plan, std::uint64_t key) {
  std::vector<std::string> people, pairs, sessions;
  for (const PlannedSession& session : plan.sessions) {
    sessions.push_back(session.code);
    pairs.push_back(models::say("R", session.code.substr(1)));
    for (const PlannedPlayer& player : session.players)
      people.push_back(player.code);
  }
  Pseudonyms pseudonyms;
  RandomStream random(key);
  assign(pseudonyms, people, 'X', random);
  assign(pseudonyms, pairs, 'Y', random);
  assign(pseudonyms, sessions, 'Z', random);
  return pseudonyms;
}

TrialTable pseudonymised(TrialTable table, const Pseudonyms& pseudonyms) {
  for (TrialRow& row : table.trials) {
    rename(row.participant, pseudonyms);
    if (!row.pair.empty()) rename(row.pair, pseudonyms);
    rename(row.session, pseudonyms);
    row.recording.clear();
  }
  for (AnswerRow& row : table.answers)
    rename(row.participant, pseudonyms);
  std::erase_if(table.answers, [](const AnswerRow& row) { return row.kind == AnswerKind::Text; });
  for (ParticipantRow& row : table.participants) {
    rename(row.participant, pseudonyms);
    if (!row.pair.empty()) rename(row.pair, pseudonyms);
  }
  sortByCode(table.trials);
  sortByCode(table.answers);
  sortByCode(table.participants);
  return table;
}

}  // namespace tactus::studies
