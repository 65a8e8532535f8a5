#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "graph/edge_reader.h"
#include "graph/readers/format_writers_test_util.h"
#include "graph/readers/input_file.h"
#include "graph/readers/open_edge_reader.h"
#include "graph/readers/reader_test_util.h"

/// Any bytes, in any format and compression: reading them must end, in edges that are within what
/// the file declares or in one DataLoss.

namespace fargraph {
namespace {

/// Some content of a few kilobytes decompresses to hundreds of megabytes, which takes too long
/// here.
constexpr uint64_t kMaxEdges = uint64_t{1} << 20;

void CheckEdge(const InputEdge& edge, const InputProperties& properties) {
  if (!properties.declares_vertices) return;
  const bool in_range = edge.source - properties.first_id < properties.declared_vertices &&
                        edge.target - properties.first_id < properties.declared_vertices;
  if (!in_range) std::abort();
}

void ReadAll(std::string bytes, size_t block_bytes) {
  auto reader = OpenEdgeReader(MakeMemoryInput("fuzz", std::move(bytes), block_bytes));
  if (!reader.ok()) {
    if (reader.status().code() != absl::StatusCode::kDataLoss) std::abort();
    return;
  }
  std::vector<InputEdge> edges(61);
  for (uint64_t total = 0; total < kMaxEdges;) {
    const auto count = (*reader)->Read(absl::MakeSpan(edges));
    if (!count.ok()) {
      if (count.status().code() != absl::StatusCode::kDataLoss) std::abort();
      return;
    }
    if (*count == 0) return;
    for (size_t i = 0; i < *count; ++i) CheckEdge(edges[i], (*reader)->properties());
    total += *count;
  }
}

/// Files to start from: every format, plain.
const std::vector<std::string>& Seeds() {
  static const auto* seeds = [] {
    const GraphToWrite plain = {3, WeightType::kNone, {{0, 1, 0}, {0, 2, 0}, {2, 0, 0}}};
    const GraphToWrite weighted = {
        3, WeightType::kInt32, {IntEdge(0, 1, 5), IntEdge(1, 1, -6), IntEdge(2, 0, 70)}};
    const GraphToWrite real = {2, WeightType::kFloat32, {FloatEdge(0, 1, 0.5), FloatEdge(1, 0, 2)}};
    const TextStyle style = {" ", "\n", true, 1};
    return new std::vector<std::string>{WriteSnap(plain, style),
                                        WriteSnap(weighted, style),
                                        WriteSnap(real, style),
                                        WriteMatrixMarket(plain, style),
                                        WriteMatrixMarket(weighted, style),
                                        WriteMatrixMarket(real, style),
                                        WriteAdjacencyGraph(plain, style),
                                        WriteAdjacencyGraph(weighted, style),
                                        WriteAdjacencyGraph(real, style),
                                        WriteGapbs(plain, nullptr),
                                        WriteGapbs(plain, &plain),
                                        WriteGapbs(weighted, nullptr),
                                        WriteGapbs(weighted, &weighted),
                                        WriteBinaryPairs(plain),
                                        Gzip(WriteSnap(plain, style)),
                                        Zstd(WriteSnap(plain, style))};
  }();
  return *seeds;
}

/// Bytes in front of the file: the size of the blocks, and how to compress it.
constexpr size_t kChoiceBytes = 2;

}  // namespace
}  // namespace fargraph

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

/// Now and then begins anew from a seed, so that no corpus of files is needed.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int random) {
  constexpr unsigned kRoundsPerSeed = 256;
  if (random % kRoundsPerSeed == 0 && max_size > fargraph::kChoiceBytes) {
    const auto& seeds = fargraph::Seeds();
    const std::string& seed = seeds[random / kRoundsPerSeed % seeds.size()];
    const size_t bytes = seed.copy(reinterpret_cast<char*>(data) + fargraph::kChoiceBytes,
                                   max_size - fargraph::kChoiceBytes);
    data[0] = static_cast<uint8_t>(random >> 16);
    data[1] = static_cast<uint8_t>(random >> 24);
    return fargraph::kChoiceBytes + bytes;
  }
  return LLVMFuzzerMutate(data, size, max_size);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < fargraph::kChoiceBytes) return 0;
  const size_t block_bytes = 1 + size_t{data[0]} * data[0];
  std::string file(reinterpret_cast<const char*>(data) + fargraph::kChoiceBytes,
                   size - fargraph::kChoiceBytes);
  constexpr int kCompressions = 3;
  switch (data[1] % kCompressions) {
    case 1:
      file = fargraph::Gzip(file);
      break;
    case 2:
      file = fargraph::Zstd(file);
      break;
    default:
      break;
  }
  fargraph::ReadAll(std::move(file), block_bytes);
  return 0;
}
