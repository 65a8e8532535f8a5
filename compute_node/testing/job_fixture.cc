#include "compute_node/testing/job_fixture.h"

#include <random>

#include "compute_node/testing/known_links.h"
#include "compute_node/testing/mix_kernels.h"
#include "compute_node/testing/shared_files.h"
#include "compute_node/testing/ssd_directories.h"

namespace fargraph {

const std::vector<InputEdge>& JobEdges() {
  static const auto& edges = *[] {
    std::mt19937 random(1);
    auto* const drawn = new std::vector<InputEdge>;
    for (int i = 0; i < kJobEdges; ++i) {
      const uint64_t source = i % 3 == 0 ? 17 : random() % kJobVertices;
      drawn->push_back({.source = source,
                        .target = random() % kJobVertices,
                        .weight_bits = static_cast<uint32_t>(random() % 256)});
    }
    return drawn;
  }();
  return edges;
}

JobTest::JobTest() { RegisterMixKernels(); }

JobOptions JobTest::Options(double far_ratio, const std::vector<std::string>& memory_nodes,
                            const std::string& algorithm) const {
  KnowMemoryNodes(link_cache_path_, memory_nodes);
  return {.algorithm = algorithm,
          .graph_path = graph_path_,
          .memory_nodes = memory_nodes,
          .far_ratio = far_ratio,
          .chunk_bytes = 4096,
          .link_cache_path = link_cache_path_,
          .machine_profile_path = SharedMachineProfilePath()};
}

JobOptions JobTest::OwnFilesOptions(double far_ratio, const std::string& algorithm) const {
  JobOptions options = Options(far_ratio, {}, algorithm);
  options.ssd_directories = {graph_path_};
  KnowSsds(link_cache_path_, options.ssd_directories);
  return options;
}

std::string JobTest::CompressedGraph() {
  return SharedGraph("job", kJobVertices, JobEdges(), /*compressed=*/true);
}

double JobTest::Sum(const JobOptions& options) {
  const auto report = RunJob(options);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? report->answer["sum"].get<double>() : -1;
}

void JobOnSsdTest::SetUp() {
  if (!TempDirHasDirectIo()) GTEST_SKIP() << testing::TempDir() << " has no direct IO";
}

}  // namespace fargraph
