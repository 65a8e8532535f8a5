// Breadth-first search with the IoIterator, the worked example of docs/io-iterator.md: prints the
// level of every vertex, -1 where the search does not come.
//
//   bfs_iterator GRAPH SOURCE [HOST:PORT,... FAR_RATIO]     GRAPH: made by fargraph convert
#include <atomic>
#include <iostream>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "common/status_macros.h"
#include "compute_node/io_iterator.h"
#include "compute_node/open_graph.h"
#include "compute_node/output.h"
#include "compute_node/tiers/link_cache.h"

using fargraph::VertexId;

absl::Status Search(fargraph::Graph& graph, VertexId source, fargraph::VertexArray<int>& levels) {
  std::atomic<bool> found = true;
  levels[source] = 0;
  for (int level = 0; found.exchange(false); ++level) {
    const auto is_active = [&](VertexId v) { return levels[v] == level; };
    const auto compute = [&](absl::Span<const VertexId> neighbors) {
      for (const VertexId v : neighbors) {
        int unreached = -1;  // other threads may reach v as well
        if (std::atomic_ref(levels[v]).compare_exchange_strong(unreached, level + 1)) found = true;
      }
    };
    fargraph::ActiveLists active(graph, fargraph::Direction::kOut, is_active);
#pragma omp parallel if (active.parallel())
    for (fargraph::IoIterator lists(active); lists.has_more();) {
      lists.next();
      compute(lists.get_neighbors());
    }
    FARGRAPH_RETURN_IF_ERROR(active.status());
  }
  return absl::OkStatus();
}

absl::Status Run(const fargraph::JobOptions& options) {
  FARGRAPH_ASSIGN_OR_RETURN(auto opened, OpenGraph(options, {.bytes_per_vertex = sizeof(int)}));
  fargraph::VertexArray<int> levels(opened->graph().vertices(), -1);
  FARGRAPH_RETURN_IF_ERROR(Search(opened->graph(), *opened->source(), levels));
  return WriteOutput("-", fargraph::OutputFormat::kText, {{"level", std::move(levels)}},
                     opened->graph().names());
}

int main(int argc, char** argv) {
  uint64_t source = 0;
  double far_ratio = 0;
  if ((argc != 3 && argc != 5) || !absl::SimpleAtoi(argv[2], &source) ||
      (argc == 5 && !absl::SimpleAtod(argv[4], &far_ratio))) {
    return std::cerr << "usage: bfs_iterator GRAPH SOURCE [HOST:PORT,... FAR_RATIO]\n", 2;
  }
  fargraph::JobOptions options = {.graph_path = argv[1],
                                  .far_ratio = far_ratio,
                                  .link_cache_path = fargraph::LinkCache::DefaultPath(),
                                  .source = source};
  if (argc == 5) options.memory_nodes = absl::StrSplit(argv[3], ',');
  const absl::Status status = Run(options);
  if (!status.ok()) std::cerr << "bfs_iterator: " << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
