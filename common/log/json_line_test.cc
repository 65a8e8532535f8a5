#include "common/log/json_line.h"

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace fargraph {
namespace {

constexpr char kAwkward[] = "a \"quoted\" \\ word,\n\ttwo lines, \x01, Zoë → 图";

LogRecord Record(absl::string_view message) {
  return {.time = absl::FromUnixMicros(1795335353'000042),
          .severity = "WARNING",
          .source = "broker.cc:81",
          .message = message};
}

TEST(FormatJsonLine, TellsTimeSeveritySourceAndMessage) {
  EXPECT_EQ(FormatJsonLine(Record("hello"), {}),
            R"({"time":"2026-11-22T08:15:53.000042Z","severity":"WARNING",)"
            R"("source":"broker.cc:81","message":"hello"})");
}

TEST(FormatJsonLine, IsOneLineThatGivesTheMessageBack) {
  const std::string line = FormatJsonLine(Record(kAwkward), {{{"client", std::string(kAwkward)}}});
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto parsed = nlohmann::json::parse(line);
  EXPECT_EQ(parsed["message"], kAwkward);
  EXPECT_EQ(parsed["client"], kAwkward);
}

TEST(FormatJsonLine, ReplacesWhatIsNotUtf8) {
  const auto parsed = nlohmann::json::parse(FormatJsonLine(Record("a\xff z"), {}));
  EXPECT_EQ(parsed["message"], "a\uFFFD z");
}

TEST(LogFields, AreThoseThatLiveInThisThread) {
  const LogFields outer({{"client", "one"}, {"bytes", uint64_t{1} << 40}});
  {
    const LogFields inner({{"region", "7"}});
    EXPECT_EQ(LogFields::OfThisThread().size(), 3);
  }
  const auto parsed = nlohmann::json::parse(FormatJsonLine(Record("x"), LogFields::OfThisThread()));
  EXPECT_EQ(parsed["client"], "one");
  EXPECT_EQ(parsed["bytes"], uint64_t{1} << 40);
  EXPECT_FALSE(parsed.contains("region"));
}

}  // namespace
}  // namespace fargraph
