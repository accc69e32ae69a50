//===- DerivativeFlags.cpp - Programs that are derivatives
//--------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/DerivativeFlags.h"

#include "frontend/Tools/Files.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace pmc;

void pmc::addDerivativeFlags(CLI::App &app, DerivativeFlags &flags) {
  app.add_option("--vjp", flags.vjp,
                 "Make the gradient of outputs with respect to params and "
                 "inputs, 'noise,omega_m -> density', in place of the program "
                 "(with --emit=shared)")
      ->type_name("WRT->OF");
  app.add_option("--jvp", flags.jvp,
                 "The same in forward mode: derivatives along tangents")
      ->type_name("WRT->OF");
}

static std::vector<std::string> splitNames(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  std::vector<std::string> names;
  for (llvm::StringRef part : parts)
    names.push_back(part.trim().str());
  return names;
}

int pmc::checkDerivative(Options &options, const DerivativeFlags &flags) {
  if (!flags.vjp.empty() && !flags.jvp.empty())
    return fail(
        "[PM1013] --vjp and --jvp make different programs: give one of them");
  const std::string &text = flags.vjp.empty() ? flags.jvp : flags.vjp;
  if (text.empty())
    return 0;
  DerivativeEntry &entry = options.derivative;
  entry.kind = flags.vjp.empty() ? "jvp" : "vjp";
  auto [wrt, of] = llvm::StringRef(text).split("->");
  entry.wrt = splitNames(wrt);
  entry.of = splitNames(of);
  for (const auto *names : {&entry.wrt, &entry.of})
    if (llvm::is_contained(*names, ""))
      return fail("[PM1013] --" + entry.kind + ": '" + text +
                  "' is not NAME,... -> OUTPUT,...");
  if (options.run || options.emit == Stage::Exe || options.emit == Stage::AST ||
      options.emit == Stage::PM)
    return fail("[PM1013] --" + entry.kind +
                " makes a function, not a program that reads files: give "
                "--emit=shared, or another stage behind pm");
  return 0;
}
