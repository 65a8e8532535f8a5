#include "compute_node/cli/reports/progress.h"

#include <sstream>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(ProgressTest, ATerminalGetsABarThatIsTakenAwayAtTheEnd) {
  std::ostringstream stream;
  {
    Progress progress(stream, /*is_terminal=*/true);
    progress.ShowBytes("loading", 0, 4096);
    progress.ShowBytes("loading", 4096, 4096);
    EXPECT_THAT(stream.str(), HasSubstr("loading  [..............................]   0%  0 B"));
    EXPECT_THAT(stream.str(), EndsWith("loading  [##############################] 100%  4 KiB"));
  }
  EXPECT_THAT(stream.str(), EndsWith("4 KiB\r\x1b[K"));
}

TEST(ProgressTest, AnUnknownTotalHasNoBar) {
  std::ostringstream stream;
  Progress progress(stream, /*is_terminal=*/true);
  progress.ShowEdges("reading", 1'234'567, 0);
  EXPECT_THAT(stream.str(), EndsWith("reading  1 234 567 edges"));
}

TEST(ProgressTest, WithoutATerminalOnlyTheNewsAreShown) {
  std::ostringstream stream;
  {
    Progress progress(stream, /*is_terminal=*/false);
    progress.ShowBytes("loading", 1, 2);
    progress.ShowEdges("sorting", 1, 2);
    progress.ShowIteration(1, 1000);
    EXPECT_THAT(stream.str(), IsEmpty());
    progress.Say("transport: shm");
  }
  EXPECT_EQ(stream.str(), "transport: shm\n");
}

TEST(ProgressTest, NewsStandAboveTheBar) {
  std::ostringstream stream;
  Progress progress(stream, /*is_terminal=*/true);
  progress.ShowIteration(3, 1000);
  progress.Say("news");
  EXPECT_THAT(stream.str(), EndsWith("iteration 3, 1 000 vertices active\r\x1b[Knews\n"));
}

TEST(ProgressTest, ThousandsOfStepsAreNotThousandsOfLines) {
  std::ostringstream stream;
  Progress progress(stream, /*is_terminal=*/true);
  progress.ShowIteration(1, 1);
  const size_t first = stream.str().size();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2500; ++i) progress.ShowIteration(1, 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LT(stream.str().size(), 1000 * first);
}

}  // namespace
}  // namespace fargraph
