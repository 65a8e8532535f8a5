#include "algorithms/pagerank_common.h"

#include "absl/strings/str_cat.h"

namespace fargraph {

absl::StatusOr<PageRankStop> ChoosePageRankStop(absl::string_view kernel,
                                                const KernelOptions& options, Precision precision) {
  const double usual_tolerance = precision == Precision::kSingle ? 1e-6 : 1e-9;
  constexpr uint64_t kMostIterations = 1000;
  if (options.tolerance && !(*options.tolerance >= 0)) {
    return absl::InvalidArgumentError(absl::StrCat(kernel, " cannot run to a tolerance of ",
                                                   *options.tolerance,
                                                   "; give --tolerance a number from 0 up"));
  }
  const double default_tolerance = options.iterations ? -1 : usual_tolerance;
  return PageRankStop{.iterations = options.iterations.value_or(kMostIterations),
                      .tolerance = options.tolerance.value_or(default_tolerance)};
}

}  // namespace fargraph
