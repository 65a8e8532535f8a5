#include "compute_node/engine/graph.h"

#include "absl/strings/str_cat.h"

namespace fargraph {

absl::Status Graph::CheckHas(Direction direction) const {
  if (Has(direction)) return absl::OkStatus();
  const absl::string_view side = direction == Direction::kOut ? "out" : "in";
  return absl::FailedPreconditionError(
      absl::StrCat("walking neighbour lists: the graph was opened without its ", side,
                   "-lists; set GraphUse::", side, "_lists"));
}

absl::Status Graph::CheckCancelled() const {
  if (parts_.cancelled == nullptr || !parts_.cancelled->load(std::memory_order_relaxed))
    return absl::OkStatus();
  return absl::CancelledError(
      "interrupted in the middle of the computation; nothing was left behind");
}

StreamStats Graph::stats() const {
  StreamStats total;
  for (const auto& stream : parts_.streams) total += stream->stats();
  for (const auto* cache : {parts_.out_cache.get(), parts_.in_cache.get()}) {
    if (cache != nullptr) total += cache->stats();
  }
  for (const auto& [name, array] : parts_.far_state.arrays) {
    for (const auto& stream : array.streams) {
      const TierTraffic traffic = stream->traffic();
      total += {.bytes_fetched = traffic.bytes,
                .bytes_useful = traffic.bytes,
                .requests = traffic.requests,
                .stall_seconds = stream->stall_seconds()};
    }
  }
  return total;
}

}  // namespace fargraph
