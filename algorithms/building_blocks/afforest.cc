#include "algorithms/building_blocks/afforest.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/building_blocks/both_ends.h"
#include "algorithms/building_blocks/prefetched.h"
#include "common/status_macros.h"
#include "compute_node/engine/effort.h"
#include "compute_node/engine/for_each_list.h"
#include "compute_node/engine/vertex_map.h"

namespace fargraph {
namespace {

struct LargestTree {
  VertexId root = kNoVertex;
  double share = 0;  ///< of the vertices that have edges
};

/// By a sample of the vertices, of a flat forest.
LargestTree SampleLargest(const Graph& graph, UnionFind& forest) {
  constexpr size_t kSamples = 1024;
  std::mt19937_64 random(kSamples);
  absl::flat_hash_map<VertexId, size_t> counts;
  std::pair<size_t, VertexId> most;
  size_t counted = 0;
  for (size_t i = 0; i < kSamples; ++i) {
    const VertexId v = random() % forest.size();
    if (EdgesAt(graph, v) == 0) continue;
    ++counted;
    most = std::max(most, std::pair(++counts[forest.Parent(v)], forest.Parent(v)));
  }
  if (counted == 0) return {};
  return {.root = most.second,
          .share = static_cast<double>(most.first) / static_cast<double>(counted)};
}

/// Joins vertices with their neighbours.
class Joiner {
 public:
  explicit Joiner(UnionFind& forest) : forest_(forest) {}

  void operator()(VertexId v, absl::Span<const VertexId> neighbors) const {
    VertexId root = v;
    for (const VertexId neighbor : PrefetchedToRead(neighbors, forest_.parents())) {
      if (forest_.Parent(neighbor) != root) root = forest_.Join(root, neighbor);
    }
  }
  /// The same of many short lists: edge i leads from sources[i] to targets[i].
  void operator()(absl::Span<const VertexId> sources, absl::Span<const VertexId> targets) const {
    const VertexId* source = sources.data();
    for (const VertexId target : PrefetchedToRead(targets, forest_.parents())) {
      if (forest_.Parent(target) != forest_.Parent(*source)) forest_.Join(*source, target);
      ++source;
    }
  }

 private:
  UnionFind& forest_;
};

/// Joins the vertices v for which wants(v) is true, asked while the lists before are under way,
/// with their neighbours but the first `skip`.
template <typename Wants>
absl::Status JoinTails(Graph& graph, Direction direction, EdgeOffset skip, UnionFind& forest,
                       Wants&& wants) {
  VertexSubset wanting = VertexSubset::NoBits(graph.vertices());
  const auto choose = [&](VertexId begin, VertexId end) {
    wanting.AddUncountedIf(begin, end, wants);
  };
  FARGRAPH_RETURN_IF_ERROR(
      ForEachChosenTail(graph, direction, wanting, skip, choose, Joiner(forest)));
  graph.EndIteration(wanting.bitmap().Count());
  return absl::OkStatus();
}

/// Joins all vertices with their out-neighbours. If these have the same edges, it is enough that
/// each joins with those before it.
absl::Status JoinAllLists(Graph& graph, UnionFind& forest) {
  const bool halves = graph.symmetric();
  const auto join = [&](VertexId v, absl::Span<const VertexId> neighbors) {
    VertexId root = v;
    for (const VertexId neighbor : neighbors) {
      if (halves && neighbor > v) break;  // and so are those behind it, for lists ascend
      if (forest.Parent(neighbor) != root) root = forest.Join(root, neighbor);
    }
  };
  FARGRAPH_RETURN_IF_ERROR(ForEachList(graph, Direction::kOut, nullptr, join));
  graph.EndIteration(graph.vertices());
  return absl::OkStatus();
}

/// Joins every vertex with the head in one column.
void JoinHeads(const Heads& heads, size_t column, UnionFind& forest) {
  VertexMap(forest.size(), [&](VertexId v) {
    const VertexId neighbor = heads.At(column, v);
    if (neighbor != kNoVertex) forest.Join(v, neighbor);
  });
  forest.Flatten();
}

/// With less than this it pays to walk a sample of the lists, before those of all vertices outside.
constexpr double kLargeShare = 0.75;

/// A sample of shorter lists is the last resort, behind all heads: on a web, where neighbours are
/// those of each other, it joins little.
constexpr double kLeastSampledDegree = 24;

/// True where a list that is read alone costs as much as many, and those that a sample does not
/// reach lie anywhere: without hubs they have as many neighbours as others.
bool LoneListsAreDear(const EdgeLists& lists, double mean_degree) {
  return lists.on_ssds() && static_cast<double>(lists.largest_degree()) < 32 * mean_degree;
}

/// One list of so many is in the sample: with an edge for every other vertex, which joins trees of
/// a few vertices each, or, where there are no heads, with three for each, which join single ones,
/// and where lone lists are dear with six, which leave one vertex of four hundred out.
VertexId SampledOf(double mean_degree, size_t heads, bool lone_lists_are_dear) {
  const double edges_per_vertex = heads > 0 ? 0.5 : lone_lists_are_dear ? 6 : 3;
  return static_cast<VertexId>(std::max(1.0, mean_degree / edges_per_vertex));
}

/// Blocks of vertices, for many lists that lie together cost no more to read than few; of a small
/// graph smaller ones.
class Sample {
 public:
  Sample() = default;  ///< nobody
  Sample(VertexId vertices, VertexId sampled_of)
      : of_(sampled_of),
        block_(std::clamp<uint64_t>(vertices / (uint64_t{kLeastBlocks} * sampled_of), 1,
                                    kMostPerBlock)) {}

