#include "compute_node/pipeline/planner.h"

#include <algorithm>
#include <bit>

namespace fargraph {
namespace {

constexpr uint64_t kWordBits = 64;

uint64_t DivideUp(uint64_t value, uint64_t divisor) { return (value + divisor - 1) / divisor; }

}  // namespace

Planner::Planner(const RequestShape& shape, uint64_t piece_bytes)
    : shape_(shape), marks_(DivideUp(DivideUp(piece_bytes, shape.block_bytes), kWordBits)) {
  requests_.reserve(DivideUp(piece_bytes, shape.block_bytes));
}

void Planner::Mark(uint64_t begin, uint64_t end) {
  const uint64_t first = begin / shape_.block_bytes;
  const uint64_t last = (end - 1) / shape_.block_bytes;
  for (uint64_t word = first / kWordBits; word <= last / kWordBits; ++word) {
    const uint64_t low = word == first / kWordBits ? first % kWordBits : 0;
    const uint64_t high = word == last / kWordBits ? last % kWordBits : kWordBits - 1;
    marks_[word] |= (~uint64_t{0} >> (kWordBits - 1 - high + low)) << low;
  }
}

absl::Span<const ByteRange> Planner::Take(uint64_t piece_bytes) {
  requests_.clear();
  const uint64_t blocks = DivideUp(piece_bytes, shape_.block_bytes);
  for (uint64_t begin = FindBlock(0, true, blocks); begin < blocks;) {
    uint64_t end = FindBlock(begin, false, blocks);
    uint64_t next = FindBlock(end, true, blocks);
    while (next < blocks && (next - end) * shape_.block_bytes < shape_.break_even_gap_bytes) {
      end = FindBlock(next, false, blocks);
      next = FindBlock(end, true, blocks);
    }
    AddRun(begin * shape_.block_bytes, std::min(end * shape_.block_bytes, piece_bytes));
    begin = next;
  }
  std::fill(marks_.begin(), marks_.end(), 0);
  return requests_;
}

absl::Span<const ByteRange> Planner::TakeAll(uint64_t piece_bytes) {
  requests_.clear();
  AddRun(0, piece_bytes);
  return requests_;
}

uint64_t Planner::FindBlock(uint64_t block, bool marked, uint64_t block_count) const {
  while (block < block_count) {
    const uint64_t word = marked ? marks_[block / kWordBits] : ~marks_[block / kWordBits];
    const uint64_t rest = word >> (block % kWordBits);
    if (rest != 0) return std::min<uint64_t>(block_count, block + std::countr_zero(rest));
    block = (block / kWordBits + 1) * kWordBits;
  }
  return block_count;
}

void Planner::AddRun(uint64_t begin, uint64_t end) {
  for (; begin < end; begin += shape_.largest_request_bytes) {
    requests_.push_back({begin, std::min(end, begin + shape_.largest_request_bytes)});
  }
}

}  // namespace fargraph
