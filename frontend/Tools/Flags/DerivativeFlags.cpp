//===- DerivativeFlags.cpp - Programs that are derivatives
//--------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Flags/DerivativeFlags.h"

#include "frontend/Tools/Files.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace pmc;

void pmc::addDerivativeFlags(CLI::App &app, DerivativeFlags &flags) {
  const auto add = [&](const std::string &kind, const char *help) {
    app.add_option_function<std::string>(
           "--" + kind,
           [&flags, kind](const std::string &text) {
             flags.push_back({kind, text});
           },
           help)
        ->trigger_on_parse() // keeps the order of the flags
        ->type_name("WRT->OF");
  };
  add("vjp", "Make the gradient of outputs with respect to params and "
             "inputs, 'noise,omega_m -> density', in place of the program "
             "(with --emit=shared).\n"
             "Several --vjp and --jvp apply one after the other: each "
             "differentiates the program of those before it");
  add("jvp", "The same in forward mode: derivatives along tangents");
}

static std::vector<std::string> splitNames(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  std::vector<std::string> names;
  for (llvm::StringRef part : parts)
    names.push_back(part.trim().str());
  return names;
}

/// Returns a name that occurs twice, or an empty text.
static llvm::StringRef findRepeated(const std::vector<std::string> &names) {
  for (size_t i = 1; i < names.size(); ++i)
    if (llvm::is_contained(llvm::ArrayRef(names).take_front(i), names[i]))
      return names[i];
  return "";
}

int pmc::checkDerivative(Options &options, const DerivativeFlags &flags) {
  for (const auto &[kind, text] : flags) {
    auto [wrt, of] = llvm::StringRef(text).split("->");
    const DerivativeEntry entry{kind, splitNames(wrt), splitNames(of)};
    for (const auto *names : {&entry.wrt, &entry.of})
      if (llvm::is_contained(*names, ""))
        return fail("[PM1013] --" + kind + ": '" + text +
                    "' is not NAME,... -> OUTPUT,...");
    for (const auto *names : {&entry.wrt, &entry.of})
      if (llvm::StringRef name = findRepeated(*names); !name.empty())
        return fail("[PM1013] --" + kind + ": '" + text + "' names '" +
                    name.str() + "' twice; name it once");
    if (options.run || options.emit == Stage::Exe ||
        options.emit == Stage::AST || options.emit == Stage::PM)
      return fail("[PM1013] --" + kind +
                  " makes a function, not a program that reads files: give "
                  "--emit=shared, or another stage behind pm");
    options.derivatives.push_back(entry);
  }
  return 0;
}
