#ifndef FARGRAPH_GRAPH_MEMORY_EDGE_READER_H_
#define FARGRAPH_GRAPH_MEMORY_EDGE_READER_H_

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/edge_reader.h"

namespace fargraph {

/// Streams edges that are in memory, which stay the caller's.
class MemoryEdgeReader final : public EdgeReader {
 public:
  MemoryEdgeReader(absl::Span<const InputEdge> edges, InputProperties properties)
      : edges_(edges), properties_(std::move(properties)) {}

  const InputProperties& properties() const override { return properties_; }

  absl::StatusOr<size_t> Read(absl::Span<InputEdge> edges) override {
    const auto batch = edges_.subspan(0, edges.size());
    std::copy(batch.begin(), batch.end(), edges.begin());
    edges_.remove_prefix(batch.size());
    return batch.size();
  }

 private:
  absl::Span<const InputEdge> edges_;
  InputProperties properties_;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_MEMORY_EDGE_READER_H_
