//===- LanguageTool.cpp - pmc language ------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Language/LanguageTool.h"

#include "frontend/Basic/Unit.h"
#include "frontend/Sema/Builtins.h"
#include "frontend/Tools/Files.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace pmc;

static void write(llvm::json::OStream &json, llvm::StringRef name,
                  std::vector<llvm::StringRef> words) {
  llvm::sort(words);
  json.attributeArray(name, [&] {
    for (llvm::StringRef word : words)
      json.value(word);
  });
}

int pmc::runLanguageTool(llvm::ArrayRef<std::string> arguments) {
  if (!arguments.empty()) {
    const bool isHelp = arguments[0] == "--help" || arguments[0] == "-h";
    if (!isHelp)
      return fail("[PM1006] language: expected no arguments, found '" +
                  arguments[0] + "'");
    llvm::outs() << "pmc language: prints the words of the language as JSON, "
                    "for the files of editors (frontend/Editors)\n";
    return 0;
  }
  std::vector<llvm::StringRef> keywords{
#define TOKEN(NAME, TEXT)
#define KEYWORD(NAME, TEXT) TEXT,
#include "frontend/Lexer/Tokens.def"
  };
  std::vector<llvm::StringRef> words{
#define WORD(TEXT) TEXT,
#include "frontend/Parser/Words.def"
  };
  std::vector<llvm::StringRef> types{
#define TYPE(TEXT) TEXT,
#include "frontend/Parser/Words.def"
  };
  std::vector<llvm::StringRef> builtins;
  for (const BuiltinInfo &builtin : getBuiltins())
    builtins.push_back(builtin.name);
  llvm::json::OStream json(llvm::outs(), /*IndentSize=*/2);
  json.object([&] {
    write(json, "keywords", keywords);
    write(json, "words", words);
    write(json, "types", types);
    write(json, "builtins", builtins);
    write(json, "units", Unit::atomNames().vec());
  });
  llvm::outs() << "\n";
  return 0;
}
