#ifndef FARGRAPH_COMMON_ELAPSED_H_
#define FARGRAPH_COMMON_ELAPSED_H_

#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace fargraph {

inline double SecondsSince(absl::Time begin) { return absl::ToDoubleSeconds(absl::Now() - begin); }

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_ELAPSED_H_
