#ifndef FARGRAPH_COMPUTE_NODE_DIRECTIVES_ACCESS_COUNTS_H_
#define FARGRAPH_COMPUTE_NODE_DIRECTIVES_ACCESS_COUNTS_H_

#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "compute_node/placement/segment.h"

/// What a program does with an array, told from the pages that it was seen to touch. Pure: how
/// pages are watched is the AccessSampler's.
namespace fargraph {

/// A thread comes to a page of an array of which only a few pages are open, so it is seen again
/// whenever it comes back later.
struct PageTouch {
  uint32_t page = 0;  ///< counted from the array's first
  int thread = 0;
};

/// What touches add up to. A step leads to a page from the closest of the places in the array where
/// threads were last: two for each, so that reading at one place and writing at another, as in a
/// queue, is two ways in order, and of all threads together, for what one of them leaves out in a
/// shared scan another one takes.
struct AccessCounts {
  uint64_t touches = 0;
  uint64_t steps = 0;
  uint64_t near_steps = 0;      ///< of those, over few pages in either direction
  uint64_t next_steps = 0;      ///< of those, to the page behind
  uint64_t previous_steps = 0;  ///< and to the page before

  AccessCounts& operator+=(const AccessCounts& other);
};

/// Counts touches, which are in the order in which they were seen, of an array of so many pages.
/// "Few" are up to 32 pages; in an array that is small for the number of threads fewer pages, and
/// fewer places too, so that at most half of all pages lies near a place.
AccessCounts CountAccesses(absl::Span<const PageTouch> touches, uint64_t pages);

/// The behaviour that the counts show of an array that is written or not; nullopt if they are too
/// few to tell (below 64 steps). In order is what has nine of ten steps near: threads that share a
/// scan pass each other. What is read otherwise counts as fetched by list if what is read at one
/// place has 40 bytes or more on average, else as indexed: reads of b bytes at random places go on
/// to the next page with probability b / page_bytes, and steps to the page before, which by chance
/// are as many as to the next one, tell what chance and locality add to that.
std::optional<Behaviour> Classify(const AccessCounts& counts, bool written, uint64_t page_bytes);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_DIRECTIVES_ACCESS_COUNTS_H_
