#ifndef FARGRAPH_COMPUTE_NODE_PLACEMENT_SPREAD_ORDER_H_
#define FARGRAPH_COMPUTE_NODE_PLACEMENT_SPREAD_ORDER_H_

#include <bit>
#include <cstddef>
#include <vector>

namespace fargraph {

/// The numbers [0, count) in van der Corput order, with their bits reversed: any prefix is spread
/// evenly over all, and so is any other long run.
inline std::vector<size_t> SpreadOrder(size_t count) {
  const int width = std::bit_width(count);
  std::vector<size_t> order;
  order.reserve(count);
  for (size_t i = 0; order.size() < count; ++i) {
    size_t reversed = 0;
    for (int bit = 0; bit < width; ++bit) reversed |= ((i >> bit) & 1) << (width - 1 - bit);
    if (reversed < count) order.push_back(reversed);
  }
  return order;
}

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_PLACEMENT_SPREAD_ORDER_H_
