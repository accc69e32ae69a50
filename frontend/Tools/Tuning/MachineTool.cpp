//===- MachineTool.cpp - pmc machine --------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Tuning/MachineTool.h"

#include "frontend/Tools/Files.h"
#include "frontend/Tools/Tuning/Measure.h"
#include "frontend/Tools/Tuning/PredictRows.h"
#include "runtime/Base/Text/Printable.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <CLI/CLI.hpp>

using namespace pmc;
using namespace pmc::machine;

namespace {

/// Errors with a place in a file are printed as they are.
int failWith(llvm::Error error) {
  const std::string text = llvm::toString(std::move(error));
  if (llvm::StringRef(text).contains(": error: ")) {
    llvm::errs() << pmrt::printable(text) << "\n";
    return 1;
  }
  return fail("[PM1014] " + text);
}

struct Flags {
  FFTText fft;
  std::string rows;
  bool json = false, inverse = false;
  bool quick = false; ///< of measure
  std::string output, launcher;
};

void addPredict(CLI::App &app, Flags &flags) {
  FFTText &fft = flags.fft;
  app.add_option(
         "--machine", fft.machine,
         "A machine that comes with the compiler (pmc machine list), or "
         "a file. For tables: {COLUMN} stands for what a row has there")
      ->type_name("NAME|FILE")
      ->required();
  app.add_option("--fft", fft.size, "Numbers along each dim")
      ->type_name("XxYxZ");
  app.add_option("--mesh", fft.mesh,
                 "Ranks along the two axes that cut the first two dims; those "
                 "of the second axis are neighbors on a node")
      ->type_name("ROWSxCOLS");
  app.add_option("--precision", fft.precision, "f32 (default) or f64")
      ->type_name("TYPE");
  app.add_option("--type", fft.type,
                 "c2c (default), r2c or c2r (half of the modes are kept)")
      ->type_name("TYPE");
  app.add_flag("--inverse", flags.inverse, "The inverse transform");
  app.add_option("--library", fft.library,
                 "Whose transform: pmc (default), or another one that the "
                 "machine file describes")
      ->type_name("NAME");
  app.add_option("--transport", fft.transport,
                 "What carries messages (default: the library's choice)")
      ->type_name("NAME");
  app.add_flag("--json", flags.json, "Print the parts of the time, as JSON");
  app.add_option(
         "--csv", flags.rows,
         "Predict each row of a table; prints it with a column predicted_ms. "
         "Its columns: x, y, z (or n), px, py, and, if present, "
         "precision, type, transform (FFT or IFFT), library, backend (the "
         "transport), axis_contiguous (0 or 1, of cuDecomp) and machine; flags "
         "say the rest")
      ->type_name("FILE");
}

void addMeasure(CLI::App &app, Flags &flags) {
  app.add_option("-o", flags.output, "Where the machine file goes")
      ->type_name("FILE")
      ->required();
  app.add_flag("--quick", flags.quick, "Take a second; the figures are rough");
  app.add_option("--mpi", flags.launcher,
                 "Measure messages between processes, too, started so: "
                 "'mpirun -n 2'")
      ->type_name("COMMAND");
}

int measure(const Flags &flags, const std::string &libraryFolder) {
  llvm::Expected<std::string> text =
      measureMachine(flags.launcher, flags.quick, libraryFolder);
  if (!text)
    return failWith(text.takeError());
  llvm::Expected<Machine> machine = Machine::parse(*text, flags.output);
  if (!machine)
    return fail("[PM1014] the measurement is not a valid machine file:\n" +
                llvm::toString(machine.takeError()));
  return writeFile(flags.output, [&](llvm::raw_pwrite_stream &os) {
    os << *text;
    return true;
  });
}

int predict(const Flags &flags, const std::string &libraryFolder) {
  Predictor predictor(libraryFolder);
  FFTText text = flags.fft;
  if (flags.inverse)
    text.direction = "inverse";
  if (!flags.rows.empty()) {
    if (flags.json || !text.size.empty() || !text.mesh.empty())
      return fail("[PM1014] --csv defines the transforms: leave --fft, --mesh "
                  "and --json out");
    if (llvm::Error error =
            predictor.predictRows(flags.rows, text, llvm::outs()))
      return failWith(std::move(error));
    return 0;
  }
  if (text.size.empty() || text.mesh.empty())
    return fail(
        "[PM1014] pmc machine predict requires --fft and --mesh, or --csv");
  llvm::Expected<FFTTime> time = predictor.predict(text);
  if (!time)
    return failWith(time.takeError());
  if (flags.json) {
    llvm::outs() << llvm::formatv(
        "{0:2}\n",
        llvm::json::Value(llvm::json::Object{{"seconds", time->total()},
                                             {"transforms", time->transforms},
                                             {"passes", time->passes},
                                             {"messages", time->messages},
                                             {"launches", time->launches}}));
    return 0;
  }
  llvm::outs() << llvm::format("%.6g", time->total()) << " s\n";
  return 0;
}

} // namespace

int pmc::runMachineTool(llvm::ArrayRef<std::string> arguments,
                        const std::string &libraryFolder) {
  CLI::App app("pmc machine: files that say what machines can do, and the time "
               "that they predict.\nThe files: codegen/Machine/README.md.",
               "pmc machine");
  app.set_help_flag("-h,--help", "Print this and exit");
  app.require_subcommand(1);
  Flags flags;
  CLI::App *predicting =
      app.add_subcommand("predict", "Seconds of a transform over ranks");
  addPredict(*predicting, flags);
  CLI::App *measuring = app.add_subcommand(
      "measure", "Make a machine file of this machine, in less than a minute");
  addMeasure(*measuring, flags);
  CLI::App *listing = app.add_subcommand(
      "list", "The machines whose files come with the compiler");
  std::vector<std::string> own(arguments.rbegin(), arguments.rend());
  try {
    app.parse(own); // from the last to the first
  } catch (const CLI::CallForHelp &) {
    llvm::outs() << app.help();
    return 0;
  } catch (const CLI::ParseError &error) {
    return fail("[PM1001] " + llvm::Twine(error.what()) +
                "; see pmc machine --help");
  }
  if (listing->parsed()) {
    for (const std::string &name : Machine::getShipped(libraryFolder)) {
      llvm::Expected<Machine> machine = Machine::load(name, libraryFolder);
      if (!machine)
        return failWith(machine.takeError());
      llvm::outs() << llvm::formatv("{0,-15} {1}\n", name,
                                    machine->description);
    }
    return 0;
  }
  return measuring->parsed() ? measure(flags, libraryFolder)
                             : predict(flags, libraryFolder);
}
