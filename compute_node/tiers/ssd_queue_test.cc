#include "compute_node/tiers/ssd_queue.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "common/memory/mapped_memory.h"
#include "common/units.h"
#include "compute_node/testing/fake_async_io.h"
#include "compute_node/testing/ssd_directories.h"
#include "compute_node/tiers/ssd_array.h"
#include "glog/logging.h"
#include "graph/striping/stripes.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

constexpr uint64_t kSegmentBytes = 3 * kMiB;  // a dozen stripes
constexpr uint64_t kSlotBytes = 2 * kMiB;     // more than the largest request

/// An array of so many SSDs with one segment of noise.
class SsdQueueTest : public testing::TestWithParam<size_t> {
 protected:
  void SetUp() override {
    if (!TempDirHasDirectIo()) GTEST_SKIP() << testing::TempDir() << " has no direct IO";
    directories_.emplace(GetParam());
    array_ = *SsdArray::Open(directories_->paths());
    content_ = *MappedMemory::Allocate(kSegmentBytes);
    std::mt19937_64 random(1);
    for (uint64_t i = 0; i < kSegmentBytes; i += sizeof(uint64_t)) {
      const uint64_t noise = random();
      std::memcpy(content_.data() + i, &noise, sizeof(noise));
    }
    segment_ = *array_->Allocate("noise", kSegmentBytes);
    const auto queue = *array_->OpenQueue(/*tags=*/1);
    const Extent all = {
        .address = segment_.address, .length = kSegmentBytes, .destination = content_.data()};
    ASSERT_TRUE(queue->SubmitWrite({&all, 1}, 0).ok());
    ASSERT_TRUE(Finish(*queue).ok());
  }

  static absl::Status Finish(TierQueue& queue) {
    std::vector<uint32_t> tags(64);
    while (queue.in_flight() > 0) {
      const auto count = queue.Poll(absl::MakeSpan(tags));
      if (!count.ok()) return count.status();
      if (*count == 0) queue.Wait(absl::Seconds(1));
    }
    return absl::OkStatus();
  }

  /// Extents of whole blocks anywhere in the segment, packed into the slot.
  std::vector<Extent> RandomExtents(std::mt19937& random, std::byte* slot) const {
    const uint64_t block = array_->block_bytes();
    std::vector<Extent> extents;
    const uint64_t most_blocks = (random() % 3 == 0 ? kSlotBytes : 16 * kKiB) / block;
    uint64_t used = 0;
    for (size_t count = 1 + random() % 40; count > 0; --count) {
      const uint64_t first = random() % (kSegmentBytes / block);
      const uint64_t most = std::min(most_blocks, kSegmentBytes / block - first);
      const uint64_t length = (1 + random() % most) * block;
      if (used + length > kSlotBytes) break;
      extents.push_back({.address = segment_.address + first * block,
                         .length = length,
                         .destination = slot + used});
      used += length;
    }
    return extents;
  }

  /// The segment, every block on its own.
  std::vector<Extent> AllBlocks(std::byte* slot) const {
    const uint64_t block = array_->block_bytes();
    std::vector<Extent> blocks;
    for (uint64_t offset = 0; offset < kSegmentBytes; offset += block) {
      blocks.push_back(
          {.address = segment_.address + offset, .length = block, .destination = slot + offset});
    }
    return blocks;
  }

  void ExpectArrived(const std::vector<Extent>& extents) const {
    for (const Extent& extent : extents) {
      ASSERT_EQ(std::memcmp(extent.destination,
                            content_.data() + (extent.address - segment_.address), extent.length),
                0);
    }
  }

