#ifndef FARGRAPH_COMPUTE_NODE_DOCTOR_CERTIFICATE_CHECK_H_
#define FARGRAPH_COMPUTE_NODE_DOCTOR_CERTIFICATE_CHECK_H_

#include <string>

#include "absl/time/time.h"
#include "common/doctor/finding.h"

namespace fargraph::doctor {

/// Whether the certificate in a PEM file, with all of its chain that the file holds, is valid at
/// the time `now` and stays so for a while. Private keys in it are passed over.
Finding CheckCertificate(const std::string& path, absl::Time now);

}  // namespace fargraph::doctor

#endif  // FARGRAPH_COMPUTE_NODE_DOCTOR_CERTIFICATE_CHECK_H_
