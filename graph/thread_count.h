#ifndef FARGRAPH_GRAPH_THREAD_COUNT_H_
#define FARGRAPH_GRAPH_THREAD_COUNT_H_

#include <omp.h>

#include <cstddef>

namespace fargraph {

/// How many threads to give `items` pieces of some nanoseconds each: one where waking the others
/// would take longer than the work.
inline int ThreadCountFor(size_t items) {
  constexpr size_t kWorthwhile = size_t{1} << 14;
  return items < kWorthwhile ? 1 : omp_get_max_threads();
}

/// The same to go through so many bytes of memory, from the first to the last.
inline int ThreadCountForBytes(size_t bytes) {
  constexpr size_t kWorthwhile = size_t{1} << 20;
  return bytes < kWorthwhile ? 1 : omp_get_max_threads();
}

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_THREAD_COUNT_H_
