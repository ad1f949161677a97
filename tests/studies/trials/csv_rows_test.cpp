#include "studies/trials/csv_rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tactus::studies {
namespace {

const models::FileLabel kLabel("rows.csv");

TEST(CsvRows, CellsOfEveryKindAreReadBack) {
  const std::vector<std::vector<std::string>> rows = {{"plain", "with, comma", "with \"marks\""},
                                                      {"two\nlines", "a\r\nb", ""},
                                                      {"", "\"", "umläut \xe2\x82\xac"},
                                                      {"", "", ""}};
  std::string text;
  for (const std::vector<std::string>& row : rows)
    appendCsvRow(text, row);
  const auto read = readCsvRows(text, kLabel);
  ASSERT_TRUE(read) << read.error().sentence;
  ASSERT_EQ(read.value().size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_EQ(read.value()[i].cells, rows[i]);
  EXPECT_EQ(read.value()[2].line, 5U) << "of the rows before one has a line, the other three";
}

TEST(CsvRows, LinesOfOtherSystemsAndAMissingLastEndAreRead) {
  const auto read = readCsvRows("a,b\r\n1,2\r\n3,", kLabel);
  ASSERT_TRUE(read) << read.error().sentence;
  ASSERT_EQ(read.value().size(), 3U);
  EXPECT_EQ(read.value()[1].cells, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(read.value()[2].cells, (std::vector<std::string>{"3", ""}));
}

TEST(CsvRows, MistakesAreNamedWithTheirLine) {
  const auto count = readCsvRows("a,b\n1,2\n3\n", kLabel);
  ASSERT_FALSE(count);
  EXPECT_EQ(count.error().reason, models::Reason::WrongCount);
  EXPECT_EQ(count.error().index, 3);

  const auto open = readCsvRows("a\n\"b\n", kLabel);
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().reason, models::Reason::Truncated);
  EXPECT_EQ(open.error().index, 2);

  const auto behind = readCsvRows("a\n\"b\"c\n", kLabel);
  ASSERT_FALSE(behind);
  EXPECT_EQ(behind.error().index, 2);
}

}  // namespace
}  // namespace tactus::studies
