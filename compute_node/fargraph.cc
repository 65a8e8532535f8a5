#include "compute_node/fargraph.h"

#include <cstring>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/memory/mapped_memory.h"
#include "common/status_macros.h"
#include "common/units.h"
#include "compute_node/directives/access_sampler.h"
#include "compute_node/directives/chunk_reads.h"
#include "compute_node/directives/flagged_segment.h"
#include "compute_node/tiers/far_memory.h"
#include "compute_node/tiers/far_writer.h"

namespace fargraph {
namespace {

constexpr uint64_t kChunkAlignment = 64;
constexpr uint64_t kMostChunkBytes = kGiB;
constexpr uint64_t kMostChunks = uint64_t{1} << 28;  ///< of a segment; each takes a byte here

using Knowledge = FlaggedSegment::Knowledge;
using ChunkState = FlaggedSegment::ChunkState;

Knowledge LearnFrom(const SampledAccesses& sample) {
  const std::optional<Behaviour> behaviour = sample.behaviour();
  if (!behaviour) return {Sensitivity::kRandomWrite, "too little was seen of it: it stays local"};
  return {SensitivityOf(*behaviour),
          absl::StrFormat("a sample: %.0f pages touched a second", sample.touches_per_second)};
}

uint64_t ChunksOf(const TransferableSegment& segment, const TransferOptions& options) {
  return (segment.bytes - 1) / options.chunk_bytes + 1;
}

absl::Status CheckSegment(const TransferableSegment& segment, const TransferOptions& options) {
  const auto error = [&](absl::string_view what) {
    return absl::InvalidArgumentError(
        absl::StrCat("flagging segment '", segment.name, "' as transferable: ", what));
  };
  if (segment.bytes == 0) return error("it has no bytes; leave it out");
  if (!segment.sensitivity && segment.array == nullptr) {
    return error(
        "nothing tells what the program does with it; declare its sensitivity, or give its array, "
        "so that it can be sampled");
  }
  if (ChunksOf(segment, options) > kMostChunks)
    return error(absl::StrCat("it has more than ", kMostChunks, " chunks; choose larger ones"));
  return absl::OkStatus();
}

absl::Status CheckFlags(const std::vector<TransferableSegment>& segments,
                        const TransferOptions& options) {
  if (!(options.far_ratio >= 0 && options.far_ratio <= 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("flagging segments as transferable: a far ratio of ", options.far_ratio,
                     " makes no sense; choose one from 0 to 1"));
  }
  if (options.chunk_bytes == 0 || options.chunk_bytes > kMostChunkBytes ||
      options.chunk_bytes % kChunkAlignment != 0 || options.buffers == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "flagging segments as transferable: chunks of ", options.chunk_bytes, " bytes with ",
        options.buffers,
        " buffers make no sense; choose a multiple of 64 up to 1 GiB and at least one buffer"));
  }
  absl::flat_hash_set<absl::string_view> names;
  for (const TransferableSegment& segment : segments) {
    FARGRAPH_RETURN_IF_ERROR(CheckSegment(segment, options));
    if (!names.insert(segment.name).second) {
      return absl::InvalidArgumentError(absl::StrCat(
          "flagging segments as transferable: two are named '", segment.name, "'; rename one"));
    }
  }
  return absl::OkStatus();
}

/// Of a chunk in that state, which Far_read_start does not take.
const char* WhyNotRead(ChunkState state) {
  switch (state) {
    case ChunkState::kStarted:
      return "it was started already; complete and release it";
    case ChunkState::kWriting:
      return "it is still being written; call Far_write_complete first";
    default:
      return "it was never written; write it first";
  }
}

/// To the memory nodes, for segments that are far.
struct Connection {
  std::unique_ptr<FarMemory> far_memory;
  MappedMemory buffers;
  std::unique_ptr<transport::MemoryRegion> buffers_region;
  std::unique_ptr<ChunkReads> reads;
  std::unique_ptr<FarWriter> writer;
};

