#include "compute_node/placement/place_lists.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/placement/far_set.h"
#include "compute_node/placement/file_copy.h"
#include "compute_node/tiers/far_writer.h"
#include "graph/codec/block_codec.h"
#include "graph/format/array_format.h"
#include "graph/format/neighbor_reader.h"

namespace fargraph {
namespace {

/// Where an upload of far chunks lies, and which chunks it holds: perhaps more than this job needs.
struct FarUpload {
  FarSegment segment;
  FarSet chunks;
  bool attached = false;
  bool is_file = false;  ///< of the graph, which nobody has checked yet
};

constexpr absl::string_view kRatio = "/ratio=";

/// Uploads with this prefix hold the same array; the size of the chunks and a far ratio follow.
std::string ArrayPrefix(const GraphFiles& files, Direction direction, absl::string_view array) {
  const bool reverse = direction == Direction::kIn && !files.manifest().symmetric;
  return absl::StrCat("fargraph/", files.manifest().content_id, "/", reverse ? "in." : "out.",
                      array, "/chunk=");
}

/// Uploads with this prefix hold it in the same chunks; a far ratio follows.
std::string UploadPrefix(const GraphFiles& files, Direction direction, absl::string_view array,
                         uint64_t chunk_bytes) {
  return absl::StrCat(ArrayPrefix(files, direction, array), chunk_bytes, kRatio);
}

std::string FormatRatio(double far_ratio) { return absl::StrFormat("%.6f", far_ratio); }

/// The sealed upload with the smallest far ratio that is enough, if there is one. NotFound
/// otherwise.
absl::StatusOr<FarUpload> AttachUpload(const std::string& prefix, const ChunkTable& chunks,
                                       double far_ratio, FarTier& far_tier) {
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<std::string> names, far_tier.FindSegments(prefix));
  std::vector<std::string> ratios;
  for (const std::string& name : names) {
    const std::string ratio(absl::StripPrefix(name, prefix));
    if (ratio >= FormatRatio(far_ratio))
      ratios.push_back(ratio);  // of one width, so they compare as numbers
  }
  std::sort(ratios.begin(), ratios.end());
  for (const std::string& ratio : ratios) {
    double uploaded_ratio = 0;
    if (!absl::SimpleAtod(ratio, &uploaded_ratio)) continue;
    FarSet far_set(chunks, uploaded_ratio);
    absl::StatusOr<FarSegment> segment = far_tier.Attach(prefix + ratio, far_set.bytes());
    if (segment.ok()) return FarUpload{*std::move(segment), std::move(far_set), /*attached=*/true};
    if (!absl::IsNotFound(segment.status())) return std::move(segment).status();
  }
  return absl::NotFoundError("no upload that is enough");
}

/// The graph's own file, where the tier can read it: an upload of all chunks. NotFound otherwise.
absl::StatusOr<FarUpload> AttachFile(const ArrayFile* file, const ChunkTable& chunks,
                                     FarTier& far_tier) {
  if (file == nullptr) return absl::NotFoundError("no file holds the array as the job reads it");
  FARGRAPH_ASSIGN_OR_RETURN(FarSegment segment,
                            far_tier.AttachFile(file->path(), kArrayPageBytes, file->bytes()));
  return FarUpload{std::move(segment), FarSet(chunks, /*far_ratio=*/1), /*attached=*/true,
                   /*is_file=*/true};
}

absl::StatusOr<FarUpload> FindRoomForUpload(const std::string& prefix, const ChunkTable& chunks,
                                            double far_ratio, FarTier& far_tier) {
  FarSet far_set(chunks, far_ratio);
  FARGRAPH_ASSIGN_OR_RETURN(FarSegment segment,
                            far_tier.Allocate(prefix + FormatRatio(far_ratio), far_set.bytes()));
  return FarUpload{std::move(segment), std::move(far_set)};
}

/// The places of all chunks; `local` gets the bytes of those that are local, packed in chunk order.
std::vector<ChunkPlace> ChoosePlaces(const ChunkTable& chunks, const FarSet& far_set,
                                     const FarUpload* upload, const MappedMemory& local) {
  std::vector<ChunkPlace> places(chunks.size());
  const std::byte* next_local = local.data();
  for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    if (far_set.Contains(chunk)) {
      places[chunk].far_address = upload->segment.address + upload->chunks.Offset(chunk);
    } else {
      places[chunk].local = next_local;
      next_local += chunks.ChunkBytes(chunk);
    }
  }
  return places;
}

