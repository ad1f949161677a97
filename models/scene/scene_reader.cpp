#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <tuple>

#include "models/builtin.hpp"
#include "models/files/file_label.hpp"
#include "models/files/toml_entries.hpp"
#include "models/mesh/nearest_name.hpp"
#include "models/mesh/wording.hpp"
#include "models/scene/scene.hpp"
#include "models/scene/scene_values.hpp"

namespace tactus::models {
namespace {

// Wide enough for a table or a room, narrow enough to catch millimetres and degrees.
constexpr double kMostPlace = 100.0;    // [m]
constexpr double kMostGravity = 100.0;  // [m/s^2]
constexpr double kLeastFactor = 1e-4;
constexpr double kMostFactor = 1e4;
constexpr double kLeastSize = 1e-4;                // of an object [m]
constexpr double kLeastVoxel = 1e-5;               // [m]
constexpr double kMostVoxel = 1.0;                 // [m]
constexpr double kMostDensity = 3e4;               // above any metal [kg/m^3]
constexpr double kLeastMass = 1e-4;                // [kg]
constexpr double kMostMass = 1e3;                  // [kg]
constexpr double kMostSeconds = 1e6;               // eleven days
constexpr std::uint64_t kMostPieces = 10'000'000;  // spheres or points: gigabytes and minutes
constexpr std::uint64_t kMostTests = 1'000'000'000;
constexpr std::size_t kMostMaterials = 256;
constexpr std::size_t kMostHandKeys = 10'000;
constexpr std::size_t kMostNeverTouch = kMostSceneBodies * (kMostSceneBodies - 1) / 2;

// Between the last pose of a path that repeats and the first: what a hand would not feel.
constexpr double kSamePlace = 1e-6;  // [m]
constexpr double kSameTurn = 1e-9;   // 1 - cos of half the angle: 0.1 mrad

constexpr std::string_view kBuiltinPrefix = "builtin:";

// What is not yet a number of the scene while it is read.
struct BodyNames {
  std::string material;
};
struct HandNames {
  std::string tool;
};

std::vector<SceneKey> keysOf(Scene& scene) {
  return {{"title", &scene.title}, {"gravity_m_per_s2", PlaceValue{scene.gravity, kMostGravity}}};
}

std::vector<SceneKey> keysOf(SceneCamera& camera) {
  return {{"eye_m", PlaceValue{camera.eye, kMostPlace}},
          {"target_m", PlaceValue{camera.target, kMostPlace}},
          {"up", DirectionValue{camera.up}},
          {"view_angle_rad", RealValue{camera.verticalFieldOfView, 0.02, 2.6}}};
}

std::vector<SceneKey> keysOf(SceneContact& contact) {
  return {{"law", wordFor(contact.law, kSceneLawNames)},
          {"method", wordFor(contact.method, kSceneMethodNames)},
          {"budget_tests", wholeFor(contact.budget, 0, kMostTests)}};
}

std::vector<SceneKey> keysOf(SceneMaterial& material) {
  return {{"name", &material.name},
          {"stiffness_n_per_m3", RealValue{material.stiffness, 1e3, 1e12}},
          {"pressure_pa", RealValue{material.pressure, 1.0, 1e9}},
          {"layer_stiffness_n_per_m", RealValue{material.layerStiffness, 1e-3, 1e6}},
          {"damping_per_w", RealValue{material.damping, 0.0, 100.0}},
          {"relaxation_s", RealValue{material.relaxation, 0.0, 1.0}},
          {"static_friction", RealValue{material.staticFriction, 0.0, 10.0}},
          {"kinetic_friction", RealValue{material.kineticFriction, 0.0, 10.0}},
          {"slip_speed_m_per_s", RealValue{material.slipSpeed, 1e-6, 10.0}},
          {"bristle_stiffness_n_per_m", RealValue{material.bristleStiffness, 0.0, 1e7}},
          {"bristle_damping_s", RealValue{material.bristleDamping, 0.0, 1.0}}};
}

std::vector<SceneKey> keysOf(SceneBody& body, BodyNames& names) {
  SceneModel& model = body.model;
  return {{"name", &body.name},
          {"kind", wordFor(body.kind, kSceneBodyKindNames)},
          {"model", &model.source},
          {"scale", OptionalReal{model.scale, kLeastFactor, kMostFactor}},
          {"fit_m", OptionalReal{model.fit, kLeastSize, kMostPlace}},
          {"spheres", wholeFor(model.spheres, 1, kMostPieces)},
          {"points", wholeFor(model.points, 0, kMostPieces)},
          {"voxel_m", RealValue{model.voxel, kLeastVoxel, kMostVoxel}},
          {"material", &names.material},
          {"density_kg_per_m3", RealValue{body.density, 1.0, kMostDensity}},
          {"mass_kg", OptionalReal{body.mass, kLeastMass, kMostMass}},
          {"position_m", PlaceValue{body.position, kMostPlace}},
          {"orientation", TurnValue{body.orientation}},
          {"colour", ColourValue{body.colour}}};
}

std::vector<SceneKey> keysOf(SceneHand& hand, HandNames& names) {
  return {{"name", wordFor(hand.name, kHandNames)},
          {"tool", &names.tool},
          {"coupling", wordFor(hand.coupling, kSceneCouplingNames)},
          {"level", wordFor(hand.level, kSceneLevelNames)},
          {"length_scale", RealValue{hand.lengthScale, 0.01, 100.0}},
          {"force_scale", RealValue{hand.forceScale, 0.01, 10.0}},
          {"grip_position_m", PlaceValue{hand.gripPosition, kMostPlace}},
          {"grip_orientation", TurnValue{hand.gripOrientation}},
          {"grasp", wordFor(hand.grasp, kSceneGraspNames)},
          {"repeats", &hand.repeats},
          {"bias_direction", DirectionValue{hand.biasDirection}}};
}

std::vector<SceneKey> keysOf(SceneHandKey& key) {
  return {{"at_s", RealValue{key.at, 0.0, kMostSeconds}},
          {"position_m", PlaceValue{key.position, kMostPlace}},
          {"orientation", TurnValue{key.orientation}},
          {"closed", RealValue{key.closed, 0.0, 1.0}},
          {"buttons", ButtonsValue{key.buttons}}};
}

std::vector<SceneKey> keysOf(std::vector<std::string>& pair) {
  return {{"bodies", &pair}};
}

/// A table of the format: how it is called, whether it is written [[so]], how many there may be.
struct TableKind {
  std::string_view name;
  bool isInArray = true;
  std::size_t most = 1;
  std::string_view several;  ///< for sentences
};
constexpr std::array kTableKinds = {TableKind{"camera", false, 1, "cameras"},
                                    TableKind{"contact", false, 1, "tables [contact]"},
                                    TableKind{"material", true, kMostMaterials, "materials"},
                                    TableKind{"body", true, kMostSceneBodies, "bodies"},
                                    TableKind{"hand", true, kMostSceneHands, "hands"},
                                    TableKind{"hand.pose", true, kMostHandKeys, "poses"},
                                    TableKind{"never_touch", true, kMostNeverTouch, "pairs"}};

const std::vector<std::string>& knownPaths() {
  static const std::vector<std::string> kPaths = [] {
    std::vector<std::string> paths;
    const auto add = [&paths](std::string_view table, const std::vector<SceneKey>& keys) {
      for (const SceneKey& key : keys)
        paths.push_back(table.empty() ? std::string(key.name) : say(table, ".", key.name));
    };
    Scene scene;
    SceneMaterial material;
    SceneBody body;
    SceneHand hand;
    SceneHandKey pose;
    BodyNames bodyNames;
    HandNames handNames;
    std::vector<std::string> pair;
    add("", keysOf(scene));
    add("camera", keysOf(scene.camera));
    add("contact", keysOf(scene.contact));
    add("material", keysOf(material));
    add("body", keysOf(body, bodyNames));
    add("hand", keysOf(hand, handNames));
    add("hand.pose", keysOf(pose));
    add("never_touch", keysOf(pair));
    return paths;
  }();
  return kPaths;
}

template <typename Named>
std::vector<std::string> namesOf(const std::vector<Named>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const Named& one : all)
    names.push_back(one.name);
  return names;
}

/// The words between quotation marks that are to follow "there is no", with the nearest name.
std::string noSuch(std::string_view what, std::string_view name,
                   const std::vector<std::string>& known) {
  const std::string nearest = nearestName(name, known);
  std::string sentence = say("there is no ", what, " ", inQuotes(name));
  if (!nearest.empty()) sentence += say("; the nearest is '", nearest, "'");
  return sentence;
}

/// Empty, or what is wrong with "builtin:NAME@TRIANGLES".
std::string troubleWithBuiltin(std::string_view source) {
  source.remove_prefix(kBuiltinPrefix.size());
  const std::size_t at = std::min(source.find('@'), source.size());
  std::vector<std::string> names;
  for (const Builtin& builtin : builtins())
    names.emplace_back(builtin.name);
  const std::string_view name = source.substr(0, at);
  if (std::ranges::find(names, name) == names.end()) return noSuch("built-in model", name, names);
  if (at == source.size()) return {};
  const std::string_view digits = source.substr(at + 1);
  std::size_t triangles = 0;
  const char* end = digits.data() + digits.size();
  const auto [stopped, trouble] = std::from_chars(digits.data(), end, triangles);
  if (trouble == std::errc() && stopped == end && triangles >= kFewestTriangles &&
      triangles <= kMostTriangles)
    return {};
  return say("built-in models have ", kFewestTriangles, " to ", kMostTriangles,
             " triangles; write for example \"", kBuiltinPrefix, name, "@", kDefaultTriangles,
             "\"");
}

class SceneReader {
 public:
  SceneReader(std::string_view file, const TomlText& toml)
      : folder_(std::filesystem::path(file).parent_path()), label_(file), toml_(toml) {
    for (const TomlEntry& entry : toml.entries)
      entries_[{entry.table, entry.parent, entry.index}].push_back(&entry);
  }

