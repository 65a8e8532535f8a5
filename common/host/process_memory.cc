#include "common/host/process_memory.h"

#include <malloc.h>
#include <pthread.h>

#include <algorithm>
#include <fstream>

#include "absl/strings/string_view.h"
#include "common/host/kernel_files.h"
#include "common/units.h"

namespace fargraph {
namespace {

/// In bytes, of a file in kilobytes; 0 where there is none.
uint64_t ReadBytes(const char* path, absl::string_view name) {
  return ReadKernelField(path, name).value_or(0) * kKiB;
}

/// Without what is shared, and with private huge pages.
uint64_t OwnBytes(absl::string_view resident_field) {
  const uint64_t resident = ReadBytes("/proc/self/status", resident_field);
  const uint64_t shared = ReadBytes("/proc/self/status", "RssShmem");
  return resident - std::min(resident, shared) +
         ReadBytes("/proc/self/smaps_rollup", "Private_Hugetlb");
}

}  // namespace

uint64_t PeakMemoryBytes() { return OwnBytes("VmHWM"); }

uint64_t MemoryBytes() { return OwnBytes("VmRSS"); }

void ReleaseFreeMemory() { malloc_trim(0); }

void ReturnLargeArrays() {
  constexpr int kLargeBytes = 4 * kMiB;
  mallopt(M_MMAP_THRESHOLD, kLargeBytes);
  mallopt(M_TRIM_THRESHOLD, kLargeBytes);
}

void KeepStacksSmall() {
  constexpr size_t kStackBytes = 1536 * kKiB;  // less than a huge page
  pthread_attr_t usual;
  size_t bytes = 0;
  if (pthread_getattr_default_np(&usual) != 0) return;
  pthread_attr_getstacksize(&usual, &bytes);
  pthread_attr_setstacksize(&usual, std::min(bytes, kStackBytes));
  pthread_setattr_default_np(&usual);
  pthread_attr_destroy(&usual);
}

void ForgetPeakMemory() { std::ofstream("/proc/self/clear_refs") << 5; }

}  // namespace fargraph
