#include "compute_node/engine/next_frontier.h"

#include <omp.h>

#include <algorithm>
#include <utility>

namespace fargraph {
namespace {

/// The longest list of a next frontier; of many threads each has room for a few times its share of
/// that, and for vertices of which few are new.
size_t MostListed(VertexId vertices) {
  constexpr size_t kShares = 4;
  constexpr size_t kLeast = size_t{1} << 16;
  const size_t most = VertexSubset::MostSparse(vertices);
  return std::min(most, std::max(kLeast, kShares * most / omp_get_max_threads())) + 512;
}

}  // namespace

NextFrontier::NextFrontier(VertexId vertices) : bits_(vertices) {
  const int threads = omp_get_max_threads();
  parts_.reserve(threads);
  for (int i = 0; i < threads; ++i) parts_.push_back(Part(bits_, MostListed(vertices)));
}

DataSegment NextFrontier::Segment(uint64_t vertices) {
  DataSegment segment = VertexBits("next_frontier", vertices);
  segment.bytes +=
      omp_get_max_threads() * MostListed(static_cast<VertexId>(vertices)) * sizeof(VertexId);
  return segment;
}

VertexSubset NextFrontier::Take() {
  size_t listed = 0;
  bool has_bits = false;
  for (Part& part : parts_) {
    listed += part.count_;
    has_bits |= std::exchange(part.has_bits_, false);
  }
  const auto take_lists = [&](auto&& take) {
    for (Part& part : parts_) {
      take(part.listed());
      part.count_ = 0;
    }
  };
  const auto vertices = static_cast<VertexId>(bits_.size());
  if (!has_bits && listed <= VertexSubset::MostSparse(vertices)) {
    std::vector<VertexId> members;
    members.reserve(listed);
    take_lists([&](absl::Span<const VertexId> list) {
      members.insert(members.end(), list.begin(), list.end());
    });
    return VertexSubset(vertices, std::move(members));
  }
  take_lists([&](absl::Span<const VertexId> list) { bits_.SetAll(list); });
  return TakeBits();
}

VertexSubset NextFrontier::TakeBits() {
  return VertexSubset(std::exchange(bits_, Bitmap(bits_.size())));
}

}  // namespace fargraph
