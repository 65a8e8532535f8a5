#include "compute_node/pipeline/asked_lists.h"

#include <random>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace fargraph {
namespace {

/// Far lists in chunks, as they are described to a scan: of lengths that are often 0, with a vertex
/// or two of many edges.
EdgeLists RandomLists(VertexId vertices, uint64_t chunk_bytes, std::mt19937& random) {
  VertexArray<EdgeOffset> index(vertices + 1, 0);
  for (VertexId v = 0; v < vertices; ++v) {
    const EdgeOffset degree = random() % 100 == 0 ? random() % 500 : random() % 5;
    index[v + 1] = index[v] + (random() % 3 == 0 ? 0 : degree);
  }
  ChunkTable chunks(index, sizeof(VertexId), chunk_bytes);
  PlacedArray edges = {.element_bytes = sizeof(VertexId),
                       .places = std::vector<ChunkPlace>(chunks.size())};
  return EdgeLists(std::move(index), std::move(chunks), std::move(edges));
}

/// What Join has to say.
AskedLists::Joined Reference(const EdgeLists& lists, const std::vector<bool>& active,
                             EdgeOffset skip, size_t chunk) {
  AskedLists::Joined all;
  for (VertexId v = lists.chunks().FirstVertex(chunk); v < lists.chunks().FirstVertex(chunk + 1);
       ++v) {
    if (!active[v] || lists.Degree(v) <= skip) continue;
    if (all.lists == 0) {
      all.run.first_vertex = v;
      all.run.range.begin = lists.Begin(v) + skip;
    }
    ++all.lists;
    all.run.end_vertex = v + 1;
    all.run.range.end = lists.End(v);
    all.run.useful += lists.Degree(v) - skip;
  }
  return all;
}

void ExpectLike(const AskedLists::Joined& found, const AskedLists::Joined& expected) {
  ASSERT_EQ(found.lists, expected.lists);
  if (expected.lists == 0) return;
  ASSERT_EQ(found.run.first_vertex, expected.run.first_vertex);
  ASSERT_EQ(found.run.end_vertex, expected.run.end_vertex);
  ASSERT_EQ(found.run.range.begin, expected.run.range.begin);
  ASSERT_EQ(found.run.range.end, expected.run.range.end);
  ASSERT_EQ(found.run.useful, expected.run.useful);
}

TEST(AskedLists, JoinToWhatLiesBetweenTheFirstAndTheLast) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const VertexId vertices = 1 + random() % 700;
    const EdgeLists lists = RandomLists(vertices, 1 << (5 + random() % 8), random);
    const EdgeOffset skip = random() % 4;
    const unsigned percent = random() % 101;
    std::vector<bool> active(vertices);
    Bitmap bits(vertices);
    std::vector<VertexId> members;
    for (VertexId v = 0; v < vertices; ++v) {
      active[v] = random() % 100 < percent;
      if (!active[v]) continue;
      bits.SetUnshared(v);
      members.push_back(v);
    }
    const VertexSubset dense{std::move(bits)};
    const VertexSubset sparse(vertices, std::move(members));
    for (size_t chunk = 0; chunk < lists.chunks().size(); ++chunk) {
      const AskedLists::Joined expected = Reference(lists, active, skip, chunk);
      ExpectLike(AskedLists(lists, dense, skip).Join(chunk), expected);
      ExpectLike(AskedLists(lists, sparse, skip).Join(chunk), expected);
    }
  }
}

TEST(AskedLists, ComeOneByOneWithoutWhatIsSkipped) {
  std::mt19937 random(4);
  const EdgeLists lists = RandomLists(300, 256, random);
  Bitmap bits(300);
  for (VertexId v = 0; v < 300; v += 2) bits.SetUnshared(v);
  const VertexSubset active{std::move(bits)};
  const AskedLists asked(lists, active, /*skip=*/1);
  VertexId next = 0;
  const auto skip_short_ones = [&] {
    while (next < 300 && lists.Degree(next) <= 1) next += 2;
  };
  for (size_t chunk = 0; chunk < lists.chunks().size(); ++chunk) {
    asked.ForEach(chunk, [&](VertexId v, const ElementRange& list) {
      skip_short_ones();
      EXPECT_EQ(v, next);
      EXPECT_EQ(list.begin, lists.Begin(v) + 1);
      EXPECT_EQ(list.end, lists.End(v));
      next += 2;
    });
  }
  skip_short_ones();
  EXPECT_EQ(next, 300u);
}

}  // namespace
}  // namespace fargraph
