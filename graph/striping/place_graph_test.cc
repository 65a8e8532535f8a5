#include "graph/striping/place_graph.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "common/files/test_directory.h"
#include "gmock/gmock.h"
#include "graph/format/array_format.h"
#include "graph/format/neighbor_reader.h"
#include "graph/striping/striped_array.h"
#include "graph/striping/stripes.h"
#include "graph/write_graph.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr size_t kParts = 3;

class PlaceGraphTest : public testing::Test {
 protected:
  PlaceGraphTest() {
    for (size_t part = 0; part < kParts; ++part) {
      directories_.push_back(directory_.Path(absl::StrCat("ssd", part)));
      fs::create_directory(directories_.back());
    }
  }

  /// Several stripes in each part, the last one short.
  GraphFiles Graph(bool compress) const {
    std::mt19937_64 random(1);
    std::vector<InputEdge> edges(5 * kParts * kStripeBytes / sizeof(VertexId) + 1234);
    for (InputEdge& edge : edges) {
      edge = {random() % 1000, random() % 1000, static_cast<uint32_t>(random() % 100)};
    }
    const std::string path = directory_.Path(compress ? "compressed" : "graph");
    const WriteGraphOptions options = {.compress = compress, .weight_type = WeightType::kInt32};
    EXPECT_TRUE(WriteGraph(path, 1000, edges, options).ok());
    return *GraphFiles::Open(path);
  }

  absl::StatusOr<PlaceReport> Place(const GraphFiles& files) const {
    return PlaceGraph(files, {.directories = directories_});
  }

  std::unique_ptr<StripedArray> Find(const GraphFiles& files, const ScannedArray& array) const {
    auto found = StripedArray::Find(files.manifest(), array, directories_);
    EXPECT_TRUE(found.ok()) << found.status();
    return *std::move(found);
  }

  std::vector<std::string> PlacedFiles() const {
    std::vector<std::string> paths;
    for (const std::string& directory : directories_) {
      for (const auto& entry : fs::directory_iterator(directory)) paths.push_back(entry.path());
    }
    return paths;
  }

  const TestDirectory directory_;
  std::vector<std::string> directories_;
};

std::string Content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The array, put together from the stripes.
std::string Unstriped(const StripedArray& array) {
  std::vector<std::string> parts;
  for (const std::string& path : array.paths()) parts.push_back(Content(path));
  std::string bytes;
  while (bytes.size() < array.bytes()) {
    const StripeRun run = FirstRun(bytes.size(), array.bytes() - bytes.size(), parts.size());
    bytes += parts[run.part].substr(kArrayDataOffset + run.offset, run.length);
  }
  return bytes;
}

/// Of a scan.
std::string Scanned(absl::FunctionRef<absl::Status(BlockVisitor)> scan) {
  std::string bytes;
  const auto append = [&](uint64_t, absl::Span<const std::byte> block) {
    bytes.append(reinterpret_cast<const char*>(block.data()), block.size());
    return absl::OkStatus();
  };
  EXPECT_TRUE(scan(append).ok());
  return bytes;
}

absl::Status Check(const StripedArray& array) {
  return array.Check([](uint64_t) { return absl::OkStatus(); });
}

TEST_F(PlaceGraphTest, StripesAreTheListsAndWeightsOfBothDirectionsInEitherForm) {
  for (const bool compress : {false, true}) {
    const GraphFiles files = Graph(compress);
    const auto report = Place(files);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->written_bytes, report->bytes);
    uint64_t bytes = 0;
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      EXPECT_EQ(Unstriped(*Find(files, ScannedEdges(files.manifest(), direction))),
                Scanned([&](BlockVisitor visit) {
                  return ScanNeighbors(files, direction, IgnoreBlock, visit);
                }));
      EXPECT_EQ(Unstriped(*Find(files, ScannedWeights(files.manifest(), direction))),
                Scanned([&](BlockVisitor visit) { return files.Weights(direction).Scan(visit); }));
      bytes += files.manifest().edges * sizeof(VertexId) + files.Weights(direction).bytes();
    }
    EXPECT_EQ(report->bytes, bytes);
  }
}

TEST_F(PlaceGraphTest, ASymmetricGraphHasOneArrayForBothDirections) {
  const std::string path = directory_.Path("symmetric");
  ASSERT_TRUE(WriteGraph(path, 3, {{0, 1, 0}}, {.symmetrize = true}).ok());
  const GraphFiles files = *GraphFiles::Open(path);
  ASSERT_TRUE(Place(files).ok());
  EXPECT_EQ(PlacedFiles().size(), kParts);
  EXPECT_EQ(Find(files, ScannedEdges(files.manifest(), Direction::kIn))->paths(),
            Find(files, ScannedEdges(files.manifest(), Direction::kOut))->paths());
}

