// Runs a kernel as if all edges were local, while a pager fetches those that are not from memory
// nodes, 4 KiB page by page: what far memory gives to a program that knows nothing of it. Prints a
// report in JSON. See `page` in evaluation/baselines.
//
//   paged_run KERNEL GRAPH --memory_nodes=... --far_ratio=0.8
//
// and what fargraph run has of --transport, --token_file, --keep, --threads, --verify, --trials and
// the kernel's own flags.
#include <iostream>

#include "absl/time/clock.h"
#include "common/elapsed.h"
#include "common/exit_code.h"
#include "common/host/process_memory.h"
#include "common/memory/reusable_memory.h"
#include "common/status_macros.h"
#include "compute_node/cli/flags/run_options.h"
#include "compute_node/cli/job_threads.h"
#include "compute_node/cli/reports/job_report.h"
#include "compute_node/job/job_plan.h"
#include "evaluation/paging/page_lists.h"
#include "gflags/gflags.h"

namespace fargraph {
namespace {

using Json = nlohmann::ordered_json;

/// All lists go far whole, in chunks as an all-local job has, so that they can be paged.
absl::StatusOr<JobOptions> ReadOptions(const std::vector<std::string>& arguments) {
  if (arguments.size() != 2) return absl::InvalidArgumentError("it takes a KERNEL and a GRAPH");
  FARGRAPH_ASSIGN_OR_RETURN(RunOptions options, ReadRunOptions(arguments));
  JobOptions& job = options.job;
  if (job.memory_nodes.empty() || !job.ssd_directories.empty() || job.local_memory_bytes) {
    return absl::InvalidArgumentError(
        "pages are fetched from --memory_nodes, so many as --far_ratio says; set these, and "
        "neither --ssd_dirs nor --local_memory");
  }
  FARGRAPH_RETURN_IF_ERROR(SetUpThreads());
  job.chunk_bytes = 64 * kKiB;
  job.buffers = 1;
  job.compressed = false;
  return job;
}

/// The report's part on one trial.
absl::StatusOr<KernelResult> RunTrial(const JobInputs& inputs, const FarPager& pager, Graph& graph,
                                      JobReport& report, PagerStats& stats) {
  const PagerStats before = pager.stats();
  const uint64_t iterations_before = graph.iterations();
  const absl::Time begin = absl::Now();
  absl::StatusOr<KernelResult> result = inputs.kernel->Run(graph, inputs.kernel_options);
  report.seconds = SecondsSince(begin);
  FARGRAPH_RETURN_IF_ERROR(pager.status());  // what it computed on is not known
  report.trial_seconds.push_back(report.seconds);
  report.iterations = graph.iterations() - iterations_before;
  stats = pager.stats() - before;
  report.bytes_fetched = stats.traffic.bytes;
  report.requests = stats.traffic.requests;
  return result;
}

absl::StatusOr<Json> Run(JobOptions options) {
  const absl::Time load_begin = absl::Now();
  const double local_ratio = 1 - std::exchange(options.far_ratio, 1);
  FARGRAPH_ASSIGN_OR_RETURN(const JobInputs inputs, OpenJob(options));
  FARGRAPH_ASSIGN_OR_RETURN(const JobPlan plan, JobPlanner(options, inputs).Plan());
  ReleaseFreeMemory();
  ForgetPeakMemory();
  FARGRAPH_ASSIGN_OR_RETURN(LoadedGraph loaded,
                            LoadGraph(inputs.files, *inputs.kernel, plan.placement, plan.place));
  const auto budget_bytes =
      static_cast<uint64_t>(local_ratio * static_cast<double>(loaded.edge_bytes));
  FARGRAPH_ASSIGN_OR_RETURN(const std::unique_ptr<FarPager> pager,
                            PageLists(loaded, *inputs.far_tiers, budget_bytes));
  JobReport report = {.algorithm = options.algorithm,
                      .graph = options.graph_path,
                      .vertices = inputs.files.manifest().vertices,
                      .edges = inputs.files.manifest().edges,
                      .transport = inputs.far_tiers->transport_name(),
                      .far_ratio = 1 - local_ratio,
                      .attached = loaded.attached,
                      .load_seconds = SecondsSince(load_begin)};

  Graph graph = TakeGraph(inputs.files, loaded, &pager->failed(), nullptr);
  KernelResult result;
  PagerStats stats;
  {
    const MemoryReuse reuse;  // as in any job
    for (uint64_t trial = 0; trial < options.trials; ++trial) {
      result = {};
      FARGRAPH_ASSIGN_OR_RETURN(result, RunTrial(inputs, *pager, graph, report, stats));
    }
  }
  FARGRAPH_RETURN_IF_ERROR(inputs.kernel->Summarize(graph, result));
  FARGRAPH_RETURN_IF_ERROR(pager->status());
  report.answer = result.answer;
  if (options.verify) {
    FARGRAPH_RETURN_IF_ERROR(inputs.kernel->Verify(inputs.files, inputs.kernel_options, result));
    report.verified = true;
  }
  report.peak_memory_bytes = PeakMemoryBytes();

  Json json = JobReportJson(report);
  for (const char* unknown : {"bytes_useful", "stall_seconds", "link_peak_bytes_per_second",
                              "chunk_bytes", "buffers", "ssd_ratio"}) {
    json.erase(unknown);
  }
  json["page_faults"] = stats.faults;
  json["pages_fetched"] = stats.pages_fetched;
  json["pages_evicted"] = stats.pages_evicted;
  json["local_pages_bytes"] = budget_bytes;
  return json;
}

absl::Status Main(const std::vector<std::string>& arguments) {
  FARGRAPH_RETURN_IF_ERROR(UserfaultMemory::Map(1).status());  // before anything is loaded
  FARGRAPH_ASSIGN_OR_RETURN(const JobOptions options, ReadOptions(arguments));
  FARGRAPH_ASSIGN_OR_RETURN(const Json json, Run(options));
  std::cout << json.dump(2) << "\n";
  return absl::OkStatus();
}

}  // namespace
}  // namespace fargraph

int main(int argc, char** argv) {
  fargraph::ReturnLargeArrays();
  gflags::ParseCommandLineFlags(&argc, &argv, /*remove_flags=*/true);
  const absl::Status status = fargraph::Main({argv + 1, argv + argc});
  if (!status.ok()) std::cerr << "paged_run: " << status.message() << "\n";
  return fargraph::ExitCodeFor(status);
}
