#ifndef FARGRAPH_COMPUTE_NODE_ENGINE_KERNEL_H_
#define FARGRAPH_COMPUTE_NODE_ENGINE_KERNEL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compute_node/engine/effort.h"
#include "compute_node/engine/graph.h"
#include "compute_node/placement/segment.h"
#include "graph/graph_files.h"
#include "graph/ids.h"
#include "graph/vertex_array.h"
#include "nlohmann/json.hpp"

namespace fargraph {

/// Of what a kernel computes in floating point.
enum class Precision : uint8_t { kDouble, kSingle };

/// What a kernel may be asked. What it has no use for (Kernel::takes) it ignores; what is not set
/// it chooses.
struct KernelOptions {
  std::optional<VertexId> source;
  std::optional<uint64_t> sources;  ///< how many to sample, from 1; not beside source
  std::optional<uint64_t> iterations;
  std::optional<double> tolerance;
  std::optional<double> delta;
  Precision precision = Precision::kDouble;
};

/// What a kernel reads of one direction. The job loads no more than that.
enum class ListUse : uint8_t {
  kNone,
  kDegrees,        ///< the index
  kEdges,          ///< the lists; a graph without them is refused
  kEdgesIfStored,  ///< the lists where the graph has them
  kWeightedEdges,  ///< the lists as for kEdges, and weights where the graph has them
};

/// Whose lists a kernel reads at a time, at the least: it decides which far ones a job keeps.
enum class Walks : uint8_t {
  kFullScans,   ///< of all vertices: nothing is kept for a later scan
  kParts,       ///< of many: chunks are kept
  kSmallSteps,  ///< of few: chunks are kept, or blocks where vertices have few neighbours
};

/// One value per vertex. A column of VertexId names vertices (kNoVertex: none) and is written in
/// the input's own ids.
struct Column {
  std::string name;
  std::variant<VertexArray<int32_t>, VertexArray<VertexId>, VertexArray<double>, VertexArray<float>>
      values;
};

struct KernelResult {
  nlohmann::ordered_json answer;  ///< in short, vertices in the input's own ids (Graph::InputId)
  std::vector<Column> columns;    ///< what --output writes
};

/// An algorithm. Stateless; one object serves every run.
class Kernel {
 public:
  virtual ~Kernel() = default;

  virtual absl::string_view name() const = 0;     ///< as in `fargraph run NAME`
  virtual absl::string_view summary() const = 0;  ///< one line for --help

  /// The flags of `fargraph run` that fill in the KernelOptions for which a run has a use: the
  /// others are refused there. Without "--".
  virtual std::vector<absl::string_view> takes() const { return {}; }

  /// True if a column of the result names vertices, whose ids writing it looks up.
  virtual bool names_vertices() const { return false; }

  virtual ListUse out_lists() const = 0;
  virtual ListUse in_lists() const = 0;

  /// The head columns of each direction that a run has a use for, as far as the graph has them.
  virtual uint64_t out_heads() const { return 0; }
  virtual uint64_t in_heads() const { return 0; }

  virtual Walks walks() const { return Walks::kSmallSteps; }

  /// The arrays that a run on such a graph holds when it holds most, results included, and what it
  /// does with each; for the plan.
  virtual std::vector<DataSegment> Segments(const GraphManifest& graph,
                                            const KernelOptions& options) const = 0;

  /// At how many vertices a run begins, one after the other or together, at the most.
  virtual uint64_t SourceCount(const KernelOptions& options) const {
    return options.sources.value_or(1);
  }

  /// About what a run does on such a graph, with such lists.
  virtual Effort EffortOn(const GraphManifest&, const KernelOptions&, const ListTraits&) const {
    return {};
  }

  /// Runs on all cores, calling graph.EndIteration after each iteration. Errors of ForEachList pass
  /// through. What the answer tells beyond the columns, such as the source, it holds already.
  virtual absl::StatusOr<KernelResult> Run(Graph& graph, const KernelOptions& options) const = 0;

  /// Completes the result with what follows from the columns, and has them speak the input's
  /// language where that depends on it. Not part of the kernel's time. Errors of reading names.
  virtual absl::Status Summarize(const Graph&, KernelResult&) const { return absl::OkStatus(); }

  /// Computes the answer anew, serially and from the files, sharing no code with Run, and compares.
  /// Aborted when the result is wrong, naming the first difference. Holds all edges in local
  /// memory, whatever the job's budget.
  virtual absl::Status Verify(const GraphFiles& files, const KernelOptions& options,
                              const KernelResult& result) const = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_ENGINE_KERNEL_H_
