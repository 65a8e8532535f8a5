#include "common/files/file.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
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
  ASSERT_TRUE(file->DropWritten(0, 0).ok());
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

/// From now on this process' sync_file_range fails so, as on a device that has not taken what was
/// written. False where this host does not let a process filter its own calls.
bool FailSyncFileRange(int error_number) {
  const std::array<sock_filter, 4> program = {{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sync_file_range, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<uint32_t>(error_number)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog filter = {.len = program.size(),
                             .filter = const_cast<sock_filter*>(program.data())};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

constexpr int kCannotFail = 77;
constexpr int kCannotCreate = 78;

/// Ends the process, which was forked for it, with the code of what dropping says where the call
/// fails so.
[[noreturn]] void ExitWithCodeOfDropping(const std::string& path, int error_number) {
  auto file = File::Create(path);
  if (!file.ok()) _exit(kCannotCreate);
  if (!FailSyncFileRange(error_number)) _exit(kCannotFail);
  _exit(static_cast<int>(file->DropWritten(0, 0).code()));
}

TEST(FileTest, DroppingSaysThatTheDeviceHasNotTakenWhatWasWritten) {
  const std::string path = TestPath("drop");
  const auto code_is = [](absl::StatusCode code) {
    return [code](int status) {
      if (WIFEXITED(status) && WEXITSTATUS(status) == kCannotFail)
        std::cout << "not tested: a process may not filter its own calls here\n";
      return WIFEXITED(status) &&
             (WEXITSTATUS(status) == static_cast<int>(code) || WEXITSTATUS(status) == kCannotFail);
    };
  };
  const std::vector<std::pair<int, absl::StatusCode>> codes = {
      {EIO, absl::StatusCode::kDataLoss},
      {ENOSPC, absl::StatusCode::kResourceExhausted},
      {ENOSYS, absl::StatusCode::kOk},  // not an error of the device
  };
  for (const auto& [error_number, code] : codes) {
    EXPECT_EXIT(ExitWithCodeOfDropping(path, error_number), code_is(code), "") << error_number;
    std::filesystem::remove(path);
  }
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
