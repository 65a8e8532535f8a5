#include "compute_node/pipeline/read_pattern.h"

#include <algorithm>
#include <bit>

namespace fargraph {
namespace {

constexpr int kSmallestGapBits = 2;

size_t ClassOf(uint64_t gap_bytes) {
  const int bits = std::bit_width(gap_bytes) - 1;
  return std::clamp<int>(bits - kSmallestGapBits, 0, ReadPattern::kGapClasses - 1);
}

}  // namespace

void ReadPattern::AddLists(const Gaps& between, uint64_t list_bytes) {
  run_bytes += list_bytes;
  if (between.bytes == 0) return;
  Gaps& alike = gaps[ClassOf(between.bytes / between.count)];
  alike.count += between.count;
  alike.bytes += between.bytes;
}

void ReadPattern::AddChunk(const ReadPattern& lists, uint64_t chunk_bytes) {
  if (lists.run_bytes == 0) return;
  if (2 * lists.run_bytes >= chunk_bytes) {
    whole_bytes += chunk_bytes;
  } else {
    *this += lists;
    ++chunks;
  }
}

ReadPattern& ReadPattern::operator+=(const ReadPattern& other) {
  whole_bytes += other.whole_bytes;
  chunks += other.chunks;
  run_bytes += other.run_bytes;
  for (size_t i = 0; i < kGapClasses; ++i) {
    gaps[i].count += other.gaps[i].count;
    gaps[i].bytes += other.gaps[i].bytes;
  }
  return *this;
}

ReadPattern ReadPattern::operator-(const ReadPattern& earlier) const {
  ReadPattern difference = *this;
  difference.whole_bytes -= earlier.whole_bytes;
  difference.chunks -= earlier.chunks;
  difference.run_bytes -= earlier.run_bytes;
  for (size_t i = 0; i < kGapClasses; ++i) {
    difference.gaps[i].count -= earlier.gaps[i].count;
    difference.gaps[i].bytes -= earlier.gaps[i].bytes;
  }
  return difference;
}

ReadPattern::Fetch ReadPattern::FetchBy(uint64_t gap_bytes, uint64_t chunk_bytes) const {
  Fetch fetch = {.bytes = static_cast<double>(whole_bytes + run_bytes),
                 .requests = static_cast<double>(whole_bytes) / static_cast<double>(chunk_bytes) +
                             static_cast<double>(chunks)};
  for (const Gaps& alike : gaps) {
    const bool are_read = alike.bytes < gap_bytes * alike.count;
    (are_read ? fetch.bytes : fetch.requests) +=
        static_cast<double>(are_read ? alike.bytes : alike.count);
  }
  return fetch;
}

}  // namespace fargraph
