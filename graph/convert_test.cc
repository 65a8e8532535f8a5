#include "graph/convert.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "common/files/test_directory.h"
#include "gmock/gmock.h"
#include "graph/describe.h"
#include "graph/graph_files.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ConvertTest : public ::testing::Test {
 protected:
  std::string WriteInput(const std::string& text) const {
    std::ofstream(directory_.Path("input")) << text;
    return directory_.Path("input");
  }

  TestDirectory directory_;
};

TEST_F(ConvertTest, ConvertsAFileAndDescribesTheGraph) {
  const std::string input = WriteInput("# edges\n3 5\n3 9\n5 9\n9 9\n3 5\n");
  const std::string output = directory_.Path("graph");
  const auto report = ConvertGraph({.input = input, .output = output, .build = {}});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_THAT(FormatReport(*report),
              AllOf(HasSubstr("edges read    5\n"), HasSubstr("self-loops    1 (kept)\n"),
                    HasSubstr("duplicates    1 (kept)\n")));

  const auto files = GraphFiles::Open(output, /*verify_files=*/true);
  ASSERT_TRUE(files.ok()) << files.status();
  const auto description = DescribeGraph(*files);
  ASSERT_TRUE(description.ok()) << description.status();
  EXPECT_EQ(description->at("vertices"), 3);
  EXPECT_EQ(description->at("edges"), 5);
  EXPECT_EQ(description->at("symmetric"), false);
  EXPECT_EQ(description->at("reverse"), true);
  EXPECT_EQ(description->at("ids_remapped"), true);
  EXPECT_EQ(description->at("max_out_degree"), 3);
  EXPECT_EQ(description->at("max_in_degree"), 3);
  EXPECT_EQ(description->at("vertices_without_out_edges"), 0);
  EXPECT_DOUBLE_EQ(description->at("average_degree"), 5.0 / 3);
  EXPECT_EQ(description->at("bytes").at("in.index"), 32);
  EXPECT_EQ(description->at("total_bytes"),
            2 * (32 + 5 * sizeof(VertexId)) + 24 + (5 + 9) * sizeof(VertexId));
  EXPECT_EQ(description->at("content_id"), report->manifest.content_id);
  EXPECT_THAT(FormatGraphDescription(*description),
              AllOf(HasSubstr(output), HasSubstr("1.67 on average, at most 3 out, 3 in\n"),
                    HasSubstr("  out.index   32 B\n")));
}

TEST_F(ConvertTest, AMissingInputLeavesNothingBehind) {
  const std::string output = directory_.Path("graph");
  const absl::Status status =
      ConvertGraph({.input = directory_.Path("nothing"), .output = output, .build = {}}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(std::filesystem::is_empty(directory_.path()));
}

TEST_F(ConvertTest, GeneratedGraphsAreReproducible) {
  GenerateOptions options = {.generator = {.scale = 8, .degree = 4, .seed = 7, .weights = true},
                             .output = directory_.Path("a"),
                             .build = {.symmetrize = true}};
  const auto first = GenerateGraph(options);
  options.output = directory_.Path("b");
  const auto second = GenerateGraph(options);
  ASSERT_TRUE(first.ok() && second.ok()) << first.status() << second.status();
  EXPECT_EQ(first->manifest.content_id, second->manifest.content_id);
  EXPECT_EQ(first->manifest.vertices, 256u);
  EXPECT_EQ(first->manifest.edges, 2 * 256u * 4 - first->manifest.self_loops);
  EXPECT_THAT(first->manifest.source_format, HasSubstr("kron, scale 8, degree 4, seed 7"));
}

}  // namespace
}  // namespace fargraph
