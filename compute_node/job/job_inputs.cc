#include "compute_node/job/job_inputs.h"

#include <omp.h>

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/engine/kernel_registry.h"
#include "compute_node/loading/list_loads.h"
#include "compute_node/tiers/far_memory.h"
#include "compute_node/tiers/link_sweep.h"
#include "compute_node/tiers/ssd_array.h"
#include "graph/vertex_names.h"

namespace fargraph {
namespace {

/// What the command checks as it reads its flags.
absl::Status CheckRanges(const JobOptions& options) {
  const auto error = [&](absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat("Opening ", options.graph_path, ": ", what));
  };
  if (!(options.far_ratio >= 0 && options.far_ratio <= 1))
    return error(absl::StrCat("a far ratio of ", options.far_ratio, " is not from 0 to 1"));
  if (options.far_ratio > 0 && options.memory_nodes.empty() && options.ssd_directories.empty())
    return error(absl::StrCat("a far ratio of ", options.far_ratio, " needs memory nodes or SSDs"));
  if (options.chunk_bytes && !IsChunkSize(*options.chunk_bytes))
    return error(absl::StrCat("chunks of ", *options.chunk_bytes,
                              " bytes are not from 4 KiB to 4 MiB, in whole KiB"));
  if (options.buffers && (*options.buffers < 1 || *options.buffers > kMostSlots))
    return error(absl::StrCat(*options.buffers, " buffers are not from 1 to ", kMostSlots));
  if (options.trials < 1) return error("0 trials have no answer; ask for 1 at least");
  return absl::OkStatus();
}

/// The vertex that the input calls `input_id`. OutOfRange when it has none of that id.
absl::StatusOr<VertexId> FindVertex(uint64_t input_id, const GraphFiles& files) {
  const VertexNames names = files.names();
  if (names.vertices() == 0)
    return absl::OutOfRangeError(absl::StrCat(files.path(), " has no vertices to start from"));
  FARGRAPH_ASSIGN_OR_RETURN(const std::optional<VertexId> vertex, names.Find(input_id));
  if (vertex.has_value()) return *vertex;
  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t smallest, names.IdOfRank(0));
  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t largest, names.IdOfRank(names.vertices() - 1));
  return absl::OutOfRangeError(absl::StrCat("the source ", input_id, " is not a vertex of ",
                                            files.path(), ", whose ids run from ", smallest, " to ",
                                            largest, "; choose one of those that have edges"));
}

absl::StatusOr<KernelOptions> ReadKernelOptions(const JobOptions& options,
                                                const GraphFiles& files) {
  KernelOptions kernel_options = {.sources = options.sources,
                                  .iterations = options.iterations,
                                  .tolerance = options.tolerance,
                                  .delta = options.delta,
                                  .precision = options.precision};
  if (options.source.has_value()) {
    FARGRAPH_ASSIGN_OR_RETURN(kernel_options.source, FindVertex(*options.source, files));
  }
  return kernel_options;
}

absl::StatusOr<std::unique_ptr<SsdArray>> OpenSsds(const JobOptions& options) {
  if (options.ssd_directories.empty()) return nullptr;
  const SsdBlocks blocks =
      options.read_trace_path.empty() ? SsdBlocks::kOfDevice : SsdBlocks::kOfFileSystem;
  FARGRAPH_ASSIGN_OR_RETURN(auto ssds,
                            SsdArray::Open(options.ssd_directories, blocks, omp_get_max_threads()));
  if (options.log) {
    options.log(
        absl::StrCat("transport: ssd, direct IO in blocks of ", FormatBytes(ssds->block_bytes())));
  }
  return ssds;
}

absl::StatusOr<std::unique_ptr<FarMemory>> ConnectMemoryNodes(const JobOptions& options) {
  if (options.memory_nodes.empty()) return nullptr;
  FARGRAPH_ASSIGN_OR_RETURN(auto far_memory,
                            FarMemory::Connect({.memory_nodes = options.memory_nodes,
                                                .transport = options.transport,
                                                .control = {.token = options.token}}));
  if (options.log) options.log(absl::StrCat("transport: ", far_memory->transport_choice()));
  return far_memory;
}

absl::StatusOr<std::unique_ptr<FarTiers>> OpenFarTiers(const JobOptions& options) {
  FARGRAPH_ASSIGN_OR_RETURN(std::unique_ptr<SsdArray> ssds, OpenSsds(options));
  FARGRAPH_ASSIGN_OR_RETURN(std::unique_ptr<FarMemory> memory, ConnectMemoryNodes(options));
  if (ssds == nullptr && memory == nullptr) return nullptr;
  return std::make_unique<FarTiers>(std::move(memory), std::move(ssds));
}

}  // namespace

absl::StatusOr<JobInputs> OpenJob(const JobOptions& options) {
  FARGRAPH_ASSIGN_OR_RETURN(const Kernel* kernel, FindKernel(options.algorithm));
  return OpenJob(options, *kernel);
}

absl::StatusOr<JobInputs> OpenJob(const JobOptions& options, const Kernel& kernel) {
  FARGRAPH_RETURN_IF_ERROR(CheckRanges(options));
  FARGRAPH_ASSIGN_OR_RETURN(GraphFiles files,
                            GraphFiles::Open(options.graph_path, options.verify_files));
  FARGRAPH_RETURN_IF_ERROR(CheckLists(files, kernel));
  FARGRAPH_ASSIGN_OR_RETURN(const KernelOptions kernel_options, ReadKernelOptions(options, files));
  FARGRAPH_ASSIGN_OR_RETURN(std::unique_ptr<FarTiers> far_tiers, OpenFarTiers(options));
  return JobInputs{&kernel, std::move(files), kernel_options, std::move(far_tiers)};
}

}  // namespace fargraph
