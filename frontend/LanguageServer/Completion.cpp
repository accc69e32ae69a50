//===- Completion.cpp - Completion, and help with calls -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Basic/Unit.h"
#include "frontend/LanguageServer/Describe.h"
#include "frontend/LanguageServer/Documents/Guard.h"
#include "frontend/LanguageServer/Documents/Library.h"
#include "frontend/LanguageServer/Documents/Manual.h"
#include "frontend/LanguageServer/Features.h"
#include "frontend/Sema/Builtins.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace pmc;
using namespace pmc::lsp;
using llvm::StringRef;
namespace json = llvm::json;
using llvm::lsp::CompletionItemKind;

static bool isWord(char c) { return llvm::isAlnum(c) || c == '_'; }

/// The part of a text that ends with words, as long as it can be.
static StringRef wordAtEnd(StringRef text) {
  size_t begin = text.size();
  while (begin > 0 && isWord(text[begin - 1]))
    --begin;
  return text.drop_front(begin);
}

/// The name that stands for what will be written at the cursor.
static constexpr StringRef placeholder = "pmc_cursor_";

namespace {

/// The names that are visible at an offset: the document is analyzed with a
/// name there, because what is being written rarely parses without one.
class Visible {
public:
  Visible(const Snapshot &document, size_t offset) {
    StringRef text = document.text->str();
    StringRef word = wordAtEnd(text.take_front(offset));
    size_t begin = offset - word.size(), end = offset;
    while (end < text.size() && isWord(text[end]))
      ++end;
    // The brackets that are open here may not be closed yet.
    for (StringRef tail : {"", ")", "))", "]", "}", ")}", "\n}", ")\n}"}) {
      std::string changed =
          (text.take_front(begin) + placeholder + tail + text.drop_front(end))
              .str();
      runGuarded([&] {
        names = std::make_unique<Names>(document.workspace, document.path,
                                        changed, begin);
      });
      this->text = Text(std::move(changed));
      if (!names || names->getIndex().hasFoundCursor() ||
          !names->hasSyntaxErrors())
        break;
    }
  }

  const Names *operator->() const { return names.get(); }
  const Names &operator*() const { return *names; }
  /// The text with the placeholder: its lines are those of the document.
  const Text &getText() const { return text; }
  explicit operator bool() const { return names != nullptr; }

private:
  std::unique_ptr<Names> names; ///< null after a crash
  Text text;
};

class Items {
public:
  /// Reserves space for all names of the library, because an array that grows
  /// copies its items.
  Items() { items.reserve(2048); }
  /// `edit`: another edit that the item needs, or null.
  void add(StringRef label, CompletionItemKind kind, std::string detail = "",
           std::string documentation = "", Answer edit = nullptr) {
    if (label.empty() || !seen.insert(label).second)
      return;
    json::Object item{{"label", json::fixUTF8(label)}, {"kind", int(kind)}};
    if (!detail.empty())
      item["detail"] = json::fixUTF8(detail);
    if (!documentation.empty())
      item["documentation"] = json::fixUTF8(documentation);
    if (edit.kind() != json::Value::Null)
      item["additionalTextEdits"] = json::Array{std::move(edit)};
    // In this order, not in that of the alphabet.
    item["sortText"] = std::to_string(group) + label.str();
    items.push_back(std::move(item));
  }
  /// What follows comes behind what has been added.
  void startGroup() { ++group; }
  json::Value take() {
    return json::Object{{"isIncomplete", false}, {"items", std::move(items)}};
  }

private:
  json::Array items;
  llvm::StringSet<> seen;
  unsigned group = 0;
};

} // namespace

static CompletionItemKind kindOf(Declaration::Kind kind) {
  switch (kind) {
  case Declaration::Kind::Const:
    return CompletionItemKind::Constant;
  case Declaration::Kind::Param:
  case Declaration::Kind::Input:
    return CompletionItemKind::Property;
  case Declaration::Kind::Dim:
    return CompletionItemKind::TypeParameter;
  case Declaration::Kind::Function:
    return CompletionItemKind::Function;
  case Declaration::Kind::Let:
  case Declaration::Kind::Local:
    return CompletionItemKind::Variable;
  }
  return CompletionItemKind::Variable;
}

static void addDeclaration(Items &items, const Names &names, StringRef name,
                           llvm::SMLoc loc) {
  if (name.starts_with(placeholder) || !llvm::isAlpha(name.front()))
    return;
  if (std::optional<Declaration> declaration = names.describe(loc, name))
    items.add(name, kindOf(declaration->kind),
              getDeclarationText(names, *declaration),
              getDocumentation(names, *declaration));
}

static void addModules(Items &items, const Snapshot &document) {
  std::vector<std::string> folders = document.workspace.settings->folders;
  folders.insert(folders.begin(),
                 llvm::sys::path::parent_path(document.path).str());
  for (const std::string &folder : folders) {
    std::error_code error;
    llvm::sys::fs::directory_iterator it(folder, error), end;
    for (unsigned count = 0; it != end && !error && count < 1000;
         it.increment(error), ++count)
      if (llvm::sys::path::extension(it->path()) == ".pm" &&
          it->path() != document.path)
        items.add(llvm::sys::path::stem(it->path()), CompletionItemKind::Module,
                  folder);
  }
}

