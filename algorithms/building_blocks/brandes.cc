#include "algorithms/building_blocks/brandes.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <optional>
#include <utility>

#include "algorithms/building_blocks/count_edges.h"
#include "common/status_macros.h"
#include "compute_node/engine/edge_map.h"
#include "compute_node/engine/effort.h"
#include "compute_node/engine/sequential_array.h"
#include "compute_node/engine/subset_stack.h"
#include "compute_node/engine/vertex_map.h"
#include "graph/bitmap.h"
#include "graph/in_parts.h"
#include "graph/thread_count.h"

namespace fargraph {
namespace {

constexpr double kLargestExactCount = static_cast<double>(uint64_t{1} << 53) - 1;

/// Counts the paths along an edge from the frontier to a vertex that no earlier level has reached.
struct CountStep {
  VertexArray<double>& paths;
  const Bitmap& reached;
  std::atomic<bool> rounded = false;  ///< a count is so large that it depends on the order

  bool IsOpen(VertexId target) const { return !reached.TestUnshared(target); }

  void Prefetch(VertexId target) const { __builtin_prefetch(&paths[target], 1); }

  bool Update(VertexId source, VertexId target) {
    const double before = paths[target];
    paths[target] += paths[source];
    CheckCount(paths[target]);
    return before == 0;
  }

  bool UpdateAtomic(VertexId source, VertexId target) {
    std::atomic_ref count(paths[target]);
    const double before = count.fetch_add(paths[source], std::memory_order_relaxed);
    CheckCount(before + paths[source]);
    return before == 0;
  }

  void CheckCount(double count) {
    if (count > kLargestExactCount) [[unlikely]]
      rounded.store(true, std::memory_order_relaxed);
  }
};

/// `sum` and the values of those neighbours that are known, added one after the other: into how
/// many pieces a list is cut makes no difference.
double AddKnown(absl::Span<const VertexId> neighbors, const Bitmap& known, const double* values,
                double sum) {
  constexpr size_t kBlock = 256;
  std::array<VertexId, kBlock> found;
  while (!neighbors.empty()) {
    const absl::Span<const VertexId> block = neighbors.first(std::min(kBlock, neighbors.size()));
    size_t count = 0;
    for (const VertexId v : block) {  // without a branch that cannot be foreseen
      found[count] = v;
      count += known.Test(v);
    }
    for (size_t i = 0; i < count; ++i) sum += values[found[i]];
    neighbors.remove_prefix(block.size());
  }
  return sum;
}

Bitmap Complement(const Bitmap& set) {
  Bitmap complement(set.size());
  const int threads = ThreadCountForBytes(Bitmap::StorageBytes(set.size()));
  InParts(set.words(), threads, [&](size_t begin, size_t end) {
    for (size_t word = begin; word < end; ++word) complement.SetWord(word, ~set.word(word));
  });
  const size_t last = set.words() - 1;
  complement.AssignWord(last, [&](size_t bit) { return !set.Test(bit); });
  return complement;
}

/// The vertices from there on have no edges, and nothing is found out about them.
VertexId EndOfReach(const Graph& graph) {
  return std::max(graph.Lists(Direction::kOut).end_of_lists(),
                  graph.Lists(Direction::kIn).end_of_lists());
}

class Brandes {
 public:
  /// `scores`: of the vertices within reach.
  Brandes(Graph& graph, SequentialArray<double> scores)
      : graph_(graph),
        edge_map_(graph),
        paths_(VertexArray<double>::Zeros(graph.vertices(), scores.size())),
        shares_(VertexArray<double>::Zeros(graph.vertices(), scores.size())),
        scores_(std::move(scores)),
        known_(graph.vertices()),
        levels_(graph, "levels") {}

  /// Adds the dependencies of one source to the scores.
  absl::Status AddSource(VertexId source) {
    if (source >= scores_.size()) return absl::OkStatus();
    Forget();
    FARGRAPH_RETURN_IF_ERROR(CountPaths(source));
    has_counted_ = levels_.size() > 1;
    FARGRAPH_RETURN_IF_ERROR(PullDependencies());
    paths_[source] = 0;  // its own paths do not lead through it
    return has_counted_ ? AddToScores() : absl::OkStatus();
  }

  absl::StatusOr<VertexArray<double>> TakeScores() { return scores_.Take(std::move(paths_)); }

 private:
  static constexpr size_t kLevelsAhead = 4;

  /// Everything about the source before.
  void Forget() {
    if (has_counted_) VertexMap(scores_.size(), [&](VertexId v) { paths_[v] = shares_[v] = 0; });
    known_.Clear();
  }

  absl::Status CountPaths(VertexId source) {
    paths_[source] = 1;
    unreached_in_edges_ = graph_.Lists(Direction::kIn).edges();
    VertexSubset frontier = VertexSubset::Single(graph_.vertices(), source);
    while (!frontier.empty()) {
      Include(frontier, known_);
      const EdgeOffset in_edges = CountEdges(graph_.Lists(Direction::kIn), frontier);
      const EdgeOffset out_edges =
          graph_.symmetric() ? in_edges : CountEdges(graph_.Lists(Direction::kOut), frontier);
      unreached_in_edges_ -= in_edges;
      FARGRAPH_ASSIGN_OR_RETURN(VertexSubset next,
                                PullIsCheaper(out_edges) ? PullCounts() : PushCounts(frontier));
      graph_.EndIteration(frontier.size());
      levels_.Push(std::exchange(frontier, std::move(next)));
    }
    return absl::OkStatus();
  }

