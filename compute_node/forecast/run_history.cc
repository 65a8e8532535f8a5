#include "compute_node/forecast/run_history.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace fargraph {
namespace {

using nlohmann::json;

constexpr CacheFile::Format kRunsFormat = {
    .version = 6, .entries = "jobs", .key = "job", .most_entries = 64};
constexpr size_t kMostPlacements = 12;
constexpr size_t kMostRuns = 5;
constexpr double kSameRatio = 0.005;

json Key(const JobId& job) {
  return {{"host", job.host},
          {"graph", job.graph},
          {"kernel", job.kernel},
          {"options", job.options},
          {"threads", job.threads}};
}

json EncodePattern(const ReadPattern& pattern) {
  json gaps = json::array();
  for (const ReadPattern::Gaps& alike : pattern.gaps) gaps.push_back({alike.count, alike.bytes});
  return {{"whole_bytes", pattern.whole_bytes},
          {"chunks", pattern.chunks},
          {"run_bytes", pattern.run_bytes},
          {"gaps", std::move(gaps)}};
}

json EncodeRuns(const PastRuns& runs) {
  return {{"transport", runs.placement.transport},
          {"hosts", runs.placement.hosts},
          {"far_ratio", runs.placement.far_ratio},
          {"ssd_ratio", runs.placement.ssd_ratio},
          {"copy_bytes", runs.placement.copy_bytes},
          {"compressed", runs.placement.compressed},
          {"seconds", runs.seconds},
          {"estimated_seconds", runs.estimated_seconds},
          {"iterations", runs.iterations},
          {"far_scans", runs.far_scans},
          {"bytes_fetched", runs.bytes_fetched},
          {"requests", runs.requests},
          {"pattern", EncodePattern(runs.pattern)},
          {"chunk_bytes", runs.chunk_bytes},
          {"link",
           {runs.link.threads, runs.link.bytes_per_second, runs.link.requests_per_second,
            runs.link.read_seconds, runs.link.processor_share}}};
}

/// Throws json::exception like DecodeRuns.
ReadPattern DecodePattern(const json& encoded) {
  ReadPattern pattern = {.whole_bytes = encoded.at("whole_bytes").get<uint64_t>(),
                         .chunks = encoded.at("chunks").get<uint64_t>(),
                         .run_bytes = encoded.at("run_bytes").get<uint64_t>()};
  for (size_t i = 0; i < ReadPattern::kGapClasses; ++i) {
    const json& gaps = encoded.at("gaps").at(i);
    pattern.gaps[i] = {gaps.at(0).get<uint64_t>(), gaps.at(1).get<uint64_t>()};
  }
  return pattern;
}

LinkProfile DecodeLink(const json& encoded) {
  return {.threads = encoded.at(0).get<uint32_t>(),
          .bytes_per_second = encoded.at(1).get<double>(),
          .requests_per_second = encoded.at(2).get<double>(),
          .read_seconds = encoded.at(3).get<double>(),
          .processor_share = encoded.at(4).get<double>()};
}

/// Throws json::exception where a member is missing or of another type.
PastRuns DecodeRuns(const json& encoded) {
  return {.placement = {.transport = encoded.at("transport").get<std::string>(),
                        .hosts = encoded.at("hosts").get<std::vector<std::string>>(),
                        .far_ratio = encoded.at("far_ratio").get<double>(),
                        .ssd_ratio = encoded.value("ssd_ratio", 0.0),
                        .copy_bytes = encoded.at("copy_bytes").get<uint64_t>(),
                        .compressed = encoded.at("compressed").get<bool>()},
          .seconds = encoded.at("seconds").get<std::vector<double>>(),
          .estimated_seconds = encoded.at("estimated_seconds").get<double>(),
          .iterations = encoded.at("iterations").get<uint64_t>(),
          .far_scans = encoded.at("far_scans").get<uint64_t>(),
          .bytes_fetched = encoded.at("bytes_fetched").get<uint64_t>(),
          .requests = encoded.at("requests").get<uint64_t>(),
          .pattern = DecodePattern(encoded.at("pattern")),
          .chunk_bytes = encoded.at("chunk_bytes").get<uint64_t>(),
          .link = DecodeLink(encoded.at("link"))};
}

/// A file that somebody edited must not make a forecast divide by zero.
bool IsSound(const PastRuns& runs) {
  const bool times_are_positive = std::all_of(runs.seconds.begin(), runs.seconds.end(),
                                              [](double seconds) { return seconds > 0; });
  const double far_ratio = runs.placement.far_ratio;
  const bool knows_link = runs.chunk_bytes > 0 && runs.link.IsSound();
  return !runs.seconds.empty() && times_are_positive && runs.estimated_seconds > 0 &&
         (far_ratio == 0 || (far_ratio > 0 && far_ratio <= 1 && knows_link));
}

/// The runs of an entry of the file, without what is damaged.
std::vector<PastRuns> RunsIn(const json& entry) {
  std::vector<PastRuns> all;
  const json runs = entry.value("runs", json());
  if (!runs.is_array()) return all;
  for (const json& encoded : runs) {
    try {
      PastRuns decoded = DecodeRuns(encoded);
      if (IsSound(decoded)) all.push_back(std::move(decoded));
    } catch (const json::exception&) {
      continue;
    }
  }
  return all;
}

/// True if the entry is of that host and as many threads, whatever ran there.
bool IsOfMachine(const json& entry, const JobId& job) {
  if (!entry.is_object() || !entry.value("job", json()).is_object()) return false;
  const json& key = entry.at("job");
  return key.value("host", json()) == job.host && key.value("threads", json()) == job.threads;
}

}  // namespace

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

bool ListPlacement::IsLike(const ListPlacement& other) const {
  return transport == other.transport && hosts == other.hosts && copy_bytes == other.copy_bytes &&
         compressed == other.compressed && std::abs(far_ratio - other.far_ratio) < kSameRatio &&
         std::abs(ssd_ratio - other.ssd_ratio) < kSameRatio;
}

double PastRuns::MedianSeconds() const { return Median(seconds); }

std::string RunHistory::DefaultPath() { return CacheFile::DefaultPath("runs.json"); }

RunHistory::RunHistory(std::string path) : file_(std::move(path), kRunsFormat) {}

std::vector<PastRuns> RunHistory::Find(const JobId& job) const {
  const std::optional<json> entry = file_.Find(Key(job));
  return entry ? RunsIn(*entry) : std::vector<PastRuns>();
}

std::vector<std::vector<PastRuns>> RunHistory::FindAll(const JobId& job) const {
  std::vector<std::vector<PastRuns>> all;
  for (const json& entry : file_.Entries()) {
    if (IsOfMachine(entry, job)) all.push_back(RunsIn(entry));
  }
  return all;
}

absl::Status RunHistory::Add(const JobId& job, const PastRuns& run) const {
  PastRuns newest = run;
  std::vector<PastRuns> older;
  for (PastRuns& runs : Find(job)) {
    if (runs.placement.IsLike(run.placement)) {
      newest.seconds.insert(newest.seconds.end(), runs.seconds.begin(), runs.seconds.end());
    } else {
      older.push_back(std::move(runs));
    }
  }
  newest.seconds.resize(std::min(newest.seconds.size(), kMostRuns));
  json runs = json::array({EncodeRuns(newest)});
  for (const PastRuns& other : older) {
    if (runs.size() < kMostPlacements) runs.push_back(EncodeRuns(other));
  }
  return file_.Put({{"job", Key(job)}, {"runs", std::move(runs)}});
}

}  // namespace fargraph
