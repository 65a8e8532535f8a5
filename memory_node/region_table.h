#ifndef FARGRAPH_MEMORY_NODE_REGION_TABLE_H_
#define FARGRAPH_MEMORY_NODE_REGION_TABLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "memory_node/extent_allocator.h"

namespace fargraph {

/// A named piece of the arena; what it is never changes, so copies are as good as the original.
struct Region {
  std::string id;
  std::string name;
  uint64_t bytes = 0;  ///< as asked for; the extent is as long or a little longer
  Extent extent;
};

/// Which regions there are, by whom they are held, and when their memory may return:
///
///   Add ──► unsealed ──Seal──► sealed, known by its name ──Forget──► nameless
///
/// A region dies with its last holder, unless it is sealed, kept and has its name. Keys and memory
/// are the caller's to deal with, after a call has said that a region died. Any thread may call.
class RegionTable {
 public:
  /// `prefix` begins every region's id: with that of another run of the node, an id of that run is
  /// never taken for one of this.
  explicit RegionTable(std::string prefix) : prefix_(std::move(prefix)) {}

  /// InvalidArgument when no region can have that name.
  static absl::Status CheckName(absl::string_view name);

  /// A new region, unsealed, with one holder. The name has passed CheckName.
  Region Add(const std::string& name, uint64_t bytes, const Extent& extent);

  /// Makes a held region known by its name, and answers with it; or, when a sealed region has that
  /// name already, takes one more hold of that one and answers with it. AlreadyExists, with nothing
  /// changed, when that one is of another size. `keep` of any of them keeps the region, also of one
  /// that is sealed already.
  absl::StatusOr<Region> Seal(const std::string& id, bool keep);

  /// One more hold of the sealed region of that name; NotFound when there is none.
  absl::StatusOr<Region> Attach(const std::string& name);

  /// Lets go of one hold; the region if it died with that.
  std::optional<Region> Release(const std::string& id);

  /// Takes a sealed region's name from it; the region if it died with that. A region that is gone
  /// already is as good as forgotten. PermissionDenied for an unsealed region, which is its lease's
  /// own; NotFound when there never was one of that id.
  absl::StatusOr<std::optional<Region>> Forget(const std::string& id);

  struct Summary {
    Region region;
    bool keep = false;
    uint32_t holders = 0;
  };
  /// The sealed regions whose names begin with `name_prefix`, in the order of their names.
  std::vector<Summary> List(absl::string_view name_prefix) const;

  /// Of every kind.
  size_t size() const;

 private:
  struct Entry {
    Region region;
    bool sealed = false;
    bool keep = false;
    bool forgotten = false;
    uint32_t holders = 1;

    bool IsDead() const { return holders == 0 && !(sealed && keep && !forgotten); }
  };
  using Entries = absl::btree_map<uint64_t, Entry>;

  Entries::iterator Find(absl::string_view id) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  /// The number within an id of this table's making; nothing for another text.
  std::optional<uint64_t> NumberOf(absl::string_view id) const;
  void DropName(Entry& entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::optional<Region> RemoveIfDead(Entries::iterator entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::string prefix_;
  mutable absl::Mutex mutex_;
  uint64_t next_number_ ABSL_GUARDED_BY(mutex_) = 1;
  Entries entries_ ABSL_GUARDED_BY(mutex_);                                        ///< by number
  absl::btree_map<std::string, uint64_t> number_of_name_ ABSL_GUARDED_BY(mutex_);  ///< the sealed
};

}  // namespace fargraph

#endif  // FARGRAPH_MEMORY_NODE_REGION_TABLE_H_