/// Calls visit(chunk, offset within it, bytes) for the parts of chunks that a block of the array's
/// file holds.
template <typename Visit>
absl::Status ForEachChunkPart(const ChunkTable& chunks, size_t& chunk, uint64_t offset,
                              absl::Span<const std::byte> block, Visit&& visit) {
  while (!block.empty()) {
    while (chunks.FirstEdge(chunk + 1) * chunks.edge_bytes() <= offset) ++chunk;
    const uint64_t within = offset - chunks.FirstEdge(chunk) * chunks.edge_bytes();
    const uint64_t count = std::min<uint64_t>(block.size(), chunks.ChunkBytes(chunk) - within);
    FARGRAPH_RETURN_IF_ERROR(visit(chunk, within, block.first(count)));
    offset += count;
    block.remove_prefix(count);
  }
  return absl::OkStatus();
}

/// Reads an array once, from front to back, as ArrayFile::Scan does.
using BlockVisitor =
    absl::FunctionRef<absl::Status(uint64_t offset, absl::Span<const std::byte> block)>;
using ArrayScan = absl::FunctionRef<absl::Status(BlockVisitor visit)>;

/// Reads the array once and brings every chunk to its place.
absl::Status FillPlaces(ArrayScan scan, const ChunkTable& chunks,
                        const std::vector<ChunkPlace>& places, FarWriter* writer,
                        const PlaceOptions& options) {
  const auto place = [&](size_t chunk, uint64_t within,
                         absl::Span<const std::byte> bytes) -> absl::Status {
    if (places[chunk].local != nullptr) {
      std::memcpy(const_cast<std::byte*>(places[chunk].local) + within, bytes.data(), bytes.size());
      return absl::OkStatus();
    }
    return writer == nullptr ? absl::OkStatus()
                             : writer->Write(places[chunk].far_address + within, bytes);
  };
  size_t chunk = 0;
  const auto place_block = [&](uint64_t offset, absl::Span<const std::byte> block) -> absl::Status {
    if (options.cancelled != nullptr && options.cancelled->load()) {
      return absl::CancelledError("interrupted while loading the graph; nothing was left behind");
    }
    if (options.on_bytes) options.on_bytes(block.size());
    return ForEachChunkPart(chunks, chunk, offset, block, place);
  };
  FARGRAPH_RETURN_IF_ERROR(scan(place_block));
  return writer == nullptr ? absl::OkStatus() : writer->Flush();
}

/// An array in its places.
struct Placement {
  PlacedArray array;
  uint64_t far_bytes = 0;
  std::optional<FarUpload> upload;  ///< nullopt when no chunk is far
};

/// Brings every chunk of an array to its place. `prefix`: of its uploads. `file`: that holds the
/// array as it is scanned, if there is one.
absl::StatusOr<Placement> PlaceArray(ArrayScan scan, const ArrayFile* file,
                                     const ChunkTable& chunks, const std::string& prefix,
                                     double far_ratio, const PlaceOptions& options) {
  const FarSet far_set(chunks, far_ratio);
  Placement placement = {.far_bytes = far_set.bytes()};
  std::optional<FarUpload>& upload = placement.upload;
  std::unique_ptr<FarWriter> writer;
  if (far_set.bytes() > 0) {
    auto found = AttachFile(file, chunks, *options.far_tier);
    if (absl::IsNotFound(found.status())) {
      found = AttachUpload(prefix, chunks, far_ratio, *options.far_tier);
    }
    if (absl::IsNotFound(found.status())) {
      found = FindRoomForUpload(prefix, chunks, far_ratio, *options.far_tier);
    }
    FARGRAPH_ASSIGN_OR_RETURN(upload, std::move(found));
    if (!upload->attached) {
      FARGRAPH_ASSIGN_OR_RETURN(writer, FarWriter::Open(*options.far_tier));
      if (file != nullptr) {
        options.far_tier->SetCopy(upload->segment, CopyInFile(*file, chunks, upload->chunks));
      }
    }
  }

  PlacedArray& array = placement.array;
  const uint64_t local_bytes = chunks.TotalBytes() - far_set.bytes();
  const uint64_t slack_bytes = local_bytes > 0 ? kCodeSlackBytes : 0;
  FARGRAPH_ASSIGN_OR_RETURN(array.local, MappedMemory::Allocate(local_bytes + slack_bytes));
  array.places = ChoosePlaces(chunks, far_set, upload ? &*upload : nullptr, array.local);
  if (local_bytes > 0 || writer != nullptr || (upload && upload->is_file)) {
    FARGRAPH_RETURN_IF_ERROR(FillPlaces(scan, chunks, array.places, writer.get(), options));
  }
  if (writer != nullptr) {
    FARGRAPH_RETURN_IF_ERROR(options.far_tier->Seal(upload->segment, options.keep));
  }
  return placement;
}

}  // namespace

