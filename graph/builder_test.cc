#include "graph/builder.h"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/files/file.h"
#include "common/files/test_directory.h"
#include "gmock/gmock.h"
#include "graph/csr.h"
#include "graph/graph_files.h"
#include "graph/memory_edge_reader.h"
#include "graph/vertex_names.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

EdgeReaderFactory Reader(const std::vector<InputEdge>& edges, const InputProperties& properties) {
  return [&edges, properties]() -> absl::StatusOr<std::unique_ptr<EdgeReader>> {
    return std::make_unique<MemoryEdgeReader>(edges, properties);
  };
}

InputProperties Unweighted() { return {.format = "test"}; }

// The same conversion the plain way: the lists of every input id, in the input's ids, as the sorted
// (target, weight) pairs.
struct NaiveGraph {
  using Neighbor = std::pair<uint64_t, double>;
  std::map<uint64_t, std::vector<Neighbor>> out;
  std::map<uint64_t, std::vector<Neighbor>> in;
  uint64_t self_loops = 0;
  uint64_t duplicates = 0;
  uint64_t isolated = 0;
};

double WeightValue(uint32_t bits, WeightType type) {
  if (type == WeightType::kFloat32) return std::bit_cast<float>(bits);
  return type == WeightType::kNone ? 0 : std::bit_cast<int32_t>(bits);
}

NaiveGraph BuildNaively(const std::vector<InputEdge>& edges, const InputProperties& properties,
                        const BuildOptions& options) {
  NaiveGraph graph;
  for (uint64_t i = 0; i < properties.declared_vertices; ++i) {
    graph.out[properties.first_id + i];
  }
  std::multiset<std::tuple<uint64_t, uint64_t, double>> stored;
  for (const InputEdge& edge : edges) {
    graph.out[edge.source];
    graph.out[edge.target];
    graph.self_loops += edge.source == edge.target;
    if (edge.source == edge.target && options.remove_self_loops) continue;
    const double weight = WeightValue(edge.weight_bits, properties.weight_type);
    stored.emplace(edge.source, edge.target, weight);
    const bool mirror = options.symmetrize || properties.symmetric;
    if (mirror && edge.source != edge.target) stored.emplace(edge.target, edge.source, weight);
  }
  for (const auto& [source, target, weight] : stored) {
    auto& list = graph.out[source];
    const bool duplicate = !list.empty() && list.back().first == target;
    graph.duplicates += duplicate;
    if (duplicate && options.remove_duplicates) continue;
    list.emplace_back(target, weight);
    graph.in[target].emplace_back(source, weight);
  }
  for (auto& [id, list] : graph.out) {
    std::sort(graph.in[id].begin(), graph.in[id].end());
    graph.isolated += list.empty() && graph.in[id].empty();
  }
  return graph;
}

// The lists of an open graph in the input's ids.
std::map<uint64_t, std::vector<NaiveGraph::Neighbor>> ListsOf(const GraphFiles& files,
                                                              Direction direction) {
  const auto csr = LoadCsr(files, direction);
  const auto ids = files.names().ReadIds();
  EXPECT_TRUE(csr.ok() && ids.ok()) << csr.status() << ids.status();
  std::map<uint64_t, std::vector<NaiveGraph::Neighbor>> lists;
  for (VertexId v = 0; v < csr->vertices(); ++v) {
    auto& list = lists[(*ids)[v]];
    for (size_t i = 0; i < csr->neighbors(v).size(); ++i) {
      const VertexId target = csr->neighbors(v)[i];
      const uint32_t bits = csr->weight_bits.empty() ? 0 : csr->weights(v)[i];
      list.emplace_back((*ids)[target], WeightValue(bits, files.manifest().weight_type));
    }
    std::sort(list.begin(), list.end());
  }
  return lists;
}

