#include "compute_node/doctor/storage_checks.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "common/doctor/fake_host.h"
#include "common/files/test_directory.h"
#include "compute_node/testing/thread_count.h"
#include "gmock/gmock.h"

namespace fargraph::doctor {
namespace {

using ::testing::HasSubstr;

/// A host on which the test's directory lies on a device of our making.
class StorageChecks : public FakeHost {
 protected:
  std::string Device() const {
    struct stat info {};
    stat(directory_.path().c_str(), &info);
    return absl::StrCat("/sys/dev/block/", major(info.st_dev), ":", minor(info.st_dev));
  }
  Finding DirectIo() { return CheckDirectory(view_, directory_.path()).front(); }

  TestDirectory directory_;
};

TEST_F(StorageChecks, TellsTheBlockAndTheKindOfTheDevice) {
  if (DirectIo().level == Level::kProblem) GTEST_SKIP() << DirectIo().value;
  EXPECT_EQ(DirectIo().level, Level::kOk);
  Write(Device() + "/queue/physical_block_size", "4096\n");
  Write(Device() + "/queue/rotational", "0\n");
  EXPECT_EQ(DirectIo().level, Level::kOk);
  EXPECT_THAT(DirectIo().value, HasSubstr("those of its device 4 KiB"));
  Write(Device() + "/queue/rotational", "1\n");
  EXPECT_EQ(DirectIo().level, Level::kWarning);
  EXPECT_THAT(DirectIo().value, HasSubstr("rotating disk"));
  EXPECT_TRUE(std::filesystem::is_empty(directory_.path()));
}

TEST_F(StorageChecks, ADirectoryThatIsNotThereIsAProblem) {
  const Finding finding = CheckDirectory(view_, directory_.Path("missing")).front();
  EXPECT_EQ(finding.level, Level::kProblem);
  EXPECT_THAT(finding.mend, HasSubstr("install -d"));
}

TEST_F(StorageChecks, AGraphThatIsNotThereIsNotMadeByADirectory) {
  const Finding finding = CheckGraphDirectory(view_, directory_.Path("missing")).front();
  EXPECT_EQ(finding.level, Level::kProblem);
  EXPECT_EQ(finding.mend, "name a directory that fargraph convert wrote");
}

TEST_F(StorageChecks, AsynchronousIoIsTriedForAllThreadsOfAJobAndAllSsds) {
  const ThreadCount threads(32);
  const Finding of_one = CheckAsyncIo(1);
  EXPECT_EQ(of_one.level, Level::kOk) << of_one.value;
  EXPECT_EQ(of_one.value, "room for 1024 requests");
  const Finding of_many = CheckAsyncIo(4096);  // four million requests
  EXPECT_EQ(of_many.level, Level::kProblem);
  EXPECT_EQ(of_many.mend, "sysctl -w fs.aio-max-nr=1048576");
}

TEST_F(StorageChecks, FilesInMemoryHaveNoDirectIo) {
  struct stat info {};
  if (stat("/dev/shm", &info) != 0) GTEST_SKIP() << "this host has no /dev/shm";
  const Finding finding = CheckDirectory(view_, "/dev/shm").front();
  EXPECT_EQ(finding.level, Level::kProblem);
  EXPECT_THAT(finding.mend, HasSubstr("SSD"));
}

}  // namespace
}  // namespace fargraph::doctor