  Result<Scene> read() {
    const bool isRead = checkTables() && checkKeys() && readTop() && readMaterials() &&
                        readBodies() && readHands() && readPaths() && readNeverTouch();
    if (!isRead) return error_;
    std::ranges::sort(scene_.hands, {}, &SceneHand::name);
    return std::move(scene_);
  }

 private:
  using Place = std::tuple<std::string, std::size_t, std::size_t>;

  bool fail(Reason reason, std::uint64_t line, std::string_view what) {
    error_ = label_.atLine(reason, line, what);
    return false;
  }
  bool fail(const TomlTable& table, std::string_view what) {
    return fail(Reason::BadValue, table.line, what);
  }

  // --- what was given ---

  std::span<const TomlEntry* const> entriesOf(std::string_view table, std::size_t parent,
                                              std::size_t index) const {
    const auto found = entries_.find(Place{std::string(table), parent, index});
    if (found == entries_.end()) return {};
    return found->second;
  }
  /// Null if the key is not in the table.
  const TomlEntry* entryOf(const TomlTable& table, std::string_view key) const {
    for (const TomlEntry* entry : entriesOf(table.name, table.parent, table.index)) {
      if (entry->key == key) return entry;
    }
    return nullptr;
  }
  std::vector<const TomlTable*> tablesNamed(std::string_view name) const {
    std::vector<const TomlTable*> tables;
    for (const TomlTable& table : toml_.tables) {
      if (table.name == name) tables.push_back(&table);
    }
    return tables;
  }

