#include "graph/builder.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/status_macros.h"
#include "graph/bitmap.h"
#include "graph/builder/build_monitor.h"
#include "graph/builder/edge_record.h"
#include "graph/builder/external_sorter.h"
#include "graph/builder/input_survey.h"
#include "graph/builder/list_writer.h"
#include "graph/format/graph_directory.h"
#include "graph/thread_count.h"

namespace fargraph {
namespace {

absl::Status InputChangedError() {
  return absl::DataLossError(
      "Reading the input a second time: its edges are not those of the first time; convert a file "
      "that nobody is writing to");
}

// The two passes after the survey: distribute the edges to one sorter per direction, then merge
// each direction into its arrays.
template <bool kWeighted>
class EdgePasses {
 public:
  EdgePasses(const InputSurvey& survey, const BuildOptions& options,
             const GraphDirectory& directory, BuildMonitor& monitor)
      : survey_(survey),
        options_(options),
        directory_(directory),
        monitor_(monitor),
        weight_type_(survey.weight_type),
        mirror_(!survey.symmetric && (options.symmetrize || survey.properties.symmetric)),
        symmetric_(survey.symmetric || mirror_),
        reverse_(options.reverse && !symmetric_),
        with_edges_(survey.ids.size()),
        out_(directory.PathOf("out.runs"), options.memory_bytes / (reverse_ ? 2 : 1)),
        in_(directory.PathOf("in.runs"), options.memory_bytes / 2) {}

  absl::Status SortEdges(EdgeReader& reader) {
    uint64_t done = 0;
    const auto sort_batch = [&](absl::Span<const InputEdge> edges) -> absl::Status {
      FARGRAPH_RETURN_IF_ERROR(PackBatch(edges));
      for (const std::vector<Word>& records : packed_) {
        FARGRAPH_RETURN_IF_ERROR(AddRecords(records));
      }
      done += edges.size();
      return monitor_.Report("sorting", done, survey_.edges);
    };
    FARGRAPH_RETURN_IF_ERROR(ForEachBatch(reader, sort_batch));
    return done == survey_.edges ? absl::OkStatus() : InputChangedError();
  }

  // Both directions at once, each with its share of the threads: of these, one at a time writes
  // while the others merge.
  absl::Status WriteArrays(Manifest& manifest) {
    const size_t threads = std::max(omp_get_max_threads() / (reverse_ ? 2 : 1), 1);
    ArrayHeaders in_arrays;
    absl::Status in_status;
    std::optional<std::thread> in_thread;
    if (reverse_) {
      in_thread.emplace(
          [&] { in_status = WriteDirection(Direction::kIn, threads, manifest, in_arrays); });
    }
    const absl::Status out_status =
        WriteDirection(Direction::kOut, threads, manifest, manifest.arrays);
    if (in_thread) in_thread->join();
    FARGRAPH_RETURN_IF_ERROR(out_status);
    FARGRAPH_RETURN_IF_ERROR(in_status);
    manifest.arrays.merge(in_arrays);
    manifest.graph.symmetric = symmetric_;
    manifest.graph.has_reverse = reverse_;
    manifest.graph.heads = options_.heads;
    manifest.graph.compressed = options_.compress;
    return absl::OkStatus();
  }

  uint64_t isolated_vertices() const { return survey_.ids.size() - with_edges_.Count(); }

 private:
  using Record = EdgeRecord<kWeighted>;
  using Word = typename Record::Word;

  static constexpr size_t kBlockEdges = 64;

  struct EdgeRanks {
    uint64_t source;
    uint64_t target;
  };

  static Word Reversed(Word record) {
    return Record::Pack(Record::Target(record), Record::Source(record),
                        kWeighted ? Record::OrderedWeight(record) : 0);
  }

