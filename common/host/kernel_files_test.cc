#include "common/host/kernel_files.h"

#include <optional>

#include "common/host/fake_kernel_files.h"
#include "gmock/gmock.h"

namespace fargraph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class KernelFiles : public FakeKernelFiles {};

TEST_F(KernelFiles, AreReadAsTheyStand) {
  Write("/sys/number", "42\n");
  EXPECT_EQ(ReadKernelFile(root_ + "/sys/number"), "42\n");
  EXPECT_EQ(ReadKernelLine(root_ + "/sys/number"), "42");
  EXPECT_EQ(ReadKernelNumber(root_ + "/sys/number"), 42);
  EXPECT_EQ(ReadKernelCount(root_ + "/sys/number"), 42);
}

TEST_F(KernelFiles, WhatIsNotThereIsEmpty) {
  EXPECT_EQ(ReadKernelFile(root_ + "/sys/number"), "");
  EXPECT_EQ(ReadKernelNumber(root_ + "/sys/number"), std::nullopt);
  EXPECT_EQ(ReadKernelCount(root_ + "/sys/number"), 0);
  EXPECT_THAT(ListKernelDirectory(root_ + "/sys"), IsEmpty());
}

TEST_F(KernelFiles, WhatOpensButCannotBeReadIsEmpty) {
  Write("/sys/directory/number", "42\n");
  EXPECT_EQ(ReadKernelFile(root_ + "/sys/directory"), "");  // EISDIR
  EXPECT_EQ(ReadKernelNumber(root_ + "/sys/directory"), std::nullopt);
}

TEST_F(KernelFiles, ADirectoryIsListedInOrder) {
  Write("/sys/b", "");
  Write("/sys/a", "");
  EXPECT_THAT(ListKernelDirectory(root_ + "/sys"), ElementsAre("a", "b"));
}

}  // namespace
}  // namespace fargraph