  bool Has(VertexId v) const { return of_ > 0 && v / block_ % of_ == 0; }
  bool empty() const { return of_ == 0; }

 private:
  static constexpr VertexId kLeastBlocks = 16;
  static constexpr VertexId kMostPerBlock = 256;

  VertexId of_ = 0;
  VertexId block_ = 1;
};

/// What has been joined of a graph.
struct Joined {
  size_t heads = 0;  ///< the first neighbours of every vertex
  Sample sample;     ///< whose lists have been walked
  LargestTree largest;
};

/// Joins the vertices of a sample with their neighbours but the first `skip`.
absl::Status JoinSample(Graph& graph, const Sample& sample, EdgeOffset skip, UnionFind& forest) {
  FARGRAPH_RETURN_IF_ERROR(
      JoinTails(graph, Direction::kOut, skip, forest, [&](VertexId v) { return sample.Has(v); }));
  forest.Flatten();
  return absl::OkStatus();
}

/// Joins what is cheap to come by: the heads, column by column, and a sample of the lists, as soon
/// as that may do. Ends when the lists outside the largest tree have fewer edges than there are
/// vertices.
absl::StatusOr<Joined> JoinMost(Graph& graph, UnionFind& forest) {
  const EdgeLists& lists = graph.Lists(Direction::kOut);
  const double mean_degree = static_cast<double>(lists.edges()) / graph.vertices();
  const bool lone_lists_are_dear = LoneListsAreDear(lists, mean_degree);
  const Heads& heads = graph.heads(Direction::kOut);
  const size_t columns = std::min(kJoinedHeads, heads.columns());
  Joined joined;
  const auto sample_may_do = [&] {
    const bool has_all_heads = columns > 0 && joined.heads == columns;
    return (has_all_heads || mean_degree >= kLeastSampledDegree) && joined.sample.empty() &&
           joined.largest.share < kLargeShare;
  };
  const auto most_are_joined = [&] { return (1 - joined.largest.share) * mean_degree < 1; };
  do {
    if (joined.heads < columns) {
      JoinHeads(heads, joined.heads++, forest);
      joined.largest = SampleLargest(graph, forest);
    }
    if (sample_may_do()) {
      joined.sample =
          Sample(graph.vertices(), SampledOf(mean_degree, joined.heads, lone_lists_are_dear));
      FARGRAPH_RETURN_IF_ERROR(JoinSample(graph, joined.sample, joined.heads, forest));
      joined.largest = SampleLargest(graph, forest);
    }
  } while (joined.heads < columns && !most_are_joined());
  return joined;
}

/// True where all lists are local and at least half of their edges are heads: one pass over them
/// takes less than one over the heads for each column.
bool HeadsAreMost(const EdgeLists& lists, uint64_t vertices) {
  return lists.far_chunks().empty() && lists.edges() < 2 * kJoinedHeads * vertices;
}

}  // namespace

absl::Status JoinNeighbors(Graph& graph, UnionFind& forest) {
  if (!graph.Has(Direction::kIn) || HeadsAreMost(graph.Lists(Direction::kOut), graph.vertices())) {
    return JoinAllLists(graph, forest);
  }

  FARGRAPH_ASSIGN_OR_RETURN(const Joined joined, JoinMost(graph, forest));
  // Those outside may have two lists each, and most lists are read in one scan rather than
  // piecemeal.
  if (joined.largest.share < 0.5) return JoinAllLists(graph, forest);

  const VertexId largest = joined.largest.root;
  const auto is_unwalked = [&](VertexId v) {
    return forest.Parent(v) != largest && !joined.sample.Has(v);
  };
  FARGRAPH_RETURN_IF_ERROR(JoinTails(graph, Direction::kOut, joined.heads, forest, is_unwalked));
  if (graph.symmetric()) return absl::OkStatus();

  forest.Flatten();
  const VertexId root = forest.Parent(largest);
  const auto is_outside = [&](VertexId v) { return forest.Parent(v) != root; };
  return JoinTails(graph, Direction::kIn, 0, forest, is_outside);
}

double PartOfOutLists(const GraphManifest& graph, bool heads) {
  if (!graph.symmetric && !graph.has_reverse) return 1;
  if (heads) return graph.order == VertexOrder::kDegree ? 0 : 0.015;
  const double mean_degree = MeanDegree(graph);
  if (mean_degree < kLeastSampledDegree) return 1;
  const double sample = 1.0 / static_cast<double>(SampledOf(mean_degree, 0, false));
  return sample + (1 - sample) * std::exp(-mean_degree * sample);  // those that it does not reach
}

}  // namespace fargraph
