#ifndef FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_ARE_CACHED_H_
#define FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_ARE_CACHED_H_

#include <cstddef>

#include "common/units.h"

namespace fargraph {

/// True if a core's own caches hold what so many vertices hold, a T each, so that asking for it
/// ahead of time takes longer than it saves.
template <typename T>
constexpr bool AreCached(size_t vertices) {
  constexpr size_t kCacheBytes = 4 * kMiB;
  return vertices * sizeof(T) <= kCacheBytes;
}

}  // namespace fargraph

#endif  // FARGRAPH_ALGORITHMS_BUILDING_BLOCKS_ARE_CACHED_H_
