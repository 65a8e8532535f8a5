#include "compute_node/output.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <functional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/status_macros.h"
#include "compute_node/output_file.h"

namespace fargraph {
namespace {

constexpr uint64_t kBlockVertices = 1 << 14;
constexpr char kMagic[8] = {'F', 'G', 'R', 'E', 'S', 'U', 'L', 'T'};
constexpr uint32_t kVersion = 1;
constexpr size_t kNameBytes = 24;
constexpr size_t kTypeBytes = 8;
constexpr uint64_t kNoId = ~uint64_t{0};

/// The input's own ids.
class InputIds {
 public:
  explicit InputIds(absl::Span<const uint64_t> original_ids) : original_ids_(original_ids) {}

  uint64_t Of(VertexId v) const {
    if (v == kNoVertex) return kNoId;
    return original_ids_.empty() ? v : original_ids_[v];
  }

 private:
  absl::Span<const uint64_t> original_ids_;
};

uint64_t Length(const Column& column) {
  return std::visit([](const auto& values) -> uint64_t { return values.size(); }, column.values);
}

/// Formats all blocks of vertices, many at a time, and writes them in order. `format(begin, end)`
/// returns the bytes of the vertices [begin, end).
absl::Status WriteBlocks(OutputFile& file, uint64_t vertices, const std::atomic<bool>* cancelled,
                         const std::function<std::string(uint64_t, uint64_t)>& format) {
  std::vector<std::string> blocks(4 * omp_get_max_threads());
  const uint64_t batch_vertices = blocks.size() * kBlockVertices;
  for (uint64_t batch = 0; batch < vertices; batch += batch_vertices) {
    if (cancelled != nullptr && cancelled->load()) {
      return absl::CancelledError("interrupted while writing the output; nothing was left behind");
    }
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < blocks.size(); ++i) {
      const uint64_t begin = std::min(vertices, batch + i * kBlockVertices);
      blocks[i] = format(begin, std::min(vertices, begin + kBlockVertices));
    }
    for (const std::string& block : blocks) FARGRAPH_RETURN_IF_ERROR(file.Write(block));
  }
  return absl::OkStatus();
}

/// The shortest digits that read back as the same value.
template <typename Value>
void AppendNumber(Value value, std::string& out) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  out.append(digits.data(), end.ptr);
}

void AppendId(uint64_t id, std::string& out) {
  if (id == kNoId) {
    out += "-1";
  } else {
    AppendNumber(id, out);
  }
}

void AppendValue(int32_t value, const InputIds&, std::string& out) { AppendNumber(value, out); }
void AppendValue(float value, const InputIds&, std::string& out) { AppendNumber(value, out); }
void AppendValue(double value, const InputIds&, std::string& out) { AppendNumber(value, out); }
void AppendValue(VertexId value, const InputIds& ids, std::string& out) {
  AppendId(ids.Of(value), out);
}

std::string FormatRows(absl::Span<const Column> columns, const InputIds& ids, uint64_t begin,
                       uint64_t end) {
  std::string rows;
  for (uint64_t v = begin; v < end; ++v) {
    AppendNumber(ids.Of(v), rows);
    for (const Column& column : columns) {
      rows += ' ';
      std::visit([&](const auto& values) { AppendValue(values[v], ids, rows); }, column.values);
    }
    rows += '\n';
  }
  return rows;
}

absl::Status WriteText(OutputFile& file, absl::Span<const Column> columns, const InputIds& ids,
                       uint64_t vertices, const std::atomic<bool>* cancelled) {
  std::string header = "# vertex";
  for (const Column& column : columns) absl::StrAppend(&header, " ", column.name);
  header += '\n';
  FARGRAPH_RETURN_IF_ERROR(file.Write(header));
  return WriteBlocks(file, vertices, cancelled, [&](uint64_t begin, uint64_t end) {
    return FormatRows(columns, ids, begin, end);
  });
}

template <typename Value>
void AppendBytes(const Value& value, std::string& out) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void AppendPadded(absl::string_view text, size_t bytes, std::string& out) {
  absl::StrAppend(&out, text.substr(0, bytes));
  out.append(bytes - std::min(bytes, text.size()), '\0');
}

