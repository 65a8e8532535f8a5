#ifndef FARGRAPH_COMPUTE_NODE_PIPELINE_LIST_IN_PARTS_H_
#define FARGRAPH_COMPUTE_NODE_PIPELINE_LIST_IN_PARTS_H_

#include <omp.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "graph/ids.h"
#include "graph/in_parts.h"

namespace fargraph {

/// What list(begin, end, vertices) appends for the parts into which `threads` threads divide
/// [0, size), as InParts does, one behind the other. There is room for `expected` vertices before
/// the first is there.
template <typename List>
std::vector<VertexId> ListInParts(size_t size, int threads, size_t expected, List&& list) {
  std::vector<VertexId> all;
  if (threads == 1) {
    all.reserve(expected);
    list(size_t{0}, size, all);
    return all;
  }
  std::vector<std::vector<VertexId>> parts(threads);
  InParts(size, threads, [&](size_t begin, size_t end) {
    std::vector<VertexId> mine;
    mine.reserve(expected / threads);
    list(begin, end, mine);
    parts[omp_get_thread_num()] = std::move(mine);
  });
  size_t listed = 0;
  for (const std::vector<VertexId>& part : parts) listed += part.size();
  all.reserve(listed);
  for (const std::vector<VertexId>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PIPELINE_LIST_IN_PARTS_H_
