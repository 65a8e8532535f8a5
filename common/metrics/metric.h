#ifndef FARGRAPH_COMMON_METRICS_METRIC_H_
#define FARGRAPH_COMMON_METRICS_METRIC_H_

#include <string>
#include <utility>
#include <vector>

namespace fargraph {

/// A figure for Prometheus, with a value for each set of labels. A name ends in its unit (_bytes,
/// _seconds), a counter's in _total.
struct Metric {
  enum class Kind { kGauge, kCounter };
  struct Sample {
    std::vector<std::pair<std::string, std::string>> labels = {};
    double value = 0;
  };

  std::string name;
  std::string help;  ///< one line
  Kind kind = Kind::kGauge;
  std::vector<Sample> samples = {};
};

/// A figure without labels.
Metric Gauge(std::string name, std::string help, double value);
Metric Counter(std::string name, std::string help, double value);

}  // namespace fargraph

#endif  // FARGRAPH_COMMON_METRICS_METRIC_H_
