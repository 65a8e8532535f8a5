#include "compute_node/testing/known_links.h"

#include <omp.h>

#include <algorithm>

#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "common/control/memory_node_client.h"
#include "common/units.h"
#include "compute_node/tiers/link_cache.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

void Know(const std::string& path, absl::string_view transport, std::vector<std::string> addresses,
          LinkSweep sweep) {
  std::sort(addresses.begin(), addresses.end());
  LinkId link = {.host = LocalHostId(),
                 .transport = std::string(transport),
                 .threads = static_cast<uint32_t>(omp_get_max_threads())};
  for (const std::string& address : addresses) link.nodes.push_back({.address = address});
  sweep.profile.threads = link.threads;
  EXPECT_TRUE(
      LinkCache(path).Store(link, {.sweep = std::move(sweep), .measured = absl::Now()}).ok());
}

}  // namespace

void KnowMemoryNodes(const std::string& path, const std::vector<std::string>& addresses) {
  const LinkSweep sweep = {.profile = {.bytes_per_second = 2e9,
                                       .requests_per_second = 4e5,
                                       .read_seconds = 2e-5,
                                       .processor_share = 1},
                           .tuning = {.chunk_bytes = 64 * kKiB, .slots = 8, .queue_pairs = 1}};
  for (const absl::string_view transport : {"tcp", "shm"}) Know(path, transport, addresses, sweep);
}

void KnowSsds(const std::string& path, const std::vector<std::string>& directories) {
  Know(path, "ssd", directories,
       {.profile = {.bytes_per_second = 2e9,
                    .requests_per_second = 1e5,
                    .read_seconds = 1e-4,
                    .processor_share = 0.1},
        .tuning = {.chunk_bytes = 256 * kKiB, .slots = 8, .queue_pairs = 1},
        .is_device = true,
        .least_bytes_in_flight = 2 * kMiB});
}

}  // namespace fargraph
