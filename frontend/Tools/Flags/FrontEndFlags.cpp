//===- FrontEndFlags.cpp - Flags of the front end -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Flags/FrontEndFlags.h"

void pmc::addFrontEndFlags(CLI::App &app, Options &options,
                           std::vector<std::string> &defines) {
  app.add_option("-D", defines, "Override a const")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("-I", options.include,
                 "Look for modules there, before the standard library")
      ->type_name("FOLDER")
      ->allow_extra_args(false)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--layout", options.layout,
                 "Replace the spec's layout: 'x->row, y->col'")
      ->type_name("LAYOUT");
  app.add_option("--precision", options.precision,
                 "Of fields: f32 (default) or f64")
      ->type_name("TYPE");
}
