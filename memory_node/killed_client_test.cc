// A client in a process of its own, which is killed: this program again, running the one disabled
// test at the end of this file.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/units.h"
#include "gtest/gtest.h"
#include "memory_node/memory_node.h"
#include "memory_node/test_peer.h"

namespace fargraph {
namespace {

constexpr char kAddressVariable[] = "FARGRAPH_KILLED_CLIENT_NODE";
constexpr char kReady[] = "the client holds its regions";

/// Starts the client and returns when it holds its regions.
pid_t StartClient(const std::string& address) {
  std::array<int, 2> output;
  EXPECT_EQ(pipe2(output.data(), O_CLOEXEC), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);

  std::string self = std::filesystem::read_symlink("/proc/self/exe");
  std::string filter = "--gtest_filter=KilledClient.DISABLED_HoldRegions";
  std::string disabled = "--gtest_also_run_disabled_tests";
  std::vector<char*> arguments = {self.data(), filter.data(), disabled.data(), nullptr};
  std::string variable = absl::StrCat(kAddressVariable, "=", address);
  std::vector<char*> environment = {variable.data()};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    // Where the runner wants a report, this process alone writes it.
    if (!absl::StartsWith(*entry, "GTEST_") && !absl::StartsWith(*entry, "XML_")) {
      environment.push_back(*entry);
    }
  }
  environment.push_back(nullptr);
  pid_t pid = 0;
  EXPECT_EQ(
      posix_spawn(&pid, self.c_str(), &actions, nullptr, arguments.data(), environment.data()), 0);
  posix_spawn_file_actions_destroy(&actions);
  close(output[1]);

  std::string text;
  std::array<char, 256> buffer;
  ssize_t got = 0;
  while (!absl::StrContains(text, kReady) &&
         (got = read(output[0], buffer.data(), buffer.size())) > 0) {
    text.append(buffer.data(), static_cast<size_t>(got));
  }
  close(output[0]);
  EXPECT_TRUE(absl::StrContains(text, kReady)) << text;
  return pid;
}

TEST(KilledClient, LosesWhatItHeldAndNotWhatIsKept) {
  MemoryNodeOptions options;
  options.capacity_bytes = 8 * kMiB;  // three regions on huge pages, where these are reserved
  options.lease_duration = absl::Seconds(1);
  const auto node = MemoryNode::Start(options);
  ASSERT_TRUE(node.ok()) << node.status();
  const auto client = *MemoryNodeClient::Connect((*node)->address());

  const pid_t pid = StartClient((*node)->address());
  EXPECT_EQ(client->Stats()->regions, 3u);
  kill(pid, SIGKILL);
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);

  while (client->Stats()->leases > 0) absl::SleepFor(absl::Milliseconds(20));
  while (client->Stats()->regions > 1) absl::SleepFor(absl::Milliseconds(20));
  ASSERT_EQ(client->List("")->size(), 1u);
  while ((*client->List(""))[0].holders > 0) absl::SleepFor(absl::Milliseconds(20));
  EXPECT_EQ((*client->List(""))[0].name, "kept");

  auto heir = TestPeer::Join((*node)->address(), transport::Kind::kShm);
  ASSERT_TRUE(heir.ok()) << heir.status();
  const auto kept = heir->lease->Attach("kept");
  ASSERT_TRUE(kept.ok()) << kept.status();
  EXPECT_EQ(*heir->connection->Read(kept->key, 5), "graph");
  ASSERT_TRUE(heir->lease->Free(*kept).ok());
  EXPECT_EQ(client->Stats()->allocated_bytes, 0u);
}

TEST(KilledClient, DISABLED_HoldRegions) {
  const char* address = std::getenv(kAddressVariable);
  ASSERT_NE(address, nullptr);
  auto peer = TestPeer::Join(address, transport::Kind::kShm);
  ASSERT_TRUE(peer.ok()) << peer.status();
  ASSERT_TRUE(peer->lease->Allocate("filling", kMiB).ok());
  ASSERT_TRUE(peer->lease->Seal(*peer->lease->Allocate("sealed", kMiB), /*keep=*/false).ok());
  const auto kept = peer->lease->Allocate("kept", kMiB);
  ASSERT_TRUE(peer->connection->Write(kept->key, "graph").ok());
  ASSERT_TRUE(peer->lease->Seal(*kept, /*keep=*/true).ok());
  std::cout << kReady << std::endl;
  while (true) pause();
}

}  // namespace
}  // namespace fargraph
