#ifndef FARGRAPH_COMMON_TRANSPORT_VERBS_LISTENER_H_
#define FARGRAPH_COMMON_TRANSPORT_VERBS_LISTENER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "common/transport/transport.h"
#include "common/transport/verbs/cm_channel.h"
#include "common/transport/verbs/device_context.h"
#include "common/transport/verbs/event_thread.h"
#include "common/transport/verbs/handles.h"

namespace fargraph::transport::verbs {

/// The host in the endpoint of a listener on `host`: where that is every address, the one of its
/// device's `addresses` that is not link-local, if there is just one. Of several none can be told
/// to be in every peer's network, and peers take the host at which they reached the control port.
std::string StatedHost(const std::string& host, std::vector<std::string> addresses);

/// The target side: a protection domain with the exposed memory and the queue pairs that were
/// admitted to it. The device answers their requests; the thread sees to connections only.
class VerbsListener final : public Listener {
 public:
  /// `device` must outlive the listener. FailedPrecondition when the host is not an address of the
  /// device, with those that are.
  static absl::StatusOr<std::unique_ptr<Listener>> Listen(const DeviceContext& device,
                                                          const ListenOptions& options);
  ~VerbsListener() override;

  Endpoint endpoint() const override { return endpoint_; }
  absl::StatusOr<RemoteKey> Expose(uint64_t offset, uint64_t length, Access access) override;
  absl::Status Revoke(const RemoteKey& key) override;
  void Disconnect(const Ticket& ticket) override;
  bool device_lost() const override { return device_lost_; }

 private:
  /// An admitted peer, or one whose admission is being decided.
  struct Peer {
    CmId id;
    Ticket ticket;
    bool disconnected = false;
  };

  VerbsListener(const DeviceContext& device, const ListenOptions& options)
      : device_(device), options_(options) {}
  absl::Status Open();
  absl::Status Bind();

  void OnCmEvents();
  void OnConnectRequest(const rdma_cm_event& event);
  /// Brings the peer's queue pair up; ResourceExhausted and the like when the device cannot.
  absl::Status Accept(rdma_cm_id* id, const rdma_conn_param& request);

  const DeviceContext& device_;
  const ListenOptions options_;
  Endpoint endpoint_;
  ProtectionDomain domain_;
  HardwareQueue completion_queue_;  ///< of queue pairs that post nothing: stays empty
  CmChannel channel_;
  CmId listening_;
  std::atomic<bool> device_lost_ = false;

  absl::Mutex mutex_;
  absl::flat_hash_map<uint32_t, RegisteredMemory> exposed_ ABSL_GUARDED_BY(mutex_);  ///< by rkey
  absl::flat_hash_map<rdma_cm_id*, Peer> peers_ ABSL_GUARDED_BY(mutex_);

  std::unique_ptr<EventThread> thread_;  ///< last: it uses all of the above
};

}  // namespace fargraph::transport::verbs

#endif  // FARGRAPH_COMMON_TRANSPORT_VERBS_LISTENER_H_
