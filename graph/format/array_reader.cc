#include "graph/format/array_reader.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/file.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

class CheckedArrayFile final : public ArrayFile {
 public:
  CheckedArrayFile(File file, ArrayHeader header, std::vector<uint64_t> checksums)
      : file_(std::move(file)), header_(header), checksums_(std::move(checksums)) {}

  const std::string& path() const override { return file_.path(); }
  uint64_t element_bytes() const override { return ElementBytes(header_.type); }
  uint64_t elements() const override { return header_.elements; }

  absl::Status Read(uint64_t offset, absl::Span<std::byte> out) const override;
  absl::Status Scan(
      absl::FunctionRef<absl::Status(uint64_t offset, absl::Span<const std::byte> bytes)> visit)
      const override;

 private:
  uint64_t PaddedBlockBytes(uint64_t block) const {
    return std::min(kArrayBlockBytes, header_.padded_data_bytes() - block * kArrayBlockBytes);
  }

  // Reads one block with its padding into `out`, PaddedBlockBytes(block) long, and checks it.
  absl::Status ReadBlock(uint64_t block, absl::Span<std::byte> out) const;

  File file_;
  ArrayHeader header_;
  std::vector<uint64_t> checksums_;
};

absl::Status CheckedArrayFile::ReadBlock(uint64_t block, absl::Span<std::byte> out) const {
  FARGRAPH_RETURN_IF_ERROR(file_.ReadAt(kArrayDataOffset + block * kArrayBlockBytes, out));
  if (Checksum(out) == checksums_[block]) return absl::OkStatus();
  const uint64_t begin = kArrayDataOffset + block * kArrayBlockBytes;
  return DamagedFileError(path(), absl::StrCat("bytes ", begin, " to ", begin + out.size() - 1,
                                               " do not match their checksum"));
}

absl::Status CheckedArrayFile::Read(uint64_t offset, absl::Span<std::byte> out) const {
  if (offset > bytes() || out.size() > bytes() - offset) {
    return absl::InvalidArgumentError(absl::StrCat("Reading ", out.size(), " bytes at ", offset,
                                                   " of ", path(), ", which holds ", bytes()));
  }
  std::vector<std::byte> buffer;
  while (!out.empty()) {
    const uint64_t block = offset / kArrayBlockBytes;
    const uint64_t within = offset % kArrayBlockBytes;
    const uint64_t padded = PaddedBlockBytes(block);
    const size_t count = std::min<uint64_t>(out.size(), padded - within);
    if (count == padded) {
      FARGRAPH_RETURN_IF_ERROR(ReadBlock(block, out.subspan(0, count)));
    } else {
      buffer.resize(padded);
      FARGRAPH_RETURN_IF_ERROR(ReadBlock(block, absl::MakeSpan(buffer)));
      std::memcpy(out.data(), buffer.data() + within, count);
    }
    offset += count;
    out.remove_prefix(count);
  }
  return absl::OkStatus();
}

absl::Status CheckedArrayFile::Scan(
    absl::FunctionRef<absl::Status(uint64_t offset, absl::Span<const std::byte> bytes)> visit)
    const {
  std::vector<std::byte> buffer(std::min(kArrayBlockBytes, header_.padded_data_bytes()));
  for (uint64_t block = 0; block < header_.blocks(); ++block) {
    const auto padded = absl::MakeSpan(buffer).subspan(0, PaddedBlockBytes(block));
    FARGRAPH_RETURN_IF_ERROR(ReadBlock(block, padded));
    const uint64_t offset = block * kArrayBlockBytes;
    FARGRAPH_RETURN_IF_ERROR(
        visit(offset, padded.subspan(0, std::min<uint64_t>(padded.size(), bytes() - offset))));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status DamagedFileError(const std::string& path, absl::string_view what,
                              absl::string_view mend) {
  return absl::DataLossError(
      absl::StrCat("Reading the graph file ", path, ": it is damaged: ", what, "; ", mend));
}

absl::StatusOr<std::unique_ptr<ArrayFile>> OpenArrayFile(const std::string& path,
                                                         const ArrayHeader& expected) {
  std::error_code unknown;  // as where its directory may not be searched
  if (std::filesystem::status(path, unknown).type() == std::filesystem::file_type::not_found) {
    return DamagedFileError(path, "it is missing");
  }
  FARGRAPH_ASSIGN_OR_RETURN(File file, File::OpenForReading(path));
  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t size, file.Size());
  ArrayHeaderPage page;
  const auto available = absl::MakeSpan(page).subspan(0, std::min(size, kArrayPageBytes));
  FARGRAPH_RETURN_IF_ERROR(file.ReadAt(0, available));
  const absl::StatusOr<ArrayHeader> header = DecodeArrayHeader(available);
  if (!header.ok()) return DamagedFileError(path, header.status().message());
  if (header->type != expected.type || header->elements != expected.elements ||
      header->table_checksum != expected.table_checksum) {
    return DamagedFileError(path, "its header does not match the manifest");
  }
  if (size != header->file_bytes()) {
    return DamagedFileError(
        path, absl::StrCat("it has ", size, " bytes instead of ", header->file_bytes()));
  }

  std::vector<std::byte> table(header->padded_table_bytes());
  FARGRAPH_RETURN_IF_ERROR(file.ReadAt(header->table_offset(), absl::MakeSpan(table)));
  if (Checksum(table) != header->table_checksum) {
    return DamagedFileError(path, "its checksum table does not match the header");
  }
  std::vector<uint64_t> checksums(header->blocks());
  if (!checksums.empty()) {
    std::memcpy(checksums.data(), table.data(), checksums.size() * sizeof(uint64_t));
  }
  return std::make_unique<CheckedArrayFile>(std::move(file), *header, std::move(checksums));
}

}  // namespace fargraph
