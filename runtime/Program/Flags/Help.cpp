//===- Help.cpp - What a program says of its flags ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Flags/Help.h"

#include "runtime/Base/Text/Format.h"
#include "runtime/FFT/Plans.h"
#include "runtime/IO/Formats/Format.h"
#include "runtime/Program/Flags/Formats.h"
#include "runtime/Program/Flags/Lists.h"
#include "runtime/Program/Flags/Values.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

using namespace pmrt;

std::string pmrt::inputFlag(const Input &input) { return input.flag(); }

/// Columns of a text on a terminal: one for each character of UTF-8.
static size_t columnsOf(const std::string &text) {
  return size_t(std::count_if(text.begin(), text.end(),
                              [](char c) { return (c & 0xC0) != 0x80; }));
}

/// A flag in one column and its text, wrapped, in the other.
static std::string entry(const std::string &flag, const std::string &text) {
  constexpr size_t column = 28, width = 80;
  std::string out = "  " + flag;
  if (columnsOf(out) + 2 > column) {
    out += '\n';
    out.append(column, ' ');
  } else {
    out.append(column - columnsOf(out), ' ');
  }
  size_t at = column;
  std::istringstream lines(text);
  std::string line;
  for (bool first = true; std::getline(lines, line); first = false) {
    if (!first) {
      out += '\n';
      out.append(column, ' ');
      at = column;
    }
    std::istringstream words(line);
    std::string word;
    for (bool start = true; words >> word; start = false) {
      if (!start && at + 1 + columnsOf(word) > width) {
        out += '\n';
        out.append(column, ' ');
        at = column;
      } else if (!start) {
        out += ' ';
        ++at;
      }
      out += word;
      at += columnsOf(word);
    }
  }
  return out + "\n";
}

/// The entry of a flag whose text does not depend on the program.
static std::string entryOf(std::string_view name) {
  static constexpr std::array<std::string_view, 3> flags[] = {
#define PMRT_FLAG(NAME, FORM, TEXT) {NAME, FORM, TEXT},
#include "pmrt/flags.def"
  };
  for (const auto &[flag, form, text] : flags)
    if (flag == name)
      return entry(std::string(form), std::string(text));
  return "";
}

static std::string paramHelp(const Parameter &param) {
  std::vector<std::string> facts;
  facts.push_back(typeName(param.type));
  if (!param.unit.empty() && param.unit != "1")
    facts.push_back(fmt::format("in {}", param.unit));
  if (const std::string range = rangeText(param); !range.empty())
    facts.push_back(range[0] == '(' || range[0] == '[' ? "in " + range : range);
  if (param.initial)
    facts.push_back("default " + valueText(param, *param.initial));
  else
    facts.push_back(param.optional ? "optional" : "required");
  const std::string line = fmt::format("{}", fmt::join(facts, ", "));
  return param.doc.empty() ? line : param.doc + "\n" + line;
}

/// Of the first part of a table over several axes.
static std::string gridHelp(const Descriptor &program, const Input &input) {
  const size_t index = size_t(&input - program.inputs.data());
  const TablePart part = tablePart(program.inputs, index);
  const std::vector<std::string> &axes = part.axes;
  const auto withUnit = [&](const std::string &name, size_t i) {
    return name + (part.units[i].empty() ? "" : " [" + part.units[i] + "]");
  };
  std::vector<std::string> datasets;
  for (size_t i = 0; i < axes.size(); ++i)
    datasets.push_back(withUnit(axes[i], i));
  std::string line = fmt::format(
      "table over {}: FILE.h5 or FILE.h5:/GROUP with the datasets {} (one "
      "dimension each, increasing) and {} ({})",
      fmt::join(axes, ", "), fmt::join(datasets, ", "),
      withUnit(part.values, axes.size()), fmt::join(axes, " x "));
  if (axes.size() == 2)
    line += fmt::format("; or a text file or FILE.npy with {} in the first "
                        "column and {} in the first row",
                        axes[0], axes[1]);
  return line;
}

