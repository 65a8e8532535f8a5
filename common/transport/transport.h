#ifndef FARGRAPH_COMMON_TRANSPORT_TRANSPORT_H_
#define FARGRAPH_COMMON_TRANSPORT_TRANSPORT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "common/memory/mapped_memory.h"

/// The data plane in verbs' own words: register local memory, connect a queue pair to a peer, post
/// batches of one-sided reads and writes, poll completions. Verbs, shm, tcp and faulty implement it
/// and pass one conformance suite (conformance_test.cc), so everything above this header is the
/// same code on each of them.
namespace fargraph::transport {

enum class Kind : uint8_t { kVerbs, kShm, kTcp };

/// "verbs", "shm" or "tcp".
absl::string_view KindName(Kind kind);
/// The kind of that name; InvalidArgument names the three.
absl::StatusOr<Kind> ParseKind(absl::string_view name);

/// A data-plane address, as a Listener states it and Device::Connect takes it. Opaque in between.
using Endpoint = std::string;

/// The secret that admits a queue pair to a listener; handed out over the authenticated control
/// plane. Never logged.
using Ticket = std::array<std::byte, 16>;

enum class Access : uint8_t { kRead, kReadWrite };

/// Names exposed memory to a peer. `address` is where the memory begins in the peer's address
/// space; offsets add to it. Handed out over the authenticated control plane only. Never logged.
struct RemoteKey {
  uint64_t address = 0;
  uint64_t rkey = 0;
};

/// One one-sided operation between registered local memory and exposed remote memory. The local
/// bytes belong to the transport from Post until the completion.
struct WorkRequest {
  enum class Opcode : uint8_t { kRead, kWrite };
  Opcode opcode = Opcode::kRead;
  std::byte* local_address = nullptr;
  uint64_t length = 0;  ///< bytes, 1 to kMaxRequestBytes
  uint32_t lkey = 0;    ///< of the MemoryRegion that holds [local_address, local_address + length)
  uint64_t remote_address = 0;
  uint64_t rkey = 0;
  uint64_t wr_id = 0;  ///< the caller's; comes back in the Completion
};

inline constexpr uint64_t kMaxRequestBytes = uint64_t{64} << 20;

enum class CompletionStatus : uint8_t {
  kSuccess,            ///< the bytes have arrived
  kRemoteAccessError,  ///< out of the exposed range, revoked, or not writable
  kRetryExceeded,      ///< the peer does not answer any more
  kFlushed,            ///< not carried out: an earlier request broke the queue pair
};

absl::string_view CompletionStatusName(CompletionStatus status);

struct Completion {
  uint64_t wr_id = 0;
  CompletionStatus status = CompletionStatus::kSuccess;
};

/// Local memory that a device may read into and write from. Unregisters at destruction, which must
/// come after the last completion that touches it; does not own the memory.
class MemoryRegion {
 public:
  virtual ~MemoryRegion() = default;
  virtual uint32_t lkey() const = 0;
};

/// Where the completions of one or more queue pairs arrive. Used by one thread at a time, together
/// with its queue pairs: one completion queue per thread needs no lock on the hot path.
class CompletionQueue {
 public:
  virtual ~CompletionQueue() = default;

  /// Takes up to completions.size() completions that have arrived; returns how many. Never blocks,
  /// never allocates. Requests of one queue pair complete in the order of posting. Every accepted
  /// request completes exactly once, also when its peer dies (within about 10 s of silence) or its
  /// device (60 s), unless its queue pair is destroyed first.
  virtual size_t Poll(absl::Span<Completion> completions) = 0;

  /// Sleeps until Poll may find something, or until `timeout` has passed. Spurious returns are
  /// allowed.
  virtual void Wait(absl::Duration timeout) = 0;
};

/// A reliable connection to one peer. Used by the thread that uses its completion queue.
///
/// Any completion other than kSuccess breaks the queue pair, as it does in verbs: what was
/// outstanding completes as kFlushed, and Post answers Unavailable from then on. Connect a new one
/// to go on.
class QueuePair {
 public:
  virtual ~QueuePair() = default;

