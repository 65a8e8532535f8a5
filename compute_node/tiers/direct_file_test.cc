#include "compute_node/tiers/direct_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <bit>
#include <filesystem>
#include <fstream>

#include "absl/strings/match.h"
#include "common/unique_fd.h"
#include "compute_node/testing/ssd_directories.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

class DirectFileTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!TempDirHasDirectIo()) GTEST_SKIP() << testing::TempDir() << " has no direct IO";
  }
  const SsdDirectories directories_{1};
  const std::string& directory_ = directories_.paths()[0];
};

TEST_F(DirectFileTest, AnUnnamedFileTakesItsRoomAndHasNoName) {
  const auto file = DirectFile::CreateUnnamed(directory_, 10000);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(lseek(file->descriptor(), 0, SEEK_END), 10000);
  EXPECT_TRUE(std::filesystem::is_empty(directory_));
  EXPECT_GE(file->block_bytes(), 512u);
  EXPECT_TRUE(std::has_single_bit(file->block_bytes()));
  EXPECT_TRUE(std::has_single_bit(file->physical_block_bytes()));
  EXPECT_GE(file->physical_block_bytes(), file->block_bytes());
  EXPECT_LE(file->physical_block_bytes(), 4096u);
}

TEST_F(DirectFileTest, OpensAFileThatIsThere) {
  const std::string path = directory_ + "/file";
  std::ofstream(path) << "content";
  const auto file = DirectFile::OpenForReading(path);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->path(), path);
}

TEST_F(DirectFileTest, SaysWhatIsNotThereOrFull) {
  const auto missing = DirectFile::CreateUnnamed(directory_ + "/missing", 1);
  EXPECT_EQ(missing.status().code(), absl::StatusCode::kNotFound) << missing.status();
  const auto no_file = DirectFile::OpenForReading(directory_ + "/missing");
  EXPECT_EQ(no_file.status().code(), absl::StatusCode::kNotFound) << no_file.status();
  const auto full = DirectFile::CreateUnnamed(directory_, uint64_t{1} << 60);
  EXPECT_EQ(full.status().code(), absl::StatusCode::kResourceExhausted) << full.status();
  EXPECT_TRUE(absl::StrContains(full.status().message(), directory_)) << full.status();
}

TEST(DirectFile, OpensADeviceThoughItsNodeLiesInMemory) {
  std::string device;
  for (const auto& entry : std::filesystem::directory_iterator("/dev")) {
    const std::string path = entry.path();
    if (path.starts_with("/dev/loop") && entry.is_block_file() &&
        UniqueFd(open(path.c_str(), O_RDONLY)).valid())
      device = path;
  }
  if (device.empty()) GTEST_SKIP() << "there is no loop device to read";
  const auto file = DirectFile::OpenForReading(device);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_GE(file->block_bytes(), 512u);
  EXPECT_TRUE(std::has_single_bit(file->block_bytes()));
}

TEST(DirectFile, RefusesAFileSystemInMemory) {
  struct statfs info {};
  if (statfs("/dev/shm", &info) != 0 || info.f_type != TMPFS_MAGIC || access("/dev/shm", W_OK) != 0)
    GTEST_SKIP() << "there is no tmpfs to write to";
  const auto file = DirectFile::CreateUnnamed("/dev/shm", 1);
  EXPECT_EQ(file.status().code(), absl::StatusCode::kFailedPrecondition) << file.status();
}

}  // namespace
}  // namespace fargraph
