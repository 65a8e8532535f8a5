#ifndef FARGRAPH_COMPUTE_NODE_TESTING_JOB_FIXTURE_H_
#define FARGRAPH_COMPUTE_NODE_TESTING_JOB_FIXTURE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "common/files/test_directory.h"
#include "compute_node/job/job.h"
#include "compute_node/testing/shared_files.h"
#include "graph/write_graph.h"
#include "gtest/gtest.h"

namespace fargraph {

constexpr uint64_t kJobVertices = 3000;
constexpr int kJobEdges = 36 * 4096;  // more than one stripe, and weights that fill pages
/// Of the lists of both directions, without weights.
constexpr uint64_t kJobListBytes = 2 * kJobEdges * sizeof(VertexId);

/// Random edges, of which a third is those of a hub.
const std::vector<InputEdge>& JobEdges();

/// Jobs of the kernels of mix_kernels.h on a random graph with a hub of several chunks, on disk,
/// with weights that most kernels ignore.
class JobTest : public testing::Test {
 protected:
  JobTest();

  JobOptions Options(double far_ratio, const std::vector<std::string>& memory_nodes,
                     const std::string& algorithm = "mix") const;

  /// The same with such a share of the lists in the graph's own files, read by direct IO.
  JobOptions OwnFilesOptions(double far_ratio, const std::string& algorithm) const;

  /// The same graph, its lists as codes.
  static std::string CompressedGraph();

  /// The answer of a job, which a failure is not; -1 then.
  static double Sum(const JobOptions& options);

  const TestDirectory directory_;
  const std::string link_cache_path_ = directory_.Path("links.json");
  const std::string graph_path_ =
      SharedGraph("job", kJobVertices, JobEdges(), /*compressed=*/false);
};

/// Of jobs with SSDs.
class JobOnSsdTest : public JobTest {
 protected:
  void SetUp() override;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TESTING_JOB_FIXTURE_H_
