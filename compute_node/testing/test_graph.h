#ifndef FARGRAPH_COMPUTE_NODE_TESTING_TEST_GRAPH_H_
#define FARGRAPH_COMPUTE_NODE_TESTING_TEST_GRAPH_H_

#include <atomic>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compute_node/engine/graph.h"
#include "compute_node/placement/far_set.h"
#include "compute_node/testing/fake_tier.h"

namespace fargraph {

using EdgeList = std::vector<std::pair<VertexId, VertexId>>;

struct TestGraphOptions {
  double far_ratio = 0;
  uint64_t chunk_bytes = 64;
  size_t slots = 4;
  uint64_t fail_after = ~uint64_t{0};  ///< of the fake tier
  bool one_by_one = false;             ///< of the fake tier
  uint64_t block_bytes = 1;            ///< of the fake tier: an SSD if there are more
  bool with_in_edges = true;
  /// The lists serve both directions whatever they hold.
  bool is_said_to_be_symmetric = false;
  size_t heads = 0;         ///< columns of each direction
  size_t cache_slots = 0;   ///< of each direction; only of lists that are not compressed
  size_t chunk_frames = 0;  ///< of each direction's cache of chunks; none: there is no such cache
  WeightType weight_type = WeightType::kNone;
  std::vector<uint32_t> weight_bits;        ///< parallel to the edges; empty without weights
  bool compressed = false;                  ///< only without weights
  std::optional<size_t> damaged_code_byte;  ///< of both directions
  const std::atomic<bool>* cancelled = nullptr;
  std::optional<VertexNames> names;
  std::vector<std::string> far_state;  ///< SequentialArrays that are far
};

/// What tests of walks combine: far ratio, slots, compressed, bytes of the far tier's blocks,
/// frames for chunks.
using WalkPlacement = std::tuple<double, size_t, bool, uint64_t, size_t>;

TestGraphOptions OptionsOf(const WalkPlacement& placement);

/// A small graph placed over local memory and a fake far tier, for tests of the engine and the
/// kernels. If every edge is there both ways, equally often, the lists serve both directions.
class TestGraph {
 public:
  TestGraph(VertexId vertices, const EdgeList& edges, const TestGraphOptions& options = {});

  Graph& graph() { return *graph_; }
  /// The one that the OpenMP thread's stream reads from.
  const FakeTier& tier(int thread) const { return *tiers_[thread]; }

 private:
  struct Lists {
    bool operator==(const Lists&) const = default;

    std::vector<EdgeOffset> index;  ///< of entries: of v those from index[v] to index[v + 1]
    std::vector<uint64_t> entries;  ///< targets, each above the bits of its weight; of v ascending
  };

  Lists ListsOf(VertexId vertices, const EdgeList& edges, bool reversed) const;
  std::shared_ptr<const EdgeLists> Place(const Lists& lists);
  std::shared_ptr<const EdgeLists> PlaceCodes(VertexArray<EdgeOffset> index,
                                              const std::vector<VertexId>& targets);
  FarState PlaceState(VertexId vertices);
  uint64_t SlotBytes() const;
  std::unique_ptr<ListCache> MakeCache(const EdgeLists& lists);
  std::unique_ptr<ChunkCache> MakeChunkCache(const EdgeLists& lists);
  /// `elements`: one per edge, or byte of code.
  template <typename T>
  PlacedArray PlaceArray(const std::vector<T>& elements, const ChunkTable& chunks,
                         const FarSet& far);
  std::shared_ptr<const Heads> HeadsOf(const Lists& lists) const;

  /// Exactly as many bytes, so that a sanitizer sees what lies beyond them.
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  using Bytes = std::unique_ptr<std::byte, Free>;
  static Bytes AlignedBytes(uint64_t bytes, uint64_t alignment);

  TestGraphOptions options_;
  std::vector<std::byte> far_;
  std::vector<Bytes> rings_;
  std::vector<Bytes> caches_;
  std::vector<std::byte> state_;
  std::vector<std::vector<std::byte>> state_rings_;
  std::vector<const FakeTier*> tiers_;  ///< the graph's
  std::unique_ptr<Graph> graph_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TESTING_TEST_GRAPH_H_
