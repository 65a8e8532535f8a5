#include "graph/csr.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/format/array_reader.h"
#include "graph/format/neighbor_reader.h"

namespace fargraph {

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
    const ArrayFile& weights = files.Weights(direction);
    csr.weight_bits.resize(weights.elements());
    FARGRAPH_RETURN_IF_ERROR(
        weights.Read(0, {reinterpret_cast<std::byte*>(csr.weight_bits.data()), weights.bytes()}));
  }
  return csr;
}

}  // namespace fargraph
