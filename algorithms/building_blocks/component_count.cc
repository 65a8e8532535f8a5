#include "algorithms/building_blocks/component_count.h"

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace fargraph {
namespace {

/// The vertices below each of the roots from `first` on, `below.size()` of them. Most vertices of a
/// graph are usually in one component: a thread adds up a run of equal roots on its own before it
/// adds to the shared count.
void CountBelowRoots(const VertexArray<VertexId>& components, VertexId first,
                     VertexArray<VertexId>& below) {
#pragma omp parallel
  {
    VertexId root = 0;
    VertexId run = 0;
    const auto add_run = [&] {
      if (root - first >= below.size()) return;
      std::atomic_ref(below[root - first]).fetch_add(run, std::memory_order_relaxed);
    };
#pragma omp for schedule(static) nowait
    for (VertexId v = 0; v < components.size(); ++v) {
      if (components[v] == v) continue;
      if (components[v] != root) {
        add_run();
        root = components[v];
        run = 0;
      }
      ++run;
    }
    add_run();
  }
}

}  // namespace

ComponentCount CountComponents(const VertexArray<VertexId>& components, VertexId at_a_time) {
  ComponentCount count;
  for (size_t first = 0; first < components.size(); first += at_a_time) {
    VertexArray<VertexId> below(std::min<size_t>(at_a_time, components.size() - first));
    CountBelowRoots(components, first, below);
    for (VertexId i = 0; i < below.size(); ++i) {
      if (components[first + i] != first + i) continue;
      ++count.components;
      const uint64_t size = uint64_t{1} + below[i];
      if (size > count.largest) {
        count.largest = size;
        count.largest_root = first + i;
      }
    }
  }
  return count;
}

}  // namespace fargraph
