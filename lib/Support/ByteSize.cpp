//===- ByteSize.cpp - byte sizes as people write them ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Support/ByteSize.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;

llvm::Expected<int64_t> skew::parseByteSize(llvm::StringRef text) {
  auto fail = [&](llvm::StringRef why) {
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "byte size must be a positive number with one of the units B, kB, MB, "
        "GB, TB, KiB, MiB, GiB, TiB, got '%s'%s%s",
        text.str().c_str(), why.empty() ? "" : ": ", why.str().c_str());
  };
  llvm::StringRef trimmed = text.trim();
  llvm::StringRef number = trimmed.take_while(
      [](char c) { return llvm::isDigit(c) || c == '.'; });
  llvm::StringRef unit = trimmed.drop_front(number.size()).ltrim();
  double value;
  if (number.empty() || number.getAsDouble(value, /*AllowInexact=*/true))
    return fail("");
  double factor = llvm::StringSwitch<double>(unit)
                      .Cases({"", "B"}, 1.0)
                      .Case("kB", 1e3)
                      .Case("MB", 1e6)
                      .Case("GB", 1e9)
                      .Case("TB", 1e12)
                      .Case("KiB", 1024.0)
                      .Case("MiB", 1048576.0)
                      .Case("GiB", 1073741824.0)
                      .Case("TiB", 1099511627776.0)
                      .Default(0.0);
  if (factor == 0.0)
    return fail("unknown unit");
  // A whole number of bytes is exact however large it is.
  uint64_t whole;
  if (factor == 1.0 && !number.contains('.')) {
    if (number.getAsInteger(10, whole) || whole > INT64_MAX)
      return fail("too large");
    if (whole == 0)
      return fail("must be above zero");
    return static_cast<int64_t>(whole);
  }
  double bytes = std::floor(value * factor);
  if (!(bytes >= 1.0))
    return fail("must be above zero");
  if (bytes >= 9223372036854775808.0)
    return fail("too large");
  return static_cast<int64_t>(bytes);
}

std::string skew::formatByteSize(int64_t bytes) {
  static constexpr const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  unsigned unit = 0;
  while (value >= 1024.0 && unit + 1 < std::size(units)) {
    value /= 1024.0;
    ++unit;
  }
  if (unit == 0)
    return llvm::formatv("{0} B", bytes);
  return llvm::formatv("{0:f2} {1}", value, units[unit]);
}
