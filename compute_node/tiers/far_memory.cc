#include "compute_node/tiers/far_memory.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/status_macros.h"
#include "compute_node/tiers/far_space.h"
#include "graph/striping/stripes.h"

namespace fargraph {
namespace {

using transport::Kind;

/// Part k of n of a segment is a region of its own: "NAME#k/n".
std::string PartName(const std::string& name, size_t part, size_t parts) {
  return absl::StrCat(name, "#", part, "/", parts);
}

/// "fargraph/CONTENT_ID/", with which the names of all uploads of a graph begin; "" of other names.
std::string GraphPrefix(const std::string& name) {
  const size_t end = name.find('/', name.find('/') + 1);
  return end == std::string::npos ? "" : name.substr(0, end + 1);
}

bool Offers(const MemoryNodeClient& client, Kind kind) {
  const auto& kinds = client.description().transports;
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool OnThisHost(const MemoryNodeClient& client) {
  const std::string& host = client.description().host_id;
  return !host.empty() && host == LocalHostId();
}

}  // namespace

absl::StatusOr<std::unique_ptr<FarMemory>> FarMemory::Connect(const FarMemoryOptions& options) {
  std::unique_ptr<FarMemory> memory(new FarMemory());
  for (const std::string& address : options.memory_nodes) {
    FARGRAPH_ASSIGN_OR_RETURN(auto client, MemoryNodeClient::Connect(address, options.control));
    for (const Node& other : memory->nodes_) {
      if (other.client->description().node_id != client->description().node_id) continue;
      return absl::InvalidArgumentError(absl::StrCat("memory nodes ", other.client->address(),
                                                     " and ", address,
                                                     " are the same; name each once"));
    }
    memory->nodes_.push_back({.client = std::move(client)});
  }
  FARGRAPH_RETURN_IF_ERROR(memory->ChooseTransport(options.transport));
  FARGRAPH_RETURN_IF_ERROR(memory->OpenLeases());
  return memory;
}

FarMemory::~FarMemory() = default;

absl::Status FarMemory::ChooseTransport(std::optional<Kind> wanted) {
  const auto all = [this](auto&& holds) {
    return std::all_of(nodes_.begin(), nodes_.end(),
                       [&](const Node& node) { return holds(*node.client); });
  };
  const auto all_offer = [&](Kind kind) {
    return all([kind](const MemoryNodeClient& client) { return Offers(client, kind); });
  };

  if (wanted.has_value()) {
    auto device = transport::OpenDevice(*wanted);
    if (!device.ok()) {
      return absl::FailedPreconditionError(
          absl::StrCat("cannot use --transport=", transport::KindName(*wanted), ": ",
                       device.status().message()));
    }
    for (const Node& node : nodes_) {
      if (Offers(*node.client, *wanted)) continue;
      return absl::FailedPreconditionError(absl::StrCat(
          "memory node ", node.client->address(), " does not offer ", transport::KindName(*wanted),
          "; choose another --transport, or start it with --transports=",
          transport::KindName(*wanted)));
    }
    if (*wanted == Kind::kShm && !all(OnThisHost)) {
      return absl::FailedPreconditionError(
          "shm reaches memory nodes on this host only; choose --transport=tcp or verbs for the "
          "others");
    }
    device_ = *std::move(device);
    transport_choice_ = absl::StrCat(transport::KindName(*wanted), ", as asked");
    return absl::OkStatus();
  }

  if (all_offer(Kind::kVerbs)) {
    if (auto device = transport::OpenDevice(Kind::kVerbs); device.ok()) {
      device_ = *std::move(device);
      transport_choice_ = "verbs, since all sides have an RDMA device";
      return absl::OkStatus();
    }
  }
  if (all_offer(Kind::kShm) && all(OnThisHost)) {
    FARGRAPH_ASSIGN_OR_RETURN(device_, transport::OpenDevice(Kind::kShm));
    transport_choice_ = "shm, since the memory is on this host";
    return absl::OkStatus();
  }
  if (all_offer(Kind::kTcp)) {
    FARGRAPH_ASSIGN_OR_RETURN(device_, transport::OpenDevice(Kind::kTcp));
    transport_choice_ = "tcp, since there is neither RDMA on all sides nor a common host";
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      "the memory nodes have no transport in common with this host; start them with "
      "--transports=verbs,shm,tcp");
}

absl::Status FarMemory::OpenLeases() {
  for (Node& node : nodes_) {
    FARGRAPH_ASSIGN_OR_RETURN(
        node.lease,
        node.client->OpenLease(transport(), [traffic = traffic_, nodes = nodes_.size()] {
          return traffic->Total() / nodes;  // stripes are shared out evenly
        }));
  }
  return absl::OkStatus();
}

std::vector<FarNode> FarMemory::nodes() const {
  std::vector<FarNode> names;
  for (const Node& node : nodes_) {
    names.push_back({node.client->address(), node.client->description().node_id});
  }
  std::sort(names.begin(), names.end(),
            [](const FarNode& a, const FarNode& b) { return a.address < b.address; });
  return names;
}

absl::StatusOr<uint64_t> FarMemory::FreeBytes() const {
  uint64_t least = ~uint64_t{0};
  for (const Node& node : nodes_) {
    FARGRAPH_ASSIGN_OR_RETURN(const MemoryNodeStats stats, node.client->Stats());
    least = std::min(least, stats.capacity_bytes - stats.allocated_bytes);
  }
  return least * nodes_.size();
}

uint64_t FarMemory::SlackBytes() const {
  uint64_t most = 0;
  for (const Node& node : nodes_) most = std::max(most, node.client->description().extent_bytes);
  return (kStripeBytes + most) * nodes_.size();
}

absl::StatusOr<FarSegment> FarMemory::Allocate(const std::string& name, uint64_t bytes) {
  absl::StatusOr<std::vector<Part>> parts = AllocateParts(name, bytes);
  const std::string prefix = GraphPrefix(name);
  if (absl::IsResourceExhausted(parts.status()) && !prefix.empty()) {
    FARGRAPH_ASSIGN_OR_RETURN(const bool has_freed, FreeRemains(prefix));
    if (has_freed) parts = AllocateParts(name, bytes);
  }
  FARGRAPH_RETURN_IF_ERROR(parts.status());
  return AddSegment(name, {.bytes = bytes, .parts = *std::move(parts)});
}

absl::StatusOr<std::vector<FarMemory::Part>> FarMemory::AllocateParts(const std::string& name,
                                                                      uint64_t bytes) {
  std::vector<Part> parts;
  for (size_t node = 0; node < nodes_.size(); ++node) {
    auto region = nodes_[node].lease->Allocate(PartName(name, node, nodes_.size()),
                                               PartBytes(bytes, nodes_.size()));
    if (!region.ok()) {
      for (const Part& done : parts) nodes_[done.node].lease->Free(done.region).IgnoreError();
      return std::move(region).status();
    }
    parts.push_back({.node = node, .region = *std::move(region)});
  }
  return parts;
}

/// They are what a node that went away has left of an upload. Whoever seals one, or attaches to
/// it, holds its parts until all have been, and what somebody attaches to meanwhile stays for him.
absl::StatusOr<bool> FarMemory::FreeRemains(const std::string& name_prefix) {
  FARGRAPH_ASSIGN_OR_RETURN(const auto found, FindParts(name_prefix));
  bool has_freed = false;
  for (const auto& [name, parts] : found) {
    if (parts.names.size() == nodes_.size()) continue;
    for (const auto& [node, region] : parts.regions) {
      if (region.holders > 0) continue;
      FARGRAPH_RETURN_IF_ERROR(nodes_[node].client->Free(region));
      has_freed = true;
    }
  }
  return has_freed;
}

absl::Status FarMemory::Seal(const FarSegment& segment, bool keep) {
  for (Part& part : Find(segment).parts) {
    FARGRAPH_ASSIGN_OR_RETURN(part.region, nodes_[part.node].lease->Seal(part.region, keep));
  }
  return absl::OkStatus();
}

absl::StatusOr<FarSegment> FarMemory::Attach(const std::string& name, uint64_t bytes) {
  FARGRAPH_ASSIGN_OR_RETURN(std::vector<Part> parts, AttachParts(name));
  for (const Part& part : parts) {
    if (part.region.bytes < PartBytes(bytes, parts.size())) {
      return absl::NotFoundError(
          absl::StrCat("far segment ", name, " is smaller than ", bytes, " bytes"));
    }
  }
  return AddSegment(name, {.bytes = bytes, .parts = std::move(parts)});
}

absl::StatusOr<std::vector<FarMemory::Part>> FarMemory::AttachParts(const std::string& name) {
  std::vector<Part> parts;
  for (size_t k = 0; k < nodes_.size(); ++k) {
    const std::string part_name = PartName(name, k, nodes_.size());
    for (size_t node = 0; node < nodes_.size() && parts.size() == k; ++node) {
      auto region = nodes_[node].lease->Attach(part_name);
      if (region.ok()) {
        parts.push_back({.node = node, .region = *std::move(region)});
      } else if (!absl::IsNotFound(region.status())) {
        return std::move(region).status();
      }
    }
    if (parts.size() == k)
      return absl::NotFoundError(absl::StrCat("no memory node holds ", part_name));
  }
  return parts;
}

absl::StatusOr<std::vector<std::string>> FarMemory::FindSegments(const std::string& name_prefix) {
  FARGRAPH_ASSIGN_OR_RETURN(const auto found, FindParts(name_prefix));
  std::vector<std::string> names;
  for (const auto& [name, parts] : found) {
    if (parts.names.size() == nodes_.size()) names.push_back(name);
  }
  return names;
}

/// A part may be there more than once: a job that has the nodes in another order puts it elsewhere.
absl::StatusOr<std::map<std::string, FarMemory::FoundParts>> FarMemory::FindParts(
    const std::string& name_prefix) {
  std::map<std::string, FoundParts> found;
  const std::string of_parts = absl::StrCat("/", nodes_.size());
  for (size_t node = 0; node < nodes_.size(); ++node) {
    FARGRAPH_ASSIGN_OR_RETURN(std::vector<RegionSummary> regions,
                              nodes_[node].client->List(name_prefix));
    for (RegionSummary& region : regions) {
      if (!absl::EndsWith(region.name, of_parts)) continue;
      FoundParts& parts = found[region.name.substr(0, region.name.rfind('#'))];
      parts.names.insert(region.name);
      parts.regions.emplace_back(node, std::move(region));
    }
  }
  return found;
}

absl::StatusOr<FarSegment> FarMemory::AttachAny(uint64_t bytes) {
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<std::string> names, FindSegments(""));
  for (const std::string& name : names) {
    absl::StatusOr<FarSegment> segment = Attach(name, bytes);
    if (!absl::IsNotFound(segment.status())) return segment;
  }
  return absl::NotFoundError(absl::StrCat("the memory nodes hold nothing of ", bytes, " bytes"));
}

absl::Status FarMemory::Free(const FarSegment& segment) {
  absl::Status status;
  for (const Part& part : Find(segment).parts)
    status.Update(nodes_[part.node].lease->Free(part.region));
  Find(segment).parts.clear();
  return status;
}

absl::StatusOr<std::unique_ptr<transport::MemoryRegion>> FarMemory::RegisterMemory(
    absl::Span<std::byte> memory) {
  return device_->RegisterMemory(memory);
}

absl::StatusOr<std::unique_ptr<TierQueue>> FarMemory::OpenQueue(
    const transport::MemoryRegion& buffer, uint32_t tags, uint32_t queue_pairs) {
  std::unique_ptr<FarQueue> queue(new FarQueue(*this, buffer.lkey(), tags, queue_pairs));
  const transport::QueuePairOptions options;
  FARGRAPH_ASSIGN_OR_RETURN(
      queue->completion_queue_,
      device_->CreateCompletionQueue(options.capacity * nodes_.size() * queue_pairs));
  for (size_t channel = 0; channel < nodes_.size() * queue_pairs; ++channel) {
    const size_t node = channel / queue_pairs;
    const Lease& lease = *nodes_[node].lease;
    auto queue_pair =
        device_->Connect(lease.endpoint(), lease.ticket(), *queue->completion_queue_, options);
    if (!queue_pair.ok()) {
      return absl::Status(
          queue_pair.status().code(),
          absl::StrCat("connecting to memory node ", nodes_[node].client->address(), " over ",
                       transport::KindName(transport()), ": ", queue_pair.status().message()));
    }
    queue->channels_.push_back({.node = node, .queue_pair = *std::move(queue_pair)});
    queue->channels_.back().requests.reserve(options.capacity);
  }
  return queue;
}

FarSegment FarMemory::AddSegment(std::string name, Segment segment) {
  FarSegment added = {
      .name = std::move(name), .address = segments_.size() * kSegmentSpan, .bytes = segment.bytes};
  segments_.push_back(std::move(segment));
  return added;
}

FarMemory::Segment& FarMemory::Find(const FarSegment& segment) {
  return segments_[SegmentOf(segment.address)];
}

}  // namespace fargraph
