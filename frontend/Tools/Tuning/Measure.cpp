//===- Measure.cpp - A machine file of this machine -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of the runtime measures memory, operations, transforms and
// messages. What pmc's own kernels take is measured with a spec, by its
// profile.
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Tuning/Measure.h"

#include "codegen/Machine/ReadFile.h"

#include "codegen/Link/TemporaryFolder.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace pmc;

static llvm::Expected<std::string> readNamed(const std::string &path) {
  llvm::Expected<std::string> text = readFile(path);
  if (!text)
    return llvm::createStringError("cannot read '" + path +
                                   "': " + llvm::toString(text.takeError()));
  return text;
}

/// What a program prints to its standard output; errors have what it prints
/// besides.
static llvm::Expected<std::string>
capture(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> arguments) {
  TemporaryFolder folder("pmc-measure");
  if (folder.getPath().empty())
    return llvm::createStringError("cannot make a temporary folder");
  const std::string file = folder.getPath() + "/out",
                    errors = folder.getPath() + "/errors";
  std::string problem;
  const int code = llvm::sys::ExecuteAndWait(
      program, arguments, std::nullopt,
      {llvm::StringRef(""), llvm::StringRef(file), llvm::StringRef(errors)}, 0,
      0, &problem);
  if (code != 0) {
    if (auto said = readNamed(errors))
      problem += (problem.empty() ? "" : "\n") + *said;
    else
      llvm::consumeError(said.takeError());
    return llvm::createStringError(
        "'" + llvm::join(arguments, " ") + "' failed" +
        (problem.empty() ? "" : ": " + llvm::StringRef(problem).rtrim()));
  }
  return readNamed(file);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Particles as in a simulation, moved by about a cell; functions; readings of
/// a table in no order. Every loop is a kernel of its own.
static constexpr const char spec[] =
    R"(const n = 128
const turns = 9
dim x = n, y = n, z = n over n
mesh ranks(row = 1)
layout x -> row
let noise = white_noise[x, y, z](1)
let table = tabulate(k => sin(k), -4, 4, 1000)
let moved = loop s = (noise, -1 * noise, 0.5 * noise) for i in 0 .. turns {
  let density = paint[x, y, z](s, window = "cic")
  let force = readout((density, noise, 2 * noise), s, window = "cic")
  s - 1e-6 * force
}
let functions = loop f = noise for i in 0 .. turns => map q in f => exp(-f)
let lookups = loop f = noise for i in 0 .. turns => map q in f => 1e-9 * f + interpolate(table, noise)
print "{} {} {}", sum(moved[0]), sum(functions), sum(lookups)
)";

/// A figure of a machine file, and what in the profile it follows from: calls
/// of a function at a line of the spec, each of which does so much for a cell.
struct KernelFigure {
  const char *key, *call;
  int line;
  double each;
};
/// Of one rank, and of two that share the machine: only they ask how far
/// particles go.
static constexpr KernelFigure ofOne[] = {{"readout_gcells", "readout", 10, 24},
                                         {"paint_gcells", "paint", 9, 8},
                                         {"gfunctions", "map", 13, 1},
                                         {"glookups", "map", 14, 1}},
                              ofTwo[] = {{"reach_gpositions",
                                          "displacement_bound", 9, 1}};
/// Bytes that the readout reads and writes for a cell, by which sizes are told.
static constexpr double bytesOfCell = 9 * 4;

/// Seconds of each of these calls, sorted.
static std::vector<double> findSeconds(const llvm::json::Array &events,
                                       const KernelFigure &kernel) {
  std::vector<double> seconds;
  const std::string line = ":" + std::to_string(kernel.line) + ":";
  for (const llvm::json::Value &value : events) {
    const llvm::json::Object *event = value.getAsObject();
    const llvm::json::Object *more = event ? event->getObject("args") : nullptr;
    auto duration = event ? event->getNumber("dur") : std::nullopt;
    if (!more || !duration || event->getString("name") != kernel.call ||
        !more->getString("where").value_or("").contains(line))
      continue;
    seconds.push_back(1e-6 * *duration);
  }
  llvm::sort(seconds);
  return seconds;
}

/// What a kernel does a second, in billions: the median, the least, the most.
struct Rate {
  double median = 0, least = 0, most = 0;
};

static llvm::Expected<std::vector<Rate>>
findRates(llvm::StringRef profile, llvm::ArrayRef<KernelFigure> kernels,
          double cells) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(profile);
  if (!value)
    return value.takeError();
  const llvm::json::Object *all = value->getAsObject();
  const llvm::json::Array *events =
      all ? all->getArray("traceEvents") : nullptr;
  std::vector<Rate> rates;
  for (const KernelFigure &kernel : kernels) {
    std::vector<double> seconds =
        events ? findSeconds(*events, kernel) : std::vector<double>();
    if (seconds.empty() || seconds.front() <= 0)
      return llvm::createStringError("the profile of what was to be measured "
                                     "has no call of " +
                                     llvm::Twine(kernel.call));
    double billions = 1e-9 * kernel.each * cells;
    rates.push_back({billions / seconds[seconds.size() / 2],
                     billions / seconds.back(), billions / seconds.front()});
  }
  return rates;
}