static std::string inputHelp(const Descriptor &program, const Input &input) {
  std::string line;
  const std::string flag = inputFlag(input);
  if (input.kind == InputKind::Table && flag != input.name) {
    line = gridHelp(program, input);
  } else if (flag != input.name) {
    line = fmt::format(
        "record of {} fields, as an output of it is written: in /{} of "
        "FILE.h5, or in another group, FILE.h5:/GROUP",
        std::count_if(
            program.inputs.begin(), program.inputs.end(),
            [&](const Input &other) { return inputFlag(other) == flag; }),
        flag);
  } else if (input.kind == InputKind::Field) {
    std::vector<std::string> names;
    std::vector<int64_t> extents;
    for (int32_t dim : input.dims) {
      names.push_back(program.dims[size_t(dim)].name);
      extents.push_back(program.dims[size_t(dim)].stored());
    }
    line = fmt::format(
        "{} over {}: {} values ({}) in {}",
        !input.streamed      ? "field"
        : input.samples == 0 ? "samples"
                             : fmt::format("{} samples", input.samples),
        fmt::join(names, ", "), shapeText(extents),
        isComplex(input.element)   ? "complex"
        : input.element == PMRT_I8 ? "true or false"
        : isFloat(input.element)   ? "real"
                                   : "whole",
        input.streamed ? "FILE.npy or FILE.h5:/DATASET, whose first axis "
                         "counts them, or a folder of such files, one a sample"
                       : "FILE or FILE:/DATASET (" + readableFormats() + ")");
  } else {
    const std::vector<std::string> units = splitUnits(input.unit, 2);
    std::string columns;
    for (size_t i = 0; i < input.columns.size() && i < units.size(); ++i)
      columns += (i == 0 ? " " : ", ") + input.columns[i] +
                 (units[i].empty() ? "" : fmt::format(" [{}]", units[i]));
    line = fmt::format("table: two columns{}, {} increasing, in a text file (# "
                       "begins a comment), FILE.npy or FILE.h5:/DATASET",
                       columns, columns.empty() ? "x" : input.columns[0]);
  }
  if (input.columns.empty() && flag == input.name && !input.unit.empty() &&
      input.unit != "1")
    line += fmt::format(", in {}", input.unit);
  line += input.optional ? ", optional" : ", required";
  return input.doc.empty() ? line : input.doc + "\n" + line;
}

static std::string fileOptions(const Descriptor &program) {
  std::string out = "\nfiles:\n";
  out += entryOf("out");
  out +=
      entry("--format=" + formatNames("|"),
            fmt::format("format of the outputs (default: {}): {}. Formats of "
                        "single outputs: --format=h5,NAME=npy",
                        Settings().format, formatSummaries()));
  out += entryOf("like");
  if (!program.plots.empty()) {
    out += entryOf("plot-format");
    out += entryOf("plot");
  }
  return out;
}

static std::string rankOptions(const Descriptor &program) {
  const bool gpu = program.target == "cuda";
  std::string out = "\nthreads and ranks:\n";
  out += entry("--threads=N",
               fmt::format("worker threads of a rank (default: the {} cores of "
                           "this machine, divided by its ranks)",
                           Threads::hardware()));
  out += entry("--mesh=AXIS=N,...",
               program.mesh.empty()
                   ? std::string("ranks along each axis of the mesh (this "
                                 "program declares no mesh)")
                   : fmt::format("ranks along each axis of the mesh (default: "
                                 "{})",
                                 meshText(program.mesh)));
  out += entry(
      fmt::format("--transport=self|threads|mpi|tcp{}", gpu ? "|nccl" : ""),
      fmt::format("how ranks communicate. self: one rank\n"
                  "threads: ranks are threads of this process\n"
                  "mpi, tcp: ranks are processes{}\n"
                  "(default: mpi under mpirun, tcp with --rendezvous, threads "
                  "if the mesh has several ranks, else self)",
                  gpu ? "\nnccl: each rank has a GPU; fields are sent by NCCL"
                      : ""));
  out += entryOf("rendezvous");
  out += entryOf("watchdog");
  out += entryOf("watchdog-end");
  return out;
}

static std::string limitOptions(const Descriptor &program) {
  std::string out = "\nlimits and restart:\n";
  out += entry("--memory-limit=SIZE",
               fmt::format("refuse to use more memory on a rank, for example "
                           "8GiB (default: the rank's share of the {}'s "
                           "memory)",
                           program.target == "cuda" ? "GPU" : "machine"));
  out += entryOf("time-limit");
  if (!program.checkpoints.empty()) {
    out += entryOf("checkpoint");
    out += entryOf("checkpoint-every");
    out += entryOf("resume");
  }
  return out;
}

