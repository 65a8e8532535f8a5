#include "compute_node/tiers/link_cache.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/file.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/output_file.h"
#include "nlohmann/json.hpp"

namespace fargraph {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;
constexpr uint64_t kMostBytes = 4 * kMiB;
constexpr size_t kMostEntries = 64;
constexpr absl::Duration kValidAfterRestart = absl::Hours(7 * 24);

json Encode(const LinkSweep& sweep) {
  json points = json::array();
  for (const LinkPoint& point : sweep.points) {
    points.push_back(
        {point.load.bytes, point.load.depth, point.load.queue_pairs, point.reads_per_second});
  }
  return {{"points", std::move(points)},
          {"bytes_per_second", sweep.profile.bytes_per_second},
          {"requests_per_second", sweep.profile.requests_per_second},
          {"read_seconds", sweep.profile.read_seconds},
          {"chunk_bytes", sweep.tuning.chunk_bytes},
          {"slots", sweep.tuning.slots},
          {"queue_pairs", sweep.tuning.queue_pairs}};
}

/// Throws json::exception where a member is missing or of another type.
LinkSweep Decode(const json& encoded, uint32_t threads) {
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
                   .read_seconds = encoded.at("read_seconds").get<double>()};
  sweep.tuning = {.chunk_bytes = encoded.at("chunk_bytes").get<uint64_t>(),
                  .slots = encoded.at("slots").get<uint32_t>(),
                  .queue_pairs = encoded.at("queue_pairs").get<uint32_t>()};
  return sweep;
}

/// A file that somebody edited must not make a job fail in places that rely on a sweep's values.
bool IsSound(const LinkSweep& sweep) {
  const LinkTuning& tuning = sweep.tuning;
  return sweep.profile.bytes_per_second > 0 && sweep.profile.requests_per_second > 0 &&
         sweep.profile.read_seconds >= 0 && tuning.chunk_bytes >= kLeastChunkBytes &&
         tuning.chunk_bytes <= kLargestChunkBytes && tuning.chunk_bytes % kLeastChunkBytes == 0 &&
         tuning.slots >= 2 && tuning.slots <= kMostSlots && tuning.queue_pairs >= 1 &&
         tuning.queue_pairs <= kMostQueuePairs;
}

json Addresses(const LinkId& link) {
  json addresses = json::array();
  for (const MemoryNodeName& node : link.nodes) addresses.push_back(node.address);
  return addresses;
}

json NodeIds(const LinkId& link) {
  json ids = json::array();
  for (const MemoryNodeName& node : link.nodes) ids.push_back(node.node_id);
  return ids;
}

json Key(const LinkId& link) {
  return {{"host", link.host},
          {"memory_nodes", Addresses(link)},
          {"transport", std::string(transport::KindName(link.transport))},
          {"threads", link.threads}};
}

/// The entries of the file, newest first.
json ReadEntries(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadSmallFile(path, kMostBytes);
  if (!text.ok()) return json::array();
  const json file = json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!file.is_object() || file.value("version", json()) != kVersion) return json::array();
  json links = file.value("links", json());
  return links.is_array() ? links : json::array();
}

bool IsFor(const json& entry, const LinkId& link) {
  return entry.is_object() && entry.value("link", json()) == Key(link);
}

}  // namespace

std::string LinkCache::DefaultPath() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    return absl::StrCat(cache, "/fargraph/links.json");
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    return absl::StrCat(home, "/.cache/fargraph/links.json");
  }
  return "";
}

std::optional<CachedSweep> LinkCache::Find(const LinkId& link) const {
  if (path_.empty()) return std::nullopt;
  for (const json& entry : ReadEntries(path_)) {
    if (!IsFor(entry, link)) continue;
    try {
      const CachedSweep cached = {
          .sweep = Decode(entry.at("sweep"), link.threads),
          .measured = absl::FromUnixSeconds(entry.at("measured").get<int64_t>())};
      const bool same_processes = entry.at("node_ids") == NodeIds(link);
      const bool is_recent = absl::Now() - cached.measured < kValidAfterRestart;
      if (IsSound(cached.sweep) && (same_processes || is_recent)) return cached;
    } catch (const json::exception&) {
      return std::nullopt;  // damaged
    }
  }
  return std::nullopt;
}

absl::Status LinkCache::Store(const LinkId& link, const CachedSweep& entry) const {
  if (path_.empty()) return absl::OkStatus();
  json links = json::array();
  links.push_back({{"link", Key(link)},
                   {"node_ids", NodeIds(link)},
                   {"measured", absl::ToUnixSeconds(entry.measured)},
                   {"sweep", Encode(entry.sweep)}});
  for (json& older : ReadEntries(path_)) {
    if (links.size() < kMostEntries && !IsFor(older, link)) links.push_back(std::move(older));
  }
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), error);
  if (error) return FileError(error.value(), "Making the directory of", path_);
  const json file = {{"version", kVersion}, {"links", std::move(links)}};
  return WriteWholeFile(
      path_, absl::StrCat(file.dump(1, ' ', false, json::error_handler_t::replace), "\n"));
}

}  // namespace fargraph
