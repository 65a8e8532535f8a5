#ifndef FARGRAPH_COMPUTE_NODE_TESTING_MIX_KERNELS_H_
#define FARGRAPH_COMPUTE_NODE_TESTING_MIX_KERNELS_H_

#include <functional>

namespace fargraph {

/// Has jobs of this process know these kernels, whose answer "sum" changes with any edge or weight
/// that is lost, doubled or wrong:
///
///   * mix scans all lists of both directions once,
///   * weighted-mix does so with weights,
///   * cached-mix and cached-weighted-mix say that they take small steps, parts-mix that its steps
///     are larger: their jobs have a cache,
///   * steps mixes three times, and has state that may go far.
void RegisterMixKernels();

/// What they call after each scan. A test that sets it sets it back.
extern std::function<void()> between_scans;

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TESTING_MIX_KERNELS_H_
