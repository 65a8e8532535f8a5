#include "compute_node/fargraph.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/mapped_memory.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/placement/access_sampler.h"
#include "compute_node/tiers/far_memory.h"
#include "compute_node/tiers/far_writer.h"

namespace fargraph {
namespace {

constexpr uint64_t kChunkAlignment = 8;
constexpr uint64_t kSlotAlignment = 64;

enum class ChunkState : uint8_t { kUnwritten, kWritten, kStarted };

/// What is known of how the program uses a segment.
struct Knowledge {
  std::optional<Sensitivity> sensitivity;  ///< nullopt while it is being sampled
  std::string source;                      ///< where it is from
};

/// A segment in chunks. Of `chunks` chunks `far_chunks` are far, evenly spread: chunk i is far
/// where i * far_chunks / chunks steps up, which also counts the far chunks before it.
struct Segment {
  TransferableSegment flag;
  Knowledge knowledge;
  uint64_t chunk_bytes = 0;
  uint64_t chunks = 0;
  uint64_t far_chunks = 0;
  MappedMemory local;
  FarSegment far;
  std::vector<ChunkState> states;

  uint64_t FarChunksBefore(uint64_t chunk) const { return chunk * far_chunks / chunks; }
  bool IsFar(uint64_t chunk) const { return FarChunksBefore(chunk + 1) > FarChunksBefore(chunk); }
  uint64_t FarAddress(uint64_t chunk) const {
    return far.address + FarChunksBefore(chunk) * chunk_bytes;
  }
  std::byte* LocalBytes(uint64_t chunk) const {
    return local.data() + (chunk - FarChunksBefore(chunk)) * chunk_bytes;
  }
  uint64_t BytesOf(uint64_t chunk) const {
    return std::min(chunk_bytes, flag.bytes - chunk * chunk_bytes);
  }
  uint64_t FarBytes() const { return std::min(far_chunks * chunk_bytes, flag.bytes); }
};

/// A read buffer and the far chunk that it holds or awaits.
struct Slot {
  enum class Use : uint8_t { kFree, kUnderWay, kArrived, kUnwanted } use = Use::kFree;
  size_t segment = 0;
  uint64_t chunk = 0;
};

Knowledge LearnFrom(const SampledAccesses& sample) {
  const std::optional<Behaviour> behaviour = sample.behaviour();
  if (!behaviour) return {Sensitivity::kRandomWrite, "too little was seen of it: it stays local"};
  return {SensitivityOf(*behaviour),
          absl::StrFormat("a sample: %.0f pages touched a second", sample.touches_per_second)};
}

absl::Status CheckFlags(const std::vector<TransferableSegment>& segments,
                        const TransferOptions& options) {
  for (const TransferableSegment& segment : segments) {
    if (segment.bytes == 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "flagging segment '", segment.name, "' as transferable: it has no bytes; leave it out"));
    }
    if (!segment.sensitivity && segment.array == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat(
          "flagging segment '", segment.name,
          "' as transferable: nothing tells what the program does with it; declare its "
          "sensitivity, or give its array, so that it can be sampled"));
    }
  }
  if (!(options.far_ratio >= 0 && options.far_ratio <= 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("flagging segments as transferable: a far ratio of ", options.far_ratio,
                     " makes no sense; choose one from 0 to 1"));
  }
  if (options.chunk_bytes == 0 || options.chunk_bytes % kChunkAlignment != 0 ||
      options.buffers == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "flagging segments as transferable: chunks of ", options.chunk_bytes, " bytes with ",
        options.buffers, " buffers make no sense; choose a multiple of 8 and at least one buffer"));
  }
  return absl::OkStatus();
}

}  // namespace

struct FarProgram::State {
  TransferOptions options;
  std::vector<Segment> segments;
  std::unique_ptr<AccessSampler> sampler;  ///< of the segments without declaration, while it runs
  bool connected = false;
  std::unique_ptr<FarMemory> far_memory;
  MappedMemory buffers;
  std::unique_ptr<transport::MemoryRegion> buffers_region;
  std::unique_ptr<TierQueue> queue;
  std::unique_ptr<FarWriter> writer;
  std::vector<Slot> slots;
  std::vector<uint32_t> arrived;

  uint64_t SlotBytes() const {
    return (options.chunk_bytes + kSlotAlignment - 1) / kSlotAlignment * kSlotAlignment;
  }
  std::byte* SlotBuffer(size_t slot) const { return buffers.data() + slot * SlotBytes(); }

  absl::Status WatchUndeclared();
  void ChoosePlaces();
  absl::Status Check(absl::string_view doing, size_t segment, uint64_t chunk) const;
  absl::StatusOr<Slot*> FindSlot(size_t segment, uint64_t chunk);
  absl::Status Reap();
};

