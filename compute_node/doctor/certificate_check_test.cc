#include "compute_node/doctor/certificate_check.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <fstream>
#include <iterator>
#include <memory>

#include "common/files/test_directory.h"
#include "gmock/gmock.h"

namespace fargraph::doctor {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr absl::Duration kDay = absl::Hours(24);
const absl::Time kNow = absl::FromCivil(absl::CivilDay(2030, 6, 15), absl::UTCTimeZone());

/// Files of certificates of any dates, signed by themselves.
class CertificateCheck : public testing::Test {
 protected:
  ~CertificateCheck() override { EVP_PKEY_free(key_); }

  void WriteCertificate(const std::string& subject, absl::Time from, absl::Time until) {
    X509* certificate = X509_new();
    ASN1_TIME_set(X509_getm_notBefore(certificate), absl::ToTimeT(from));
    ASN1_TIME_set(X509_getm_notAfter(certificate), absl::ToTimeT(until));
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(subject.c_str()), -1, -1, 0);
    X509_set_pubkey(certificate, key_);
    ASSERT_GT(X509_sign(certificate, key_, EVP_sha256()), 0);
    BIO* file = BIO_new_file(path_.c_str(), "a");
    ASSERT_EQ(PEM_write_bio_X509(file, certificate), 1);
    BIO_free(file);
    X509_free(certificate);
  }
  void WriteKey() {
    BIO* file = BIO_new_file(path_.c_str(), "a");
    ASSERT_EQ(PEM_write_bio_PrivateKey(file, key_, nullptr, nullptr, 0, nullptr, nullptr), 1);
    BIO_free(file);
  }
  void WriteText(const std::string& text) { std::ofstream(path_, std::ios::app) << text; }
  std::string Content() {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Finding Check() { return CheckCertificate(path_, kNow); }

  TestDirectory directory_;
  std::string path_ = directory_.Path("node.pem");
  EVP_PKEY* key_ = EVP_EC_gen("P-256");
};

TEST_F(CertificateCheck, OneThatIsValidForLongIsFine) {
  WriteCertificate("far1", kNow - kDay, kNow + 200 * kDay);
  EXPECT_EQ(Check().level, Level::kOk);
  EXPECT_EQ(Check().value, path_ + ": valid until 2031-01-01 (CN=far1)");
  EXPECT_EQ(Check().mend, "");
}

TEST_F(CertificateCheck, ThirtyDaysBeforeItsEndItIsToBeReplaced) {
  WriteCertificate("far1", kNow - kDay, kNow + 30 * kDay);
  EXPECT_EQ(Check().level, Level::kOk);
  const Finding later = CheckCertificate(path_, kNow + absl::Seconds(1));
  EXPECT_EQ(later.level, Level::kWarning);
  EXPECT_EQ(later.value, path_ + ": valid until 2030-07-15 (CN=far1)");
  EXPECT_EQ(later.mend, "openssl storeutl -noout -text -certs " + path_ +
                            " | grep -E 'Subject:|Not '  # shows the dates; put a new certificate "
                            "of CN=far1 into " +
                            path_);
}

TEST_F(CertificateCheck, AfterItsEndItIsAProblem) {
  WriteCertificate("far1", kNow - 9 * kDay, kNow);
  EXPECT_EQ(Check().level, Level::kWarning);
  const Finding later = CheckCertificate(path_, kNow + absl::Seconds(1));
  EXPECT_EQ(later.level, Level::kProblem);
  EXPECT_EQ(later.value, path_ + ": expired on 2030-06-15 (CN=far1)");
  EXPECT_THAT(later.mend, EndsWith("put a new certificate of CN=far1 into " + path_));
}

TEST_F(CertificateCheck, BeforeItsBeginItIsAProblem) {
  WriteCertificate("far1", kNow + kDay, kNow + 200 * kDay);
  EXPECT_EQ(Check().level, Level::kProblem);
  EXPECT_EQ(Check().value, path_ +
                               ": not valid before 2030-06-16 (CN=far1), and this host's clock "
                               "says 2030-06-15");
  EXPECT_THAT(Check().mend, EndsWith("set the clock: date --utc"));
  EXPECT_EQ(CheckCertificate(path_, kNow + kDay).level, Level::kOk);
}

TEST_F(CertificateCheck, OfAChainTheFirstEndCounts) {
  WriteKey();
  WriteCertificate("far1", kNow - kDay, kNow + 200 * kDay);
  EXPECT_EQ(Check().level, Level::kOk);
  WriteCertificate("authority", kNow - kDay, kNow + 3 * kDay);
  WriteCertificate("root", kNow - kDay, kNow + 900 * kDay);
  EXPECT_EQ(Check().level, Level::kWarning);
  EXPECT_EQ(Check().value, path_ + ": valid until 2030-06-18 (CN=authority)");
  WriteCertificate("cross", kNow + kDay, kNow + 900 * kDay);
  EXPECT_EQ(Check().level, Level::kProblem);
  EXPECT_THAT(Check().value, HasSubstr("not valid before 2030-06-16 (CN=cross)"));
}

TEST_F(CertificateCheck, ASubjectCannotBreakTheLine) {
  WriteCertificate("far1\nok  all", kNow - kDay, kNow + 200 * kDay);
  EXPECT_THAT(Check().value, Not(HasSubstr("\n")));
}

TEST_F(CertificateCheck, AFileWithoutACertificateIsAProblem) {
  const auto expect_none = [this] {
    EXPECT_EQ(Check().level, Level::kProblem);
    EXPECT_EQ(Check().value, "Reading " + path_ + ": no PEM certificate is in it");
    EXPECT_THAT(Check().mend, StartsWith("openssl x509 -in " + path_ + " -out "));
  };
  WriteText("");
  expect_none();
  WriteText("3 7\n7 9\n");
  expect_none();
  WriteKey();
  expect_none();
}

TEST_F(CertificateCheck, ADamagedCertificateIsAProblemWhereverItIs) {
  WriteCertificate("far1", kNow - kDay, kNow + 200 * kDay);
  const std::string whole = Content();
  WriteText(whole.substr(0, whole.size() / 2));
  EXPECT_EQ(Check().level, Level::kProblem);
  EXPECT_EQ(Check().value, "Reading " + path_ + ": a certificate in it is damaged");
}

TEST_F(CertificateCheck, AFileThatCannotBeReadIsAProblem) {
  EXPECT_EQ(Check().level, Level::kProblem);
  EXPECT_THAT(Check().value, HasSubstr(path_ + ": No such file or directory"));
  EXPECT_THAT(Check().mend, StartsWith("ls -l " + path_ + "  # "));
  EXPECT_THAT(CheckCertificate(directory_.path(), kNow).mend, StartsWith("ls -l "));
}

}  // namespace
}  // namespace fargraph::doctor
