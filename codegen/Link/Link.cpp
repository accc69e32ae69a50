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

#include "lld/Common/Driver.h"

#include <cmath>
#include <dlfcn.h>
#include <mutex>
#include <unistd.h>

using namespace llvm;
using namespace pmc::codegen;

LLD_HAS_DRIVER(elf)

namespace {

Error fail(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message.str());
}

/// The lines of a file beside the runtime.
ErrorOr<std::vector<std::string>> readLines(const LinkOptions &options,
                                            const Twine &name) {
  SmallString<256> path(options.runtimeFolder);
  sys::path::append(path, name);
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  if (!file)
    return file.getError();
  SmallVector<StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  return std::vector<std::string>(lines.begin(), lines.end());
}

/// The arguments that the runtime's build wrote down, one a line.
Expected<std::vector<std::string>> readArguments(const LinkOptions &options) {
  const std::string name = options.sanitizer.empty()
                               ? "pmrt-link.txt"
                               : "pmrt-link-" + options.sanitizer + ".txt";
  ErrorOr<std::vector<std::string>> arguments = readLines(options, name);
  if (!arguments)
    return fail("the runtime" +
                (options.sanitizer.empty()
                     ? Twine()
                     : " built with the " + options.sanitizer + " sanitizer") +
                " is not there: cannot read '" + options.runtimeFolder + "/" +
                name + "': " + arguments.getError().message() +
                (options.sanitizer.empty()
                     ? Twine()
                     : "; 'cmake --build build --target pmrt-" +
                           options.sanitizer + "' makes it"));
  for (std::string &argument : *arguments) // libpmrt.a is beside the list
    if (StringRef(argument).ends_with(".a") &&
        !sys::path::is_absolute(argument))
      argument = options.runtimeFolder + "/" + argument;
  return *arguments;
}