TEST_F(PlaceGraphTest, PartsAreFoundInWhicheverDirectoryTheyAre) {
  const GraphFiles files = Graph(/*compress=*/false);
  ASSERT_TRUE(Place(files).ok());
  const ScannedArray edges = ScannedEdges(files.manifest(), Direction::kOut);
  const std::string before = Unstriped(*Find(files, edges));
  std::reverse(directories_.begin(), directories_.end());
  EXPECT_EQ(Unstriped(*Find(files, edges)), before);
  directories_.pop_back();  // placed over three
  EXPECT_EQ(Find(files, edges), nullptr);
}

TEST_F(PlaceGraphTest, CheckReadsEveryByteOnce) {
  const GraphFiles files = Graph(/*compress=*/false);
  ASSERT_TRUE(Place(files).ok());
  const auto edges = Find(files, ScannedEdges(files.manifest(), Direction::kIn));
  uint64_t checked = 0;
  const auto count = [&](uint64_t bytes) {
    checked += bytes;
    return absl::OkStatus();
  };
  EXPECT_TRUE(edges->Check(count).ok());
  EXPECT_EQ(checked, edges->bytes());
  const auto stop = [](uint64_t) { return absl::CancelledError("enough"); };
  EXPECT_EQ(edges->Check(stop).code(), absl::StatusCode::kCancelled);
}

TEST_F(PlaceGraphTest, WhatIsThereStaysAndWhatIsDamagedOrMissingIsWrittenAgain) {
  const GraphFiles files = Graph(/*compress=*/false);
  const uint64_t edge_bytes = files.manifest().edges * sizeof(VertexId);
  ASSERT_TRUE(Place(files).ok());
  EXPECT_EQ(Place(files)->written_bytes, 0u);
  const ScannedArray array = ScannedEdges(files.manifest(), Direction::kOut);
  const std::string part =
      StripesFile(directories_[1], files.manifest(), array.name, /*part=*/1, kParts);

  for (const uint64_t byte : {uint64_t{8}, kArrayDataOffset + kArrayBlockBytes + 77}) {
    FlipBit(part, byte);
    EXPECT_EQ(Place(files)->written_bytes, edge_bytes) << byte;
    EXPECT_TRUE(Check(*Find(files, array)).ok());
  }
  fs::remove(part);
  EXPECT_EQ(Find(files, array), nullptr);
  EXPECT_EQ(Place(files)->written_bytes, edge_bytes);
  EXPECT_TRUE(Check(*Find(files, array)).ok());
}

TEST_F(PlaceGraphTest, DamageIsFoundAndNamed) {
  const GraphFiles files = Graph(/*compress=*/false);
  ASSERT_TRUE(Place(files).ok());
  const ScannedArray array = ScannedEdges(files.manifest(), Direction::kOut);
  const auto edges = Find(files, array);
  FlipBit(edges->paths()[2], kArrayDataOffset + 5);
  const absl::Status damaged = Check(*edges);
  EXPECT_EQ(damaged.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(damaged.message()), HasSubstr(edges->paths()[2]));
  EXPECT_THAT(std::string(damaged.message()), HasSubstr("place the graph again"));

  fs::resize_file(edges->paths()[0], 5000);
  const auto found = StripedArray::Find(files.manifest(), array, directories_);
  EXPECT_EQ(found.status().code(), absl::StatusCode::kDataLoss);
}

TEST_F(PlaceGraphTest, NothingIsLeftOfWhatWasNotFinished) {
  const GraphFiles files = Graph(/*compress=*/false);
  uint64_t reports = 0;
  const auto cancelled =
      PlaceGraph(files, {.directories = directories_, .cancelled = [&] { return ++reports > 2; }});
  EXPECT_EQ(cancelled.status().code(), absl::StatusCode::kCancelled);
  EXPECT_THAT(PlacedFiles(), IsEmpty());

  directories_.push_back(directory_.Path("none"));
  EXPECT_EQ(Place(files).status().code(), absl::StatusCode::kNotFound);
  directories_.pop_back();
  EXPECT_THAT(PlacedFiles(), IsEmpty());
}

TEST_F(PlaceGraphTest, ADamagedGraphIsNotPlaced) {
  const GraphFiles files = Graph(/*compress=*/false);
  FlipBit(files.Edges(Direction::kOut).path(), kArrayDataOffset + 3 * kArrayBlockBytes);
  EXPECT_EQ(Place(files).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(PlacedFiles(), IsEmpty());
}

}  // namespace
}  // namespace fargraph
