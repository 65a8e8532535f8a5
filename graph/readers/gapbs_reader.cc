#include "graph/readers/gapbs_reader.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graph/readers/buffered_reader.h"
#include "graph/readers/csr_reader.h"

namespace fargraph {
namespace {

constexpr uint64_t kEdgesAt = 1;
constexpr uint64_t kVerticesAt = 9;
constexpr uint64_t kOffsetsAt = 17;
constexpr uint64_t kOffsetBytes = 8;
constexpr uint64_t kIdBytes = 4;
constexpr uint64_t kWeightBytes = 4;
constexpr uint64_t kMaxVertices = std::numeric_limits<int32_t>::max();
constexpr uint64_t kMostEdges = uint64_t{1} << 56;  // so that no size in bytes overflows

template <typename Number>
Number Load(const char* bytes) {
  Number number;
  std::memcpy(&number, bytes, sizeof(number));
  return number;
}

uint64_t TargetBytes(const GapbsHeader& header) {
  return header.weighted ? kIdBytes + kWeightBytes : kIdBytes;
}

uint64_t TargetsAt(const GapbsHeader& header) {
  return kOffsetsAt + (header.vertices + 1) * kOffsetBytes;
}

uint64_t FileBytes(const GapbsHeader& header) {
  const uint64_t one_direction =
      (header.vertices + 1) * kOffsetBytes + header.edges * TargetBytes(header);
  return kOffsetsAt + (header.directed ? 2 : 1) * one_direction;
}

GapbsHeader LoadHeader(absl::string_view head) {
  GapbsHeader header;
  header.directed = head[0] != 0;
  header.edges = Load<uint64_t>(head.data() + kEdgesAt);
  header.vertices = Load<uint64_t>(head.data() + kVerticesAt);
  return header;
}

class GapbsReader final : public CsrReader {
 public:
  GapbsReader(std::shared_ptr<const InputFile> input, const GapbsHeader& header,
              BufferedReader offsets, BufferedReader targets)
      : CsrReader(Properties(header), header.edges),
        input_(std::move(input)),
        target_bytes_(TargetBytes(header)),
        offsets_(std::move(offsets)),
        targets_(std::move(targets)) {}

 protected:
  absl::StatusOr<uint64_t> ReadListEnd(uint64_t /*vertex*/) override {
    FARGRAPH_RETURN_IF_ERROR(Need(kOffsetBytes, offsets_));
    const auto end = Load<uint64_t>(offsets_.available().data());
    offsets_.Consume(kOffsetBytes);
    return end;
  }

  absl::StatusOr<size_t> ReadTargets(absl::Span<InputEdge> edges) override {
    FARGRAPH_RETURN_IF_ERROR(Need(target_bytes_, targets_));
    const char* next = targets_.available().data();
    const size_t count =
        std::min<size_t>(edges.size(), targets_.available().size() / target_bytes_);
    const bool weighted = target_bytes_ > kIdBytes;
    for (size_t i = 0; i < count; ++i, next += target_bytes_) {
      edges[i].target = Load<uint32_t>(next);
      edges[i].weight_bits = weighted ? Load<uint32_t>(next + kIdBytes) : 0;
      if (edges[i].target >= vertices()) {
        return OffsetError(*input_, targets_.offset() + i * target_bytes_,
                           absl::StrCat("the target ", Load<int32_t>(next),
                                        " of an edge is not "
                                        "among the ",
                                        vertices(),
                                        " vertices; the file is damaged, "
                                        "get it again"));
      }
    }
    targets_.Consume(count * target_bytes_);
    return count;
  }

  /// The size was checked before the reader was made.
  absl::Status CheckEnd() override { return absl::OkStatus(); }

  absl::Status ListEndError(absl::string_view problem) const override {
    return OffsetError(*input_, offsets_.offset() - kOffsetBytes, problem);
  }

 private:
  static InputProperties Properties(const GapbsHeader& header) {
    InputProperties properties;
    properties.format = header.weighted ? "GAPBS .wsg" : "GAPBS .sg";
    properties.weight_type = header.weighted ? WeightType::kInt32 : WeightType::kNone;
    properties.declares_vertices = true;
    properties.declared_vertices = header.vertices;
    properties.both_directions = !header.directed;
    return properties;
  }

  absl::Status Need(size_t bytes, BufferedReader& reader) const {
    FARGRAPH_ASSIGN_OR_RETURN(const bool there, reader.FillTo(bytes));
    if (there) return absl::OkStatus();
    return ShrunkError(*input_, reader.offset());
  }

  std::shared_ptr<const InputFile> input_;
  uint64_t target_bytes_;
  BufferedReader offsets_;
  BufferedReader targets_;
};

}  // namespace

bool BeginsAsGapbs(absl::string_view head) {
  constexpr size_t kBytesToTell = kOffsetsAt + kOffsetBytes;
  if (head.size() < kBytesToTell || static_cast<unsigned char>(head[0]) > 1) return false;
  const GapbsHeader header = LoadHeader(head);
  if (header.vertices == 0 || header.vertices > kMaxVertices || header.edges > kMostEdges) {
    return false;
  }
  const uint64_t offsets_in_head =
      std::min<uint64_t>(header.vertices + 1, (head.size() - kOffsetsAt) / kOffsetBytes);
  uint64_t previous = 0;
  for (uint64_t i = 0; i < offsets_in_head; ++i) {
    const auto offset = Load<uint64_t>(head.data() + kOffsetsAt + i * kOffsetBytes);
    if (offset < previous || offset > (i == 0 ? 0 : header.edges)) return false;
    previous = offset;
  }
  return true;
}

absl::StatusOr<GapbsHeader> ParseGapbsHeader(const InputFile& input, absl::string_view head,
                                             uint64_t size) {
  GapbsHeader header = LoadHeader(head);
  const uint64_t unweighted_bytes = FileBytes(header);
  if (size == unweighted_bytes) return header;
  header.weighted = true;
  if (size == FileBytes(header)) return header;
  return InputError(
      input, absl::StrCat("it begins as a GAPBS graph of ", header.vertices, " vertices and ",
                          header.edges, " edges, which has ", unweighted_bytes, " bytes, or ",
                          FileBytes(header), " with weights, but it has ", size,
                          "; it is truncated or damaged, get it again"));
}

absl::StatusOr<std::unique_ptr<EdgeReader>> OpenGapbsReader(std::shared_ptr<const InputFile> input,
                                                            const GapbsHeader& header) {
  // The first offset is 0, and each of the others ends a list.
  FARGRAPH_ASSIGN_OR_RETURN(BufferedReader offsets,
                            BufferedReader::Open(*input, kOffsetsAt + kOffsetBytes));
  FARGRAPH_ASSIGN_OR_RETURN(BufferedReader targets,
                            BufferedReader::Open(*input, TargetsAt(header)));
  return std::make_unique<GapbsReader>(std::move(input), header, std::move(offsets),
                                       std::move(targets));
}

}  // namespace fargraph
