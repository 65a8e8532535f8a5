#ifndef FARGRAPH_COMMON_TRANSPORT_TCP_SEGMENT_LIST_H_
#define FARGRAPH_COMMON_TRANSPORT_TCP_SEGMENT_LIST_H_

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace fargraph::transport::tcp {

/// The pieces of memory of one vectored send or receive, in order. The whole stream is described
/// from the start of a message on; what an earlier call has already moved is skipped. Holds no more
/// than kMaxSegments pieces and kMaxBytes bytes.
class SegmentList {
 public:
  static constexpr size_t kMaxSegments = 256;
  static constexpr uint64_t kMaxBytes = 1 << 20;

  explicit SegmentList(uint64_t skip) : skip_(skip) {}

  bool full() const { return count_ == kMaxSegments || bytes_ == kMaxBytes; }
  uint64_t bytes() const { return bytes_; }

  /// Appends [data, data + length), as far as there is room; true if all of it has been taken.
  bool Add(const void* data, uint64_t length) {
    const uint64_t skipped = std::min(skip_, length);
    skip_ -= skipped;
    length -= skipped;
    if (length == 0) return true;
    if (full()) return false;
    const uint64_t taken = std::min(length, kMaxBytes - bytes_);
    char* begin = static_cast<char*>(const_cast<void*>(data)) + skipped;
    bytes_ += taken;
    if (count_ > 0 && End(segments_[count_ - 1]) == begin) {
      segments_[count_ - 1].iov_len += taken;
    } else {
      segments_[count_++] = {begin, taken};
    }
    return taken == length;
  }

  /// For sendmsg and recvmsg; valid as long as the list.
  msghdr Message() {
    msghdr message = {};
    message.msg_iov = segments_.data();
    message.msg_iovlen = count_;
    return message;
  }

 private:
  static char* End(const iovec& segment) {
    return static_cast<char*>(segment.iov_base) + segment.iov_len;
  }

  std::array<iovec, kMaxSegments> segments_;
  size_t count_ = 0;
  uint64_t bytes_ = 0;
  uint64_t skip_;
};

}  // namespace fargraph::transport::tcp

#endif  // FARGRAPH_COMMON_TRANSPORT_TCP_SEGMENT_LIST_H_
