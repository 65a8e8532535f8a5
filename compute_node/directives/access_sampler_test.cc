#include "compute_node/directives/access_sampler.h"

#include <omp.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "common/memory/mapped_memory.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using Seconds = std::chrono::duration<double>;

template <typename T>
absl::Span<const std::byte> BytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const std::byte*>(values.data()), values.size() * sizeof(T)};
}

/// An array of a program, and what somebody who knows the program says of it.
struct DeclaredArray {
  std::string name;
  absl::Span<const std::byte> bytes;
  Behaviour behaviour;
};

/// Samples while step() runs again and again, and compares.
template <typename Step>
void ExpectDeclaredGroups(const std::vector<DeclaredArray>& arrays, Step&& step) {
  std::vector<absl::Span<const std::byte>> bytes;
  for (const DeclaredArray& array : arrays) bytes.push_back(array.bytes);
  auto sampler = AccessSampler::Start(bytes);
  ASSERT_TRUE(sampler.ok()) << sampler.status();
  const auto begin = std::chrono::steady_clock::now();
  // On a busy machine one step may take a second, and what it writes at first pass by unseen.
  constexpr int kLeastSteps = 2;
  const auto goes_on = [&] {
    return Seconds(std::chrono::steady_clock::now() - begin).count() < 1;
  };
  for (int steps = 0; steps < kLeastSteps || goes_on(); ++steps) step();
  const std::vector<SampledAccesses> sampled = (*sampler)->Stop();
  for (size_t i = 0; i < arrays.size(); ++i) {
    const AccessCounts& counts = sampled[i].counts;
    SCOPED_TRACE(testing::Message()
                 << arrays[i].name << ": " << counts.touches << " touches, " << counts.steps
                 << " steps, " << counts.near_steps << " near, " << counts.next_steps << " next, "
                 << counts.previous_steps << " previous");
    ASSERT_TRUE(sampled[i].behaviour().has_value());
    EXPECT_EQ(SensitivityOf(*sampled[i].behaviour()), SensitivityOf(arrays[i].behaviour));
    EXPECT_GT(sampled[i].touches_per_second, 0);
  }
}

/// A random graph of lists of 33 neighbours: some cross the border of a page, wherever the first
/// one lies.
struct ProgramGraph {
  static constexpr uint32_t kVertices = 300'000;
  static constexpr uint32_t kDegree = 33;

  ProgramGraph() : offsets(kVertices + 1), neighbors(kVertices * kDegree) {
    std::mt19937 random(1);
    for (uint32_t v = 0; v < kVertices; ++v) offsets[v + 1] = offsets[v] + kDegree;
    for (uint32_t& neighbor : neighbors) neighbor = random() % kVertices;
  }

  std::vector<uint64_t> offsets;
  std::vector<uint32_t> neighbors;
};

class SampledProgramTest : public testing::TestWithParam<int> {
 protected:
  SampledProgramTest() { omp_set_num_threads(GetParam()); }
  ~SampledProgramTest() override { omp_set_num_threads(threads_before_); }

  const int threads_before_ = omp_get_max_threads();
};

TEST_P(SampledProgramTest, PageRank) {
  const ProgramGraph graph;
  const int64_t vertices = ProgramGraph::kVertices;
  std::vector<double> rank(vertices, 1.0 / vertices), contribution(vertices), sum(vertices);
  const auto iterate = [&] {
#pragma omp parallel for schedule(static)
    for (int64_t v = 0; v < vertices; ++v) {
      contribution[v] = rank[v] / static_cast<double>(graph.offsets[v + 1] - graph.offsets[v]);
    }
#pragma omp parallel for schedule(dynamic, 512)
    for (int64_t v = 0; v < vertices; ++v) {
      for (uint64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e)
        sum[v] += contribution[graph.neighbors[e]];
    }
#pragma omp parallel for schedule(static)
    for (int64_t v = 0; v < vertices; ++v) {
      rank[v] = 0.15 / static_cast<double>(vertices) + 0.85 * sum[v];
      sum[v] = 0;
    }
  };
  ExpectDeclaredGroups({{"offsets", BytesOf(graph.offsets), kStreamedReadOnly},
                        {"neighbors", BytesOf(graph.neighbors), kStreamedReadOnly},
                        {"rank", BytesOf(rank), kSequentialReadWrite},
                        {"sum", BytesOf(sum), kSequentialReadWrite},
                        {"contribution", BytesOf(contribution), kRandomReadWrite}},
                       iterate);
  EXPECT_NEAR(std::accumulate(rank.begin(), rank.end(), 0.0), 1, 1e-9)
      << "the program computes as without a sampler";
}

