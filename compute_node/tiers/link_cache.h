#ifndef FARGRAPH_COMPUTE_NODE_TIERS_LINK_CACHE_H_
#define FARGRAPH_COMPUTE_NODE_TIERS_LINK_CACHE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/files/cache_file.h"
#include "compute_node/tiers/far_tier.h"
#include "compute_node/tiers/link_sweep.h"

namespace fargraph {

/// A link: who reads from where, how. (For verbs the two hosts decide which device.)
struct LinkId {
  std::string host;            ///< the compute node; a home directory may serve many
  std::vector<FarNode> nodes;  ///< ascending by address
  std::string transport;       ///< as FarTier says
  uint32_t threads = 0;
};

struct CachedSweep {
  LinkSweep sweep;
  absl::Time measured;
};

/// What was measured of links, in a small file, so that a job need not measure again and cuts a
/// graph as the job before it did, whose upload it may find on the memory nodes.
///
/// An entry is valid as long as the same memory node processes answer at the addresses, since what
/// they keep was cut by it; and for a week when they have been restarted, since the link is
/// probably the same.
class LinkCache {
 public:
  /// links.json in $XDG_CACHE_HOME/fargraph or ~/.cache/fargraph; empty when neither is set.
  static std::string DefaultPath();

  /// An empty path is a cache that keeps nothing.
  explicit LinkCache(std::string path);

  std::optional<CachedSweep> Find(const LinkId& link) const;
  /// Errors of the file system; the file is then as it was.
  absl::Status Store(const LinkId& link, const CachedSweep& entry) const;
  /// Errors as Store's.
  absl::Status Forget(const LinkId& link) const;

 private:
  CacheFile file_;
};

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TIERS_LINK_CACHE_H_
