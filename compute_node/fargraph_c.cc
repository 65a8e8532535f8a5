#include "compute_node/fargraph_c.h"

#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "common/exit_code.h"
#include "common/status_macros.h"
#include "compute_node/fargraph.h"

struct fargraph_program {
  std::unique_ptr<fargraph::FarProgram> program;
};

namespace {

thread_local std::string last_message;
thread_local const char* last_error = "";

/// The code of what call() returns, a status. No exception leaves it, for which C has no place;
/// what it says of one is a literal, since there may be no memory for anything else.
template <typename Call>
int CodeOf(Call&& call) {
  try {
    const absl::Status status = call();
    last_message = std::string(status.message());
    last_error = last_message.c_str();
    return fargraph::ExitCodeFor(status);
  } catch (const std::bad_alloc&) {
    last_error = "this process has no memory left; free some, or flag less";
    return fargraph::kExitNoRoom;
  } catch (...) {
    last_error = "an unexpected exception ended the call; this is a bug in Fargraph";
    return fargraph::kExitInternal;
  }
}

absl::StatusOr<fargraph::TransferableSegment> SegmentOf(const fargraph_segment& flag,
                                                        size_t position) {
  if (flag.name == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "flagging segment ", position, " as transferable: it has no name; give it one"));
  }
  if (flag.sensitivity > FARGRAPH_RANDOM_WRITE) {
    return absl::InvalidArgumentError(absl::StrCat("flagging segment '", flag.name,
                                                   "' as transferable: there is no group ",
                                                   flag.sensitivity, "; see fargraph_sensitivity"));
  }
  fargraph::TransferableSegment segment = {
      .name = flag.name, .bytes = flag.bytes, .array = flag.array};
  if (flag.sensitivity != FARGRAPH_SAMPLED)
    segment.sensitivity = static_cast<fargraph::Sensitivity>(flag.sensitivity);
  return segment;
}

absl::StatusOr<fargraph_program*> Flag(absl::Span<const fargraph_segment> flags,
                                       const fargraph::TransferOptions& options) {
  std::vector<fargraph::TransferableSegment> segments;
  for (const fargraph_segment& flag : flags) {
    FARGRAPH_ASSIGN_OR_RETURN(fargraph::TransferableSegment segment,
                              SegmentOf(flag, segments.size()));
    segments.push_back(std::move(segment));
  }
  FARGRAPH_ASSIGN_OR_RETURN(auto program, fargraph::Add_transferable_flag(segments, options));
  return new fargraph_program{std::move(program)};
}

/// What the status is of; `*value` stays as it was unless that is OK.
template <typename T, typename Value>
absl::Status Give(const absl::StatusOr<T>& found, Value* value) {
  if (found.ok()) *value = *found;
  return found.status();
}

}  // namespace

const char* fargraph_error(void) { return last_error; }

int fargraph_Add_transferable_flag(const fargraph_segment* segments, size_t count, double far_ratio,
                                   uint64_t chunk_bytes, uint32_t buffers,
                                   fargraph_program** program) {
  fargraph::TransferOptions options = {.far_ratio = far_ratio};
  if (chunk_bytes != 0) options.chunk_bytes = chunk_bytes;
  if (buffers != 0) options.buffers = buffers;
  return CodeOf([&] { return Give(Flag({segments, count}, options), program); });
}

int fargraph_Far_sample_complete(fargraph_program* program) {
  return CodeOf([&] { return fargraph::Far_sample_complete(*program->program); });
}

fargraph_sensitivity fargraph_Far_sensitivity(const fargraph_program* program, size_t segment) {
  const auto sensitivity = fargraph::Far_sensitivity(*program->program, segment);
  return sensitivity ? static_cast<fargraph_sensitivity>(*sensitivity) : FARGRAPH_SAMPLED;
}

char* fargraph_Far_explain(const fargraph_program* program) {
  char* text = nullptr;
  CodeOf([&] {
    text = strdup(fargraph::Far_explain(*program->program).c_str());
    if (text == nullptr) throw std::bad_alloc();
    return absl::OkStatus();
  });
  return text;
}

int fargraph_Build_connection(fargraph_program* program, const char* memory_nodes,
                              const char* transport, const char* token) {
  return CodeOf([&] {
    fargraph::ConnectionOptions options;
    if (transport != nullptr) options.transport = transport;
    if (token != nullptr) options.token = token;
    const std::vector<std::string> addresses =
        absl::StrSplit(absl::NullSafeStringView(memory_nodes), ',', absl::SkipEmpty());
    return fargraph::Build_connection(*program->program, addresses, options);
  });
}

uint64_t fargraph_Far_chunks(const fargraph_program* program, size_t segment) {
  return fargraph::Far_chunks(*program->program, segment);
}

uint64_t fargraph_Far_chunk_bytes(const fargraph_program* program, size_t segment, uint64_t chunk) {
  return fargraph::Far_chunk_bytes(*program->program, segment, chunk);
}

uint64_t fargraph_Far_bytes(const fargraph_program* program) {
  return fargraph::Far_bytes(*program->program);
}

int fargraph_Far_write_start(fargraph_program* program, size_t segment, uint64_t chunk,
                             const void* bytes, uint64_t length) {
  return CodeOf([&] {
    return fargraph::Far_write_start(*program->program, segment, chunk,
                                     {static_cast<const std::byte*>(bytes), length});
  });
}

int fargraph_Far_write_complete(fargraph_program* program, size_t segment) {
  return CodeOf([&] { return fargraph::Far_write_complete(*program->program, segment); });
}

int fargraph_Far_read_start(fargraph_program* program, size_t segment, uint64_t chunk) {
  return CodeOf([&] { return fargraph::Far_read_start(*program->program, segment, chunk); });
}

int fargraph_Far_read_ready(fargraph_program* program, size_t segment, uint64_t chunk, int* ready) {
  return CodeOf(
      [&] { return Give(fargraph::Far_read_ready(*program->program, segment, chunk), ready); });
}

int fargraph_Far_read_complete(fargraph_program* program, size_t segment, uint64_t chunk,
                               const void** bytes) {
  return CodeOf([&] {
    const auto read = fargraph::Far_read_complete(*program->program, segment, chunk);
    if (read.ok()) *bytes = read->data();
    return read.status();
  });
}

int fargraph_Far_release(fargraph_program* program, size_t segment, uint64_t chunk) {
  return CodeOf([&] { return fargraph::Far_release(*program->program, segment, chunk); });
}

fargraph_traffic fargraph_Far_traffic(const fargraph_program* program) {
  const fargraph::FarTraffic traffic = fargraph::Far_traffic(*program->program);
  return {.bytes = traffic.bytes, .requests = traffic.requests};
}

void fargraph_close(fargraph_program* program) { delete program; }
