#include "common/transport/tcp/segment_list.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph::transport::tcp {
namespace {

std::vector<std::string> Pieces(SegmentList& segments) {
  const msghdr message = segments.Message();
  std::vector<std::string> pieces;
  for (size_t i = 0; i < message.msg_iovlen; ++i) {
    pieces.emplace_back(static_cast<const char*>(message.msg_iov[i].iov_base),
                        message.msg_iov[i].iov_len);
  }
  return pieces;
}

TEST(SegmentList, JoinsNeighboursAndSkipsWhatHasMoved) {
  const char text[] = "abcdefghij";
  SegmentList segments(3);
  EXPECT_TRUE(segments.Add(text, 2));
  EXPECT_TRUE(segments.Add(text + 2, 3));
  EXPECT_TRUE(segments.Add(text + 5, 2));
  EXPECT_TRUE(segments.Add(text + 8, 1));
  EXPECT_THAT(Pieces(segments), testing::ElementsAre("defg", "i"));
  EXPECT_EQ(segments.bytes(), 5u);
}

TEST(SegmentList, TakesNoMoreThanItsBytes) {
  const std::string text(SegmentList::kMaxBytes + 10, 'x');
  SegmentList segments(4);
  EXPECT_FALSE(segments.Add(text.data(), text.size()));
  EXPECT_EQ(segments.bytes(), SegmentList::kMaxBytes);
  EXPECT_TRUE(segments.full());
  EXPECT_FALSE(segments.Add(text.data(), 1));
}

TEST(SegmentList, TakesNoMoreThanItsPieces) {
  const std::string text(2 * SegmentList::kMaxSegments + 2, 'x');
  SegmentList segments(0);
  for (size_t i = 0; i < SegmentList::kMaxSegments; ++i) {
    EXPECT_FALSE(segments.full());
    EXPECT_TRUE(segments.Add(&text[2 * i], 1));
  }
  EXPECT_TRUE(segments.full());
  EXPECT_FALSE(segments.Add(&text[text.size() - 1], 1));
}

}  // namespace
}  // namespace fargraph::transport::tcp
