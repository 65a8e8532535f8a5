// Cuts a graph's out-lists into parts, by vertices and by edges, and prints in JSON what either
// costs and brings: the program of evaluation/partition, which says what the fields are.
//
//   partition_graph GRAPH FOLDER ROWS COLUMNS DEVICES     FOLDER: an empty one, for the parts
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/status_macros.h"
#include "evaluation/parts/device_load.h"
#include "evaluation/parts/grid_edges.h"
#include "evaluation/parts/write_parts.h"
#include "graph/format/neighbor_reader.h"
#include "graph/graph_files.h"
#include "graph/partition/grid.h"
#include "graph/striping/striped_array.h"
#include "graph/striping/stripes.h"
#include "graph/striping/stripes_writer.h"

namespace fargraph {
namespace {

using Json = nlohmann::ordered_json;
using Levels = std::vector<std::vector<VertexId>>;
using Offsets = absl::Span<const EdgeOffset>;

struct Settings {
  std::string graph;
  std::string folder;
  size_t rows = 0;
  size_t columns = 0;
  size_t devices = 0;
};

/// Of processors, of all threads: what else the machine does shows less in these.
double ProcessorSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return absl::ToDoubleSeconds(absl::DurationFromTimespec(time));
}

/// Cuts and writes; returns how long that took.
absl::StatusOr<Json> Partition(const GraphFiles& files, Offsets index, const Settings& settings,
                               const std::function<absl::StatusOr<Grid>()>& cut, Grid& grid) {
  const std::string folder = settings.folder + "/parts";
  std::filesystem::create_directory(folder);
  const absl::Time begin = absl::Now();
  const double processors_begin = ProcessorSeconds();
  FARGRAPH_ASSIGN_OR_RETURN(grid, cut());
  const double cut_seconds = ProcessorSeconds() - processors_begin;
  FARGRAPH_RETURN_IF_ERROR(WriteParts(files, Direction::kOut, index, grid, folder));
  const Json report = {{"seconds", absl::ToDoubleSeconds(absl::Now() - begin)},
                       {"processor_seconds", ProcessorSeconds() - processors_begin},
                       {"cut_processor_seconds", cut_seconds}};
  std::filesystem::remove_all(folder);
  return report;
}

/// What the same takes in stripes, a part in a folder for each device.
absl::StatusOr<Json> Stripe(const GraphFiles& files, const Settings& settings) {
  std::vector<std::string> folders;
  for (size_t device = 0; device < settings.devices; ++device) {
    folders.push_back(absl::StrCat(settings.folder, "/stripes", device));
    std::filesystem::create_directory(folders.back());
  }
  const absl::Time begin = absl::Now();
  const double processors_begin = ProcessorSeconds();
  const GraphManifest& graph = files.manifest();
  FARGRAPH_ASSIGN_OR_RETURN(
      StripesWriter stripes,
      StripesWriter::Create(graph, ScannedEdges(graph, Direction::kOut), folders));
  const auto append = [&](uint64_t, absl::Span<const std::byte> block) {
    return stripes.Append(block);
  };
  FARGRAPH_RETURN_IF_ERROR(ScanNeighbors(files, Direction::kOut, IgnoreBlock, append));
  FARGRAPH_RETURN_IF_ERROR(stripes.Commit());
  const Json report = {{"seconds", absl::ToDoubleSeconds(absl::Now() - begin)},
                       {"processor_seconds", ProcessorSeconds() - processors_begin}};
  for (const std::string& folder : folders) std::filesystem::remove_all(folder);
  return report;
}

/// The vertices of a breadth-first search from the vertex with the most neighbours, level by level.
/// `lists`: as one part.
Levels SearchLevels(const GridEdges& lists, Offsets index) {
  const auto vertices = static_cast<VertexId>(index.size() - 1);
  const auto degree = [&](VertexId v) { return index[v + 1] - index[v]; };
  VertexId source = 0;
  for (VertexId v = 0; v < vertices; ++v) source = degree(v) > degree(source) ? v : source;
  std::vector<bool> reached(vertices);
  reached[source] = true;
  Levels levels = {{source}};
  while (!levels.back().empty()) {
    std::vector<VertexId> next;
    for (const VertexId v : levels.back()) {
      for (const VertexId neighbor : lists.parts[0].Neighbors(v)) {
        if (reached[neighbor]) continue;
        reached[neighbor] = true;
        next.push_back(neighbor);
      }
    }
    std::sort(next.begin(), next.end());
    levels.push_back(std::move(next));
  }
  levels.pop_back();
  return levels;
}

Json ToJson(const DeviceLoad& load) {
  return {{"requests", load.requests()},
          {"bytes", load.bytes()},
          {"imbalance", load.imbalance()},
          {"seconds", load.seconds()}};
}

/// The lists one behind the other, in stripes, as --ssd_dirs has them.
Json StripedLoad(Offsets index, const Levels& levels, size_t devices) {
  DeviceLoad load(devices);
  for (const auto& level : levels) {
    for (const VertexId v : level) {
      const uint64_t end = index[v + 1] * sizeof(VertexId);
      for (uint64_t at = index[v] * sizeof(VertexId); at < end;) {
        const StripeRun run = FirstRun(at, end - at, devices);
        load.Add(run.part, run.offset, run.length);
        at += run.length;
      }
    }
    load.EndIteration();
  }
  return ToJson(load);
}

/// The parts in turn on the devices.
Json GridLoad(const Grid& grid, const GridEdges& edges, const Levels& levels, size_t devices) {
  constexpr uint64_t kPartSpan = uint64_t{1} << 40;  // no request joins two parts
  DeviceLoad load(devices);
  for (const auto& level : levels) {
    size_t row = 0;
    for (const VertexId v : level) {
      while (grid.row_cuts[row + 1] <= v) ++row;
      for (size_t part = row * grid.columns(); part < (row + 1) * grid.columns(); ++part) {
        const GridEdges::Part& holder = edges.parts[part];
        const uint64_t begin = holder.index[v - holder.first_vertex] * sizeof(VertexId);
        const uint64_t bytes = holder.Neighbors(v).size() * sizeof(VertexId);
        if (bytes > 0) load.Add(part % devices, part * kPartSpan + begin, bytes);
      }
    }
    load.EndIteration();
  }
  return ToJson(load);
}

/// Of the fastest of three sums of the neighbours' values.
double SumSeconds(const Grid& grid, const GridEdges& edges) {
  const VertexArray<float> x(grid.row_cuts.back(), 1.0F);
  VertexArray<float> y(grid.row_cuts.back());
  double least = std::numeric_limits<double>::infinity();
  for (int trial = 0; trial < 3; ++trial) {
    const double begin = ProcessorSeconds();
    edges.Sum(grid, x, y);
    least = std::min(least, ProcessorSeconds() - begin);
  }
  return least;
}

absl::StatusOr<Json> Measure(const Settings& settings) {
  FARGRAPH_ASSIGN_OR_RETURN(const GraphFiles files, GraphFiles::Open(settings.graph));
  FARGRAPH_ASSIGN_OR_RETURN(const VertexArray<EdgeOffset> offsets,
                            files.ReadIndex(Direction::kOut));
  const Offsets index = absl::MakeConstSpan(offsets);
  const auto vertices = static_cast<VertexId>(index.size() - 1);
  const auto by_vertices = [&](size_t rows, size_t columns) -> absl::StatusOr<Grid> {
    return CutByVertices(vertices, rows, columns);
  };
  const auto by_edges = [&](size_t rows, size_t columns) {
    return CutByEdges(files, Direction::kOut, index, rows, columns);
  };
  const auto read = [&](const Grid& grid) {
    return GridEdges::Read(files, Direction::kOut, index, grid);
  };

  const Grid whole = CutByVertices(vertices, 1, 1);
  FARGRAPH_ASSIGN_OR_RETURN(GridEdges lists, read(whole));  // and the page cache has the files
  const Levels levels = SearchLevels(lists, index);
  Json report = {{"vertices", vertices}, {"edges", index.back()}, {"levels", levels.size()}};
  report["lists"] = {{"sum_seconds", SumSeconds(whole, lists)}};
  lists = {};
  FARGRAPH_ASSIGN_OR_RETURN(report["stripes"], Stripe(files, settings));
  report["stripes"]["search"] = StripedLoad(index, levels, settings.devices);

  const auto measure = [&](const char* name, const auto& cut, size_t rows,
                           size_t columns) -> absl::Status {
    Grid grid;
    const auto make = [&] { return cut(rows, columns); };
    FARGRAPH_ASSIGN_OR_RETURN(Json found, Partition(files, index, settings, make, grid));
    FARGRAPH_ASSIGN_OR_RETURN(const GridEdges edges, read(grid));
    found["imbalance"] = edges.Imbalance();
    found["search"] = GridLoad(grid, edges, levels, settings.devices);
    found["sum_seconds"] = SumSeconds(grid, edges);
    report[name] = std::move(found);
    return absl::OkStatus();
  };
  FARGRAPH_RETURN_IF_ERROR(measure("plain", by_vertices, settings.rows, settings.columns));
  FARGRAPH_RETURN_IF_ERROR(measure("balanced", by_edges, settings.rows, settings.columns));
  FARGRAPH_RETURN_IF_ERROR(measure("balanced_rows", by_edges, settings.devices, 1));
  return report;
}

}  // namespace
}  // namespace fargraph

int main(int argc, char** argv) {
  fargraph::Settings settings;
  const bool understood = argc == 6 && absl::SimpleAtoi(argv[3], &settings.rows) &&
                          absl::SimpleAtoi(argv[4], &settings.columns) &&
                          absl::SimpleAtoi(argv[5], &settings.devices) &&
                          settings.rows * settings.columns * settings.devices > 0;
  if (!understood) {
    return std::fprintf(stderr, "usage: partition_graph GRAPH FOLDER ROWS COLUMNS DEVICES\n"), 2;
  }
  settings.graph = argv[1];
  settings.folder = argv[2];
  const auto report = fargraph::Measure(settings);
  if (!report.ok()) {
    return std::fprintf(stderr, "partition_graph: %s\n", report.status().ToString().c_str()), 1;
  }
  return std::printf("%s\n", report->dump(1).c_str()) < 0 ? 1 : 0;
}