  /// Reads so many slots full, as many of them at once as there are tags.
  void ReadAndCompare(TierQueue& queue, uint32_t tags, int slots, unsigned seed) {
    std::mt19937 random(seed);
    const MappedMemory ring = *MappedMemory::Allocate(tags * kSlotBytes);
    std::vector<std::vector<Extent>> slot_extents(tags);
    std::vector<uint32_t> free(tags), done(tags);
    std::iota(free.begin(), free.end(), 0);
    uint64_t bytes = 0;
    for (int started = 0; started < slots || queue.in_flight() > 0;) {
      if (started < slots && !free.empty()) {
        const uint32_t tag = free.back();
        free.pop_back();
        slot_extents[tag] = RandomExtents(random, ring.data() + tag * kSlotBytes);
        if (slot_extents[tag].empty()) {
          free.push_back(tag);
          continue;
        }
        for (const Extent& extent : slot_extents[tag]) {
          std::memset(extent.destination, 0xee, extent.length);
          bytes += extent.length;
        }
        ASSERT_TRUE(queue.Submit(slot_extents[tag], tag).ok());
        ++started;
        continue;
      }
      const auto count = queue.Poll(absl::MakeSpan(done));
      ASSERT_TRUE(count.ok()) << count.status();
      for (size_t i = 0; i < *count; ++i) {
        ExpectArrived(slot_extents[done[i]]);
        free.push_back(done[i]);
      }
      if (*count == 0) queue.Wait(absl::Seconds(1));
    }
    EXPECT_EQ(queue.traffic().bytes, bytes);
  }

  std::optional<SsdDirectories> directories_;
  std::unique_ptr<SsdArray> array_;
  MappedMemory content_;
  FarSegment segment_;
};

TEST_P(SsdQueueTest, ReadsWhatWasWrittenWithAnyNumberOfSlots) {
  for (const uint32_t tags : {1, 2, 7, 40}) {
    const auto queue = array_->OpenQueue(tags);
    ASSERT_TRUE(queue.ok()) << queue.status();
    ReadAndCompare(**queue, tags, /*slots=*/60, /*seed=*/tags);
  }
}

TEST_P(SsdQueueTest, NothingThatAHostMayDoChangesWhatArrives) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    for (const uint32_t tags : {1, 2, 9}) {
      auto io = std::make_unique<FakeAsyncIo>(
          seed, FakeAsyncIo::Faults{.seldom = seed % 2 == 1, .short_reads = seed % 3 != 0},
          SsdQueue::Depth(GetParam()));
      const FakeAsyncIo& fake = *io;
      SsdQueue queue(*array_, std::move(io), tags);
      ReadAndCompare(queue, tags, /*slots=*/30, seed);
      EXPECT_LE(fake.most_under_way(), SsdQueue::Depth(GetParam()));
    }
  }
}

TEST_P(SsdQueueTest, MoreRequestsThanThereIsRoomForWait) {
  auto io = std::make_unique<FakeAsyncIo>(1, FakeAsyncIo::Faults{}, SsdQueue::Depth(GetParam()));
  const FakeAsyncIo& fake = *io;
  SsdQueue queue(*array_, std::move(io), /*tags=*/1);
  const MappedMemory slot = *MappedMemory::Allocate(kSegmentBytes);
  const std::vector<Extent> blocks = AllBlocks(slot.data());
  ASSERT_TRUE(queue.Submit(blocks, 0).ok());
  ASSERT_TRUE(Finish(queue).ok());
  ExpectArrived(blocks);
  EXPECT_EQ(fake.most_under_way(), SsdQueue::Depth(GetParam()));
  EXPECT_EQ(queue.traffic().requests, blocks.size());
}

TEST_P(SsdQueueTest, ManyThreadsShareWhatADeviceHasUnderWay) {
  for (const uint32_t threads : {1, 16, 128, 256, 1024}) {
    EXPECT_LE(threads * SsdQueue::LaneDepth(GetParam(), threads), std::max(1024u, 4 * threads));
  }
  array_ = *SsdArray::Open(directories_->paths(), SsdBlocks::kOfDevice, /*threads=*/256);
  segment_ = *array_->Allocate("zeroes", kSegmentBytes);
  auto io = std::make_unique<FakeAsyncIo>(1, FakeAsyncIo::Faults{}, SsdQueue::Depth(GetParam()));
  const FakeAsyncIo& fake = *io;
  SsdQueue queue(*array_, std::move(io), /*tags=*/1);
  const MappedMemory slot = *MappedMemory::Allocate(kSegmentBytes);
  ASSERT_TRUE(queue.Submit(AllBlocks(slot.data()), 0).ok());
  ASSERT_TRUE(Finish(queue).ok());
  EXPECT_EQ(fake.most_under_way(), 4 * GetParam());
}

