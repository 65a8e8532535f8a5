#include "graph/format/array_reader.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "common/files/file.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

/// Threads that read so many blocks. Beyond a few, memory or the disk is the limit, and each has a
/// block for itself.
int ReadersOf(uint64_t blocks) {
  constexpr uint64_t kMostReaders = 16;
  const uint64_t threads = std::min<uint64_t>(omp_get_max_threads(), kMostReaders);
  return static_cast<int>(std::clamp<uint64_t>(blocks, 1, threads));
}

class CheckedArrayFile final : public ArrayFile {
 public:
  CheckedArrayFile(File file, ArrayHeader header, std::vector<uint64_t> checksums,
                   absl::string_view mend)
      : file_(std::move(file)), header_(header), checksums_(std::move(checksums)), mend_(mend) {}

  const std::string& path() const override { return file_.path(); }
  uint64_t element_bytes() const override { return ElementBytes(header_.type); }
  uint64_t elements() const override { return header_.elements; }

  absl::Status Read(uint64_t offset, absl::Span<std::byte> out) const override;
  absl::Status Scan(BlockVisitor at_once, BlockVisitor in_order) const override;

 private:
  uint64_t PaddedBlockBytes(uint64_t block) const {
    return std::min(kArrayBlockBytes, header_.padded_data_bytes() - block * kArrayBlockBytes);
  }

  // Reads one block with its padding into `out`, PaddedBlockBytes(block) long, and checks it.
  absl::Status ReadBlock(uint64_t block, absl::Span<std::byte> out) const;
  // Of the array's bytes from `offset` on, those that lie in a block.
  absl::Status ReadWithin(uint64_t block, uint64_t offset, absl::Span<std::byte> out) const;

  File file_;
  ArrayHeader header_;
  std::vector<uint64_t> checksums_;
  std::string mend_;
};

absl::Status CheckedArrayFile::ReadBlock(uint64_t block, absl::Span<std::byte> out) const {
  FARGRAPH_RETURN_IF_ERROR(file_.ReadAt(kArrayDataOffset + block * kArrayBlockBytes, out));
  if (Checksum(out) == checksums_[block]) return absl::OkStatus();
  const uint64_t begin = kArrayDataOffset + block * kArrayBlockBytes;
  return DamagedFileError(
      path(),
      absl::StrCat("bytes ", begin, " to ", begin + out.size() - 1, " do not match their checksum"),
      mend_);
}

absl::Status CheckedArrayFile::Read(uint64_t offset, absl::Span<std::byte> out) const {
  if (offset > bytes() || out.size() > bytes() - offset) {
    return absl::InvalidArgumentError(absl::StrCat("Reading ", out.size(), " bytes at ", offset,
                                                   " of ", path(), ", which holds ", bytes()));
  }
  if (out.empty()) return absl::OkStatus();
  const uint64_t first = offset / kArrayBlockBytes;
  const uint64_t end = (offset + out.size() - 1) / kArrayBlockBytes + 1;
  absl::Status first_error;
#pragma omp parallel for schedule(static) num_threads(ReadersOf(end - first))
  for (uint64_t block = first; block < end; ++block) {
    const absl::Status status = ReadWithin(block, offset, out);
    if (status.ok()) continue;
#pragma omp critical(fargraph_array_read)
    first_error.Update(status);
  }
  return first_error;
}

absl::Status CheckedArrayFile::ReadWithin(uint64_t block, uint64_t offset,
                                          absl::Span<std::byte> out) const {
  const uint64_t padded_bytes = PaddedBlockBytes(block);
  const uint64_t block_begin = block * kArrayBlockBytes;
  const uint64_t begin = std::max(offset, block_begin);
  const uint64_t end = std::min(offset + out.size(), block_begin + padded_bytes);
  const absl::Span<std::byte> part = out.subspan(begin - offset, end - begin);
  if (part.size() == padded_bytes) return ReadBlock(block, part);
  std::vector<std::byte> padded(padded_bytes);
  FARGRAPH_RETURN_IF_ERROR(ReadBlock(block, absl::MakeSpan(padded)));
  std::memcpy(part.data(), padded.data() + (begin - block_begin), part.size());
  return absl::OkStatus();
}