  bool take(std::span<const TomlEntry* const> entries, const std::vector<SceneKey>& keys) {
    for (const TomlEntry* entry : entries) {
      const auto key = std::ranges::find(keys, entry->key, &SceneKey::name);
      if (key == keys.end()) continue;  // checkKeys() has seen to that
      const std::string trouble = takeSceneValue(*entry, key->value);
      if (!trouble.empty())
        return fail(Reason::BadValue, entry->line, say("'", pathOf(*entry), "' ", trouble));
    }
    return true;
  }
  bool take(const TomlTable& table, const std::vector<SceneKey>& keys) {
    return take(entriesOf(table.name, table.parent, table.index), keys);
  }
  bool demand(const TomlTable& table, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
      if (entryOf(table, key) == nullptr) {
        return fail(Reason::Malformed, table.line,
                    say("this [[", table.name, "]] has no '", key, "'"));
      }
    }
    return true;
  }
  bool exclude(const TomlTable& table, std::string_view one, std::string_view other) {
    const TomlEntry* second = entryOf(table, other);
    if (second == nullptr || entryOf(table, one) == nullptr) return true;
    return fail(Reason::BadValue, second->line,
                say("there are '", one, "' and '", other, "'; one of them is enough"));
  }

  // --- the file as a whole ---

