#include "graph/striping/place_graph.h"

#include <memory>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/format/neighbor_reader.h"
#include "graph/striping/striped_array.h"
#include "graph/striping/stripes_writer.h"

namespace fargraph {
namespace {

/// An array of the graph, and how it is read.
struct Source {
  ScannedArray array;
  std::function<absl::Status(BlockVisitor in_order)> scan;
};

/// All that jobs may read of the lists.
std::vector<Source> SourcesOf(const GraphFiles& files) {
  const GraphManifest& graph = files.manifest();
  std::vector<Source> sources;
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const bool is_reverse = direction == Direction::kIn;
    if (is_reverse && (graph.symmetric || !graph.has_reverse)) continue;
    sources.push_back({ScannedEdges(graph, direction), [&files, direction](BlockVisitor in_order) {
                         return ScanNeighbors(files, direction, IgnoreBlock, in_order);
                       }});
    if (graph.weight_type == WeightType::kNone) continue;
    sources.push_back(
        {ScannedWeights(graph, direction), [&files, direction](BlockVisitor in_order) {
           return files.Weights(direction).Scan(in_order);
         }});
  }
  return sources;
}

class Placing {
 public:
  Placing(const GraphFiles& files, const PlaceGraphOptions& options)
      : files_(files), options_(options), sources_(SourcesOf(files)) {
    for (const Source& source : sources_) report_.bytes += source.array.bytes();
  }

  absl::StatusOr<PlaceReport> Run() {
    for (const Source& source : sources_) {
      FARGRAPH_ASSIGN_OR_RETURN(const bool is_there, IsThere(source.array));
      if (!is_there) FARGRAPH_RETURN_IF_ERROR(Write(source));
    }
    return report_;
  }

 private:
  /// Whole and undamaged.
  absl::StatusOr<bool> IsThere(const ScannedArray& array) {
    const auto found = StripedArray::Find(files_.manifest(), array, options_.directories);
    if (!found.ok() || *found == nullptr) return false;
    const uint64_t done_before = done_;
    const absl::Status status = (*found)->Check([this](uint64_t bytes) { return Report(bytes); });
    if (!status.ok()) done_ = done_before;
    if (absl::IsCancelled(status)) return status;
    return status.ok();
  }

  absl::Status Write(const Source& source) {
    FARGRAPH_ASSIGN_OR_RETURN(
        StripesWriter stripes,
        StripesWriter::Create(files_.manifest(), source.array, options_.directories));
    const auto append = [&](uint64_t, absl::Span<const std::byte> block) {
      const absl::Status status = Report(block.size());
      return status.ok() ? stripes.Append(block) : status;
    };
    FARGRAPH_RETURN_IF_ERROR(source.scan(append));
    FARGRAPH_RETURN_IF_ERROR(stripes.Commit());
    report_.written_bytes += source.array.bytes();
    return absl::OkStatus();
  }

  absl::Status Report(uint64_t bytes) {
    if (options_.cancelled && options_.cancelled()) {
      return absl::CancelledError(absl::StrCat("interrupted while placing ", files_.path(),
                                               "; what was written in part is removed"));
    }
    done_ += bytes;
    if (options_.progress) options_.progress(done_, report_.bytes);
    return absl::OkStatus();
  }

  const GraphFiles& files_;
  const PlaceGraphOptions& options_;
  const std::vector<Source> sources_;
  PlaceReport report_;
  uint64_t done_ = 0;
};

}  // namespace

absl::StatusOr<PlaceReport> PlaceGraph(const GraphFiles& files, const PlaceGraphOptions& options) {
  return Placing(files, options).Run();
}

}  // namespace fargraph