absl::Status CheckedArrayFile::Scan(BlockVisitor at_once, BlockVisitor in_order) const {
  const uint64_t blocks = header_.blocks();
  absl::Status first_error;
  std::atomic<bool> failed = false;
#pragma omp parallel num_threads(ReadersOf(blocks))
  {
    std::vector<std::byte> buffer(std::min(kArrayBlockBytes, header_.padded_data_bytes()));
#pragma omp for ordered schedule(static, 1)
    for (uint64_t block = 0; block < blocks; ++block) {
      const uint64_t offset = block * kArrayBlockBytes;
      const auto padded = absl::MakeSpan(buffer).first(PaddedBlockBytes(block));
      const auto data = padded.first(std::min<uint64_t>(padded.size(), bytes() - offset));
      absl::Status status;
      if (!failed) status = ReadBlock(block, padded);
      if (!failed && status.ok()) status = at_once(offset, data);
#pragma omp ordered
      if (!failed) {
        if (status.ok()) status = in_order(offset, data);
        first_error = status;
        failed = !status.ok();
      }
    }
  }
  return first_error;
}

/// Opens an array file whose header `is_expected`.
absl::StatusOr<std::unique_ptr<ArrayFile>> OpenChecked(
    const std::string& path, absl::FunctionRef<bool(const ArrayHeader&)> is_expected,
    absl::string_view mend) {
  std::error_code unknown;  // as where its directory may not be searched
  if (std::filesystem::status(path, unknown).type() == std::filesystem::file_type::not_found) {
    return DamagedFileError(path, "it is missing", mend);
  }
  FARGRAPH_ASSIGN_OR_RETURN(File file, File::OpenForReading(path));
  FARGRAPH_ASSIGN_OR_RETURN(const uint64_t size, file.Size());
  ArrayHeaderPage page;
  const auto available = absl::MakeSpan(page).subspan(0, std::min(size, kArrayPageBytes));
  FARGRAPH_RETURN_IF_ERROR(file.ReadAt(0, available));
  const absl::StatusOr<ArrayHeader> header = DecodeArrayHeader(available);
  if (!header.ok()) return DamagedFileError(path, header.status().message(), mend);
  if (!is_expected(*header)) {
    return DamagedFileError(path, "its header does not match the manifest", mend);
  }
  if (size != header->file_bytes()) {
    return DamagedFileError(
        path, absl::StrCat("it has ", size, " bytes instead of ", header->file_bytes()), mend);
  }

  std::vector<std::byte> table(header->padded_table_bytes());
  FARGRAPH_RETURN_IF_ERROR(file.ReadAt(header->table_offset(), absl::MakeSpan(table)));
  if (Checksum(table) != header->table_checksum) {
    return DamagedFileError(path, "its checksum table does not match the header", mend);
  }
  std::vector<uint64_t> checksums(header->blocks());
  if (!checksums.empty()) {
    std::memcpy(checksums.data(), table.data(), checksums.size() * sizeof(uint64_t));
  }
  return std::make_unique<CheckedArrayFile>(std::move(file), *header, std::move(checksums), mend);
}

}  // namespace

absl::Status DamagedFileError(const std::string& path, absl::string_view what,
                              absl::string_view mend) {
  return absl::DataLossError(
      absl::StrCat("Reading the graph file ", path, ": it is damaged: ", what, "; ", mend));
}

absl::StatusOr<std::unique_ptr<ArrayFile>> OpenArrayFile(const std::string& path,
                                                         const ArrayHeader& expected) {
  const auto is_expected = [&](const ArrayHeader& header) {
    return header.type == expected.type && header.elements == expected.elements &&
           header.table_checksum == expected.table_checksum;
  };
  return OpenChecked(path, is_expected, kConvertAgain);
}

absl::StatusOr<std::unique_ptr<ArrayFile>> OpenArrayFile(const std::string& path, ElementType type,
                                                         uint64_t elements,
                                                         absl::string_view mend) {
  const auto is_expected = [&](const ArrayHeader& header) {
    return header.type == type && header.elements == elements;
  };
  return OpenChecked(path, is_expected, mend);
}

}  // namespace fargraph
