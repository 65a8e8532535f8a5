#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "benchmark/benchmark.h"
#include "graph/edge_reader.h"
#include "graph/readers/format_writers_test_util.h"
#include "graph/readers/input_file.h"
#include "graph/readers/open_edge_reader.h"

/// How fast each format is read, opening included, from memory, with OMP_NUM_THREADS threads. Bytes
/// are those of the content, before compression.
namespace fargraph {
namespace {

const GraphToWrite& Graph(WeightType weight_type) {
  static const auto make = [](WeightType type) {
    constexpr uint64_t kVertices = uint64_t{1} << 20;
    constexpr uint64_t kDegree = 4;
    std::mt19937_64 random(1);
    GraphToWrite graph{kVertices, type, {}};
    for (uint64_t i = 0; i < kVertices * kDegree; ++i) {
      graph.edges.push_back({i / kDegree, random() % kVertices,
                             type == WeightType::kNone ? 0 : uint32_t(random() % 1000)});
    }
    return graph;
  };
  static const GraphToWrite plain = make(WeightType::kNone);
  static const GraphToWrite weighted = make(WeightType::kInt32);
  return weight_type == WeightType::kNone ? plain : weighted;
}

void ReadAll(benchmark::State& state, const std::string& content, const std::string& file) {
  const std::shared_ptr<const InputFile> input = MakeMemoryInput("benchmark", file);
  std::vector<InputEdge> edges(size_t{1} << 18);  // as convert reads them
  uint64_t total = 0;
  for ([[maybe_unused]] auto _ : state) {
    auto reader = OpenEdgeReader(input);
    if (!reader.ok()) return state.SkipWithError(reader.status().ToString().c_str());
    while (true) {
      const auto count = (*reader)->Read(absl::MakeSpan(edges));
      if (!count.ok()) return state.SkipWithError(count.status().ToString().c_str());
      if (*count == 0) break;
      total += *count;
      benchmark::DoNotOptimize(edges.data());
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * content.size()));
  state.SetItemsProcessed(static_cast<int64_t>(total));
}

void BM_Snap(benchmark::State& state) {
  const std::string text = WriteSnap(Graph(WeightType::kNone), {"\t"});
  ReadAll(state, text, text);
}

void BM_SnapWeighted(benchmark::State& state) {
  const std::string text = WriteSnap(Graph(WeightType::kInt32), {});
  ReadAll(state, text, text);
}

void BM_SnapGzip(benchmark::State& state) {
  const std::string text = WriteSnap(Graph(WeightType::kNone), {});
  ReadAll(state, text, Gzip(text));
}

void BM_SnapZstd(benchmark::State& state) {
  const std::string text = WriteSnap(Graph(WeightType::kNone), {});
  ReadAll(state, text, Zstd(text));
}

void BM_MatrixMarket(benchmark::State& state) {
  const std::string text = WriteMatrixMarket(Graph(WeightType::kNone), {});
  ReadAll(state, text, text);
}

void BM_AdjacencyGraph(benchmark::State& state) {
  const std::string text = WriteAdjacencyGraph(Graph(WeightType::kNone), {});
  ReadAll(state, text, text);
}

void BM_WeightedAdjacencyGraph(benchmark::State& state) {
  const std::string text = WriteAdjacencyGraph(Graph(WeightType::kInt32), {});
  ReadAll(state, text, text);
}

void BM_Gapbs(benchmark::State& state) {
  const std::string bytes = WriteGapbs(Graph(WeightType::kNone), nullptr);
  ReadAll(state, bytes, bytes);
}

void BM_GapbsWeighted(benchmark::State& state) {
  const std::string bytes = WriteGapbs(Graph(WeightType::kInt32), nullptr);
  ReadAll(state, bytes, bytes);
}

void BM_BinaryPairs(benchmark::State& state) {
  const std::string bytes = WriteBinaryPairs(Graph(WeightType::kNone));
  ReadAll(state, bytes, bytes);
}

BENCHMARK(BM_Snap);
BENCHMARK(BM_SnapWeighted);
BENCHMARK(BM_SnapGzip);
BENCHMARK(BM_SnapZstd);
BENCHMARK(BM_MatrixMarket);
BENCHMARK(BM_AdjacencyGraph);
BENCHMARK(BM_WeightedAdjacencyGraph);
BENCHMARK(BM_Gapbs);
BENCHMARK(BM_GapbsWeighted);
BENCHMARK(BM_BinaryPairs);

}  // namespace
}  // namespace fargraph
