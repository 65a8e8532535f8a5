#ifndef FARGRAPH_COMPUTE_NODE_FARGRAPH_H_
#define FARGRAPH_COMPUTE_NODE_FARGRAPH_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compute_node/placement/segment.h"

/// The directives: far memory for a program that keeps its own loop. Names and order of the calls
/// are those of the paper (Wang et al., "Excavating the Potential of Graph Workload on RDMA-based
/// Far Memory Architecture", IPDPS 2022, algorithm 1); fargraph_c.h has the same calls for C.
/// docs/directives.md walks through an example.
///
///   auto program = Add_transferable_flag(
///       {{.name = "edges", .bytes = bytes, .sensitivity = Sensitivity::kStreamed}},
///       {.far_ratio = 0.8});
///   Build_connection(**program, {"10.0.0.2:7000"});
///   for (each chunk) Far_write_start(**program, kEdges, chunk, its bytes);
///   Far_write_complete(**program, kEdges);
///   Far_read_start(**program, kEdges, 0);
///   for (each chunk) {
///     auto data = Far_read_complete(**program, kEdges, chunk);
///     Far_read_start(**program, kEdges, chunk + 1);
///     compute on *data;
///     Far_release(**program, kEdges, chunk);
///   }
///
/// A segment is cut into chunks of one size (the last may be shorter). Some chunks stay in local
/// memory, the others lie on the memory nodes; the program treats them alike. No more than the
/// local chunks and the read buffers is ever held locally, so a segment may be larger than local
/// memory: write it chunk by chunk.
///
/// What the program does with a segment it declares, or leaves to be sampled: flag the array while
/// it is still an ordinary one, and run the loop on it as it was, an iteration or more. Meanwhile
/// the array is watched (see AccessSampler for how, and for what that costs), and
/// Far_sample_complete finds from it the group that the segment belongs to.
///
/// One thread at a time may use a FarProgram; threads that scan on their own have one each. Every
/// call names in its error what it was doing, what is wrong, and what to do.
namespace fargraph {

/// An array of the program that may go far. In calls it goes by its position in the list of
/// Add_transferable_flag.
struct TransferableSegment {
  std::string name;                                       ///< for messages; unique in the program
  uint64_t bytes = 0;                                     ///< at least 1
  std::optional<Sensitivity> sensitivity = std::nullopt;  ///< nullopt: as a sampled run shows
  const void* array = nullptr;  ///< what to watch in it: `bytes` that stay where they are until
                                ///< Far_sample_complete; needed where nothing is declared
};

struct TransferOptions {
  double far_ratio = 0.8;           ///< 0 to 1: the share of all the segments' bytes that goes far
  uint64_t chunk_bytes = 64 << 10;  ///< a multiple of 64, at most 1 GiB
  uint32_t buffers = 2;             ///< far chunks held or under way at once; at least 1
};

struct ConnectionOptions {
  std::string transport = "auto";  ///< auto, verbs, shm or tcp
  std::string token;               ///< where the memory nodes ask for one
};

/// A program's segments, their places, and its connections. Destruction completes what is under way
/// and gives all far memory back.
class FarProgram {
 public:
  struct State;
  explicit FarProgram(std::unique_ptr<State> state);
  FarProgram(const FarProgram&) = delete;
  FarProgram& operator=(const FarProgram&) = delete;
  ~FarProgram();

  State& state() const { return *state_; }  ///< for the calls below

 private:
  std::unique_ptr<State> state_;
};

/// Says which segments may go far, and begins to watch those of which nothing is declared.
/// InvalidArgument for a value out of the ranges above, for two segments of the same name, for one
/// of more than 2^28 chunks, and for an array that cannot be watched;
/// FailedPrecondition when another program object of this process is watching.
absl::StatusOr<std::unique_ptr<FarProgram>> Add_transferable_flag(
    const std::vector<TransferableSegment>& segments, const TransferOptions& options = {});

/// Ends the watching, and with it what that costs. A segment of which too little was seen counts as
/// written at random and stays local. A program that declares everything need not call it, nor one
/// that calls Build_connection next, which does the same. Needs no memory nodes.
absl::Status Far_sample_complete(FarProgram& program);

/// A table for people: of each segment its group and how that is known, its bytes, and how many of
/// them are far. Groups that are still being sampled have no bytes far yet.
std::string Far_explain(const FarProgram& program);

/// The group of a segment; nullopt while it is being sampled, and where there is no such segment.
std::optional<Sensitivity> Far_sensitivity(const FarProgram& program, size_t segment);

/// Decides which chunks of which segments will be far: segments go in the order of their
/// sensitivity until `far_ratio` of all bytes is far, and the last of them is split evenly. Then
/// connects to the memory nodes (HOST:PORT each) and takes room for the far chunks and the read
/// buffers. Call it after Add_transferable_flag, and again after an error if you like. With no
/// chunk far it needs no memory nodes, and looks at neither them nor the options.
///
/// InvalidArgument for no memory nodes, an address that is none, a node that is named twice, a
/// token that cannot be one, and an unknown transport; FailedPrecondition when the program is
/// connected already, when this host or a node lacks the transport or there is none in common, when
/// a node is of another release, and when this host does not let memory be registered (memlock).
/// Unavailable, Unauthenticated or ResourceExhausted (full) name the node; ResourceExhausted too
/// when this host has no memory left.
absl::Status Build_connection(FarProgram& program, const std::vector<std::string>& memory_nodes,
                              const ConnectionOptions& options = {});

/// Chunks of a segment, and the bytes of one of them; 0 where there is no such segment or chunk.
uint64_t Far_chunks(const FarProgram& program, size_t segment);
uint64_t Far_chunk_bytes(const FarProgram& program, size_t segment, uint64_t chunk);
/// Bytes of all segments that lie far.
uint64_t Far_bytes(const FarProgram& program);

/// Starts writing one chunk of exactly Far_chunk_bytes to its place. The program may reuse `bytes`
/// at once. A chunk may be written again at any time at which it is not being read, and can be read
/// again after Far_write_complete. Unavailable when a memory node was lost.
absl::Status Far_write_start(FarProgram& program, size_t segment, uint64_t chunk,
                             absl::Span<const std::byte> bytes);

/// Returns when all writes have arrived, those to other segments too; their chunks can be read from
/// then on. Unavailable when a memory node was lost.
absl::Status Far_write_complete(FarProgram& program, size_t segment);

/// Starts reading one chunk. ResourceExhausted when all buffers are held: release one first. Waits
/// where the only ones that are not were released before their chunks had arrived.
/// FailedPrecondition when the chunk has been started already, was never written, or is still being
/// written (Far_write_complete).
absl::Status Far_read_start(FarProgram& program, size_t segment, uint64_t chunk);

/// True once Far_read_complete will not wait. The chunk must have been started.
absl::StatusOr<bool> Far_read_ready(FarProgram& program, size_t segment, uint64_t chunk);

/// Waits for a chunk that was started, and gives its bytes: aligned to 64 bytes, the program's to
/// read until Far_release. Unavailable when a memory node was lost.
absl::StatusOr<absl::Span<const std::byte>> Far_read_complete(FarProgram& program, size_t segment,
                                                              uint64_t chunk);

/// Gives the chunk's buffer back, whether it was completed or not.
absl::Status Far_release(FarProgram& program, size_t segment, uint64_t chunk);

/// Bytes and requests read from the memory nodes so far.
struct FarTraffic {
  uint64_t bytes = 0;
  uint64_t requests = 0;
};
FarTraffic Far_traffic(const FarProgram& program);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_FARGRAPH_H_
