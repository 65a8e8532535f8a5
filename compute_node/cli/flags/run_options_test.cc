#include "compute_node/cli/flags/run_options.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "common/flags.h"
#include "compute_node/testing/mix_kernels.h"
#include "gflags/gflags.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RunOptionsTest : public ::testing::Test {
 protected:
  static absl::StatusOr<RunOptions> Read(std::vector<const char*> flags) {
    return Read("mix", std::move(flags));
  }

  static absl::StatusOr<RunOptions> Read(const char* kernel, std::vector<const char*> flags) {
    RegisterMixKernels();
    const gflags::FlagSaver saver;
    flags.insert(flags.begin(), {kernel, "graph"});
    const auto arguments = ParseFlags(flags, RunFlags());
    if (!arguments.ok()) return arguments.status();
    return ReadRunOptions(*arguments);
  }
};

TEST_F(RunOptionsTest, WithoutFlagsEverythingIsLocalAndLeftToTheKernel) {
  const auto options = Read({});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->job.algorithm, "mix");
  EXPECT_EQ(options->job.graph_path, "graph");
  EXPECT_THAT(options->job.memory_nodes, IsEmpty());
  EXPECT_EQ(options->job.transport, std::nullopt);
  EXPECT_EQ(options->job.far_ratio, 0);
  EXPECT_EQ(options->job.local_memory_bytes, std::nullopt);
  EXPECT_EQ(options->job.chunk_bytes, std::nullopt);
  EXPECT_EQ(options->job.buffers, std::nullopt);
  EXPECT_EQ(options->job.compressed, std::nullopt);
  EXPECT_EQ(options->job.source, std::nullopt);
  EXPECT_EQ(options->job.sources, std::nullopt);
  EXPECT_EQ(options->job.iterations, std::nullopt);
  EXPECT_EQ(options->job.tolerance, std::nullopt);
  EXPECT_EQ(options->job.delta, std::nullopt);
  EXPECT_EQ(options->job.trials, 1);
  EXPECT_FALSE(options->job.keep);
  EXPECT_FALSE(options->job.verify);
  EXPECT_FALSE(options->job.verify_files);
  EXPECT_EQ(options->job.output_path, "");
  EXPECT_EQ(options->json_path, "");
  EXPECT_FALSE(options->UsesStandardOutput());
}

TEST_F(RunOptionsTest, EveryFlagArrivesInItsField) {
  const auto options =
      Read({"--memory_nodes=localhost:70,[::1]:71", "--transport=tcp", "--far_ratio=0.8", "--keep",
            "--source=12345678901", "--iterations=7", "--tolerance=1e-9", "--delta=2.5", "--verify",
            "--verify_files", "--output=-", "--output_format=binary", "--json=report",
            "--chunk_size=1.5MiB", "--buffers=2", "--trials=5", "--lists=codes"});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_THAT(options->job.memory_nodes, ElementsAre("localhost:70", "[::1]:71"));
  EXPECT_EQ(options->job.transport, transport::Kind::kTcp);
  EXPECT_EQ(options->job.far_ratio, 0.8);
  EXPECT_TRUE(options->job.keep);
  EXPECT_EQ(options->job.source, 12345678901u);
  EXPECT_EQ(options->job.iterations, 7u);
  EXPECT_EQ(options->job.tolerance, 1e-9);
  EXPECT_EQ(options->job.delta, 2.5);
  EXPECT_TRUE(options->job.verify);
  EXPECT_TRUE(options->job.verify_files);
  EXPECT_EQ(options->job.output_path, "-");
  EXPECT_EQ(options->job.output_format, OutputFormat::kBinary);
  EXPECT_EQ(options->json_path, "report");
  EXPECT_EQ(options->job.chunk_bytes, 3u << 19);
  EXPECT_EQ(options->job.buffers, 2u);
  EXPECT_EQ(options->job.compressed, true);
  EXPECT_EQ(options->job.trials, 5);
  EXPECT_TRUE(options->UsesStandardOutput());
}

TEST_F(RunOptionsTest, LocalMemoryTakesUnits) {
  const auto options = Read({"--memory_nodes=h:1", "--local_memory=4GiB"});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->job.local_memory_bytes, uint64_t{4} << 30);
}

TEST_F(RunOptionsTest, SsdsTakeThePlaceOfMemoryNodes) {
  const auto options = Read({"--ssd_dirs=a,/mnt/b", "--far_ratio=1"});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_THAT(options->job.ssd_directories, ElementsAre("a", "/mnt/b"));
  EXPECT_THAT(options->job.memory_nodes, IsEmpty());
}

TEST_F(RunOptionsTest, SsdsMayBeBesideMemoryNodes) {
  const auto options = Read({"--ssd_dirs=a", "--memory_nodes=h:1", "--far_ratio=1", "--keep"});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_THAT(options->job.ssd_directories, ElementsAre("a"));
  EXPECT_THAT(options->job.memory_nodes, ElementsAre("h:1"));
}

TEST_F(RunOptionsTest, SourcesAreANumberOfThem) {
  const auto options = Read({"--sources=16"});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->job.sources, 16u);
}

