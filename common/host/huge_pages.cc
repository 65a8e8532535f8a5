#include "common/host/huge_pages.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/host/kernel_files.h"
#include "common/units.h"

namespace fargraph {
namespace {

using Transparent = HugePages::Transparent;

constexpr char kReservedDirectory[] = "/sys/kernel/mm/hugepages/hugepages-2048kB/";
constexpr char kTransparentFile[] = "/sys/kernel/mm/transparent_hugepage/enabled";

Transparent ReadTransparent(const std::string& root) {
  const std::string enabled = ReadKernelFile(root + kTransparentFile);
  if (enabled.empty()) return Transparent::kNone;
  if (absl::StrContains(enabled, "[never]")) return Transparent::kOff;
  const bool off_for_this =
      absl::StrContains(ReadKernelFile(root + "/proc/self/status"), "THP_enabled:\t0");
  return off_for_this ? Transparent::kOffForThis : Transparent::kOn;
}

/// What is wrong with transparent huge pages and what to do, behind "transparent ones".
std::string Remedy(Transparent transparent) {
  switch (transparent) {
    case Transparent::kOn:
      return "";
    case Transparent::kOff:
      return absl::StrCat("are off on this host; turn them on with: ", kTurnTransparentPagesOn);
    case Transparent::kOffForThis:
      return "are off for this process, as what started it had asked (prctl PR_SET_THP_DISABLE); "
             "start it another way";
    case Transparent::kNone:
      return "are not in this kernel; start one that was built with CONFIG_TRANSPARENT_HUGEPAGE";
  }
  return "";
}

/// On which pages lists and buffers will be.
std::string ReservedText(const HugePages& pages, uint64_t wanted) {
  if (wanted == 0) return "none wanted: lists and buffers are smaller than 2 MiB";
  if (pages.available >= wanted) {
    return absl::StrCat("lists and buffers get ", wanted, " of the ", pages.available,
                        " free reserved ones");
  }
  const std::string shortage =
      pages.reserved == 0
          ? std::string("none reserved")
          : absl::StrCat("only ", pages.available, " of ", pages.reserved, " reserved are free");
  const absl::string_view instead = pages.transparent == Transparent::kOn
                                        ? "transparent ones, as far as the kernel finds some"
                                        : "4 KiB pages, which miss the TLB more often";
  return absl::StrCat(shortage, ", so lists and buffers (", FormatBytes(wanted * kHugePageBytes),
                      ") are on ", instead,
                      "; reserve enough with: ", ReserveHugePages(pages, wanted));
}

}  // namespace

HugePages ReadHugePages(const std::string& root) {
  const std::string directory = root + kReservedDirectory;
  const uint64_t free = ReadKernelCount(directory + "free_hugepages");
  const uint64_t promised = ReadKernelCount(directory + "resv_hugepages");
  return {.reserved = ReadKernelCount(directory + "nr_hugepages"),
          .available = free > promised ? free - promised : 0,
          .transparent = ReadTransparent(root)};
}

std::string ReserveHugePages(const HugePages& pages, uint64_t wanted) {
  const uint64_t of_others = pages.reserved - pages.available;
  return absl::StrCat("echo ", of_others + std::max(wanted, pages.available), " > ",
                      kReservedDirectory, "nr_hugepages");
}

std::string HugePagesText(const HugePages& pages, uint64_t wanted) {
  std::string text = ReservedText(pages, wanted);
  if (pages.transparent != Transparent::kOn) {
    absl::StrAppend(&text,
                    ". Vertex state is on 4 KiB pages, and its reads at random miss the TLB: ",
                    "transparent ones ", Remedy(pages.transparent));
  }
  return text;
}

}  // namespace fargraph
