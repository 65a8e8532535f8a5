#include "compute_node/fargraph.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "compute_node/fargraph_c.h"
#include "compute_node/testing/memory_nodes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;

std::vector<std::byte> RandomBytes(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

absl::Status WriteAll(FarProgram& program, size_t segment, const std::vector<std::byte>& bytes) {
  const std::byte* next = bytes.data();
  for (uint64_t chunk = 0; chunk < Far_chunks(program, segment); ++chunk) {
    const uint64_t length = Far_chunk_bytes(program, segment, chunk);
    if (absl::Status status = Far_write_start(program, segment, chunk, {next, length});
        !status.ok())
      return status;
    next += length;
  }
  return Far_write_complete(program, segment);
}

/// Scans a segment as a program does, the next chunk under way while this one is read.
std::vector<std::byte> ReadAll(FarProgram& program, size_t segment) {
  std::vector<std::byte> bytes;
  const uint64_t chunks = Far_chunks(program, segment);
  EXPECT_TRUE(Far_read_start(program, segment, 0).ok());
  for (uint64_t chunk = 0; chunk < chunks; ++chunk) {
    EXPECT_TRUE(chunk + 1 == chunks || Far_read_start(program, segment, chunk + 1).ok());
    const auto data = Far_read_complete(program, segment, chunk);
    EXPECT_TRUE(data.ok()) << data.status();
    bytes.insert(bytes.end(), data->begin(), data->end());
    EXPECT_TRUE(Far_release(program, segment, chunk).ok());
  }
  return bytes;
}

/// The one segment of a program that scans its edges.
std::vector<TransferableSegment> Edges(uint64_t bytes) {
  return {{.name = "edges", .bytes = bytes, .sensitivity = Sensitivity::kStreamed}};
}

class DirectivesTest : public testing::TestWithParam<std::tuple<const char*, double>> {};

TEST_P(DirectivesTest, ScansGiveBackWhatWasWritten) {
  const auto& [transport, far_ratio] = GetParam();
  const MemoryNodes nodes(2);
  const auto edges = RandomBytes(1'000'003, 1);
  const auto ranks = RandomBytes(80'000, 2);
  auto program = Add_transferable_flag(
      {{.name = "edges", .bytes = edges.size(), .sensitivity = Sensitivity::kStreamed},
       {.name = "ranks", .bytes = ranks.size(), .sensitivity = Sensitivity::kSequentialWrite}},
      {.far_ratio = far_ratio, .chunk_bytes = 4096});
  ASSERT_TRUE(program.ok()) << program.status();
  ASSERT_TRUE(Build_connection(**program, nodes.addresses(), {.transport = transport}).ok());
  ASSERT_TRUE(WriteAll(**program, 0, edges).ok());
  ASSERT_TRUE(WriteAll(**program, 1, ranks).ok());
  EXPECT_EQ(ReadAll(**program, 0), edges);
  EXPECT_EQ(ReadAll(**program, 1), ranks);
  EXPECT_EQ(ReadAll(**program, 0), edges) << "a second scan";
  EXPECT_NEAR(Far_bytes(**program), far_ratio * 1'080'003, 4096);

  const auto new_ranks = RandomBytes(ranks.size(), 3);
  ASSERT_TRUE(WriteAll(**program, 1, new_ranks).ok());
  EXPECT_EQ(ReadAll(**program, 1), new_ranks) << "written back";
}

INSTANTIATE_TEST_SUITE_P(All, DirectivesTest,
                         testing::Combine(testing::Values("shm", "tcp"),
                                          testing::Values(0.0, 0.5, 0.97, 1.0)));

TEST(Directives, SegmentsGoFarInTheOrderOfTheirSensitivity) {
  const MemoryNodes nodes(1);
  auto program = Add_transferable_flag(
      {{.name = "frontier", .bytes = 40'960, .sensitivity = Sensitivity::kRandomWrite},
       {.name = "ranks", .bytes = 40'960, .sensitivity = Sensitivity::kSequentialWrite},
       {.name = "edges", .bytes = 40'960, .sensitivity = Sensitivity::kStreamed}},
      {.far_ratio = 0.5, .chunk_bytes = 4096});
  ASSERT_TRUE(Build_connection(**program, nodes.addresses()).ok());
  for (size_t segment = 0; segment < 3; ++segment) {
    ASSERT_TRUE(WriteAll(**program, segment, RandomBytes(40'960, segment)).ok());
  }
  const auto read_bytes = [&](size_t segment) {
    const uint64_t before = Far_traffic(**program).bytes;
    ReadAll(**program, segment);
    return Far_traffic(**program).bytes - before;
  };
  EXPECT_EQ(read_bytes(2), 40'960u);
  EXPECT_EQ(read_bytes(1), 20'480u);
  EXPECT_EQ(read_bytes(0), 0u);
}

TEST(Directives, TheFarCopyMayBeLargerThanWhatIsHeldLocally) {
  const MemoryNodes nodes(1, 256 * kMiB);
  constexpr uint64_t kBytes = 128 * kMiB;
  auto program = Add_transferable_flag(Edges(kBytes), {.far_ratio = 1, .chunk_bytes = kMiB});
  ASSERT_TRUE(Build_connection(**program, nodes.addresses(), {.transport = "tcp"}).ok());
  std::vector<uint64_t> chunk(kMiB / sizeof(uint64_t));
  for (uint64_t i = 0; i < Far_chunks(**program, 0); ++i) {
    std::fill(chunk.begin(), chunk.end(), i);
    ASSERT_TRUE(
        Far_write_start(**program, 0, i, {reinterpret_cast<const std::byte*>(chunk.data()), kMiB})
            .ok());
  }
  ASSERT_TRUE(Far_write_complete(**program, 0).ok());
  for (uint64_t i = Far_chunks(**program, 0); i-- > 0;) {
    ASSERT_TRUE(Far_read_start(**program, 0, i).ok());
    const auto data = Far_read_complete(**program, 0, i);
    ASSERT_TRUE(data.ok()) << data.status();
    uint64_t last = 0;
    std::memcpy(&last, data->end() - sizeof(last), sizeof(last));
    EXPECT_EQ(last, i);
    ASSERT_TRUE(Far_release(**program, 0, i).ok());
  }
}

TEST(Directives, MisuseIsAnErrorThatSaysWhatToDo) {
  const MemoryNodes nodes(1);
  auto program = Add_transferable_flag(Edges(40'000), {.far_ratio = 1, .chunk_bytes = 4096});
  const auto bytes = RandomBytes(4096, 1);
  EXPECT_THAT(std::string(Far_write_start(**program, 0, 0, bytes).message()),
              HasSubstr("call Build_connection first"));
  EXPECT_EQ(Build_connection(**program, {}).code(), absl::StatusCode::kInvalidArgument);
  ASSERT_TRUE(Build_connection(**program, nodes.addresses()).ok());
  EXPECT_EQ(Build_connection(**program, nodes.addresses()).code(),
            absl::StatusCode::kFailedPrecondition);

  EXPECT_THAT(std::string(Far_read_start(**program, 0, 0).message()),
              HasSubstr("was never written"));
  EXPECT_EQ(Far_write_start(**program, 0, 10, bytes).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(Far_write_start(**program, 0, 9, bytes).message()),
              HasSubstr("it has 3136 bytes, not 4096"));
  for (uint64_t chunk = 0; chunk < 3; ++chunk)
    ASSERT_TRUE(Far_write_start(**program, 0, chunk, bytes).ok());
  ASSERT_TRUE(Far_write_complete(**program, 0).ok());

  EXPECT_EQ(Far_read_complete(**program, 0, 0).status().code(),
            absl::StatusCode::kFailedPrecondition);
  ASSERT_TRUE(Far_read_start(**program, 0, 0).ok());
  ASSERT_TRUE(Far_read_start(**program, 0, 1).ok());
  EXPECT_EQ(Far_read_start(**program, 0, 1).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(Far_read_start(**program, 0, 2).code(), absl::StatusCode::kResourceExhausted)
      << "two buffers";
  EXPECT_EQ(Far_write_start(**program, 0, 1, bytes).code(), absl::StatusCode::kFailedPrecondition);
  ASSERT_TRUE(Far_release(**program, 0, 0).ok()) << "released before it was completed";
  ASSERT_TRUE(Far_read_complete(**program, 0, 1).ok());
  const absl::Status status = Far_read_start(**program, 0, 2);
  ASSERT_TRUE(status.ok()) << status << ": in the buffer of chunk 0";
  const auto data = Far_read_complete(**program, 0, 2);
  ASSERT_TRUE(data.ok());
  EXPECT_TRUE(std::equal(data->begin(), data->end(), bytes.begin()));
}

TEST(Directives, WhatIsNotThereHasNoChunksNorBytesNorGroup) {
  auto program = Add_transferable_flag(Edges(40'000), {.chunk_bytes = 4096});
  for (const size_t segment : {size_t{1}, ~size_t{0}}) {
    EXPECT_EQ(Far_chunks(**program, segment), 0u);
    EXPECT_EQ(Far_chunk_bytes(**program, segment, 0), 0u);
    EXPECT_EQ(Far_sensitivity(**program, segment), std::nullopt);
  }
  EXPECT_EQ(Far_chunks(**program, 0), 10u);
  EXPECT_EQ(Far_chunk_bytes(**program, 0, 9), 3136u);
  EXPECT_EQ(Far_chunk_bytes(**program, 0, 10), 0u);
}

TEST(Directives, AChunkCanBeReadOnceItsWriteIsComplete) {
  const MemoryNodes nodes(1);
  for (const double far_ratio : {0.0, 1.0}) {
    auto program =
        Add_transferable_flag(Edges(8192), {.far_ratio = far_ratio, .chunk_bytes = 4096});
    ASSERT_TRUE(Build_connection(**program, nodes.addresses()).ok());
    ASSERT_TRUE(WriteAll(**program, 0, RandomBytes(8192, 1)).ok());
    const auto bytes = RandomBytes(4096, 2);
    ASSERT_TRUE(Far_write_start(**program, 0, 1, bytes).ok());
    ASSERT_TRUE(Far_write_start(**program, 0, 1, bytes).ok()) << "another time";
    const absl::Status early = Far_read_start(**program, 0, 1);
    EXPECT_EQ(early.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(early.message()), HasSubstr("call Far_write_complete first"));
    EXPECT_TRUE(Far_read_start(**program, 0, 0).ok()) << "which nobody is writing";
    ASSERT_TRUE(Far_write_complete(**program, 0).ok());
    ASSERT_TRUE(Far_read_start(**program, 0, 1).ok());
    EXPECT_EQ(Far_read_complete(**program, 0, 1).value(), absl::MakeConstSpan(bytes));
    EXPECT_EQ(Far_read_start(**program, 0, 0).code(), absl::StatusCode::kFailedPrecondition)
        << "it is being read, as before";
  }
}

TEST(Directives, AChunkWhoseWriteFailedIsNotWritten) {
  MemoryNodes nodes(1);
  auto program = Add_transferable_flag(Edges(2 * kMiB), {.far_ratio = 1, .chunk_bytes = kMiB});
  ASSERT_TRUE(Build_connection(**program, nodes.addresses(), {.transport = "tcp"}).ok());
  nodes.Stop(0);
  EXPECT_FALSE(WriteAll(**program, 0, RandomBytes(2 * kMiB, 1)).ok());
  for (uint64_t chunk = 0; chunk < 2; ++chunk) {
    EXPECT_EQ(Far_read_start(**program, 0, chunk).code(), absl::StatusCode::kFailedPrecondition);
  }
}

TEST(Directives, FlagsOutOfRangeAreRefused) {
  EXPECT_FALSE(Add_transferable_flag(Edges(10), {.far_ratio = 1.5}).ok());
  EXPECT_FALSE(Add_transferable_flag(Edges(0)).ok());
  EXPECT_FALSE(Add_transferable_flag(Edges(10), {.chunk_bytes = 72}).ok());
  EXPECT_FALSE(Add_transferable_flag(Edges(10), {.chunk_bytes = ~uint64_t{63}}).ok());
  EXPECT_FALSE(Add_transferable_flag(Edges(~uint64_t{0})).ok()) << "too many chunks";
  EXPECT_FALSE(Add_transferable_flag({Edges(10)[0], Edges(20)[0]}).ok()) << "of the same name";
  EXPECT_FALSE(Add_transferable_flag({{.name = "edges", .bytes = 10}}).ok())
      << "neither declared nor to be sampled";
  EXPECT_FALSE(Add_transferable_flag(Edges(10), {.buffers = 0}).ok());
}

/// Scans `edges` and counts at random places of `counts`, as a program that knows nothing of far
/// memory does: in one thread, of which ThreadSanitizer would take seconds.
__attribute__((no_sanitize("thread"))) void CountAtRandom(const std::vector<uint32_t>& edges,
                                                          std::vector<uint64_t>& counts) {
  const uint32_t* const end = edges.data() + edges.size();
  const uint64_t size = counts.size();
  uint64_t* const count = counts.data();
  for (const uint32_t* edge = edges.data(); edge != end; ++edge) ++count[*edge % size];
}

class UndeclaredSegmentsTest : public testing::Test {
 protected:
  UndeclaredSegmentsTest() {
    std::mt19937 random(1);
    for (uint32_t& edge : edges_) edge = random();
  }

  /// Of which the middle one is not used.
  std::vector<TransferableSegment> Segments() const {
    return {{.name = "counts", .bytes = counts_.size() * 8, .array = counts_.data()},
            {.name = "unused", .bytes = unused_.size() * 8, .array = unused_.data()},
            {.name = "edges", .bytes = edges_.size() * 4, .array = edges_.data()}};
  }

  std::vector<uint32_t> edges_ = std::vector<uint32_t>(4'000'000);
  std::vector<uint64_t> counts_ = std::vector<uint64_t>(200'000);
  std::vector<uint64_t> unused_ = std::vector<uint64_t>(200'000);
};

TEST_F(UndeclaredSegmentsTest, GoFarInTheOrderThatASampledRunShows) {
  const MemoryNodes nodes(1);
  auto program = Add_transferable_flag(Segments(), {.far_ratio = 0.9, .chunk_bytes = 4096});
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(Far_sensitivity(**program, 0), std::nullopt);
  EXPECT_THAT(Far_explain(**program), HasSubstr("being sampled"));
  EXPECT_EQ(Far_bytes(**program), 0u);
  for (int i = 0; i < 20; ++i) CountAtRandom(edges_, counts_);
  ASSERT_TRUE(Far_sample_complete(**program).ok());
  EXPECT_EQ(Far_sensitivity(**program, 0), Sensitivity::kRandomWrite);
  EXPECT_EQ(Far_sensitivity(**program, 1), Sensitivity::kRandomWrite) << "nothing was seen of it";
  EXPECT_EQ(Far_sensitivity(**program, 2), Sensitivity::kStreamed);
  EXPECT_NEAR(Far_bytes(**program), 16'000'000, 4096) << "all edges, and no more";
  EXPECT_THAT(Far_explain(**program),
              testing::AllOf(testing::ContainsRegex("counts +4 random, written .* 0 B  a sample"),
                             testing::ContainsRegex("unused .* 0 B  too little was seen"),
                             testing::ContainsRegex("edges +1 streamed .*15.3 MiB  a sample")));

  ASSERT_TRUE(Build_connection(**program, nodes.addresses()).ok());
  std::vector<std::byte> bytes(edges_.size() * 4);
  std::memcpy(bytes.data(), edges_.data(), bytes.size());
  ASSERT_TRUE(WriteAll(**program, 2, bytes).ok());
  EXPECT_EQ(ReadAll(**program, 2), bytes);
  EXPECT_EQ(Far_traffic(**program).bytes, bytes.size());
}

TEST_F(UndeclaredSegmentsTest, StandBesideDeclaredOnes) {
  const MemoryNodes nodes(1);
  std::vector<TransferableSegment> segments = Segments();
  segments[1].sensitivity = Sensitivity::kIndexed;
  auto program = Add_transferable_flag(segments, {.far_ratio = 0.9});
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(Far_sensitivity(**program, 1), Sensitivity::kIndexed);
  EXPECT_EQ(Add_transferable_flag(segments).status().code(), absl::StatusCode::kFailedPrecondition)
      << "one program at a time is watched";
  for (int i = 0; i < 20; ++i) CountAtRandom(edges_, counts_);
  ASSERT_TRUE(Build_connection(**program, nodes.addresses()).ok()) << "which ends the sample";
  EXPECT_EQ(Far_sensitivity(**program, 2), Sensitivity::kStreamed);
  EXPECT_THAT(Far_explain(**program), testing::ContainsRegex("unused +2 indexed .*declared"));
  EXPECT_NEAR(Far_bytes(**program), 0.9 * 19'200'000, 65'536);
}

TEST_F(UndeclaredSegmentsTest, InC) {
  const fargraph_segment segments[] = {
      {"counts", counts_.size() * 8, FARGRAPH_SAMPLED, counts_.data()},
      {"edges", edges_.size() * 4, FARGRAPH_SAMPLED, edges_.data()}};
  fargraph_program* program = nullptr;
  ASSERT_EQ(fargraph_Add_transferable_flag(segments, 2, 0.8, 0, 0, &program), 0);
  EXPECT_EQ(fargraph_Far_sensitivity(program, 0), FARGRAPH_SAMPLED);
  for (int i = 0; i < 20; ++i) CountAtRandom(edges_, counts_);
  ASSERT_EQ(fargraph_Far_sample_complete(program), 0);
  EXPECT_EQ(fargraph_Far_sensitivity(program, 0), FARGRAPH_RANDOM_WRITE);
  EXPECT_EQ(fargraph_Far_sensitivity(program, 1), FARGRAPH_STREAMED);
  char* const text = fargraph_Far_explain(program);
  EXPECT_THAT(text, HasSubstr("1 streamed"));
  free(text);
  fargraph_close(program);
}

TEST(Directives, ALostNodeIsUnavailable) {
  MemoryNodes nodes(1);
  auto program = Add_transferable_flag(Edges(8192), {.far_ratio = 1, .chunk_bytes = 4096});
  ASSERT_TRUE(Build_connection(**program, nodes.addresses(), {.transport = "tcp"}).ok());
  ASSERT_TRUE(WriteAll(**program, 0, RandomBytes(8192, 1)).ok());
  nodes.Stop(0);
  absl::Status status = Far_read_start(**program, 0, 0);
  if (status.ok()) status = Far_read_complete(**program, 0, 0).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
}

TEST(Directives, AConnectionCanBeBuiltAfterOneThatFailed) {
  const MemoryNodes full(1, 4 * kMiB);
  const MemoryNodes nodes(1, 64 * kMiB);
  const auto edges = RandomBytes(16 * kMiB, 9);
  auto program = Add_transferable_flag(Edges(edges.size()), {.far_ratio = 1});
  EXPECT_EQ(Build_connection(**program, full.addresses()).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(Far_read_start(**program, 0, 0).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(Far_traffic(**program).bytes, 0u);
  ASSERT_TRUE(Build_connection(**program, nodes.addresses()).ok());
  ASSERT_TRUE(WriteAll(**program, 0, edges).ok());
  EXPECT_EQ(ReadAll(**program, 0), edges);
}

TEST(DirectivesInC, GroupsThatDoNotExistAreRefused) {
  const fargraph_segment segment = {"edges", 10, static_cast<fargraph_sensitivity>(5), nullptr};
  fargraph_program* program = nullptr;
  EXPECT_EQ(fargraph_Add_transferable_flag(&segment, 1, 0.8, 0, 0, &program), 2);
  EXPECT_THAT(fargraph_error(), HasSubstr("there is no group 5"));
}

TEST(DirectivesInC, NothingIsADefaultOrRefused) {
  const MemoryNodes nodes(1);
  const fargraph_segment nameless = {nullptr, 10, FARGRAPH_STREAMED, nullptr};
  fargraph_program* program = nullptr;
  EXPECT_EQ(fargraph_Add_transferable_flag(&nameless, 1, 0.8, 0, 0, &program), 2);
  EXPECT_THAT(fargraph_error(), HasSubstr("it has no name"));
  const fargraph_segment segment = {"edges", 8192, FARGRAPH_STREAMED, nullptr};
  ASSERT_EQ(fargraph_Add_transferable_flag(&segment, 1, 1, 4096, 0, &program), 0);
  EXPECT_EQ(fargraph_Build_connection(program, nullptr, nullptr, nullptr), 2);
  EXPECT_THAT(fargraph_error(), HasSubstr("at least one memory node"));
  EXPECT_EQ(fargraph_Build_connection(program, nodes.addresses()[0].c_str(), nullptr, nullptr), 0)
      << fargraph_error();
  EXPECT_EQ(fargraph_Far_read_start(program, 0, 0), 8) << "it was never written";
  EXPECT_EQ(fargraph_Far_chunks(program, 1), 0u);
  EXPECT_EQ(fargraph_Far_chunk_bytes(program, 0, 2), 0u);
  EXPECT_EQ(fargraph_Far_sensitivity(program, 1), FARGRAPH_SAMPLED);
  fargraph_close(program);
}

TEST(DirectivesInC, ProgramsForWhichThereIsNoMemoryAreRefused) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "sanitizers end a program that has no memory left";
#endif
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto flag_with_little_memory = [] {
    const rlimit limit = {kMiB, kMiB};  // further mappings are refused
    setrlimit(RLIMIT_AS, &limit);
    const fargraph_segment segment = {"edges", uint64_t{1} << 34, FARGRAPH_STREAMED, nullptr};
    fargraph_program* program = nullptr;
    const int code = fargraph_Add_transferable_flag(&segment, 1, 0.8, 64, 0, &program);
    std::fputs(fargraph_error(), stderr);
    _exit(code);
  };
  EXPECT_EXIT(flag_with_little_memory(), testing::ExitedWithCode(7), "has no memory left");
}

TEST(DirectivesInC, ScansGiveBackWhatWasWritten) {
  const MemoryNodes nodes(2);
  const std::string addresses = nodes.addresses()[0] + "," + nodes.addresses()[1];
  const auto edges = RandomBytes(300'000, 5);
  const fargraph_segment segment = {"edges", edges.size(), FARGRAPH_STREAMED, nullptr};
  fargraph_program* program = nullptr;
  ASSERT_EQ(fargraph_Add_transferable_flag(&segment, 1, 0.8, 0, 0, &program), 0);
  EXPECT_NE(fargraph_Build_connection(program, "127.0.0.1:1", "auto", nullptr), 0);
  EXPECT_THAT(fargraph_error(), HasSubstr("127.0.0.1:1"));
  ASSERT_EQ(fargraph_Build_connection(program, addresses.c_str(), "auto", nullptr), 0)
      << fargraph_error();
  uint64_t offset = 0;
  for (uint64_t chunk = 0; chunk < fargraph_Far_chunks(program, 0); ++chunk) {
    const uint64_t length = fargraph_Far_chunk_bytes(program, 0, chunk);
    ASSERT_EQ(fargraph_Far_write_start(program, 0, chunk, edges.data() + offset, length), 0);
    offset += length;
  }
  ASSERT_EQ(fargraph_Far_write_complete(program, 0), 0);
  offset = 0;
  for (uint64_t chunk = 0; chunk < fargraph_Far_chunks(program, 0); ++chunk) {
    ASSERT_EQ(fargraph_Far_read_start(program, 0, chunk), 0);
    int ready = 0;
    while (ready == 0) ASSERT_EQ(fargraph_Far_read_ready(program, 0, chunk, &ready), 0);
    const void* bytes = nullptr;
    ASSERT_EQ(fargraph_Far_read_complete(program, 0, chunk, &bytes), 0);
    const uint64_t length = fargraph_Far_chunk_bytes(program, 0, chunk);
    EXPECT_EQ(std::memcmp(bytes, edges.data() + offset, length), 0);
    ASSERT_EQ(fargraph_Far_release(program, 0, chunk), 0);
    offset += length;
  }
  EXPECT_NEAR(fargraph_Far_bytes(program), 0.8 * 300'000, 65'536);
  EXPECT_GT(fargraph_Far_traffic(program).bytes, 0.5 * 300'000);
  EXPECT_GE(fargraph_Far_traffic(program).requests, 3u);
  EXPECT_EQ(fargraph_Far_read_start(program, 0, 12345), 2);
  fargraph_close(program);
}

}  // namespace
}  // namespace fargraph