absl::StatusOr<Connection> Connect(const std::vector<std::string>& memory_nodes,
                                   const ConnectionOptions& options,
                                   const TransferOptions& transfer) {
  if (memory_nodes.empty()) {
    return absl::InvalidArgumentError(
        "building a connection: some segments are far; name at least one memory node as "
        "HOST:PORT");
  }
  std::optional<transport::Kind> kind;
  if (options.transport != "auto") {
    FARGRAPH_ASSIGN_OR_RETURN(kind, transport::ParseKind(options.transport));
  }
  Connection made;
  FARGRAPH_ASSIGN_OR_RETURN(
      made.far_memory,
      FarMemory::Connect(
          {.memory_nodes = memory_nodes, .transport = kind, .control = {.token = options.token}}));
  FARGRAPH_ASSIGN_OR_RETURN(made.buffers,
                            MappedMemory::Allocate(transfer.buffers * transfer.chunk_bytes));
  FARGRAPH_ASSIGN_OR_RETURN(made.buffers_region,
                            made.far_memory->RegisterMemory(made.buffers.bytes()));
  FARGRAPH_ASSIGN_OR_RETURN(std::unique_ptr<TierQueue> queue,
                            made.far_memory->OpenQueue(*made.buffers_region, transfer.buffers));
  made.reads = std::make_unique<ChunkReads>(
      std::move(queue), made.buffers.bytes().first(transfer.buffers * transfer.chunk_bytes),
      transfer.chunk_bytes);
  FARGRAPH_ASSIGN_OR_RETURN(made.writer, FarWriter::Open(*made.far_memory));
  return made;
}

}  // namespace

struct FarProgram::State {
  TransferOptions options;
  std::vector<FlaggedSegment> segments;
  std::unique_ptr<AccessSampler> sampler;   ///< of the segments without declaration, while it runs
  std::optional<Connection> connection;     ///< of nullptrs where nothing is far
  std::vector<SegmentChunk> being_written;  ///< those in ChunkState::kWriting

  const FlaggedSegment* Find(size_t segment) const {
    return segment < segments.size() ? &segments[segment] : nullptr;
  }
  absl::Status WatchUndeclared();
  absl::Status Write(FlaggedSegment& target, uint64_t chunk, absl::Span<const std::byte> bytes);
  absl::Status Check(absl::string_view doing, size_t segment, uint64_t chunk) const;
};

FarProgram::FarProgram(std::unique_ptr<State> state) : state_(std::move(state)) {}
FarProgram::~FarProgram() = default;

/// Is there such a chunk, and a place for it?
absl::Status FarProgram::State::Check(absl::string_view doing, size_t segment,
                                      uint64_t chunk) const {
  if (!connection) {
    return absl::FailedPreconditionError(absl::StrCat(doing, ": call Build_connection first"));
  }
  const FlaggedSegment* const found = Find(segment);
  if (found == nullptr || chunk >= found->chunks) {
    return absl::InvalidArgumentError(absl::StrCat(doing, ": there is no chunk ", chunk,
                                                   " of segment ", segment, "; see Far_chunks"));
  }
  return absl::OkStatus();
}

