#include "common/transport/local_memory.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph::transport {
namespace {

TEST(LocalMemoryTable, ContainsWhatIsRegistered) {
  LocalMemoryTable table;
  std::vector<std::byte> memory(100);
  auto region = table.Register(absl::MakeSpan(memory)).value();
  const uint32_t lkey = region->lkey();
  EXPECT_TRUE(table.Contains(lkey, memory.data(), 100));
  EXPECT_TRUE(table.Contains(lkey, memory.data() + 99, 1));
  EXPECT_FALSE(table.Contains(lkey, memory.data() + 99, 2));
  EXPECT_FALSE(table.Contains(lkey, memory.data() - 1, 1));
  EXPECT_FALSE(table.Contains(lkey, memory.data(), ~uint64_t{0}));
  EXPECT_FALSE(table.Contains(lkey + 1, memory.data(), 1));
  EXPECT_FALSE(table.Contains(0, memory.data(), 1));
  region.reset();
  EXPECT_FALSE(table.Contains(lkey, memory.data(), 1));
}

TEST(LocalMemoryTable, RefusesEmptyMemoryAndMoreRegionsThanItHolds) {
  LocalMemoryTable table;
  EXPECT_EQ(table.Register({}).status().code(), absl::StatusCode::kInvalidArgument);
  std::vector<std::byte> memory(LocalMemoryTable::kMaxRegions + 1);
  std::vector<std::unique_ptr<MemoryRegion>> regions;
  for (size_t i = 0; i < LocalMemoryTable::kMaxRegions; ++i) {
    regions.push_back(table.Register(absl::MakeSpan(&memory[i], 1)).value());
  }
  EXPECT_EQ(table.Register(absl::MakeSpan(memory)).status().code(),
            absl::StatusCode::kResourceExhausted);
  regions[7].reset();
  const auto region = table.Register(absl::MakeSpan(memory)).value();
  EXPECT_TRUE(table.Contains(region->lkey(), memory.data(), memory.size()));
  EXPECT_TRUE(table.Contains(regions[8]->lkey(), &memory[8], 1));
}

}  // namespace
}  // namespace fargraph::transport