TEST_P(SampledProgramTest, BreadthFirstSearch) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "ThreadSanitizer makes an atomic update under a lock that the handler of its "
                  "fault waits for";
#endif
#endif
  const ProgramGraph graph;
  const uint32_t vertices = ProgramGraph::kVertices;
  std::vector<std::atomic<uint64_t>> parent(vertices);
  std::vector<uint32_t> queue(vertices);
  uint32_t source = 0, reached = 0;
  const auto search = [&] {
    for (auto& value : parent) value.store(vertices, std::memory_order_relaxed);
    parent[source] = source;
    queue[0] = source;
    source = (source + 1) % vertices;
    std::atomic<uint32_t> end = 1;
    for (uint32_t begin = 0; begin < end;) {
      const uint32_t level_end = end;
#pragma omp parallel for schedule(dynamic, 64)
      for (uint32_t i = begin; i < level_end; ++i) {
        const uint32_t u = queue[i];
        for (uint64_t e = graph.offsets[u]; e < graph.offsets[u + 1]; ++e) {
          uint64_t nobody = vertices;
          if (parent[graph.neighbors[e]].compare_exchange_strong(nobody, u))
            queue[end++] = graph.neighbors[e];
        }
      }
      begin = level_end;
    }
    reached = end;
  };
  ExpectDeclaredGroups({{"offsets", BytesOf(graph.offsets), kIndexedReadOnly},
                        {"neighbors", BytesOf(graph.neighbors), kStreamedReadOnly},
                        {"parent", BytesOf(parent), kRandomReadWrite},
                        {"queue", BytesOf(queue), kSequentialReadWrite}},
                       search);
  EXPECT_EQ(reached, vertices);
}

INSTANTIATE_TEST_SUITE_P(Threads, SampledProgramTest, testing::Values(1, 2, 5));

