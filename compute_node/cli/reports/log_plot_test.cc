#include "compute_node/cli/reports/log_plot.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fargraph {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

LogPlot Plot() {
  return {.title = "a < b & c",
          .x = {.title = "bytes", .low = 1, .high = 100, .ticks = {{1, "one"}, {10, "ten"}}},
          .y = {.title = "rate", .low = 0.1, .high = 10, .ticks = {{1, "1"}}},
          .series = {{.name = "first",
                      .points = {{1, 0.1}, {10, 1}, {100, 10}},
                      .fit = {{1, 10}, {100, 0.1}}}},
          .marks = {{.point = {10, 1}, .label = "chosen"}}};
}

TEST(LogPlot, PointsLieWhereTheirLogarithmsAre) {
  const std::string svg = ToSvg(Plot());
  // The axes run from 80 to 700 and from 450 up to 50: the middle is at 390, 250.
  EXPECT_THAT(svg, HasSubstr("points=\"80.0,450.0 390.0,250.0 700.0,50.0 \""));
  EXPECT_THAT(svg, HasSubstr("stroke-dasharray=\"4 3\" points=\"80.0,50.0 700.0,450.0 \""));
  EXPECT_THAT(svg, HasSubstr("cx=\"390.0\" cy=\"250.0\" r=\"8\""));
}

TEST(LogPlot, NamesEverything) {
  const std::string svg = ToSvg(Plot());
  for (const char* text :
       {"a &lt; b &amp; c", ">bytes<", ">rate<", ">one<", ">ten<", ">first<", ">chosen<"}) {
    EXPECT_THAT(svg, HasSubstr(text));
  }
}

TEST(LogPlot, WhatLiesOutsideStaysOnTheEdge) {
  LogPlot plot = Plot();
  plot.series = {{.name = "outside", .points = {{0.001, 1e9}, {1e9, 1e-9}}}};
  EXPECT_THAT(ToSvg(plot), HasSubstr("points=\"80.0,50.0 700.0,450.0 \""));
}

TEST(LogPlot, IsAFileOfItsOwnWhoseElementsAreClosed) {
  const std::string svg = ToSvg(Plot());
  EXPECT_THAT(svg, testing::StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  const auto count = [&](const std::string& text) {
    int found = 0;
    for (size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("<"), count("/>") + 2 * count("</")) << "every element is closed";
}

}  // namespace
}  // namespace fargraph
