#ifndef FARGRAPH_GRAPH_FORMAT_ARRAY_FORMAT_H_
#define FARGRAPH_GRAPH_FORMAT_ARRAY_FORMAT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "graph/ids.h"

/// The bytes of one array file (docs/file-format.md): a header page, the data, a table with one
/// checksum for every block of the data. All three begin on a page, so that the data can be read
/// with direct IO.
namespace fargraph {

inline constexpr uint64_t kArrayPageBytes = 4096;
inline constexpr uint64_t kArrayDataOffset = kArrayPageBytes;
inline constexpr uint64_t kArrayBlockBytes = uint64_t{1} << 20;  ///< of data under one checksum

enum class ElementType : uint32_t {
  kUint32 = 1,
  kUint64 = 2,
  kInt32 = 3,
  kFloat32 = 4,
  kCode32 = 5,  ///< bytes of coded lists (graph/codec/block_codec.h) of 32-bit ids
  kCode64 = 6,  ///< of 64-bit ids
  kUint8 = 7,
};

inline constexpr ElementType kVertexIdType =
    sizeof(VertexId) == 4 ? ElementType::kUint32 : ElementType::kUint64;
inline constexpr ElementType kCodeType =
    sizeof(VertexId) == 4 ? ElementType::kCode32 : ElementType::kCode64;

/// Bytes of one element.
uint64_t ElementBytes(ElementType type);
/// "uint32", "uint64", "int32", "float32", "code32", "code64", "uint8".
absl::string_view ElementTypeName(ElementType type);
std::optional<ElementType> ParseElementType(absl::string_view name);

struct ArrayHeader {
  ElementType type = ElementType::kUint32;
  uint64_t elements = 0;
  uint64_t table_checksum = 0;  ///< over the checksum table, and so over all the data

  uint64_t data_bytes() const { return elements * ElementBytes(type); }
  /// The data's bytes on disk: whole pages, zeroes after the last element.
  uint64_t padded_data_bytes() const;
  uint64_t blocks() const;
  uint64_t table_offset() const { return kArrayDataOffset + padded_data_bytes(); }
  uint64_t padded_table_bytes() const;
  uint64_t file_bytes() const { return table_offset() + padded_table_bytes(); }
};

using ArrayHeaderPage = std::array<std::byte, kArrayPageBytes>;

ArrayHeaderPage EncodeArrayHeader(const ArrayHeader& header);

/// Reads a header page; DataLoss says what is wrong with it, for the caller to name the file.
absl::StatusOr<ArrayHeader> DecodeArrayHeader(absl::Span<const std::byte> page);

/// The checksum of a block, of the table, of the header: XXH3-64 with seed 0.
uint64_t Checksum(absl::Span<const std::byte> bytes);

/// `bytes` rounded up to whole pages.
constexpr uint64_t RoundUpToPage(uint64_t bytes) {
  return (bytes + kArrayPageBytes - 1) / kArrayPageBytes * kArrayPageBytes;
}

}  // namespace fargraph

#endif  // FARGRAPH_GRAPH_FORMAT_ARRAY_FORMAT_H_
