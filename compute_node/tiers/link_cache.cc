#include "compute_node/tiers/link_cache.h"

#include <utility>

#include "absl/time/clock.h"
#include "nlohmann/json.hpp"

namespace fargraph {
namespace {

using nlohmann::json;

constexpr CacheFile::Format kLinksFormat = {
    .version = 4, .entries = "links", .key = "link", .most_entries = 64};
constexpr absl::Duration kValidAfterRestart = absl::Hours(7 * 24);

json EncodeSweep(const LinkSweep& sweep) {
  json points = json::array();
  for (const LinkPoint& point : sweep.points) {
    points.push_back(
        {point.load.bytes, point.load.depth, point.load.queue_pairs, point.reads_per_second});
  }
  return {{"points", std::move(points)},
          {"bytes_per_second", sweep.profile.bytes_per_second},
          {"requests_per_second", sweep.profile.requests_per_second},
          {"read_seconds", sweep.profile.read_seconds},
          {"processor_share", sweep.profile.processor_share},
          {"chunk_bytes", sweep.tuning.chunk_bytes},
          {"slots", sweep.tuning.slots},
          {"queue_pairs", sweep.tuning.queue_pairs},
          {"is_device", sweep.is_device},
          {"least_bytes_in_flight", sweep.least_bytes_in_flight}};
}

/// Throws json::exception where a member is missing or of another type.
LinkSweep DecodeSweep(const json& encoded, uint32_t threads) {
  LinkSweep sweep;
  for (const json& point : encoded.at("points")) {
    sweep.points.push_back({.load = {.bytes = point.at(0).get<uint64_t>(),
                                     .depth = point.at(1).get<uint32_t>(),
                                     .queue_pairs = point.at(2).get<uint32_t>()},
                            .reads_per_second = point.at(3).get<double>()});
  }
  sweep.profile = {.threads = threads,
                   .bytes_per_second = encoded.at("bytes_per_second").get<double>(),
                   .requests_per_second = encoded.at("requests_per_second").get<double>(),
                   .read_seconds = encoded.at("read_seconds").get<double>(),
                   .processor_share = encoded.at("processor_share").get<double>()};
  sweep.tuning = {.chunk_bytes = encoded.at("chunk_bytes").get<uint64_t>(),
                  .slots = encoded.at("slots").get<uint32_t>(),
                  .queue_pairs = encoded.at("queue_pairs").get<uint32_t>()};
  sweep.is_device = encoded.at("is_device").get<bool>();
  sweep.least_bytes_in_flight = encoded.at("least_bytes_in_flight").get<uint64_t>();
  return sweep;
}

/// A file that somebody edited must not make a job fail in places that rely on a sweep's values.
bool IsSound(const LinkSweep& sweep) {
  const LinkTuning& tuning = sweep.tuning;
  return sweep.profile.IsSound() && tuning.chunk_bytes >= kLeastChunkBytes &&
         tuning.chunk_bytes <= kLargestChunkBytes && tuning.chunk_bytes % kLeastChunkBytes == 0 &&
         tuning.slots >= 1 && tuning.slots <= kMostSlots && tuning.queue_pairs >= 1 &&
         tuning.queue_pairs <= kMostQueuePairs;
}

json Addresses(const LinkId& link) {
  json addresses = json::array();
  for (const FarNode& node : link.nodes) addresses.push_back(node.address);
  return addresses;
}

json NodeIds(const LinkId& link) {
  json ids = json::array();
  for (const FarNode& node : link.nodes) ids.push_back(node.node_id);
  return ids;
}

json Key(const LinkId& link) {
  return {{"host", link.host},
          {"memory_nodes", Addresses(link)},
          {"transport", link.transport},
          {"threads", link.threads}};
}

}  // namespace

std::string LinkCache::DefaultPath() { return CacheFile::DefaultPath("links.json"); }

LinkCache::LinkCache(std::string path) : file_(std::move(path), kLinksFormat) {}

std::optional<CachedSweep> LinkCache::Find(const LinkId& link) const {
  const std::optional<json> entry = file_.Find(Key(link));
  if (!entry) return std::nullopt;
  try {
    const CachedSweep cached = {
        .sweep = DecodeSweep(entry->at("sweep"), link.threads),
        .measured = absl::FromUnixSeconds(entry->at("measured").get<int64_t>())};
    const bool same_processes = entry->at("node_ids") == NodeIds(link);
    const bool is_recent = absl::Now() - cached.measured < kValidAfterRestart;
    if (!IsSound(cached.sweep) || !(same_processes || is_recent)) return std::nullopt;
    return cached;
  } catch (const json::exception&) {
    return std::nullopt;  // damaged
  }
}

absl::Status LinkCache::Store(const LinkId& link, const CachedSweep& entry) const {
  return file_.Put({{"link", Key(link)},
                    {"node_ids", NodeIds(link)},
                    {"measured", absl::ToUnixSeconds(entry.measured)},
                    {"sweep", EncodeSweep(entry.sweep)}});
}

absl::Status LinkCache::Forget(const LinkId& link) const { return file_.Remove(Key(link)); }

}  // namespace fargraph
