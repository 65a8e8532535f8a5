// Read throughput by transport, size and depth: transport_benchmark --benchmark_filter=Read/shm
//
// The target is a process of its own, as a memory node is, and exposes 128 MiB; reads walk through
// it. FARGRAPH_TEST_HOST is the address to listen on (127.0.0.1; verbs needs one that its device
// serves).
#include <benchmark/benchmark.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "common/transport/transport.h"
#include "common/units.h"

namespace fargraph::transport {
namespace {

constexpr uint64_t kExposedBytes = 128 * kMiB;

/// What a target tells of itself over a pipe.
struct Announcement {
  char endpoint[256];
  RemoteKey key;
};

/// Serves until it is killed.
[[noreturn]] void Serve(Kind kind, int announce_fd) {
  const char* host = std::getenv("FARGRAPH_TEST_HOST");
  auto memory = MappedMemory::Allocate(kExposedBytes, MappedMemory::Sharing::kShareable).value();
  std::memset(memory.data(), 1, memory.size());
  const auto device = OpenDevice(kind);
  if (!device.ok()) _exit(1);
  const auto listener = (*device)
                            ->Listen({.host = host == nullptr ? "127.0.0.1" : host,
                                      .memory = &memory,
                                      .admit = [](const Ticket&) { return true; }})
                            .value();
  Announcement announcement = {};
  listener->endpoint().copy(announcement.endpoint, sizeof announcement.endpoint - 1);
  announcement.key = listener->Expose(0, memory.size(), Access::kRead).value();
  if (write(announce_fd, &announcement, sizeof announcement) != sizeof announcement) _exit(1);
  for (;;) pause();
}

class TargetProcess {
 public:
  explicit TargetProcess(Kind kind) {
    int fds[2];
    if (pipe(fds) != 0) return;
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(fds[0]);
      Serve(kind, fds[1]);
    }
    close(fds[1]);
    started_ = read(fds[0], &announcement_, sizeof announcement_) == sizeof announcement_;
    close(fds[0]);
  }
  ~TargetProcess() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  TargetProcess(const TargetProcess&) = delete;
  TargetProcess& operator=(const TargetProcess&) = delete;

  bool started() const { return started_; }
  Endpoint endpoint() const { return announcement_.endpoint; }
  const RemoteKey& key() const { return announcement_.key; }

 private:
  pid_t pid_ = -1;
  bool started_ = false;
  Announcement announcement_ = {};
};

/// All targets start at the first call: a process that has opened a device had better not fork.
const TargetProcess& TargetOf(Kind kind) {
  static const std::array<TargetProcess, 3> targets = {
      TargetProcess(Kind::kVerbs), TargetProcess(Kind::kShm), TargetProcess(Kind::kTcp)};
  return targets[static_cast<size_t>(kind)];
}

void Read(benchmark::State& state, Kind kind) {
  const auto length = static_cast<uint64_t>(state.range(0));
  const auto depth = static_cast<size_t>(state.range(1));
  const TargetProcess& target = TargetOf(kind);
  const auto device = OpenDevice(kind);
  if (!device.ok() || !target.started()) {
    state.SkipWithError(std::string(device.status().message()).c_str());
    return;
  }
  auto buffer = MappedMemory::Allocate(length * depth).value();
  const auto region = (*device)->RegisterMemory(buffer.bytes()).value();
  const auto completion_queue = (*device)->CreateCompletionQueue(depth).value();
  const auto queue_pair =
      (*device)->Connect(target.endpoint(), {}, *completion_queue, {.capacity = depth}).value();

  uint64_t offset = 0;
  const auto request = [&](uint64_t slot) {
    if (offset + length > kExposedBytes) offset = 0;
    const uint64_t address = target.key().address + offset;
    offset += length;
    return WorkRequest{.local_address = buffer.data() + slot * length,
                       .length = length,
                       .lkey = region->lkey(),
                       .remote_address = address,
                       .rkey = target.key().rkey,
                       .wr_id = slot};
  };
  std::vector<WorkRequest> batch;
  for (uint64_t slot = 0; slot < depth; ++slot) batch.push_back(request(slot));
  std::vector<Completion> completions(depth);
  size_t reads = 0;
  // Every read that completes makes room for the next, as in a pipeline of buffers.
  for ([[maybe_unused]] auto _ : state) {
    if (!batch.empty() && queue_pair->Post(batch).value_or(0) != batch.size()) {
      state.SkipWithError("the queue pair broke");
      break;
    }
    batch.clear();
    const size_t count = completion_queue->Poll(absl::MakeSpan(completions));
    for (size_t i = 0; i < count; ++i) batch.push_back(request(completions[i].wr_id));
    reads += count;
  }
  state.SetBytesProcessed(static_cast<int64_t>(reads * length));
  state.SetItemsProcessed(static_cast<int64_t>(reads));
}

void SizesAndDepths(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"bytes", "depth"})->UseRealTime();
  for (const int64_t depth : {1, 16, 64}) {
    for (const int64_t bytes : {512, 4 << 10, 64 << 10, 1 << 20}) benchmark->Args({bytes, depth});
  }
}

BENCHMARK_CAPTURE(Read, shm, Kind::kShm)->Apply(SizesAndDepths);
BENCHMARK_CAPTURE(Read, tcp, Kind::kTcp)->Apply(SizesAndDepths);
BENCHMARK_CAPTURE(Read, verbs, Kind::kVerbs)->Apply(SizesAndDepths);

}  // namespace
}  // namespace fargraph::transport
