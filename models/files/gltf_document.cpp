#include "models/files/gltf_document.hpp"

#include <string>

namespace tactus::models {
namespace {

// glTF itself needs eight levels; extras of programs a few more.
constexpr int kMaxDepth = 64;

// Scenes of whole factories have some hundred thousand. Bounds the tree to a few hundred megabytes.
constexpr std::uint64_t kMaxValues = 4'000'000;

/// Reads without keeping anything: counts, and notes where it goes wrong. nlohmann's parser keeps
/// its nesting on the heap, so depth alone cannot overflow the stack here.
class Surveyor : public nlohmann::json_sax<Json> {
 public:
  enum class Trouble : std::uint8_t { None, Syntax, NotUtf8, TooDeep, TooMany };
  Trouble trouble = Trouble::None;
  std::size_t byte = 0;

  bool null() override { return count(); }
  bool boolean(bool) override { return count(); }
  bool number_integer(number_integer_t) override { return count(); }
  bool number_unsigned(number_unsigned_t) override { return count(); }
  bool number_float(number_float_t, const string_t&) override { return count(); }
  bool string(string_t&) override { return count(); }
  bool binary(binary_t&) override { return count(); }
  bool key(string_t&) override { return count(); }
  bool start_object(std::size_t) override { return enter(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception& error) override {
    const bool isUtf8 = std::string_view(error.what()).find("UTF-8") == std::string_view::npos;
    trouble = isUtf8 ? Trouble::Syntax : Trouble::NotUtf8;
    byte = position;
    return false;
  }

 private:
  bool count() {
    if (++values_ > kMaxValues) trouble = Trouble::TooMany;
    return trouble == Trouble::None;
  }
  bool enter() {
    if (++depth_ > kMaxDepth) trouble = Trouble::TooDeep;
    return count();
  }
  bool leave() {
    --depth_;
    return true;
  }

  std::uint64_t values_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<Json> parseGltfDocument(std::string_view text, std::uint64_t firstByte,
                               const FileLabel& label) {
  Surveyor surveyor;
  (void)Json::sax_parse(text.begin(), text.end(), &surveyor);
  switch (surveyor.trouble) {
    case Surveyor::Trouble::TooDeep:
      return label.whole(Reason::Malformed,
                         say("the JSON is nested more than ", kMaxDepth,
                             " levels deep, which no glTF scene is; the file is damaged"));
    case Surveyor::Trouble::TooMany:
      return label.whole(Reason::TooLarge, say("the JSON holds more than ", kMaxValues,
                                               " values; store the geometry in a binary buffer"));
    case Surveyor::Trouble::Syntax:
      // The parser counts the bytes it has read, the offending one included.
      return label.atByte(Reason::Malformed,
                          firstByte + std::max<std::size_t>(surveyor.byte, 1) - 1,
                          "the JSON ends or breaks off here; the file is damaged or cut");
    case Surveyor::Trouble::NotUtf8:
      return label.atByte(Reason::Malformed,
                          firstByte + std::max<std::size_t>(surveyor.byte, 1) - 1,
                          "a text in the JSON is not UTF-8 here; save the file as UTF-8");
    case Surveyor::Trouble::None:
      break;
  }
  Json document = Json::parse(text.begin(), text.end(), nullptr, false);
  if (!document.is_object()) {
    return label.whole(Reason::Malformed, "the JSON is no object; this is no glTF file");
  }
  return document;
}

const Json* member(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

const Json* entry(const Json* array, std::uint64_t index) {
  if (array == nullptr || !array->is_array() || index >= array->size()) return nullptr;
  return &(*array)[static_cast<std::size_t>(index)];
}

bool wholeNumber(const Json& object, const char* key, std::uint64_t fallback,
                 std::uint64_t& value) {
  const Json* const found = member(object, key);
  value = fallback;
  if (found == nullptr) return true;
  if (found->is_number_unsigned()) {
    value = found->get<std::uint64_t>();
    return true;
  }
  // Some programs write 3.0 for 3.
  if (!found->is_number_float()) return false;
  const double number = found->get<double>();
  if (!(number >= 0.0 && number <= 9007199254740992.0)) return false;
  value = static_cast<std::uint64_t>(number);
  return static_cast<double>(value) == number;
}

}  // namespace tactus::models
