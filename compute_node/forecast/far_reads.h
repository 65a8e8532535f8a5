#ifndef FARGRAPH_COMPUTE_NODE_FORECAST_FAR_READS_H_
#define FARGRAPH_COMPUTE_NODE_FORECAST_FAR_READS_H_

#include "compute_node/engine/effort.h"
#include "compute_node/forecast/planned_run.h"
#include "compute_node/forecast/run_history.h"

namespace fargraph {

/// What a run reads of far lists.
struct FarReads {
  double bytes = 0;
  double requests = 0;
  double scans = 0;
  double lists = 0;  ///< that steps ask for; none where all are read, or a run tells what it took
};

/// True if the lists that a part reads are not all.
bool IsPiecemeal(const Effort& effort);

/// What a run reads of which nothing is known. The lists of each part are as if they were drawn
/// from all, so the gaps between them are exponential, and those that pay are read, too; but there
/// are more wide ones than that. Where blocks are kept, they are what is read.
FarReads UsualReads(const PlannedRun& run);

/// The same from what other runs of the job read, at another far ratio and merged as this link has
/// it. `past`: far runs.
FarReads ReadsLike(const PastRuns& past, const PlannedRun& run);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_FORECAST_FAR_READS_H_
