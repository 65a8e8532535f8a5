#include "compute_node/directives/access_counts.h"

#include <algorithm>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr uint64_t kPageBytes = 4096;

using Pages = std::vector<uint32_t>;

/// The ways of several threads through an array, as they mix when they run at once.
std::vector<PageTouch> Mix(const std::vector<Pages>& ways, std::mt19937& random) {
  std::vector<PageTouch> touches;
  std::vector<size_t> done(ways.size());
  for (size_t left = ways.size(); left > 0;) {
    const size_t thread = random() % ways.size();
    if (done[thread] == ways[thread].size()) continue;
    touches.push_back(
        {.page = ways[thread][done[thread]], .thread = static_cast<int>(1000 + thread)});
    if (++done[thread] == ways[thread].size()) --left;
  }
  return touches;
}

/// Each thread goes over its own part, again and again.
std::vector<Pages> PartsInOrder(uint32_t pages, uint32_t threads) {
  std::vector<Pages> ways(threads);
  for (uint32_t thread = 0; thread < threads; ++thread) {
    const uint32_t begin = pages * thread / threads, end = pages * (thread + 1) / threads;
    for (uint32_t i = 0; i < 1000; ++i) ways[thread].push_back(begin + i % (end - begin));
  }
  return ways;
}

/// Threads take the next page of a scan, whoever is free, and get to it some time later.
std::vector<PageTouch> SharedInOrder(uint32_t pages, uint32_t threads, std::mt19937& random) {
  std::vector<PageTouch> touches;
  for (uint32_t page = 0; page < 2000; ++page) {
    touches.push_back({.page = page % pages, .thread = static_cast<int>(random() % threads)});
  }
  for (size_t i = 0; i < touches.size(); i += threads) {
    std::shuffle(touches.begin() + i, touches.begin() + std::min(i + threads, touches.size()),
                 random);
  }
  return touches;
}

/// Each thread reads at one place and writes at another, as from and to a queue.
std::vector<Pages> QueueInOrder(uint32_t pages, uint32_t threads, std::mt19937& random) {
  std::vector<Pages> ways(threads);
  for (Pages& way : ways) {
    uint32_t front = random() % (pages / 2), back = front + pages / 2;
    for (int i = 0; i < 1000; ++i) {
      uint32_t& place = random() % 4 == 0 ? front : back;
      way.push_back(place++ % pages);
    }
  }
  return ways;
}

/// Reads of so many bytes at random places.
std::vector<Pages> AtRandom(uint32_t pages, uint32_t threads, uint64_t bytes,
                            std::mt19937& random) {
  std::vector<Pages> ways(threads);
  for (Pages& way : ways) {
    for (int i = 0; i < 6000; ++i) {
      const uint64_t begin = random() % (pages * kPageBytes - bytes) / 8 * 8;
      for (uint64_t page = begin / kPageBytes; page <= (begin + bytes - 1) / kPageBytes; ++page)
        way.push_back(page);
    }
  }
  return ways;
}

class ClassifyTest : public testing::TestWithParam<std::tuple<uint32_t, uint32_t, unsigned>> {
 protected:
  std::optional<Behaviour> Classified(const std::vector<Pages>& ways, bool written) {
    return Classified(Mix(ways, random_), written);
  }
  std::optional<Behaviour> Classified(const std::vector<PageTouch>& touches, bool written) {
    return Classify(CountAccesses(touches, pages_), written, kPageBytes);
  }

  const uint32_t pages_ = std::get<0>(GetParam());
  const uint32_t threads_ = std::get<1>(GetParam());
  std::mt19937 random_{std::get<2>(GetParam())};
};

TEST_P(ClassifyTest, WhatIsScanned) {
  EXPECT_EQ(Classified(PartsInOrder(pages_, threads_), false), kStreamedReadOnly);
  EXPECT_EQ(Classified(SharedInOrder(pages_, threads_, random_), false), kStreamedReadOnly);
}

TEST_P(ClassifyTest, WhatIsScannedAndWritten) {
  EXPECT_EQ(Classified(PartsInOrder(pages_, threads_), true), kSequentialReadWrite);
  EXPECT_EQ(Classified(SharedInOrder(pages_, threads_, random_), true), kSequentialReadWrite);
  EXPECT_EQ(Classified(QueueInOrder(pages_, threads_, random_), true), kSequentialReadWrite);
}

TEST_P(ClassifyTest, WhatIsFetchedByList) {
  for (const uint64_t bytes : {100, 400, 20'000}) {
    EXPECT_EQ(Classified(AtRandom(pages_, threads_, bytes, random_), false), kStreamedReadOnly)
        << bytes;
  }
}

TEST_P(ClassifyTest, WhatIsReadElementByElement) {
  for (const uint64_t bytes : {4, 8, 16}) {
    EXPECT_EQ(Classified(AtRandom(pages_, threads_, bytes, random_), false), kIndexedReadOnly)
        << bytes;
  }
}

TEST_P(ClassifyTest, WhatIsWrittenAnywhere) {
  EXPECT_EQ(Classified(AtRandom(pages_, threads_, 8, random_), true), kRandomReadWrite);
  EXPECT_EQ(Classified(AtRandom(pages_, threads_, 400, random_), true), kRandomReadWrite);
}

INSTANTIATE_TEST_SUITE_P(Traces, ClassifyTest,
                         testing::Combine(testing::Values(1000, 5000, 1'000'000),
                                          testing::Values(1, 2, 8), testing::Range(1u, 6u)));

TEST(Classify, OrderInOnePhaseDoesNotHideRandomReadsInAnother) {
  std::mt19937 random(1);
  AccessCounts counts = CountAccesses(Mix(PartsInOrder(1000, 2), random), 1000);
  counts += CountAccesses(Mix(AtRandom(1000, 1, 8, random), random), 1000);
  EXPECT_EQ(Classify(counts, true, kPageBytes), kRandomReadWrite);
}

TEST(Classify, TooLittleToTell) {
  std::mt19937 random(1);
  EXPECT_EQ(Classify({}, false, kPageBytes), std::nullopt);
  std::vector<PageTouch> touches = Mix(PartsInOrder(1000, 1), random);
  touches.resize(64);
  EXPECT_EQ(Classify(CountAccesses(touches, 1000), false, kPageBytes), std::nullopt);
  touches = Mix(PartsInOrder(1000, 1), random);
  touches.resize(65);
  EXPECT_EQ(Classify(CountAccesses(touches, 1000), false, kPageBytes), kStreamedReadOnly);
}

TEST(CountAccesses, StepsLeadFromTheClosestPlace) {
  const std::vector<PageTouch> touches = {
      {.page = 5, .thread = 1},   // nothing leads here
      {.page = 50, .thread = 2},  // nor here
      {.page = 6, .thread = 1},  {.page = 6, .thread = 1},
      {.page = 49, .thread = 2}, {.page = 12, .thread = 1},  // 6 pages are few of 100 for 4 places
      {.page = 19, .thread = 1},                             // and 7 are not
      {.page = 13, .thread = 2},                             // where the other thread was
  };
  const AccessCounts counts = CountAccesses(touches, 100);
  EXPECT_EQ(counts.touches, 8u);
  EXPECT_EQ(counts.steps, 6u);
  EXPECT_EQ(counts.near_steps, 4u);
  EXPECT_EQ(counts.next_steps, 2u);
  EXPECT_EQ(counts.previous_steps, 1u);
}

}  // namespace
}  // namespace fargraph
