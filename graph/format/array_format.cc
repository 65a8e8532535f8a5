#include "graph/format/array_format.h"

#include <xxhash.h>

#include <bit>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace fargraph {
namespace {

static_assert(std::endian::native == std::endian::little, "array files are little-endian");

constexpr uint32_t kArrayVersion = 1;
constexpr std::array<char, 8> kMagic = {'F', 'A', 'R', 'G', 'R', 'A', 'P', 'H'};

// The largest array: 2^60 bytes keeps every sum of offsets below within 64 bits.
constexpr uint64_t kMaxArrayBytes = uint64_t{1} << 60;

struct RawHeader {
  std::array<char, 8> magic;
  uint32_t version;
  uint32_t element_type;
  uint64_t elements;
  uint64_t block_bytes;
  uint64_t data_offset;
  uint64_t table_offset;
  uint64_t table_checksum;
};
static_assert(sizeof(RawHeader) == 56);

constexpr size_t kChecksumOffset = kArrayPageBytes - sizeof(uint64_t);

uint64_t HeaderChecksum(absl::Span<const std::byte> page) {
  return Checksum(page.subspan(0, kChecksumOffset));
}

bool IsElementType(uint32_t type) {
  return type >= static_cast<uint32_t>(ElementType::kUint32) &&
         type <= static_cast<uint32_t>(ElementType::kUint8);
}

}  // namespace

uint64_t ElementBytes(ElementType type) {
  switch (type) {
    case ElementType::kUint64:
      return 8;
    case ElementType::kUint32:
    case ElementType::kInt32:
    case ElementType::kFloat32:
      return 4;
    case ElementType::kCode32:
    case ElementType::kCode64:
    case ElementType::kUint8:
      return 1;
  }
  return 0;
}

absl::string_view ElementTypeName(ElementType type) {
  switch (type) {
    case ElementType::kUint32:
      return "uint32";
    case ElementType::kUint64:
      return "uint64";
    case ElementType::kInt32:
      return "int32";
    case ElementType::kFloat32:
      return "float32";
    case ElementType::kCode32:
      return "code32";
    case ElementType::kCode64:
      return "code64";
    case ElementType::kUint8:
      return "uint8";
  }
  return "";
}

std::optional<ElementType> ParseElementType(absl::string_view name) {
  for (const ElementType type :
       {ElementType::kUint32, ElementType::kUint64, ElementType::kInt32, ElementType::kFloat32,
        ElementType::kCode32, ElementType::kCode64, ElementType::kUint8}) {
    if (name == ElementTypeName(type)) return type;
  }
  return std::nullopt;
}

uint64_t ArrayHeader::padded_data_bytes() const { return RoundUpToPage(data_bytes()); }

uint64_t ArrayHeader::blocks() const {
  return (data_bytes() + kArrayBlockBytes - 1) / kArrayBlockBytes;
}

uint64_t ArrayHeader::padded_table_bytes() const {
  return RoundUpToPage(blocks() * sizeof(uint64_t));
}

uint64_t Checksum(absl::Span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

ArrayHeaderPage EncodeArrayHeader(const ArrayHeader& header) {
  const RawHeader raw = {.magic = kMagic,
                         .version = kArrayVersion,
                         .element_type = static_cast<uint32_t>(header.type),
                         .elements = header.elements,
                         .block_bytes = kArrayBlockBytes,
                         .data_offset = kArrayDataOffset,
                         .table_offset = header.table_offset(),
                         .table_checksum = header.table_checksum};
  ArrayHeaderPage page{};
  std::memcpy(page.data(), &raw, sizeof(raw));
  const uint64_t checksum = HeaderChecksum(page);
  std::memcpy(page.data() + kChecksumOffset, &checksum, sizeof(checksum));
  return page;
}

absl::StatusOr<ArrayHeader> DecodeArrayHeader(absl::Span<const std::byte> page) {
  if (page.size() < kArrayPageBytes) {
    return absl::DataLossError(absl::StrCat("it ends within its header, at byte ", page.size()));
  }
  RawHeader raw;
  std::memcpy(&raw, page.data(), sizeof(raw));
  uint64_t checksum = 0;
  std::memcpy(&checksum, page.data() + kChecksumOffset, sizeof(checksum));
  if (raw.magic != kMagic) return absl::DataLossError("it is not a Fargraph array");
  if (checksum != HeaderChecksum(page.subspan(0, kArrayPageBytes))) {
    return absl::DataLossError("its header does not match the header's checksum");
  }
  if (raw.version != kArrayVersion) {
    return absl::DataLossError(absl::StrCat("it has format version ", raw.version,
                                            ", this program reads version ", kArrayVersion));
  }
  if (!IsElementType(raw.element_type)) {
    return absl::DataLossError(absl::StrCat("its element type ", raw.element_type, " is unknown"));
  }
  ArrayHeader header = {.type = static_cast<ElementType>(raw.element_type),
                        .elements = raw.elements,
                        .table_checksum = raw.table_checksum};
  if (header.elements > kMaxArrayBytes / ElementBytes(header.type) ||
      raw.block_bytes != kArrayBlockBytes || raw.data_offset != kArrayDataOffset ||
      raw.table_offset != header.table_offset()) {
    return absl::DataLossError("its header contradicts itself");
  }
  return header;
}

}  // namespace fargraph
