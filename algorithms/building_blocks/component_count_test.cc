#include "algorithms/building_blocks/component_count.h"

#include <map>
#include <random>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

ComponentCount CountIn(const std::vector<VertexId>& components, VertexId at_a_time) {
  return CountComponents(VertexArray<VertexId>(absl::MakeConstSpan(components)), at_a_time);
}

/// Some vertices are roots, at any place; the others are each below one of them.
std::vector<VertexId> RandomComponents(VertexId vertices, int one_root_of, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<VertexId> roots = {static_cast<VertexId>(random() % vertices)};
  std::vector<VertexId> components(vertices, kNoVertex);
  components[roots[0]] = roots[0];
  for (VertexId v = 0; v < vertices; ++v) {
    if (random() % one_root_of != 0 || components[v] == v) continue;
    components[v] = v;
    roots.push_back(v);
  }
  for (VertexId& root : components) {
    if (root == kNoVertex) root = roots[random() % roots.size()];
  }
  return components;
}

TEST(ComponentCount, CountsAsAMapDoesHoweverManyRootsAtATime) {
  for (const int one_root_of : {1, 2, 50, 1000}) {
    const std::vector<VertexId> components = RandomComponents(1000, one_root_of, one_root_of);
    std::map<VertexId, uint64_t> sizes;
    for (const VertexId root : components) ++sizes[root];
    VertexId largest = sizes.begin()->first;
    for (const auto& [root, size] : sizes) {
      if (size > sizes[largest]) largest = root;
    }
    for (const VertexId at_a_time : {1, 7, 250, 999, 1000, 5000}) {
      const ComponentCount count = CountIn(components, at_a_time);
      EXPECT_EQ(count.components, sizes.size()) << at_a_time;
      EXPECT_EQ(count.largest, sizes[largest]) << at_a_time;
      EXPECT_EQ(count.largest_root, largest) << at_a_time;
    }
  }
}

TEST(ComponentCount, OfEquallyLargeOnesTheSmallestRootIsNamed) {
  EXPECT_EQ(CountIn({0, 5, 5, 3, 3, 5, 3}, 2).largest_root, 3u);
}

TEST(ComponentCount, NoVerticesAreNoComponents) {
  const ComponentCount count = CountIn({}, 0);
  EXPECT_EQ(count.components, 0u);
  EXPECT_EQ(count.largest, 0u);
  EXPECT_EQ(count.largest_root, kNoVertex);
}

}  // namespace
}  // namespace fargraph