  // Packs a batch into one vector of records per thread.
  absl::Status PackBatch(absl::Span<const InputEdge> edges) {
    packed_.resize(ThreadCountFor(edges.size()));
    for (std::vector<Word>& records : packed_) records.clear();  // a team may have fewer threads
    std::atomic<bool> unseen = false;
#pragma omp parallel num_threads(static_cast <int>(packed_.size()))
    {
      // Moved here and back: threads that grow neighbouring vectors would share a cache line.
      std::vector<Word> records = std::move(packed_[omp_get_thread_num()]);
#pragma omp for
      for (size_t begin = 0; begin < edges.size(); begin += kBlockEdges) {
        if (!PackBlock(edges.subspan(begin, kBlockEdges), records)) unseen = true;
      }
      packed_[omp_get_thread_num()] = std::move(records);
    }
    return unseen ? InputChangedError() : absl::OkStatus();
  }

  // First all ranks, so that the cache misses of renumbering overlap. False if the first pass did
  // not see some id, or so large a weight.
  bool PackBlock(absl::Span<const InputEdge> edges, std::vector<Word>& records) {
    std::array<EdgeRanks, kBlockEdges> ranks;
    for (size_t i = 0; i < edges.size(); ++i) {
      ranks[i] = {survey_.ids.Find(edges[i].source), survey_.ids.Find(edges[i].target)};
      survey_.renumbering.Prefetch(ranks[i].source);
      survey_.renumbering.Prefetch(ranks[i].target);
    }
    bool known = true;
    for (size_t i = 0; i < edges.size(); ++i) known &= PackEdge(edges[i], ranks[i], records);
    return known;
  }

  bool PackEdge(const InputEdge& edge, const EdgeRanks& ranks, std::vector<Word>& records) {
    if (ranks.source == VertexIds::kNoRank || ranks.target == VertexIds::kNoRank) return false;
    const uint64_t source = survey_.renumbering.VertexOf(ranks.source);
    const uint64_t target = survey_.renumbering.VertexOf(ranks.target);
    if (source == target && options_.remove_self_loops) return true;
    if (weight_type_ == WeightType::kUint8 && !FitsByte(edge.weight_bits)) return false;
    with_edges_.Set(source);
    with_edges_.Set(target);
    const uint32_t weight = kWeighted ? OrderWeight(edge.weight_bits, weight_type_) : 0;
    records.push_back(Record::Pack(source, target, weight));
    if (mirror_ && source != target) records.push_back(Record::Pack(target, source, weight));
    return true;
  }

  absl::Status AddRecords(const std::vector<Word>& records) {
    FARGRAPH_RETURN_IF_ERROR(out_.Add(records));
    if (!reverse_) return absl::OkStatus();
    reversed_.clear();
    for (const Word record : records) reversed_.push_back(Reversed(record));
    return in_.Add(reversed_);
  }

  absl::Status WriteDirection(Direction direction, size_t threads, Manifest& manifest,
                              ArrayHeaders& arrays) {
    FARGRAPH_ASSIGN_OR_RETURN(
        auto writer, ListWriter<kWeighted>::Create(directory_, direction, survey_.ids.size(),
                                                   weight_type_, options_.remove_duplicates,
                                                   options_.compress, options_.heads));
    const bool out = direction == Direction::kOut;
    const absl::string_view phase = out ? "writing out-edges" : "writing in-edges";
    const uint64_t total = survey_.edges * (mirror_ ? 2 : 1);
    FARGRAPH_RETURN_IF_ERROR((out ? out_ : in_).Merge(threads, [&](absl::Span<const Word> records) {
      const absl::Status status = writer.Append(records);
      return status.ok() ? monitor_.Report(phase, writer.edges(), total) : status;
    }));
    FARGRAPH_RETURN_IF_ERROR(writer.Finish(arrays));
    if (out) {
      manifest.graph.edges = writer.edges();
      manifest.graph.duplicates = writer.duplicates();
    }
    return absl::OkStatus();
  }

