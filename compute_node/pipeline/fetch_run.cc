#include "compute_node/pipeline/fetch_run.h"

namespace fargraph {

void AddList(VertexId v, const ElementRange& list, uint64_t break_even_gap,
             std::vector<FetchRun>& runs) {
  const bool joins = !runs.empty() && (list.begin == runs.back().range.end ||
                                       list.begin - runs.back().range.end < break_even_gap);
  if (!joins) runs.push_back({.first_vertex = v, .range = {list.begin, list.begin}});
  FetchRun& run = runs.back();
  run.end_vertex = v + 1;
  run.range.end = list.end;
  run.useful += list.end - list.begin;
}

}  // namespace fargraph
