//===- Builtins.cpp - The functions that the compiler knows ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Builtins.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace pmc;

static BuiltinInfo makeInfo(BuiltinId id, llvm::StringRef name,
                            llvm::StringRef params, BuiltinInfo::Dims dims) {
  BuiltinInfo info{id, name, {}, 0, dims};
  llvm::SmallVector<llvm::StringRef> words;
  params.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words) {
    if (!word.consume_back("?"))
      ++info.required;
    info.params.push_back(word);
  }
  return info;
}

llvm::ArrayRef<BuiltinInfo> pmc::getBuiltins() {
  static const std::vector<BuiltinInfo> table = {
#define BUILTIN(ID, NAME, PARAMS, DIMS, HANDLER)                               \
  makeInfo(BuiltinId::ID, NAME, PARAMS, BuiltinInfo::Dims::DIMS),
#include "frontend/Sema/Builtins.def"
  };
  return table;
}

const BuiltinInfo &pmc::getBuiltinInfo(BuiltinId id) {
  return getBuiltins()[size_t(id)];
}

std::optional<BuiltinId> pmc::findBuiltin(llvm::StringRef name) {
  static const llvm::StringMap<BuiltinId> byName = [] {
    llvm::StringMap<BuiltinId> map;
    for (const BuiltinInfo &info : getBuiltins())
      map[info.name] = info.id;
    return map;
  }();
  auto it = byName.find(name);
  if (it == byName.end())
    return std::nullopt;
  return it->second;
}

bool pmc::takesParameterNames(BuiltinId id) {
  return id == BuiltinId::Grad || id == BuiltinId::ValueAndGrad ||
         id == BuiltinId::VJP || id == BuiltinId::JVP;
}

llvm::StringRef pmc::explainForeignName(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Case("optimize", "it is a statement: optimize s from start minimizing "
                        "loss(s) with adam() for 100 iterations")
      .Cases({"print", "assert", "output", "plot"}, "it is a statement")
      .Case("norm", "write sqrt(norm2(v))")
      .Case("ln", "write log(x)")
      .Case("ceil", "write -floor(-x)")
      .Case("len", "write cells(x) for the number of cells of a dim")
      .Cases({"range", "linspace"}, "write for i in 0 .. n")
      .Cases({"rfft", "rfftn", "fftn"}, "write fft(f)")
      .Cases({"irfft", "irfftn", "ifftn"}, "write ifft(fk)")
      .Case("fmod", "write x - b * floor(x / b), or mod(a, b) of ints")
      .Case("trunc", "int(x) and floor(x) round down")
      .Case("float", "an int becomes f64 where it meets one")
      .Case("where", "write if c then a else b; of fields, map q in c => if c "
                     "then a else b")
      .Case("uniform", "write 'use random' for uniform[x, y, z](seed), and "
                       "random(seed) for one number")
      .Cases({"random", "rand", "randn", "normal", "gaussian"},
             "write white_noise[x, y, z](seed) for normal random numbers")
      .Cases({"zeros_like", "ones_like"}, "write 0 * f, or 0 * f + 1")
      .Case("ones", "write constant[x, y, z](1)")
      .Cases({"None", "null", "nil"}, "every name has a value")
      .Case("std", "write sqrt(mean((f - mean(f))^2))")
      .Case("var", "write mean((f - mean(f))^2)")
      .Case("stack", "a tuple (f, g) holds several fields; with 'use fields', "
                     "field_of((f, g), c) is a field over a dim c, too")
      .Case("concatenate", "write 'use fields' for concat((f, g), over = x)")
      .Cases({"cumsum", "cumulative_sum"},
             "write 'use fields' for sums along dims, cumsum(f, over = x); a "
             "loop carries a sum of numbers: "
             "loop s = 0.0 for i in 0 .. n => s + …")
      .Cases({"transpose", "permute"},
             "a map gives a field the dims in another order: "
             "map q in [y, x] => f")
      .Default("");
}