  bool checkTables() {
    for (const TomlTable& table : toml_.tables) {
      const auto kind = std::ranges::find(kTableKinds, table.name, &TableKind::name);
      if (kind == kTableKinds.end()) {
        std::vector<std::string> names;
        names.reserve(kTableKinds.size());
        for (const TableKind& known : kTableKinds)
          names.emplace_back(known.name);
        return fail(Reason::UnknownName, table.line, noSuch("table", table.name, names));
      }
      if (table.isInArray != kind->isInArray) {
        const std::string wanted =
            kind->isInArray ? say("[[", kind->name, "]]") : say("[", kind->name, "]");
        return fail(Reason::Malformed, table.line, say("this table must be written ", wanted));
      }
      if (table.index >= kind->most) {
        return fail(Reason::TooLarge, table.line,
                    say("there are more than ", kind->most, " ", kind->several));
      }
    }
    return true;
  }

  bool checkKeys() {
    const std::vector<std::string>& paths = knownPaths();
    for (const TomlEntry& entry : toml_.entries) {
      const std::string path = pathOf(entry);
      if (std::ranges::find(paths, path) != paths.end()) continue;
      const auto kind = std::ranges::find(kTableKinds, path, &TableKind::name);
      if (kind != kTableKinds.end())
        return fail(Reason::Malformed, entry.line, say("'", path, "' must be a table"));
      error_ = unknownKey(label_, entry, paths);
      return false;
    }
    return true;
  }

  bool readTop() {
    if (!take(entriesOf("", 0, 0), keysOf(scene_))) return false;
    for (const TomlTable* table : tablesNamed("camera")) {
      SceneCamera& camera = scene_.camera;
      if (!take(*table, keysOf(camera))) return false;
      const Eigen::Vector3d sight = camera.target - camera.eye;
      // less than a degree off: the picture could be turned either way
      if (!(sight.cross(camera.up).norm() > 0.01 * sight.norm()))
        return fail(*table, "the camera must look at something, and not along 'up'");
    }
    for (const TomlTable* table : tablesNamed("contact")) {
      SceneContact& contact = scene_.contact;
      if (!take(*table, keysOf(contact))) return false;
      if (contact.law == SceneLaw::Volume && contact.method == SceneMethod::Voxmap)
        return fail(*table, "points do not know a volume; the law \"volume\" needs \"ist\"");
    }
    return true;
  }

  // --- materials and bodies ---

  template <typename Named>
  bool isFirstOfItsName(const TomlTable& table, const std::vector<Named>& all,
                        const std::string& name) {
    if (std::ranges::find(all, name, &Named::name) == all.end()) return true;
    const TomlEntry* entry = entryOf(table, "name");
    return fail(Reason::BadValue, entry == nullptr ? table.line : entry->line,
                say("there is another ", table.name, " named ", inQuotes(name)));
  }

  bool readMaterials() {
    for (const TomlTable* table : tablesNamed("material")) {
      SceneMaterial material;
      if (!demand(*table, {"name"}) || !take(*table, keysOf(material)) ||
          !isFirstOfItsName(*table, scene_.materials, material.name))
        return false;
      const bool hasStatic = entryOf(*table, "static_friction") != nullptr;
      const bool hasKinetic = entryOf(*table, "kinetic_friction") != nullptr;
      if (material.kineticFriction > material.staticFriction) {
        if (hasStatic && hasKinetic)
          return fail(*table, "'kinetic_friction' must not be above 'static_friction'");
        // one of them is the default, and gives way to the other
        (hasKinetic ? material.staticFriction : material.kineticFriction) =
            hasKinetic ? material.kineticFriction : material.staticFriction;
      }
      scene_.materials.push_back(material);
    }
    return true;
  }

