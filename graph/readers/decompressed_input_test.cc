#include "graph/readers/decompressed_input.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "graph/readers/format_writers_test_util.h"
#include "graph/readers/reader_test_util.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string LongText() {
  std::string text;
  for (int i = 0; i < 50000; ++i) absl::StrAppend(&text, i, " ", (i * 7919) % 50000, "\n");
  return text;
}

TEST(DecompressedInput, KnowsTheMagicNumbers) {
  EXPECT_EQ(CompressionOf(Gzip("1 2\n")), Compression::kGzip);
  EXPECT_EQ(CompressionOf(Zstd("1 2\n")), Compression::kZstd);
  EXPECT_EQ(CompressionOf("\x50\x2A\x4D\x18"), Compression::kZstd);
  EXPECT_EQ(CompressionOf("1 2\n"), Compression::kNone);
  EXPECT_EQ(CompressionOf("\x1F\x8B\x08\xE0"), Compression::kNone);
  EXPECT_EQ(CompressionOf("\x1F\x8B"), Compression::kNone);
  EXPECT_EQ(CompressionOf(""), Compression::kNone);
}

TEST(DecompressedInput, OpensAtAnyOffsetAndKnowsItsSize) {
  const std::string text = LongText();
  for (const Compression compression : {Compression::kGzip, Compression::kZstd}) {
    const auto input = MakeDecompressedInput(
        MakeMemoryInput("x", compression == Compression::kGzip ? Gzip(text) : Zstd(text), 1000),
        compression);
    EXPECT_EQ(input->Size().value(), text.size());
    for (const size_t offset : {size_t{0}, size_t{12345}, text.size(), text.size() + 5}) {
      auto stream = input->Open(offset);
      ASSERT_TRUE(stream.ok()) << stream.status();
      std::string rest(text.size(), '\0');
      size_t bytes = 0;
      while (const size_t read = (*stream)->Read(absl::MakeSpan(rest).subspan(bytes)).value()) {
        bytes += read;
      }
      EXPECT_EQ(rest.substr(0, bytes), offset < text.size() ? text.substr(offset) : "");
    }
  }
}

TEST(DecompressedInput, ReadsSeveralMembersAndFrames) {
  for (const std::string& bytes :
       {Gzip("1 2\n3") + Gzip("") + Gzip(" 4\n"), Zstd("1 2\n3") + Zstd("") + Zstd(" 4\n"),
        "\x5A\x2A\x4D\x18" + std::string("\x02\0\0\0ab", 6) + Zstd("1 2\n3 4\n"),
        Gzip("1 2\n3 4\n") + std::string(5000, '\0')}) {
    const auto contents = ReadBytes(bytes, 3);
    ASSERT_TRUE(contents.ok()) << contents.status();
    EXPECT_THAT(contents->edges, ElementsAre(InputEdge{1, 2, 0}, InputEdge{3, 4, 0}));
  }
}

TEST(DecompressedInput, RefusesATruncatedStreamOfAnySize) {
  for (const std::string& whole : {Gzip("1 2\n3 4\n"), Zstd("1 2\n3 4\n")}) {
    for (size_t size = 1; size < whole.size(); ++size) {
      const absl::Status status = ReadBytes(whole.substr(0, size)).status();
      EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << size << " bytes";
    }
    EXPECT_THAT(ReadBytes(whole.substr(0, whole.size() - 1)).status().ToString(),
                HasSubstr("data ends in the middle; it is truncated"));
  }
}

TEST(DecompressedInput, RefusesATruncatedStreamOfBinaryContentWhenOpening) {
  const std::string pairs = WriteBinaryPairs({2, WeightType::kNone, {{0, 1, 0}, {1, 0, 0}}});
  for (const std::string& whole : {Gzip(pairs), Zstd(pairs)}) {
    const auto reader =
        OpenEdgeReader(MakeMemoryInput("test.graph", whole.substr(0, whole.size() - 3)));
    EXPECT_EQ(reader.status().code(), absl::StatusCode::kDataLoss);
  }
}

TEST(DecompressedInput, RefusesDamagedStreams) {
  const std::string text = LongText();
  for (std::string damaged : {Gzip(text), Zstd(text)}) {
    for (size_t i = damaged.size() / 2; i < damaged.size() / 2 + 50; ++i) damaged[i] ^= 0x55;
    const absl::Status status = ReadBytes(damaged).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  }
  const absl::Status status = ReadBytes(Gzip("1 2\n") + "garbage").status();
  EXPECT_THAT(status.ToString(), HasSubstr("something else follows the gzip data"));
}

TEST(DecompressedInput, NamesOffsetsOfTheContent) {
  const std::string bytes = WriteGapbs({1, WeightType::kNone, {{0, 9, 0}}}, nullptr);
  EXPECT_THAT(ReadBytes(Zstd(bytes)).status().ToString(),
              HasSubstr("'test.graph', decompressed byte offset 33: the target 9"));
}

TEST(DecompressedInput, AFileOfPairsMayBeginAsACompressedOneWould) {
  // As bytes, 559903 is the magic number of gzip with no flags.
  const GraphToWrite graph = {559904, WeightType::kNone, {{559903, 3, 0}, {4, 5, 0}, {6, 7, 0}}};
  const auto contents = ReadBytes(WriteBinaryPairs(graph));
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(contents->edges, graph.edges);
}

}  // namespace
}  // namespace fargraph