  /// Posts the requests in order under one doorbell, as far as there is room; returns how many were
  /// accepted, 0 when the queue is full. Never blocks, never allocates. Unavailable when the queue
  /// pair is broken (nothing was accepted); InvalidArgument when the length or lkey of one that
  /// there is room for is not valid (none of the batch was accepted).
  virtual absl::StatusOr<size_t> Post(absl::Span<const WorkRequest> requests) = 0;

  /// Requests accepted and not yet polled; and how many there may be.
  virtual size_t outstanding() const = 0;
  virtual size_t capacity() const = 0;
};

struct QueuePairOptions {
  size_t capacity =
      128;  ///< requests outstanding at most; a device may grant fewer (see QueuePair::capacity)
  absl::Duration connect_timeout = absl::Seconds(5);
};

struct ListenOptions {
  std::string host;  ///< name or address to listen on, and what the endpoint says; shm ignores it
  /// The only memory that will be exposed. Verbs and tcp use its bytes, shm hands its memfd to the
  /// peers. It must outlive the listener.
  const MappedMemory* memory = nullptr;
  /// Says whether a peer that shows this ticket may connect. Called from the listener's own
  /// threads; must not call back.
  std::function<bool(const Ticket&)> admit;
};

/// The target side: exposes memory and accepts queue pairs on threads of its own. Expose, Revoke
/// and Disconnect may be called by any thread. Its destruction breaks every connection and revokes
/// every key.
class Listener {
 public:
  virtual ~Listener() = default;

  /// What peers pass to Device::Connect.
  virtual Endpoint endpoint() const = 0;

  /// Exposes [offset, offset + length) of the listener's memory under a new key. FailedPrecondition
  /// when the host does not let it (memlock), with the limit and how to raise it; InvalidArgument
  /// when the range is empty or beyond the memory.
  virtual absl::StatusOr<RemoteKey> Expose(uint64_t offset, uint64_t length, Access access) = 0;

  /// After it has returned OK no request with that key succeeds, and none touches the memory any
  /// more. NotFound when there is no such key. Unavailable when a peer of this host was stopped in
  /// the middle of a copy (shm only): the key is dead, but the memory must not be used for anything
  /// else before Revoke, called again, has returned OK.
  virtual absl::Status Revoke(const RemoteKey& key) = 0;

  /// Breaks the queue pairs that were admitted with this ticket.
  virtual void Disconnect(const Ticket& ticket) = 0;

  /// Whether its device has gone from the host: nobody can connect any more.
  virtual bool device_lost() const { return false; }
};

/// One kind of transport as this process uses it: for verbs an RDMA device, for the others the host
/// itself. Any thread may call it. It must outlive all that it made.
class Device {
 public:
  virtual ~Device() = default;

  virtual Kind kind() const = 0;

  /// FailedPrecondition when the host does not let it (memlock), with the limit and how to raise
  /// it.
  virtual absl::StatusOr<std::unique_ptr<MemoryRegion>> RegisterMemory(
      absl::Span<std::byte> memory) = 0;

  /// `capacity`: the sum of the capacities of the queue pairs that will use it.
  virtual absl::StatusOr<std::unique_ptr<CompletionQueue>> CreateCompletionQueue(
      size_t capacity) = 0;

  /// Connects to a listener of the same kind. `completion_queue` must outlive the queue pair.
  /// Unavailable when nobody answers in time, PermissionDenied when the ticket is not admitted,
  /// InvalidArgument when the completion queue has no room for `options.capacity` more.
  virtual absl::StatusOr<std::unique_ptr<QueuePair>> Connect(const Endpoint& endpoint,
                                                             const Ticket& ticket,
                                                             CompletionQueue& completion_queue,
                                                             const QueuePairOptions& options) = 0;

  virtual absl::StatusOr<std::unique_ptr<Listener>> Listen(const ListenOptions& options) = 0;
};

/// Opens the host's device of that kind. Verbs alone may fail, saying what to do: NotFound when
/// there is none, FailedPrecondition when it cannot be used, such as while its port is down.
absl::StatusOr<std::unique_ptr<Device>> OpenDevice(Kind kind);

}  // namespace fargraph::transport

#endif  // FARGRAPH_COMMON_TRANSPORT_TRANSPORT_H_
