#include "graph/format/array_writer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/status_macros.h"

namespace fargraph {
absl::StatusOr<ArrayWriter> ArrayWriter::Create(const std::string& path, ElementType type) {
  FARGRAPH_ASSIGN_OR_RETURN(File file, File::Create(path));
  return ArrayWriter(std::move(file), type);
}

ArrayWriter::ArrayWriter(File file, ElementType type)
    : file_(std::move(file), kArrayDataOffset),
      type_(type),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(kArrayBlockBytes)) {}

absl::Status ArrayWriter::AppendAcrossBlocks(absl::Span<const std::byte> bytes) {
  while (!bytes.empty()) {
    if (buffered_ == kArrayBlockBytes) FARGRAPH_RETURN_IF_ERROR(FlushBlock());
    const size_t count = std::min<size_t>(bytes.size(), kArrayBlockBytes - buffered_);
    std::memcpy(buffer_.get() + buffered_, bytes.data(), count);
    buffered_ += count;
    bytes.remove_prefix(count);
  }
  return absl::OkStatus();
}

absl::Status ArrayWriter::FlushBlock() {
  const size_t padded = RoundUpToPage(buffered_);
  std::fill(buffer_.get() + buffered_, buffer_.get() + padded, std::byte{0});
  const auto block = absl::MakeConstSpan(buffer_.get(), padded);
  checksums_.push_back(Checksum(block));

  FARGRAPH_RETURN_IF_ERROR(file_.Append(block));
  data_bytes_ += buffered_;
  buffered_ = 0;
  return absl::OkStatus();
}

absl::StatusOr<ArrayHeader> ArrayWriter::Finish() {
  if (buffered_ > 0) FARGRAPH_RETURN_IF_ERROR(FlushBlock());
  ArrayHeader header = {.type = type_, .elements = data_bytes_ / ElementBytes(type_)};

  std::vector<std::byte> table(header.padded_table_bytes());
  if (!table.empty()) {
    std::memcpy(table.data(), checksums_.data(), checksums_.size() * sizeof(uint64_t));
  }
  header.table_checksum = Checksum(table);
  FARGRAPH_RETURN_IF_ERROR(file_.Append(table));
  const File& file = file_.file();
  FARGRAPH_RETURN_IF_ERROR(file.WriteAt(0, EncodeArrayHeader(header)));
  FARGRAPH_RETURN_IF_ERROR(file.Sync());
  file.DropCache(0, 0);
  return header;
}

}  // namespace fargraph
