#include "common/control/protocol.h"

#include "absl/strings/str_cat.h"

namespace fargraph {

std::string AuthorizationValue(absl::string_view token) { return absl::StrCat("Bearer ", token); }

proto::Transport ToProto(transport::Kind kind) {
  switch (kind) {
    case transport::Kind::kVerbs:
      return proto::TRANSPORT_VERBS;
    case transport::Kind::kShm:
      return proto::TRANSPORT_SHM;
    case transport::Kind::kTcp:
      return proto::TRANSPORT_TCP;
  }
  return proto::TRANSPORT_UNSPECIFIED;
}

absl::StatusOr<transport::Kind> FromProto(proto::Transport transport) {
  switch (transport) {
    case proto::TRANSPORT_VERBS:
      return transport::Kind::kVerbs;
    case proto::TRANSPORT_SHM:
      return transport::Kind::kShm;
    case proto::TRANSPORT_TCP:
      return transport::Kind::kTcp;
    default:
      return absl::InvalidArgumentError(
          absl::StrCat("transport number ", static_cast<int>(transport),
                       " is unknown to this version; use the same version on both ends"));
  }
}

grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  return {static_cast<grpc::StatusCode>(status.code()), std::string(status.message())};
}

}  // namespace fargraph
