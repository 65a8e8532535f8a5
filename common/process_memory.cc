#include "common/process_memory.h"

#include <malloc.h>
#include <pthread.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "common/units.h"

namespace fargraph {
namespace {

/// The value of a line "NAME:   1234 kB" of a file in /proc, in bytes; 0 if there is none.
uint64_t ReadField(const char* path, absl::string_view name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::pair<absl::string_view, absl::string_view> field =
        absl::StrSplit(line, absl::MaxSplits(':', 1));
    if (field.first != name) continue;
    uint64_t kibibytes = 0;
    const std::vector<absl::string_view> words =
        absl::StrSplit(field.second, absl::ByAnyChar(" \t"), absl::SkipEmpty());
    return !words.empty() && absl::SimpleAtoi(words[0], &kibibytes) ? kibibytes * kKiB : 0;
  }
  return 0;
}

/// Without what is shared, and with private huge pages.
uint64_t OwnBytes(absl::string_view resident_field) {
  const uint64_t resident = ReadField("/proc/self/status", resident_field);
  const uint64_t shared = ReadField("/proc/self/status", "RssShmem");
  return resident - std::min(resident, shared) +
         ReadField("/proc/self/smaps_rollup", "Private_Hugetlb");
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
