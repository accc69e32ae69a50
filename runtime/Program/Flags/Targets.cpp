//===- Targets.cpp - What a run will write --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Flags/Targets.h"

#include "runtime/Base/Text/Format.h"
#include "runtime/IO/Files/OutputFile.h"
#include "runtime/IO/Formats/Format.h"

#include <algorithm>
#include <filesystem>
#include <fnmatch.h>

using namespace pmrt;
namespace fs = std::filesystem;

std::vector<Target> pmrt::targetsOf(const Context &context) {
  const fs::path out(context.settings.out);
  std::vector<Target> all;
  for (const Output &output : context.program.outputs) {
    const Format &format = formatOf(context.settings, output.name);
    const std::string what = fmt::format("output '{}'", output.name);
    const std::string name = output.name + iterationsMark(output.loops);
    const bool inPieces = format.inPieces(context);
    if (inPieces)
      all.push_back({what, out / format.pieceOf(name, "*")});
    for (const std::string &file :
         inPieces ? std::vector{format.fileOf(name, true)}
                  : format.outputFiles(context.program, output, name)) {
      const fs::path path = out / file;
      all.push_back({what, path});
      for (const std::string &other : format.besides(path.string()))
        all.push_back({what, other});
    }
  }
  if (context.settings.plots != PlotFormat::None)
    for (const Plot &plot : context.program.plots)
      if (plot.panel == 0)
        all.push_back(
            {fmt::format("plot '{}'", plot.figure),
             out / pictureFile(plot.figure + iterationsMark(plot.loops),
                               context.settings.plots)});
  if (context.settings.plots == PlotFormat::Png)
    for (const Plot &plot : context.program.plots)
      if (plot.panel == 0 && plot.loops > 0)
        all.push_back({fmt::format("plot '{}'", plot.figure),
                       out / pictureFile(plot.figure, PlotFormat::Png)});
  all.push_back({"the record of the run", out / "run.json"});
  all.push_back({"the report of the run", out / "report.html"});
  return all;
}

/// Whether `a` is the file `b`, or one of those that `b` stands for: by device
/// and inode, or if there are no files yet, by name.
static bool isSame(const fs::path &a, const fs::path &b) {
  std::error_code error;
  const std::string name = b.filename().string();
  if (name.find('*') != std::string::npos) {
    std::string pattern; // iterations are numbers
    for (char c : name)
      pattern += c == '*' ? "[-0-9]*" : std::string(1, c);
    // A link stands for its file.
    const fs::path file = fs::weakly_canonical(fs::absolute(a), error);
    return fnmatch(pattern.c_str(), file.filename().c_str(), 0) == 0 &&
           isSame(file.parent_path(), fs::absolute(b).parent_path());
  }
  if (fs::equivalent(a, b, error))
    return true;
  return fs::weakly_canonical(fs::absolute(a), error) ==
         fs::weakly_canonical(fs::absolute(b), error);
}

void pmrt::checkTargets(const Context &context) {
  const std::vector<Target> targets = targetsOf(context);
  const std::string &profile = context.settings.profile;
  for (const Target &target : targets) {
    std::string path; // with numbers of three digits
    for (const char c : target.path.string())
      path += c == '*' ? "000" : std::string(1, c);
    if (const std::string problem = problemOfTarget(path); !problem.empty())
      throw usageError("[PM9007] --out: cannot write {}, {}: {}", path,
                       target.what, problem);
  }
  for (size_t i = 0; i < context.inputFiles.size(); ++i) {
    const std::string &spec = context.inputFiles[i];
    if (spec.empty())
      continue;
    const fs::path file = sourceName(spec).path;
    const std::string &name = context.program.inputs[i].name;
    std::error_code error;
    if (context.program.inputs[i].streamed && !targets.empty() &&
        fs::equivalent(file, context.settings.out, error))
      throw usageError(
          "[PM9007] --{}: outputs would be written to the folder of the "
          "samples, {}; choose another folder with --out=DIR",
          name, file.string());
    for (const Target &target : targets)
      if (isSame(file, target.path))
        throw usageError(
            "[PM9007] --{}: {} would be overwritten by {}; choose another "
            "folder for the outputs with --out=DIR",
            name, file.string(), target.what);
    if (!profile.empty() && isSame(file, profile))
      throw usageError(
          "[PM9007] --profile: it would overwrite {}, the input '{}'",
          file.string(), name);
  }
  for (const Target &target : targets)
    if (!profile.empty() && isSame(profile, target.path))
      throw usageError("[PM9007] --profile: {} is also the file of {}", profile,
                       target.what);
}

int64_t pmrt::leastOutputBytes(const Context &context) {
  int64_t bytes = 0;
  for (const Output &output : context.program.outputs) {
    if (output.kind != OutputKind::Field || output.dims.empty())
      continue;
    // Of other elements it is not told: masks count as numbers.
    const bool single = context.program.precision == "f32";
    const pmrt_element element = isComplex(output.element) ? output.element
                                 : single                  ? PMRT_F32
                                                           : PMRT_F64;
    auto numbers = std::max<int64_t>(1, int64_t(output.columns.size()));
    for (const int32_t dim : output.dims)
      numbers *= context.program.dims[size_t(dim)].stored();
    bytes +=
        formatOf(context.settings, output.name).leastBytes(element, numbers);
  }
  return bytes;
}

void pmrt::checkDisk(const Context &context) {
  const int64_t need = leastOutputBytes(context);
  const int64_t free = freeSpace(context.settings.out);
  // What is there will be replaced.
  int64_t there = 0;
  std::error_code error;
  for (const Target &target : targetsOf(context))
    if (const auto size = fs::file_size(target.path, error); !error)
      there += int64_t(size);
  if (free >= 0 && need - there > free)
    throw usageError(
        "[PM9007] --out: {} needs {} for the outputs, but the disk has {} "
        "left",
        context.settings.out, bytesText(double(need)), bytesText(double(free)));
}