absl::StatusOr<std::set<uint64_t>> UploadedChunkSizes(const GraphFiles& files, Direction direction,
                                                      absl::string_view array, double far_ratio,
                                                      FarTier& far_tier) {
  const std::string prefix = ArrayPrefix(files, direction, array);
  FARGRAPH_ASSIGN_OR_RETURN(const std::vector<std::string> names, far_tier.FindSegments(prefix));
  std::set<uint64_t> sizes;
  for (const std::string& name : names) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(absl::StripPrefix(name, prefix), absl::MaxSplits(kRatio, 1));
    uint64_t chunk_bytes = 0;
    if (parts.second >= FormatRatio(far_ratio) && absl::SimpleAtoi(parts.first, &chunk_bytes)) {
      sizes.insert(chunk_bytes);
    }
  }
  return sizes;
}

absl::StatusOr<PlacedLists> PlaceLists(const GraphFiles& files, Direction direction,
                                       double far_ratio, bool with_weights,
                                       const PlaceOptions& options) {
  FARGRAPH_ASSIGN_OR_RETURN(VertexArray<EdgeOffset> index, files.ReadIndex(direction));
  const auto prefix = [&](absl::string_view array) {
    return UploadPrefix(files, direction, array, options.tuning.chunk_bytes);
  };
  ChunkTable chunks(index, sizeof(VertexId), options.tuning.chunk_bytes);
  const auto scan_edges = [&](BlockVisitor visit) {
    return ScanNeighbors(files, direction, visit);
  };
  const ArrayFile* const edges_file =
      files.manifest().compressed ? nullptr : &files.Edges(direction);
  FARGRAPH_ASSIGN_OR_RETURN(Placement edges, PlaceArray(scan_edges, edges_file, chunks,
                                                        prefix("edges"), far_ratio, options));
  Placement weights;
  if (with_weights) {
    // The same cut, in bytes of weights.
    const ChunkTable weight_chunks(index, kWeightBytes,
                                   options.tuning.chunk_bytes / sizeof(VertexId) * kWeightBytes);
    const auto scan_weights = [&](BlockVisitor visit) {
      return files.Weights(direction).Scan(visit);
    };
    FARGRAPH_ASSIGN_OR_RETURN(weights,
                              PlaceArray(scan_weights, &files.Weights(direction), weight_chunks,
                                         prefix("weights"), far_ratio, options));
  }

  PlacedLists placed = {.far_bytes = edges.far_bytes + weights.far_bytes};
  if (edges.upload.has_value()) {
    placed.attached = edges.upload->attached && (!with_weights || weights.upload->attached);
  }
  placed.lists = std::make_shared<EdgeLists>(std::move(index), std::move(chunks),
                                             std::move(edges.array), std::move(weights.array));
  return placed;
}

absl::StatusOr<PlacedLists> PlaceCodes(const GraphFiles& files, Direction direction,
                                       double far_ratio, const PlaceOptions& options) {
  FARGRAPH_ASSIGN_OR_RETURN(VertexArray<uint64_t> code_index, files.ReadCodeIndex(direction));
  const auto too_long =
      std::adjacent_find(code_index.begin(), code_index.end(), [](uint64_t begin, uint64_t end) {
        return end - begin > std::numeric_limits<uint32_t>::max();
      });
  if (too_long != code_index.end()) {
    return absl::FailedPreconditionError(
        absl::StrCat("Placing the lists of ", files.path(), ": the code of a list has ",
                     FormatBytes(*(too_long + 1) - *too_long),
                     ", and 4 GiB is too much; convert the graph again without --compress"));
  }
  ChunkTable chunks(code_index, /*edge_bytes=*/1, options.tuning.chunk_bytes);
  VertexArray<uint32_t> code_begin(code_index.size());
  std::copy(code_index.begin(), code_index.end(), code_begin.begin());  // modulo 2^32
  code_index = VertexArray<uint64_t>();  // before the chunks take its memory

  const std::string prefix = UploadPrefix(files, direction, "codes", options.tuning.chunk_bytes);
  const auto scan = [&](BlockVisitor visit) { return files.Codes(direction).Scan(visit); };
  FARGRAPH_ASSIGN_OR_RETURN(Placement codes, PlaceArray(scan, &files.Codes(direction), chunks,
                                                        prefix, far_ratio, options));
  FARGRAPH_ASSIGN_OR_RETURN(VertexArray<EdgeOffset> index, files.ReadIndex(direction));
  return PlacedLists{
      .lists = std::make_shared<EdgeLists>(std::move(index), std::move(chunks),
                                           std::move(codes.array), std::move(code_begin)),
      .far_bytes = codes.far_bytes,
      .attached = codes.upload.has_value() && codes.upload->attached};
}

}  // namespace fargraph
