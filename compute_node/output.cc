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
#include "common/files/output_file.h"
#include "common/status_macros.h"

namespace fargraph {
namespace {

/// What threads format at a time; of so few vertices and blocks that it takes little memory.
constexpr uint64_t kBlockVertices = 2048;
constexpr uint64_t kBlocksPerThread = 2;
/// Of text with three columns of the longest numbers; most rows are shorter by more than what a
/// growing string holds in vain.
constexpr uint64_t kMostRowBytes = 96;
constexpr char kMagic[8] = {'F', 'G', 'R', 'E', 'S', 'U', 'L', 'T'};
constexpr uint32_t kVersion = 1;
constexpr size_t kNameBytes = 24;
constexpr size_t kTypeBytes = 8;
constexpr uint64_t kNoId = ~uint64_t{0};

/// The input's ids by vertex, for columns that name vertices.
class InputIds {
 public:
  /// In memory only if a column asks for ids, and they are not the vertices' numbers.
  static absl::StatusOr<InputIds> Load(absl::Span<const Column> columns, const VertexNames& names) {
    const bool asked_for = std::any_of(columns.begin(), columns.end(), [](const Column& column) {
      return std::holds_alternative<VertexArray<VertexId>>(column.values);
    });
    InputIds ids;
    if (asked_for && !names.identity()) {
      FARGRAPH_ASSIGN_OR_RETURN(ids.ids_, names.ReadIds());
    }
    return ids;
  }

  uint64_t Of(VertexId v) const {
    if (v == kNoVertex) return kNoId;
    return ids_.empty() ? v : ids_[v];
  }

 private:
  std::vector<uint64_t> ids_;
};

/// What an output is made of.
struct Table {
  absl::Span<const Column> columns;
  const VertexNames& names;
  const InputIds& ids;
  const std::atomic<bool>* cancelled;
};

uint64_t Length(const Column& column) {
  return std::visit([](const auto& values) -> uint64_t { return values.size(); }, column.values);
}

using Names = absl::Span<const VertexName>;

/// Formats all vertices in ascending order of their ids, in blocks and many blocks at a time, and
/// writes them. `format` returns the bytes of some vertices.
absl::Status WriteBlocks(OutputFile& file, const Table& table,
                         const std::function<std::string(Names)>& format) {
  AscendingNames ascending(table.names);
  std::vector<std::string> blocks(kBlocksPerThread * omp_get_max_threads());
  std::vector<VertexName> batch(blocks.size() * kBlockVertices);
  for (uint64_t left = table.names.vertices(); left > 0; left -= batch.size()) {
    if (table.cancelled != nullptr && table.cancelled->load()) {
      return absl::CancelledError("interrupted while writing the output; nothing was left behind");
    }
    batch.resize(std::min<uint64_t>(batch.size(), left));
    for (VertexName& name : batch) FARGRAPH_RETURN_IF_ERROR(ascending.Next(name));
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < blocks.size(); ++i) {
      const size_t begin = std::min(batch.size(), i * kBlockVertices);
      blocks[i] = format(Names(batch).subspan(begin, kBlockVertices));
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

void AppendValue(int32_t value, const InputIds&, std::string& out) { AppendNumber(value, out); }
void AppendValue(float value, const InputIds&, std::string& out) { AppendNumber(value, out); }
void AppendValue(double value, const InputIds&, std::string& out) { AppendNumber(value, out); }
void AppendValue(VertexId value, const InputIds& ids, std::string& out) {
  if (value == kNoVertex) {  // the id of a vertex may be kNoId
    out += "-1";
  } else {
    AppendNumber(ids.Of(value), out);
  }
}

std::string FormatRows(const Table& table, Names names) {
  std::string rows;
  for (const VertexName& name : names) {
    AppendNumber(name.id, rows);
    for (const Column& column : table.columns) {
      rows += ' ';
      std::visit([&](const auto& values) { AppendValue(values[name.vertex], table.ids, rows); },
                 column.values);
    }
    rows += '\n';
  }
  return rows;
}

absl::Status WriteText(OutputFile& file, const Table& table) {
  std::string header = "# vertex";
  for (const Column& column : table.columns) absl::StrAppend(&header, " ", column.name);
  header += '\n';
  FARGRAPH_RETURN_IF_ERROR(file.Write(header));
  return WriteBlocks(file, table, [&](Names names) { return FormatRows(table, names); });
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
std::string FormatValues(const VertexArray<Value>& values, const InputIds& ids, Names names) {
  std::string bytes;
  for (const VertexName& name : names) {
    if constexpr (std::is_same_v<Value, VertexId>) {
      AppendBytes(ids.Of(values[name.vertex]), bytes);
    } else {
      AppendBytes(values[name.vertex], bytes);
    }
  }
  return bytes;
}

absl::Status WriteBinary(OutputFile& file, const Table& table) {
  const uint64_t vertices = table.names.vertices();
  FARGRAPH_RETURN_IF_ERROR(file.Write(BinaryHeader(table.columns, vertices)));
  const auto own_ids = [&](Names names) {
    std::string bytes;
    for (const VertexName& name : names) AppendBytes(name.id, bytes);
    return bytes;
  };
  FARGRAPH_RETURN_IF_ERROR(WriteBlocks(file, table, own_ids));
  for (const Column& column : table.columns) {
    const auto values_of_column = [&](Names names) {
      return std::visit([&](const auto& values) { return FormatValues(values, table.ids, names); },
                        column.values);
    };
    FARGRAPH_RETURN_IF_ERROR(WriteBlocks(file, table, values_of_column));
    const bool has_4_bytes = std::holds_alternative<VertexArray<int32_t>>(column.values) ||
                             std::holds_alternative<VertexArray<float>>(column.values);
    const bool ends_on_4 = has_4_bytes && vertices % 2 == 1;
    if (ends_on_4) FARGRAPH_RETURN_IF_ERROR(file.Write(absl::string_view("\0\0\0\0", 4)));
  }
  return absl::OkStatus();
}

absl::Status CheckLengths(absl::Span<const Column> columns, uint64_t vertices) {
  for (const Column& column : columns) {
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
                         absl::Span<const Column> columns, const VertexNames& names,
                         const std::atomic<bool>* cancelled) {
  FARGRAPH_RETURN_IF_ERROR(CheckLengths(columns, names.vertices()));
  FARGRAPH_ASSIGN_OR_RETURN(const InputIds ids, InputIds::Load(columns, names));
  const Table table = {.columns = columns, .names = names, .ids = ids, .cancelled = cancelled};
  FARGRAPH_ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path));
  FARGRAPH_RETURN_IF_ERROR(format == OutputFormat::kText ? WriteText(file, table)
                                                         : WriteBinary(file, table));
  return file.Commit();
}

uint64_t OutputBytes(const VertexNames& names, bool names_vertices) {
  const bool loads_ids = names_vertices && !names.identity();
  const uint64_t id_bytes = loads_ids ? names.vertices() * sizeof(uint64_t) : 0;
  const uint64_t block_vertices = std::min<uint64_t>(
      names.vertices(), kBlockVertices * kBlocksPerThread * omp_get_max_threads());
  return id_bytes + block_vertices * (sizeof(VertexName) + kMostRowBytes);
}

}  // namespace fargraph
