#include "graph/csr.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/format/array_reader.h"
#include "graph/format/neighbor_reader.h"

namespace fargraph {
namespace {

/// The bits of those that kernels see.
absl::StatusOr<std::vector<uint32_t>> ReadWeights(const GraphFiles& files, Direction direction) {
  const ArrayFile& file = files.Weights(direction);
  std::vector<std::byte> bytes(file.bytes());
  FARGRAPH_RETURN_IF_ERROR(file.Read(0, absl::MakeSpan(bytes)));
  std::vector<uint32_t> bits(file.elements());
  if (files.manifest().weight_type == WeightType::kUint8) {
    std::transform(bytes.begin(), bytes.end(), bits.begin(),
                   [](std::byte weight) { return std::to_integer<uint32_t>(weight); });
  } else {
    std::memcpy(bits.data(), bytes.data(), bytes.size());
  }
  return bits;
}

}  // namespace

absl::StatusOr<Csr> LoadCsr(const GraphFiles& files, Direction direction) {
  Csr csr;
  FARGRAPH_ASSIGN_OR_RETURN(csr.offsets, files.ReadIndex(direction));

  const std::unique_ptr<NeighborReader> reader = ReadNeighbors(files, direction);
  csr.targets.resize(csr.offsets.back() + NeighborReader::kLeastRoom);
  size_t read = 0;
  while (read < csr.offsets.back()) {
    FARGRAPH_ASSIGN_OR_RETURN(const size_t count,
                              reader->Read(absl::MakeSpan(csr.targets).subspan(read)));
    read += count;
  }
  csr.targets.resize(read);
  const uint64_t vertices = files.manifest().vertices;
  if (std::any_of(csr.targets.begin(), csr.targets.end(),
                  [&](VertexId target) { return target >= vertices; })) {
    return DamagedFileError(reader->array().path(),
                            absl::StrCat("an edge points outside the ", vertices, " vertices"));
  }

  if (files.manifest().weight_type != WeightType::kNone) {
    FARGRAPH_ASSIGN_OR_RETURN(csr.weight_bits, ReadWeights(files, direction));
  }
  return csr;
}

}  // namespace fargraph
