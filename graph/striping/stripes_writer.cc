#include "graph/striping/stripes_writer.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/files/file.h"
#include "common/status_macros.h"
#include "graph/striping/stripes.h"

namespace fargraph {

absl::StatusOr<StripesWriter> StripesWriter::Create(const GraphManifest& graph,
                                                    const ScannedArray& array,
                                                    const std::vector<std::string>& directories) {
  StripesWriter stripes;
  for (size_t part = 0; part < directories.size(); ++part) {
    std::string path = StripesFile(directories[part], graph, array.name, part, directories.size());
    std::string temporary = absl::StrFormat("%s.partial-%08x", path, std::random_device{}());
    FARGRAPH_ASSIGN_OR_RETURN(ArrayWriter writer, ArrayWriter::Create(temporary, array.type));
    stripes.parts_.push_back({std::move(path), std::move(temporary), std::move(writer)});
  }
  return stripes;
}

StripesWriter::~StripesWriter() {
  for (const Part& part : parts_) {
    if (!part.temporary.empty()) unlink(part.temporary.c_str());
  }
}

absl::Status StripesWriter::Append(absl::Span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const StripeRun run = FirstRun(appended_, bytes.size(), parts_.size());
    FARGRAPH_RETURN_IF_ERROR(parts_[run.part].writer.AppendBytes(bytes.first(run.length)));
    bytes.remove_prefix(run.length);
    appended_ += run.length;
  }
  return absl::OkStatus();
}

absl::Status StripesWriter::Commit() {
  for (Part& part : parts_) FARGRAPH_RETURN_IF_ERROR(part.writer.Finish().status());
  for (Part& part : parts_) {
    if (std::rename(part.temporary.c_str(), part.path.c_str()) != 0) {
      return FileError(errno, "Writing", part.path);
    }
    part.temporary.clear();
    FARGRAPH_RETURN_IF_ERROR(SyncDirectory(std::filesystem::path(part.path).parent_path()));
  }
  return absl::OkStatus();
}

}  // namespace fargraph