TEST_F(RunOptionsTest, TheTokenIsReadFromItsFile) {
  const std::string path = ::testing::TempDir() + "fargraph_run_options_token";
  std::ofstream(path) << "secret\n";
  chmod(path.c_str(), 0600);
  const auto options = Read({"--memory_nodes=h:1", ("--token_file=" + path).c_str()});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->job.token, "secret");
  std::filesystem::remove(path);
  EXPECT_EQ(Read({("--token_file=" + path).c_str()}).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(RunOptionsTest, AKernelTakesTheFlagsThatItDeclares) {
  EXPECT_EQ(Read("weighted-mix", {"--delta=2"}).status(),
            absl::InvalidArgumentError(
                "weighted-mix takes no --delta; cached-mix, mix, parts-mix and steps do"));
  EXPECT_TRUE(Read("weighted-mix", {"--source=", "--precision=double"}).ok());  // as they are
  EXPECT_THAT(std::string(Read("mixed", {}).status().message()),
              HasSubstr("there is no algorithm 'mixed'"));
}

struct BadFlags {
  std::vector<const char*> flags;
  const char* message;
};

class BadRunOptionsTest : public RunOptionsTest, public ::testing::WithParamInterface<BadFlags> {};

TEST_P(BadRunOptionsTest, IsRefusedInOneSentence) {
  const auto options = Read(GetParam().flags);
  EXPECT_EQ(options.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(options.status().message()), HasSubstr(GetParam().message));
  EXPECT_EQ(options.status().message().find('\n'), absl::string_view::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Flags, BadRunOptionsTest,
    ::testing::Values(
        BadFlags{{"--memory_nodes=h:1", "--far_ratio=1.01"},
                 "--far_ratio cannot be '1.01': it takes a number from 0 to 1"},
        BadFlags{{"--memory_nodes=h:1", "--far_ratio=-0.1"}, "--far_ratio cannot be '-0.1'"},
        BadFlags{{"--memory_nodes=h:1", "--far_ratio=nan"}, "--far_ratio cannot be 'nan'"},
        BadFlags{{"--memory_nodes=h:1", "--far_ratio=most"}, "--far_ratio cannot be 'most'"},
        BadFlags{{"--far_ratio=0.5"}, "name --memory_nodes or --ssd_dirs"},
        BadFlags{{"--ssd_dirs=a", "--keep"}, "there are none; name --memory_nodes"},
        BadFlags{{"--ssd_dirs=a,b,a"}, "--ssd_dirs names a twice"},
        BadFlags{{"--ssd_dirs=a,,b"}, "--ssd_dirs cannot be 'a,,b'"},
        BadFlags{{"--memory_nodes=h:1", "--far_ratio=0", "--local_memory=1GiB"},
                 "--far_ratio and --local_memory both"},
        BadFlags{{"--memory_nodes=h"}, "--memory_nodes: "},
        BadFlags{{"--memory_nodes=h:1,,h:2"}, "--memory_nodes: "},
        BadFlags{{"--memory_nodes=h:1,h:2,h:1"}, "h:1 twice"},
        BadFlags{{"--transport=rdma"}, "--transport cannot be 'rdma': it takes auto, verbs"},
        BadFlags{{"--local_memory=4GB"}, "--local_memory cannot be '4GB'"},
        BadFlags{{"--lists=lists"}, "--lists cannot be 'lists': it takes auto, edges or codes"},
        BadFlags{{"--chunk_size=1KiB"}, "--chunk_size cannot be '1KiB'"},
        BadFlags{{"--chunk_size=1GiB"}, "--chunk_size cannot be '1GiB'"},
        BadFlags{{"--buffers=0"}, "--buffers cannot be '0'"},
        BadFlags{{"--buffers=129"},
                 "--buffers cannot be '129': it takes a whole number from 1 to 128"},
        BadFlags{{"--source=-1"}, "--source cannot be '-1': it takes a whole number from 0"},
        BadFlags{{"--source=1.5"}, "--source cannot be '1.5'"},
        BadFlags{{"--sources=0"}, "--sources cannot be '0': it takes a whole number from 1"},
        BadFlags{{"--source=3", "--sources=4"}, "--source and --sources both say where to begin"},
        BadFlags{{"--iterations=0"}, "--iterations cannot be '0': it takes a whole number from 1"},
        BadFlags{{"--iterations=-3"},
                 "--iterations cannot be '-3': it takes a whole number from 1"},
        BadFlags{{"--iterations=ten"}, "--iterations cannot be 'ten'"},
        BadFlags{{"--trials=0"}, "--trials cannot be '0'"},
        BadFlags{{"--tolerance=-1e-9"}, "--tolerance cannot be '-1e-9'"},
        BadFlags{{"--tolerance=inf"}, "--tolerance cannot be 'inf'"},
        BadFlags{{"--delta=0"}, "--delta cannot be '0': it takes a number above 0"},
        BadFlags{{"--delta=wide"}, "--delta cannot be 'wide'"},
        BadFlags{{"--output_format=csv"}, "--output_format cannot be 'csv'"},
        BadFlags{{"--output=-", "--json=-"}, "both write to '-'"},
        BadFlags{{"--json=x", "--iteration_log=x"}, "--json and --iteration_log both write to 'x'"},
        BadFlags{{"--transport=tcp"}, "--transport=tcp is the way to memory nodes"},
        BadFlags{{"--keep"}, "--keep leaves far edges on memory nodes, and there are none"},
        BadFlags{{"--output_format=binary"}, "say where to with --output"},
        BadFlags{{"--read_trace=x"}, "--read_trace is of what memory nodes and SSDs are asked for"},
        BadFlags{{"--symmetrize"}, "there is no flag '--symmetrize'"}));

}  // namespace
}  // namespace fargraph
