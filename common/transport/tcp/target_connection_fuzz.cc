// Feeds a target's connection what no sound initiator sends. The input is a sequence of pieces: a
// byte that chooses a well-formed request under a live, a read-only or a dead key, a revocation, or
// raw bytes, and what the choice needs.
#include <fuzzer/FuzzedDataProvider.h>
#include <sys/socket.h>

#include <memory>
#include <vector>

#include "common/transport/tcp/target_connection.h"

namespace fargraph::transport::tcp {
namespace {

constexpr uint64_t kBytes = 256 << 10;

/// The memory and the table of keys, which are slow to make, serve all inputs.
struct Target {
  MappedMemory memory = MappedMemory::Allocate(kBytes).value();
  KeyTable keys = KeyTable::Create(kBytes).value();
  const Exposure exposure = {memory.bytes(), keys.view(), [](const Ticket&) { return true; }};
};

class Harness {
 public:
  explicit Harness(Target& target) : target_(target) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0) return;
    peer_ = UniqueFd(ends[0]);
    connection_ = std::make_unique<TargetConnection>(target_.exposure, UniqueFd(ends[1]));
  }
  ~Harness() {
    for (const RemoteKey& key : {writable_, readable_}) {
      target_.keys.Retire(key.rkey).IgnoreError();
      target_.keys.Release(key.rkey);
    }
  }
  Harness(const Harness&) = delete;
  Harness& operator=(const Harness&) = delete;

  /// One piece; false when the connection is over.
  bool Feed(FuzzedDataProvider& input) {
    switch (input.ConsumeIntegralInRange(0, 3)) {
      case 0: {
        const auto bytes = input.ConsumeBytes<char>(input.ConsumeIntegralInRange(0, 100));
        return Send(bytes.data(), bytes.size());
      }
      case 1:
        return Send(&kHello, sizeof kHello);
      case 2: {
        const RequestHeader request = {
            .operation = input.PickValueInArray({Operation::kRead, Operation::kWrite}),
            .length = input.ConsumeIntegral<uint32_t>(),
            .address = input.ConsumeIntegralInRange<uint64_t>(0, 2 * kBytes),
            .rkey = input.PickValueInArray({writable_.rkey, readable_.rkey, uint64_t{7}})};
        return Send(&request, sizeof request);
      }
      default:
        target_.keys.Retire(writable_.rkey).IgnoreError();
        return connection_->Serve(copying_);
    }
  }

 private:
  static constexpr Hello kHello = {};

  bool Send(const void* bytes, size_t size) {
    send(peer_.get(), bytes, size, MSG_NOSIGNAL);
    const bool alive = connection_->Serve(copying_);
    char sink[64 << 10];
    recv(peer_.get(), sink, sizeof sink, 0);
    return alive;
  }

  Target& target_;
  const RemoteKey writable_ = target_.keys.Expose(0, kBytes, Access::kReadWrite).value();
  const RemoteKey readable_ = target_.keys.Expose(0, kBytes, Access::kRead).value();
  UniqueFd peer_;
  std::unique_ptr<TargetConnection> connection_;
  CopyMarker copying_;
};

}  // namespace
}  // namespace fargraph::transport::tcp

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzedDataProvider input(data, size);
  static auto* target = new fargraph::transport::tcp::Target;
  fargraph::transport::tcp::Harness harness(*target);
  while (input.remaining_bytes() > 0 && harness.Feed(input)) {
  }
  return 0;
}
