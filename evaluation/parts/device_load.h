#ifndef FARGRAPH_EVALUATION_PARTS_DEVICE_LOAD_H_
#define FARGRAPH_EVALUATION_PARTS_DEVICE_LOAD_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fargraph {

/// What an iteration asks of each of several devices, and in all iterations together how much
/// longer the busiest ones had to work than if all had had the same share.
class DeviceLoad {
 public:
  static constexpr uint64_t kBlockBytes = 512;
  static constexpr uint64_t kGapBytes = 16 << 10;  ///< rather read than split at
  static constexpr uint64_t kMostBytes = 1 << 20;  ///< of a request
  static constexpr double kBytesPerSecond = 1e9;   ///< of a device
  static constexpr double kRequestsPerSecond = 80e3;

  explicit DeviceLoad(size_t devices) : wanted_(devices) {}

  /// Bytes that the iteration needs, in any order.
  void Add(size_t device, uint64_t begin, uint64_t bytes) {
    wanted_[device].push_back({begin, begin + bytes});
  }

  /// All that it needs has been added.
  void EndIteration() {
    uint64_t most_bytes = 0;
    double most_seconds = 0;
    for (auto& wanted : wanted_) {
      const auto [bytes, requests] = Merge(wanted);
      wanted.clear();
      bytes_ += bytes;
      requests_ += requests;
      most_bytes = std::max(most_bytes, bytes);
      most_seconds =
          std::max({most_seconds, bytes / kBytesPerSecond, requests / kRequestsPerSecond});
    }
    busiest_bytes_ += most_bytes;
    seconds_ += most_seconds;
  }

  double bytes() const { return static_cast<double>(bytes_); }
  double requests() const { return static_cast<double>(requests_); }
  /// Bytes of the busiest device of each iteration, of an equal share.
  double imbalance() const { return busiest_bytes_ * wanted_.size() / bytes(); }
  /// As long as the busiest device of each iteration reads, by bytes or by requests.
  double seconds() const { return seconds_; }

 private:
  using Run = std::pair<uint64_t, uint64_t>;

  /// Bytes and requests, in whole blocks.
  static std::pair<uint64_t, uint64_t> Merge(std::vector<Run>& wanted) {
    std::sort(wanted.begin(), wanted.end());
    uint64_t bytes = 0, requests = 0;
    for (size_t i = 0; i < wanted.size();) {
      const uint64_t begin = wanted[i].first / kBlockBytes * kBlockBytes;
      uint64_t end = wanted[i].second;
      for (++i; i < wanted.size() && wanted[i].first < end + kGapBytes; ++i) {
        end = std::max(end, wanted[i].second);
      }
      const uint64_t run = (end - begin + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
      bytes += run;
      requests += (run + kMostBytes - 1) / kMostBytes;
    }
    return {bytes, requests};
  }

  std::vector<std::vector<Run>> wanted_;  ///< by device, in this iteration
  uint64_t bytes_ = 0;
  uint64_t requests_ = 0;
  double busiest_bytes_ = 0;
  double seconds_ = 0;
};

}  // namespace fargraph

#endif  // FARGRAPH_EVALUATION_PARTS_DEVICE_LOAD_H_
