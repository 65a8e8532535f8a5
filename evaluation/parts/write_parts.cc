#include "evaluation/parts/write_parts.h"

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/format/array_format.h"
#include "graph/format/array_writer.h"

namespace fargraph {
namespace {

struct PartWriters {
  ArrayWriter neighbors;
  ArrayWriter index;  ///< pairs of vertex and how many neighbours follow
};

absl::StatusOr<ArrayWriter> CreateFile(const std::string& folder, size_t part, const char* name) {
  return ArrayWriter::Create(absl::StrCat(folder, "/", part, ".", name), kVertexIdType);
}

}  // namespace

absl::Status WriteParts(const GraphFiles& files, Direction direction,
                        absl::Span<const EdgeOffset> index, const Grid& grid,
                        const std::string& folder) {
  std::vector<PartWriters> parts;
  for (size_t part = 0; part < grid.rows() * grid.columns(); ++part) {
    FARGRAPH_ASSIGN_OR_RETURN(ArrayWriter neighbors, CreateFile(folder, part, "edges"));
    FARGRAPH_ASSIGN_OR_RETURN(ArrayWriter vertices, CreateFile(folder, part, "index"));
    parts.push_back({std::move(neighbors), std::move(vertices)});
  }
  const auto write = [&](const GridPiece& piece) -> absl::Status {
    PartWriters& part = parts[piece.row * grid.columns() + piece.column];
    const std::array<VertexId, 2> entry = {piece.v, static_cast<VertexId>(piece.neighbors.size())};
    FARGRAPH_RETURN_IF_ERROR(
        part.index.AppendBytes({reinterpret_cast<const std::byte*>(entry.data()), sizeof(entry)}));
    return part.neighbors.AppendBytes({reinterpret_cast<const std::byte*>(piece.neighbors.data()),
                                       piece.neighbors.size() * sizeof(VertexId)});
  };
  FARGRAPH_RETURN_IF_ERROR(ForEachPiece(files, direction, index, grid, write));
  for (PartWriters& part : parts) {
    FARGRAPH_RETURN_IF_ERROR(part.neighbors.Finish().status());
    FARGRAPH_RETURN_IF_ERROR(part.index.Finish().status());
  }
  return absl::OkStatus();
}

}  // namespace fargraph