// Every column holds the lists' entries at its position and not an element more.
void ExpectHeadsOfLists(const GraphFiles& files, Direction direction) {
  const auto csr = LoadCsr(files, direction);
  ASSERT_TRUE(csr.ok()) << csr.status();
  for (uint64_t i = 0; i < files.manifest().heads; ++i) {
    std::vector<VertexId> expected(csr->vertices(), kNoVertex);
    for (VertexId v = 0; v < csr->vertices(); ++v) {
      if (i < csr->degree(v)) expected[v] = csr->neighbors(v)[i];
    }
    while (!expected.empty() && expected.back() == kNoVertex) expected.pop_back();

    const ArrayFile& column = files.HeadsColumn(direction, i);
    std::vector<VertexId> stored(column.elements());
    ASSERT_TRUE(column.Read(0, {reinterpret_cast<std::byte*>(stored.data()), column.bytes()}).ok());
    EXPECT_EQ(stored, expected) << i;
  }
}

// By definition, where there are heads to tell it.
uint64_t EndOfLists(const GraphFiles& files) {
  uint64_t end = files.manifest().vertices;
  if (files.manifest().heads == 0) return end;
  const auto out = LoadCsr(files, Direction::kOut), in = LoadCsr(files, Direction::kIn);
  EXPECT_TRUE(out.ok() && in.ok());
  while (end > 0 && out->degree(end - 1) == 0 && in->degree(end - 1) == 0) --end;
  return end;
}

// Ascending ids, or those of isolated vertices last.
void ExpectOrder(const GraphFiles& files, const NaiveGraph& naive) {
  const auto ids = files.names().ReadIds();
  ASSERT_TRUE(ids.ok()) << ids.status();
  const auto degree = [&](VertexId v) {
    return naive.out.at((*ids)[v]).size() + naive.in.at((*ids)[v]).size();
  };
  if (files.manifest().order == VertexOrder::kInput) {
    EXPECT_TRUE(std::is_sorted(ids->begin(), ids->end()));
    return;
  }
  for (VertexId v = 1; v < ids->size(); ++v) {
    if (degree(v - 1) == 0) {
      EXPECT_EQ(degree(v), 0u) << v;
    }
  }
}

struct Case {
  uint64_t seed;
  int id_bits;  // ids are spread over this many bits
  WeightType weight_type;
  bool declared;
};

class BuilderPropertyTest : public ::testing::TestWithParam<Case> {
 protected:
  // Few distinct ids, so that self-loops and duplicates occur; as scattered as the case says.
  std::vector<InputEdge> RandomEdges() {
    std::mt19937_64 random(GetParam().seed);
    std::vector<uint64_t> ids(60);
    for (uint64_t& id : ids) id = random() >> (64 - GetParam().id_bits);
    std::vector<InputEdge> edges(1 + random() % 3000);
    for (InputEdge& edge : edges) {
      edge.source = ids[random() % ids.size()];
      edge.target = ids[random() % (1 + random() % ids.size())];
      if (GetParam().weight_type == WeightType::kInt32) {
        edge.weight_bits = std::bit_cast<uint32_t>(static_cast<int32_t>(random() % 21) - 10);
      } else if (GetParam().weight_type == WeightType::kFloat32) {
        edge.weight_bits = std::bit_cast<uint32_t>(static_cast<float>(random() % 21) / 4 - 2.5F);
      }
    }
    return edges;
  }

  InputProperties Properties() const {
    InputProperties properties = {.format = "test", .weight_type = GetParam().weight_type};
    if (GetParam().declared) {
      properties.declares_vertices = true;
      properties.declared_vertices = uint64_t{1} << GetParam().id_bits;
    }
    return properties;
  }

  TestDirectory directory_;
};

