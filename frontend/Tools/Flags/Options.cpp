//===- Options.cpp - The flags of pmc -------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Flags/Options.h"

#include "codegen/CUDA/Assembly/PTX.h"
#include "codegen/CUDA/Assembly/Ptxas.h"
#include "codegen/LLVM/Objects.h"
#include "codegen/Program/ScheduleSizes.h"
#include "frontend/Basic/Diagnostics.h"
#include "frontend/Tools/Files.h"
#include "frontend/Tools/Flags/CompilerFlags.h"
#include "frontend/Tools/Flags/DeprecatedNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

using namespace pmc;

namespace {

const std::map<std::string, Stage> stages{
    {"ast", Stage::AST},         {"pm", Stage::PM},
    {"grad", Stage::Grad},       {"sharded", Stage::Sharded},
    {"lowered", Stage::Lowered}, {"kernels", Stage::Kernels},
    {"ptx", Stage::PTX},         {"llvm", Stage::LLVM},
    {"asm", Stage::Asm},         {"obj", Stage::Obj},
    {"lib", Stage::Lib},         {"shared", Stage::Shared},
    {"exe", Stage::Exe}};

/// `--emitt` -> "; did you mean '--emit'?".
std::string suggest(const CLI::App &app, llvm::StringRef flag) {
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  std::vector<llvm::StringRef> candidates(names.begin(), names.end());
  std::optional<llvm::StringRef> closest =
      closestName(flag.split('=').first, candidates);
  return closest ? "; did you mean '" + closest->str() + "'?"
                 : "; see pmc --help";
}

/// "80GiB", "0.5 GB", "200MB" in bytes, as --memory-limit of a program reads
/// them: GB is 1e9 bytes, G and GiB are 2^30. False for a number without a
/// unit.
bool parseSize(llvm::StringRef text, double &bytes) {
  const size_t unit = text.find_first_of("bBkKmMgGtT");
  llvm::StringRef number = text.take_front(unit).trim(),
                  name = text.substr(number.size()).trim();
  const auto power = llvm::StringSwitch<int>(name.take_front().lower())
                         .Case("k", 1)
                         .Case("m", 2)
                         .Case("g", 3)
                         .Case("t", 4)
                         .Default(0);
  const std::string rest = name.drop_front(power > 0).lower();
  if (name.empty() || number.getAsDouble(bytes) || !(bytes > 0) ||
      bytes >= 0x1p62 ||
      (!rest.empty() && rest != "b" && (rest != "ib" || power == 0)))
    return false;
  for (int i = 0; i < power; ++i)
    bytes *= rest == "b" ? 1000 : 1024;
  return true;
}

/// Kernels need what this compute capability has.
constexpr unsigned oldestArch = 70;

/// "sm_80,sm_90" -> {80, 90}; empty if it is something else.
std::vector<unsigned> parseArchs(llvm::StringRef text) {
  std::vector<unsigned> archs;
  llvm::SmallVector<llvm::StringRef> names;
  text.split(names, ',');
  for (llvm::StringRef name : names) {
    unsigned arch = 0;
    if (!name.consume_front("sm_") || name.getAsInteger(10, arch) ||
        arch < oldestArch || llvm::is_contained(archs, arch))
      return {};
    archs.push_back(arch);
  }
  return archs;
}

/// `problem` if one of those that are asked for is not among the known ones.
int checkAmong(const Options &options, std::vector<unsigned> known,
               const std::string &problem) {
  llvm::erase_if(known, [](unsigned arch) { return arch < oldestArch; });
  for (unsigned arch : options.gpuArchs)
    if (!llvm::is_contained(known, arch)) {
      std::string names;
      for (unsigned one : known)
        names += (names.empty() ? "sm_" : ", sm_") + std::to_string(one);
      return fail("[PM1002] --gpu-arch: " + problem + " for 'sm_" +
                  std::to_string(arch) + "', only for " + names);
    }
  return 0;
}

/// `chosen`: by the user. The default ones every ptxas of CUDA 12 knows.
int checkArchs(const Options &options, bool chosen) {
  if (int code =
          checkAmong(options, codegen::getKnownArchs(), "no code can be made"))
    return code;
  if (!chosen || options.emit < Stage::Obj)
    return 0;
  const auto ptxas = codegen::getPtxasArchs();
  return ptxas
             ? checkAmong(options, ptxas->archs, ptxas->path + " makes no code")
             : 0;
}

int checkSizes(const Options &options) {
  std::string error;
  return codegen::ScheduleSizes::parse(llvm::StringRef(options.sizes), error)
             ? 0
             : fail("[PM1002] --sizes: " + error);
}

int checkPaint(Options &options, const CompilerFlags &flags) {
  if (flags.paint.empty())
    return 0;
  if (flags.paint != "auto" && flags.paint != "atomics" &&
      flags.paint != "tiled")
    return fail("[PM1002] --paint requires auto, atomics or tiled, not '" +
                flags.paint + "'");
  if (!options.hasGpu())
    return fail("[PM1005] --paint is for --target=cuda");
  options.paint = flags.paint;
  if (options.paint == "tiled" && options.deterministic)
    return fail(
        "[PM1005] --paint=tiled adds in any order: leave --deterministic out");
  return 0;
}

int checkTarget(Options &options, const CompilerFlags &flags) {
  std::optional<codegen::Target> target =
      codegen::symbolizeTarget(flags.target);
  if (!target)
    return fail("[PM1002] --target requires cpu or cuda, not '" + flags.target +
                "'");
  options.target = *target;
  if (!flags.archs.empty())
    options.gpuArchs = parseArchs(flags.archs);
  if (options.gpuArchs.empty())
    return fail("[PM1002] --gpu-arch requires sm_70 or above, different ones "
                "separated by "
                "commas, not '" +
                flags.archs + "'");
  if (options.hasGpu() && !options.sanitize.empty())
    return fail("[PM1005] --sanitize is for --target=cpu");
  if (int code = checkPaint(options, flags))
    return code;
  if (int code = checkSizes(options))
    return code;
  if (options.hasGpu())
    return checkArchs(options, !flags.archs.empty());
  if (options.emit == Stage::PTX)
    return fail("[PM1005] --emit=ptx is for --target=cuda");
  if (!flags.archs.empty())
    return fail("[PM1005] --gpu-arch is for --target=cuda");
  if (options.emulate)
    return fail("[PM1005] --emulate-gpu is for --target=cuda");
  return 0;
}

/// Reads --try.
int readTries(Options &options, const CompilerFlags &flags) {
  constexpr size_t most = 64;
  for (llvm::StringRef text : flags.tries) {
    auto [name, list] = text.split('=');
    llvm::SmallVector<llvm::StringRef> values;
    list.split(values, ',');
    if (name.empty() || values.size() < 2 || llvm::is_contained(values, ""))
      return fail(
          "[PM1002] --try requires a const and its values, NAME=A,B, not '" +
          text + "'");
    llvm::StringRef key = name;
    auto isThis = [&](const auto &one) { return one.first == key; };
    if (llvm::any_of(options.tries, isThis) ||
        llvm::any_of(options.defines, isThis))
      return fail("[PM1005] --try: '" + name + "' has another value, too");
    options.tries.emplace_back(
        name.str(), std::vector<std::string>(values.begin(), values.end()));
    if (options.listTried().size() > most)
      return fail("[PM1002] --try: at most " + llvm::Twine(most) +
                  " choices of consts are tried");
  }
  return 0;
}

int checkTune(Options &options, const CompilerFlags &flags) {
  if (!options.tune)
    return options.ranks || !flags.memory.empty() || options.verify ||
                   !options.compare.empty() || !flags.tries.empty()
               ? fail("[PM1005] --ranks, --memory, --verify, --try and "
                      "--compare are "
                      "for pmc tune")
               : 0;
  if (options.emit != Stage::Exe || options.explainMemory ||
      !options.explain.empty() || !flags.mesh.empty() ||
      !options.layout.empty())
    return fail("[PM1005] pmc tune compares layouts and meshes: leave --emit, "
                "--explain, --explain-memory, --mesh and --layout out");
  if (options.machine.empty())
    return fail(
        "[PM1005] pmc tune requires --machine; pmc machine list names some");
  if (options.compare.size() > 2)
    return fail("[PM1005] --compare is given more than once");
  if (!options.compare.empty())
    return options.ranks || options.verify || !flags.memory.empty() ||
                   !flags.tries.empty()
               ? fail("[PM1005] pmc tune --compare has its meshes: leave "
                      "--ranks, "
                      "--memory, --try and --verify out")
               : 0;
  if (options.verify < 0 || (options.verify && options.hasGpu()))
    return fail(
        "[PM1002] --verify requires a number of layouts and --target=cpu");
  if (options.ranks < 2 || options.ranks > (1 << 20))
    return fail("[PM1002] pmc tune requires --ranks 2 to 1048576, not " +
                std::to_string(options.ranks));
  if (!flags.memory.empty() && !parseSize(flags.memory, options.memory))
    return fail("[PM1002] --memory requires a size such as 80GiB, not '" +
                flags.memory + "'");
  return readTries(options, flags);
}

int checkExplain(Options &options, const CompilerFlags &flags) {
  if (int code = checkTune(options, flags))
    return code;
  if (options.explain.empty() && !options.tune) {
    if (!flags.mesh.empty())
      return fail("[PM1005] --mesh of pmc is for --explain; the mesh of a run "
                  "is a flag of the program: " +
                  (options.run ? "pmc run " + options.input + " -- --mesh="
                               : std::string("./PROGRAM --mesh=")) +
                  llvm::join(flags.mesh, ","));
    if (!flags.params.empty() || !options.machine.empty() ||
        !options.profile.empty())
      return fail("[PM1005] --param, --machine and --profile of pmc are for "
                  "--explain; params and --profile of a run are flags of the "
                  "program: ./PROGRAM --profile=FILE.json");
    return 0;
  }
  if (!options.tune && options.explain != "text" && options.explain != "json" &&
      options.explain != "html")
    return fail("[PM1002] --explain requires text, json or html, not '" +
                options.explain + "'");
  if (!options.profile.empty() && options.tune)
    return fail("[PM1005] --profile is for --explain");
  if (!options.profile.empty() && options.machine.empty())
    return fail("[PM1005] --profile requires --machine, for what is predicted");
  if (!options.profile.empty() &&
      (!flags.mesh.empty() || !flags.params.empty()))
    return fail(
        "[PM1005] --profile has the run's mesh and parameters: leave --mesh "
        "and --param out");
  if (options.run || options.emit != Stage::Exe || options.explainMemory)
    return fail("[PM1005] --explain writes no program: leave run, --emit and "
                "--explain-memory out");
  if (options.displacementBound < 0)
    return fail("[PM1002] --displacement-bound must be 0 or more cells, not " +
                std::to_string(options.displacementBound));
  for (llvm::StringRef axis : flags.mesh) {
    auto [name, text] = axis.split('=');
    int64_t ranks = 0;
    if (name.empty() || text.getAsInteger(10, ranks) || ranks < 1 ||
        ranks > (1 << 20))
      return fail(
          "[PM1002] --mesh requires AXIS=N,... with 1 to 1048576 ranks, not '" +
          axis + "'");
    for (const auto &[other, count] : options.mesh)
      if (name == other)
        return fail("[PM1005] --mesh has axis '" + name + "' twice");
    options.mesh.emplace_back(name.str(), ranks);
  }
  for (llvm::StringRef param : flags.params) {
    auto [name, text] = param.split('=');
    double value = 0;
    if (text == "true" || text == "false")
      value = text == "true";
    else if (name.empty() || text.getAsDouble(value))
      return fail("[PM1002] --param requires NAME=NUMBER, not '" + param + "'");
    options.params.emplace_back(name.str(), value);
  }
  return 0;
}

int checkFlags(Options &options, CompilerFlags &flags) {
  auto stage = stages.find(flags.stage);
  if (stage == stages.end())
    return fail("[PM1002] --emit requires ast, pm, grad, sharded, lowered, "
                "kernels, ptx, "
                "llvm, asm, obj, lib, shared or exe, not '" +
                flags.stage + "'");
  options.emit = stage->second;
  if (options.precision != "f32" && options.precision != "f64")
    return fail("[PM1002] --precision requires f32 or f64, not '" +
                options.precision + "'");
  if (options.schedule != "keep" && options.schedule != "reverse" &&
      options.getSnapshots() < 1)
    return fail("[PM1002] --schedule requires keep, reverse or revolve:N with "
                "1 to 1048576 "
                "snapshots, not '" +
                options.schedule + "'");
  if (int code = checkTarget(options, flags))
    return code;
  if (flags.optimization.size() != 1 || flags.optimization[0] < '0' ||
      flags.optimization[0] > '3')
    return fail("[PM1002] -O requires 0, 1, 2 or 3, not '" +
                flags.optimization + "'");
  options.optimization = unsigned(flags.optimization[0] - '0');
  if (!options.sanitize.empty() && options.sanitize != "address" &&
      options.sanitize != "thread")
    return fail("[PM1002] --sanitize requires address or thread, not '" +
                options.sanitize + "'");
  if (int code = checkDerivative(options, flags.derivative))
    return code;
  if (options.emit == Stage::Shared && !options.sanitize.empty())
    return fail(
        "[PM1005] --emit=shared is for programs without --sanitize; make an "
        "exe or a lib");
  if (std::string wrong = codegen::checkProcessor(options.cpu); !wrong.empty())
    return fail("[PM1002] --cpu: " + wrong);
  if (int code = options.addDefines(flags.defines))
    return code;
  if (int code = checkExplain(options, flags))
    return code;
  if (options.explainMemory && (options.run || options.emit != Stage::Exe))
    return fail("[PM1005] --explain-memory writes no program: leave run and "
                "--emit out");
  if (options.run && options.emit != Stage::Exe)
    return fail("[PM1005] pmc run makes a program: leave --emit out");
  if (options.run && !options.output.empty())
    return fail(
        "[PM1005] pmc run keeps no program: leave -o out, or compile and run "
        "in two steps");
  if (!options.run && !options.verify && !options.programFlags.empty())
    return fail(
        "[PM1005] flags behind '--' are for the program of 'pmc run' or 'pmc "
        "tune --verify'");
  return 0;
}

/// The keyword with which the spec declares the name of a flag: const, param or
/// input. Empty if there is none. Sets `name` to the name of the flag with '_'
/// in place of '-'.
llvm::StringRef findDeclaration(llvm::StringRef spec, llvm::StringRef flag,
                                std::string &name) {
  name = flag.str();
  llvm::replace(name, '-', '_');
  auto text = llvm::MemoryBuffer::getFile(spec);
  if (!text)
    return "";
  for (llvm::StringRef line : llvm::split((*text)->getBuffer(), '\n')) {
    line = line.ltrim();
    for (llvm::StringRef keyword : {"const", "param", "input"}) {
      llvm::StringRef rest = line;
      if (rest.consume_front(keyword) && rest.consume_front(" ") &&
          rest.ltrim().take_while(
              [](char c) { return llvm::isAlnum(c) || c == '_'; }) == name)
        return keyword;
    }
  }
  return "";
}

/// Whether all programs have this flag.
bool isProgramFlag(llvm::StringRef name) {
  return llvm::is_contained(
      {
#define PMRT_FLAG(NAME, FORM, TEXT) llvm::StringRef(NAME),
#include "runtime/include/pmrt/flags.def"
      },
      name);
}

/// The message about a flag that pmc does not have.
std::string explainUnknown(const CLI::App &app, const std::string &extra,
                           bool isRun, llvm::ArrayRef<std::string> words) {
  auto [flag, value] = llvm::StringRef(extra).split('=');
  // In `--radius 3 s.pm`, CLI11 takes the value for the spec.
  const auto *named = llvm::find_if(words, [](llvm::StringRef word) {
    return word.ends_with(".pm") || word.ends_with(".mlir");
  });
  const std::string spec = named != words.end() ? *named
                           : words.empty()      ? "s.pm"
                                                : words.front();
  const std::string behind =
      named != words.begin() && named != words.end() && value.empty()
          ? "=" + words.front()
          : "";
  if (flag.starts_with("--print-ir") || flag.starts_with("--mlir-print-ir"))
    return "[PM1001] unknown flag '" + extra +
           "'; pmc prints the IR after all passes, --print-ir-after-all; for "
           "one pass, write the IR with --emit=STAGE to a file and run pm-opt "
           "--mlir-print-ir-after=PASS";
  llvm::StringRef name = flag.ltrim('-');
  std::string declared;
  const llvm::StringRef keyword =
      flag.starts_with("--") ? findDeclaration(spec, name, declared) : "";
  const std::string given = !value.empty()    ? value.str()
                            : !behind.empty() ? words.front()
                                              : "VALUE";
  if (keyword == "const")
    return "[PM1001] '" + declared +
           "' is a const of the spec, not a flag; "
           "write -D " +
           declared + "=" + given;
  const bool isOfProgram = !keyword.empty() || isProgramFlag(name);
  if (isRun && flag.starts_with("--") &&
      (isOfProgram ||
       !llvm::StringRef(suggest(app, extra)).contains("did you mean")))
    return "[PM1001] pmc has no flag '" + extra +
           "'; write flags of the program after '--': pmc run " + spec +
           " -- " + extra + behind;
  if (isOfProgram)
    return "[PM1001] '" + flag.str() +
           "' is a flag of the program, not of "
           "pmc: ./PROGRAM " +
           extra + behind + ", or pmc run " + spec + " -- " + extra + behind;
  return "[PM1001] unknown flag '" + extra + "'" + suggest(app, extra);
}

/// The message about a word in the place of the spec that is not a file but
/// resembles a command. Empty for other words.
std::string findCommand(llvm::StringRef word) {
  if (word == "-" || word.contains('.') || word.contains('/') ||
      llvm::sys::fs::exists(word))
    return "";
  if (word == "version")
    return "[PM1001] pmc has no command 'version'; write pmc --version";
  static constexpr llvm::StringRef commands[] = {
      "run",  "check",  "fmt",        "help",    "doc",     "lsp",
      "tune", "report", "checkpoint", "machine", "language"};
  if (auto closest = closestName(word, commands))
    return ("[PM1001] pmc has no command '" + word + "'; did you mean '" +
            *closest + "'?")
        .str();
  return "";
}

/// What CLI11 would take for something else: `--paint= spec.pm` for the flag
/// with its value, `-o=prog` for a file "=prog".
int checkForm(llvm::StringRef argument) {
  if (argument.starts_with("--") && argument.ends_with("=") &&
      argument.count('=') == 1)
    return fail("[PM1006] " + argument.drop_back() + " needs a value");
  if (argument.size() > 2 && argument[0] == '-' && argument[1] != '-' &&
      argument[2] == '=')
    return fail("[PM1002] '" + argument + "': write " + argument.take_front(2) +
                " " + argument.drop_front(3));
  return 0;
}

} // namespace

