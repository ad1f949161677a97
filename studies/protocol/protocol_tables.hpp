#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/files/file_label.hpp"
#include "models/files/toml_entries.hpp"
#include "models/scene/scene_values.hpp"
#include "studies/protocol/study_protocol.hpp"

namespace tactus::studies {

using Words = std::vector<std::string>;
using Numbers = std::vector<double>;
/// What a protocol has beyond a scene: lists of any length.
using ProtocolValue = std::variant<models::SceneValue, Words*, Numbers*>;
struct ProtocolKey {
  std::string_view name;
  ProtocolValue value;
};
using Keys = std::vector<ProtocolKey>;

/// A kind of table that a protocol may have.
struct TableKind {
  std::string_view name;  ///< empty: the keys before the first table
  bool isArray = false;
  std::vector<std::string_view> keys;
};
[[nodiscard]] std::vector<std::string_view> namesOf(const Keys& keys);

/// The text of a protocol while it is read, and the first mistake that was found in it. What reads
/// it returns false at a mistake.
class ProtocolFile {
 public:
  ProtocolFile(std::string_view file, const models::TomlText& toml) : label_(file), toml_(toml) {}

  [[nodiscard]] const models::FileLabel& label() const noexcept { return label_; }
  [[nodiscard]] const models::TomlText& toml() const noexcept { return toml_; }
  [[nodiscard]] const models::Error& error() const noexcept { return error_; }

  // Always false.
  bool fail(std::uint64_t line, std::string_view what,
            models::Reason reason = models::Reason::BadValue);
  bool fail(models::Error error);

  [[nodiscard]] std::vector<const models::TomlTable*> tables(std::string_view name) const;
  [[nodiscard]] const models::TomlEntry* entry(std::string_view table, std::size_t index,
                                               std::string_view key) const;
  /// Of an entry; if it is missing of its table, and 1 if there is none.
  [[nodiscard]] std::uint64_t lineOf(std::string_view table, std::size_t index,
                                     std::string_view key) const;
  /// Of the first table of that name; 1 if there is none.
  [[nodiscard]] std::uint64_t lineOfFirst(std::string_view table) const {
    return lineOf(table, 0, {});
  }

  /// That there are only tables and keys of these kinds, and keys of these paths.
  [[nodiscard]] bool knowsAll(const std::vector<TableKind>& kinds, const Words& otherPaths);
  /// All entries of one table, and the keys that must be there.
  [[nodiscard]] bool take(std::string_view table, std::size_t index, const Keys& keys,
                          std::initializer_list<std::string_view> demanded);
  [[nodiscard]] bool isKnown(const std::string& name, const Words& known, std::uint64_t line,
                             std::string_view what);

 private:
  models::FileLabel label_;
  const models::TomlText& toml_;
  models::Error error_;
};

// A topic each, in a file of its own; in this order, for what is read refers to what was read.
[[nodiscard]] TableKind factorTable();
[[nodiscard]] bool readFactors(ProtocolFile& file, StudyProtocol& p);
[[nodiscard]] TableKind deviceTable();
[[nodiscard]] bool readDevices(ProtocolFile& file, StudyProtocol& p);
[[nodiscard]] std::vector<TableKind> taskTables();
[[nodiscard]] bool readTask(ProtocolFile& file, StudyProtocol& p);
[[nodiscard]] TableKind blockTable();
[[nodiscard]] bool readBlocks(ProtocolFile& file, StudyProtocol& p);
[[nodiscard]] TableKind itemTable();
[[nodiscard]] bool readItems(ProtocolFile& file, StudyProtocol& p);
[[nodiscard]] std::vector<TableKind> outcomeTables();
[[nodiscard]] bool readOutcomes(ProtocolFile& file, StudyProtocol& p);
/// Who asks for the power reads them again; here they are only checked.
[[nodiscard]] bool checkEffects(ProtocolFile& file, const StudyProtocol& p);
[[nodiscard]] bool readExclusions(ProtocolFile& file, StudyProtocol& p);
[[nodiscard]] TableKind psychophysicsTable();
[[nodiscard]] bool readPsychophysics(ProtocolFile& file, StudyProtocol& p);
/// A design that orders can be made for.
[[nodiscard]] bool isPossible(ProtocolFile& file, const StudyProtocol& p);

}  // namespace tactus::studies
