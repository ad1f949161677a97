#include "studies/raw_table.hpp"

#include "models/files/whole_file.hpp"

namespace tactus::studies {

models::Result<models::Done> RawTable::write(const std::filesystem::path& file,
                                             bool overwrites) const {
  models::WholeFile whole(file, overwrites);
  if (models::Result<models::Done> opened = whole.open(); !opened) return opened;
  whole.write(text_);
  return whole.finish();
}

}  // namespace tactus::studies
