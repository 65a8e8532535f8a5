#include "compute_node/testing/shared_files.h"

#include <filesystem>

#include "common/files/test_directory.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

const TestDirectory& SharedDirectory() {
  static const TestDirectory directory("shared");
  return directory;
}

}  // namespace

std::string SharedGraph(const std::string& name, uint64_t vertices,
                        const std::vector<InputEdge>& edges, bool compressed) {
  const std::string path = SharedDirectory().Path(name + (compressed ? "-codes" : "-edges"));
  if (!std::filesystem::exists(path)) {
    const auto written = WriteGraph(path, vertices, edges,
                                    {.compress = compressed, .weight_type = WeightType::kInt32});
    EXPECT_TRUE(written.ok()) << written.status();
  }
  return path;
}

std::string SharedMachineProfilePath() { return SharedDirectory().Path("machine.json"); }

}  // namespace fargraph