/// The members of what is in front of a dot: `a.b` in `let c = a.b.`.
static void addMembers(Items &items, const Snapshot &document,
                       const Visible &names, StringRef before) {
  std::vector<StringRef> path;
  do {
    StringRef word = wordAtEnd(before);
    path.push_back(word);
    before = before.drop_back(word.size());
  } while (before.consume_back("."));
  if (!names || path.back().empty())
    return;
  std::optional<Declaration> declaration = names->findVisible(path.back());
  if (!declaration || !names->isInMain(declaration->loc))
    return;
  // What is declared in front of the cursor is at the same place before edits
  // at the cursor.
  size_t offset = names->getMainOffset(declaration->loc);
  const Value *value = nullptr;
  for (const Evaluation *evaluation :
       {document.lastGood.get(), document.evaluation.get()})
    if (evaluation && !value)
      value = evaluation->findBound(offset);
  for (StringRef member : llvm::drop_begin(llvm::reverse(path)))
    value = value && value->isRecord() ? value->findMember(member) : nullptr;
  if (!value || !value->isRecord())
    return;
  for (auto [name, element] :
       llvm::zip(value->getNames(), value->getElements()))
    items.add(name, CompletionItemKind::Field, element.describe());
}

/// The parameters of the call around the cursor, as `name =`.
static void addParameters(Items &items, const ast::FunctionStmt &function) {
  std::vector<std::string> texts = getParameters(function);
  for (auto [param, text] : llvm::zip(function.params, texts))
    items.add(param.name.text + " =", CompletionItemKind::Field, text);
}

namespace {

/// A call that is being written.
struct OpenCall {
  StringRef callee;
  unsigned argument = 0;  ///< commas in front of the cursor
  StringRef argumentName; ///< `a` of `f(a = …`
};

} // namespace

/// Whether the end of the text is in a comment or a string.
static bool isInTextOrComment(StringRef text) {
  StringRef line = text.drop_front(text.rfind('\n') + 1); // npos + 1 is 0
  bool isInString = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && isInString)
      ++i;
    else if (line[i] == '"')
      isInString = !isInString;
    else if (!isInString && line.substr(i).starts_with("//"))
      return true;
  }
  return isInString;
}

/// `f` of `f[x, y]`, or the text itself.
static StringRef withoutDims(StringRef text) {
  if (!text.ends_with("]"))
    return text;
  unsigned depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    depth += text[i] == ']';
    if (text[i] == '[' && --depth == 0)
      return text.take_front(i);
  }
  return text;
}

/// The text with blanks in place of the contents of strings and comments.
static std::string withoutTexts(StringRef text) {
  std::string plain = text.str();
  bool isInString = false, isInComment = false;
  for (size_t i = 0; i < plain.size(); ++i) {
    if (text[i] == '\n') {
      isInString = isInComment = false;
      continue;
    }
    if (isInString || isInComment)
      plain[i] = ' ';
    if (isInComment)
      continue;
    if (isInString && text[i] == '\\' && i + 1 < plain.size() &&
        text[i + 1] != '\n')
      plain[++i] = ' ';
    else if (text[i] == '"')
      isInString = !isInString;
    else if (!isInString)
      isInComment = text.substr(i).starts_with("//");
  }
  return plain;
}

static std::optional<OpenCall> findCall(StringRef before) {
  const std::string plain = withoutTexts(before);
  unsigned depth = 0;
  OpenCall call;
  StringRef argument; // from its first character to the cursor
  for (size_t i = before.size(); i-- > 0;) {
    char c = plain[i];
    if (c == ')' || c == ']' || c == '}') {
      ++depth;
    } else if (c == '[' || c == '{' || c == '(') {
      if (depth-- > 0)
        continue;
      call.callee = wordAtEnd(withoutDims(before.take_front(i)));
      if (c != '(' || call.callee.empty())
        return std::nullopt;
      if (!argument.data())
        argument = before.drop_front(i + 1);
      auto [name, value] = argument.split('=');
      if (value.data() && !value.empty() && !value.starts_with("=") &&
          llvm::all_of(name.trim(), isWord))
        call.argumentName = name.trim();
      return call;
    } else if (c == ',' && depth == 0) {
      if (!argument.data())
        argument = before.drop_front(i + 1);
      ++call.argument;
    }
  }
  return std::nullopt;
}

static void addWords(Items &items) {
  for (StringRef word : {
#define TOKEN(NAME, TEXT)
#define KEYWORD(NAME, TEXT) StringRef(TEXT),
#include "frontend/Lexer/Tokens.def"
#define WORD(TEXT) StringRef(TEXT),
#define TYPE(TEXT) StringRef(TEXT),
#include "frontend/Parser/Words.def"
       })
    items.add(word, CompletionItemKind::Keyword);
}