/// The path of the simulated driver, or "".
std::string getSimulator(const LinkOptions &options) {
  SmallString<256> path(options.simulator);
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

/// For a program with the runtime in it: the compiler's command.
Expected<std::vector<std::string>>
getProgramCommand(ArrayRef<std::string> objects, StringRef output,
                  const LinkOptions &options) {
  Expected<std::vector<std::string>> runtime = readArguments(options);
  if (!runtime)
    return runtime.takeError();
  ErrorOr<std::string> linker = sys::findProgramByName(PMC_LINKER);
  if (!linker)
    linker = sys::findProgramByName(sys::path::filename(PMC_LINKER));
  if (!linker)
    return fail("cannot find '" PMC_LINKER "', which links programs");
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
  if (const std::string simulator = getSimulator(options); !simulator.empty())
    arguments.insert(arguments.end(),
                     {"-rdynamic", simulator,
                      "-Wl,-rpath," + sys::path::parent_path(simulator).str()});
  arguments.insert(arguments.end(), runtime->begin(), runtime->end());
  // Where the program finds its plugins.
  arguments.push_back("-Wl,-rpath," + options.runtimeFolder);
  return arguments;
}

/// The arguments of lld for that command, without starting the compiler. Empty
/// if the build wrote down none, or an argument is of the compiler alone.
std::vector<std::string> getLldArguments(ArrayRef<std::string> command,
                                         const LinkOptions &options) {
  ErrorOr<std::vector<std::string>> frame = readLines(options, "pmrt-lld.txt");
  if (!frame || !options.sanitizer.empty())
    return {};
  std::vector<std::string> arguments{"ld.lld"};
  for (const std::string &line : *frame) {
    if (line != "@ARGUMENTS@") {
      if (sys::path::is_absolute(line) && !sys::fs::exists(line))
        return {}; // the compiler's files have changed since
      arguments.push_back(line);
      continue;
    }
    for (StringRef argument : command.drop_front()) {
      SmallVector<StringRef> parts;
      if (argument.consume_front("-Wl,"))
        argument.split(parts, ',');
      else if (argument == "-rdynamic")
        parts.push_back("--export-dynamic");
      else if (argument.starts_with("-l") || argument == "-o" ||
               !argument.starts_with("-"))
        parts.push_back(argument);
      else if (argument != "-fuse-ld=lld")
        return {};
      arguments.insert(arguments.end(), parts.begin(), parts.end());
    }
  }
  return arguments;
}

/// For a program that needs libpmrt.so: lld, which is a part of this process.
/// No compiler takes part, and no file of a compiler or of the C library's
/// development files.
Expected<std::vector<std::string>>
getSharedCommand(ArrayRef<std::string> objects, StringRef output,
                 const LinkOptions &options) {
  SmallString<256> runtime(options.runtimeFolder), start(runtime);
  sys::path::append(runtime, "libpmrt.so");
  sys::path::append(start, "pmrt-start.o");
  if (!sys::fs::exists(runtime))
    return fail("cannot find the runtime '" + runtime +
                "', which the program needs");
  // Without --eh-frame-hdr no exception leaves the program.
  std::vector<std::string> arguments{"ld.lld",
                                     "--eh-frame-hdr",
                                     "--build-id=none",
                                     "--gc-sections",
                                     "--hash-style=gnu",
                                     "-znow",
                                     "-s",
                                     "-o",
                                     output.str()};
  if (options.kind == LinkKind::Executable)
    arguments.insert(
        arguments.end(),
        {"-pie", "--dynamic-linker=" PMC_DYNAMIC_LINKER, start.str().str()});
  else
    arguments.push_back("-shared");
  // Whoever opens a shared object has loaded the runtime.
  if (options.kind != LinkKind::SharedObject)
    arguments.insert(arguments.end(), {"-rpath", options.runtimeFolder});
  arguments.insert(arguments.end(), objects.begin(), objects.end());
  if (const std::string simulator = getSimulator(options); !simulator.empty())
    arguments.insert(
        arguments.end(),
        {simulator, "-rpath", sys::path::parent_path(simulator).str()});
  arguments.push_back(runtime.str().str());
  // The C and the math library of this process: the linker takes the versions
  // of their functions from them.
  arguments.push_back("--as-needed");
  for (void *function :
       {reinterpret_cast<void *>(&::getpid),
        reinterpret_cast<void *>(static_cast<double (*)(double)>(&::cbrt))})
    if (Dl_info info; dladdr(function, &info) && info.dli_fname[0] == '/')
      arguments.push_back(info.dli_fname);
  return arguments;
}

/// Runs the compiler and appends its output to `said`.
bool runCompiler(ArrayRef<std::string> arguments, std::string &said) {
  const pmc::TemporaryFolder folder("pmc-link");
  if (folder.getPath().empty()) {
    said = "cannot make a temporary folder";
    return false;
  }
  const std::string log = folder.getPath() + "/log";
  SmallVector<StringRef> references(arguments.begin(), arguments.end());
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(log),
                                          StringRef(log)};
  int code = sys::ExecuteAndWait(references[0], references, std::nullopt,
                                 redirects, 0, 0, &said);
  if (ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(log))
    said += (*text)->getBuffer();
  return code == 0;
}

/// Runs lld in this process and appends its output to `said`.
bool runLld(ArrayRef<std::string> arguments, std::string &said) {
  // Its state is global.
  static std::mutex one;
  const std::lock_guard lock(one);
  SmallVector<const char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  raw_string_ostream log(said);
  return lld::lldMain(pointers, log, log, {{lld::Gnu, &lld::elf::link}})
             .retCode == 0;
}

} // namespace

Error pmc::codegen::link(ArrayRef<std::string> objects, StringRef output,
                         const LinkOptions &options) {
  SmallString<256> made;
  if (std::error_code error =
          sys::fs::createUniqueFile(output + ".%%%%%%%%%%%%", made))
    return fail("cannot write '" + output + "': " + error.message());

  SmallString<256> list(options.runtimeFolder);
  sys::path::append(list, "pmrt-link.txt");
  const bool isShared = options.kind == LinkKind::SharedObject ||
                        (options.sanitizer.empty() && !sys::fs::exists(list));
  Expected<std::vector<std::string>> arguments =
      isShared ? getSharedCommand(objects, made, options)
               : getProgramCommand(objects, made, options);
  if (!arguments) {
    (void)sys::fs::remove(made);
    return arguments.takeError();
  }
  const std::vector<std::string> own =
      isShared ? *arguments : getLldArguments(*arguments, options);
  std::string said;
  if (!(own.empty() ? runCompiler(*arguments, said) : runLld(own, said))) {
    (void)sys::fs::remove(made);
    return fail("linking failed\n" + said);
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