  const InputSurvey& survey_;
  const BuildOptions& options_;
  const GraphDirectory& directory_;
  BuildMonitor& monitor_;
  const WeightType weight_type_;
  const bool mirror_;     // edges are stored in both directions, but read in one
  const bool symmetric_;  // the stored graph is
  const bool reverse_;    // in-edges are stored
  Bitmap with_edges_;
  ExternalSorter<Word> out_;
  ExternalSorter<Word> in_;
  std::vector<std::vector<Word>> packed_;
  std::vector<Word> reversed_;
};

absl::Status WriteIds(const GraphDirectory& directory, const VertexIds& ids, ArrayHeaders& arrays) {
  FARGRAPH_ASSIGN_OR_RETURN(auto writer, directory.CreateArray(kIdsArray, ElementType::kUint64));
  FARGRAPH_RETURN_IF_ERROR(ids.ForEach([&](uint64_t id) { return writer.Append(id); }));
  FARGRAPH_ASSIGN_OR_RETURN(arrays[std::string(kIdsArray)], writer.Finish());
  return absl::OkStatus();
}

absl::Status WriteVertices(const GraphDirectory& directory, absl::string_view name,
                           absl::Span<const VertexId> vertices, ArrayHeaders& arrays) {
  FARGRAPH_ASSIGN_OR_RETURN(auto writer, directory.CreateArray(name, kVertexIdType));
  FARGRAPH_RETURN_IF_ERROR(writer.AppendBytes(
      {reinterpret_cast<const std::byte*>(vertices.data()), vertices.size() * sizeof(VertexId)}));
  FARGRAPH_ASSIGN_OR_RETURN(arrays[std::string(name)], writer.Finish());
  return absl::OkStatus();
}

// What is needed to call the vertices by their ids in the input.
absl::Status WriteNames(const GraphDirectory& directory, const InputSurvey& survey,
                        ArrayHeaders& arrays) {
  if (!survey.ids.identity()) {
    FARGRAPH_RETURN_IF_ERROR(WriteIds(directory, survey.ids, arrays));
  }
  const absl::Span<const VertexId> order = survey.renumbering.vertices();
  if (order.empty()) return absl::OkStatus();
  FARGRAPH_RETURN_IF_ERROR(WriteVertices(directory, kOrderArray, order, arrays));
  std::vector<VertexId> ranks(order.size());
  for (size_t rank = 0; rank < order.size(); ++rank) ranks[order[rank]] = rank;
  return WriteVertices(directory, kRanksArray, ranks, arrays);
}

template <bool kWeighted>
absl::StatusOr<BuildReport> BuildFromSurvey(const EdgeReaderFactory& open,
                                            const InputSurvey& survey, const BuildOptions& options,
                                            GraphDirectory& directory, BuildMonitor& monitor) {
  BuildReport report;
  report.input_edges = survey.edges;
  report.remapped = !survey.ids.identity() || !survey.renumbering.identity();
  Manifest manifest;
  manifest.graph.vertices = survey.ids.size();
  manifest.graph.weight_type = survey.weight_type;
  manifest.graph.self_loops = survey.self_loops;
  manifest.graph.self_loops_removed = options.remove_self_loops;
  manifest.graph.duplicates_removed = options.remove_duplicates;
  manifest.graph.source_format = survey.properties.format;
  manifest.graph.order = survey.order;
  // Before memory for sorting is taken.
  FARGRAPH_RETURN_IF_ERROR(WriteNames(directory, survey, manifest.arrays));
  {
    FARGRAPH_ASSIGN_OR_RETURN(const std::unique_ptr<EdgeReader> reader, open());
    EdgePasses<kWeighted> passes(survey, options, directory, monitor);
    FARGRAPH_RETURN_IF_ERROR(passes.SortEdges(*reader));
    FARGRAPH_RETURN_IF_ERROR(passes.WriteArrays(manifest));
    report.isolated_vertices = passes.isolated_vertices();
  }
  FARGRAPH_ASSIGN_OR_RETURN(report.manifest, directory.Commit(std::move(manifest)));
  return report;
}

}  // namespace

absl::StatusOr<BuildReport> BuildGraph(const EdgeReaderFactory& open, const std::string& output,
                                       const BuildOptions& options) {
  BuildMonitor monitor(options, output);
  FARGRAPH_ASSIGN_OR_RETURN(GraphDirectory directory,
                            GraphDirectory::Create(output, options.overwrite));
  FARGRAPH_ASSIGN_OR_RETURN(const InputSurvey survey, SurveyInput(open, options, monitor));
  if (survey.weight_type == WeightType::kNone) {
    return BuildFromSurvey<false>(open, survey, options, directory, monitor);
  }
  return BuildFromSurvey<true>(open, survey, options, directory, monitor);
}

}  // namespace fargraph
