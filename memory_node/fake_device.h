#ifndef FARGRAPH_MEMORY_NODE_FAKE_DEVICE_H_
#define FARGRAPH_MEMORY_NODE_FAKE_DEVICE_H_

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "common/transport/transport.h"
#include "gtest/gtest.h"
#include "memory_node/data_plane.h"

/// For tests: a transport without connections, which remembers what it exposes and fails on demand.
namespace fargraph::fake {

struct Exposure {
  uint64_t offset = 0;
  uint64_t length = 0;
  transport::Access access = transport::Access::kRead;
};

/// What all devices of one test did; outlives them. Any thread may call.
class Journal {
 public:
  std::map<uint64_t, Exposure> exposed() const {
    const absl::MutexLock lock(&mutex_);
    return exposed_;
  }
  std::vector<transport::Ticket> disconnected() const {
    const absl::MutexLock lock(&mutex_);
    return disconnected_;
  }
  void FailExpose(absl::Status status) {
    const absl::MutexLock lock(&mutex_);
    expose_status_ = std::move(status);
  }
  void LoseDevice() { device_lost_ = true; }
  bool device_lost() const { return device_lost_; }
  void FailRevoke(absl::Status status) {
    const absl::MutexLock lock(&mutex_);
    revoke_status_ = std::move(status);
  }

  absl::StatusOr<transport::RemoteKey> Expose(const Exposure& exposure) {
    const absl::MutexLock lock(&mutex_);
    if (!expose_status_.ok()) return expose_status_;
    exposed_.emplace(++last_rkey_, exposure);
    return transport::RemoteKey{exposure.offset, last_rkey_};
  }
  absl::Status Revoke(const transport::RemoteKey& key) {
    const absl::MutexLock lock(&mutex_);
    if (!revoke_status_.ok()) return revoke_status_;
    return exposed_.erase(key.rkey) == 1 ? absl::OkStatus() : absl::NotFoundError("no such key");
  }
  void Disconnect(const transport::Ticket& ticket) {
    const absl::MutexLock lock(&mutex_);
    disconnected_.push_back(ticket);
  }

 private:
  mutable absl::Mutex mutex_;
  std::atomic<bool> device_lost_ = false;
  uint64_t last_rkey_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<uint64_t, Exposure> exposed_ ABSL_GUARDED_BY(mutex_);  ///< by rkey
  std::vector<transport::Ticket> disconnected_ ABSL_GUARDED_BY(mutex_);
  absl::Status expose_status_ ABSL_GUARDED_BY(mutex_);
  absl::Status revoke_status_ ABSL_GUARDED_BY(mutex_);
};

class FakeListener : public transport::Listener {
 public:
  FakeListener(Journal& journal, transport::ListenOptions options, std::string endpoint)
      : journal_(journal), options_(std::move(options)), endpoint_(std::move(endpoint)) {}

  transport::Endpoint endpoint() const override { return endpoint_; }
  absl::StatusOr<transport::RemoteKey> Expose(uint64_t offset, uint64_t length,
                                              transport::Access access) override {
    return journal_.Expose({offset, length, access});
  }
  absl::Status Revoke(const transport::RemoteKey& key) override { return journal_.Revoke(key); }
  void Disconnect(const transport::Ticket& ticket) override {
    EXPECT_FALSE(options_.admit(ticket)) << "a peer could connect again at once";
    journal_.Disconnect(ticket);
  }
  bool device_lost() const override { return journal_.device_lost(); }

 private:
  Journal& journal_;
  const transport::ListenOptions options_;
  const std::string endpoint_;
};

class FakeDevice : public transport::Device {
 public:
  FakeDevice(Journal& journal, transport::Kind kind) : journal_(journal), kind_(kind) {}

  transport::Kind kind() const override { return kind_; }
  absl::StatusOr<std::unique_ptr<transport::MemoryRegion>> RegisterMemory(
      absl::Span<std::byte> /*memory*/) override {
    return absl::UnimplementedError("fake");
  }
  absl::StatusOr<std::unique_ptr<transport::CompletionQueue>> CreateCompletionQueue(
      size_t /*capacity*/) override {
    return absl::UnimplementedError("fake");
  }
  absl::StatusOr<std::unique_ptr<transport::QueuePair>> Connect(
      const transport::Endpoint& /*endpoint*/, const transport::Ticket& /*ticket*/,
      transport::CompletionQueue& /*completion_queue*/,
      const transport::QueuePairOptions& /*options*/) override {
    return absl::UnimplementedError("fake");
  }
  absl::StatusOr<std::unique_ptr<transport::Listener>> Listen(
      const transport::ListenOptions& options) override {
    return std::make_unique<FakeListener>(
        journal_, options, std::string(transport::KindName(kind_)) + "@" + options.host);
  }

 private:
  Journal& journal_;
  const transport::Kind kind_;
};

/// Opens fake devices of the kinds in `present`; the host has no other.
inline DeviceOpener Opener(Journal& journal, std::vector<transport::Kind> present) {
  return [&journal, present = std::move(present)](
             transport::Kind kind) -> absl::StatusOr<std::unique_ptr<transport::Device>> {
    if (std::find(present.begin(), present.end(), kind) == present.end()) {
      return absl::NotFoundError("this host has no such device; install one");
    }
    return std::make_unique<FakeDevice>(journal, kind);
  };
}

}  // namespace fargraph::fake

#endif  // FARGRAPH_MEMORY_NODE_FAKE_DEVICE_H_
