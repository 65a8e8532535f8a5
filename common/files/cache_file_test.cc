#include "common/files/cache_file.h"

#include <string>
#include <thread>
#include <vector>

#include "common/files/test_directory.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr CacheFile::Format kFormat = {.version = 2, .entries = "links", .key = "link"};

TEST(CacheFileTest, FindsTheNewestEntryOfAKey) {
  const TestDirectory directory;
  const CacheFile cache(directory.Path("new/links.json"), kFormat);
  EXPECT_FALSE(cache.Find("a"));
  for (const int value : {1, 2}) {
    ASSERT_TRUE(cache.Put({{"link", "a"}, {"value", value}}).ok());
    ASSERT_TRUE(cache.Put({{"link", "b"}, {"value", 10 * value}}).ok());
  }
  EXPECT_EQ(cache.Find("a")->at("value"), 2);
  EXPECT_EQ(cache.Entries().size(), 2);
  EXPECT_EQ(cache.Entries()[0].at("value"), 20);
}

TEST(CacheFileTest, RemovesTheEntryOfAKey) {
  const TestDirectory directory;
  const CacheFile cache(directory.Path("links.json"), kFormat);
  for (const char* key : {"a", "b", "c"}) ASSERT_TRUE(cache.Put({{"link", key}}).ok());
  ASSERT_TRUE(cache.Remove("b").ok());
  EXPECT_FALSE(cache.Find("b"));
  EXPECT_TRUE(cache.Find("a") && cache.Find("c"));
  EXPECT_TRUE(cache.Remove("d").ok());
  EXPECT_EQ(cache.Entries().size(), 2);
}

TEST(CacheFileTest, ForgetsTheOldestEntries) {
  const TestDirectory directory;
  CacheFile::Format format = kFormat;
  format.most_entries = 2;
  const CacheFile cache(directory.Path("links.json"), format);
  for (const char* key : {"a", "b", "c"}) ASSERT_TRUE(cache.Put({{"link", key}}).ok());
  EXPECT_FALSE(cache.Find("a"));
  EXPECT_TRUE(cache.Find("b") && cache.Find("c"));
}

TEST(CacheFileTest, ForgetsNothingThatIsPutAtOnce) {
  const TestDirectory directory;
  constexpr int kThreads = 8, kPuts = 6;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      const CacheFile cache(directory.Path("links.json"), kFormat);
      for (int put = 0; put < kPuts; ++put)
        EXPECT_TRUE(cache.Put({{"link", std::to_string(thread * kPuts + put)}}).ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  const CacheFile cache(directory.Path("links.json"), kFormat);
  for (int key = 0; key < kThreads * kPuts; ++key) EXPECT_TRUE(cache.Find(std::to_string(key)));
}

}  // namespace
}  // namespace fargraph
