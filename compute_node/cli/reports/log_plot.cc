#include "compute_node/cli/reports/log_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace fargraph {
namespace {

constexpr double kWidth = 860;
constexpr double kHeight = 520;
constexpr double kLeft = 80;
constexpr double kRight = 700;  ///< beyond it is the legend
constexpr double kTop = 50;
constexpr double kBottom = 450;
constexpr double kLegendLine = 20;
/// Told apart by most people who see colours differently (Okabe and Ito, 2008).
constexpr std::array<absl::string_view, 7> kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                      "#e69f00", "#56b4e9", "#000000"};

std::string Escape(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}});
}

/// Where a value lies between the ends of its axis: 0 to 1.
double Fraction(const LogPlot::Axis& axis, double value) {
  const double fraction = std::log(value / axis.low) / std::log(axis.high / axis.low);
  return std::clamp(fraction, 0.0, 1.0);
}

class SvgWriter {
 public:
  explicit SvgWriter(const LogPlot& plot) : plot_(plot) {}

  std::string Write() {
    absl::StrAppendFormat(&svg_,
                          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" "
                          "font-family=\"sans-serif\" font-size=\"13\">\n",
                          kWidth, kHeight);
    absl::StrAppendFormat(&svg_, "<rect width=\"%g\" height=\"%g\" fill=\"white\"/>\n", kWidth,
                          kHeight);
    Text(kLeft, kTop / 2, "start", plot_.title);
    AddAxes();
    for (size_t i = 0; i < plot_.series.size(); ++i) {
      AddSeries(plot_.series[i], kColors[i % kColors.size()], kTop + kLegendLine * (i + 0.5));
    }
    for (const LogPlot::Mark& mark : plot_.marks) AddMark(mark);
    return absl::StrCat(svg_, "</svg>\n");
  }

 private:
  double X(double value) const { return kLeft + Fraction(plot_.x, value) * (kRight - kLeft); }
  double Y(double value) const { return kBottom - Fraction(plot_.y, value) * (kBottom - kTop); }

  void Text(double x, double y, absl::string_view anchor, absl::string_view text) {
    absl::StrAppendFormat(&svg_, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y,
                          anchor, Escape(text));
  }

  void Line(double x1, double y1, double x2, double y2, absl::string_view style) {
    absl::StrAppendFormat(&svg_, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x1,
                          y1, x2, y2, style);
  }

  void AddAxes() {
    constexpr absl::string_view kGrid = "stroke=\"#dddddd\"";
    for (const LogPlot::Tick& tick : plot_.x.ticks) {
      Line(X(tick.value), kTop, X(tick.value), kBottom, kGrid);
      Text(X(tick.value), kBottom + 20, "middle", tick.label);
    }
    for (const LogPlot::Tick& tick : plot_.y.ticks) {
      Line(kLeft, Y(tick.value), kRight, Y(tick.value), kGrid);
      Text(kLeft - 8, Y(tick.value) + 4, "end", tick.label);
    }
    absl::StrAppendFormat(&svg_,
                          "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" "
                          "stroke=\"black\"/>\n",
                          kLeft, kTop, kRight - kLeft, kBottom - kTop);
    Text((kLeft + kRight) / 2, kBottom + 45, "middle", plot_.x.title);
    absl::StrAppendFormat(&svg_,
                          "<text transform=\"translate(20 %g) rotate(-90)\" "
                          "text-anchor=\"middle\">%s</text>\n",
                          (kTop + kBottom) / 2, Escape(plot_.y.title));
  }

  void Path(const std::vector<LogPlot::Point>& points, absl::string_view color,
            absl::string_view dashes) {
    if (points.empty()) return;
    absl::StrAppend(&svg_, "<polyline fill=\"none\" stroke=\"", color, "\" ", dashes, "points=\"");
    for (const LogPlot::Point& point : points) {
      absl::StrAppendFormat(&svg_, "%.1f,%.1f ", X(point.x), Y(point.y));
    }
    absl::StrAppend(&svg_, "\"/>\n");
  }

  void AddSeries(const LogPlot::Series& series, absl::string_view color, double legend_y) {
    Path(series.points, color, "stroke-width=\"1.5\" ");
    Path(series.fit, color, "stroke-dasharray=\"4 3\" ");
    for (const LogPlot::Point& point : series.points) {
      absl::StrAppendFormat(&svg_, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n",
                            X(point.x), Y(point.y), color);
    }
    Line(kRight + 15, legend_y, kRight + 40, legend_y,
         absl::StrCat("stroke=\"", color, "\" stroke-width=\"1.5\""));
    Text(kRight + 48, legend_y + 4, "start", series.name);
  }

  void AddMark(const LogPlot::Mark& mark) {
    const double x = X(mark.point.x);
    const double y = Y(mark.point.y);
    absl::StrAppendFormat(&svg_,
                          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"8\" fill=\"none\" stroke=\"black\" "
                          "stroke-width=\"2\"/>\n",
                          x, y);
    const bool on_the_left = x < (kLeft + kRight) / 2;
    Text(on_the_left ? x + 12 : x - 12, y + 24, on_the_left ? "start" : "end", mark.label);
  }

  const LogPlot& plot_;
  std::string svg_;
};

}  // namespace

std::string ToSvg(const LogPlot& plot) { return SvgWriter(plot).Write(); }

}  // namespace fargraph
