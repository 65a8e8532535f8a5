#include "compute_node/replay/request_list.h"

#include <algorithm>

namespace fargraph {
namespace {

/// The blocks that hold any of these bytes.
BlockRequest Cover(const ByteRange& range, uint64_t block_bytes) {
  const uint64_t first = range.offset / block_bytes;
  const uint64_t last = (range.offset + range.length - 1) / block_bytes;
  return {.first_block = first, .blocks = last - first + 1};
}

uint64_t End(const BlockRequest& request) { return request.first_block + request.blocks; }

/// Blocks [begin, end) lie behind all of `request`.
bool Joins(uint64_t begin, const BlockRequest& request, const BlockPlannerOptions& options) {
  return begin - End(request) <= options.merge_gap &&
         begin - request.first_block < options.most_blocks;
}

}  // namespace

void RequestList::Plan(absl::Span<const ByteRange> asked, std::vector<BlockRequest>& requests) {
  sorted_.clear();
  for (const ByteRange& range : asked) sorted_.push_back(Cover(range, options_.block_bytes));
  std::sort(sorted_.begin(), sorted_.end(), [](const BlockRequest& a, const BlockRequest& b) {
    return a.first_block < b.first_block;
  });
  const size_t before = requests.size();
  for (const BlockRequest& wanted : sorted_) {
    uint64_t begin = wanted.first_block;
    if (requests.size() > before) begin = std::max(begin, End(requests.back()));
    while (begin < End(wanted)) {
      if (requests.size() == before || !Joins(begin, requests.back(), options_)) {
        requests.push_back({.first_block = begin});
      }
      BlockRequest& request = requests.back();
      begin =
          request.first_block + std::min(End(wanted) - request.first_block, options_.most_blocks);
      request.blocks = begin - request.first_block;
    }
  }
}

}  // namespace fargraph