class AccessSamplerTest : public testing::Test {
 protected:
  std::vector<uint64_t> values_ = std::vector<uint64_t>(200'000, 1);
};

TEST_F(AccessSamplerTest, ReadsOfAReadOnlyMapping) {
  MappedMemory memory = *MappedMemory::Allocate(4 << 20, MappedMemory::Sharing::kPrivate,
                                                MappedMemory::Pages::kSmall);
  std::memset(memory.data(), 7, memory.size());
  ASSERT_EQ(mprotect(memory.data(), memory.size(), PROT_READ), 0);
  uint64_t sum = 0;
  ExpectDeclaredGroups({{"mapping", memory.bytes(), kStreamedReadOnly}}, [&] {
    for (const std::byte value : memory.bytes()) sum += static_cast<uint64_t>(value);
  });
  EXPECT_EQ(sum % (7 * memory.size()), 0u);
  EXPECT_DEATH(std::memset(memory.data(), 0, 1), "") << "it has not become writable";
}

TEST_F(AccessSamplerTest, TellsNothingOfWhatWasNotTouched) {
  const std::vector<uint64_t> small(1000);
  auto sampler = AccessSampler::Start({BytesOf(values_), BytesOf(small), {}});
  ASSERT_TRUE(sampler.ok()) << sampler.status();
  uint64_t sum = 0;
  for (int i = 0; i < 50; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    sum = std::accumulate(small.begin(), small.end(), sum);
  }
  for (const SampledAccesses& sampled : (*sampler)->Stop()) {
    EXPECT_EQ(sampled.counts.touches, 0u);
    EXPECT_EQ(sampled.touches_per_second, 0);
    EXPECT_EQ(sampled.behaviour(), std::nullopt);
  }
}

TEST_F(AccessSamplerTest, AWriteCountsWhereverItFalls) {
  std::mt19937 random(1);
  auto sampler = AccessSampler::Start({BytesOf(values_)});
  ASSERT_TRUE(sampler.ok()) << sampler.status();
  uint64_t sum = 0;
  const auto begin = std::chrono::steady_clock::now();
  while (Seconds(std::chrono::steady_clock::now() - begin).count() < 0.3)
    sum += values_[random() % values_.size()];
  values_[values_.size() / 2] = sum;
  const std::vector<SampledAccesses> sampled = (*sampler)->Stop();
  EXPECT_TRUE(sampled[0].written);
  EXPECT_EQ(sampled[0].behaviour(), kRandomReadWrite);
}

TEST_F(AccessSamplerTest, WhatARunCostsIsBounded) {
  std::mt19937 random(1);
  auto sampler = AccessSampler::Start({BytesOf(values_)});
  ASSERT_TRUE(sampler.ok()) << sampler.status();
  const auto begin = std::chrono::steady_clock::now();
  double seconds = 0;
  do {
    for (int i = 0; i < 1000; ++i) ++values_[random() % values_.size()];
    seconds = Seconds(std::chrono::steady_clock::now() - begin).count();
  } while (seconds < 1.5);
  const std::vector<SampledAccesses> sampled = (*sampler)->Stop();
  EXPECT_LE(sampled[0].counts.touches, 64u * 128);
  EXPECT_GE(sampled[0].counts.touches, 16u * 128) << "looks go on to the end";
}

TEST_F(AccessSamplerTest, BringsTheHandlerBack) {
  struct sigaction before = {}, after = {};
  ASSERT_EQ(sigaction(SIGSEGV, nullptr, &before), 0);
  {
    const auto sampler = AccessSampler::Start({BytesOf(values_)});
    ASSERT_TRUE(sampler.ok());
    EXPECT_EQ(AccessSampler::Start({BytesOf(values_)}).status().code(),
              absl::StatusCode::kFailedPrecondition);
  }
  ASSERT_EQ(sigaction(SIGSEGV, nullptr, &after), 0);
  EXPECT_EQ(after.sa_sigaction, before.sa_sigaction);
  std::fill(values_.begin(), values_.end(), 2);
  EXPECT_TRUE(AccessSampler::Start({BytesOf(values_)}).ok());
}

TEST_F(AccessSamplerTest, AProgramsOwnFaultsStayItsOwn) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto fault = [] { *static_cast<volatile int*>(nullptr) = 1; };
  EXPECT_DEATH(
      {
        const auto sampler = AccessSampler::Start({BytesOf(values_)});
        fault();
      },
      "");
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, [](int) { _exit(42); });
        const auto sampler = AccessSampler::Start({BytesOf(values_)});
        fault();
      },
      testing::ExitedWithCode(42), "");
}

TEST_F(AccessSamplerTest, ArraysThatCannotBeWatched) {
  const auto whole = BytesOf(values_);
  EXPECT_EQ(AccessSampler::Start({whole, whole.subspan(1000, 10)}).status().code(),
            absl::StatusCode::kInvalidArgument);
  MappedMemory memory = *MappedMemory::Allocate(4 << 20, MappedMemory::Sharing::kPrivate,
                                                MappedMemory::Pages::kSmall);
  ASSERT_EQ(mprotect(memory.data() + (1 << 20), 4096, PROT_NONE), 0);
  EXPECT_EQ(AccessSampler::Start({memory.bytes()}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(AccessSampler::Start({whole}).ok()) << "a refusal leaves nothing behind";
}

TEST_F(AccessSamplerTest, ManyThreadsGetOn) {
  // Each counter belongs to one thread, and each page to all: no atomics, which ThreadSanitizer
  // makes under a lock that the handler of their fault waits for.
  constexpr size_t kThreads = 8, kCountersPerThread = 12'500;
  constexpr uint64_t kAdditions = 300'000;
  std::vector<uint64_t> counters(kThreads * kCountersPerThread);
  {
    const auto sampler = AccessSampler::Start({BytesOf(counters)});
    ASSERT_TRUE(sampler.ok());
    std::vector<std::thread> threads;
    for (size_t thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&counters, thread] {
        std::mt19937 random(thread);
        for (uint64_t i = 0; i < kAdditions; ++i)
          ++counters[random() % kCountersPerThread * kThreads + thread];
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(std::accumulate(counters.begin(), counters.end(), uint64_t{0}), kThreads * kAdditions);
}

}  // namespace
}  // namespace fargraph