FarProgram::FarProgram(std::unique_ptr<State> state) : state_(std::move(state)) {}
FarProgram::~FarProgram() = default;

/// Is there such a chunk, and a place for it?
absl::Status FarProgram::State::Check(absl::string_view doing, size_t segment,
                                      uint64_t chunk) const {
  if (!connected) {
    return absl::FailedPreconditionError(absl::StrCat(doing, ": call Build_connection first"));
  }
  if (segment >= segments.size() || chunk >= segments[segment].chunks) {
    return absl::InvalidArgumentError(absl::StrCat(doing, ": there is no chunk ", chunk,
                                                   " of segment ", segment, "; see Far_chunks"));
  }
  return absl::OkStatus();
}

/// The buffer that is reading or holding the chunk; nullptr when there is none.
absl::StatusOr<Slot*> FarProgram::State::FindSlot(size_t segment, uint64_t chunk) {
  FARGRAPH_RETURN_IF_ERROR(Reap());
  for (Slot& slot : slots) {
    const bool in_use = slot.use == Slot::Use::kUnderWay || slot.use == Slot::Use::kArrived;
    if (in_use && slot.segment == segment && slot.chunk == chunk) return &slot;
  }
  return nullptr;
}

/// Takes note of what has arrived.
absl::Status FarProgram::State::Reap() {
  if (queue == nullptr || queue->in_flight() == 0) return absl::OkStatus();
  FARGRAPH_ASSIGN_OR_RETURN(const size_t count, queue->Poll(absl::MakeSpan(arrived)));
  for (size_t i = 0; i < count; ++i) {
    Slot& slot = slots[arrived[i]];
    slot.use = slot.use == Slot::Use::kUnwanted ? Slot::Use::kFree : Slot::Use::kArrived;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<FarProgram>> Add_transferable_flag(
    const std::vector<TransferableSegment>& segments, const TransferOptions& options) {
  FARGRAPH_RETURN_IF_ERROR(CheckFlags(segments, options));
  auto state = std::make_unique<FarProgram::State>();
  state->options = options;
  for (const TransferableSegment& flag : segments) {
    Segment& segment = state->segments.emplace_back();
    segment.flag = flag;
    segment.knowledge = {flag.sensitivity, flag.sensitivity ? "declared" : "being sampled"};
    segment.chunk_bytes = options.chunk_bytes;
    segment.chunks = (flag.bytes + options.chunk_bytes - 1) / options.chunk_bytes;
    segment.states.resize(segment.chunks, ChunkState::kUnwritten);
  }
  FARGRAPH_RETURN_IF_ERROR(state->WatchUndeclared());
  if (state->sampler == nullptr) state->ChoosePlaces();
  return std::make_unique<FarProgram>(std::move(state));
}

absl::Status FarProgram::State::WatchUndeclared() {
  std::vector<absl::Span<const std::byte>> arrays;
  for (const Segment& segment : segments) {
    if (segment.flag.sensitivity) continue;
    arrays.emplace_back(static_cast<const std::byte*>(segment.flag.array), segment.flag.bytes);
  }
  if (arrays.empty()) return absl::OkStatus();
  FARGRAPH_ASSIGN_OR_RETURN(sampler, AccessSampler::Start(arrays));
  return absl::OkStatus();
}

/// Group by group.
void FarProgram::State::ChoosePlaces() {
  double bytes_to_move = 0;
  for (const Segment& segment : segments) {
    bytes_to_move += options.far_ratio * static_cast<double>(segment.flag.bytes);
  }
  for (const Sensitivity group :
       {Sensitivity::kStreamed, Sensitivity::kIndexed, Sensitivity::kSequentialWrite}) {
    for (Segment& segment : segments) {
      if (segment.knowledge.sensitivity != group) continue;
      const double chunks = std::round(bytes_to_move / static_cast<double>(options.chunk_bytes));
      segment.far_chunks = std::min(segment.chunks, static_cast<uint64_t>(std::max(0.0, chunks)));
      bytes_to_move -= static_cast<double>(segment.FarBytes());
    }
  }
}

absl::Status Far_sample_complete(FarProgram& program) {
  FarProgram::State& state = program.state();
  if (state.sampler == nullptr) return absl::OkStatus();
  const std::vector<SampledAccesses> samples = state.sampler->Stop();
  state.sampler.reset();
  size_t next = 0;
  for (Segment& segment : state.segments) {
    if (!segment.knowledge.sensitivity) segment.knowledge = LearnFrom(samples[next++]);
  }
  state.ChoosePlaces();
  return absl::OkStatus();
}

std::string Far_explain(const FarProgram& program) {
  constexpr char kRow[] = "%-16s %-22s %10s %10s  %s\n";
  std::string text = absl::StrFormat(kRow, "segment", "group", "size", "far", "known from");
  for (const Segment& segment : program.state().segments) {
    const auto& [group, source] = segment.knowledge;
    absl::StrAppendFormat(&text, kRow, segment.flag.name, group ? SensitivityName(*group) : "-",
                          FormatBytes(segment.flag.bytes), FormatBytes(segment.FarBytes()), source);
  }
  return text;
}

std::optional<Sensitivity> Far_sensitivity(const FarProgram& program, size_t segment) {
  return program.state().segments[segment].knowledge.sensitivity;
}

absl::Status Build_connection(FarProgram& program, const std::vector<std::string>& memory_nodes,
                              const ConnectionOptions& options) {
  FarProgram::State& state = program.state();
  if (state.connected)
    return absl::FailedPreconditionError("building a connection: this program has one already");
  FARGRAPH_RETURN_IF_ERROR(Far_sample_complete(program));
  if (Far_bytes(program) > 0) {
    if (memory_nodes.empty()) {
      return absl::InvalidArgumentError(
          "building a connection: some segments are far; name at least one memory node as "
          "HOST:PORT");
    }
    std::optional<transport::Kind> kind;
    if (options.transport != "auto") {
      FARGRAPH_ASSIGN_OR_RETURN(kind, transport::ParseKind(options.transport));
    }
    FARGRAPH_ASSIGN_OR_RETURN(state.far_memory,
                              FarMemory::Connect({.memory_nodes = memory_nodes,
                                                  .transport = kind,
                                                  .control = {.token = options.token}}));
    state.slots.resize(state.options.buffers);
    state.arrived.resize(state.options.buffers);
    FARGRAPH_ASSIGN_OR_RETURN(state.buffers,
                              MappedMemory::Allocate(state.options.buffers * state.SlotBytes()));
    FARGRAPH_ASSIGN_OR_RETURN(state.buffers_region,
                              state.far_memory->RegisterMemory(state.buffers.bytes()));
    FARGRAPH_ASSIGN_OR_RETURN(
        state.queue, state.far_memory->OpenQueue(*state.buffers_region, state.options.buffers));
    FARGRAPH_ASSIGN_OR_RETURN(state.writer, FarWriter::Open(*state.far_memory));
  }
  for (Segment& segment : state.segments) {
    if (segment.far_chunks > 0) {
      FARGRAPH_ASSIGN_OR_RETURN(
          segment.far, state.far_memory->Allocate("program/" + segment.flag.name,
                                                  segment.far_chunks * segment.chunk_bytes));
    }
    const uint64_t local_bytes = (segment.chunks - segment.far_chunks) * segment.chunk_bytes;
    FARGRAPH_ASSIGN_OR_RETURN(segment.local, MappedMemory::Allocate(local_bytes));
  }
  state.connected = true;
  return absl::OkStatus();
}

uint64_t Far_chunks(const FarProgram& program, size_t segment) {
  return program.state().segments[segment].chunks;
}

uint64_t Far_chunk_bytes(const FarProgram& program, size_t segment, uint64_t chunk) {
  return program.state().segments[segment].BytesOf(chunk);
}

uint64_t Far_bytes(const FarProgram& program) {
  uint64_t bytes = 0;
  for (const Segment& segment : program.state().segments) {
    bytes += segment.FarBytes();
  }
  return bytes;
}

absl::Status Far_write_start(FarProgram& program, size_t segment, uint64_t chunk,
                             absl::Span<const std::byte> bytes) {
  FarProgram::State& state = program.state();
  FARGRAPH_RETURN_IF_ERROR(state.Check("writing to far memory", segment, chunk));
  Segment& target = state.segments[segment];
  if (bytes.size() != target.BytesOf(chunk)) {
    return absl::InvalidArgumentError(
        absl::StrCat("writing chunk ", chunk, " of '", target.flag.name, "': it has ",
                     target.BytesOf(chunk), " bytes, not ", bytes.size()));
  }
  if (target.states[chunk] == ChunkState::kStarted) {
    return absl::FailedPreconditionError(absl::StrCat("writing chunk ", chunk, " of '",
                                                      target.flag.name,
                                                      "': it is being read; release it first"));
  }
  target.states[chunk] = ChunkState::kWritten;
  if (target.IsFar(chunk)) return state.writer->Write(target.FarAddress(chunk), bytes);
  std::memcpy(target.LocalBytes(chunk), bytes.data(), bytes.size());
  return absl::OkStatus();
}

absl::Status Far_write_complete(FarProgram& program, size_t segment) {
  FarProgram::State& state = program.state();
  FARGRAPH_RETURN_IF_ERROR(state.Check("completing writes to far memory", segment, 0));
  return state.writer == nullptr ? absl::OkStatus() : state.writer->Flush();
}

absl::Status Far_read_start(FarProgram& program, size_t segment, uint64_t chunk) {
  FarProgram::State& state = program.state();
  FARGRAPH_RETURN_IF_ERROR(state.Check("starting a read from far memory", segment, chunk));
  Segment& source = state.segments[segment];
  if (source.states[chunk] != ChunkState::kWritten) {
    const char* why = source.states[chunk] == ChunkState::kStarted
                          ? "was started already; complete and release it"
                          : "was never written; write it first";
    return absl::FailedPreconditionError(
        absl::StrCat("reading chunk ", chunk, " of '", source.flag.name, "': it ", why));
  }
  if (source.IsFar(chunk)) {
    FARGRAPH_RETURN_IF_ERROR(state.Reap());
    const auto slot =
        std::find_if(state.slots.begin(), state.slots.end(),
                     [](const Slot& candidate) { return candidate.use == Slot::Use::kFree; });
    if (slot == state.slots.end()) {
      return absl::ResourceExhaustedError(absl::StrCat(
          "reading chunk ", chunk, " of '", source.flag.name, "': all ", state.slots.size(),
          " buffers are held; release one first, or ask for more"));
    }
    *slot = {.use = Slot::Use::kUnderWay, .segment = segment, .chunk = chunk};
    const size_t tag = slot - state.slots.begin();
    const Extent extent = {.address = source.FarAddress(chunk),
                           .length = source.BytesOf(chunk),
                           .destination = state.SlotBuffer(tag)};
    FARGRAPH_RETURN_IF_ERROR(state.queue->Submit({&extent, 1}, tag));
  }
  source.states[chunk] = ChunkState::kStarted;
  return state.Reap();  // and the read has left
}

absl::StatusOr<bool> Far_read_ready(FarProgram& program, size_t segment, uint64_t chunk) {
  FarProgram::State& state = program.state();
  FARGRAPH_RETURN_IF_ERROR(state.Check("reading from far memory", segment, chunk));
  const Segment& source = state.segments[segment];
  if (source.states[chunk] != ChunkState::kStarted) {
    return absl::FailedPreconditionError(absl::StrCat(
        "reading chunk ", chunk, " of '", source.flag.name, "': call Far_read_start first"));
  }
  if (!source.IsFar(chunk)) return true;
  FARGRAPH_ASSIGN_OR_RETURN(const Slot* slot, state.FindSlot(segment, chunk));
  return slot->use == Slot::Use::kArrived;
}

absl::StatusOr<absl::Span<const std::byte>> Far_read_complete(FarProgram& program, size_t segment,
                                                              uint64_t chunk) {
  FarProgram::State& state = program.state();
  for (;;) {
    FARGRAPH_ASSIGN_OR_RETURN(const bool ready, Far_read_ready(program, segment, chunk));
    if (ready) break;
    state.queue->Wait(kLongestWait);
  }
  const Segment& source = state.segments[segment];
  const std::byte* bytes = nullptr;
  if (source.IsFar(chunk)) {
    FARGRAPH_ASSIGN_OR_RETURN(const Slot* slot, state.FindSlot(segment, chunk));
    bytes = state.SlotBuffer(slot - state.slots.data());
  } else {
    bytes = source.LocalBytes(chunk);
  }
  return absl::MakeConstSpan(bytes, source.BytesOf(chunk));
}

absl::Status Far_release(FarProgram& program, size_t segment, uint64_t chunk) {
  FarProgram::State& state = program.state();
  FARGRAPH_RETURN_IF_ERROR(Far_read_ready(program, segment, chunk).status());
  Segment& source = state.segments[segment];
  source.states[chunk] = ChunkState::kWritten;
  if (!source.IsFar(chunk)) return absl::OkStatus();
  FARGRAPH_ASSIGN_OR_RETURN(Slot* const slot, state.FindSlot(segment, chunk));
  slot->use = slot->use == Slot::Use::kArrived ? Slot::Use::kFree : Slot::Use::kUnwanted;
  return absl::OkStatus();
}

FarTraffic Far_traffic(const FarProgram& program) {
  const FarProgram::State& state = program.state();
  if (state.queue == nullptr) return {};
  const TierTraffic traffic = state.queue->traffic();
  return {.bytes = traffic.bytes, .requests = traffic.requests};
}

}  // namespace fargraph
