#ifndef FARGRAPH_COMMON_METRICS_METRICS_SERVER_H_
#define FARGRAPH_COMMON_METRICS_METRICS_SERVER_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/address.h"
#include "common/metrics/metric.h"

namespace fargraph {

/// Answers GET /metrics in Prometheus' text format on threads of its own, as long as it lives. A
/// connection gets 2 seconds and 16 KiB of request, whoever it is; the end waits for no more.
class MetricsServer {
 public:
  /// Called by the server's threads, whenever somebody asks.
  using Collect = std::function<std::vector<Metric>()>;

  /// Port 0 takes a free one. With a token whoever asks must show it as the password of user
  /// "fargraph" (HTTP basic authentication). InvalidArgument without a token on anything but
  /// loopback; FailedPrecondition when the address cannot be listened on.
  static absl::StatusOr<std::unique_ptr<MetricsServer>> Start(const HostPort& listen,
                                                              const std::string& token,
                                                              Collect collect);
  virtual ~MetricsServer() = default;

  /// HOST:PORT with the real port.
  virtual const std::string& address() const = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_METRICS_METRICS_SERVER_H_
