#include "common/transport/verbs/device_choice.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace fargraph::transport::verbs {
namespace {

constexpr char kOtherProtocol[] =
    "neither InfiniBand nor RoCE, and the verbs transport needs one of them (iWARP will not do); "
    "use another transport (tcp)";

std::string NamesOf(absl::Span<const DeviceCandidate> candidates) {
  return absl::StrJoin(candidates, ", ", [](std::string* out, const DeviceCandidate& candidate) {
    absl::StrAppend(out, candidate.name);
  });
}

absl::StatusOr<size_t> ChooseByName(absl::Span<const DeviceCandidate> candidates,
                                    const char* wanted) {
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].name != wanted) continue;
    if (candidates[i].speaks_infiniband) return i;
    return absl::FailedPreconditionError(absl::StrCat(
        "RDMA device ", wanted, ", which ", kDeviceVariable, " names, speaks ", kOtherProtocol));
  }
  return absl::FailedPreconditionError(absl::StrCat("this host has no RDMA device '", wanted,
                                                    "', which ", kDeviceVariable, " names; it has ",
                                                    NamesOf(candidates)));
}

}  // namespace

absl::StatusOr<size_t> ChooseDevice(absl::Span<const DeviceCandidate> candidates,
                                    const char* wanted) {
  if (wanted != nullptr) return ChooseByName(candidates, wanted);
  std::vector<DeviceCandidate> inactive;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (!candidates[i].speaks_infiniband) continue;
    if (candidates[i].is_active) return i;
    inactive.push_back(candidates[i]);
  }
  if (inactive.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "this host's RDMA devices (", NamesOf(candidates), ") speak ", kOtherProtocol));
  }
  return absl::FailedPreconditionError(
      absl::StrCat("no port of this host's RDMA devices (", NamesOf(inactive),
                   ") is active; plug the cable in and bring the network interface up (`rdma link` "
                   "shows both)"));
}

}  // namespace fargraph::transport::verbs
