//===- ByteSize.cpp - tests of byte sizes
//-----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Support/ByteSize.h"
#include "gtest/gtest.h"

using namespace mlir::skew;

static int64_t parse(llvm::StringRef text) {
  llvm::Expected<int64_t> bytes = parseByteSize(text);
  if (bytes)
    return *bytes;
  ADD_FAILURE() << llvm::toString(bytes.takeError());
  return -1;
}

static std::string refusal(llvm::StringRef text) {
  llvm::Expected<int64_t> bytes = parseByteSize(text);
  if (!bytes)
    return llvm::toString(bytes.takeError());
  ADD_FAILURE() << text.str() << " was read as " << *bytes;
  return "";
}

TEST(ByteSize, Units) {
  EXPECT_EQ(parse("1"), 1);
  EXPECT_EQ(parse("10B"), 10);
  EXPECT_EQ(parse("2kB"), 2000);
  EXPECT_EQ(parse("2KiB"), 2048);
  EXPECT_EQ(parse("3MB"), 3000000);
  EXPECT_EQ(parse("3MiB"), 3145728);
  EXPECT_EQ(parse("1GB"), 1000000000);
  EXPECT_EQ(parse("2GiB"), 2147483648);
  EXPECT_EQ(parse("1TB"), 1000000000000);
  EXPECT_EQ(parse("1TiB"), 1099511627776);
  EXPECT_EQ(parse(" 1.5 GiB "), 1610612736);
  // A part of a byte is not there.
  EXPECT_EQ(parse("0.0015kB"), 1);
}

TEST(ByteSize, WholeBytesAreExact) {
  // Not a double.
  EXPECT_EQ(parse("9007199254740993"), 9007199254740993);
  EXPECT_EQ(parse("9223372036854775807"), INT64_MAX);
}

TEST(ByteSize, Refuses) {
  for (llvm::StringRef zero : {"0", "0GiB", "0.4B"})
    EXPECT_NE(refusal(zero).find("must be above zero"), std::string::npos);
  for (llvm::StringRef large : {"9223372036854775808", "8388608TiB",
                                "99999999999999999999999", "1000000000TB"})
    EXPECT_NE(refusal(large).find("too large"), std::string::npos);
  for (llvm::StringRef unit : {"10XB", "1e3", "5gib", "1 G", "7 B B"})
    EXPECT_NE(refusal(unit).find("unknown unit"), std::string::npos);
  for (llvm::StringRef other : {"", "-1", "GiB", "1.2.3GiB", "inf", "."})
    EXPECT_EQ(refusal(other),
              "byte size must be a positive number with one of the units B, "
              "kB, MB, GB, TB, KiB, MiB, GiB, TiB, got '" +
                  other.str() + "'");
}

TEST(ByteSize, Formats) {
  EXPECT_EQ(formatByteSize(0), "0 B");
  EXPECT_EQ(formatByteSize(1023), "1023 B");
  EXPECT_EQ(formatByteSize(1024), "1.00 KiB");
  EXPECT_EQ(formatByteSize(1380029764), "1.29 GiB");
  EXPECT_EQ(formatByteSize(54273081344), "50.55 GiB");
  EXPECT_EQ(formatByteSize(INT64_MAX), "8388608.00 TiB");
}
