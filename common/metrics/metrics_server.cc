#include "common/metrics/metrics_server.h"

#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/control/token.h"
#include "common/metrics/bounded_stream.h"
#include "common/status_macros.h"
#include "prometheus/metric_family.h"
#include "prometheus/text_serializer.h"

namespace fargraph {
namespace {

constexpr char kUser[] = "fargraph";
constexpr size_t kThreads = 2;
/// All that one connection gets, and so what the end waits for.
constexpr absl::Duration kPatience = absl::Seconds(2);

prometheus::ClientMetric ToPrometheus(const Metric::Sample& sample, Metric::Kind kind) {
  prometheus::ClientMetric metric;
  for (const auto& [name, value] : sample.labels) metric.label.push_back({name, value});
  (kind == Metric::Kind::kCounter ? metric.counter.value : metric.gauge.value) = sample.value;
  return metric;
}

prometheus::MetricFamily ToPrometheus(const Metric& metric) {
  prometheus::MetricFamily family;
  family.name = metric.name;
  family.help = metric.help;
  family.type = metric.kind == Metric::Kind::kCounter ? prometheus::MetricType::Counter
                                                      : prometheus::MetricType::Gauge;
  for (const Metric::Sample& sample : metric.samples) {
    family.metric.push_back(ToPrometheus(sample, metric.kind));
  }
  return family;
}

std::string MetricsText(const std::vector<Metric>& metrics) {
  std::vector<prometheus::MetricFamily> families;
  for (const Metric& metric : metrics) families.push_back(ToPrometheus(metric));
  return prometheus::TextSerializer().Serialize(families);
}

/// Only one listener a port, unlike httplib's default (SO_REUSEPORT).
void SetSocketOptions(socket_t socket) {
  const int on = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
}

/// One request a connection, which keeps a thread, and so the end, for kPatience at most.
class BoundedServer : public httplib::Server {
 private:
  bool process_and_close_socket(socket_t socket) override {
    const bool answered = is_open() && Process(socket);
    shutdown(socket, SHUT_RDWR);
    close(socket);
    return answered;
  }
  /// When the server stops, connections that still wait for a thread are not answered.
  bool is_open() const { return svr_sock_ != INVALID_SOCKET; }
  bool Process(socket_t socket) {
    BoundedStream stream(socket, kPatience);
    bool closed = false;
    return process_request(stream, /*close_connection=*/true, closed, /*setup_request=*/nullptr);
  }
};

class HttpServer : public MetricsServer {
 public:
  HttpServer(const std::string& token, Collect collect) : collect_(std::move(collect)) {
    if (!token.empty()) {
      authorization_ = absl::StrCat("Basic ", absl::Base64Escape(absl::StrCat(kUser, ":", token)));
    }
    // This comes before the body is read, of which nobody has to send any.
    server_.set_pre_routing_handler(
        [this](const httplib::Request& request, httplib::Response& reply) {
          return Refuse(request, reply) ? httplib::Server::HandlerResponse::Handled
                                        : httplib::Server::HandlerResponse::Unhandled;
        });
    server_.Get("/metrics", [this](const httplib::Request&, httplib::Response& reply) {
      reply.set_content(MetricsText(collect_()), "text/plain; version=0.0.4; charset=utf-8");
    });
    server_.set_socket_options(SetSocketOptions);
    server_.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
  }

  ~HttpServer() override {
    server_.stop();
    if (thread_.joinable()) thread_.join();
  }

  absl::Status Listen(const HostPort& listen) {
    const int port = listen.port == 0 ? server_.bind_to_any_port(listen.host)
                     : server_.bind_to_port(listen.host, listen.port) ? listen.port
                                                                      : -1;
    if (port < 0) {  // it does not say why
      return absl::FailedPreconditionError(
          absl::StrCat("cannot show metrics on ", listen.ToString(),
                       ": the port is taken, or that is no address of this host; choose another "
                       "--metrics_port"));
    }
    address_ = HostPort{listen.host, static_cast<uint16_t>(port)}.ToString();
    thread_ = std::thread([this] {
      server_.listen_after_bind();
      has_ended_ = true;
    });
    // Before that stop() would not stop it.
    while (!server_.is_running() && !has_ended_) std::this_thread::yield();
    return absl::OkStatus();
  }

  const std::string& address() const override { return address_; }

 private:
  /// True where the reply is that there is none.
  bool Refuse(const httplib::Request& request, httplib::Response& reply) const {
    if (!authorization_.empty() &&
        !TokensEqual(request.get_header_value("Authorization"), authorization_)) {
      reply.status = 401;
      reply.set_header("WWW-Authenticate", "Basic realm=\"Fargraph\"");
      return true;
    }
    if (request.method == "GET" || request.method == "HEAD") return false;
    reply.status = 405;
    reply.set_header("Allow", "GET, HEAD");
    return true;
  }

  const Collect collect_;
  std::string authorization_;  ///< the header that is asked for; empty: none
  std::string address_;
  BoundedServer server_;
  std::atomic<bool> has_ended_ = false;
  std::thread thread_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<MetricsServer>> MetricsServer::Start(const HostPort& listen,
                                                                    const std::string& token,
                                                                    Collect collect) {
  if (token.empty()) {
    FARGRAPH_ASSIGN_OR_RETURN(const bool is_loopback, IsLoopback(listen.host));
    if (!is_loopback) {
      return absl::InvalidArgumentError(absl::StrCat("cannot show metrics on ", listen.host,
                                                     " without a token; give --token_file"));
    }
  }
  auto server = std::make_unique<HttpServer>(token, std::move(collect));
  FARGRAPH_RETURN_IF_ERROR(server->Listen(listen));
  return server;
}

}  // namespace fargraph
