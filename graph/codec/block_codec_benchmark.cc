#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "benchmark/benchmark.h"
#include "graph/codec/block_codec.h"
#include "graph/codec/block_decoders.h"
#include "graph/generators/generator.h"

/// How fast blocks are coded and decoded list by list, on one core, for each set of instructions:
/// items are edges; bytes, where shown, are those of raw neighbours.
namespace fargraph {
namespace {

constexpr int kScale = 20;

struct Block {
  VertexId vertex;
  uint32_t edges;
  size_t first_edge;
  size_t code_begin;
};

/// A random graph of mean degree 32, every edge in both directions, and its code.
struct CodedGraph {
  std::vector<VertexId> targets;
  std::vector<Block> blocks;  // and one beyond the last
  std::vector<std::byte> code;

  explicit CodedGraph(GeneratorKind kind) {
    auto reader = OpenGenerator({.kind = kind, .scale = kScale});
    std::vector<uint64_t> records;
    std::vector<InputEdge> edges(1 << 16);
    while (const size_t count = (*reader)->Read(absl::MakeSpan(edges)).value()) {
      for (const InputEdge& edge : absl::MakeConstSpan(edges).first(count)) {
        records.push_back(edge.source << 32 | edge.target);
        records.push_back(edge.target << 32 | edge.source);
      }
    }
    std::sort(records.begin(), records.end());
    records.erase(std::unique(records.begin(), records.end()), records.end());
    for (size_t i = 0; i < records.size(); ++i) {
      const auto vertex = static_cast<VertexId>(records[i] >> 32);
      targets.push_back(static_cast<VertexId>(records[i] & 0xffffffff));
      if (blocks.empty() || blocks.back().vertex != vertex || blocks.back().edges == kBlockEdges) {
        blocks.push_back({.vertex = vertex, .first_edge = i});
      }
      ++blocks.back().edges;
    }
    code.resize(MaxBlockBytes(targets.size()) + blocks.size() + kCodeSlackBytes);
    size_t bytes = 0;
    for (Block& block : blocks) {
      block.code_begin = bytes;
      bytes += EncodeBlock(block.vertex, Targets(block), &code[bytes]);
    }
    blocks.push_back({.code_begin = bytes});
  }

  absl::Span<const VertexId> Targets(const Block& block) const {
    return absl::MakeConstSpan(targets).subspan(block.first_edge, block.edges);
  }
  absl::Span<const std::byte> Code(const Block* block) const {
    return absl::MakeConstSpan(code).subspan(block[0].code_begin,
                                             block[1].code_begin - block[0].code_begin);
  }
};

const CodedGraph& Graph(GeneratorKind kind) {
  static const CodedGraph kron(GeneratorKind::kKron);
  static const CodedGraph uniform(GeneratorKind::kUniform);
  return kind == GeneratorKind::kKron ? kron : uniform;
}

void Decode(benchmark::State& state, GeneratorKind kind, bool long_lists) {
  const CodedGraph& graph = Graph(kind);
  const BlockDecoder decoder = BlockDecoders()[state.range(0)];
  state.SetLabel(decoder.instructions);
  std::vector<VertexId> neighbors(kBlockEdges);
  size_t edges = 0;
  for ([[maybe_unused]] auto _ : state) {
    for (const Block* block = graph.blocks.data(); block != &graph.blocks.back(); ++block) {
      if (long_lists && block->edges < kBlockEdges) continue;
      if (decoder.decode(block->vertex, graph.Code(block), block->edges, neighbors.data()) == 0) {
        return state.SkipWithError("the code is damaged");
      }
      benchmark::ClobberMemory();
      edges += block->edges;
    }
  }
  state.SetItemsProcessed(static_cast<int64_t>(edges));
}

void BM_DecodeKron(benchmark::State& state) { Decode(state, GeneratorKind::kKron, false); }
void BM_DecodeKronHubs(benchmark::State& state) { Decode(state, GeneratorKind::kKron, true); }
void BM_DecodeUniform(benchmark::State& state) { Decode(state, GeneratorKind::kUniform, false); }

void Encode(benchmark::State& state, GeneratorKind kind) {
  const CodedGraph& graph = Graph(kind);
  std::vector<std::byte> code(MaxBlockBytes(kBlockEdges));
  size_t bytes = 0;
  for ([[maybe_unused]] auto _ : state) {
    bytes = 0;
    for (const Block* block = graph.blocks.data(); block != &graph.blocks.back(); ++block) {
      bytes += EncodeBlock(block->vertex, graph.Targets(*block), code.data());
      benchmark::ClobberMemory();
    }
  }
  state.counters["bytes_per_edge"] = static_cast<double>(bytes) / graph.targets.size();
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * graph.targets.size()));
  state.SetBytesProcessed(state.items_processed() * sizeof(VertexId));
}

void BM_EncodeKron(benchmark::State& state) { Encode(state, GeneratorKind::kKron); }
void BM_EncodeUniform(benchmark::State& state) { Encode(state, GeneratorKind::kUniform); }

void EveryDecoder(benchmark::internal::Benchmark* benchmark) {
  benchmark->DenseRange(0, static_cast<int>(BlockDecoders().size()) - 1);
}

BENCHMARK(BM_DecodeKron)->Apply(EveryDecoder);
BENCHMARK(BM_DecodeKronHubs)->Apply(EveryDecoder);
BENCHMARK(BM_DecodeUniform)->Apply(EveryDecoder);
BENCHMARK(BM_EncodeKron);
BENCHMARK(BM_EncodeUniform);

}  // namespace
}  // namespace fargraph