  /// A push updates atomically, somewhere in memory, the vertices that it reaches first.
  bool PullIsCheaper(EdgeOffset frontier_edges) const {
    constexpr double kPushCost = 4;          // of an edge, in units of one that is pulled
    constexpr double kCandidateCost = 0.25;  // of a vertex, which a pull asks whether it is reached
    return static_cast<double>(unreached_in_edges_) + kCandidateCost * graph_.vertices() <
           kPushCost * static_cast<double>(frontier_edges);
  }

  absl::StatusOr<VertexSubset> PushCounts(const VertexSubset& frontier) {
    CountStep step{paths_, known_};
    FARGRAPH_ASSIGN_OR_RETURN(VertexSubset next, edge_map_.Push(frontier, step));
    if (step.rounded) FARGRAPH_RETURN_IF_ERROR(CountAgain(next));
    return next;
  }

  absl::StatusOr<VertexSubset> PullCounts() {
    const VertexSubset unreached(Complement(known_));
    FARGRAPH_RETURN_IF_ERROR(AddNeighbors(Direction::kIn, unreached, paths_));
    return VertexFilter(unreached, [&](VertexId v) { return paths_[v] > 0; });
  }

  /// After a push: any order of exact sums has the same result, but rounded ones want one order.
  absl::Status CountAgain(const VertexSubset& level) {
    VertexMap(level, [&](VertexId v) { paths_[v] = 0; });
    return AddNeighbors(Direction::kIn, level, paths_);
  }

  /// Leaves them in the place of the paths.
  absl::Status PullDependencies() {
    std::atomic<bool> too_many_paths = false;
    const auto soon = [&](auto&& take) { levels_.VisitLast(kLevelsAhead, take); };
    known_.Clear();
    for (bool is_last = true; levels_.size() > 0; is_last = false) {
      FARGRAPH_ASSIGN_OR_RETURN(const VertexSubset level, levels_.Pop());
      if (levels_.size() == 0) break;  // it was the source
      if (!is_last) FARGRAPH_RETURN_IF_ERROR(AddNeighbors(Direction::kOut, level, shares_, soon));
      VertexMap(level, [&](VertexId v) {
        if (std::isinf(paths_[v])) too_many_paths.store(true, std::memory_order_relaxed);
        const double dependency = paths_[v] * shares_[v];
        shares_[v] = (1 + dependency) / paths_[v];
        paths_[v] = dependency;
      });
      Include(level, known_);
      graph_.EndIteration(level.size());
    }
    if (!too_many_paths) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "bc cannot count the shortest paths of this graph: there are more than 1e308 of them to "
        "one vertex; begin with a --source from which no path is so long");
  }

  absl::Status AddToScores() {
    return ForEachBlock(
        [&](int, VertexId first, absl::Span<double> scores) {
          for (size_t i = 0; i < scores.size(); ++i) scores[i] += paths_[first + i];
        },
        scores_);
  }

  /// Adds to the value of each of the vertices, which are not known, those of its known neighbours.
  absl::Status AddNeighbors(Direction direction, const VertexSubset& vertices,
                            VertexArray<double>& values,
                            std::optional<ListScan::Soon> soon = std::nullopt) {
    return ForEachList(
        graph_, direction, &vertices,
        [this, &values](VertexId v, absl::Span<const VertexId> neighbors) {
          values[v] = AddKnown(neighbors, known_, values.data(), values[v]);
        },
        soon);
  }

  Graph& graph_;
  EdgeMap edge_map_;
  VertexArray<double> paths_;   ///< shortest ones from the source; then the dependencies
  VertexArray<double> shares_;  ///< (1 + dependency) / paths, for the predecessors to take
  SequentialArray<double> scores_;
  Bitmap known_;  ///< vertices whose paths, on the way back whose shares, are known
  SubsetStack levels_;
  bool has_counted_ = false;  ///< paths to others than the source before
  EdgeOffset unreached_in_edges_ = 0;
};

/// Of a search that goes wide the large levels, which have most of the vertices, are bits.
DataSegment LevelsSegment(const GraphManifest& graph) {
  DataSegment levels = SequentialSegment<VertexId>("levels", graph.end_of_lists);
  if (!SearchesAreDeep(graph)) levels.spare_bytes = levels.bytes / 4 * 3;
  return levels;
}

}  // namespace

absl::StatusOr<VertexArray<double>> SumDependencies(Graph& graph,
                                                    absl::Span<const VertexId> sources) {
  FARGRAPH_ASSIGN_OR_RETURN(auto scores,
                            SequentialArray<double>::Make(graph, "score", 0, EndOfReach(graph)));
  Brandes brandes(graph, std::move(scores));
  for (const VertexId source : sources) FARGRAPH_RETURN_IF_ERROR(brandes.AddSource(source));
  return brandes.TakeScores();
}

std::vector<DataSegment> BrandesSegments(const GraphManifest& graph) {
  const uint64_t reach = graph.end_of_lists;  // nothing else is ever touched
  return {VertexSegment<double>("paths", reach, kRandomReadWrite),
          VertexSegment<double>("share", reach, kRandomReadWrite),
          SequentialSegment<double>("score", reach),
          LevelsSegment(graph),
          VertexBits("known", graph.vertices),
          VertexBits("unreached", graph.vertices),
          VertexBits("frontier", graph.vertices),
          VertexBits("next_level", graph.vertices),
          NextFrontier::Segment(graph.vertices)};
}

}  // namespace fargraph