absl::string_view TypeName(const VertexArray<int32_t>&) { return "int32"; }
absl::string_view TypeName(const VertexArray<float>&) { return "float32"; }
absl::string_view TypeName(const VertexArray<double>&) { return "float64"; }
absl::string_view TypeName(const VertexArray<VertexId>&) { return "uint64"; }

std::string BinaryHeader(absl::Span<const Column> columns, uint64_t vertices) {
  std::string header(kMagic, sizeof(kMagic));
  AppendBytes(kVersion, header);
  AppendBytes(static_cast<uint32_t>(columns.size() + 1), header);
  AppendBytes(vertices, header);
  AppendPadded("vertex", kNameBytes, header);
  AppendPadded("uint64", kTypeBytes, header);
  for (const Column& column : columns) {
    AppendPadded(column.name, kNameBytes, header);
    const auto type = [](const auto& values) { return TypeName(values); };
    AppendPadded(std::visit(type, column.values), kTypeBytes, header);
  }
  return header;
}

/// The bytes of a column's values; a VertexId becomes the input's id.
template <typename Value>
std::string FormatValues(const VertexArray<Value>& values, const InputIds& ids, uint64_t begin,
                         uint64_t end) {
  std::string bytes;
  for (uint64_t v = begin; v < end; ++v) {
    if constexpr (std::is_same_v<Value, VertexId>) {
      AppendBytes(ids.Of(values[v]), bytes);
    } else {
      AppendBytes(values[v], bytes);
    }
  }
  return bytes;
}

absl::Status WriteBinary(OutputFile& file, absl::Span<const Column> columns, const InputIds& ids,
                         uint64_t vertices, const std::atomic<bool>* cancelled) {
  FARGRAPH_RETURN_IF_ERROR(file.Write(BinaryHeader(columns, vertices)));
  const auto own_ids = [&](uint64_t begin, uint64_t end) {
    std::string bytes;
    for (uint64_t v = begin; v < end; ++v) AppendBytes(ids.Of(v), bytes);
    return bytes;
  };
  FARGRAPH_RETURN_IF_ERROR(WriteBlocks(file, vertices, cancelled, own_ids));
  for (const Column& column : columns) {
    const auto values_of_column = [&](uint64_t begin, uint64_t end) {
      return std::visit([&](const auto& values) { return FormatValues(values, ids, begin, end); },
                        column.values);
    };
    FARGRAPH_RETURN_IF_ERROR(WriteBlocks(file, vertices, cancelled, values_of_column));
    const bool has_4_bytes = std::holds_alternative<VertexArray<int32_t>>(column.values) ||
                             std::holds_alternative<VertexArray<float>>(column.values);
    const bool ends_on_4 = has_4_bytes && vertices % 2 == 1;
    if (ends_on_4) FARGRAPH_RETURN_IF_ERROR(file.Write(absl::string_view("\0\0\0\0", 4)));
  }
  return absl::OkStatus();
}

absl::Status CheckLengths(absl::Span<const Column> columns, absl::Span<const uint64_t> ids) {
  for (const Column& column : columns) {
    const uint64_t vertices = ids.empty() ? Length(columns.front()) : ids.size();
    if (Length(column) != vertices) {
      return absl::InternalError(absl::StrCat("Writing the output: column ", column.name, " has ",
                                              Length(column), " values for ", vertices,
                                              " vertices"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteOutput(const std::string& path, OutputFormat format,
                         absl::Span<const Column> columns, absl::Span<const uint64_t> original_ids,
                         const std::atomic<bool>* cancelled) {
  FARGRAPH_RETURN_IF_ERROR(CheckLengths(columns, original_ids));
  const uint64_t vertices = columns.empty() ? original_ids.size() : Length(columns.front());
  const InputIds ids(original_ids);
  FARGRAPH_ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path));
  FARGRAPH_RETURN_IF_ERROR(format == OutputFormat::kText
                               ? WriteText(file, columns, ids, vertices, cancelled)
                               : WriteBinary(file, columns, ids, vertices, cancelled));
  return file.Commit();
}

}  // namespace fargraph
