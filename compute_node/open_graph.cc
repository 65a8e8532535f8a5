#include "compute_node/open_graph.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/host/process_memory.h"
#include "common/status_macros.h"
#include "compute_node/job/check_room.h"
#include "compute_node/job/job_plan.h"
#include "compute_node/job/load_as_planned.h"
#include "compute_node/loading/load_graph.h"

namespace fargraph {
namespace {

/// A program as planning and loading see it: what it reads and holds.
class Program : public Kernel {
 public:
  explicit Program(const GraphUse& use) : use_(use) {}

  absl::string_view name() const override { return "the program"; }
  absl::string_view summary() const override { return ""; }
  ListUse out_lists() const override { return use_.out_lists; }
  ListUse in_lists() const override { return use_.in_lists; }

  std::vector<DataSegment> Segments(const GraphManifest& graph,
                                    const KernelOptions&) const override {
    return {{.name = "state", .bytes = graph.vertices * use_.bytes_per_vertex},
            VertexBits("active", graph.vertices)};
  }

  absl::StatusOr<KernelResult> Run(Graph&, const KernelOptions&) const override {
    return absl::UnimplementedError("a program runs itself");
  }
  absl::Status Verify(const GraphFiles&, const KernelOptions&, const KernelResult&) const override {
    return absl::UnimplementedError("a program verifies itself");
  }

 private:
  const GraphUse use_;
};

/// The graph goes first, then the lists, then the tier.
class ProgramGraph : public OpenedGraph {
 public:
  ProgramGraph(std::unique_ptr<Program> program, JobInputs inputs, LoadedGraph loaded,
               const JobOptions& options)
      : program_(std::move(program)),
        inputs_(std::move(inputs)),
        loaded_(std::move(loaded)),
        graph_(TakeGraph(inputs_.files, loaded_, options.cancelled, options.on_iteration)) {}

  Graph& graph() override { return graph_; }
  std::optional<VertexId> source() const override { return inputs_.kernel_options.source; }

 private:
  const std::unique_ptr<Program> program_;
  const JobInputs inputs_;
  LoadedGraph loaded_;
  Graph graph_;
};

/// What a job does beside running its kernel is the program's own affair.
absl::Status CheckWhatIsAsked(const JobOptions& options) {
  const auto error = [&](absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat("Opening ", options.graph_path, ": ", what));
  };
  if (!options.read_trace_path.empty()) return error("only the command writes a trace of reads");
  if (!options.iteration_log_path.empty())
    return error("only the command writes a log of iterations; set on_iteration instead");
  if (!options.output_path.empty())
    return error("only the command writes its answer to output_path; call WriteOutput instead");
  if (options.verify) return error("only the command verifies an answer");
  if (options.trials != 1)
    return error("only the command runs more trials than one; repeat the computation instead");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<OpenedGraph>> OpenGraph(const JobOptions& options,
                                                       const GraphUse& use) {
  auto program = std::make_unique<Program>(use);
  FARGRAPH_RETURN_IF_ERROR(CheckWhatIsAsked(options));
  FARGRAPH_ASSIGN_OR_RETURN(JobInputs inputs, OpenJob(options, *program));
  FARGRAPH_ASSIGN_OR_RETURN(const JobPlan plan, JobPlanner(options, inputs).Plan());
  ReleaseFreeMemory();  // what the link was measured with
  FARGRAPH_RETURN_IF_ERROR(CheckRoom(plan));
  FARGRAPH_ASSIGN_OR_RETURN(LoadedGraph loaded, LoadAsPlanned(options, inputs, plan));
  return std::make_unique<ProgramGraph>(std::move(program), std::move(inputs), std::move(loaded),
                                        options);
}

}  // namespace fargraph
