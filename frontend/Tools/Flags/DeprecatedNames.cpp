//===- DeprecatedNames.cpp - Old spellings of flags and passes ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Flags/DeprecatedNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;

namespace {

/// Where a deprecated name counts: as a flag, as a size of the flag `--sizes`
/// or of the option `sizes=` of a pass, or anywhere.
enum class Place { Flag, Size, Anywhere };

struct Name {
  Place place;
  StringRef old, current;
};

} // namespace

static constexpr Name names[] = {
    {Place::Flag, "--reach", "--displacement-bound"},
    {Place::Size, "team", "group"},
    {Place::Size, "brick", "particles"},
    {Place::Anywhere, "pm-read-ahead", "pm-prefetch"},
};

/// The begin of the name in the argument, or npos. `isSizes`: the argument has
/// sizes.
static size_t find(const Name &name, StringRef argument, bool isSizes) {
  switch (name.place) {
  case Place::Flag:
    return argument == name.old || argument.starts_with((name.old + "=").str())
               ? 0
               : StringRef::npos;
  case Place::Size: {
    for (size_t at = argument.find((name.old + "=").str());
         isSizes && at != StringRef::npos;
         at = argument.find((name.old + "=").str(), at + 1))
      if (at == 0 || !llvm::isAlnum(argument[at - 1]))
        return at;
    return StringRef::npos;
  }
  case Place::Anywhere:
    return argument.find(name.old);
  }
  llvm_unreachable("a place");
}

void pmc::replaceDeprecatedNames(const char *tool,
                                 std::vector<std::string> &arguments) {
  bool areSizes = false; // the argument is the value of `--sizes`
  for (std::string &argument : arguments) {
    const bool isSizes = areSizes || StringRef(argument).contains("sizes=");
    for (const Name &name : names) {
      const size_t at = find(name, argument, isSizes);
      if (at == StringRef::npos)
        continue;
      argument.replace(at, name.old.size(), name.current.str());
      llvm::errs() << tool << ": warning: '" << name.old
                   << "' is deprecated; use '" << name.current
                   << "' [PM1015]\n";
    }
    areSizes = argument == "--sizes";
  }
}
