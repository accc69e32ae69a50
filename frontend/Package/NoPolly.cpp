//===- NoPolly.cpp - An optimizer that packages leave out -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Debian's libraries of link-time optimization name Polly, which pmc does not
// use.
//
//===----------------------------------------------------------------------===//

#include "llvm/Plugins/PassPlugin.h"

llvm::PassPluginLibraryInfo getPollyPluginInfo();

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  llvm::PassPluginLibraryInfo info = {};
  info.APIVersion = LLVM_PLUGIN_API_VERSION;
  info.PluginName = "no Polly";
  info.PluginVersion = "";
  info.RegisterPassBuilderCallbacks = [](llvm::PassBuilder &) {};
  return info;
}
