#ifndef FARGRAPH_COMPUTE_NODE_TESTING_THREAD_COUNT_H_
#define FARGRAPH_COMPUTE_NODE_TESTING_THREAD_COUNT_H_

#include <omp.h>

namespace fargraph {

/// Runs and tests with so many OpenMP threads while it lives.
class ThreadCount {
 public:
  explicit ThreadCount(int threads) : before_(omp_get_max_threads()) {
    omp_set_num_threads(threads);
  }
  ~ThreadCount() { omp_set_num_threads(before_); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  int before_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TESTING_THREAD_COUNT_H_
