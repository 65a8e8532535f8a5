#include "graph/generators/generator.h"

#include <omp.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "graph/generators/models.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;

std::vector<InputEdge> Generate(const GeneratorOptions& options, size_t batch) {
  auto reader = OpenGenerator(options);
  EXPECT_TRUE(reader.ok()) << reader.status();
  std::vector<InputEdge> edges;
  std::vector<InputEdge> buffer(batch);
  while (true) {
    const auto count = (*reader)->Read(absl::MakeSpan(buffer));
    EXPECT_TRUE(count.ok());
    if (*count == 0) return edges;
    edges.insert(edges.end(), buffer.begin(), buffer.begin() + *count);
  }
}

bool SameEdges(const std::vector<InputEdge>& a, const std::vector<InputEdge>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const InputEdge& left, const InputEdge& right) {
                      return left.source == right.source && left.target == right.target &&
                             left.weight_bits == right.weight_bits;
                    });
}

class GeneratorTest : public ::testing::TestWithParam<GeneratorKind> {};

TEST_P(GeneratorTest, TheEdgesDependOnTheOptionsAlone) {
  const GeneratorOptions options = {
      .kind = GetParam(), .scale = 13, .degree = 5, .seed = 3, .weights = true};
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const std::vector<InputEdge> one_thread = Generate(options, 100'000);
  omp_set_num_threads(7);
  const std::vector<InputEdge> seven_threads = Generate(options, 20'001);
  omp_set_num_threads(threads);
  EXPECT_EQ(one_thread.size(), 5U << 13);
  EXPECT_TRUE(SameEdges(one_thread, seven_threads));

  GeneratorOptions other_seed = options;
  other_seed.seed = 4;
  EXPECT_FALSE(SameEdges(one_thread, Generate(other_seed, 1000)));
}

TEST_P(GeneratorTest, VerticesAndWeightsAreWithinTheirRanges) {
  GeneratorOptions options = {.kind = GetParam(), .scale = 6, .degree = 20, .weights = true};
  std::set<uint32_t> weights;
  for (const InputEdge& edge : Generate(options, 1000)) {
    EXPECT_LT(edge.source, 64u);
    EXPECT_LT(edge.target, 64u);
    weights.insert(edge.weight_bits);
  }
  EXPECT_GE(*weights.begin(), 1u);
  EXPECT_LE(*weights.rbegin(), 255u);
  EXPECT_GT(weights.size(), 200u);

  options.weights = false;
  auto reader = OpenGenerator(options);
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ((*reader)->properties().weight_type, WeightType::kNone);
  EXPECT_EQ((*reader)->properties().declared_vertices, 64u);
}

INSTANTIATE_TEST_SUITE_P(All, GeneratorTest,
                         ::testing::Values(GeneratorKind::kKron, GeneratorKind::kRmat,
                                           GeneratorKind::kUniform, GeneratorKind::kSmallWorld));

TEST(RecursiveMatrixTest, TheQuartersHaveTheirProbabilities) {
  const std::vector<InputEdge> edges = Generate(
      {.kind = GeneratorKind::kRmat, .scale = 12, .degree = 16, .a = 0.5, .b = 0.3, .c = 0.15},
      1 << 16);
  // The first level of the recursion decides the highest bit.
  double quarters[2][2] = {};
  for (const InputEdge& edge : edges) ++quarters[edge.source >> 11][edge.target >> 11];
  const double count = static_cast<double>(edges.size());
  EXPECT_NEAR(quarters[0][0] / count, 0.5, 0.01);
  EXPECT_NEAR(quarters[0][1] / count, 0.3, 0.01);
  EXPECT_NEAR(quarters[1][0] / count, 0.15, 0.01);
  EXPECT_NEAR(quarters[1][1] / count, 0.05, 0.01);
}

TEST(KroneckerTest, IsTheRecursiveMatrixOfGraph500WithOtherNames) {
  const int scale = 10;
  const uint64_t seed = 5;
  const VertexScrambler scramble(scale, seed);
  std::set<uint64_t> images;
  for (uint64_t v = 0; v < 1024; ++v) images.insert(scramble(v));
  EXPECT_EQ(images.size(), 1024u);
  EXPECT_EQ(*images.rbegin(), 1023u);

  std::vector<InputEdge> matrix =
      Generate({.kind = GeneratorKind::kRmat, .scale = scale, .seed = seed}, 1000);
  for (InputEdge& edge : matrix) edge = {scramble(edge.source), scramble(edge.target)};
  EXPECT_TRUE(SameEdges(matrix, Generate({.scale = scale, .seed = seed}, 1000)));
}

TEST(KroneckerTest, EveryScaleIsScrambledOneToOne) {
  for (int scale = 1; scale <= 16; ++scale) {
    const VertexScrambler scramble(scale, 9);
    std::vector<bool> hit(size_t{1} << scale);
    for (uint64_t v = 0; v < hit.size(); ++v) {
      ASSERT_LT(scramble(v), hit.size());
      ASSERT_FALSE(hit[scramble(v)]) << "scale " << scale;
      hit[scramble(v)] = true;
    }
  }
}

TEST(UniformTest, EveryVertexIsAsLikely) {
  std::vector<int> degrees(256);
  for (const InputEdge& edge :
       Generate({.kind = GeneratorKind::kUniform, .scale = 8, .degree = 1000}, 1 << 16)) {
    ++degrees[edge.source];
    ++degrees[edge.target];
  }
  // 2000 expected; six standard deviations.
  for (const int degree : degrees) EXPECT_NEAR(degree, 2000, 6 * std::sqrt(2000));
}

TEST(SmallWorldTest, RewiresTheAskedShareOfARing) {
  GeneratorOptions options = {
      .kind = GeneratorKind::kSmallWorld, .scale = 12, .degree = 4, .rewire = 0};
  const std::vector<InputEdge> ring = Generate(options, 1000);
  for (size_t i = 0; i < ring.size(); ++i) {
    EXPECT_EQ(ring[i].source, i / 4);
    EXPECT_EQ(ring[i].target, (i / 4 + 1 + i % 4) % 4096);
  }
  options.rewire = 0.25;
  const std::vector<InputEdge> rewired = Generate(options, 1000);
  double changed = 0;
  for (size_t i = 0; i < ring.size(); ++i) {
    EXPECT_EQ(rewired[i].source, ring[i].source);
    EXPECT_NE(rewired[i].source, rewired[i].target);
    changed += rewired[i].target != ring[i].target;
  }
  EXPECT_NEAR(changed / static_cast<double>(ring.size()), 0.25, 0.02);
}

TEST(GeneratorOptionsTest, WrongOptionsAreNamed) {
  const std::vector<std::pair<GeneratorOptions, std::string>> wrong = {
      {{.scale = 0}, "scale 0"},
      {{.scale = 41}, "scale 41"},
      {{.degree = 0}, "degree 0"},
      {{.scale = 40, .degree = 1000}, "degree 1000"},
      {{.kind = GeneratorKind::kSmallWorld, .scale = 4, .degree = 8}, "ring of 2^4"},
      {{.kind = GeneratorKind::kRmat, .a = 0.9, .b = 0.2}, "exceed 1"},
      {{.kind = GeneratorKind::kRmat, .a = std::nan("")}, "exceed 1"},
      {{.kind = GeneratorKind::kSmallWorld, .rewire = 1.5}, "1.5"},
  };
  for (const auto& [options, text] : wrong) {
    const absl::Status status = OpenGenerator(options).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(text));
  }
  EXPECT_THAT(std::string(ParseGeneratorKind("star").status().message()),
              HasSubstr("kron, rmat, uniform or smallworld"));
  EXPECT_EQ(*ParseGeneratorKind("smallworld"), GeneratorKind::kSmallWorld);
}

}  // namespace
}  // namespace fargraph
