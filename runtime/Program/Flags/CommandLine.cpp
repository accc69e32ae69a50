//===- CommandLine.cpp - The flags of a program ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Flags/CommandLine.h"

#include "runtime/Base/Text/Format.h"
#include "runtime/IO/Inputs/TableFile.h"
#include "runtime/Program/Flags/Formats.h"
#include "runtime/Program/Flags/Help.h"
#include "runtime/Program/Flags/Lists.h"
#include "runtime/Program/Flags/Values.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

using namespace pmrt;

const std::vector<std::string> &pmrt::reservedFlags() {
  static const std::vector<std::string> names = {
#define PMRT_FLAG(NAME, FORM, TEXT) NAME,
#include "pmrt/flags.def"
  };
  return names;
}

static std::string dashed(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

/// For finding what a misspelled name may have meant.
static std::string comparable(const std::string &name) {
  std::string lower = dashed(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return lower;
}

/// "--omega_m,--omega-m".
static std::string spellings(const std::string &name) {
  const std::string other = dashed(name);
  return other == name ? "--" + name : fmt::format("--{},--{}", name, other);
}

namespace {

/// The texts behind the flags, before they are understood.
struct FlagTexts {
  std::vector<std::string> params, lists;
  std::map<std::string, std::string> inputs; // by their flags
  std::vector<CLI::Option *> paramOptions, listOptions;
  std::string out, format, like, plotFormat, plot, mesh, transport, threads,
      profile, plan, progress, memoryLimit, checkpoint, checkpointEvery,
      watchdog, watchdogEnd, timeLimit, rendezvous;
  bool help = false, version = false, quiet = false, dryRun = false,
       resume = false;
};

} // namespace

/// Where the input is: of a record's field or a part of a table, in FILE.h5 or
/// in FILE.h5:/GROUP.
static std::string inputFile(const Input &input, const std::string &text) {
  const size_t slash = input.name.find('/');
  if (text.empty() || slash == std::string::npos)
    return text;
  if (input.kind == InputKind::Table)
    return tablePartFile(text, input.name.substr(slash + 1));
  std::error_code none;
  const bool isGroup = !std::filesystem::exists(text, none) &&
                       text.rfind(":/") != std::string::npos;
  return isGroup ? text + input.name.substr(slash) : text + ":/" + input.name;
}

static void declare(CLI::App &app, const Descriptor &program,
                    FlagTexts &texts) {
  texts.params.resize(program.params.size());
  auto checkName = [](const std::string &name) {
    const auto &reserved = reservedFlags();
    if (std::find(reserved.begin(), reserved.end(), dashed(name)) !=
        reserved.end())
      throw std::runtime_error(fmt::format(
          "internal error: '{}' is a flag of every program and cannot name a "
          "parameter or input",
          name));
  };
  for (size_t i = 0; i < program.params.size(); ++i) {
    const Parameter &param = program.params[i];
    checkName(param.name);
    CLI::Option *option =
        app.add_option(spellings(param.name), texts.params[i]);
    if (param.type == ParamType::Bool)
      option->expected(0, 1);
    texts.paramOptions.push_back(option);
  }
  const std::vector<ListFlag> lists = listFlags(program);
  texts.lists.resize(lists.size());
  for (size_t i = 0; i < lists.size(); ++i)
    texts.listOptions.push_back(
        app.add_option(spellings(lists[i].name), texts.lists[i]));
  for (const Input &input : program.inputs) {
    const std::string flag = inputFlag(input);
    checkName(flag);
    const auto [text, isNew] = texts.inputs.try_emplace(flag);
    if (isNew)
      app.add_option(spellings(flag), text->second);
  }
  app.add_option("--out", texts.out);
  app.add_option("--format", texts.format);
  app.add_option("--like", texts.like);
  app.add_option("--plot-format,--plot_format", texts.plotFormat);
  app.add_option("--plot", texts.plot);
  app.add_option("--mesh", texts.mesh);
  app.add_option("--transport", texts.transport);
  app.add_option("--threads", texts.threads);
  app.add_option("--profile", texts.profile);
  app.add_option("--plan", texts.plan);
  app.add_option("--progress", texts.progress);
  app.add_option("--memory-limit,--memory_limit", texts.memoryLimit);
  app.add_option("--checkpoint", texts.checkpoint);
  app.add_option("--checkpoint-every,--checkpoint_every",
                 texts.checkpointEvery);
  app.add_option("--time-limit,--time_limit", texts.timeLimit);
  app.add_option("--watchdog", texts.watchdog);
  app.add_option("--watchdog-end,--watchdog_end", texts.watchdogEnd);
  app.add_option("--rendezvous", texts.rendezvous);
  app.add_flag("-h,--help", texts.help);
  app.add_flag("--version", texts.version);
  app.add_flag("-q,--quiet", texts.quiet);
  app.add_flag("--dry-run,--dry_run", texts.dryRun);
  app.add_flag("--resume", texts.resume);
}

/// The spec's const of that name, which may have '-' for '_'; "" if there is
/// none.
static std::string findConst(const Descriptor &program,
                             const std::string &name) {
  std::istringstream lines(program.source);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word, declared;
    if (!(words >> word >> declared) || word != "const")
      continue;
    const size_t end = std::find_if_not(declared.begin(), declared.end(),
                                        [](unsigned char c) {
                                          return c == '_' || std::isalnum(c);
                                        }) -
                       declared.begin();
    declared.resize(end);
    if (dashed(declared) == dashed(name))
      return declared;
  }
  return "";
}

/// "; the params are --a, --b; the inputs are --f": what a program with few
/// flags of its own has.
static std::string ownFlags(const Descriptor &program) {
  std::vector<std::string> params, inputs;
  for (const Parameter &param : program.params)
    params.push_back("--" + param.name);
  for (const Input &input : program.inputs)
    if (const std::string flag = "--" + inputFlag(input);
        inputs.empty() || inputs.back() != flag)
      inputs.push_back(flag);
  constexpr size_t most = 8;
  std::string text;
  for (const auto &[what, names] :
       {std::pair("params are", &params), {"inputs are", &inputs}})
    if (!names->empty() && names->size() <= most)
      text += fmt::format("; the {} {}", what, fmt::join(*names, ", "));
  return text;
}

static Error unknownFlag(const Descriptor &program, const std::string &given) {
  if (given.empty() || given[0] != '-')
    return usageError(
        "[PM9001] unexpected argument '{}': parameters are given as "
        "--NAME=VALUE (--help lists them)",
        given);
  std::string name =
      given.substr(given.find_first_not_of('-') == std::string::npos
                       ? given.size()
                       : given.find_first_not_of('-'));
  const size_t equals = name.find('=');
  const std::string value =
      equals == std::string::npos ? "VALUE" : name.substr(equals + 1);
  name = name.substr(0, equals);
  if (const std::string found = findConst(program, name); !found.empty())
    return usageError(
        "[PM9001] '{0}' is a const, which is fixed when the program is "
        "compiled: compile it with pmc -D {0}={1}",
        found, value);
  std::vector<std::string> known;
  for (const Parameter &param : program.params)
    known.push_back(param.name);
  for (const ListFlag &list : listFlags(program))
    known.push_back(list.name);
  for (const Input &input : program.inputs)
    known.push_back(inputFlag(input));
  known.insert(known.end(), reservedFlags().begin(), reservedFlags().end());
  std::vector<std::string> candidates;
  for (const std::string &one : known)
    candidates.push_back(comparable(one));
  const int near = closest(comparable(name), candidates);
  return usageError(
      "[PM9001] unknown flag '{}'{}", given.substr(0, given.find('=')),
      near >= 0 ? fmt::format("; did you mean '--{}'?", known[size_t(near)])
                : ownFlags(program) + " (--help lists the flags)");
}

template <typename T>
static T choose(const char *flag, const std::string &text,
                std::initializer_list<std::pair<const char *, T>> choices) {
  std::vector<std::string> names;
  for (const auto &[name, value] : choices) {
    if (text == name)
      return value;
    names.push_back(name);
  }
  throw usageError("[PM9002] --{}: '{}' is not one of {}", flag, text,
                   fmt::join(names, ", "));
}

static std::vector<LaunchValue> paramValues(const Descriptor &program,
                                            const FlagTexts &texts,
                                            std::vector<std::string> &missing) {
  // A list's numbers, unless they are given one by one.
  std::vector<std::optional<std::string>> listed(program.params.size());
  const std::vector<ListFlag> lists = listFlags(program);
  for (size_t l = 0; l < lists.size(); ++l)
    if (texts.listOptions[l]->count() > 0)
      std::ranges::copy(splitList(lists[l], texts.lists[l]),
                        listed.begin() + std::ptrdiff_t(lists[l].first));
  std::vector<LaunchValue> values;
  for (size_t i = 0; i < program.params.size(); ++i) {
    const Parameter &param = program.params[i];
    LaunchValue launch;
    if (texts.paramOptions[i]->count() > 0) {
      // `--particles` alone is `--particles=true`.
      const bool bare =
          param.type == ParamType::Bool && texts.params[i].empty();
      launch.value = parseParam(param, bare ? "true" : texts.params[i]);
      launch.given = true;
    } else if (listed[i]) {
      launch.value = parseParam(param, *listed[i]);
      launch.given = true;
    } else if (param.initial) {
      launch.value = *param.initial;
    } else if (param.optional) {
      // The program asks whether it was given; a NaN shows up if it forgets.
      launch.value.real = std::numeric_limits<double>::quiet_NaN();
    } else {
      missing.push_back(
          fmt::format("--{}={}", param.name, typeName(param.type)));
    }
    values.push_back(launch);
  }
  return values;
}

/// When waits are told, and when they end the run: a fifth of one for the
/// other.
static void chooseWatchdog(const FlagTexts &texts, Settings &settings) {
  if (!texts.watchdog.empty()) {
    settings.watchdog = double(parseCount("watchdog", texts.watchdog, 1));
    settings.watchdogEnd = 5 * settings.watchdog;
  }
  if (texts.watchdogEnd == "never") {
    settings.watchdogEnd = std::numeric_limits<double>::infinity();
  } else if (!texts.watchdogEnd.empty()) {
    settings.watchdogEnd =
        double(parseCount("watchdog-end", texts.watchdogEnd, 1));
    if (texts.watchdog.empty())
      settings.watchdog = std::min(60.0, settings.watchdogEnd / 5);
  }
}

Launch pmrt::parseCommandLine(const Descriptor &program, int argc,
                              const char *const *argv) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  FlagTexts texts;
  declare(app, program, texts);
  std::vector<std::string> args(argv + 1, argv + argc);
  for (const std::string &arg : args) {
    if (arg == "--help" || arg == "-h") {
      Launch launch;
      launch.action = Launch::Action::Help;
      return launch;
    }
    if (arg.size() > 3 && arg.starts_with("--") && arg.back() == '=' &&
        arg.find('=') == arg.size() - 1)
      throw usageError("[PM9001] {} needs a value",
                       arg.substr(0, arg.size() - 1));
  }
  std::reverse(args.begin(), args.end()); // as CLI11 requires them
  try {
    app.parse(args);
  } catch (const CLI::ArgumentMismatch &e) {
    // "--box: 1 required FLOAT missing", "--box: At most 1 required ..."
    const std::string text = e.what(), flag = text.substr(0, text.find(':'));
    throw usageError("[PM9001] {} {}", flag,
                     text.find("missing") != std::string::npos
                         ? "needs a value"
                         : "is given more than once");
  } catch (const CLI::ParseError &e) {
    throw usageError("{}", e.what());
  }
  Launch launch;
  if (texts.help || texts.version) {
    launch.action = texts.help ? Launch::Action::Help : Launch::Action::Version;
    return launch;
  }
  if (const auto extra = app.remaining(); !extra.empty())
    throw unknownFlag(program, extra.front());

  // `--out ''` is no wish for the default.
  for (const CLI::Option *option : app.get_options())
    if (option->get_expected_min() > 0 && option->count() > 0 &&
        option->results().front().empty())
      throw usageError("[PM9001] {} needs a value", option->get_name());
  Settings &settings = launch.settings;
  if (!texts.out.empty())
    settings.out = texts.out;
  if (!texts.format.empty())
    parseFormats(program, texts.format, settings);
  settings.like = texts.like;
  if (!texts.plotFormat.empty())
    settings.plots = choose<PlotFormat>("plot-format", texts.plotFormat,
                                        {{"png", PlotFormat::Png},
                                         {"svg", PlotFormat::Svg},
                                         {"pdf", PlotFormat::Pdf},
                                         {"none", PlotFormat::None}});
  if (!texts.plot.empty())
    settings.plotsInTerminal = choose<std::string>("plot", texts.plot,
                                                   {{"terminal", "terminal"},
                                                    {"blocks", "blocks"},
                                                    {"sixel", "sixel"},
                                                    {"kitty", "kitty"}});
  if (!texts.plan.empty())
    settings.plan = choose<PlanRigor>("plan", texts.plan,
                                      {{"estimate", PlanRigor::Estimate},
                                       {"measure", PlanRigor::Measure},
                                       {"patient", PlanRigor::Patient},
                                       {"fixed", PlanRigor::Fixed}});
  if (program.deterministic && !texts.plan.empty() &&
      settings.plan != PlanRigor::Fixed)
    throw usageError(
        "[PM9003] --plan={}: the program was compiled with --deterministic, "
        "which is --plan=fixed",
        texts.plan);
  if (program.deterministic)
    settings.plan = PlanRigor::Fixed;
  if (!texts.progress.empty())
    settings.progress = choose<ProgressMode>("progress", texts.progress,
                                             {{"auto", ProgressMode::Auto},
                                              {"always", ProgressMode::Always},
                                              {"never", ProgressMode::Never}});
  if (!texts.threads.empty()) {
    const int64_t threads = parseCount("threads", texts.threads, 1);
    if (threads > 4096)
      throw usageError(
          "[PM9002] --threads: {} is too many, expected at most 4096", threads);
    settings.threads = int(threads);
  }
  if (!texts.transport.empty())
    settings.transport = choose<const char *>("transport", texts.transport,
                                              {{"self", "self"},
                                               {"threads", "threads"},
                                               {"mpi", "mpi"},
                                               {"tcp", "tcp"},
                                               {"nccl", "nccl"}});
  if (settings.transport == "nccl" && program.target != "cuda")
    throw usageError(
        "[PM9003] --transport nccl is for GPUs, and this program was "
        "compiled for {}",
        program.target.empty() ? "cpu" : program.target);
  chooseWatchdog(texts, settings);
  if (!texts.timeLimit.empty())
    settings.timeLimit = parseDuration("time-limit", texts.timeLimit);
  if (!texts.memoryLimit.empty())
    settings.memoryLimit = parseBytes("memory-limit", texts.memoryLimit);
  settings.rendezvous = texts.rendezvous;
  settings.profile = texts.profile;
  for (const char *flag : {"--checkpoint", "--checkpoint-every", "--resume"})
    if (program.checkpoints.empty() && app.get_option(flag)->count() > 0)
      throw usageError("[PM9003] {}: this program writes no checkpoints; add "
                       "'checkpoint every N' to "
                       "a 'loop' or 'optimize' of its spec",
                       flag);
  if (texts.resume && texts.checkpoint.empty())
    throw usageError("[PM9003] --resume requires --checkpoint=DIR, the folder "
                     "with the state");
  if (!texts.checkpointEvery.empty()) {
    if (texts.checkpoint.empty())
      throw usageError(
          "[PM9003] --checkpoint-every requires --checkpoint=DIR, the "
          "folder for the states");
    settings.checkpointEvery =
        parseDuration("checkpoint-every", texts.checkpointEvery);
  }
  settings.checkpoint = texts.checkpoint;
  settings.resume = texts.resume;
  settings.quiet = texts.quiet;
  settings.dryRun = texts.dryRun;

  launch.mesh = program.mesh;
  if (!texts.mesh.empty())
    launch.mesh = parseMesh(launch.mesh, texts.mesh);

  std::vector<std::string> missing;
  launch.params = paramValues(program, texts, missing);
  for (const Input &input : program.inputs) {
    const std::string &text = texts.inputs[inputFlag(input)];
    std::string flag = fmt::format("--{}=FILE", inputFlag(input));
    if (text.empty() && !input.optional &&
        (missing.empty() || missing.back() != flag))
      missing.push_back(std::move(flag));
    launch.files.push_back(inputFile(input, text));
  }
  if (!missing.empty())
    throw usageError("[PM9001] {} must be given: {} (see --help)",
                     missing.size() == 1 ? "a flag" : "these flags",
                     fmt::join(missing, ", "));
  return launch;
}
