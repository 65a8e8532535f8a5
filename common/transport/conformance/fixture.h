#ifndef FARGRAPH_COMMON_TRANSPORT_CONFORMANCE_FIXTURE_H_
#define FARGRAPH_COMMON_TRANSPORT_CONFORMANCE_FIXTURE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "common/memory/mapped_memory.h"
#include "common/transport/transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

/// The suite that every transport passes. The tests of this folder are written against
/// transport.h alone; conformance_test.cc lists the transports that run them.
///
/// Environment: FARGRAPH_TEST_HOST is the address to listen on (127.0.0.1; verbs needs one that its
/// device serves).
namespace fargraph::transport::conformance {

/// One transport under test.
struct Case {
  const char* name;
  std::function<absl::StatusOr<std::unique_ptr<Device>>()> open;
};
inline std::string CaseName(const testing::TestParamInfo<Case>& parameter) {
  return parameter.param.name;
}
inline void PrintTo(const Case& transport, std::ostream* out) { *out << transport.name; }

/// The transports under test.
const std::vector<Case>& Cases();

/// The address to listen on.
std::string Host();

/// The ticket number `number`; targets admit those below kTickets.
Ticket MakeTicket(uint8_t number);
inline constexpr uint8_t kTickets = 4;

/// Long enough for any request on an emulated machine under a sanitizer. Nothing waits this long
/// unless it hangs.
inline constexpr absl::Duration kLimit = absl::Seconds(60);

/// Fills whole words with numbers that differ by position and by `seed`.
void FillPattern(absl::Span<std::byte> bytes, uint64_t seed);

/// A listener that exposes patterned memory.
struct Target {
  std::unique_ptr<MappedMemory> memory;
  std::unique_ptr<Listener> listener;
  RemoteKey key;  ///< to all of the memory, read and write
};

/// A registered buffer, a completion queue, and the queue pairs on it.
struct Initiator {
  MappedMemory buffer;
  std::unique_ptr<MemoryRegion> region;
  std::unique_ptr<CompletionQueue> completion_queue;
  std::vector<std::unique_ptr<QueuePair>> queue_pairs;

  /// Between buffer + local_offset and key.address + remote_offset; the wr_id is `id`.
  WorkRequest Request(WorkRequest::Opcode opcode, uint64_t local_offset, uint64_t length,
                      const RemoteKey& key, uint64_t remote_offset, uint64_t id = 0) const;
  WorkRequest Read(uint64_t local_offset, uint64_t length, const RemoteKey& key,
                   uint64_t remote_offset, uint64_t id = 0) const {
    return Request(WorkRequest::Opcode::kRead, local_offset, length, key, remote_offset, id);
  }
  WorkRequest Write(uint64_t local_offset, uint64_t length, const RemoteKey& key,
                    uint64_t remote_offset, uint64_t id = 0) const {
    return Request(WorkRequest::Opcode::kWrite, local_offset, length, key, remote_offset, id);
  }

  /// Posts all requests, as there is room, and polls until each has completed.
  std::vector<Completion> Carry(QueuePair& queue_pair, absl::Span<const WorkRequest> requests);
  /// As above on the first queue pair, for one request.
  CompletionStatus CarryOne(const WorkRequest& request);
  /// Polls until `count` completions have come.
  std::vector<Completion> Collect(size_t count);
};

class ConformanceTest : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override;

  Target MakeTarget(uint64_t bytes, uint64_t seed = 1);
  /// With no queue pair; the completion queue has room for `capacity`.
  Initiator MakeInitiator(uint64_t buffer_bytes, size_t capacity);
  /// With one queue pair to `target`.
  Initiator MakeInitiator(uint64_t buffer_bytes, const Target& target, size_t capacity = 16);
  void Connect(Initiator& initiator, const Endpoint& endpoint, size_t capacity = 16,
               uint8_t ticket = 0);

  std::unique_ptr<Device> device_;
};

/// Another process that exposes FillPattern(seed 1) memory, to be killed or stopped.
class TargetProcess {
 public:
  static constexpr uint64_t kBytes = uint64_t{4} << 20;

  explicit TargetProcess(const Case& transport);
  ~TargetProcess();
  TargetProcess(const TargetProcess&) = delete;
  TargetProcess& operator=(const TargetProcess&) = delete;

  const Endpoint& endpoint() const { return endpoint_; }
  const RemoteKey& key() const { return key_; }
  void Signal(int signal) const;
  /// Kills it and waits for its end.
  void Kill();

 private:
  pid_t pid_ = -1;
  int stdin_fd_ = -1;
  Endpoint endpoint_;
  RemoteKey key_;
};

}  // namespace fargraph::transport::conformance

#endif  // FARGRAPH_COMMON_TRANSPORT_CONFORMANCE_FIXTURE_H_
