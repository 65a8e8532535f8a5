// Opens, verifies and loads a small graph directory into which the input was written: its first
// byte chooses the file, the next two the offset, the rest replaces what is there. Whatever the
// bytes, the answer is a graph or an error.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "graph/csr.h"
#include "graph/graph_files.h"
#include "graph/write_graph.h"

namespace {

namespace fs = std::filesystem;

// The directory, and what its files held before anybody damaged them.
class SmallGraph {
 public:
  SmallGraph() {
    std::string name = (fs::temp_directory_path() / "fargraph_fuzz_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    parent_ = name;
    const auto written = fargraph::WriteGraph(path(), 3, {{0, 1, 7}, {0, 2, 8}, {2, 1, 9}},
                                              {.weight_type = fargraph::WeightType::kInt32});
    if (!written.ok()) std::abort();
    for (const auto& entry : fs::directory_iterator(path())) {
      std::ifstream file(entry.path(), std::ios::binary);
      files_.emplace_back(entry.path().string(),
                          std::string(std::istreambuf_iterator<char>(file), {}));
    }
  }
  ~SmallGraph() { fs::remove_all(parent_); }
  SmallGraph(const SmallGraph&) = delete;
  SmallGraph& operator=(const SmallGraph&) = delete;

  std::string path() const { return parent_ + "/graph"; }

  void Damage(size_t file, size_t offset, absl::string_view bytes) const {
    const auto& [name, content] = files_[file % files_.size()];
    std::string damaged = content;
    damaged.replace(offset % content.size(), bytes.size(), bytes.data(), bytes.size());
    std::ofstream(name, std::ios::binary | std::ios::trunc) << damaged;
  }

  void Repair(size_t file) const {
    const auto& [name, content] = files_[file % files_.size()];
    std::ofstream(name, std::ios::binary | std::ios::trunc) << content;
  }

 private:
  std::string parent_;
  std::vector<std::pair<std::string, std::string>> files_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const SmallGraph graph;
  if (size < 3) return 0;
  graph.Damage(data[0], data[1] << 8 | data[2],
               {reinterpret_cast<const char*>(data) + 3, size - 3});
  const auto files = fargraph::GraphFiles::Open(graph.path(), /*verify_files=*/true);
  if (files.ok()) {
    for (const auto direction : {fargraph::Direction::kOut, fargraph::Direction::kIn}) {
      if (files->Has(direction) && !fargraph::LoadCsr(*files, direction).ok()) std::abort();
    }
  }
  graph.Repair(data[0]);
  return 0;
}