/// The rates of all kernels, of one rank's and of two ranks'.
static llvm::Expected<std::vector<Rate>>
measureSize(const std::string &folder, const std::string &libraryFolder,
            int64_t n, int64_t turns) {
  const std::string source = folder + "/kernels.pm",
                    program = folder + "/kernels",
                    profile = folder + "/profile", out = folder + "/out",
                    compiler = libraryFolder + "/../bin/pmc";
  const std::string length = "n=" + std::to_string(n),
                    loops = "turns=" + std::to_string(turns);
  if (auto done = capture(compiler, {compiler, "-D", length, "-D", loops,
                                     source, "-o", program});
      !done)
    return done.takeError();
  std::vector<Rate> rates;
  for (bool isShared : {false, true}) {
    if (auto done =
            capture(program, {program, "--quiet", "--out", out, "--profile",
                              profile, "--mesh", isShared ? "row=2" : "row=1",
                              "--transport", "threads"});
        !done)
      return done.takeError();
    llvm::Expected<std::string> text = readNamed(profile);
    if (!text)
      return text.takeError();
    llvm::ArrayRef<KernelFigure> wanted = ofOne;
    if (isShared)
      wanted = ofTwo;
    auto found = findRates(*text, wanted, double(n * n * n));
    if (!found)
      return found.takeError();
    llvm::append_range(rates, *found);
  }
  return rates;
}

static llvm::Expected<std::string>
measureKernels(bool quick, const std::string &libraryFolder) {
  TemporaryFolder folder("pmc-kernels");
  if (folder.getPath().empty())
    return llvm::createStringError("cannot make a temporary folder");
  if (llvm::Error error = llvm::writeToOutput(folder.getPath() + "/kernels.pm",
                                              [](llvm::raw_ostream &os) {
                                                os << spec;
                                                return llvm::Error::success();
                                              }))
    return std::move(error);
  std::vector<std::string> sizes;
  std::vector<std::vector<Rate>> rates;
  for (const auto &[n, turns] :
       {std::pair(quick ? 32 : 128, 9), std::pair(quick ? 48 : 256, 4)}) {
    auto found = measureSize(folder.getPath(), libraryFolder, n, turns);
    if (!found)
      return found.takeError();
    rates.push_back(std::move(*found));
    sizes.push_back(
        llvm::formatv("{0:f1}", 1e-6 * bytesOfCell * n * n * n).str());
  }
  std::string figures =
      "\n[kernels]\nsizes_mb = [" + llvm::join(sizes, ", ") + "]\n";
  std::vector<const char *> keys;
  for (llvm::ArrayRef<KernelFigure> kernels :
       {llvm::ArrayRef(ofOne), llvm::ArrayRef(ofTwo)})
    for (const KernelFigure &kernel : kernels)
      keys.push_back(kernel.key);
  for (size_t i = 0; i < keys.size(); ++i) {
    std::vector<std::string> medians, spreads;
    for (const std::vector<Rate> &size : rates) {
      medians.push_back(llvm::formatv("{0:f4}", size[i].median));
      spreads.push_back(
          llvm::formatv("{0:f4} to {1:f4}", size[i].least, size[i].most));
    }
    figures += std::string(keys[i]) + " = [" + llvm::join(medians, ", ") +
               "] # " + llvm::join(spreads, ", ") + "\n";
  }
  return figures;
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

llvm::Expected<std::string>
pmc::measureMachine(llvm::StringRef launcher, bool quick,
                    const std::string &libraryFolder) {
  const std::string program = libraryFolder + "/../bin/pmrt_measure";
  llvm::SmallVector<llvm::StringRef> own{program};
  if (quick)
    own.push_back("quick");
  llvm::SmallVector<std::string> parts;
  auto add = [&](llvm::Expected<std::string> text) -> llvm::Error {
    if (text)
      parts.push_back(std::move(*text));
    return text.takeError();
  };
  llvm::SmallVector<llvm::StringRef> words;
  std::string start;
  if (!launcher.empty()) {
    llvm::SplitString(launcher, words);
    auto found = llvm::sys::findProgramByName(words[0]);
    if (!found)
      return llvm::createStringError("cannot find '" + words[0] +
                                     "': " + found.getError().message());
    start = *found;
    words.append(own);
    words.push_back("mpi");
  }
  if (llvm::Error error = add(capture(program, own)))
    return std::move(error);
  if (!launcher.empty())
    if (llvm::Error error = add(capture(start, words)))
      return std::move(error);
  if (llvm::Error error = add(measureKernels(quick, libraryFolder)))
    return std::move(error);
  return llvm::join(parts, "");
}