TEST_P(SsdQueueTest, AMebibyteInWholeBlocksIsOneRequestToADevice) {
  if (GetParam() > 1) GTEST_SKIP() << "it is cut at the borders of stripes";
  const auto queue = *array_->OpenQueue(/*tags=*/1);
  const MappedMemory slot = *MappedMemory::Allocate(kSlotBytes);
  const std::vector<Extent> chunk = {{.address = segment_.address,
                                      .length = kMiB + 2 * array_->block_bytes(),
                                      .destination = slot.data()}};
  ASSERT_TRUE(queue->Submit(chunk, 0).ok());
  ASSERT_TRUE(Finish(*queue).ok());
  ExpectArrived(chunk);
  EXPECT_EQ(queue->traffic().requests, 1u);
}

TEST_P(SsdQueueTest, ASlowDeviceKeepsNobodyFromTheOthers) {
  if (GetParam() == 1) GTEST_SKIP() << "there are no others";
  auto io = std::make_unique<FakeAsyncIo>(1, FakeAsyncIo::Faults{.slow_file = true},
                                          SsdQueue::Depth(GetParam()));
  FakeAsyncIo& fake = *io;
  SsdQueue queue(*array_, std::move(io), /*tags=*/2);
  const MappedMemory slot = *MappedMemory::Allocate(kSegmentBytes);
  std::vector<Extent> slow, fast;  // of the first: more than there is room for on all devices
  for (uint64_t at = 0; at < kSegmentBytes; at += 4096) {
    const bool is_slow = FirstRun(at, 4096, GetParam()).part == 0;
    (is_slow ? slow : fast)
        .push_back(
            {.address = segment_.address + at, .length = 4096, .destination = slot.data() + at});
  }
  ASSERT_TRUE(queue.Submit(slow, 0).ok());
  ASSERT_TRUE(queue.Submit(fast, 1).ok());
  std::vector<uint32_t> tags(2);
  absl::StatusOr<size_t> done = 0;
  for (int poll = 0; poll < 1000 && done.ok() && *done == 0; ++poll) {
    done = queue.Poll(absl::MakeSpan(tags));
  }
  ASSERT_TRUE(done.ok()) << done.status();
  ASSERT_EQ(*done, 1);
  EXPECT_EQ(tags[0], 1);
  ExpectArrived(fast);
  fake.Hurry();
  ASSERT_TRUE(Finish(queue).ok());
  ExpectArrived(slow);
}

TEST_P(SsdQueueTest, AnErrorNamesTheDirectory) {
  auto io = std::make_unique<FakeAsyncIo>(1, FakeAsyncIo::Faults{.result = -EIO},
                                          SsdQueue::Depth(GetParam()));
  SsdQueue queue(*array_, std::move(io), /*tags=*/1);
  const MappedMemory slot = *MappedMemory::Allocate(kMiB);
  const Extent extent = {
      .address = segment_.address, .length = 64 * kKiB, .destination = slot.data()};
  ASSERT_TRUE(queue.Submit({&extent, 1}, 0).ok());
  const absl::Status status = Finish(queue);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  const std::vector<std::string>& paths = directories_->paths();
  EXPECT_TRUE(absl::StrContains(status.message(), *std::min_element(paths.begin(), paths.end())))
      << status;
}

/// Counts warnings while it lives.
class Warnings : public google::LogSink {
 public:
  Warnings() { google::AddLogSink(this); }
  ~Warnings() override { google::RemoveLogSink(this); }
  void send(google::LogSeverity severity, const char*, const char*, int, const tm*, const char*,
            size_t) override {
    count_ += severity == google::GLOG_WARNING;
  }
  int count() const { return count_; }

 private:
  int count_ = 0;
};

TEST_P(SsdQueueTest, WhatTheDevicesDoNotGiveComesFromTheCopyWithOneWarning) {
  array_->SetCopy(segment_, [&](uint64_t offset, absl::Span<std::byte> bytes) {
    if (offset + bytes.size() > kSegmentBytes) return absl::OutOfRangeError("not of the segment");
    std::memcpy(bytes.data(), content_.data() + offset, bytes.size());
    return absl::OkStatus();
  });
  const Warnings warnings;
  for (const FakeAsyncIo::Faults& faults :
       {FakeAsyncIo::Faults{.result = -EIO}, FakeAsyncIo::Faults{.seldom = true, .result = -ENODEV},
        FakeAsyncIo::Faults{.result = 0}, FakeAsyncIo::Faults{.submit_result = -EIO}}) {
    for (const uint32_t tags : {1, 9}) {
      SsdQueue queue(*array_, std::make_unique<FakeAsyncIo>(1, faults, SsdQueue::Depth(GetParam())),
                     tags);
      ReadAndCompare(queue, tags, /*slots=*/30, /*seed=*/tags);
    }
  }
  EXPECT_EQ(warnings.count(), 1);
}

