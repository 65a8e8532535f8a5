#include "compute_node/pipeline/asked_lists.h"

#include <algorithm>
#include <bit>

#include "absl/types/span.h"
#include "graph/bitmap.h"

namespace fargraph {
namespace {

/// What some lists have behind the edges that are skipped.
struct Rests {
  uint64_t lists = 0;  ///< that have anything there
  uint64_t edges = 0;

  Rests& operator+=(const Rests& other) {
    lists += other.lists;
    edges += other.edges;
    return *this;
  }
};

Rests RestOf(EdgeOffset begin, EdgeOffset end, EdgeOffset skip) {
  const EdgeOffset rest = std::max(end - begin, skip) - skip;
  return {.lists = std::min<EdgeOffset>(rest, 1), .edges = rest};
}

/// Of at most 64 lists those whose bits are set. `index`: as EdgeLists::Index. With many bits it
/// looks at all lists, for vector instructions take eight at a time.
Rests RestsOf(absl::Span<const EdgeOffset> index, uint64_t bits, EdgeOffset skip) {
  constexpr int kFew = 8;
  Rests sum;
  if (std::popcount(bits) <= kFew) {
    ForEachBit(bits, [&](int i) { sum += RestOf(index[i], index[i + 1], skip); });
    return sum;
  }
  for (size_t i = 0; i + 1 < index.size(); ++i) {
    const Rests rest = RestOf(index[i], index[i + 1], skip);
    const uint64_t mask = -((bits >> i) & 1);
    sum.lists += rest.lists & mask;
    sum.edges += rest.edges & mask;
  }
  return sum;
}

}  // namespace

AskedLists::Joined AskedLists::Join(size_t chunk) const {
  return active_.is_sparse() || lists_.compressed() ? JoinOneByOne(chunk) : JoinByGroups(chunk);
}

AskedLists::Joined AskedLists::JoinOneByOne(size_t chunk) const {
  Joined all;
  ForEach(chunk, [&](VertexId v, const ElementRange& list) {
    if (all.lists++ == 0) all.run = {.first_vertex = v, .range = list};
    all.run.end_vertex = v + 1;
    all.run.range.end = list.end;
    all.run.useful += list.end - list.begin;
  });
  return all;
}

/// The same of a bitmap, 64 vertices at a time: most chunks are fetched whole, and what there is to
/// know of them is soon told.
AskedLists::Joined AskedLists::JoinByGroups(size_t chunk) const {
  struct Group {
    VertexId first = 0;
    uint64_t bits = 0;
  };
  const VertexId begin = lists_.chunks().FirstVertex(chunk);
  const VertexId end = lists_.chunks().FirstVertex(chunk + 1);
  Joined all;
  Group front, back;
  active_.bitmap().ForEachWord(begin, end, [&](size_t first, uint64_t bits) {
    const size_t behind = std::min<size_t>(first + 64, lists_.vertices());
    const Rests rests = RestsOf(lists_.Index(first, behind), bits, skip_);
    if (rests.lists == 0) return;
    back = {.first = static_cast<VertexId>(first), .bits = bits};
    if (all.lists == 0) front = back;
    all.lists += rests.lists;
    all.run.useful += rests.edges;
  });
  if (all.lists == 0) return all;
  const auto asked_for = [this](const Group& group) {
    uint64_t bits = 0;
    ForEachBit(group.bits, [&](int i) {
      if (lists_.Degree(group.first + i) > skip_) bits |= uint64_t{1} << i;
    });
    return bits;
  };
  all.run.first_vertex = front.first + std::countr_zero(asked_for(front));
  all.run.end_vertex = back.first + std::bit_width(asked_for(back));
  all.run.range = {lists_.Begin(all.run.first_vertex) + skip_, lists_.Begin(all.run.end_vertex)};
  return all;
}

}  // namespace fargraph
