#include "graph/readers/csr_reader.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace fargraph {

absl::StatusOr<size_t> CsrReader::Read(absl::Span<InputEdge> edges) {
  size_t count = 0;
  while (count < edges.size()) {
    if (edges_read_ == list_end_) {
      if (lists_entered_ == vertices()) break;
      FARGRAPH_RETURN_IF_ERROR(EnterNextList());
      continue;
    }
    const size_t wanted = std::min<uint64_t>(edges.size() - count, list_end_ - edges_read_);
    const absl::Span<InputEdge> list = edges.subspan(count, wanted);
    FARGRAPH_ASSIGN_OR_RETURN(const size_t read, ReadTargets(list));
    for (InputEdge& edge : list.first(read)) edge.source = lists_entered_ - 1;
    count += read;
    edges_read_ += read;
  }
  if (count == 0 && !edges.empty()) FARGRAPH_RETURN_IF_ERROR(CheckEnd());
  return count;
}

absl::Status CsrReader::EnterNextList() {
  const uint64_t vertex = lists_entered_;
  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t end, ReadListEnd(vertex));
  const bool is_last = vertex + 1 == vertices();
  if (end < list_end_ || end > edges_ || (is_last && end != edges_)) {
    return ListEndError(absl::StrCat("the list of vertex ", vertex, " reaches from offset ",
                                     list_end_, " to ", end, ", which cannot be in a graph of ",
                                     vertices(), " vertices and ", edges_,
                                     " edges; the file is damaged, get it again"));
  }
  ++lists_entered_;
  list_end_ = end;
  return absl::OkStatus();
}

}  // namespace fargraph