  bool readBodies() {
    const std::vector<const TomlTable*> tables = tablesNamed("body");
    if (tables.empty()) {
      error_ = label_.whole(Reason::Empty, "there is no [[body]]; a scene needs at least one");
      return false;
    }
    for (const TomlTable* table : tables) {
      SceneBody body;
      BodyNames names;
      if (!demand(*table, {"name", "model"}) || !take(*table, keysOf(body, names)) ||
          !isFirstOfItsName(*table, scene_.bodies, body.name) ||
          !exclude(*table, "scale", "fit_m") || !exclude(*table, "density_kg_per_m3", "mass_kg") ||
          !placeModel(*table, body.model) || !findMaterial(*table, names.material, body))
        return false;
      scene_.bodies.push_back(std::move(body));
    }
    return true;
  }

  bool placeModel(const TomlTable& table, SceneModel& model) {
    if (model.source.starts_with(kBuiltinPrefix)) {
      const std::string trouble = troubleWithBuiltin(model.source);
      if (trouble.empty()) return true;
      return fail(Reason::UnknownName, entryOf(table, "model")->line, trouble);
    }
    const std::filesystem::path file(model.source);
    if (file.is_relative()) model.source = (folder_ / file).lexically_normal().string();
    return true;
  }

  bool findMaterial(const TomlTable& table, const std::string& name, SceneBody& body) {
    std::vector<SceneMaterial>& materials = scene_.materials;
    const std::string wanted = name.empty() ? "default" : name;
    auto found = std::ranges::find(materials, wanted, &SceneMaterial::name);
    if (found == materials.end()) {
      if (!name.empty() && name != "default") {
        return fail(Reason::UnknownName, entryOf(table, "material")->line,
                    noSuch("material", name, namesOf(materials)));
      }
      SceneMaterial plain;
      plain.name = "default";
      found = materials.insert(materials.end(), plain);
    }
    body.material = static_cast<std::size_t>(found - materials.begin());
    return true;
  }

  // --- hands ---

  /// The number of a body, or none, with a sentence.
  std::optional<std::size_t> bodyNamed(const std::string& name, std::uint64_t line) {
    const auto found = std::ranges::find(scene_.bodies, name, &SceneBody::name);
    if (found != scene_.bodies.end())
      return static_cast<std::size_t>(found - scene_.bodies.begin());
    fail(Reason::UnknownName, line, noSuch("body", name, namesOf(scene_.bodies)));
    return std::nullopt;
  }

  bool readHands() {
    for (const TomlTable* table : tablesNamed("hand")) {
      SceneHand hand;
      HandNames names;
      if (!demand(*table, {"name", "tool"}) || !take(*table, keysOf(hand, names))) return false;
      const std::uint64_t line = entryOf(*table, "tool")->line;
      const std::optional<std::size_t> tool = bodyNamed(names.tool, line);
      if (!tool) return false;
      hand.tool = *tool;
      if (scene_.bodies[*tool].kind != SceneBodyKind::Tool) {
        return fail(Reason::BadValue, line,
                    say("the body '", names.tool, "' is of another kind than \"tool\""));
      }
      for (const SceneHand& other : scene_.hands) {
        if (other.name == hand.name) {
          return fail(Reason::BadValue, entryOf(*table, "name")->line,
                      say("there is another hand named '", wordOf(hand), "'"));
        }
        if (other.tool == hand.tool) {
          return fail(Reason::BadValue, line,
                      say("the hand '", wordOf(other), "' holds '", names.tool,
                          "' already; each hand needs a tool of its own"));
        }
      }
      scene_.hands.push_back(std::move(hand));
    }
    return everyToolIsHeld();
  }

  static std::string_view wordOf(const SceneHand& hand) {
    return kHandNames[static_cast<std::size_t>(hand.name)];
  }

