#include "memory_node/data_plane.h"

#include <array>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

using transport::Kind;
using transport::KindName;

constexpr std::array<Kind, 3> kAllKinds = {Kind::kVerbs, Kind::kShm, Kind::kTcp};

/// A device that pins memory can fail to when the first region is lent; better to fail at start.
absl::Status CheckMemoryCanBeExposed(transport::Listener& listener, const MappedMemory& memory) {
  FARGRAPH_ASSIGN_OR_RETURN(const transport::RemoteKey key,
                            listener.Expose(0, memory.size(), transport::Access::kReadWrite));
  return listener.Revoke(key);
}

std::string Reason(Kind kind, const absl::Status& status) {
  return absl::StrCat(KindName(kind), ": ", status.message());
}

}  // namespace

absl::StatusOr<std::unique_ptr<DataPlane>> DataPlane::Open(const DataPlaneOptions& options) {
  auto plane = std::make_unique<DataPlane>();
  for (const Kind kind : options.transports) {
    if (plane->Serves(kind)) continue;
    if (const absl::Status status = plane->Add(kind, options); !status.ok()) {
      const absl::StatusCode code =
          absl::IsNotFound(status) ? absl::StatusCode::kFailedPrecondition : status.code();
      return absl::Status(code, absl::StrCat("cannot serve ", Reason(kind, status)));
    }
  }
  if (!options.transports.empty()) return plane;

  for (const Kind kind : kAllKinds) plane->AddIfPossible(kind, options);
  if (plane->services_.empty()) {
    std::vector<std::string> reasons = plane->absences_;
    reasons.insert(reasons.end(), plane->failures_.begin(), plane->failures_.end());
    return absl::FailedPreconditionError(absl::StrCat(
        "this host can serve no transport (", absl::StrJoin(reasons, "; "), "); mend one of them"));
  }
  return plane;
}

absl::StatusOr<DataPlane::Service> DataPlane::Listen(std::unique_ptr<transport::Device> device,
                                                     const DataPlaneOptions& options) {
  Service service = {.device = std::move(device), .listener = nullptr};
  transport::ListenOptions listen;
  listen.host = options.host;
  listen.memory = options.memory;
  listen.admit = [kind = service.device->kind(), admit = options.admit](
                     const transport::Ticket& ticket) { return admit(kind, ticket); };
  FARGRAPH_ASSIGN_OR_RETURN(service.listener, service.device->Listen(listen));
  return service;
}

absl::Status DataPlane::Add(Kind kind, const DataPlaneOptions& options) {
  FARGRAPH_ASSIGN_OR_RETURN(auto device, options.open_device(kind));
  FARGRAPH_ASSIGN_OR_RETURN(Service service, Listen(std::move(device), options));
  FARGRAPH_RETURN_IF_ERROR(CheckMemoryCanBeExposed(*service.listener, *options.memory));
  services_.push_back(std::move(service));
  return absl::OkStatus();
}

void DataPlane::AddIfPossible(Kind kind, const DataPlaneOptions& options) {
  absl::StatusOr<std::unique_ptr<transport::Device>> device = options.open_device(kind);
  if (!device.ok()) {
    std::vector<std::string>& reasons = absl::IsNotFound(device.status()) ? absences_ : failures_;
    reasons.push_back(Reason(kind, device.status()));
    return;
  }
  absl::StatusOr<Service> service = Listen(*std::move(device), options);
  if (!service.ok()) {
    absences_.push_back(Reason(kind, service.status()));
    return;
  }
  const absl::Status status = CheckMemoryCanBeExposed(*service->listener, *options.memory);
  if (status.ok()) {
    services_.push_back(*std::move(service));
  } else {
    failures_.push_back(Reason(kind, status));
  }
}

std::vector<Kind> DataPlane::transports() const {
  std::vector<Kind> kinds;
  for (const Service& service : services_) {
    if (!service.listener->device_lost()) kinds.push_back(service.device->kind());
  }
  return kinds;
}

bool DataPlane::Serves(Kind kind) const {
  const transport::Listener* const listener = Find(kind);
  return listener != nullptr && !listener->device_lost();
}

std::string DataPlane::Names() const {
  return absl::StrJoin(transports(), ", ",
                       [](std::string* text, Kind kind) { absl::StrAppend(text, KindName(kind)); });
}

transport::Listener* DataPlane::Find(Kind kind) const {
  for (const Service& service : services_) {
    if (service.device->kind() == kind) return service.listener.get();
  }
  return nullptr;
}

transport::Endpoint DataPlane::endpoint(Kind kind) const { return Find(kind)->endpoint(); }

absl::StatusOr<transport::RemoteKey> DataPlane::Expose(Kind kind, uint64_t offset, uint64_t length,
                                                       transport::Access access) {
  return Find(kind)->Expose(offset, length, access);
}

absl::Status DataPlane::Revoke(Kind kind, const transport::RemoteKey& key) {
  return Find(kind)->Revoke(key);
}

void DataPlane::Disconnect(Kind kind, const transport::Ticket& ticket) {
  Find(kind)->Disconnect(ticket);
}

}  // namespace fargraph
