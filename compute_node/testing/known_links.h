#ifndef FARGRAPH_COMPUTE_NODE_TESTING_KNOWN_LINKS_H_
#define FARGRAPH_COMPUTE_NODE_TESTING_KNOWN_LINKS_H_

#include <string>
#include <vector>

// What a job finds measured, for measuring takes half a second.

namespace fargraph {

/// Has the cache of links at `path` say that this many threads of OpenMP read from memory nodes at
/// `addresses`, over shm or tcp, like some machine's.
void KnowMemoryNodes(const std::string& path, const std::vector<std::string>& addresses);

/// The same of SSDs with these directories.
void KnowSsds(const std::string& path, const std::vector<std::string>& directories);

}  // namespace fargraph

#endif  // FARGRAPH_COMPUTE_NODE_TESTING_KNOWN_LINKS_H_