TEST_P(BuilderPropertyTest, StoresWhatThePlainConstructionDoes) {
  const std::vector<InputEdge> edges = RandomEdges();
  for (int choice = 0; choice < 16; ++choice) {
    BuildOptions options;
    options.symmetrize = (choice & 1) != 0;
    options.remove_self_loops = (choice & 2) != 0;
    options.remove_duplicates = (choice & 4) != 0;
    options.memory_bytes = (choice & 8) != 0 ? 1 : kGiB;  // many runs, or none
    options.heads = choice % 5;
    options.compress = choice % 3 == 0;
    options.order = choice % 2 == 0 ? VertexOrder::kInput : VertexOrder::kDegree;
    const NaiveGraph naive = BuildNaively(edges, Properties(), options);
    const std::string output = directory_.Path(absl::StrCat("graph", choice));

    const auto report = BuildGraph(Reader(edges, Properties()), output, options);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->input_edges, edges.size());
    EXPECT_EQ(report->manifest.vertices, naive.out.size());
    EXPECT_EQ(report->manifest.self_loops, naive.self_loops);
    EXPECT_EQ(report->manifest.duplicates, naive.duplicates);
    EXPECT_EQ(report->isolated_vertices, naive.isolated);
    EXPECT_EQ(report->manifest.symmetric, options.symmetrize);

    const auto files = GraphFiles::Open(output, /*verify_files=*/true);
    ASSERT_TRUE(files.ok()) << files.status();
    EXPECT_EQ(ListsOf(*files, Direction::kOut), naive.out);
    EXPECT_EQ(ListsOf(*files, Direction::kIn), naive.in);
    EXPECT_EQ(files->manifest().heads, options.heads);
    EXPECT_EQ(files->manifest().compressed, options.compress);
    ExpectHeadsOfLists(*files, Direction::kOut);
    ExpectHeadsOfLists(*files, Direction::kIn);
    EXPECT_EQ(files->manifest().end_of_lists, EndOfLists(*files));
    EXPECT_EQ(files->manifest().order, options.order);
    ExpectOrder(*files, naive);
  }
}

INSTANTIATE_TEST_SUITE_P(All, BuilderPropertyTest,
                         ::testing::Values(Case{1, 6, WeightType::kNone, false},
                                           Case{2, 6, WeightType::kNone, true},
                                           Case{3, 10, WeightType::kInt32, false},
                                           Case{4, 10, WeightType::kFloat32, true},
                                           Case{5, 28, WeightType::kNone, false},
                                           Case{6, 33, WeightType::kFloat32, false},
                                           Case{7, 64, WeightType::kNone, false},
                                           Case{8, 64, WeightType::kInt32, false}),
                         [](const auto& test) { return absl::StrCat("Seed", test.param.seed); });

class BuilderTest : public ::testing::Test {
 protected:
  absl::StatusOr<BuildReport> Build(const std::vector<InputEdge>& edges,
                                    const InputProperties& properties,
                                    const BuildOptions& options = {}) {
    return BuildGraph(Reader(edges, properties), Output(), options);
  }

  std::string Output() const { return directory_.Path("graph"); }

  TestDirectory directory_;
};

TEST_F(BuilderTest, SymmetrizingWithRemovalGivesTheUndirectedSimpleGraph) {
  const std::vector<InputEdge> edges = {{10, 20, 0}, {20, 10, 0}, {30, 30, 0}, {10, 40, 0}};
  const auto report =
      Build(edges, Unweighted(),
            {.symmetrize = true, .remove_self_loops = true, .remove_duplicates = true});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->manifest.edges, 4u);
  EXPECT_EQ(report->manifest.duplicates, 2u);
  EXPECT_EQ(report->isolated_vertices, 1u);
  EXPECT_TRUE(report->remapped);
  const auto files = GraphFiles::Open(Output());
  ASSERT_TRUE(files.ok());
  EXPECT_THAT(*files->names().ReadIds(), ElementsAre(10, 20, 30, 40));
  const auto csr = LoadCsr(*files, Direction::kOut);
  EXPECT_THAT(csr->neighbors(0), ElementsAre(1, 3));
  EXPECT_THAT(csr->neighbors(2), IsEmpty());
}

