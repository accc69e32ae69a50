//===- Link.cpp - Objects to programs and libraries -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Link/Link.h"

#include "codegen/Link/TemporaryFolder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace pmc::codegen;

namespace {

Error fail(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message.str());
}

/// The arguments that the runtime's build wrote down, one a line.
Expected<std::vector<std::string>> readArguments(const LinkOptions &options) {
  SmallString<256> path(options.runtimeFolder);
  sys::path::append(path, options.sanitizer.empty()
                              ? "pmrt-link.txt"
                              : "pmrt-link-" + options.sanitizer + ".txt");
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  if (!file)
    return fail("the runtime" +
                (options.sanitizer.empty()
                     ? Twine()
                     : " built with the " + options.sanitizer + " sanitizer") +
                " is not there: cannot read '" + path +
                "': " + file.getError().message() +
                (options.sanitizer.empty()
                     ? Twine()
                     : "; 'cmake --build build --target pmrt-" +
                           options.sanitizer + "' makes it"));
  SmallVector<StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  std::vector<std::string> arguments;
  for (StringRef line : lines)
    arguments.push_back(line.str());
  return arguments;
}

/// The program at `path`, or of that name elsewhere.
Expected<std::string> findLinker(StringRef path) {
  ErrorOr<std::string> linker = sys::findProgramByName(path);
  if (!linker)
    linker = sys::findProgramByName(sys::path::filename(path));
  if (!linker)
    return fail("cannot find '" + path + "', which links programs");
  return *linker;
}

/// For a program with the runtime in it: the compiler's command.
Expected<std::vector<std::string>>
getProgramCommand(ArrayRef<std::string> objects, StringRef output,
                  const LinkOptions &options) {
  Expected<std::vector<std::string>> runtime = readArguments(options);
  if (!runtime)
    return runtime.takeError();
  Expected<std::string> linker = findLinker(PMC_LINKER);
  if (!linker)
    return linker.takeError();
  std::vector<std::string> arguments{*linker,
                                     "-fuse-ld=lld",
                                     "-Wl,--build-id=none",
                                     "-Wl,--gc-sections",
                                     "-Wl,--as-needed",
                                     "-o",
                                     output.str()};
  arguments.insert(arguments.end(), objects.begin(), objects.end());
  if (options.kind == LinkKind::Library)
    arguments.push_back("-shared");
  SmallString<256> simulator(options.simulator);
  sys::path::remove_dots(simulator, /*remove_dot_dot=*/true);
  if (!simulator.empty())
    arguments.insert(arguments.end(),
                     {"-rdynamic", simulator.str().str(),
                      "-Wl,-rpath," + sys::path::parent_path(simulator).str()});
  arguments.insert(arguments.end(), runtime->begin(), runtime->end());
  return arguments;
}

/// For a program alone: lld itself, which needs no compiler and no files of the
/// C library. Whoever opens the program has loaded libpmrt.so.
Expected<std::vector<std::string>>
getSharedObjectCommand(ArrayRef<std::string> objects, StringRef output,
                       const LinkOptions &options) {
  Expected<std::string> linker = findLinker(PMC_LLD);
  if (!linker)
    return linker.takeError();
  SmallString<256> runtime(options.runtimeFolder);
  sys::path::append(runtime, "libpmrt.so");
  if (!sys::fs::exists(runtime))
    return fail("cannot find the runtime '" + runtime +
                "', which the program needs");
  // Without --eh-frame-hdr no exception leaves the program.
  std::vector<std::string> arguments{*linker,
                                     "-shared",
                                     "--eh-frame-hdr",
                                     "--build-id=none",
                                     "--gc-sections",
                                     "--hash-style=gnu",
                                     "-znow",
                                     "-s",
                                     "-o",
                                     output.str()};
  arguments.insert(arguments.end(), objects.begin(), objects.end());
  arguments.push_back(runtime.str().str());
  return arguments;
}

} // namespace

Error pmc::codegen::link(ArrayRef<std::string> objects, StringRef output,
                         const LinkOptions &options) {
  const TemporaryFolder folder("pmc-link");
  if (folder.getPath().empty())
    return fail("cannot make a temporary folder");
  const std::string log = folder.getPath() + "/log";
  SmallString<256> made;
  if (std::error_code error =
          sys::fs::createUniqueFile(output + ".%%%%%%%%%%%%", made))
    return fail("cannot write '" + output + "': " + error.message());

  Expected<std::vector<std::string>> arguments =
      options.kind == LinkKind::SharedObject
          ? getSharedObjectCommand(objects, made, options)
          : getProgramCommand(objects, made, options);
  if (!arguments) {
    (void)sys::fs::remove(made);
    return arguments.takeError();
  }
  SmallVector<StringRef> references(arguments->begin(), arguments->end());
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(log),
                                          StringRef(log)};
  std::string problem;
  int code = sys::ExecuteAndWait(references[0], references, std::nullopt,
                                 redirects, 0, 0, &problem);
  std::string said;
  if (ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(log))
    said = (*text)->getBuffer().str();
  if (code != 0) {
    (void)sys::fs::remove(made);
    return fail("linking failed\n" + problem + said);
  }
  // As umask would have it, and not for the owner alone.
  unsigned mask = sys::fs::getUmask();
  (void)sys::fs::setPermissions(made,
                                static_cast<sys::fs::perms>(0777 & ~mask));
  // A pipe or a device is written to; nothing may take its place.
  sys::fs::file_status status;
  bool isOther = !sys::fs::status(output, status) && sys::fs::is_other(status);
  std::error_code error = isOther ? sys::fs::copy_file(made, output)
                                  : sys::fs::rename(made, output);
  if (error || isOther)
    (void)sys::fs::remove(made);
  if (error)
    return fail("cannot write '" + output + "': " + error.message());
  return Error::success();
}
