#include "compute_node/testing/mix_kernels.h"

#include <memory>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "common/status_macros.h"
#include "compute_node/engine/for_each_list.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/engine/sequential_array.h"

namespace fargraph {
namespace {

/// Adds up over all vertices a mix of the vertex and each of its neighbours, in both directions:
/// any edge that is lost, doubled or wrong changes the sums.
class MixKernel : public Kernel {
 public:
  absl::string_view name() const override { return "mix"; }
  absl::string_view summary() const override { return "mixes neighbours, for tests"; }
  std::vector<absl::string_view> takes() const override {  // whatever a test sets
    return {"source", "sources", "iterations", "tolerance", "delta", "precision"};
  }
  ListUse out_lists() const override { return ListUse::kEdges; }
  ListUse in_lists() const override { return ListUse::kEdgesIfStored; }
  Walks walks() const override { return Walks::kFullScans; }
  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions&) const override {
    return {VertexSegment<double>("mix", graph.vertices, kRandomReadWrite)};
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions& options) const override {
    VertexArray<double> mix(graph.vertices());
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      const auto add = [&](VertexId v, absl::Span<const VertexId> neighbors) {
        for (const VertexId u : neighbors) mix[v] += (v * 31 + u) % 1009;
      };
      if (graph.Has(direction))
        FARGRAPH_RETURN_IF_ERROR(ForEachList(graph, direction, nullptr, add));
      graph.EndIteration(graph.vertices());
      between_scans();
    }
    KernelResult result;
    double sum = 0;
    for (const double value : mix) sum += value;
    result.answer["sum"] = sum;
    FARGRAPH_ASSIGN_OR_RETURN(result.answer["source"], graph.InputId(options.source.value_or(0)));
    result.columns.push_back({"mix", std::move(mix)});
    return result;
  }

  absl::Status Verify(const GraphFiles&, const KernelOptions&, const KernelResult&) const override {
    return absl::AbortedError("the mix kernel never verifies");
  }
};

/// The same in a job that has a cache of lists, for walks over some of the vertices.
class CachedMixKernel : public MixKernel {
 public:
  absl::string_view name() const override { return "cached-mix"; }
  Walks walks() const override { return Walks::kSmallSteps; }
};

/// The same of many vertices at a time.
class PartsMixKernel : public MixKernel {
 public:
  absl::string_view name() const override { return "parts-mix"; }
  Walks walks() const override { return Walks::kParts; }
};

/// The same with weights: any weight that is lost or comes to another edge changes the sums.
class WeightedMixKernel : public MixKernel {
 public:
  absl::string_view name() const override { return "weighted-mix"; }
  std::vector<absl::string_view> takes() const override { return {}; }
  ListUse out_lists() const override { return ListUse::kWeightedEdges; }
  ListUse in_lists() const override { return ListUse::kWeightedEdges; }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions&) const override {
    std::vector<double> mix(graph.vertices());
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      const auto add = [&](VertexId v, absl::Span<const VertexId> neighbors, auto weights) {
        for (size_t i = 0; i < neighbors.size(); ++i)
          mix[v] += int64_t{(v * 31 + neighbors[i]) % 1009} * weights[i];
      };
      FARGRAPH_RETURN_IF_ERROR(ForEachWeightedList<int32_t>(graph, direction, nullptr, add));
      graph.EndIteration(graph.vertices());
      between_scans();
    }
    KernelResult result;
    result.answer["sum"] = std::accumulate(mix.begin(), mix.end(), 0.0);
    return result;
  }
};

/// Both.
class CachedWeightedMixKernel : public WeightedMixKernel {
 public:
  absl::string_view name() const override { return "cached-weighted-mix"; }
  Walks walks() const override { return Walks::kSmallSteps; }
};

/// Keeps a value per vertex that it changes in order, once an iteration: any that is lost or comes
/// to another vertex changes the column.
class StepsKernel : public MixKernel {
 public:
  absl::string_view name() const override { return "steps"; }
  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions&) const override {
    return {SequentialSegment<double>("steps", graph.vertices),
            VertexSegment<double>("mix", graph.vertices, kRandomReadWrite)};
  }

  absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions& options) const override {
    FARGRAPH_ASSIGN_OR_RETURN(auto steps, SequentialArray<double>::Make(graph, "steps", 1));
    for (int i = 0; i < 3; ++i) {
      FARGRAPH_ASSIGN_OR_RETURN(const KernelResult mixed, MixKernel::Run(graph, options));
      const auto& mix = std::get<VertexArray<double>>(mixed.columns[0].values);
      const auto step = [&](int, VertexId first, absl::Span<double> values) {
        for (size_t j = 0; j < values.size(); ++j) values[j] = values[j] / 3 + mix[first + j] * j;
      };
      FARGRAPH_RETURN_IF_ERROR(ForEachBlock(step, steps));
    }
    KernelResult result;
    FARGRAPH_ASSIGN_OR_RETURN(auto column, steps.Take(VertexArray<double>(graph.vertices())));
    result.answer["sum"] = std::accumulate(column.begin(), column.end(), 0.0);
    return result;
  }
};

}  // namespace

std::function<void()> between_scans = [] {};

void RegisterMixKernels() {
  [[maybe_unused]] static const bool registered =
      RegisterKernel(std::make_unique<MixKernel>()) &&
      RegisterKernel(std::make_unique<CachedMixKernel>()) &&
      RegisterKernel(std::make_unique<PartsMixKernel>()) &&
      RegisterKernel(std::make_unique<WeightedMixKernel>()) &&
      RegisterKernel(std::make_unique<CachedWeightedMixKernel>()) &&
      RegisterKernel(std::make_unique<StepsKernel>());
}

}  // namespace fargraph