TEST_F(BuilderTest, AnInputWithBothDirectionsIsSymmetricAndIsNotDoubled) {
  const std::vector<InputEdge> edges = {{0, 1, 0}, {1, 2, 0}, {2, 1, 0}, {1, 0, 0}, {2, 2, 0}};
  const auto report = Build(edges, Unweighted(), {.symmetrize = true});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->manifest.symmetric);
  EXPECT_FALSE(report->manifest.has_reverse);
  EXPECT_EQ(report->manifest.edges, edges.size());
  EXPECT_EQ(report->manifest.duplicates, 0u);
}

TEST_F(BuilderTest, OppositeEdgesOfOtherWeightAreNotSymmetric) {
  InputProperties properties = Unweighted();
  properties.weight_type = WeightType::kInt32;
  const auto report = Build({{0, 1, 5}, {1, 0, 6}}, properties);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->manifest.symmetric);
  EXPECT_TRUE(report->manifest.has_reverse);
}

TEST_F(BuilderTest, AnEdgeThatIsThereInOneDirectionIsNotSymmetricWhateverItsIds) {
  for (const int bit : {0, 31, 32, 63}) {
    const uint64_t id = 5, other = id ^ (uint64_t{1} << bit);
    const auto report = Build({{id, other, 0}}, Unweighted(), {.overwrite = true});
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_FALSE(report->manifest.symmetric) << other;
  }
}

TEST_F(BuilderTest, WholeWeightsThatFitBytesAreBytes) {
  for (const auto& [largest, type] :
       {std::pair{255, WeightType::kUint8}, std::pair{256, WeightType::kInt32},
        std::pair{-1, WeightType::kInt32}}) {
    InputProperties properties = Unweighted();
    properties.weight_type = WeightType::kInt32;
    const std::vector<InputEdge> edges = {
        {0, 1, 7}, {0, 2, 0}, {1, 2, std::bit_cast<uint32_t>(int32_t{largest})}};
    const BuildOptions options = {.overwrite = true};
    ASSERT_TRUE(Build(edges, properties, options).ok());
    const auto files = GraphFiles::Open(Output(), /*verify_files=*/true);
    ASSERT_TRUE(files.ok()) << files.status();
    EXPECT_EQ(files->manifest().weight_type, type) << largest;
    EXPECT_EQ(files->Weights(Direction::kOut).bytes(), 3 * WeightBytes(type));
    const NaiveGraph naive = BuildNaively(edges, properties, options);
    EXPECT_EQ(ListsOf(*files, Direction::kOut), naive.out);
    EXPECT_EQ(ListsOf(*files, Direction::kIn), naive.in);
  }
}

TEST_F(BuilderTest, ASymmetricFormatMeansBothDirections) {
  InputProperties properties = {.format = "MatrixMarket",
                                .declares_vertices = true,
                                .declared_vertices = 4,
                                .first_id = 1,
                                .symmetric = true};
  const auto report = Build({{2, 1, 0}, {4, 4, 0}}, properties);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->manifest.vertices, 4u);
  EXPECT_EQ(report->manifest.edges, 3u);
  EXPECT_TRUE(report->manifest.symmetric);
  EXPECT_EQ(report->isolated_vertices, 1u);
  const auto files = GraphFiles::Open(Output());
  EXPECT_THAT(*files->names().ReadIds(), ElementsAre(1, 2, 3, 4));
}

TEST_F(BuilderTest, AFileThatIsNotAsUndirectedAsItSaysIsDataLoss) {
  InputProperties properties = Unweighted();
  properties.both_directions = true;
  const absl::Status status = Build({{0, 1, 0}, {1, 2, 0}, {2, 1, 0}}, properties).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(directory_.Names(), IsEmpty());
}

