#ifndef FARGRAPH_COMMON_HOST_HUGE_PAGES_H_
#define FARGRAPH_COMMON_HOST_HUGE_PAGES_H_

#include <cstdint>
#include <string>

namespace fargraph {

inline constexpr uint64_t kHugePageBytes = uint64_t{2} << 20;

/// The command that lets programs have transparent huge pages.
inline constexpr char kTurnTransparentPagesOn[] =
    "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled";

/// The pages of 2 MiB that this process can have, from the kernel's files (Linux,
/// admin-guide/mm/hugetlbpage.rst and transhuge.rst). Reserved ones of 1 GiB are not looked at.
struct HugePages {
  /// Those that the kernel makes of ordinary memory.
  enum class Transparent {
    kOn,          ///< where a program asks for them, or everywhere
    kOff,         ///< for all programs
    kOffForThis,  ///< for this process and its children (prctl PR_SET_THP_DISABLE)
    kNone,        ///< the kernel was built without
  };
  uint64_t reserved = 0;   ///< for programs that ask for such pages, in use or not
  uint64_t available = 0;  ///< of those, promised to nobody
  Transparent transparent = Transparent::kNone;
};

/// `root` is put before the paths of the kernel's files, which are in /sys and /proc. What cannot
/// be read is none. Any thread may call.
HugePages ReadHugePages(const std::string& root = "");

/// The command that makes so many pages available beside those that others have. Not by sysctl,
/// whose vm.nr_hugepages is of the kernel's default size, which need not be 2 MiB.
std::string ReserveHugePages(const HugePages& pages, uint64_t wanted);

/// What a job that could use `wanted` reserved pages for lists and buffers gets here, what that
/// costs, and by which command it is mended. Whole sentences on one line; vertex state is on
/// transparent pages in any case.
std::string HugePagesText(const HugePages& pages, uint64_t wanted);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_HOST_HUGE_PAGES_H_
