#include "algorithms/building_blocks/peeling.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <limits>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "algorithms/building_blocks/both_ends.h"
#include "algorithms/building_blocks/hub_counts.h"
#include "algorithms/building_blocks/prefetched.h"
#include "common/status_macros.h"
#include "compute_node/engine/for_each_list.h"
#include "compute_node/engine/next_frontier.h"
#include "compute_node/engine/vertex_map.h"
#include "compute_node/pipeline/vertex_subset.h"
#include "graph/ids.h"

namespace fargraph {
namespace {

/// What one thread finds in a level.
struct alignas(64) Findings {
  static constexpr size_t kMostListed = 4096;

  /// About what is held at most of all threads: three lists, and one of them together.
  static DataSegment Segment() {
    return {.name = "findings",
            .bytes = 4 * omp_get_max_threads() * kMostListed * sizeof(VertexId)};
  }

  void AddNear(VertexId v) {
    if (came_near.size() < kMostListed) {
      came_near.push_back(v);
    } else {
      others_came = true;
    }
  }

  std::vector<VertexId> came_near;
  bool others_came = false;    ///< near, beside those listed
  std::vector<VertexId> gone;  ///< in turn, after whom the walk has not asked yet
  std::vector<VertexId> here;  ///< those whom it goes on with, since their lists are at hand
  size_t followed = 0;         ///< so many of them, in a step
};

class Peeling {
 public:
  explicit Peeling(Graph& graph)
      : graph_(graph),
        vertices_left_(graph.vertices()),
        degrees_(graph.vertices()),
        gone_(graph.vertices()),
        lost_by_hubs_(graph.Lists(Direction::kOut)),
        findings_(omp_get_max_threads()) {}

  absl::Status PeelAll() {
    FARGRAPH_RETURN_IF_ERROR(CountNeighbors());
    VertexSubset left = VertexFilter(graph_.vertices(), [](VertexId) { return true; });
    while (!left.empty()) {
      level_ = FewestNeighbors(left);
      near_end_ = level_ + kNearLevels;
      FARGRAPH_RETURN_IF_ERROR(PeelNear(left));
      left = VertexFilter(left, [&](VertexId v) { return degrees_[v] >= near_end_; });
    }
    return absl::OkStatus();
  }

  /// When all have gone.
  VertexArray<int32_t> TakeCores() { return std::move(degrees_); }

 private:
  template <bool kCounts>
  class Leaver;

  static constexpr size_t kLeastToCount = 1024;  ///< of fewer, adding up the counts takes longer
  static constexpr int32_t kNearLevels = 16;

  absl::Status CountNeighbors() {
    std::atomic<bool> too_many = false;
    VertexMap(graph_.vertices(), [&](VertexId v) {
      const EdgeOffset degree = EdgesAt(graph_, v);
      if (degree > std::numeric_limits<int32_t>::max()) too_many = true;
      degrees_[v] = static_cast<int32_t>(degree);
    });
    if (too_many) {
      return absl::InvalidArgumentError(
          "kcore counts up to 2^31 - 1 edges at a vertex, and one has more; convert the graph with "
          "--remove_duplicates");
    }
    if (!graph_.may_have_self_loops()) return absl::OkStatus();
    const auto leave_out_loops = [&](VertexId v, absl::Span<const VertexId> neighbors) {
      const auto [begin, end] = std::equal_range(neighbors.begin(), neighbors.end(), v);
      degrees_[v] -= static_cast<int32_t>(end - begin);
    };
    return ForBothEnds(graph_, [&](Direction direction) {
      return ForEachList(graph_, direction, nullptr, leave_out_loops);
    });
  }

  int32_t FewestNeighbors(const VertexSubset& vertices) const {
    std::atomic<int32_t> fewest = std::numeric_limits<int32_t>::max();
    VertexMap(vertices, [&](VertexId v) {
      int32_t before = fewest.load(std::memory_order_relaxed);
      while (degrees_[v] < before &&
             !fewest.compare_exchange_weak(before, degrees_[v], std::memory_order_relaxed)) {
      }
    });
    return fewest;
  }

  /// The levels below near_end_.
  absl::Status PeelNear(const VertexSubset& left) {
    VertexSubset near = VertexFilter(left, [&](VertexId v) { return degrees_[v] < near_end_; });
    for (; !near.empty(); ++level_) {
      FARGRAPH_RETURN_IF_ERROR(
          PeelLevel(VertexFilter(near, [&](VertexId v) { return degrees_[v] == level_; })));
      near = NearAfterLevel(left, std::move(near));
    }
    return absl::OkStatus();
  }

  /// Who is near behind a level, of those that were before it and those that came; where these are
  /// too many, of all that were left.
  VertexSubset NearAfterLevel(const VertexSubset& left, VertexSubset near) {
    std::vector<VertexId> came;
    bool all_listed = true;
    for (Findings& found : findings_) {
      absl::c_copy(found.came_near, std::back_inserter(came));
      found.came_near.clear();
      all_listed &= !std::exchange(found.others_came, false);
    }
    const auto is_near = [&](VertexId v) {
      return degrees_[v] > level_ && degrees_[v] < near_end_;
    };
    if (!all_listed) return VertexFilter(left, is_near);
    const VertexSubset listed = VertexSubset::Of(graph_.vertices(), std::move(came));
    return VertexFilter(Union(std::move(near), listed), is_near);
  }

