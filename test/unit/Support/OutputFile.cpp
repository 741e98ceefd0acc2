//===- OutputFile.cpp - tests of files that are whole or absent
//-------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Support/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace llvm;
using mlir::skew::writeWholeFile;

namespace {
class OutputFile : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("skew-output", folder));
  }
  void TearDown() override { sys::fs::remove_directories(folder); }
  std::string path(StringRef name) {
    SmallString<128> joined(folder);
    sys::path::append(joined, name);
    return std::string(joined);
  }
  unsigned countFiles() {
    std::error_code code;
    unsigned count = 0;
    for (sys::fs::directory_iterator it(folder, code), end; it != end && !code;
         it.increment(code))
      ++count;
    return count;
  }
  SmallString<128> folder;
};
} // namespace

TEST_F(OutputFile, ReplacesAWholeFile) {
  for (StringRef text : {"a long first text\n", "second", ""}) {
    ASSERT_FALSE(errorToBool(writeWholeFile(path("out"), text)));
    auto buffer = MemoryBuffer::getFile(path("out"));
    ASSERT_TRUE(bool(buffer));
    EXPECT_EQ((*buffer)->getBuffer(), text);
  }
  // No temporary file is left.
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(OutputFile, NamesThePathItCannotWrite) {
  std::string none = path("none/out");
  EXPECT_EQ(toString(writeWholeFile(none, "text")),
            "cannot write '" + none + "': No such file or directory");
  std::string text = toString(writeWholeFile(std::string(folder), "text"));
  EXPECT_NE(text.find("cannot write"), std::string::npos);
  EXPECT_EQ(countFiles(), 0u);
}

TEST_F(OutputFile, WritesToADevice) {
  EXPECT_FALSE(errorToBool(writeWholeFile("/dev/null", "text")));
  EXPECT_TRUE(sys::fs::exists("/dev/null"));
}
