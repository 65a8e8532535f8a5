#include "common/metrics/bounded_stream.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace fargraph {

bool BoundedStream::is_readable() const { return read_bytes_ < received_bytes_ || WaitFor(POLLIN); }

bool BoundedStream::is_writable() const { return WaitFor(POLLOUT); }

ssize_t BoundedStream::read(char* out, size_t size) {
  if (read_bytes_ == received_bytes_) {
    if (received_bytes_ == received_.size() || !WaitFor(POLLIN)) return -1;
    const ssize_t count = recv(socket_, received_.data() + received_bytes_,
                               received_.size() - received_bytes_, MSG_DONTWAIT);
    if (count <= 0) return count;
    received_bytes_ += count;
  }
  const size_t count = std::min(size, received_bytes_ - read_bytes_);
  std::memcpy(out, received_.data() + read_bytes_, count);
  read_bytes_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t BoundedStream::write(const char* data, size_t size) {
  for (size_t written = 0; written < size;) {
    if (!WaitFor(POLLOUT)) return -1;
    const ssize_t count =
        send(socket_, data + written, size - written, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0) return -1;
    written += count;
  }
  return static_cast<ssize_t>(size);
}

bool BoundedStream::WaitFor(short events) const {
  pollfd waited = {.fd = socket_, .events = events, .revents = 0};
  while (true) {
    const absl::Duration left = deadline_ - MonotonicNow();
    if (left <= absl::ZeroDuration()) return false;
    const timespec rest = absl::ToTimespec(left);
    const int ready = ppoll(&waited, 1, &rest, nullptr);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

}  // namespace fargraph
