#include "common/transport/transport.h"

#include "absl/strings/str_cat.h"
#include "common/transport/shm/shm_device.h"
#include "common/transport/tcp/tcp_device.h"
#include "common/transport/verbs/verbs_device.h"

namespace fargraph::transport {

absl::string_view KindName(Kind kind) {
  switch (kind) {
    case Kind::kVerbs:
      return "verbs";
    case Kind::kShm:
      return "shm";
    case Kind::kTcp:
      return "tcp";
  }
  return "unknown";
}

absl::StatusOr<Kind> ParseKind(absl::string_view name) {
  for (const Kind kind : {Kind::kVerbs, Kind::kShm, Kind::kTcp}) {
    if (name == KindName(kind)) return kind;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("\"", name, "\" is not a transport; choose verbs, shm or tcp"));
}

absl::string_view CompletionStatusName(CompletionStatus status) {
  switch (status) {
    case CompletionStatus::kSuccess:
      return "success";
    case CompletionStatus::kRemoteAccessError:
      return "remote access error";
    case CompletionStatus::kRetryExceeded:
      return "retry exceeded";
    case CompletionStatus::kFlushed:
      return "flushed";
  }
  return "unknown";
}

absl::StatusOr<std::unique_ptr<Device>> OpenDevice(Kind kind) {
  switch (kind) {
    case Kind::kVerbs:
      return OpenVerbsDevice();
    case Kind::kShm:
      return OpenShmDevice();
    case Kind::kTcp:
      return OpenTcpDevice();
  }
  return absl::InvalidArgumentError("there is no such transport");
}

}  // namespace fargraph::transport
