#ifndef FARGRAPH_COMMON_CONTROL_CONTROL_CHANNEL_H_
#define FARGRAPH_COMMON_CONTROL_CONTROL_CHANNEL_H_

#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "common/address.h"
#include "common/control/memory_node_client.h"
#include "common/proto/memory_node.grpc.pb.h"
#include "grpcpp/client_context.h"

namespace fargraph {

/// Calls to one memory node: adds the token and the deadline, repeats a call whose connection
/// broke, and turns failures into sentences. Any thread may call.
class ControlChannel {
 public:
  template <typename Request, typename Reply>
  using Method = grpc::Status (proto::MemoryNode::Stub::*)(grpc::ClientContext*, const Request&,
                                                           Reply*);

  /// `address` is HOST:PORT and the token has passed CheckToken.
  ControlChannel(std::string address, ControlOptions options);

  const std::string& address() const { return address_; }
  /// The numeric one at which the node answered. Only after a call that succeeded.
  const HostPort& peer() const { return *peer_; }
  absl::Duration call_timeout() const { return options_.call_timeout; }
  /// How long a call may take: the call timeout, and longer where the node has to do something with
  /// as many bytes of its memory.
  absl::Duration TimeFor(uint64_t bytes) const;

  /// Calls within TimeFor(bytes); `what` completes "cannot ..." in the error.
  template <typename Request, typename Reply>
  absl::Status Call(absl::string_view what, Method<Request, Reply> method, const Request& request,
                    Reply* reply, uint64_t bytes = 0) {
    return CallWithRetries(what, bytes, [&](grpc::ClientContext* context) {
      return (*stub_.*method)(context, request, reply);
    });
  }

  /// Calls once, until `deadline`; the status is gRPC's own.
  template <typename Request, typename Reply>
  grpc::Status CallOnce(Method<Request, Reply> method, const Request& request, Reply* reply,
                        absl::Time deadline) {
    return Attempt(
        [&](grpc::ClientContext* context) { return (*stub_.*method)(context, request, reply); },
        deadline);
  }

  /// The sentence for a failed call, which had so much time.
  absl::Status Explain(absl::string_view what, const grpc::Status& status,
                       absl::Duration timeout) const;

 private:
  using Invocation = absl::FunctionRef<grpc::Status(grpc::ClientContext*)>;

  absl::Status CallWithRetries(absl::string_view what, uint64_t bytes, Invocation call);
  grpc::Status Attempt(Invocation call, absl::Time deadline);

  const std::string address_;
  const ControlOptions options_;
  const absl::StatusOr<HostPort> peer_;  ///< what gRPC connects to
  const std::unique_ptr<proto::MemoryNode::Stub> stub_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_CONTROL_CONTROL_CHANNEL_H_
