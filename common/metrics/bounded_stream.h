#ifndef FARGRAPH_COMMON_METRICS_BOUNDED_STREAM_H_
#define FARGRAPH_COMMON_METRICS_BOUNDED_STREAM_H_

#include <httplib.h>

#include <array>
#include <cstddef>
#include <string>

#include "absl/time/time.h"
#include "common/monotonic_time.h"

namespace fargraph {

/// The connection of somebody who may not be trusted: what he sends is read up to so many bytes,
/// and nothing is read or written after a moment, however slowly he goes on. httplib's own stream
/// bounds neither. Used by one thread; does not own the socket.
class BoundedStream final : public httplib::Stream {
 public:
  static constexpr size_t kMostBytesRead = 16 << 10;

  BoundedStream(int socket, absl::Duration patience)
      : socket_(socket), deadline_(MonotonicNow() + patience) {}

  bool is_readable() const override;
  bool is_writable() const override;
  /// 0 where the peer has ended, -1 on an error, at the deadline and behind the last byte.
  ssize_t read(char* out, size_t size) override;
  /// All of it, or -1.
  ssize_t write(const char* data, size_t size) override;
  /// Nobody asks who it is.
  void get_remote_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}
  void get_local_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}
  socket_t socket() const override { return socket_; }

 private:
  /// False at the deadline.
  bool WaitFor(short events) const;

  const int socket_;
  const absl::Time deadline_;  ///< of MonotonicNow()
  std::array<char, kMostBytesRead> received_;
  size_t received_bytes_ = 0;
  size_t read_bytes_ = 0;  ///< of those
};

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_METRICS_BOUNDED_STREAM_H_
