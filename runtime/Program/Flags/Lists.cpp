//===- Lists.cpp - Params of several numbers ------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Flags/Lists.h"

#include "runtime/Base/Error.h"
#include "runtime/Base/Text/Format.h"

using namespace pmrt;

std::vector<ListFlag> pmrt::listFlags(const Descriptor &program) {
  std::vector<ListFlag> lists;
  for (size_t i = 0; i < program.params.size(); ++i) {
    const std::string &name = program.params[i].name;
    const size_t dot = name.rfind('.');
    if (dot == std::string::npos)
      continue;
    if (name.substr(dot) == ".0")
      lists.push_back({name.substr(0, dot), i, 0});
    ++lists.back().count;
  }
  return lists;
}

std::vector<std::string> pmrt::splitList(const ListFlag &list,
                                         const std::string &text) {
  std::vector<std::string> numbers(1);
  for (const char c : text)
    if (c == ',')
      numbers.emplace_back();
    else if (c != ' ')
      numbers.back() += c;
  if (numbers.size() != list.count)
    throw usageError(
        "[PM9002] --{}: '{}' has {} numbers, separated by commas, expected {}",
        list.name, text, numbers.size(), list.count);
  return numbers;
}
