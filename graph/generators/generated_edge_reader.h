#ifndef FARGRAPH_GRAPH_GENERATORS_GENERATED_EDGE_READER_H_
#define FARGRAPH_GRAPH_GENERATORS_GENERATED_EDGE_READER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/edge_reader.h"
#include "graph/thread_count.h"

namespace fargraph {

/// Streams the edges model(0) to model(count - 1), made by all threads. `Model` is a function of
/// the edge's number without state: InputEdge operator()(uint64_t edge) const.
template <typename Model>
class GeneratedEdgeReader final : public EdgeReader {
 public:
  GeneratedEdgeReader(Model model, uint64_t count, InputProperties properties)
      : model_(std::move(model)), count_(count), properties_(std::move(properties)) {}

  const InputProperties& properties() const override { return properties_; }

  absl::StatusOr<size_t> Read(absl::Span<InputEdge> edges) override {
    const size_t batch = std::min<uint64_t>(edges.size(), count_ - next_);
#pragma omp parallel for num_threads(ThreadCountFor(batch))
    for (size_t i = 0; i < batch; ++i) edges[i] = model_(next_ + i);
    next_ += batch;
    return batch;
  }

 private:
  const Model model_;
  const uint64_t count_;
  const InputProperties properties_;
  uint64_t next_ = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_GENERATORS_GENERATED_EDGE_READER_H_
