#include "render/image.hpp"

#include <gtest/gtest.h>
#include <stb_image.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "render/frame_sequence.hpp"

namespace tactus::render {
namespace {

namespace fs = std::filesystem;

/// An empty folder for one test.
class ImageFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::temp_directory_path() / ("tactus-image-" + std::to_string(::getpid()) + "-" +
                                     testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  [[nodiscard]] std::size_t filesInFolder() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  fs::path folder_;
};

Image gradient(int width, int height, std::uint8_t blue) {
  Image image{width, height, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.rgb.insert(image.rgb.end(),
                       {static_cast<std::uint8_t>(5 * x), static_cast<std::uint8_t>(7 * y), blue});
    }
  }
  return image;
}

void expectSame(const fs::path& file, const Image& image) {
  int width = 0;
  int height = 0;
  int channels = 0;
  stbi_uc* const pixels = stbi_load(file.c_str(), &width, &height, &channels, 0);
  ASSERT_NE(pixels, nullptr) << stbi_failure_reason();
  EXPECT_EQ(width, image.width);
  EXPECT_EQ(height, image.height);
  EXPECT_EQ(channels, 3);
  EXPECT_EQ(std::memcmp(pixels, image.rgb.data(), image.rgb.size()), 0);
  stbi_image_free(pixels);
}

TEST_F(ImageFile, ReadsBackToTheByte) {
  const Image image = gradient(31, 17, 200);
  const fs::path file = folder_ / "a.png";
  ASSERT_TRUE(writePng(image, file));
  expectSame(file, image);
  EXPECT_EQ(image.pixel(3, 2), (std::array<std::uint8_t, 3>{15, 14, 200}));
  EXPECT_EQ(filesInFolder(), 1U) << "a temporary file is left";
}

TEST_F(ImageFile, RefusesToReplaceUnlessAsked) {
  const fs::path file = folder_ / "a.png";
  ASSERT_TRUE(writePng(gradient(4, 4, 1), file));
  const auto refused = writePng(gradient(4, 4, 2), file);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, models::Reason::AlreadyExists);
  EXPECT_NE(refused.error().sentence.find("a.png"), std::string::npos);
  expectSame(file, gradient(4, 4, 1));
  ASSERT_TRUE(writePng(gradient(4, 4, 2), file, IfExists::Replace));
  expectSame(file, gradient(4, 4, 2));
  EXPECT_EQ(filesInFolder(), 1U);
}

TEST_F(ImageFile, RefusesALinkToNowhereToo) {
  // Such a name is taken, although nothing can be opened through it.
  const fs::path file = folder_ / "a.png";
  fs::create_symlink(folder_ / "missing", file);
  const auto refused = writePng(gradient(4, 4, 1), file);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, models::Reason::AlreadyExists);
  EXPECT_EQ(filesInFolder(), 1U);
}

TEST_F(ImageFile, ALinkStaysALink) {
  const fs::path file = folder_ / "a.png";
  const fs::path link = folder_ / "link.png";
  ASSERT_TRUE(writePng(gradient(4, 4, 1), file));
  fs::create_symlink("a.png", link);
  ASSERT_TRUE(writePng(gradient(4, 4, 2), link, IfExists::Replace));
  EXPECT_TRUE(fs::is_symlink(link));
  expectSame(file, gradient(4, 4, 2));
  EXPECT_EQ(filesInFolder(), 2U);
}

TEST_F(ImageFile, SaysWhyItCannotWrite) {
  const auto failed = writePng(gradient(4, 4, 1), folder_ / "missing" / "a.png");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().reason, models::Reason::CannotWrite);
  EXPECT_NE(failed.error().sentence.find("missing"), std::string::npos);
  EXPECT_EQ(failed.error().sentence.back(), '.');
}

TEST_F(ImageFile, APictureWithoutPixelsIsRefused) {
  EXPECT_FALSE(writePng(Image{}, folder_ / "a.png"));
  EXPECT_EQ(filesInFolder(), 0U);
}

TEST_F(ImageFile, FramesOfASequenceAreNumbered) {
  const fs::path folder = folder_ / "a" / "b";
  EXPECT_EQ(frameFile(folder, 123), folder / "frame-000123.png");
  EXPECT_EQ(frameFile(folder, 0), folder / "frame-000000.png");
  EXPECT_EQ(frameFile(folder, 12'345'678), folder / "frame-12345678.png");
  for (const std::uint64_t number : {7U, 8U}) {
    const auto written = writeFrame(gradient(4, 4, 1), folder, number);
    ASSERT_TRUE(written) << written.error().sentence;
    EXPECT_EQ(written.value(), frameFile(folder, number));
    expectSame(written.value(), gradient(4, 4, 1));
  }
}

TEST_F(ImageFile, AFrameIsReplacedOnlyWhenAsked) {
  ASSERT_TRUE(writeFrame(gradient(4, 4, 1), folder_, 1));
  const auto refused = writeFrame(gradient(4, 4, 2), folder_, 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, models::Reason::AlreadyExists);
  expectSame(frameFile(folder_, 1), gradient(4, 4, 1));
  ASSERT_TRUE(writeFrame(gradient(4, 4, 2), folder_, 1, IfExists::Replace));
  expectSame(frameFile(folder_, 1), gradient(4, 4, 2));
}

TEST_F(ImageFile, AFolderThatCannotBeMadeIsToldInOneSentence) {
  ASSERT_TRUE(writePng(gradient(4, 4, 1), folder_ / "file"));
  const auto failed = writeFrame(gradient(4, 4, 1), folder_ / "file" / "frames", 1);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().reason, models::Reason::CannotWrite);
  EXPECT_NE(failed.error().sentence.find("frames"), std::string::npos);
  EXPECT_EQ(failed.error().sentence.back(), '.');
}

}  // namespace
}  // namespace tactus::render
