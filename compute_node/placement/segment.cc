#include "compute_node/placement/segment.h"

namespace fargraph {

absl::string_view SensitivityName(Sensitivity sensitivity) {
  switch (sensitivity) {
    case Sensitivity::kStreamed:
      return "1 streamed";
    case Sensitivity::kIndexed:
      return "2 indexed";
    case Sensitivity::kSequentialWrite:
      return "3 sequential, written";
    case Sensitivity::kRandomWrite:
      return "4 random, written";
  }
  return "";
}

Sensitivity SensitivityOf(const Behaviour& behaviour) {
  const bool in_order =
      behaviour.access == Access::kStreamed || behaviour.access == Access::kSequential;
  if (behaviour.written)
    return in_order ? Sensitivity::kSequentialWrite : Sensitivity::kRandomWrite;
  return in_order ? Sensitivity::kStreamed : Sensitivity::kIndexed;
}

}  // namespace fargraph
