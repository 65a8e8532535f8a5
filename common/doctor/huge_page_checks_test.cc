#include "common/doctor/huge_page_checks.h"

#include "common/doctor/fake_host.h"
#include "common/units.h"
#include "gmock/gmock.h"

namespace fargraph::doctor {
namespace {

using ::testing::StartsWith;

class HugePageChecks : public FakeHost {
 protected:
  void Reserve(int node, const std::string& size, int reserved, int free) {
    const std::string pool =
        absl::StrCat("/sys/devices/system/node/node", node, "/hugepages/hugepages-", size, "/");
    Write(pool + "nr_hugepages", std::to_string(reserved) + "\n");
    Write(pool + "free_hugepages", std::to_string(free) + "\n");
  }
  void Promise(const std::string& size, int pages) {
    Write("/sys/kernel/mm/hugepages/hugepages-" + size + "/resv_hugepages",
          std::to_string(pages) + "\n");
  }
  Finding Pages(const std::string& size) {
    for (const Finding& finding : CheckHugePages(view_)) {
      if (finding.check == "pages of " + size) return finding;
    }
    ADD_FAILURE() << "no finding of pages of " << size;
    return {};
  }
};

TEST_F(HugePageChecks, AreToldBySizeAndNode) {
  Reserve(0, "2048kB", 100, 40);
  Reserve(1, "2048kB", 50, 50);
  Reserve(0, "1048576kB", 1, 0);
  EXPECT_EQ(Pages("2 MiB").value, "node 0: 40 of 100 free, node 1: 50 of 50 free");
  EXPECT_EQ(Pages("1 GiB").value, "node 0: 0 of 1 free");
  EXPECT_EQ(Pages("2 MiB").level, Level::kOk);
}

TEST_F(HugePageChecks, TooFewAreReservedByOneCommand) {
  Reserve(0, "2048kB", 100, 40);
  view_.memory_bytes = kGiB;
  EXPECT_EQ(Pages("2 MiB").level, Level::kWarning);
  EXPECT_THAT(Pages("2 MiB").mend, StartsWith("echo 572 > "));  // 100 - 40 + 512
  view_.memory_bytes = 80 * kMiB;
  EXPECT_EQ(Pages("2 MiB").level, Level::kOk);
}

TEST_F(HugePageChecks, NoMoreAreAdvisedThanFit) {
  Reserve(0, "2048kB", 100, 40);
  Write("/proc/meminfo", "MemAvailable:   1048576 kB\nSwapFree: 1048576 kB\n");
  view_.memory_bytes = kGiB + 80 * kMiB;
  EXPECT_THAT(Pages("2 MiB").mend, StartsWith("echo 612 > "));
  view_.memory_bytes += 1;
  EXPECT_EQ(Pages("2 MiB").level, Level::kWarning);
  EXPECT_THAT(Pages("2 MiB").mend, StartsWith("free memory, or use less: "));
}

TEST_F(HugePageChecks, LargerOnesWillDo) {
  Reserve(0, "2048kB", 0, 0);
  EXPECT_EQ(Pages("2 MiB").level, Level::kWarning);
  Reserve(0, "1048576kB", 4, 4);
  view_.memory_bytes = 4 * kGiB;
  EXPECT_EQ(Pages("2 MiB").level, Level::kOk);
}

TEST_F(HugePageChecks, WhatIsLentIsOnPagesOfOneSize) {
  Reserve(0, "2048kB", 512, 512);
  Reserve(0, "1048576kB", 1, 1);
  view_.memory_bytes = 2 * kGiB;
  EXPECT_EQ(Pages("2 MiB").level, Level::kOk);  // what a job uses is many mappings
  view_.lends = true;
  EXPECT_EQ(Pages("2 MiB").level, Level::kWarning);
  EXPECT_THAT(Pages("2 MiB").mend, StartsWith("echo 1024 > "));
  Reserve(0, "1048576kB", 2, 2);
  EXPECT_EQ(Pages("2 MiB").level, Level::kOk);
  view_.memory_bytes = 2 * kGiB - kMiB * 512;  // for which no page of 1 GiB is half used
  EXPECT_EQ(Pages("2 MiB").level, Level::kWarning);
}

TEST_F(HugePageChecks, ThosePromisedToOthersAreNotToBeHad) {
  Reserve(0, "2048kB", 100, 40);
  Reserve(1, "2048kB", 50, 50);
  Promise("2048kB", 80);
  view_.memory_bytes = 20 * kMiB;
  EXPECT_EQ(Pages("2 MiB").level, Level::kOk);
  EXPECT_EQ(Pages("2 MiB").value,
            "node 0: 40 of 100 free, node 1: 50 of 50 free; 80 of those free are promised");
  view_.memory_bytes = 22 * kMiB;
  EXPECT_THAT(Pages("2 MiB").mend, StartsWith("echo 151 > "));
}

TEST_F(HugePageChecks, WhatANodeHasAlreadyIsNotWantedAgain) {
  Reserve(0, "2048kB", 512, 0);
  view_.memory_bytes = kGiB;
  view_.memory_is_held = true;
  EXPECT_EQ(Pages("2 MiB").level, Level::kOk);
}

TEST_F(HugePageChecks, AHostWithoutNodesHasThemInOneFolder) {
  Write("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "4\n");
  Write("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "3\n");
  EXPECT_EQ(Pages("2 MiB").value, "3 of 4 free");
}

TEST_F(HugePageChecks, AKernelWithoutAnySaysSo) {
  EXPECT_EQ(Pages("2 MiB").level, Level::kWarning);
  EXPECT_EQ(Pages("2 MiB").value, "this kernel has none");
}

TEST_F(HugePageChecks, TransparentOnesAreTurnedOnByOneCommand) {
  Write("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  EXPECT_EQ(CheckTransparentPages(view_).front().level, Level::kOk);
  Write("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
  EXPECT_EQ(CheckTransparentPages(view_).front().level, Level::kWarning);
  EXPECT_EQ(CheckTransparentPages(view_).front().mend,
            "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled");
}

}  // namespace
}  // namespace fargraph::doctor
