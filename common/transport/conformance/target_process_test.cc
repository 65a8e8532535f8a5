// A target in a process of its own: this program again, running the one test at the end of this
// file.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/transport/conformance/fixture.h"

namespace fargraph::transport::conformance {
namespace {

constexpr char kEnvironment[] = "FARGRAPH_CONFORMANCE_TARGET";
constexpr char kMark[] = "conformance target\t";

/// The line that begins with kMark, without it.
std::string ReadAnnouncement(int fd) {
  std::string output;
  for (char byte; read(fd, &byte, 1) == 1;) {
    if (byte != '\n') {
      output.push_back(byte);
    } else if (output.rfind(kMark, 0) == 0) {
      return output.substr(sizeof kMark - 1);
    } else {
      output.clear();
    }
  }
  return "";
}

}  // namespace

TargetProcess::TargetProcess(const Case& transport) {
  int input[2];
  int output[2];
  EXPECT_EQ(pipe2(input, O_CLOEXEC), 0);
  EXPECT_EQ(pipe2(output, O_CLOEXEC), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);

  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string filter = "--gtest_filter=TargetProcess.DISABLED_Serve";
  std::vector<char*> arguments = {const_cast<char*>(self.c_str()),
                                  const_cast<char*>(filter.c_str()),
                                  const_cast<char*>("--gtest_also_run_disabled_tests"), nullptr};
  std::string variable = absl::StrCat(kEnvironment, "=", transport.name);
  std::vector<char*> environment = {variable.data()};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    // Where the runner wants a report, this process alone writes it.
    const absl::string_view name(*entry);
    if (name.substr(0, 6) != "GTEST_" && name.substr(0, 4) != "XML_") environment.push_back(*entry);
  }
  environment.push_back(nullptr);
  EXPECT_EQ(
      posix_spawn(&pid_, self.c_str(), &actions, nullptr, arguments.data(), environment.data()), 0);
  posix_spawn_file_actions_destroy(&actions);
  close(input[0]);
  close(output[1]);
  stdin_fd_ = input[1];

  const std::vector<std::string> fields = absl::StrSplit(ReadAnnouncement(output[0]), '\t');
  close(output[0]);
  const bool complete = fields.size() == 3 && absl::SimpleAtoi(fields[1], &key_.address) &&
                        absl::SimpleAtoi(fields[2], &key_.rkey);
  EXPECT_TRUE(complete) << "the target process did not start";
  endpoint_ = fields[0];
}

TargetProcess::~TargetProcess() {
  Kill();
  close(stdin_fd_);
}

void TargetProcess::Signal(int signal) const { EXPECT_EQ(kill(pid_, signal), 0); }

void TargetProcess::Kill() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

/// Not a test: what the process above runs. Ends with its standard input.
TEST(TargetProcess, DISABLED_Serve) {
  const char* name = std::getenv(kEnvironment);
  if (name == nullptr) GTEST_SKIP() << "runs in a process that a conformance test starts";
  for (const Case& transport : Cases()) {
    if (transport.name != absl::string_view(name)) continue;
    const auto device = transport.open().value();
    auto memory = MappedMemory::Allocate(TargetProcess::kBytes, MappedMemory::Sharing::kShareable,
                                         MappedMemory::Pages::kSmall)
                      .value();
    FillPattern(memory.bytes(), 1);
    const auto listener =
        device
            ->Listen({.host = Host(),
                      .memory = &memory,
                      .admit = [](const Ticket& ticket) { return ticket == MakeTicket(0); }})
            .value();
    const RemoteKey key = listener->Expose(0, memory.size(), Access::kRead).value();
    std::printf("%s%s\t%llu\t%llu\n", kMark, listener->endpoint().c_str(),
                static_cast<unsigned long long>(key.address),
                static_cast<unsigned long long>(key.rkey));
    std::fflush(stdout);
    while (std::getchar() != EOF) {
    }
  }
}

}  // namespace fargraph::transport::conformance
