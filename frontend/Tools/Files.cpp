//===- Files.cpp - What tools write ---------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Files.h"

#include "frontend/Basic/Diagnostics.h"

#include "runtime/Base/Text/Printable.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace pmc;

int pmc::fail(const llvm::Twine &message) {
  const std::string all = message.str();
  llvm::StringRef text = all;
  const llvm::StringRef code = takeCode(text);
  llvm::errs() << "pmc: error: " << pmrt::printable(text.str());
  if (!code.empty())
    llvm::errs() << " [" << code << "]";
  llvm::errs() << "\n";
  return 1;
}

/// The largest text. A device may have no end.
static constexpr size_t mostBytes = size_t(64) << 20;

llvm::Expected<std::string> pmc::readText(const std::string &path) {
  auto file = path == "-" ? llvm::Expected<llvm::sys::fs::file_t>(
                                llvm::sys::fs::getStdinHandle())
                          : llvm::sys::fs::openNativeFileForRead(path);
  if (!file)
    return file.takeError();
  std::string text;
  std::vector<char> part(1 << 16);
  llvm::Error problem = llvm::Error::success();
  while (!problem && text.size() <= mostBytes) {
    llvm::Expected<size_t> read = llvm::sys::fs::readNativeFile(*file, part);
    if (read && *read == 0)
      break;
    if (read)
      text.append(part.data(), *read);
    else
      problem = read.takeError();
  }
  if (path != "-")
    (void)llvm::sys::fs::closeFile(*file);
  if (problem)
    return std::move(problem);
  if (text.size() > mostBytes)
    return llvm::createStringError("a spec has at most 64 MiB");
  return text;
}

int pmc::writeFile(const std::string &path,
                   llvm::function_ref<bool(llvm::raw_pwrite_stream &)> write,
                   bool keepsPermissions) {
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
      return fail("[PM1008] cannot write '" + path + "': " + error.message());
    return good ? 0 : 1;
  }
  // A link stays, and its file is replaced.
  llvm::SmallString<256> target, temporary;
  if (llvm::sys::fs::real_path(path, target))
    target = path;
  int descriptor = 0;
  if (std::error_code error = llvm::sys::fs::createUniqueFile(
          target + ".%%%%%%", descriptor, temporary))
    return fail("[PM1008] cannot write '" + path + "': " + error.message());
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  bool good = write(os);
  os.close();
  std::error_code error = os.error();
  os.clear_error();
  if (good && !error && keepsPermissions)
    error = llvm::sys::fs::setPermissions(temporary, status.permissions());
  if (good && !error)
    error = llvm::sys::fs::rename(temporary, target);
  if (good && !error)
    return 0;
  (void)llvm::sys::fs::remove(temporary);
  return good ? fail("[PM1008] cannot write '" + path + "': " + error.message())
              : 1;
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
