#include "compute_node/forecast/time_model.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "compute_node/forecast/far_reads.h"
#include "graph/codec/block_codec.h"

namespace fargraph {
namespace {

/// What a thread takes to plan a request and to find out that it is done, and its lists in the
/// buffer.
constexpr double kRequestSeconds = 0.1e-6;

/// What a thread takes beside that for each list which it reads when a step asks for it: to look
/// for it among what is at hand, to plan it and to hand it over. Measured as what small steps over
/// shm add to computing on New York (bfs, bc, sssp 17 to 23 ns; k-core, mis 10) and cnr-2000 (3 to
/// 8).
constexpr double kListSeconds = 12e-9;

/// What one thread does before a scan begins: sorting, and finding chunks.
constexpr double kScanSeconds = 2e-6;

/// What a thread computes at each edge and vertex of an Effort, in visits of MachineProfile. Fitted
/// together with the efforts (docs/plan.md).
constexpr double kVisit = 1.3;

/// Of the time of any run, whatever the link is thought to have added.
constexpr double kLeastComputing = 0.1;

/// The link's part of a run.
struct LinkPart {
  double handling = 0;
  double carry = 0;
  double wait = 0;
  double processor_share = 0;

  /// What the threads cannot compute meanwhile.
  double Taken() const { return handling + processor_share * carry + wait; }
  double TotalWith(double compute) const {
    return std::max(compute + handling + processor_share * carry, carry) + wait;
  }
};

bool IsFar(const ListPlacement& placement) { return placement.far_ratio > 0; }
/// True if the first neighbours of all vertices are local, or if that makes no difference.
bool HasHeads(const ListPlacement& placement, bool uses_heads) {
  return !uses_heads || !IsFar(placement) || placement.copy_bytes > 0;
}
/// True where what a run took is the sum of computing and of what the link took.
bool TellsComputing(const PastRuns& runs) {
  return !IsFar(runs.placement) || runs.link.processor_share >= 1;
}
/// Over shm a request's first bytes are in no cache, but those of a local list would not be either.
bool RequestsCost(const ListPlacement& placement) { return placement.transport != "shm"; }
bool IsSameForm(const ListPlacement& a, const ListPlacement& b) {
  return a.compressed == b.compressed;
}
bool IsSameLink(const ListPlacement& a, const ListPlacement& b) {
  return a.transport == b.transport && a.hosts == b.hosts;
}

LinkPart PartOf(const ListPlacement& placement, const LinkProfile& link, const FarReads& reads,
                const Machine& machine) {
  if (reads.bytes == 0) return {};
  const double begin = RequestsCost(placement) ? reads.requests / link.requests_per_second : 0;
  return {.handling = reads.requests * kRequestSeconds / machine.threads,
          .carry = reads.bytes / link.bytes_per_second + begin,
          .wait = reads.scans * (link.read_seconds + machine.start_seconds + kScanSeconds),
          .processor_share = link.processor_share};
}

LinkPart PartOf(const PastRuns& runs, const Machine& machine) {
  const FarReads reads = {.bytes = static_cast<double>(runs.bytes_fetched),
                          .requests = static_cast<double>(runs.requests),
                          .scans = static_cast<double>(runs.far_scans)};
  return PartOf(runs.placement, runs.link, reads, machine);
}

LinkPart operator*(double factor, const LinkPart& part) {
  return {factor * part.handling, factor * part.carry, factor * part.wait, part.processor_share};
}

/// What is left of a run.
double ComputeSeconds(const PastRuns& runs, const LinkPart& part) {
  const double total = runs.MedianSeconds();
  return std::max(total - part.Taken(), kLeastComputing * total);
}

/// Ascending by how little the placement of past runs tells about another one.
auto Difference(const ListPlacement& past, const ListPlacement& placement, bool uses_heads) {
  const bool other_link = !IsSameLink(past, placement);
  return std::tuple(
      !IsSameForm(past, placement), HasHeads(past, uses_heads) != HasHeads(placement, uses_heads),
      IsFar(past) != IsFar(placement), other_link,
      other_link && past.transport == "tcp",  // what it takes varies most
      past.copy_bytes != placement.copy_bytes, std::abs(past.far_ratio - placement.far_ratio));
}

/// Of those runs for which is_apt(runs) is true.
template <typename IsApt>
const PastRuns* MostSimilar(const PlannedRun& run, const std::vector<PastRuns>& past,
                            IsApt&& is_apt) {
  const auto difference = [&](const PastRuns& runs) {
    return Difference(runs.placement, run.placement, run.uses_heads);
  };
  const PastRuns* most = nullptr;
  for (const PastRuns& runs : past) {
    if (!is_apt(runs)) continue;
    if (most == nullptr || difference(runs) < difference(*most)) most = &runs;
  }
  return most;
}

/// Of a run with that placement.
double DecodeSeconds(const PlannedRun& run, const ListPlacement& placement) {
  return placement.compressed ? run.decode_seconds : 0;
}

}  // namespace

double EstimateComputing(const Effort& effort, const GraphManifest& graph, double scatter,
                         const MachineProfile& machine, uint32_t threads) {
  const double edges = static_cast<double>(graph.edges);
  const double visits =
      effort.edge_visits * edges + effort.vertex_visits * static_cast<double>(graph.end_of_lists);
  const double array_bytes = static_cast<double>(graph.vertices * sizeof(VertexId));
  return visits * kVisit * machine.visit_seconds / threads +
         effort.random_visits * edges * scatter / machine.RandomReadsPerSecond(array_bytes) +
         effort.steps * (machine.start_seconds + kScanSeconds);
}

double EstimateDecoding(const Effort& effort, const GraphManifest& graph, uint32_t threads) {
  return effort.list_reads * static_cast<double>(graph.edges) / (kDecodedPerSecond * threads);
}

RunForecast Forecast(const PlannedRun& run, const std::vector<PastRuns>& past,
                     const Machine& machine) {
  const auto has_heads = [&](const ListPlacement& placement) {
    return HasHeads(placement, run.uses_heads);
  };
  const PastRuns* similar = MostSimilar(run, past, [](const PastRuns&) { return true; });
  const PastRuns* far = MostSimilar(run, past, [&](const PastRuns& runs) {
    return IsFar(runs.placement) && has_heads(runs.placement) == has_heads(run.placement);
  });
  if (similar != nullptr && similar->placement.IsLike(run.placement)) {
    return {.seconds = similar->MedianSeconds(),
            .bytes_fetched = similar->bytes_fetched,
            .requests = similar->requests,
            .iterations = similar->iterations,
            .basis = Basis::kSameRun};
  }
  RunForecast forecast;
  double compute = run.compute_seconds + DecodeSeconds(run, run.placement);
  if (similar != nullptr) {
    const bool same_heads = has_heads(similar->placement) == has_heads(run.placement);
    const bool same_form = IsSameForm(similar->placement, run.placement);
    forecast.basis = same_heads && same_form ? Basis::kOtherRuns : Basis::kEstimate;
    forecast.iterations = similar->iterations;
    compute = ComputeSeconds(*similar,
                             LinkSlowness(similar->placement, machine) * PartOf(*similar, machine));
    if (!same_heads) compute *= run.compute_seconds / run.compute_seconds_otherwise;
    const double more = DecodeSeconds(run, run.placement) - DecodeSeconds(run, similar->placement);
    compute = std::max(compute + more, kLeastComputing * compute);
  }
  LinkPart part;
  if (IsFar(run.placement)) {
    const FarReads reads = far == nullptr ? UsualReads(run) : ReadsLike(*far, run);
    forecast.bytes_fetched = static_cast<uint64_t>(reads.bytes);
    forecast.requests = static_cast<uint64_t>(reads.requests);
    part = LinkSlowness(run.placement, machine) * PartOf(run.placement, run.link, reads, machine);
    // Not slower than that: how slow the link is follows from runs that had lists to handle, too.
    part.handling += reads.lists * kListSeconds / machine.threads;
  }
  // Of what is read much is only computed on when a part of the lists is here.
  if (far == nullptr && IsPiecemeal(run.effort))
    part.processor_share = (1 + part.processor_share) / 2;
  forecast.seconds = part.TotalWith(compute);
  return forecast;
}

double MachineSlowness(const Machine& machine) {
  std::vector<double> relative = {1, 1, 1};
  for (const std::vector<PastRuns>& job : machine.jobs) {
    double least_taken = 0.5;
    double slowness = 0;
    for (const PastRuns& runs : job) {
      if (!TellsComputing(runs)) continue;
      const LinkPart part = PartOf(runs, machine);
      const double taken = part.Taken() / runs.MedianSeconds();
      if (taken >= least_taken) continue;
      least_taken = taken;
      slowness = ComputeSeconds(runs, part) / runs.estimated_seconds;
    }
    if (slowness > 0) relative.push_back(slowness);
  }
  return Median(std::move(relative));
}

double LinkSlowness(const ListPlacement& placement, const Machine& machine) {
  constexpr double kMost = 3;
  double measured = 0;
  double modelled = 0;
  for (const std::vector<PastRuns>& job : machine.jobs) {
    const auto local = std::find_if(job.begin(), job.end(),
                                    [](const PastRuns& runs) { return !IsFar(runs.placement); });
    if (local == job.end()) continue;
    const bool uses_heads = std::any_of(
        job.begin(), job.end(), [](const PastRuns& runs) { return runs.placement.copy_bytes > 0; });
    for (const PastRuns& runs : job) {
      if (!IsSameLink(runs.placement, placement) || !HasHeads(runs.placement, uses_heads)) continue;
      if (!TellsComputing(runs)) continue;
      if (!IsSameForm(runs.placement, local->placement)) continue;
      // Relative to the whole run, so that a disturbance of a long one does not decide.
      measured += (runs.MedianSeconds() - local->MedianSeconds()) / runs.MedianSeconds();
      modelled += PartOf(runs, machine).Taken() / runs.MedianSeconds();
    }
  }
  return modelled > 0 ? std::clamp(measured / modelled, 1 / kMost, kMost) : 1;
}

}  // namespace fargraph
