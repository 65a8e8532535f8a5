#ifndef FARGRAPH_GRAPH_READERS_CSR_READER_H_
#define FARGRAPH_GRAPH_READERS_CSR_READER_H_

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "graph/edge_reader.h"

namespace fargraph {

/// Edges of a file in compressed sparse rows: where each vertex's list of targets ends, and all
/// lists in one array. Walks both side by side, so that neither has to be in memory, and checks
/// that they fit. A derived class knows the bytes.
class CsrReader : public EdgeReader {
 public:
  const InputProperties& properties() const final { return properties_; }
  absl::StatusOr<size_t> Read(absl::Span<InputEdge> edges) final;

 protected:
  /// `properties` must declare the vertices. Of no vertices there must be no edges.
  CsrReader(InputProperties properties, uint64_t edges)
      : properties_(std::move(properties)), edges_(edges) {}

  uint64_t vertices() const { return properties_.declared_vertices; }
  uint64_t edges() const { return edges_; }

  /// Where the list of `vertex` ends, in edges; called once for each vertex, ascending.
  virtual absl::StatusOr<uint64_t> ReadListEnd(uint64_t vertex) = 0;

  /// Reads at least one and at most edges.size() targets (with weights) of the array into `edges`,
  /// and checks that they are vertices; returns how many.
  virtual absl::StatusOr<size_t> ReadTargets(absl::Span<InputEdge> edges) = 0;

  /// Checks what comes after the last edge. Called at the end.
  virtual absl::Status CheckEnd() = 0;

  /// DataLoss about the list end that was read last.
  virtual absl::Status ListEndError(absl::string_view problem) const = 0;

 private:
  absl::Status EnterNextList();

  InputProperties properties_;
  uint64_t edges_;
  uint64_t lists_entered_ = 0;
  uint64_t edges_read_ = 0;
  uint64_t list_end_ = 0;  // of the list that was entered last
};

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_READERS_CSR_READER_H_