TEST_F(BuilderTest, AnIdOutsideTheDeclaredRangeIsDataLoss) {
  const InputProperties properties = {
      .format = "test", .declares_vertices = true, .declared_vertices = 3, .first_id = 1};
  for (const uint64_t id : {uint64_t{0}, uint64_t{4}, ~uint64_t{0}}) {
    const absl::Status status = Build({{1, 3, 0}, {2, id, 0}}, properties).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(status.message()), HasSubstr(absl::StrCat("vertex ", id)));
    EXPECT_THAT(directory_.Names(), IsEmpty());
  }
}

TEST_F(BuilderTest, MoreVerticesThanIdsIsRefused) {
  const InputProperties properties = {
      .format = "test", .declares_vertices = true, .declared_vertices = uint64_t{1} << 50};
  EXPECT_EQ(Build({}, properties).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(directory_.Names(), IsEmpty());
}

TEST_F(BuilderTest, AnEmptyInputIsAnEmptyGraph) {
  const auto report = Build({}, Unweighted());
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->manifest.vertices, 0u);
  EXPECT_TRUE(GraphFiles::Open(Output(), true).ok());
}

TEST_F(BuilderTest, AnOutputIsReplacedOnlyWhenAskedAndOnlyAGraph) {
  ASSERT_TRUE(Build({{0, 1, 0}}, Unweighted()).ok());
  EXPECT_EQ(Build({{0, 1, 0}, {1, 2, 0}}, Unweighted()).status().code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(GraphFiles::Open(Output())->manifest().edges, 1u);

  ASSERT_TRUE(Build({{0, 1, 0}, {1, 2, 0}}, Unweighted(), {.overwrite = true}).ok());
  EXPECT_EQ(GraphFiles::Open(Output())->manifest().edges, 2u);
  EXPECT_THAT(directory_.Names(), ElementsAre("graph"));

  fs::remove(Output() + "/manifest.json");
  const absl::Status status = Build({{0, 1, 0}}, Unweighted(), {.overwrite = true}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(std::string(status.message()), HasSubstr("no graph directory"));
  EXPECT_TRUE(fs::exists(Output() + "/out.edges"));
}

TEST_F(BuilderTest, ADirectoryThatHoldsAnythingButAGraphIsNotReplaced) {
  const auto expect_kept = [&](const std::string& file, const BuildOptions& options) {
    const absl::Status status = Build({{0, 1, 0}}, Unweighted(), options).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kAlreadyExists) << file;
    EXPECT_THAT(std::string(status.message()), HasSubstr("no graph directory")) << file;
    EXPECT_TRUE(fs::exists(Output() + "/" + file)) << file;
    EXPECT_THAT(directory_.Names(), ElementsAre("graph"));
  };
  fs::create_directory(Output());
  for (const char* text : {"{\"name\": \"a web app\"}", "[]", "no JSON", ""}) {
    std::ofstream(Output() + "/manifest.json") << text;
    expect_kept("manifest.json", {.overwrite = true});
  }

  fs::remove_all(Output());
  ASSERT_TRUE(Build({{0, 1, 0}}, Unweighted()).ok());
  std::ofstream(Output() + "/notes.txt") << "precious";
  expect_kept("notes.txt", {.overwrite = true});
  fs::remove(Output() + "/notes.txt");
  fs::remove(Output() + "/out.edges");
  fs::create_directory(Output() + "/out.edges");
  expect_kept("out.edges", {.overwrite = true});

  fs::remove(Output() + "/out.edges");
  const auto come_late = [&](const BuildProgress&) {
    std::ofstream(Output() + "/notes.txt") << "precious";
  };
  expect_kept("notes.txt", {.overwrite = true, .progress = come_late});
}

TEST_F(BuilderTest, AGraphOfAnotherVersionIsReplaced) {
  ASSERT_TRUE(Build({{0, 1, 0}}, Unweighted()).ok());
  std::ofstream(Output() + "/manifest.json")
      << R"({"format": "fargraph graph", "version": 1, "arrays": {"out.edges": {}, "old": {}}})";
  for (const auto& entry : fs::directory_iterator(Output())) {
    const std::string name = entry.path().filename();
    if (name != "manifest.json" && name != "out.edges") fs::remove(entry.path());
  }
  std::ofstream(Output() + "/old") << "an array";
  const auto report = Build({{0, 1, 0}, {1, 2, 0}}, Unweighted(), {.overwrite = true});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(GraphFiles::Open(Output())->manifest().edges, 2u);
  EXPECT_THAT(directory_.Names(), ElementsAre("graph"));
}

TEST_F(BuilderTest, InterruptionLeavesNothingBehindInAnyPhase) {
  std::vector<InputEdge> edges;
  for (uint64_t i = 0; i < 2000; ++i) edges.push_back({i % 37, i % 101, 0});
  for (const std::string phase : {"reading", "sorting", "writing out-edges", "writing in-edges"}) {
    std::string current;
    BuildOptions options;
    options.memory_bytes = 1;
    options.progress = [&](const BuildProgress& progress) {
      current = std::string(progress.phase);
    };
    options.cancelled = [&] { return current == phase; };
    EXPECT_EQ(Build(edges, Unweighted(), options).status().code(), absl::StatusCode::kCancelled)
        << phase;
    EXPECT_THAT(directory_.Names(), IsEmpty()) << phase;
  }
}

TEST_F(BuilderTest, AFailingReaderLeavesNothingBehind) {
  const EdgeReaderFactory open = []() -> absl::StatusOr<std::unique_ptr<EdgeReader>> {
    return absl::DataLossError("line 3");
  };
  EXPECT_EQ(BuildGraph(open, Output(), {}).status().message(), "line 3");
  EXPECT_THAT(directory_.Names(), IsEmpty());
}

TEST_F(BuilderTest, AnInputThatChangesBetweenThePassesIsDataLoss) {
  InputProperties properties = Unweighted();
  properties.weight_type = WeightType::kInt32;
  const std::vector<InputEdge> first = {{0, 1, 0}, {1, 2, 0}};
  for (const std::vector<InputEdge>& second :
       {std::vector<InputEdge>{{0, 1, 0}}, std::vector<InputEdge>{{0, 1, 0}, {1, 7, 0}},
        std::vector<InputEdge>{{0, 1, 0}, {1, 2, 256}}}) {
    bool again = false;
    const EdgeReaderFactory open = [&]() -> absl::StatusOr<std::unique_ptr<EdgeReader>> {
      return std::make_unique<MemoryEdgeReader>(std::exchange(again, true) ? second : first,
                                                properties);
    };
    EXPECT_EQ(BuildGraph(open, Output(), {}).status().code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(directory_.Names(), IsEmpty());
  }
}

TEST_F(BuilderTest, AnOutputWithoutParentIsNotFound) {
  const absl::Status status =
      BuildGraph(Reader({}, Unweighted()), directory_.Path("no/graph"), {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
}

TEST_F(BuilderTest, ManyEdgesOnAllThreadsAreStoredAsThePlainConstructionDoes) {
  std::mt19937_64 random(11);
  std::vector<InputEdge> edges(100'000);
  for (InputEdge& edge : edges) {
    edge = {random() % 5000 * 50'000, random() % 5000 * 50'000, static_cast<uint32_t>(random())};
  }
  InputProperties properties = Unweighted();
  properties.weight_type = WeightType::kInt32;
  const BuildOptions options = {.memory_bytes = kMiB};
  ASSERT_TRUE(Build(edges, properties, options).ok());
  const NaiveGraph naive = BuildNaively(edges, properties, options);
  const auto files = GraphFiles::Open(Output(), /*verify_files=*/true);
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_EQ(ListsOf(*files, Direction::kOut), naive.out);
  EXPECT_EQ(ListsOf(*files, Direction::kIn), naive.in);
}

// As many threads as are asked for, however many processors there are.
class TeamOf {
 public:
  explicit TeamOf(int threads) { omp_set_num_threads(threads); }
  ~TeamOf() { omp_set_num_threads(before_); }
  TeamOf(const TeamOf&) = delete;
  TeamOf& operator=(const TeamOf&) = delete;

 private:
  const int before_ = omp_get_max_threads();
};

// A hub, duplicates, vertices without out-edges; enough edges for several threads to merge runs.
std::vector<InputEdge> ManySkewedEdges() {
  std::mt19937_64 random(5);
  std::vector<InputEdge> edges(150'000);
  for (InputEdge& edge : edges) {
    const uint64_t source = random() % 4 == 0 ? 1234 : random() % 4000;
    edge = {source, random() % 5000, static_cast<uint32_t>(random() % 100)};
  }
  return edges;
}

// The content of every file, by name.
std::map<std::string, std::string> BytesOf(const std::string& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const auto content = ReadSmallFile(entry.path(), kGiB);
    EXPECT_TRUE(content.ok()) << content.status();
    files[entry.path().filename()] = *content;
  }
  return files;
}

TEST_F(BuilderTest, FilesAreTheSameWhateverTheMemoryAndTheThreads) {
  const std::vector<InputEdge> edges = ManySkewedEdges();
  for (const bool weighted : {false, true}) {
    InputProperties properties = Unweighted();
    if (weighted) properties.weight_type = WeightType::kInt32;
    BuildOptions options = {
        .remove_duplicates = weighted, .compress = !weighted, .overwrite = true};
    ASSERT_TRUE(Build(edges, properties, options).ok());
    const auto expected = BytesOf(Output());
    for (const auto& [memory, threads] :
         {std::pair{uint64_t{1}, 2}, {kMiB, 1}, {kMiB, 9}, {2 * kMiB, 4}}) {
      const TeamOf team(threads);
      options.memory_bytes = memory;
      ASSERT_TRUE(Build(edges, properties, options).ok());
      EXPECT_TRUE(BytesOf(Output()) == expected) << memory << " bytes, " << threads << " threads";
    }
  }
}

TEST_F(BuilderTest, AnInterruptedTeamLeavesNothingBehind) {
  const TeamOf team(9);
  const std::vector<InputEdge> edges = ManySkewedEdges();
  for (const std::string phase : {"writing out-edges", "writing in-edges"}) {
    bool reached = false;
    BuildOptions options = {.memory_bytes = kMiB};
    options.progress = [&](const BuildProgress& progress) {
      reached = reached || (progress.phase == phase && progress.done > edges.size() / 3);
    };
    options.cancelled = [&] { return reached; };
    EXPECT_EQ(Build(edges, Unweighted(), options).status().code(), absl::StatusCode::kCancelled)
        << phase;
    EXPECT_THAT(directory_.Names(), IsEmpty()) << phase;
  }
}

// Has all teams from some edge on be of one thread, however many are asked for.
class TeamShrinkingReader final : public EdgeReader {
 public:
  TeamShrinkingReader(absl::Span<const InputEdge> edges, const InputProperties& properties,
                      size_t shrink_at)
      : reader_(edges, properties), left_(shrink_at) {}
  ~TeamShrinkingReader() override { omp_set_max_active_levels(levels_before_); }

  const InputProperties& properties() const override { return reader_.properties(); }

  absl::StatusOr<size_t> Read(absl::Span<InputEdge> edges) override {
    if (left_ < edges.size()) omp_set_max_active_levels(0);
    left_ -= std::min(left_, edges.size());
    return reader_.Read(edges);
  }

 private:
  const int levels_before_ = omp_get_max_active_levels();
  MemoryEdgeReader reader_;
  size_t left_;
};

TEST_F(BuilderTest, TeamsThatBecomeSmallerStoreEveryEdgeOnce) {
  const TeamOf team(4);
  std::vector<InputEdge> edges;
  for (uint64_t i = 0; i < 100'000; ++i) edges.push_back({i % 997, i % 1009, 0});
  const EdgeReaderFactory open = [&]() -> absl::StatusOr<std::unique_ptr<EdgeReader>> {
    return std::make_unique<TeamShrinkingReader>(edges, Unweighted(), 70'000);
  };
  const auto report = BuildGraph(open, Output(), {});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->manifest.edges, edges.size());
  const NaiveGraph naive = BuildNaively(edges, Unweighted(), {});
  const auto files = GraphFiles::Open(Output(), /*verify_files=*/true);
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_EQ(ListsOf(*files, Direction::kOut), naive.out);
}

TEST_F(BuilderTest, TheOrderOfTheInputDoesNotMatter) {
  std::vector<InputEdge> edges;
  for (uint32_t i = 0; i < 5000; ++i) edges.push_back({i % 7, i % 31, i * 2654435761U >> 20});
  InputProperties properties = Unweighted();
  properties.weight_type = WeightType::kInt32;
  for (const auto order : {VertexOrder::kInput, VertexOrder::kDegree}) {
    const auto first =
        Build(edges, properties, {.order = order, .overwrite = true, .memory_bytes = 1});
    std::shuffle(edges.begin(), edges.end(), std::mt19937_64(3));
    const auto second = Build(edges, properties, {.order = order, .overwrite = true});
    ASSERT_TRUE(first.ok() && second.ok()) << first.status() << second.status();
    EXPECT_EQ(first->manifest.content_id, second->manifest.content_id);
  }
}

// A path 0 - 1 - ... whose last vertex but one is a hub that points to all.
std::vector<InputEdge> PathWithHub(uint64_t vertices, uint64_t hub_edges) {
  std::vector<InputEdge> edges;
  for (uint64_t v = 0; v + 1 < vertices; ++v) edges.push_back({v, v + 1, 0});
  for (uint64_t v = 0; v < hub_edges; ++v) edges.push_back({vertices - 2, v, 0});
  return edges;
}

TEST_F(BuilderTest, HubsComeFirstAndThoseOfLikeDegreeKeepTheirOrder) {
  ASSERT_TRUE(Build(PathWithHub(6, 4), Unweighted(), {.order = VertexOrder::kDegree}).ok());
  const auto files = GraphFiles::Open(Output(), /*verify_files=*/true);
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_THAT(*files->names().ReadIds(), ElementsAre(4, 1, 2, 3, 0, 5));
  EXPECT_THAT(LoadCsr(*files, Direction::kOut)->neighbors(0), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(*files->names().IdOf(0), 4u);
  EXPECT_EQ(**files->names().Find(4), 0u);
}

TEST_F(BuilderTest, ByDefaultTheOrderFollowsFromTheDegrees) {
  const auto even = Build(PathWithHub(200, 10), Unweighted());
  ASSERT_TRUE(even.ok()) << even.status();
  EXPECT_EQ(even->manifest.order, VertexOrder::kInput);
  EXPECT_FALSE(even->remapped);

  const auto skewed = Build(PathWithHub(200, 180), Unweighted(), {.overwrite = true});
  ASSERT_TRUE(skewed.ok()) << skewed.status();
  EXPECT_EQ(skewed->manifest.order, VertexOrder::kDegree);
  EXPECT_TRUE(skewed->remapped);
  EXPECT_EQ(*GraphFiles::Open(Output())->names().IdOf(0), 198u);
}

TEST_F(BuilderTest, VerticesThatLoseTheirSelfLoopsAreLast) {
  const std::vector<InputEdge> edges = {{0, 0, 0}, {0, 0, 0}, {1, 2, 0}};
  ASSERT_TRUE(
      Build(edges, Unweighted(), {.remove_self_loops = true, .order = VertexOrder::kDegree}).ok());
  EXPECT_THAT(*GraphFiles::Open(Output())->names().ReadIds(), ElementsAre(1, 2, 0));
}

}  // namespace
}  // namespace fargraph