  /// Takes away those that go at this level, and those that go in turn.
  absl::Status PeelLevel(VertexSubset gone) {
    if (gone.empty()) return absl::OkStatus();
    size_t peeled = 0;
    for (; !gone.empty(); gone = gone_.Take()) {
      peeled += gone.size();
      if (peeled == vertices_left_) continue;
      FARGRAPH_RETURN_IF_ERROR(Leave(gone));
      for (Findings& found : findings_) peeled += std::exchange(found.followed, 0);
    }
    vertices_left_ -= peeled;
    graph_.EndIteration(peeled);
    return absl::OkStatus();
  }

  /// Takes these vertices away from their neighbours. Where they are many, what hubs lose is
  /// counted first.
  absl::Status Leave(const VertexSubset& vertices) {
    if (vertices.size() < kLeastToCount || lost_by_hubs_.end() == 0)
      return LeaveNeighbors</*kCounts=*/false>(vertices);
    FARGRAPH_RETURN_IF_ERROR(LeaveNeighbors</*kCounts=*/true>(vertices));
    lost_by_hubs_.TakeAll([&](VertexId v, int32_t lost) { LoseNeighbors(v, lost); });
    return absl::OkStatus();
  }

  /// kCounts: hubs do not lose them yet.
  template <bool kCounts>
  absl::Status LeaveNeighbors(const VertexSubset& vertices) {
    return ForBothEnds(graph_, [&](Direction direction) {
      return ScanLists(graph_, direction, &vertices, [&] { return Leaver<kCounts>(*this); });
    });
  }

  /// LoseNeighbor of a Leaver, of several neighbours and while no other thread is at work on v.
  void LoseNeighbors(VertexId v, int32_t lost) {
    const int32_t before = degrees_[v];
    if (before <= level_) return;
    const int32_t after = std::max(level_, before - lost);
    degrees_[v] = after;
    if (after == level_) {
      gone_.part().Add(v);
    } else if (before >= near_end_ && after < near_end_) {
      findings_[omp_get_thread_num()].AddNear(v);
    }
  }

  Graph& graph_;
  size_t vertices_left_;
  int32_t level_ = 0;
  int32_t near_end_ = 0;            ///< vertices with fewer neighbours are near
  VertexArray<int32_t> degrees_;    ///< neighbours that are left; of who has gone, the core number
  NextFrontier gone_;               ///< who goes next
  HubCounts lost_by_hubs_;          ///< neighbours, in a step; 0 in between
  std::vector<Findings> findings_;  ///< of each thread
};

/// One thread's part of a step: takes vertices away from their neighbours. Of these, some go in
/// turn: in the same step if their lists are at hand, else in the next one.
template <bool kCounts>
class Peeling::Leaver {
 public:
  explicit Leaver(Peeling& peeling)
      : degrees_(peeling.degrees_),
        level_(peeling.level_),
        near_end_(peeling.near_end_),
        follows_(peeling.graph_.symmetric()),
        hubs_end_(peeling.lost_by_hubs_.end()),
        lost_by_hubs_(kCounts ? peeling.lost_by_hubs_.mine() : nullptr),
        next_(peeling.gone_.part()),
        found_(peeling.findings_[omp_get_thread_num()]) {}

  void operator()(VertexId, absl::Span<const VertexId> neighbors, const std::byte*) {
    for (const VertexId neighbor : PrefetchedToWrite(neighbors, degrees_.data())) {
      if (kCounts && neighbor < hubs_end_) {
        ++lost_by_hubs_[neighbor];
      } else {
        LoseNeighbor(neighbor);
      }
    }
  }

  /// Those that have gone since the last call, as a walk asks for them; not where the next step
  /// should count what hubs lose.
  absl::Span<const VertexId> TakeFound(absl::FunctionRef<bool(VertexId)> is_here) {
    const bool follows = follows_ && (hubs_end_ == 0 || found_.gone.size() < kLeastToCount);
    found_.here.clear();
    for (const VertexId v : found_.gone) {
      if (follows && is_here(v)) {
        found_.here.push_back(v);
      } else {
        next_.Add(v);
      }
    }
    found_.gone.clear();
    found_.followed += found_.here.size();
    return found_.here;
  }

 private:
  /// Those that went before keep the degree with which they did.
  void LoseNeighbor(VertexId v) {
    std::atomic_ref degree(degrees_[v]);
    int32_t before = degree.load(std::memory_order_relaxed);
    do {
      if (before <= level_) return;
    } while (!degree.compare_exchange_weak(before, before - 1, std::memory_order_relaxed));
    if (before - 1 == level_) {
      Go(v);
    } else if (before == near_end_) {
      found_.AddNear(v);
    }
  }

  void Go(VertexId v) {
    if (found_.gone.size() < Findings::kMostListed) {
      found_.gone.push_back(v);
    } else {
      next_.Add(v);
    }
  }

  VertexArray<int32_t>& degrees_;
  const int32_t level_;
  const int32_t near_end_;
  const bool follows_;  ///< one list of a vertex has all its neighbours
  const VertexId hubs_end_;
  int32_t* const lost_by_hubs_;
  NextFrontier::Part& next_;
  Findings& found_;
};

}  // namespace

absl::StatusOr<VertexArray<int32_t>> PeelCores(Graph& graph) {
  Peeling peeling(graph);
  FARGRAPH_RETURN_IF_ERROR(peeling.PeelAll());
  return peeling.TakeCores();
}

std::vector<DataSegment> PeelingSegments(uint64_t vertices) {
  return {VertexSegment<int32_t>("degree", vertices, kRandomReadWrite),
          NextFrontier::Segment(vertices),
          Findings::Segment(),
          HubCounts::Segment(vertices),
          VertexBits("left", vertices),
          VertexBits("near", vertices),
          VertexBits("next_near", vertices),
          VertexBits("frontier", vertices)};
}

}  // namespace fargraph