std::vector<Consts> Options::listTried() const {
  std::vector<Consts> all(1);
  for (const auto &[name, values] : tries) {
    std::vector<Consts> more;
    for (const Consts &before : all)
      for (const std::string &value : values) {
        more.push_back(before);
        more.back().emplace_back(name, value);
      }
    all = std::move(more);
  }
  return all;
}

int Options::addDefines(llvm::ArrayRef<std::string> texts) {
  for (llvm::StringRef define : texts) {
    auto [name, value] = define.split('=');
    if (name.empty() || !define.contains('='))
      return fail("[PM1003] -D requires NAME=VALUE, not '" + define + "'");
    for (const auto &[other, before] : defines)
      if (name == other)
        return fail("[PM1003] -D " + other + " is given twice");
    defines.emplace_back(name.str(), value.str());
  }
  return 0;
}

int64_t Options::getSnapshots() const {
  llvm::StringRef text = schedule;
  int64_t count = 0;
  if (!text.consume_front("revolve:") || text.getAsInteger(10, count) ||
      count < 1 || count > (1 << 20))
    return 0;
  return count;
}

std::optional<int> Options::parse(int argc, char **argv, Options &options) {
  // What follows `--` belongs to the program.
  std::vector<std::string> own;
  int i = 1;
  for (; i < argc && std::string_view(argv[i]) != "--"; ++i)
    own.emplace_back(argv[i]);
  replaceDeprecatedNames("pmc", own);
  bool separated = i < argc;
  for (++i; i < argc; ++i)
    options.programFlags.emplace_back(argv[i]);

  CLI::App app(compilerHelp, "pmc");
  app.allow_extras();
  CompilerFlags flags;
  addCompilerFlags(app, options, flags);
  for (llvm::StringRef argument : own)
    if (int code = checkForm(argument))
      return code;
  std::reverse(own.begin(), own.end()); // as CLI11 requires them
  try {
    app.parse(own);
  } catch (const CLI::CallForHelp &) {
    llvm::outs() << app.help();
    return 0;
  } catch (const CLI::ArgumentMismatch &error) {
    // "--emit: 1 required STAGE missing", "--emit: At Most 1 required but ..."
    llvm::StringRef text = error.what();
    const llvm::StringRef flag = text.split(':').first;
    return fail("[PM1006] " + flag +
                (!text.contains("missing") ? " is given more than once"
                 : flag == "--mesh"
                     ? " needs a value, such as --mesh=row=2; for a run, write "
                       "it after '--': pmc run s.pm -- --mesh=row=2"
                     : " needs a value"));
  } catch (const CLI::ParseError &error) {
    return fail(llvm::Twine("[PM1001] ") + error.what());
  }
  options.isScheduleGiven = app.count("--schedule") > 0;
  if (options.version)
    return std::nullopt;
  bool isRun = !flags.positional.empty() && flags.positional[0] == "run";
  if (const std::vector<std::string> extras = app.remaining(); !extras.empty())
    return fail(
        explainUnknown(app, extras.front(), isRun,
                       llvm::ArrayRef(flags.positional).drop_front(isRun)));
  if (!flags.positional.empty() && flags.positional[0] == "run") {
    options.run = true;
    flags.positional.erase(flags.positional.begin());
  } else if (!flags.positional.empty() && flags.positional[0] == "tune") {
    options.tune = true;
    flags.positional.erase(flags.positional.begin());
  }
  if (!flags.positional.empty() && flags.positional.size() > 1 &&
      llvm::is_contained({"compile", "build", "make"}, flags.positional[0]))
    return fail("[PM1001] pmc has no command '" + flags.positional[0] +
                "'; compile with pmc " + flags.positional[1] + " -o prog");
  if (flags.positional.empty())
    return fail("[PM1006] no spec given: pmc spec.pm -o prog; see pmc --help");
  if (!options.run && !options.tune)
    if (const std::string problem = findCommand(flags.positional[0]);
        !problem.empty())
      return fail(problem);
  if (flags.positional.size() > 1)
    return fail("[PM1006] one spec at a time, not '" + flags.positional[0] +
                "' and '" + flags.positional[1] + "'" +
                (options.run ? "; write the program's flags after '--'" : ""));
  options.input = flags.positional[0];
  if (separated && !options.run && !options.verify)
    return fail(
        "[PM1005] flags behind '--' are for the program of 'pmc run' or 'pmc "
        "tune --verify'");
  if (int code = checkFlags(options, flags))
    return code;
  return std::nullopt;
}
