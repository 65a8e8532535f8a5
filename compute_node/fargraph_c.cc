#include "compute_node/fargraph_c.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/exit_code.h"
#include "compute_node/fargraph.h"

struct fargraph_program {
  std::unique_ptr<fargraph::FarProgram> program;
};

namespace {

thread_local std::string last_error;

int Report(const absl::Status& status) {
  last_error = std::string(status.message());
  return fargraph::ExitCodeFor(status);
}

}  // namespace

const char* fargraph_error(void) { return last_error.c_str(); }

int fargraph_Add_transferable_flag(const fargraph_segment* segments, size_t count, double far_ratio,
                                   uint64_t chunk_bytes, uint32_t buffers,
                                   fargraph_program** program) {
  std::vector<fargraph::TransferableSegment> flags;
  for (size_t i = 0; i < count; ++i) {
    fargraph::TransferableSegment& flag = flags.emplace_back();
    flag = {.name = segments[i].name, .bytes = segments[i].bytes, .array = segments[i].array};
    if (segments[i].sensitivity > FARGRAPH_RANDOM_WRITE) {
      return Report(absl::InvalidArgumentError(
          absl::StrCat("flagging segment '", flag.name, "' as transferable: there is no group ",
                       segments[i].sensitivity, "; see fargraph_sensitivity")));
    }
    if (segments[i].sensitivity != FARGRAPH_SAMPLED)
      flag.sensitivity = static_cast<fargraph::Sensitivity>(segments[i].sensitivity);
  }
  fargraph::TransferOptions options = {.far_ratio = far_ratio};
  if (chunk_bytes != 0) options.chunk_bytes = chunk_bytes;
  if (buffers != 0) options.buffers = buffers;
  auto flagged = fargraph::Add_transferable_flag(flags, options);
  const int code = Report(flagged.status());
  if (flagged.ok()) *program = new fargraph_program{*std::move(flagged)};
  return code;
}

int fargraph_Far_sample_complete(fargraph_program* program) {
  return Report(fargraph::Far_sample_complete(*program->program));
}

fargraph_sensitivity fargraph_Far_sensitivity(const fargraph_program* program, size_t segment) {
  const auto sensitivity = fargraph::Far_sensitivity(*program->program, segment);
  return sensitivity ? static_cast<fargraph_sensitivity>(*sensitivity) : FARGRAPH_SAMPLED;
}

char* fargraph_Far_explain(const fargraph_program* program) {
  return strdup(fargraph::Far_explain(*program->program).c_str());
}

int fargraph_Build_connection(fargraph_program* program, const char* memory_nodes,
                              const char* transport, const char* token) {
  const std::vector<std::string> addresses = absl::StrSplit(memory_nodes, ',', absl::SkipEmpty());
  return Report(
      fargraph::Build_connection(*program->program, addresses,
                                 {.transport = transport, .token = token == nullptr ? "" : token}));
}

uint64_t fargraph_Far_chunks(const fargraph_program* program, size_t segment) {
  return fargraph::Far_chunks(*program->program, segment);
}

uint64_t fargraph_Far_chunk_bytes(const fargraph_program* program, size_t segment, uint64_t chunk) {
  return fargraph::Far_chunk_bytes(*program->program, segment, chunk);
}

int fargraph_Far_write_start(fargraph_program* program, size_t segment, uint64_t chunk,
                             const void* bytes, uint64_t length) {
  return Report(fargraph::Far_write_start(*program->program, segment, chunk,
                                          {static_cast<const std::byte*>(bytes), length}));
}

int fargraph_Far_write_complete(fargraph_program* program, size_t segment) {
  return Report(fargraph::Far_write_complete(*program->program, segment));
}

int fargraph_Far_read_start(fargraph_program* program, size_t segment, uint64_t chunk) {
  return Report(fargraph::Far_read_start(*program->program, segment, chunk));
}

int fargraph_Far_read_ready(fargraph_program* program, size_t segment, uint64_t chunk, int* ready) {
  const auto is_ready = fargraph::Far_read_ready(*program->program, segment, chunk);
  if (is_ready.ok()) *ready = *is_ready ? 1 : 0;
  return Report(is_ready.status());
}

int fargraph_Far_read_complete(fargraph_program* program, size_t segment, uint64_t chunk,
                               const void** bytes) {
  const auto read = fargraph::Far_read_complete(*program->program, segment, chunk);
  if (read.ok()) *bytes = read->data();
  return Report(read.status());
}

int fargraph_Far_release(fargraph_program* program, size_t segment, uint64_t chunk) {
  return Report(fargraph::Far_release(*program->program, segment, chunk));
}

void fargraph_close(fargraph_program* program) { delete program; }
