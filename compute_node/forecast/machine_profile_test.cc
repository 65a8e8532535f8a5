#include "compute_node/forecast/machine_profile.h"

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "common/files/file.h"
#include "common/files/test_directory.h"
#include "common/units.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace fargraph {
namespace {

TEST(MachineProfile, RatesAreThoseOfThisWorld) {
  const MachineProfile machine = MeasureMachine();
  for (const double bytes : {0.0, 4e3, 1e6, 5e6, 1e15}) {
    EXPECT_GT(machine.RandomReadsPerSecond(bytes), 1e5);
    EXPECT_LT(machine.RandomReadsPerSecond(bytes), 1e13);
  }
  EXPECT_GT(machine.visit_seconds, 1e-12);
  EXPECT_LT(machine.visit_seconds, 1e-5);
  EXPECT_GT(machine.start_seconds, 0);
  EXPECT_LT(machine.start_seconds, 0.1);
}

TEST(MachineProfile, InBetweenIsInBetween) {
  const MachineProfile machine = {.random_reads = {{100, 8}, {10'000, 2}}};
  EXPECT_EQ(machine.RandomReadsPerSecond(1), 8);
  EXPECT_DOUBLE_EQ(machine.RandomReadsPerSecond(1000), 4);
  EXPECT_EQ(machine.RandomReadsPerSecond(1e9), 2);
}

TEST(MachineProfile, IsOneForEachWayToWait) {
  const TestDirectory directory;
  const std::string path = directory.Path("machine.json");
  const std::string before = std::getenv("GOMP_SPINCOUNT") ? std::getenv("GOMP_SPINCOUNT") : "";
  std::vector<size_t> measurements;
  for (const char* spins : {"1", "2", "1"}) {
    setenv("GOMP_SPINCOUNT", spins, /*replace=*/1);
    ProfileMachine(path);
    measurements.push_back(nlohmann::json::parse(*ReadSmallFile(path, kMiB))["machines"].size());
  }
  before.empty() ? unsetenv("GOMP_SPINCOUNT") : setenv("GOMP_SPINCOUNT", before.c_str(), 1);
  EXPECT_THAT(measurements, testing::ElementsAre(1, 2, 2));
}

TEST(MachineProfile, IsMeasuredOnceAndAgainWhereDamaged) {
  const TestDirectory directory;
  const std::string path = directory.Path("machine.json");
  const MachineProfile first = ProfileMachine(path);
  EXPECT_EQ(ProfileMachine(path).start_seconds, first.start_seconds);
  const std::string good = *ReadSmallFile(path, kMiB);
  for (const std::string& bad : {std::string("{"), good.substr(0, good.size() / 2)}) {
    std::ofstream(path) << bad;
    const MachineProfile anew = ProfileMachine(path);
    EXPECT_NE(anew.start_seconds, first.start_seconds);
    EXPECT_EQ(ProfileMachine(path).start_seconds, anew.start_seconds);
  }
}

}  // namespace
}  // namespace fargraph
