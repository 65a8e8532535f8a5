#include "common/transport/key_table.h"

#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph::transport {
namespace {

constexpr uint64_t kSegmentBytes = 1 << 20;
constexpr auto kRead = WorkRequest::Opcode::kRead;
constexpr auto kWrite = WorkRequest::Opcode::kWrite;

class KeyTableTest : public testing::Test {
 protected:
  void SetUp() override {
    auto table = KeyTable::Create(kSegmentBytes);
    ASSERT_TRUE(table.ok()) << table.status();
    table_ = std::make_unique<KeyTable>(*std::move(table));
  }

  RemoteKey Expose(uint64_t offset, uint64_t length, Access access = Access::kRead) {
    const auto key = table_->Expose(offset, length, access);
    EXPECT_TRUE(key.ok()) << key.status();
    return key.value_or(RemoteKey{});
  }

  std::unique_ptr<KeyTable> table_;
};

TEST_F(KeyTableTest, AKeyOpensItsRangeAndNothingBeyond) {
  const RemoteKey key = Expose(4096, 100);
  const KeyTableView view = table_->view();
  EXPECT_EQ(key.address, 4096u);
  EXPECT_TRUE(view.Allows(key.rkey, 4096, 100, kRead));
  EXPECT_TRUE(view.Allows(key.rkey, 4195, 1, kRead));
  EXPECT_FALSE(view.Allows(key.rkey, 4095, 1, kRead));
  EXPECT_FALSE(view.Allows(key.rkey, 4095, 2, kRead));
  EXPECT_FALSE(view.Allows(key.rkey, 4096, 101, kRead));
  EXPECT_FALSE(view.Allows(key.rkey, 4196, 1, kRead));
  EXPECT_FALSE(view.Allows(key.rkey, ~uint64_t{0}, 2, kRead));
  EXPECT_FALSE(view.Allows(key.rkey, 4096, ~uint64_t{0}, kRead));
}

TEST_F(KeyTableTest, OnlyAReadWriteKeyAllowsWrites) {
  EXPECT_FALSE(table_->view().Allows(Expose(0, 8).rkey, 0, 8, kWrite));
  EXPECT_TRUE(table_->view().Allows(Expose(0, 8, Access::kReadWrite).rkey, 0, 8, kWrite));
}

TEST_F(KeyTableTest, NoOtherNumberIsAKey) {
  const RemoteKey key = Expose(0, kSegmentBytes);
  for (int bit = 0; bit < 64; ++bit) {
    EXPECT_FALSE(table_->view().Live(key.rkey ^ (uint64_t{1} << bit))) << bit;
  }
  EXPECT_FALSE(table_->view().Live(0));
}

TEST_F(KeyTableTest, ARetiredKeyIsDeadAndItsSuccessorInTheSlotIsAnother) {
  const RemoteKey key = Expose(0, 8);
  ASSERT_TRUE(table_->Retire(key.rkey).ok());
  EXPECT_FALSE(table_->view().Live(key.rkey));
  EXPECT_TRUE(table_->Retire(key.rkey).ok());
  table_->Release(key.rkey);
  EXPECT_EQ(table_->Retire(key.rkey).code(), absl::StatusCode::kNotFound);
  const RemoteKey next = Expose(0, 8);
  EXPECT_NE(next.rkey, key.rkey);
  EXPECT_FALSE(table_->view().Live(key.rkey));
}

TEST_F(KeyTableTest, RangesBeyondTheMemoryAreRefused) {
  for (const auto& [offset, length] :
       std::vector<std::pair<uint64_t, uint64_t>>{{0, 0},
                                                  {0, kSegmentBytes + 1},
                                                  {kSegmentBytes, 1},
                                                  {1, kSegmentBytes},
                                                  {~uint64_t{0}, 2}}) {
    EXPECT_EQ(table_->Expose(offset, length, Access::kRead).status().code(),
              absl::StatusCode::kInvalidArgument)
        << offset << " " << length;
  }
}

TEST_F(KeyTableTest, RunsOutOfKeysAndRecovers) {
  std::set<uint64_t> keys;
  for (size_t i = 0; i < kKeySlots; ++i) keys.insert(Expose(i, 1).rkey);
  EXPECT_EQ(keys.size(), kKeySlots);
  EXPECT_EQ(table_->Expose(0, 1, Access::kRead).status().code(),
            absl::StatusCode::kResourceExhausted);
  ASSERT_TRUE(table_->Retire(*keys.begin()).ok());
  table_->Release(*keys.begin());
  Expose(0, 1);
}

}  // namespace
}  // namespace fargraph::transport