  bool everyToolIsHeld() {
    const std::vector<const TomlTable*> tables = tablesNamed("body");
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      const SceneBody& body = scene_.bodies[i];
      if (body.kind != SceneBodyKind::Tool ||
          std::ranges::find(scene_.hands, i, &SceneHand::tool) != scene_.hands.end())
        continue;
      return fail(*tables[i], say("no [[hand]] holds the tool '", body.name,
                                  "'; a body that nobody holds is \"dynamic\" or \"fixed\""));
    }
    return true;
  }

  bool readPaths() {
    std::vector<const TomlTable*> lastPose(scene_.hands.size(), nullptr);
    for (const TomlTable* table : tablesNamed("hand.pose")) {
      SceneHand& hand = scene_.hands[table->parent];
      const SceneBody& tool = scene_.bodies[hand.tool];
      SceneHandKey key;
      key.position = tool.position;
      key.orientation = tool.orientation;
      if (!demand(*table, {"at_s"}) || !take(*table, keysOf(key))) return false;
      if (hand.path.empty() && key.at != 0.0)
        return fail(*table, "the first pose must be at_s = 0");
      if (!hand.path.empty() && !(key.at > hand.path.back().at))
        return fail(*table, "this pose is not later than the one before it; 'at_s' must grow");
      hand.path.push_back(key);
      lastPose[table->parent] = table;
    }
    for (std::size_t h = 0; h < scene_.hands.size(); ++h) {
      SceneHand& hand = scene_.hands[h];
      if (hand.path.empty()) {
        const SceneBody& tool = scene_.bodies[hand.tool];
        hand.path.push_back({0.0, tool.position, tool.orientation, 0.0, 0});
      }
      const SceneHandKey& first = hand.path.front();
      const SceneHandKey& last = hand.path.back();
      const bool isClosed = (first.position - last.position).norm() <= kSamePlace &&
                            1.0 - std::abs(first.orientation.dot(last.orientation)) <= kSameTurn &&
                            first.closed == last.closed;
      if (hand.repeats && !isClosed) {
        return fail(*lastPose[h],
                    "the last pose must be the first one again, because the path repeats");
      }
    }
    return true;
  }

  bool readNeverTouch() {
    for (const TomlTable* table : tablesNamed("never_touch")) {
      std::vector<std::string> names;
      if (!demand(*table, {"bodies"}) || !take(*table, keysOf(names))) return false;
      const std::uint64_t line = entryOf(*table, "bodies")->line;
      const std::optional<std::size_t> a = bodyNamed(names[0], line);
      const std::optional<std::size_t> b = a ? bodyNamed(names[1], line) : std::nullopt;
      if (!a || !b) return false;
      if (*a == *b) return fail(*table, "a body never touches itself; two names are wanted");
      scene_.neverTouch.emplace_back(std::min(*a, *b), std::max(*a, *b));
    }
    std::ranges::sort(scene_.neverTouch);
    const auto doubled = std::ranges::unique(scene_.neverTouch);
    scene_.neverTouch.erase(doubled.begin(), doubled.end());
    return true;
  }

  std::filesystem::path folder_;
  FileLabel label_;
  const TomlText& toml_;
  std::map<Place, std::vector<const TomlEntry*>> entries_;
  Scene scene_;
  Error error_;
};

}  // namespace

Result<Scene> parseScene(std::string_view text, std::string_view file) {
  const Result<TomlText> toml = readToml(text, FileLabel(file));
  if (!toml) return toml.error();
  Result<Scene> read = SceneReader(file, toml.value()).read();
  if (!read) return read;
  Scene& scene = read.value();
  scene.file = file;
  scene.text = text;
  scene.name = std::filesystem::path(file).stem().string();
  if (scene.title.empty()) scene.title = scene.name;
  return read;
}

Result<Scene> readScene(const std::filesystem::path& file) {
  const Result<std::string> text = readSmallText(file.string());
  if (!text) return text.error();
  return parseScene(text.value(), file.string());
}

Result<Scene> findScene(std::string_view nameOrFile) {
  const Result<FoundText> found = findText(nameOrFile, "scene", "models/scene", shippedScenes());
  if (!found) return found.error();
  return parseScene(found.value().text, found.value().file);
}

}  // namespace tactus::models
