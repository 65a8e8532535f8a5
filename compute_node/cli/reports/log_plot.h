#ifndef FARGRAPH_COMPUTE_NODE_CLI_REPORTS_LOG_PLOT_H_
#define FARGRAPH_COMPUTE_NODE_CLI_REPORTS_LOG_PLOT_H_

#include <string>
#include <utility>
#include <vector>

namespace fargraph {

/// Lines over two logarithmic axes. All coordinates are above 0.
struct LogPlot {
  /// A value that an axis names and draws a grid line at.
  struct Tick {
    double value = 1;
    std::string label;
  };
  struct Axis {
    std::string title;
    double low = 1;
    double high = 10;
    std::vector<Tick> ticks;
  };
  struct Point {
    double x = 1;
    double y = 1;
  };
  /// Measured points, joined, and a line without points that goes with them (dashed), in a colour
  /// of their own.
  struct Series {
    std::string name;
    std::vector<Point> points;
    std::vector<Point> fit;
  };
  /// A point with a ring around it, and what it is.
  struct Mark {
    Point point;
    std::string label;
  };

  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::vector<Mark> marks;
};

/// The plot as an SVG file of its own: no fonts, scripts or styles from elsewhere. What lies
/// outside the axes is drawn at their ends.
std::string ToSvg(const LogPlot& plot);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_CLI_REPORTS_LOG_PLOT_H_
