#include "common/metrics/metric.h"

namespace fargraph {

Metric Gauge(std::string name, std::string help, double value) {
  return {std::move(name), std::move(help), Metric::Kind::kGauge, {{.labels = {}, .value = value}}};
}

Metric Counter(std::string name, std::string help, double value) {
  return {
      std::move(name), std::move(help), Metric::Kind::kCounter, {{.labels = {}, .value = value}}};
}

}  // namespace fargraph
