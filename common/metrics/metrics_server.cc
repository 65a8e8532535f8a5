#include "common/metrics/metrics_server.h"

#include <exception>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/control/token.h"
#include "common/status_macros.h"
#include "prometheus/collectable.h"
#include "prometheus/exposer.h"
#include "prometheus/metric_family.h"

namespace fargraph {
namespace {

constexpr char kUser[] = "fargraph";
constexpr size_t kThreads = 2;

prometheus::ClientMetric ToPrometheus(const Metric::Sample& sample, Metric::Kind kind) {
  prometheus::ClientMetric metric;
  for (const auto& [name, value] : sample.labels) metric.label.push_back({name, value});
  (kind == Metric::Kind::kCounter ? metric.counter.value : metric.gauge.value) = sample.value;
  return metric;
}

prometheus::MetricFamily ToPrometheus(const Metric& metric) {
  prometheus::MetricFamily family;
  family.name = metric.name;
  family.help = metric.help;
  family.type = metric.kind == Metric::Kind::kCounter ? prometheus::MetricType::Counter
                                                      : prometheus::MetricType::Gauge;
  for (const Metric::Sample& sample : metric.samples) {
    family.metric.push_back(ToPrometheus(sample, metric.kind));
  }
  return family;
}

class Collectable : public prometheus::Collectable {
 public:
  explicit Collectable(MetricsServer::Collect collect) : collect_(std::move(collect)) {}

  std::vector<prometheus::MetricFamily> Collect() const override {
    std::vector<prometheus::MetricFamily> families;
    for (const Metric& metric : collect_()) families.push_back(ToPrometheus(metric));
    return families;
  }

 private:
  const MetricsServer::Collect collect_;
};

class PrometheusServer : public MetricsServer {
 public:
  /// Throws what the library throws when it cannot listen.
  PrometheusServer(const HostPort& listen, const std::string& token, Collect collect)
      : collectable_(std::make_shared<Collectable>(std::move(collect))),
        exposer_(listen.ToString(), kThreads) {
    const auto port = static_cast<uint16_t>(exposer_.GetListeningPorts().front());
    address_ = HostPort{listen.host, port}.ToString();
    if (!token.empty()) {
      exposer_.RegisterAuth(
          [token](const std::string& user, const std::string& password) {
            return user == kUser && TokensEqual(password, token);
          },
          "Fargraph");
    }
    exposer_.RegisterCollectable(collectable_);
  }

  const std::string& address() const override { return address_; }

 private:
  std::shared_ptr<Collectable> collectable_;
  prometheus::Exposer exposer_;
  std::string address_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<MetricsServer>> MetricsServer::Start(const HostPort& listen,
                                                                    const std::string& token,
                                                                    Collect collect) {
  if (token.empty()) {
    FARGRAPH_ASSIGN_OR_RETURN(const bool is_loopback, IsLoopback(listen.host));
    if (!is_loopback) {
      return absl::InvalidArgumentError(absl::StrCat("cannot show metrics on ", listen.host,
                                                     " without a token; give --token_file"));
    }
  }
  try {
    return std::make_unique<PrometheusServer>(listen, token, std::move(collect));
  } catch (const std::exception&) {  // says no more than that it could not bind
    return absl::FailedPreconditionError(
        absl::StrCat("cannot show metrics on ", listen.ToString(),
                     ": the port is taken, or that is no IPv4 address of this host; choose another "
                     "--metrics_port"));
  }
}

}  // namespace fargraph