TEST_P(SsdQueueTest, ACopyThatFailsTooIsAnError) {
  array_->SetCopy(segment_, [](uint64_t, absl::Span<std::byte>) {
    return absl::DataLossError("the copy is damaged");
  });
  const FakeAsyncIo::Faults faults = {.result = -EIO};
  SsdQueue queue(*array_, std::make_unique<FakeAsyncIo>(1, faults, SsdQueue::Depth(GetParam())),
                 /*tags=*/1);
  const MappedMemory slot = *MappedMemory::Allocate(kMiB);
  const Extent extent = {
      .address = segment_.address, .length = 64 * kKiB, .destination = slot.data()};
  ASSERT_TRUE(queue.Submit({&extent, 1}, 0).ok());
  EXPECT_EQ(Finish(queue), absl::DataLossError("the copy is damaged"));
}

TEST_P(SsdQueueTest, DestructionWaitsForWhatIsUnderWay) {
  const MappedMemory slot = *MappedMemory::Allocate(kSegmentBytes);
  auto queue = *array_->OpenQueue(/*tags=*/1);
  const Extent all = {
      .address = segment_.address, .length = kSegmentBytes, .destination = slot.data()};
  ASSERT_TRUE(queue->Submit({&all, 1}, 0).ok());
  uint32_t tag = 0;
  ASSERT_TRUE(queue->Poll({&tag, 1}).ok());  // they leave
  queue.reset();
  std::memset(slot.data(), 0x55, kSegmentBytes);
  std::memset(content_.data(), 0x55, kSegmentBytes);
  ExpectArrived({all});
  EXPECT_TRUE(std::filesystem::is_empty(directories_->paths()[0]));
}

INSTANTIATE_TEST_SUITE_P(Ssds, SsdQueueTest, testing::Values(1, 3));

/// No file grows while it lives, as on a device without room.
class NoRoomForFiles {
 public:
  NoRoomForFiles() {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit none = {.rlim_cur = 0, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
  }
  ~NoRoomForFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  NoRoomForFiles(const NoRoomForFiles&) = delete;
  NoRoomForFiles& operator=(const NoRoomForFiles&) = delete;

 private:
  void (*const handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before_ = {};
};

uint64_t FirstHole(const std::string& path) {
  const DirectFile file = *DirectFile::OpenForReading(path);
  return lseek(file.descriptor(), 0, SEEK_HOLE);
}

class SsdArrayTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!TempDirHasDirectIo()) GTEST_SKIP() << testing::TempDir() << " has no direct IO";
  }
  const SsdDirectories directories_{1};
};

TEST_F(SsdArrayTest, ReadsAFileThatIsThereAndSaysWhenItHasBecomeShorter) {
  const std::string path = directories_.paths()[0] + "/file";
  std::ofstream(path) << std::string(4096, 'h') << std::string(8192, 'x');
  const auto array = *SsdArray::Open(directories_.paths());
  const auto segment = array->AttachFile(path, /*offset=*/4096, /*bytes=*/8192);
  ASSERT_TRUE(segment.ok()) << segment.status();
  const auto queue = *array->OpenQueue(/*tags=*/1);
  const MappedMemory slot = *MappedMemory::Allocate(8192);
  const Extent extent = {.address = segment->address, .length = 8192, .destination = slot.data()};
  uint32_t tag = 0;
  ASSERT_TRUE(queue->Submit({&extent, 1}, 0).ok());
  while (*queue->Poll({&tag, 1}) == 0) queue->Wait(absl::Seconds(1));
  EXPECT_EQ(std::count(slot.data(), slot.data() + 8192, std::byte{'x'}), 8192);

  ASSERT_EQ(truncate(path.c_str(), 8292), 0);
  ASSERT_TRUE(queue->Submit({&extent, 1}, 0).ok());
  absl::StatusOr<size_t> done = 0;
  while (done.ok() && *done == 0) {
    done = queue->Poll({&tag, 1});
    if (done.ok() && *done == 0) queue->Wait(absl::Seconds(1));
  }
  EXPECT_EQ(done.status().code(), absl::StatusCode::kDataLoss) << done.status();
  EXPECT_TRUE(absl::StrContains(done.status().message(), path)) << done.status();
}

