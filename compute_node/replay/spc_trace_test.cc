#include "compute_node/replay/spc_trace.h"

#include <ostream>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "graph/readers/format_writers_test_util.h"
#include "gtest/gtest.h"

namespace fargraph {

void PrintTo(const ByteRange& range, std::ostream* out) {
  *out << range.length << " bytes at " << range.offset;
}

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::StatusOr<BlockTrace> Read(std::string text, size_t block_bytes = kMiB) {
  return ReadSpcTrace(MakeMemoryInput("test.spc", std::move(text), block_bytes));
}

TEST(SpcTrace, ReadsRequestsInTheirOrder) {
  const auto trace =
      Read("0,20,8192,R,0.5\n0,10,512,w,1.25\r\n\n# a comment\n0,0,1,r,1,more,still\n");
  ASSERT_TRUE(trace.ok()) << trace.status();
  EXPECT_THAT(trace->requests,
              ElementsAre(ByteRange{10240, 8192}, ByteRange{5120, 512}, ByteRange{0, 1}));
  EXPECT_EQ(trace->writes, 1u);
  EXPECT_EQ(trace->units, 1u);
  EXPECT_EQ(trace->device_bytes, 20480u);  // 18432, rounded up to 4 KiB
  EXPECT_EQ(trace->seconds, 1.25);
}

TEST(SpcTrace, KnowsWhichRequestsHaveTheSameTime) {
  const auto trace = Read("0,1,1,r,0.5\n0,2,0,r,9\n3,3,1,r,0.50\n0,4,1,r,1\n0,5,1,r,0.5\n");
  ASSERT_TRUE(trace.ok()) << trace.status();
  EXPECT_THAT(trace->moment_ends, ElementsAre(2, 3, 4));
}

TEST(SpcTrace, UnitsLieOneBehindTheOther) {
  const auto trace = Read("7,1,512,R,0\n2,8,4096,R,1\n7,0,512,R,2\n");
  ASSERT_TRUE(trace.ok()) << trace.status();
  EXPECT_EQ(trace->units, 2u);
  EXPECT_THAT(trace->requests,
              ElementsAre(ByteRange{8192 + 512, 512}, ByteRange{4096, 4096}, ByteRange{8192, 512}));
  EXPECT_EQ(trace->device_bytes, 8192u + 4096u);
}

TEST(SpcTrace, ReadsWhatIsCompressedWhateverTheBlocks) {
  const std::string text = "0,20,8192,R,0.5\n1,10,512,W,1.25\n";
  for (const std::string& bytes : {text, Gzip(text), Zstd(text)}) {
    for (const size_t block_bytes : {1, 7, 4096}) {
      const auto trace = Read(bytes, block_bytes);
      ASSERT_TRUE(trace.ok()) << trace.status();
      EXPECT_EQ(trace->requests.size(), 2u);
    }
  }
}

TEST(SpcTrace, RequestsForNothingAreLeftOut) {
  const auto trace = Read("0,20,0,R,0.5\n0,1,512,R,0.6\n");
  ASSERT_TRUE(trace.ok()) << trace.status();
  EXPECT_THAT(trace->requests, ElementsAre(ByteRange{512, 512}));
}

TEST(SpcTrace, TheLargestNumbersFit) {
  const auto trace = Read("1023,17592186044415,1073741824,R,0\n0,17592186044415,1,R,0\n");
  ASSERT_TRUE(trace.ok()) << trace.status();
  EXPECT_GT(trace->requests[0].offset, uint64_t{1} << 53);
  EXPECT_GE(trace->device_bytes, trace->requests[0].offset + kGiB);
}

TEST(SpcTrace, SaysWhatIsWrongInWhichLine) {
  const std::pair<std::string, std::string> cases[] = {
      {"0,1,512,R", "it has 4 fields"},
      {"hello", "it has 1 field where"},
      {"x,1,512,R,0", "the ASU 'x' is not a number below 1024"},
      {"1024,1,512,R,0", "the ASU '1024'"},
      {"-1,1,512,R,0", "the ASU '-1'"},
      {"0,1.5,512,R,0", "the LBA '1.5'"},
      {"0,17592186044416,512,R,0", "the LBA '17592186044416'"},
      {"0,99999999999999999999999,512,R,0", "the LBA"},
      {"0,,512,R,0", "the LBA ''"},
      {"0,1,-512,R,0", "the size '-512'"},
      {"0,1,1073741825,R,0", "the size '1073741825'"},
      {"0,1,512,X,0", "the opcode 'X' is not r or w"},
      {"0,1,512,RW,0", "the opcode 'RW'"},
      {"0,1,512,R,soon", "the time 'soon'"},
      {"0,1,512,R,-1", "the time '-1'"},
      {"0,1,512,R,nan", "the time 'nan'"},
      {"\x01\xff\x02", "it has 1 field"},
  };
  for (const auto& [line, problem] : cases) {
    const absl::Status status = Read(absl::StrCat("0,1,512,R,0\n", line, "\n")).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << line;
    EXPECT_THAT(status.message(), HasSubstr("'test.spc', line 2: "));
    EXPECT_THAT(status.message(), HasSubstr(problem));
    EXPECT_THAT(status.message(), HasSubstr("; write 'ASU,LBA,size,opcode,time'"));
  }
}

TEST(SpcTrace, ATraceWithoutRequestsIsNone) {
  for (const std::string text : {"", "\n# nothing\n", "0,1,0,R,0\n"}) {
    const absl::Status status = Read(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(status.message(), HasSubstr("it asks for nothing"));
  }
}

TEST(SpcTrace, AFileWithoutLineEndsIsRefusedEarly) {
  const absl::Status status = Read(std::string(3 * kMiB, 'x')).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(status.message(), HasSubstr("line 1: it is longer than 1 MiB"));
}

}  // namespace
}  // namespace fargraph
