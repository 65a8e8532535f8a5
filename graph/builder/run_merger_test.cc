#include "graph/builder/run_merger.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/files/test_directory.h"
#include "gmock/gmock.h"
#include "graph/builder/edge_record.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

// How runs are buffered and merged.
struct Team {
  size_t threads;
  size_t buffer_words;
  size_t block_words;
};

// Parts of one number, of some, and more room than there are numbers.
constexpr Team kTeams[] = {
    {1, 1, 1}, {3, 10, 1}, {4, 100, 16}, {7, 1000, 30}, {4, 1 << 16, 1 << 16}};

template <typename Word>
class RunMergerTest : public ::testing::Test {
 protected:
  using Runs = std::vector<std::vector<Word>>;

  // Numbers whose highest and lowest bits differ, whatever their size.
  static Word Number(uint64_t high, uint64_t low) {
    return (Word{high} << (8 * sizeof(Word) - 32)) | low;
  }

  static Runs Sorted(Runs runs) {
    for (std::vector<Word>& run : runs) std::sort(run.begin(), run.end());
    return runs;
  }

  RunMerger<Word> Merger(const Runs& runs, const Team& team) {
    file_ = *File::Create(directory_.Path(absl::StrCat("runs", files_++)));
    std::vector<RunReader<Word>> readers;
    uint64_t end = 0;
    for (const std::vector<Word>& run : runs) {
      const uint64_t begin = end;
      end += run.size() * sizeof(Word);
      EXPECT_TRUE(file_.WriteAt(begin, std::as_bytes(std::span(run))).ok());
      readers.emplace_back(file_, begin, end, team.buffer_words);
    }
    return RunMerger<Word>(std::move(readers), team.threads, team.block_words);
  }

  void ExpectMergedLikeSorted(const Runs& runs) {
    std::vector<Word> expected;
    for (const std::vector<Word>& run : runs) {
      expected.insert(expected.end(), run.begin(), run.end());
    }
    std::sort(expected.begin(), expected.end());
    for (const Team& team : kTeams) {
      std::vector<Word> merged;
      const absl::Status status = Merger(runs, team).Merge([&](absl::Span<const Word> block) {
        EXPECT_LE(block.size(), team.block_words);
        EXPECT_FALSE(block.empty());
        merged.insert(merged.end(), block.begin(), block.end());
        return absl::OkStatus();
      });
      EXPECT_TRUE(status.ok()) << status;
      EXPECT_TRUE(merged == expected) << team.threads << " threads, blocks of " << team.block_words;
    }
  }

  // Of a random length each, of random(run, generator).
  static Runs RandomRuns(size_t runs, size_t most_words,
                         const std::function<Word(size_t, std::mt19937_64&)>& number) {
    std::mt19937_64 random(runs);
    Runs made(runs);
    for (size_t run = 0; run < runs; ++run) {
      made[run].resize(random() % (most_words + 1));
      for (Word& word : made[run]) word = number(run, random);
    }
    return Sorted(std::move(made));
  }

  TestDirectory directory_;
  File file_;
  int files_ = 0;
};

using Words = ::testing::Types<uint64_t, Uint128>;
TYPED_TEST_SUITE(RunMergerTest, Words);

TYPED_TEST(RunMergerTest, MergesRunsOfAnyNumberAndLength) {
  for (const size_t runs : {1, 2, 3, 8, 50}) {
    this->ExpectMergedLikeSorted(this->RandomRuns(
        runs, 200, [&](size_t, auto& random) { return this->Number(random() % 100, random()); }));
  }
}

TYPED_TEST(RunMergerTest, MergesRunsThatAreEmptyOrNone) {
  this->ExpectMergedLikeSorted({});
  this->ExpectMergedLikeSorted({{}});
  this->ExpectMergedLikeSorted({{}, {5}, {}});
  this->ExpectMergedLikeSorted({{}, {0, 7}, {}, {0}, {3, LoserTree<TypeParam>::kEnd - 1}});
}

TYPED_TEST(RunMergerTest, MergesEqualNumbers) {
  this->ExpectMergedLikeSorted(
      this->RandomRuns(9, 400, [&](size_t, auto&) { return this->Number(6, 6); }));
  this->ExpectMergedLikeSorted(this->RandomRuns(
      9, 400, [&](size_t, auto& random) { return this->Number(random() % 2, 6); }));
}

TYPED_TEST(RunMergerTest, MergesTheListsOfOneVertexWithNearlyAllEdges) {
  this->ExpectMergedLikeSorted(this->RandomRuns(9, 400, [&](size_t, auto& random) {
    return this->Number(random() % 50 == 0 ? random() % 1000 : 500, random());
  }));
}

TYPED_TEST(RunMergerTest, MergesRunsThatLieOneBehindAnother) {
  for (const bool ascending : {true, false}) {
    this->ExpectMergedLikeSorted(this->RandomRuns(20, 300, [&](size_t run, auto& random) {
      return this->Number(ascending ? run : 20 - run, random());
    }));
  }
}

TYPED_TEST(RunMergerTest, MergesAFewNumbersOfEachRunIntoThoseOfOne) {
  this->ExpectMergedLikeSorted(this->RandomRuns(50, 200, [&](size_t run, auto& random) {
    return this->Number(run == 7 ? random() % 10 : random(), random());
  }));
}

TYPED_TEST(RunMergerTest, PartsAreOfAboutEqualSize) {
  const auto runs = this->RandomRuns(
      40, 2000, [&](size_t, auto& random) { return this->Number(random() % 3, random()); });
  constexpr size_t kBlock = 1000;
  size_t words = 0, blocks = 0, largest = 0;
  const auto visit = [&](absl::Span<const TypeParam> block) {
    words += block.size();
    largest = std::max(largest, block.size());
    ++blocks;
    return absl::OkStatus();
  };
  ASSERT_TRUE(this->Merger(runs, {4, 1 << 16, kBlock}).Merge(visit).ok());
  EXPECT_LT(largest, kBlock);  // nothing has to be merged while others wait
  EXPECT_EQ(blocks, (words + kBlock / 2 - 1) / (kBlock / 2));
}

TYPED_TEST(RunMergerTest, VisitsOneBlockAtATimeUntilAnError) {
  const auto runs = this->RandomRuns(
      10, 1000, [&](size_t, auto& random) { return this->Number(random(), random()); });
  for (const int last : {1, 2, 50}) {
    std::atomic<bool> visiting = false;
    int visits = 0;
    const absl::Status status =
        this->Merger(runs, {4, 100, 16}).Merge([&](absl::Span<const TypeParam>) {
          EXPECT_FALSE(visiting.exchange(true));
          const bool stop = ++visits == last;
          visiting = false;
          return stop ? absl::CancelledError("enough") : absl::OkStatus();
        });
    EXPECT_EQ(status.message(), "enough");
    EXPECT_EQ(visits, last);
  }
}

TYPED_TEST(RunMergerTest, AFileThatEndsBeforeItsRunsIsAnError) {
  auto merger = this->Merger(this->Sorted({{1, 4, 5, 8}, {2, 3, 6, 7}}), {4, 2, 16});
  std::filesystem::resize_file(this->file_.path(), 7 * sizeof(TypeParam));
  std::vector<TypeParam> merged;
  const absl::Status status = merger.Merge([&](absl::Span<const TypeParam> block) {
    merged.insert(merged.end(), block.begin(), block.end());
    return absl::OkStatus();
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  EXPECT_TRUE((merged == std::vector<TypeParam>{1, 2, 3}));
}

}  // namespace
}  // namespace fargraph
