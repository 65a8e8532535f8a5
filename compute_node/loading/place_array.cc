#include "compute_node/loading/place_array.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "common/status_macros.h"
#include "compute_node/loading/far_upload.h"
#include "compute_node/loading/file_copy.h"
#include "compute_node/placement/far_set.h"
#include "compute_node/tiers/far_space.h"
#include "compute_node/tiers/far_writer.h"

namespace fargraph {
namespace {

/// What lies on one far tier of an array.
struct FarPart {
  FarUpload upload;
  FarSet chunks;                      ///< that this job reads there
  std::unique_ptr<FarWriter> writer;  ///< nullptr if they are there already

  bool IsNew() const { return upload.origin == UploadOrigin::kThisJob; }
};

bool IsOnSsd(const FarPart& part) { return fargraph::IsOnSsd(part.upload.segment.address); }

absl::StatusOr<FarUpload> AttachOrUpload(const ArraySource& source, double far_ratio,
                                         const PlaceOptions& options) {
  FarTier& memory = *options.far_tiers->memory();
  auto found = AttachUpload(source.prefix, source.chunks, far_ratio, memory);
  if (!absl::IsNotFound(found.status())) return found;
  if (options.whole_uploads) far_ratio = 1;
  return FindRoomForUpload(source.prefix, FarSet(source.chunks, far_ratio), far_ratio, memory);
}

/// The part for memory nodes: smaller than planned where they have become full, or what they have
/// free is in pieces, and SSDs can take the rest.
absl::Status PutOnMemoryNodes(const ArraySource& source, double far_ratio,
                              const PlaceOptions& options, std::vector<FarPart>& parts) {
  constexpr double kLeastRatio = 0.001;
  if (far_ratio == 0) return absl::OkStatus();
  absl::StatusOr<FarUpload> upload = AttachOrUpload(source, far_ratio, options);
  while (absl::IsResourceExhausted(upload.status()) && options.far_tiers->ssds() != nullptr) {
    far_ratio /= 2;
    if (far_ratio < kLeastRatio) return absl::OkStatus();
    upload = AttachOrUpload(source, far_ratio, options);
  }
  FARGRAPH_RETURN_IF_ERROR(upload.status());
  parts.push_back({*std::move(upload), FarSet(source.chunks, far_ratio)});
  return absl::OkStatus();
}

/// The part for SSDs.
absl::Status PutOnSsds(const ArraySource& source, FarSet chunks, double far_ratio, SsdArray& ssds,
                       std::vector<FarPart>& parts) {
  auto upload = AttachFile(source.file, source.chunks, ssds);
  if (absl::IsNotFound(upload.status())) {
    upload = AttachStripes(source.stripes, source.chunks, ssds);
  }
  if (absl::IsNotFound(upload.status())) {
    upload = FindRoomForUpload(source.prefix, chunks, far_ratio, ssds);
  }
  FARGRAPH_RETURN_IF_ERROR(upload.status());
  if (upload->origin != UploadOrigin::kGraphFile && source.file != nullptr) {
    ssds.SetCopy(upload->segment, CopyInFile(*source.file, source.chunks, upload->chunks));
  }
  parts.push_back({*std::move(upload), std::move(chunks)});
  return absl::OkStatus();
}

/// Finds the chunks of a far set on the tiers, or room for them.
absl::StatusOr<std::vector<FarPart>> DivideFarSet(const ArraySource& source, const FarSet& far_set,
                                                  const FarRatios& ratios,
                                                  const PlaceOptions& options) {
  FarTiers& tiers = *options.far_tiers;
  std::vector<FarPart> parts;
  FARGRAPH_RETURN_IF_ERROR(PutOnMemoryNodes(source, ratios.on_memory_nodes, options, parts));
  FarSet rest = parts.empty() ? far_set : far_set.Without(parts[0].chunks, source.chunks);
  if (rest.bytes() > 0) {
    FARGRAPH_RETURN_IF_ERROR(PutOnSsds(source, std::move(rest), ratios.far, *tiers.ssds(), parts));
  }
  for (FarPart& part : parts) {
    if (!part.IsNew()) continue;
    FarTier& tier = IsOnSsd(part) ? static_cast<FarTier&>(*tiers.ssds()) : *tiers.memory();
    FARGRAPH_ASSIGN_OR_RETURN(part.writer, FarWriter::Open(tier));
  }
  return parts;
}

/// The places of all chunks; `local` gets the bytes of those that are local, packed in chunk order.
std::vector<ChunkPlace> ChoosePlaces(const ChunkTable& chunks, const std::vector<FarPart>& parts,
                                     const MappedMemory& local) {
  std::vector<ChunkPlace> places(chunks.size());
  const std::byte* next_local = local.data();
  for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    const auto part = std::find_if(parts.begin(), parts.end(), [chunk](const FarPart& candidate) {
      return candidate.chunks.Contains(chunk);
    });
    if (part != parts.end()) {
      places[chunk].far_address = part->upload.segment.address + part->upload.chunks.Offset(chunk);
    } else {
      places[chunk].local = next_local;
      next_local += chunks.ChunkBytes(chunk);
    }
  }
  return places;
}

/// Calls visit(chunk, offset within it, bytes) for the parts of chunks that a block of the array
/// holds.
template <typename Visit>
absl::Status ForEachChunkPart(const ChunkTable& chunks, uint64_t offset,
                              absl::Span<const std::byte> block, Visit&& visit) {
  while (!block.empty()) {
    const size_t chunk = chunks.FindEdge(offset / chunks.edge_bytes());
    const uint64_t within = offset - chunks.FirstEdge(chunk) * chunks.edge_bytes();
    const uint64_t count = std::min<uint64_t>(block.size(), chunks.ChunkBytes(chunk) - within);
    FARGRAPH_RETURN_IF_ERROR(visit(chunk, within, block.first(count)));
    offset += count;
    block.remove_prefix(count);
  }
  return absl::OkStatus();
}

/// What is to be uploaded of a block of the array.
absl::Status WriteBlock(const ChunkTable& chunks, uint64_t offset,
                        absl::Span<const std::byte> block, FarPart& part) {
  const FarUpload& upload = part.upload;
  return ForEachChunkPart(
      chunks, offset, block, [&](size_t chunk, uint64_t within, absl::Span<const std::byte> bytes) {
        if (!upload.chunks.Contains(chunk)) return absl::OkStatus();
        const uint64_t address = upload.segment.address + upload.chunks.Offset(chunk);
        return part.writer->Write(address + within, bytes);
      });
}

absl::Status ContinueUnlessCancelled(const PlaceOptions& options) {
  if (options.cancelled == nullptr || !options.cancelled->load()) return absl::OkStatus();
  return absl::CancelledError("interrupted while loading the graph; nothing was left behind");
}

/// Reads the array once and brings every chunk to its place.
absl::Status FillPlaces(ArrayScan scan, const ChunkTable& chunks,
                        const std::vector<ChunkPlace>& places, std::vector<FarPart>& parts,
                        const PlaceOptions& options) {
  const auto keep = [&](size_t chunk, uint64_t within, absl::Span<const std::byte> bytes) {
    auto* const local = const_cast<std::byte*>(places[chunk].local);
    if (local != nullptr) std::memcpy(local + within, bytes.data(), bytes.size());
    return absl::OkStatus();
  };
  const auto keep_block = [&](uint64_t offset, absl::Span<const std::byte> block) {
    return ForEachChunkPart(chunks, offset, block, keep);
  };
  // A writer is one thread's at a time, and wants what follows on each other.
  const auto write_block = [&](uint64_t offset, absl::Span<const std::byte> block) -> absl::Status {
    FARGRAPH_RETURN_IF_ERROR(ContinueUnlessCancelled(options));
    if (options.on_bytes) options.on_bytes(block.size());
    for (FarPart& part : parts) {
      if (part.writer != nullptr) FARGRAPH_RETURN_IF_ERROR(WriteBlock(chunks, offset, block, part));
    }
    return absl::OkStatus();
  };
  FARGRAPH_RETURN_IF_ERROR(scan(keep_block, write_block));
  for (FarPart& part : parts) {
    if (part.writer != nullptr) FARGRAPH_RETURN_IF_ERROR(part.writer->Flush());
  }
  return absl::OkStatus();
}

/// A damaged edge would lead a kernel out of its arrays. `report`: they are all that is read.
absl::Status CheckStripes(const StripedArray& stripes, bool report, const PlaceOptions& options) {
  return stripes.Check([&](uint64_t bytes) {
    if (report && options.on_bytes) options.on_bytes(bytes);
    return ContinueUnlessCancelled(options);
  });
}

/// What was uploaded is there for this job, and for others where memory nodes hold it. What was
/// there already may have been left by a job that would not keep it.
absl::Status SealParts(const std::vector<FarPart>& parts, const PlaceOptions& options) {
  for (const FarPart& part : parts) {
    if (IsOnSsd(part) || !(part.IsNew() || options.keep)) continue;
    FARGRAPH_RETURN_IF_ERROR(options.far_tiers->memory()->Seal(part.upload.segment, options.keep));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ArrayPlacement> PlaceArray(ArrayScan scan, const ArraySource& source,
                                          const FarRatios& ratios, const PlaceOptions& options) {
  const ChunkTable& chunks = source.chunks;
  const FarSet far_set(chunks, ratios.far);
  ArrayPlacement placement = {.far_bytes = far_set.bytes()};
  std::vector<FarPart> parts;
  if (far_set.bytes() > 0) {
    FARGRAPH_ASSIGN_OR_RETURN(parts, DivideFarSet(source, far_set, ratios, options));
  }

  PlacedArray& array = placement.array;
  array.element_bytes = chunks.edge_bytes();
  const uint64_t local_bytes = chunks.TotalBytes() - far_set.bytes();
  const uint64_t slack_bytes = local_bytes > 0 ? kListSlackBytes : 0;
  FARGRAPH_ASSIGN_OR_RETURN(array.local, MappedMemory::Allocate(local_bytes + slack_bytes));
  array.places = ChoosePlaces(chunks, parts, array.local);
  bool is_read = local_bytes > 0;
  bool are_stripes_read = false;
  for (const FarPart& part : parts) {
    is_read |= part.IsNew() || part.upload.origin == UploadOrigin::kGraphFile;
    are_stripes_read |= part.upload.origin == UploadOrigin::kStripes;
    placement.attached &= !part.IsNew();
    if (IsOnSsd(part)) placement.ssd_bytes += part.chunks.bytes();
  }
  if (is_read) {
    FARGRAPH_RETURN_IF_ERROR(FillPlaces(scan, chunks, array.places, parts, options));
  }
  if (are_stripes_read) {
    FARGRAPH_RETURN_IF_ERROR(CheckStripes(*source.stripes, /*report=*/!is_read, options));
  }
  FARGRAPH_RETURN_IF_ERROR(SealParts(parts, options));
  return placement;
}

}  // namespace fargraph