static std::string runOptions(const Descriptor &program) {
  std::string out = "\nother options:\n";
  if (program.target != "cuda")
    out += entry("--plan=estimate|measure|patient|fixed",
                 plansAreMeasured()
                     ? "effort to search for fast FFTs; the findings are kept "
                       "(default: measure). fixed: measure nothing, and give "
                       "the same bits for any number of threads"
                     : "for programs that transform with FFTW; this one does "
                       "not, and measures nothing. fixed: transform the dims "
                       "in the same order on every mesh of ranks");
  out += entryOf("profile");
  out += entryOf("progress");
  out += entryOf("quiet");
  out += entryOf("dry-run");
  out += entryOf("help");
  out += entryOf("version");
  return out;
}

std::string pmrt::helpText(const Descriptor &program,
                           const std::string &command) {
  std::string out = program.name;
  if (!program.doc.empty())
    out += ": " + program.doc;
  out += fmt::format("\n\nusage: {} [--NAME=VALUE ...] [options]\n", command);
  if (!program.params.empty()) {
    out += "\nparameters:\n";
    const std::vector<ListFlag> lists = listFlags(program);
    for (const ListFlag &list : lists)
      out += entry(fmt::format("--{}=NUMBER,…", list.name),
                   fmt::format("{} numbers, or one by one:", list.count));
    for (const Parameter &param : program.params)
      out += entry(fmt::format("--{}={}", param.name,
                               param.type == ParamType::Bool  ? "BOOL"
                               : param.type == ParamType::F64 ? "NUMBER"
                                                              : "INTEGER"),
                   paramHelp(param));
  }
  if (!program.inputs.empty()) {
    out += "\ninputs:\n";
    std::string last;
    for (const Input &input : program.inputs) {
      if (inputFlag(input) != last)
        out += entry(fmt::format("--{}=FILE", inputFlag(input)),
                     inputHelp(program, input));
      last = inputFlag(input);
    }
  }
  if (!program.outputs.empty() || !program.plots.empty()) {
    out += "\noutputs:\n";
    for (const Output &output : program.outputs) {
      std::string text = output.doc;
      if (!output.columns.empty())
        text += fmt::format("{}columns {}", text.empty() ? "" : "\n",
                            fmt::join(output.columns, ", "));
      if (!output.unit.empty() && output.unit != "1")
        text += fmt::format("{}in {}", text.empty() ? "" : ", ", output.unit);
      out += entry(output.name + iterationsMark(output.loops) + ".h5", text);
    }
    for (const Plot &plot : program.plots)
      if (plot.panel == 0)
        out += entry(plot.figure + iterationsMark(plot.loops) + ".png",
                     plot.heading.empty() ? plot.title : plot.heading);
    out +=
        entry("run.json", "parameters, versions, hashes and times of the run");
    out += entry("report.html", "a page about the run, with figures and the "
                                "ranges of outputs");
  }
  out += fileOptions(program) + rankOptions(program) + limitOptions(program) +
         runOptions(program);
  if (program.target == "cuda")
    out += "\nThis program runs on NVIDIA GPUs. It needs the driver "
           "(libcuda.so.1) and cuFFT\n(libcufft.so, of the CUDA toolkit, in "
           "LD_LIBRARY_PATH or /usr/local/cuda). Ranks of\na machine take its "
           "GPUs in turn; CUDA_VISIBLE_DEVICES chooses among them.\n";
  out += "\nNames may be written with _ or -, values as --NAME=VALUE or --NAME "
         "VALUE.\nExit codes: 0 done, 1 wrong usage or input, 2 failure while "
         "running, 75 stopped\nwith a saved state, 130 after Ctrl-C.\n";
  return out;
}

std::string pmrt::versionText(const Descriptor &program) {
  return fmt::format("{} (compiled by pmc {}, target {}, precision {}, source "
                     "{})\n",
                     program.name, program.compilerVersion, program.target,
                     program.precision, program.sourceHash);
}
