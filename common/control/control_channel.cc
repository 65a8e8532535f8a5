#include "common/control/control_channel.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/control/answering_address.h"
#include "common/control/grpc_log.h"
#include "common/control/protocol.h"
#include "common/status_macros.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/channel_arguments.h"

namespace fargraph {
namespace {

/// Enough for a connection that broke between two calls; a node that is not there is reported
/// within a second.
constexpr int kMaxAttempts = 5;
constexpr absl::Duration kFirstPause = absl::Milliseconds(50);

/// What gRPC is to connect to. Names are resolved here: its own resolver asks DNS also for what
/// /etc/hosts has, and waits for ever where no DNS answers. Of the addresses of a name it would
/// take those of one family only, behind which a node that listens on one address need not be.
absl::StatusOr<HostPort> FindPeer(const std::string& address) {
  constexpr absl::Duration kPatience = absl::Seconds(1);
  FARGRAPH_ASSIGN_OR_RETURN(const HostPort host_port, ParseHostPort(address));
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<HostPort> resolved, Resolve(host_port));
  return AnsweringAddress(resolved, kPatience);
}

std::string GrpcTarget(const HostPort& peer) {
  const bool is_v6 = peer.host.find(':') != std::string::npos;
  return absl::StrCat(is_v6 ? "ipv6:" : "ipv4:", peer.ToString());
}

/// None if there is nothing to connect to.
std::unique_ptr<proto::MemoryNode::Stub> MakeStub(const absl::StatusOr<HostPort>& peer) {
  if (!peer.ok()) return nullptr;
  LogGrpcQuietly();
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // A connection of its own: one client's failed attempt must not hold back another's.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 50);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 500);
  return proto::MemoryNode::NewStub(
      grpc::CreateCustomChannel(GrpcTarget(*peer), grpc::InsecureChannelCredentials(), arguments));
}

/// What gRPC says of a failed connection ends, behind several layers of its own words, with the
/// reason that the system gave.
absl::string_view SystemReason(absl::string_view grpc_message) {
  const size_t colon = grpc_message.rfind(": ");
  return colon == absl::string_view::npos ? grpc_message : grpc_message.substr(colon + 2);
}

}  // namespace

ControlChannel::ControlChannel(std::string address, ControlOptions options)
    : address_(std::move(address)),
      options_(std::move(options)),
      peer_(FindPeer(address_)),
      stub_(MakeStub(peer_)) {}

/// A node may have to take the pages of a region from its host, to show them to a device, or to
/// zero them; at least this fast.
absl::Duration ControlChannel::TimeFor(uint64_t bytes) const {
  constexpr double kBytesPerSecond = 128 << 20;
  return options_.call_timeout + absl::Seconds(static_cast<double>(bytes) / kBytesPerSecond);
}

grpc::Status ControlChannel::Attempt(Invocation call, absl::Time deadline) {
  if (!peer_.ok()) {
    return {grpc::StatusCode::UNAVAILABLE, std::string(peer_.status().message())};
  }
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(deadline));
  if (!options_.token.empty()) {
    context.AddMetadata(kAuthorizationKey, AuthorizationValue(options_.token));
  }
  return call(&context);
}

absl::Status ControlChannel::CallWithRetries(absl::string_view what, uint64_t bytes,
                                             Invocation call) {
  if (!peer_.ok()) {
    return absl::UnavailableError(
        absl::StrCat("cannot ", what, " memory node ", address_, ": ", peer_.status().message()));
  }
  const absl::Duration timeout = TimeFor(bytes);
  const absl::Time deadline = absl::Now() + timeout;
  absl::Duration pause = kFirstPause;
  for (int attempt = 1;; ++attempt, pause *= 2) {
    const grpc::Status status = Attempt(call, deadline);
    if (status.ok()) return absl::OkStatus();
    const bool worth_repeating = status.error_code() == grpc::StatusCode::UNAVAILABLE &&
                                 attempt < kMaxAttempts && absl::Now() + pause < deadline;
    if (!worth_repeating) return Explain(what, status, timeout);
    absl::SleepFor(pause);
  }
}

absl::Status ControlChannel::Explain(absl::string_view what, const grpc::Status& status,
                                     absl::Duration timeout) const {
  const std::string prefix = absl::StrCat("cannot ", what, " memory node ", address_, ": ");
  switch (status.error_code()) {
    case grpc::StatusCode::UNAVAILABLE:
      return absl::UnavailableError(
          absl::StrCat(prefix, "it cannot be reached (", SystemReason(status.error_message()),
                       "); check the address, and that fargraph-memory-node runs there"));
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return absl::UnavailableError(
          absl::StrCat(prefix, "no answer within ",
                       absl::FormatDuration(absl::Trunc(timeout, absl::Milliseconds(1))),
                       "; check the address, and that fargraph-memory-node runs there"));
    case grpc::StatusCode::UNIMPLEMENTED:
      return absl::UnavailableError(
          absl::StrCat(prefix,
                       "what answers there does not know this call; check that it is a "
                       "fargraph-memory-node of this version"));
    case grpc::StatusCode::ABORTED:  // the protocol's word for a lease that has ended
      return absl::UnavailableError(absl::StrCat(prefix, status.error_message()));
    default:
      return {static_cast<absl::StatusCode>(status.error_code()),
              absl::StrCat(prefix, status.error_message())};
  }
}

}  // namespace fargraph
