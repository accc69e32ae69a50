//===- Files.cpp - What tools write ---------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Files.h"

#include "runtime/Base/Printable.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace pmc;

int pmc::fail(const llvm::Twine &message) {
  llvm::errs() << "pmc: error: " << pmrt::printable(message.str()) << "\n";
  return 1;
}

int pmc::writeFile(const std::string &path,
                   llvm::function_ref<bool(llvm::raw_pwrite_stream &)> write) {
  if (path == "-") {
    llvm::SmallVector<char, 0> text;
    llvm::raw_svector_ostream os(text);
    if (!write(os))
      return 1;
    llvm::outs() << os.str();
    return 0;
  }
  // A pipe or a device is written to; nothing may take its place.
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(path, status) && llvm::sys::fs::is_other(status)) {
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    bool good = error || write(os);
    if (!error) {
      os.close();
      error = os.error();
      os.clear_error();
    }
    if (error)
      return fail("cannot write '" + path + "': " + error.message());
    return good ? 0 : 1;
  }
  // A link stays, and its file is replaced.
  llvm::SmallString<256> target, temporary;
  if (llvm::sys::fs::real_path(path, target))
    target = path;
  int descriptor = 0;
  if (std::error_code error = llvm::sys::fs::createUniqueFile(
          target + ".%%%%%%", descriptor, temporary))
    return fail("cannot write '" + path + "': " + error.message());
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  bool good = write(os);
  os.close();
  std::error_code error = os.error();
  os.clear_error();
  if (good && !error)
    error = llvm::sys::fs::rename(temporary, target);
  if (good && !error)
    return 0;
  (void)llvm::sys::fs::remove(temporary);
  return good ? fail("cannot write '" + path + "': " + error.message()) : 1;
}

int pmc::writeReport(const std::string &path,
                     llvm::function_ref<bool(llvm::raw_ostream &)> write) {
  return writeFile(path, [&](llvm::raw_pwrite_stream &os) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    const bool good = write(stream);
    os << pmrt::printable(text);
    return good;
  });
}
