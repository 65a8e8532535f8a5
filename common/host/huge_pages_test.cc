#include "common/host/huge_pages.h"

#include <string>

#include "common/host/fake_kernel_files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using Transparent = HugePages::Transparent;

class Host : public FakeKernelFiles {
 protected:
  void Reserve(int reserved, int free, int promised) {
    const std::string directory = "/sys/kernel/mm/hugepages/hugepages-2048kB/";
    Write(directory + "nr_hugepages", std::to_string(reserved) + "\n");
    Write(directory + "free_hugepages", std::to_string(free) + "\n");
    Write(directory + "resv_hugepages", std::to_string(promised) + "\n");
  }
  void SetTransparent(const std::string& enabled, int of_process) {
    Write("/sys/kernel/mm/transparent_hugepage/enabled", enabled + "\n");
    Write("/proc/self/status",
          "Name:\tfargraph\nTHP_enabled:\t" + std::to_string(of_process) + "\nThreads:\t1\n");
  }
};

TEST_F(Host, OfReservedPagesThosePromisedAreNotAvailable) {
  Reserve(100, 40, 10);
  const HugePages pages = ReadHugePages(root_);
  EXPECT_EQ(pages.reserved, 100u);
  EXPECT_EQ(pages.available, 30u);
}

TEST_F(Host, TransparentOnesAreOnWhereAskedForOrEverywhere) {
  SetTransparent("always [madvise] never", 1);
  EXPECT_EQ(ReadHugePages(root_).transparent, Transparent::kOn);
  SetTransparent("[always] madvise never", 1);
  EXPECT_EQ(ReadHugePages(root_).transparent, Transparent::kOn);
}

TEST_F(Host, TransparentOnesAreOffForAllOrForTheProcess) {
  SetTransparent("always madvise [never]", 1);
  EXPECT_EQ(ReadHugePages(root_).transparent, Transparent::kOff);
  SetTransparent("always [madvise] never", 0);
  EXPECT_EQ(ReadHugePages(root_).transparent, Transparent::kOffForThis);
}

TEST_F(Host, AKernelWithoutTheFilesHasNone) {
  const HugePages pages = ReadHugePages(root_);
  EXPECT_EQ(pages.reserved, 0u);
  EXPECT_EQ(pages.available, 0u);
  EXPECT_EQ(pages.transparent, Transparent::kNone);
}

TEST(ReserveHugePages, AddsWhatIsWantedToWhatOthersHave) {
  EXPECT_EQ(ReserveHugePages({.reserved = 100, .available = 30}, 64),
            "echo 134 > /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages");
}

TEST(ReserveHugePages, TakesNoneAway) {
  EXPECT_EQ(ReserveHugePages({.reserved = 100, .available = 30}, 8),
            "echo 100 > /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages");
}

TEST(HugePagesText, NoneReserved) {
  EXPECT_EQ(HugePagesText({.transparent = Transparent::kOn}, 64),
            "none reserved, so lists and buffers (128 MiB) are on transparent ones, as far as the "
            "kernel finds some; reserve enough with: echo 64 > "
            "/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages");
}

TEST(HugePagesText, EnoughReserved) {
  EXPECT_EQ(HugePagesText({.reserved = 100, .available = 64, .transparent = Transparent::kOn}, 64),
            "lists and buffers get 64 of the 64 free reserved ones");
}

TEST(HugePagesText, WhatOthersHoldIsReservedOnTop) {
  const std::string text =
      HugePagesText({.reserved = 100, .available = 63, .transparent = Transparent::kOn}, 64);
  EXPECT_THAT(text, HasSubstr("only 63 of 100 reserved are free"));
  EXPECT_THAT(text, EndsWith("echo 101 > /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages"));
}

TEST(HugePagesText, NothingIsWantedForSmallArrays) {
  EXPECT_EQ(HugePagesText({.transparent = Transparent::kOn}, 0),
            "none wanted: lists and buffers are smaller than 2 MiB");
}

TEST(HugePagesText, TransparentOnesThatAreOffCostStateAndBuffers) {
  const std::string text = HugePagesText({.transparent = Transparent::kOff}, 64);
  EXPECT_THAT(text, HasSubstr("lists and buffers (128 MiB) are on 4 KiB pages"));
  EXPECT_THAT(text, HasSubstr("echo 64 > /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages. "
                              "Vertex state is on 4 KiB pages"));
  EXPECT_THAT(text, EndsWith("echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"));
}

TEST(HugePagesText, TransparentOnesThatAreOffCostStateEvenWhereEnoughAreReserved) {
  const std::string text =
      HugePagesText({.reserved = 64, .available = 64, .transparent = Transparent::kOffForThis}, 64);
  EXPECT_THAT(text, Not(HasSubstr("nr_hugepages")));
  EXPECT_THAT(text, HasSubstr("Vertex state is on 4 KiB pages"));
  EXPECT_THAT(text, HasSubstr("PR_SET_THP_DISABLE"));
}

TEST(HugePagesText, AKernelWithoutTransparentOnesIsNamed) {
  EXPECT_THAT(HugePagesText({.transparent = Transparent::kNone}, 1),
              HasSubstr("CONFIG_TRANSPARENT_HUGEPAGE"));
}

}  // namespace
}  // namespace fargraph
