#ifndef FARGRAPH_COMPUTE_NODE_DIRECTIVES_PAGE_WATCH_H_
#define FARGRAPH_COMPUTE_NODE_DIRECTIVES_PAGE_WATCH_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compute_node/directives/access_counts.h"

namespace fargraph {

inline constexpr uint64_t kWatchedPageBytes = 4096;

/// Notes the pages of arrays that threads of this process touch, by the faults that protected pages
/// give. The only one of the process while it lives; see AccessSampler, which uses it from one
/// thread.
class PageWatch {
 public:
  /// Installs the SIGSEGV handler; nothing is protected yet. Faults that have nothing to do with
  /// the arrays go on to the handler before. Errors as of AccessSampler::Start.
  static absl::StatusOr<std::unique_ptr<PageWatch>> Install(
      const std::vector<absl::Span<const std::byte>>& arrays);

  PageWatch(const PageWatch&) = delete;
  PageWatch& operator=(const PageWatch&) = delete;
  /// Opens all pages and brings the handler before back, unless the program has set one of its own
  /// since.
  ~PageWatch();

  /// Protects the whole pages of an array, if there are 64 or more. A page opens to the first touch
  /// and closes when others have been touched since; after 128 touches the array rests.
  void Close(size_t array);
  /// True until the array rests.
  bool closed(size_t array) const;
  /// Lets the array rest: its pages are open, to reads alone until it has been written once.
  /// Returns the touches since Close.
  std::vector<PageTouch> Rest(size_t array);

  /// True once the array has been written, since its first Close.
  bool written(size_t array) const;

  /// Whole pages of an array.
  uint64_t pages(size_t array) const { return pages_[array]; }

 private:
  PageWatch() = default;

  std::vector<uint64_t> pages_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_DIRECTIVES_PAGE_WATCH_H_
