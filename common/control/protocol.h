#ifndef FARGRAPH_COMMON_CONTROL_PROTOCOL_H_
#define FARGRAPH_COMMON_CONTROL_PROTOCOL_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/proto/memory_node.pb.h"
#include "common/transport/transport.h"
#include "grpcpp/support/status.h"

/// What both ends of the control plane must agree on beyond common/proto/memory_node.proto.
namespace fargraph {

inline constexpr uint32_t kProtocolVersion = 1;

/// The metadata that carries the token, and its value.
inline constexpr char kAuthorizationKey[] = "authorization";
std::string AuthorizationValue(absl::string_view token);

proto::Transport ToProto(transport::Kind kind);
/// InvalidArgument for a value that this version does not know.
absl::StatusOr<transport::Kind> FromProto(proto::Transport transport);

grpc::Status ToGrpc(const absl::Status& status);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_CONTROL_PROTOCOL_H_
