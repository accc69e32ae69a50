//===- Ptxas.cpp - PTX to machine code ------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/Assembly/Ptxas.h"
#include "codegen/CUDA/Assembly/Toolkit.h"
#include "codegen/Link/TemporaryFolder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

struct Job {
  std::string output, log;
  sys::ProcessInfo process;
};

} // namespace

static Expected<std::string> findPtxas() {
  Expected<std::string> own = pmc::codegen::findToolkitFile("bin/ptxas");
  if (own)
    return own;
  ErrorOr<std::string> found = sys::findProgramByName("ptxas");
  if (!found)
    return own.takeError();
  consumeError(own.takeError());
  return *found;
}

static std::string read(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  return file ? (*file)->getBuffer().str() : "";
}

Expected<std::vector<std::string>>
pmc::codegen::assemble(StringRef ptx, ArrayRef<unsigned> archs) {
  Expected<std::string> ptxas = findPtxas();
  if (!ptxas) {
    consumeError(ptxas.takeError());
    return std::vector<std::string>();
  }
  const TemporaryFolder folder("pmc-ptxas");
  if (folder.getPath().empty())
    return createStringError("cannot make a temporary folder");
  auto path = [&](const Twine &name) {
    SmallString<128> made(folder.getPath());
    sys::path::append(made, name);
    return made.str().str();
  };
  std::string input = path("kernels.ptx");
  std::error_code code;
  raw_fd_ostream(input, code) << ptx;
  if (code)
    return createStringError("cannot write '" + input + "': " + code.message());

  // They take seconds; at the same time.
  std::vector<Job> jobs;
  for (unsigned arch : archs) {
    std::string name = "sm_" + std::to_string(arch);
    Job job{path(name + ".cubin"), path(name + ".txt"), {}};
    std::string target = "-arch=" + name;
    StringRef arguments[] = {*ptxas, target, "-o", job.output, input};
    std::optional<StringRef> redirects[] = {StringRef(""), StringRef(job.log),
                                            StringRef(job.log)};
    job.process =
        sys::ExecuteNoWait(*ptxas, arguments, std::nullopt, redirects);
    jobs.push_back(job);
  }
  std::vector<std::string> cubins;
  std::string wrong;
  for (Job &job : jobs) {
    std::string problem;
    int result = -1;
    if (job.process.Pid != sys::ProcessInfo::InvalidPid)
      result = sys::Wait(job.process, std::nullopt, &problem).ReturnCode;
    if (!problem.empty())
      problem += "\n";
    if (result != 0)
      wrong += problem + read(job.log);
    else
      cubins.push_back(read(job.output));
  }
  if (!wrong.empty() || cubins.size() != archs.size())
    return createStringError(*ptxas + " failed: " + wrong);
  return cubins;
}

std::optional<pmc::codegen::PtxasArchs> pmc::codegen::getPtxasArchs() {
  Expected<std::string> ptxas = findPtxas();
  if (!ptxas) {
    consumeError(ptxas.takeError());
    return std::nullopt;
  }
  const TemporaryFolder folder("pmc-ptxas");
  if (folder.getPath().empty())
    return std::nullopt;
  SmallString<128> help(folder.getPath());
  sys::path::append(help, "help.txt");
  StringRef arguments[] = {*ptxas, "--help"};
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(help),
                                          StringRef("")};
  if (sys::ExecuteAndWait(*ptxas, arguments, std::nullopt, redirects) != 0)
    return std::nullopt;
  // 'sm_90', among others as 'sm_90a' and 'compute_90'.
  PtxasArchs found{*ptxas, {}};
  const std::string text = read(help);
  SmallVector<StringRef> words;
  StringRef(text).split(words, '\'');
  for (StringRef word : words)
    if (unsigned arch = 0; word.consume_front("sm_") &&
                           !word.getAsInteger(10, arch) &&
                           !is_contained(found.archs, arch))
      found.archs.push_back(arch);
  sort(found.archs);
  if (found.archs.empty())
    return std::nullopt;
  return found;
}