/// Names of modules that the document does not use yet, with the edit that
/// adds `use`.
static void addLibrary(Items &items, const Snapshot &document,
                       const Visible &names) {
  std::map<std::string, Answer> edits;
  for (const LibraryName &entry : listLibrary(*document.workspace.settings)) {
    auto it = edits.find(entry.module);
    if (it == edits.end())
      it = edits
               .emplace(entry.module,
                        addUse(*names, names.getText(), entry.module))
               .first;
    items.add(entry.name,
              entry.isFunction ? CompletionItemKind::Function
                               : CompletionItemKind::Constant,
              entry.text + " (adds 'use " + entry.module + "')", "",
              it->second);
  }
}

Answer pmc::lsp::complete(const Snapshot &document,
                          llvm::lsp::Position position) {
  const size_t offset = document.text->getOffset(position);
  StringRef before = document.text->str().take_front(offset);
  Items items;
  if (isInTextOrComment(before))
    return items.take();
  StringRef prefix = before.drop_back(wordAtEnd(before).size());
  StringRef line = prefix.drop_front(prefix.rfind('\n') + 1);
  if (line.ltrim().starts_with("use ")) {
    addModules(items, document);
    return items.take();
  }
  StringRef left = prefix.rtrim(' ');
  Visible names(document, offset);
  if (left.ends_with(".") && !left.drop_back().empty() &&
      !llvm::isDigit(left[left.size() - 2])) {
    addMembers(items, document, names, left.drop_back());
    return items.take();
  }
  // Units follow a number directly; a word that ends with digits is a name.
  StringRef number = wordAtEnd(left);
  if (!number.empty() && llvm::isDigit(number.front())) {
    for (StringRef unit : Unit::atomNames())
      items.add(unit, CompletionItemKind::Unit);
    items.startGroup();
  }
  if (names) {
    if (std::optional<OpenCall> call = findCall(prefix))
      if (std::optional<Declaration> callee = names->findVisible(call->callee);
          callee && callee->function && call->argumentName.empty())
        addParameters(items, *callee->function);
    for (const auto &[name, loc] : names->getIndex().getVisible())
      addDeclaration(items, *names, name, loc);
    items.startGroup();
    for (const auto &[name, symbol] : names->getMain().symbols)
      addDeclaration(items, *names, name, symbol.loc);
    items.startGroup();
    for (const ModuleInfo *module : names->getMain().uses)
      for (const auto &[name, symbol] : module->symbols)
        if (names->getProgram().find(names->getMain(), name).module == module)
          addDeclaration(items, *names, name, symbol.loc);
  }
  items.startGroup();
  for (const BuiltinInfo &builtin : getBuiltins())
    items.add(
        builtin.name, CompletionItemKind::Function,
        getBuiltinSignature(builtin.name),
        getBuiltinDocumentation(*document.workspace.settings, builtin.name));
  items.startGroup();
  addWords(items);
  items.startGroup();
  if (names)
    addLibrary(items, document, names);
  return items.take();
}

/// The signature with its parameters, of which `active` is written now.
static Answer signature(std::string label, std::vector<std::string> parameters,
                        std::string documentation, int active) {
  json::Array labels;
  for (std::string &parameter : parameters)
    labels.push_back(json::Object{{"label", json::fixUTF8(parameter)}});
  json::Object object{{"label", json::fixUTF8(label)},
                      {"parameters", std::move(labels)}};
  if (!documentation.empty())
    object["documentation"] = json::fixUTF8(documentation);
  return json::Object{{"signatures", json::Array{std::move(object)}},
                      {"activeSignature", 0},
                      {"activeParameter", active}};
}

Answer pmc::lsp::helpWithCall(const Snapshot &document,
                              llvm::lsp::Position position) {
  const size_t offset = document.text->getOffset(position);
  StringRef before = document.text->str().take_front(offset);
  std::optional<OpenCall> call = findCall(before);
  if (!call)
    return nullptr;
  Visible names(document, offset);
  std::optional<Declaration> callee =
      names ? names->findVisible(call->callee) : std::nullopt;
  int active = int(call->argument);
  if (callee && callee->function) {
    for (auto [i, param] : llvm::enumerate(callee->function->params))
      if (param.name.text == call->argumentName)
        active = int(i);
    return signature(getSignature(*names, *callee->function),
                     getParameters(*callee->function),
                     getDocumentation(*names, *callee), active);
  }
  std::optional<BuiltinId> builtin = findBuiltin(call->callee);
  if (callee || !builtin)
    return nullptr;
  const BuiltinInfo &info = getBuiltinInfo(*builtin);
  std::vector<std::string> parameters;
  for (auto [i, param] : llvm::enumerate(info.params)) {
    parameters.push_back(param.str() + (i < info.required ? "" : "?"));
    if (param == call->argumentName)
      active = int(i);
  }
  return signature(
      getBuiltinSignature(call->callee), std::move(parameters),
      getBuiltinDocumentation(*document.workspace.settings, call->callee),
      active);
}