absl::Status FarProgram::State::Write(FlaggedSegment& target, uint64_t chunk,
                                      absl::Span<const std::byte> bytes) {
  if (target.IsFar(chunk)) return connection->writer->Write(target.FarAddress(chunk), bytes);
  std::memcpy(target.LocalBytes(chunk), bytes.data(), bytes.size());
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<FarProgram>> Add_transferable_flag(
    const std::vector<TransferableSegment>& segments, const TransferOptions& options) {
  FARGRAPH_RETURN_IF_ERROR(CheckFlags(segments, options));
  auto state = std::make_unique<FarProgram::State>();
  state->options = options;
  for (const TransferableSegment& flag : segments) {
    FlaggedSegment& segment = state->segments.emplace_back();
    segment.flag = flag;
    segment.knowledge = {flag.sensitivity, flag.sensitivity ? "declared" : "being sampled"};
    segment.chunk_bytes = options.chunk_bytes;
    segment.chunks = ChunksOf(flag, options);
    segment.states.resize(segment.chunks, ChunkState::kUnwritten);
  }
  FARGRAPH_RETURN_IF_ERROR(state->WatchUndeclared());
  if (state->sampler == nullptr) ChooseFarChunks(options.far_ratio, state->segments);
  return std::make_unique<FarProgram>(std::move(state));
}

absl::Status FarProgram::State::WatchUndeclared() {
  std::vector<absl::Span<const std::byte>> arrays;
  for (const FlaggedSegment& segment : segments) {
    if (segment.flag.sensitivity) continue;
    arrays.emplace_back(static_cast<const std::byte*>(segment.flag.array), segment.flag.bytes);
  }
  if (arrays.empty()) return absl::OkStatus();
  FARGRAPH_ASSIGN_OR_RETURN(sampler, AccessSampler::Start(arrays));
  return absl::OkStatus();
}

absl::Status Far_sample_complete(FarProgram& program) {
  FarProgram::State& state = program.state();
  if (state.sampler == nullptr) return absl::OkStatus();
  const std::vector<SampledAccesses> samples = state.sampler->Stop();
  state.sampler.reset();
  size_t next = 0;
  for (FlaggedSegment& segment : state.segments) {
    if (!segment.knowledge.sensitivity) segment.knowledge = LearnFrom(samples[next++]);
  }
  ChooseFarChunks(state.options.far_ratio, state.segments);
  return absl::OkStatus();
}

std::string Far_explain(const FarProgram& program) {
  constexpr char kRow[] = "%-16s %-22s %10s %10s  %s\n";
  std::string text = absl::StrFormat(kRow, "segment", "group", "size", "far", "known from");
  for (const FlaggedSegment& segment : program.state().segments) {
    const auto& [group, source] = segment.knowledge;
    absl::StrAppendFormat(&text, kRow, segment.flag.name, group ? SensitivityName(*group) : "-",
                          FormatBytes(segment.flag.bytes), FormatBytes(segment.FarBytes()), source);
  }
  return text;
}

std::optional<Sensitivity> Far_sensitivity(const FarProgram& program, size_t segment) {
  const FlaggedSegment* const found = program.state().Find(segment);
  return found == nullptr ? std::nullopt : found->knowledge.sensitivity;
}

absl::Status Build_connection(FarProgram& program, const std::vector<std::string>& memory_nodes,
                              const ConnectionOptions& options) {
  FarProgram::State& state = program.state();
  if (state.connection)
    return absl::FailedPreconditionError("building a connection: this program has one already");
  FARGRAPH_RETURN_IF_ERROR(Far_sample_complete(program));
  Connection connection;
  if (Far_bytes(program) > 0) {
    FARGRAPH_ASSIGN_OR_RETURN(connection, Connect(memory_nodes, options, state.options));
  }
  for (FlaggedSegment& segment : state.segments) {
    if (segment.far_chunks > 0) {
      FARGRAPH_ASSIGN_OR_RETURN(
          segment.far, connection.far_memory->Allocate("program/" + segment.flag.name,
                                                       segment.far_chunks * segment.chunk_bytes));
    }
    const uint64_t local_bytes = (segment.chunks - segment.far_chunks) * segment.chunk_bytes;
    FARGRAPH_ASSIGN_OR_RETURN(segment.local, MappedMemory::Allocate(local_bytes));
  }
  state.connection = std::move(connection);
  return absl::OkStatus();
}

uint64_t Far_chunks(const FarProgram& program, size_t segment) {
  const FlaggedSegment* const found = program.state().Find(segment);
  return found == nullptr ? 0 : found->chunks;
}

uint64_t Far_chunk_bytes(const FarProgram& program, size_t segment, uint64_t chunk) {
  const FlaggedSegment* const found = program.state().Find(segment);
  return found == nullptr || chunk >= found->chunks ? 0 : found->BytesOf(chunk);
}

uint64_t Far_bytes(const FarProgram& program) {
  uint64_t bytes = 0;
  for (const FlaggedSegment& segment : program.state().segments) {
    bytes += segment.FarBytes();
  }
  return bytes;
}

absl::Status Far_write_start(FarProgram& program, size_t segment, uint64_t chunk,
                             absl::Span<const std::byte> bytes) {
  FarProgram::State& state = program.state();
  FARGRAPH_RETURN_IF_ERROR(state.Check("writing to far memory", segment, chunk));
  FlaggedSegment& target = state.segments[segment];
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
  FARGRAPH_RETURN_IF_ERROR(state.Write(target, chunk, bytes));
  if (target.states[chunk] != ChunkState::kWriting) state.being_written.push_back({segment, chunk});
  target.states[chunk] = ChunkState::kWriting;
  return absl::OkStatus();
}

absl::Status Far_write_complete(FarProgram& program, size_t segment) {
  FarProgram::State& state = program.state();
  FARGRAPH_RETURN_IF_ERROR(state.Check("completing writes to far memory", segment, 0));
  if (state.connection->writer != nullptr)
    FARGRAPH_RETURN_IF_ERROR(state.connection->writer->Flush());
  for (const SegmentChunk& written : state.being_written)
    state.segments[written.segment].states[written.chunk] = ChunkState::kWritten;
  state.being_written.clear();
  return absl::OkStatus();
}

absl::Status Far_read_start(FarProgram& program, size_t segment, uint64_t chunk) {
  FarProgram::State& state = program.state();
  FARGRAPH_RETURN_IF_ERROR(state.Check("starting a read from far memory", segment, chunk));
  FlaggedSegment& source = state.segments[segment];
  if (source.states[chunk] != ChunkState::kWritten) {
    return absl::FailedPreconditionError(absl::StrCat("reading chunk ", chunk, " of '",
                                                      source.flag.name,
                                                      "': ", WhyNotRead(source.states[chunk])));
  }
  if (source.IsFar(chunk)) {
    FARGRAPH_ASSIGN_OR_RETURN(
        const bool started, state.connection->reads->Start(
                                {segment, chunk}, source.FarAddress(chunk), source.BytesOf(chunk)));
    if (!started) {
      return absl::ResourceExhaustedError(absl::StrCat(
          "reading chunk ", chunk, " of '", source.flag.name, "': all ", state.options.buffers,
          " buffers are held; release one first, or ask for more"));
    }
  } else if (state.connection->reads != nullptr) {
    FARGRAPH_RETURN_IF_ERROR(state.connection->reads->Advance());
  }
  source.states[chunk] = ChunkState::kStarted;
  return absl::OkStatus();
}

absl::StatusOr<bool> Far_read_ready(FarProgram& program, size_t segment, uint64_t chunk) {
  FarProgram::State& state = program.state();
  FARGRAPH_RETURN_IF_ERROR(state.Check("reading from far memory", segment, chunk));
  const FlaggedSegment& source = state.segments[segment];
  if (source.states[chunk] != ChunkState::kStarted) {
    return absl::FailedPreconditionError(absl::StrCat(
        "reading chunk ", chunk, " of '", source.flag.name, "': call Far_read_start first"));
  }
  if (!source.IsFar(chunk)) return true;
  return state.connection->reads->IsHere({segment, chunk});
}

absl::StatusOr<absl::Span<const std::byte>> Far_read_complete(FarProgram& program, size_t segment,
                                                              uint64_t chunk) {
  FarProgram::State& state = program.state();
  for (;;) {
    FARGRAPH_ASSIGN_OR_RETURN(const bool ready, Far_read_ready(program, segment, chunk));
    if (ready) break;
    state.connection->reads->Wait();
  }
  const FlaggedSegment& source = state.segments[segment];
  const std::byte* const bytes = source.IsFar(chunk)
                                     ? state.connection->reads->Bytes({segment, chunk})
                                     : source.LocalBytes(chunk);
  return absl::MakeConstSpan(bytes, source.BytesOf(chunk));
}

absl::Status Far_release(FarProgram& program, size_t segment, uint64_t chunk) {
  FarProgram::State& state = program.state();
  FARGRAPH_RETURN_IF_ERROR(Far_read_ready(program, segment, chunk).status());
  FlaggedSegment& source = state.segments[segment];
  source.states[chunk] = ChunkState::kWritten;
  return source.IsFar(chunk) ? state.connection->reads->Release({segment, chunk})
                             : absl::OkStatus();
}

FarTraffic Far_traffic(const FarProgram& program) {
  const FarProgram::State& state = program.state();
  if (!state.connection || state.connection->reads == nullptr) return {};
  const TierTraffic traffic = state.connection->reads->traffic();
  return {.bytes = traffic.bytes, .requests = traffic.requests};
}

}  // namespace fargraph
