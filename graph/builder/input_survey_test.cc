#include "graph/builder/input_survey.h"

#include <algorithm>

#include "gtest/gtest.h"

namespace fargraph {
namespace {

/// Fills half of what it is given, as a text does of whose lines half are blank.
class HalfFillingReader final : public EdgeReader {
 public:
  const InputProperties& properties() const override { return properties_; }

  absl::StatusOr<size_t> Read(absl::Span<InputEdge> edges) override {
    const size_t count = std::min(edges.size() / 2, left_);
    left_ -= count;
    return count;
  }

 private:
  InputProperties properties_;
  size_t left_ = 1'000'000;
};

TEST(ForEachBatch, BatchesGrowThoughTheyAreNotFull) {
  HalfFillingReader reader;
  size_t edges = 0;
  size_t largest = 0;
  const auto visit = [&](absl::Span<const InputEdge> batch) {
    edges += batch.size();
    largest = std::max(largest, batch.size());
    return absl::OkStatus();
  };
  ASSERT_TRUE(ForEachBatch(reader, visit).ok());
  EXPECT_EQ(edges, 1'000'000U);
  EXPECT_EQ(largest, size_t{1} << 17);
}

}  // namespace
}  // namespace fargraph