TEST_F(SsdArrayTest, ReadsByBlocksOfTheDeviceOrOfTheFileSystem) {
  const DirectFile file = *DirectFile::CreateUnnamed(directories_.paths()[0], 4096);
  EXPECT_EQ((*SsdArray::Open(directories_.paths()))->block_bytes(), file.physical_block_bytes());
  EXPECT_EQ((*SsdArray::Open(directories_.paths(), SsdBlocks::kOfFileSystem))->block_bytes(),
            file.block_bytes());
}

TEST_F(SsdArrayTest, AFileElsewhereIsNotOfTheArray) {
  const SsdDirectories two(2);
  const std::string path = two.paths()[0] + "/file";
  std::ofstream(path) << std::string(8192, 'x');
  EXPECT_TRUE((*SsdArray::Open({two.paths()[0]}))->AttachFile(path, 4096, 4096).ok());
  for (const auto& directories : {directories_.paths(), two.paths()}) {
    const auto segment = (*SsdArray::Open(directories))->AttachFile(path, 4096, 4096);
    EXPECT_TRUE(absl::IsNotFound(segment.status())) << segment.status();
  }
}

TEST_F(SsdArrayTest, TheLargestFileIsASampleOfADirectory) {
  const auto array = *SsdArray::Open(directories_.paths());
  EXPECT_TRUE(absl::IsNotFound(array->AttachAny(4096).status()));
  std::ofstream(directories_.paths()[0] + "/small") << std::string(4096, 's');
  std::ofstream(directories_.paths()[0] + "/large") << std::string(12288, 'x');
  EXPECT_TRUE(absl::IsNotFound(array->AttachAny(16384).status()));
  const auto segment = array->AttachAny(8192);
  ASSERT_TRUE(segment.ok()) << segment.status();
  EXPECT_EQ(segment->bytes, 8192u);
  EXPECT_TRUE(absl::StrContains(segment->name, "large"));
}

TEST_F(SsdArrayTest, AHoleIsNoSample) {
  const std::string path = directories_.paths()[0] + "/file";
  std::ofstream(path) << std::string(8192, 'x');
  std::filesystem::resize_file(path, kMiB);
  const auto array = *SsdArray::Open(directories_.paths());
  const auto with_hole = array->AttachAny(kMiB);
  if (FirstHole(path) == kMiB) GTEST_SKIP() << "this file system does not tell where holes are";
  EXPECT_TRUE(absl::IsNotFound(with_hole.status())) << with_hole.status();
  EXPECT_TRUE(array->AttachAny(8192).ok());
}

TEST_F(SsdArrayTest, AFullDirectoryIsReadFrom) {
  const std::string path = directories_.paths()[0] + "/file";
  std::ofstream(path) << std::string(8192, 'x');
  const NoRoomForFiles no_room;
  const auto array = SsdArray::Open(directories_.paths());
  ASSERT_TRUE(array.ok()) << array.status();
  EXPECT_TRUE((*array)->AttachFile(path, 4096, 4096).ok());
  EXPECT_EQ((*array)->Allocate("copy", 4096).status().code(), absl::StatusCode::kResourceExhausted);
}

TEST_F(SsdArrayTest, SaysWhichDirectoryIsMissing) {
  const std::string missing = directories_.paths()[0] + "/missing";
  const auto array = SsdArray::Open({directories_.paths()[0], missing});
  EXPECT_EQ(array.status().code(), absl::StatusCode::kNotFound) << array.status();
  EXPECT_TRUE(absl::StrContains(array.status().message(), missing)) << array.status();
}

TEST(AsyncIo, SaysWhatToDoWhenTheHostHasNoRoom) {
  const auto io = OpenAsyncIo(uint32_t{1} << 22);
  EXPECT_EQ(io.status().code(), absl::StatusCode::kFailedPrecondition) << io.status();
  EXPECT_TRUE(absl::StrContains(io.status().message(), "fs.aio-max-nr")) << io.status();
}

}  // namespace
}  // namespace fargraph
