//===- OutputFile.cpp - files that are whole or absent --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

llvm::Error skew::writeWholeFile(llvm::StringRef path,
                                 llvm::StringRef contents) {
  if (path == "-") {
    llvm::errs() << contents;
    return llvm::Error::success();
  }
  auto named = [&](llvm::Error error) -> llvm::Error {
    if (!error)
      return error;
    std::string why;
    llvm::handleAllErrors(
        std::move(error),
        // These name a file of their own, which may be the temporary one.
        [&](const llvm::FileError &file) {
          why = file.messageWithoutFileInfo();
        },
        [&](const llvm::ErrorInfoBase &other) { why = other.message(); });
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "cannot write '%s': %s", path.str().c_str(),
                                   why.c_str());
  };
  // A device or pipe cannot be replaced by a rename; write to it directly.
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(path, status) &&
      status.type() != llvm::sys::fs::file_type::regular_file &&
      status.type() != llvm::sys::fs::file_type::directory_file) {
    std::error_code code;
    llvm::raw_fd_ostream stream(path, code);
    if (code)
      return named(llvm::errorCodeToError(code));
    stream << contents;
    stream.close();
    code = stream.error();
    stream.clear_error();
    return named(llvm::errorCodeToError(code));
  }
  return named(llvm::writeToOutput(path, [&](llvm::raw_ostream &stream) {
    stream << contents;
    return llvm::Error::success();
  }));
}
