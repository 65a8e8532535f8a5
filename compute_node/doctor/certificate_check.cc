#include "compute_node/doctor/certificate_check.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/files/file.h"
#include "common/status_macros.h"
#include "common/units.h"

namespace fargraph::doctor {
namespace {

constexpr absl::Duration kRenewBefore = absl::Hours(30 * 24);
constexpr uint64_t kMaxFileBytes = kMiB;  ///< more than any chain has

template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Bio = std::unique_ptr<BIO, Freed<BIO_free>>;
using X509Certificate = std::unique_ptr<X509, Freed<X509_free>>;

struct Certificate {
  std::string subject;
  absl::Time from;
  absl::Time until;
};

absl::Status Damaged() {
  ERR_clear_error();
  return absl::DataLossError("a certificate in it is damaged");
}

absl::StatusOr<absl::Time> TimeOf(const ASN1_TIME* time) {
  std::tm utc{};
  if (ASN1_TIME_to_tm(time, &utc) != 1) return Damaged();
  return absl::FromTM(utc, absl::UTCTimeZone());
}

/// On one line, with everything but plain characters escaped.
std::string SubjectOf(const X509& certificate) {
  const Bio text(BIO_new(BIO_s_mem()));
  X509_NAME_print_ex(text.get(), X509_get_subject_name(&certificate), 0, XN_FLAG_RFC2253);
  char* data = nullptr;
  const auto size = BIO_get_mem_data(text.get(), &data);
  return {data, static_cast<size_t>(size)};
}

absl::StatusOr<std::vector<Certificate>> ParseCertificates(const std::string& pem) {
  const Bio text(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  std::vector<Certificate> certificates;
  while (const X509Certificate x509{PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr)}) {
    FARGRAPH_ASSIGN_OR_RETURN(const absl::Time from, TimeOf(X509_get0_notBefore(x509.get())));
    FARGRAPH_ASSIGN_OR_RETURN(const absl::Time until, TimeOf(X509_get0_notAfter(x509.get())));
    certificates.push_back({.subject = SubjectOf(*x509), .from = from, .until = until});
  }
  // This is how the end of the file is told.
  if (ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE) return Damaged();
  ERR_clear_error();
  if (certificates.empty()) return absl::InvalidArgumentError("no PEM certificate is in it");
  return certificates;
}

absl::StatusOr<std::vector<Certificate>> ReadCertificates(const std::string& path) {
  FARGRAPH_ASSIGN_OR_RETURN(const std::string pem, ReadSmallFile(path, kMaxFileBytes));
  absl::StatusOr<std::vector<Certificate>> certificates = ParseCertificates(pem);
  if (certificates.ok()) return certificates;
  return absl::Status(certificates.status().code(),
                      absl::StrCat("Reading ", path, ": ", certificates.status().message()));
}

std::string NameAnother(const std::string& path, const absl::Status& status) {
  if (absl::IsNotFound(status)) {
    return absl::StrCat("ls -l ", path,
                        "  # name a file that is there and open to this user: --certificate=FILE");
  }
  return absl::StrCat("openssl x509 -in ", path, " -out ", path,
                      ".pem  # makes PEM of another format; if it cannot, name the file of the "
                      "certificate: --certificate=FILE");
}

std::string ShowDates(const std::string& path) {
  return absl::StrCat("openssl storeutl -noout -text -certs ", path,
                      " | grep -E 'Subject:|Not '  # shows the dates; ");
}

std::string Replace(const std::string& path, const Certificate& certificate) {
  return absl::StrCat(ShowDates(path), "put a new certificate of ", certificate.subject, " into ",
                      path);
}

std::string Day(absl::Time time) { return absl::FormatTime("%Y-%m-%d", time, absl::UTCTimeZone()); }

}  // namespace

Finding CheckCertificate(const std::string& path, absl::Time now) {
  Finding finding = {
      .check = "certificate dates", .level = Level::kProblem, .value = {}, .mend = {}};
  const absl::StatusOr<std::vector<Certificate>> chain = ReadCertificates(path);
  if (!chain.ok()) {
    finding.value = std::string(chain.status().message());
    finding.mend = NameAnother(path, chain.status());
    return finding;
  }
  const auto& ends_first = *std::min_element(
      chain->begin(), chain->end(), [](const auto& a, const auto& b) { return a.until < b.until; });
  const auto& begins_last = *std::max_element(
      chain->begin(), chain->end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  if (ends_first.until < now) {
    finding.value =
        absl::StrCat(path, ": expired on ", Day(ends_first.until), " (", ends_first.subject, ")");
    finding.mend = Replace(path, ends_first);
  } else if (begins_last.from > now) {
    finding.value = absl::StrCat(path, ": not valid before ", Day(begins_last.from), " (",
                                 begins_last.subject, "), and this host's clock says ", Day(now));
    finding.mend = absl::StrCat(ShowDates(path), "wait for that day, or set the clock: date --utc");
  } else {
    finding.value =
        absl::StrCat(path, ": valid until ", Day(ends_first.until), " (", ends_first.subject, ")");
    finding.level = ends_first.until < now + kRenewBefore ? Level::kWarning : Level::kOk;
    if (finding.level == Level::kWarning) finding.mend = Replace(path, ends_first);
  }
  return finding;
}

}  // namespace fargraph::doctor
