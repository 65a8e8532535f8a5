#include "compute_node/placement/segment.h"

namespace fargraph {

Sensitivity SensitivityOf(const Behaviour& behaviour) {
  const bool in_order =
      behaviour.access == Access::kStreamed || behaviour.access == Access::kSequential;
  if (behaviour.written)
    return in_order ? Sensitivity::kSequentialWrite : Sensitivity::kRandomWrite;
  return in_order ? Sensitivity::kStreamed : Sensitivity::kIndexed;
}

}  // namespace fargraph
