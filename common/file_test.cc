#include "common/file.h"

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;

std::string TestPath(const std::string& name) {
  std::string path = ::testing::TempDir() + "fargraph_file_test_" + name;
  std::filesystem::remove_all(path);
  return path;
}

absl::Span<const std::byte> Bytes(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

TEST(FileTest, ReadsBackWhatWasWrittenAtItsOffset) {
  auto file = File::Create(TestPath("write"));
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE(file->WriteAt(0, Bytes("0123456789")).ok());
  ASSERT_TRUE(file->WriteAt(4, Bytes("ab")).ok());
  ASSERT_TRUE(file->Sync().ok());
  file->DropWritten(0, 0);
  EXPECT_EQ(*file->Size(), 10u);

  std::vector<std::byte> out(4);
  auto reader = File::OpenForReading(file->path());
  ASSERT_TRUE(reader.ok());
  ASSERT_TRUE(reader->ReadAt(3, absl::MakeSpan(out)).ok());
  EXPECT_EQ(std::string(reinterpret_cast<char*>(out.data()), 4), "3ab6");
  EXPECT_EQ(*ReadSmallFile(file->path(), 10), "0123ab6789");
  EXPECT_EQ(ReadSmallFile(file->path(), 9).status().code(), absl::StatusCode::kDataLoss);
}

TEST(FileTest, AnEarlyEndIsDataLossWithTheByte) {
  auto file = File::Create(TestPath("short"));
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE(file->WriteAt(0, Bytes("abc")).ok());
  std::vector<std::byte> out(8);
  const absl::Status status = file->ReadAt(1, absl::MakeSpan(out));
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("ends at byte 3, 6 bytes too early"));
}

TEST(FileTest, ErrorsHaveTheCodeOfTheirCause) {
  const std::string path = TestPath("codes");
  EXPECT_EQ(File::OpenForReading(path).status().code(), absl::StatusCode::kNotFound);
  ASSERT_TRUE(File::Create(path).ok());
  EXPECT_EQ(File::Create(path).status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(FileError(ENOSPC, "Writing", path).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(FileError(EIO, "Reading", path).code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(FileError(ENOSPC, "Writing", path).message()),
              HasSubstr("Writing " + path + ": No space left on device"));
}

}  // namespace
}  // namespace fargraph
