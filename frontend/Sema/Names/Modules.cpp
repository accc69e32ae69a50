//===- Modules.cpp - The modules of a program and what they declare -------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Names/Modules.h"

#include "frontend/Parser/Parser.h"
#include "frontend/Sema/Builtins.h"
#include "frontend/Sema/WorkingUnits.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace pmc;
using llvm::StringRef;

StringRef pmc::describe(Symbol::Kind kind) {
  switch (kind) {
  case Symbol::Kind::Const:
    return "const";
  case Symbol::Kind::Param:
    return "param";
  case Symbol::Kind::Input:
    return "input";
  case Symbol::Kind::Dim:
    return "dim";
  case Symbol::Kind::Function:
    return "function";
  case Symbol::Kind::Let:
    return "let";
  }
  return "name";
}

/// What other modules see of a module.
static bool isExported(const Symbol &symbol) {
  return symbol.kind == Symbol::Kind::Function ||
         symbol.kind == Symbol::Kind::Const;
}

Lookup Program::find(const ModuleInfo &from, StringRef name) const {
  auto own = from.symbols.find(name);
  if (own != from.symbols.end())
    return {&from, &own->second};
  Lookup found;
  for (const ModuleInfo *module : from.uses) {
    auto it = module->symbols.find(name);
    if (it == module->symbols.end() || !isExported(it->second))
      continue;
    if (found.symbol) {
      found.rival = module;
      break;
    }
    found = {module, &it->second};
  }
  return found;
}

bool Program::areDeclaredTogether(DimList dims) const {
  const llvm::StringMap<Symbol> &symbols = getMain().symbols;
  auto statementOf = [&](const Dim &dim) -> const ast::Stmt * {
    auto it = symbols.find(dim.name);
    return it == symbols.end() ? nullptr : it->second.stmt;
  };
  return llvm::all_of(dims, [&](const Dim &dim) {
    return statementOf(dim) == statementOf(dims[0]);
  });
}

const ModuleInfo *Program::findElsewhere(StringRef name) const {
  for (const auto &module : modules) {
    auto it = module->symbols.find(name);
    if (!module->isMain && it != module->symbols.end() &&
        isExported(it->second))
      return module.get();
  }
  return nullptr;
}

const ModuleInfo *Program::findLibraryModule(StringRef name) const {
  for (const auto &module : modules)
    if (module->isLibrary && module->name == name)
      return module.get();
  return nullptr;
}

/// The first statement that a module cannot have if others are to use it.
static const ast::Stmt *findForeign(const ast::Module &tree) {
  for (const ast::StmtPtr &stmt : tree.statements)
    if (!llvm::isa<ast::UseStmt, ast::ConstStmt, ast::FunctionStmt>(*stmt))
      return stmt.get();
  return nullptr;
}

/// The .pm files of a folder, in the order of their names.
static std::vector<std::string> modulesIn(const std::string &folder) {
  std::vector<std::string> paths;
  std::error_code error;
  llvm::sys::fs::directory_iterator it(folder, error), end;
  for (; it != end && !error && paths.size() < 1000; it.increment(error))
    if (llvm::sys::path::extension(it->path()) == ".pm")
      paths.push_back(it->path());
  llvm::sort(paths);
  return paths;
}

/// Whether a text may declare a name: it says so rarely where it does not, and
/// parsing it takes a hundred times longer.
static bool mayDeclare(StringRef text, StringRef name) {
  for (size_t at = text.find(name); at != StringRef::npos;
       at = text.find(name, at + 1)) {
    StringRef after = text.drop_front(at + name.size()).take_front();
    if (!after.empty() && (llvm::isAlnum(after.front()) || after == "_"))
      continue; // of a longer name
    StringRef before = text.take_front(at).rtrim();
    if (before.ends_with("fn") || before.ends_with("const"))
      return true;
  }
  return false;
}

std::string Program::findInLibrary(StringRef name) const {
  for (const std::string &folder : libraryFolders)
    for (const std::string &path : modulesIn(folder)) {
      auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false);
      if (!file || !mayDeclare((*file)->getBuffer(), name))
        continue;
      llvm::SourceMgr sources;
      DiagnosticEngine silent(sources, llvm::nulls());
      StringRef own = llvm::sys::path::stem(path);
      unsigned buffer =
          sources.AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
      auto tree = parseModule(sources, buffer, own, silent);
      if (findForeign(*tree))
        continue;
      for (const ast::StmtPtr &stmt : tree->statements) {
        auto *function = llvm::dyn_cast_or_null<ast::FunctionStmt>(stmt.get());
        auto *constant = llvm::dyn_cast_or_null<ast::ConstStmt>(stmt.get());
        if ((function && function->name.text == name) ||
            // An undefined `h` is rarely Planck's constant.
            (constant && name.size() > 1 && constant->name.text == name))
          return own.str();
      }
    }
  return "";
}

bool Program::isInLibrary(StringRef file) const {
  return llvm::any_of(modules, [&](const auto &module) {
    return module->isLibrary && module->path == file;
  });
}

namespace pmc {

class ModuleLoader {
public:
  ModuleLoader(llvm::SourceMgr &sources, DiagnosticEngine &diags,
               std::vector<std::string> folders, const OpenFiles &openFiles)
      : sources(sources), diags(diags), folders(std::move(folders)),
        openFiles(openFiles) {}

  Program load(unsigned mainBuffer, StringRef programName,
               llvm::ArrayRef<std::string> more);

private:
  ModuleInfo *add(unsigned buffer, StringRef name, StringRef path);
  void resolveUses(ModuleInfo &module);
  const ModuleInfo *findModule(const ast::Name &name);
  ModuleInfo *open(const ast::Name &name, const std::string &folder);
  const ModuleInfo *findInLibrary(const ast::Name &name);
  void reportMissing(const ast::Name &name);
  void collectSymbols(ModuleInfo &module);
  void declare(ModuleInfo &module, StringRef name, Symbol symbol);
  void useUnitsOf(ModuleInfo &spec, unsigned buffer);
  void nameColumns(ModuleInfo &module);
  void checkLibrary(const ModuleInfo &module);

  llvm::SourceMgr &sources;
  DiagnosticEngine &diags;
  std::vector<std::string> folders;
  const OpenFiles &openFiles;
  llvm::StringMap<const ModuleInfo *> byName;
  WorkingUnits units;
  bool isRepeated = false; // what is parsed was parsed before
  bool unreadable = false; // the file that was there
  Program program;
};

} // namespace pmc

void ModuleLoader::declare(ModuleInfo &module, StringRef name, Symbol symbol) {
  // The name `_` skips an element of a pattern.
  if (name.empty() || name == "_")
    return;
  auto [it, isNew] = module.symbols.try_emplace(name, symbol);
  if (!isNew && !isRepeated)
    diags.error(symbol.loc, "[PM0202] '" + name + "' is defined twice")
        .note(it->second.loc, "first defined here");
}

void ModuleLoader::collectSymbols(ModuleInfo &module) {
  using Kind = Symbol::Kind;
  for (const ast::StmtPtr &owner : module.tree->statements) {
    const ast::Stmt *stmt = owner.get();
    if (auto *s = llvm::dyn_cast<ast::ConstStmt>(stmt))
      declare(module, s->name.text, {Kind::Const, s, 0, s->name.loc});
    else if (auto *s = llvm::dyn_cast<ast::ParamStmt>(stmt))
      declare(module, s->name.text, {Kind::Param, s, 0, s->name.loc});
    else if (auto *s = llvm::dyn_cast<ast::InputStmt>(stmt))
      declare(module, s->name.text,
              {s->like ? Kind::Let : Kind::Input, s, 0, s->name.loc});
    else if (auto *s = llvm::dyn_cast<ast::FunctionStmt>(stmt))
      declare(module, s->name.text, {Kind::Function, s, 0, s->name.loc});
    else if (auto *s = llvm::dyn_cast<ast::DimStmt>(stmt))
      for (auto [index, entry] : llvm::enumerate(s->entries))
        declare(module, entry.name.text,
                {Kind::Dim, s, unsigned(index), entry.name.loc});
    else if (auto *s = llvm::dyn_cast<ast::LetStmt>(stmt))
      for (auto [index, name] : llvm::enumerate(s->pattern.names))
        declare(module, name.text, {Kind::Let, s, unsigned(index), name.loc});
    else if (auto *s = llvm::dyn_cast<ast::OptimizeStmt>(stmt)) {
      for (auto [index, name] : llvm::enumerate(s->pattern.names))
        declare(module, name.text, {Kind::Let, s, unsigned(index), name.loc});
      declare(module, s->history.text, {Kind::Let, s, 0, s->history.loc});
      declare(module, s->checked.text, {Kind::Let, s, 0, s->checked.loc});
    }
  }
  // `output x = e` names its value, unless the name has another meaning.
  for (const ast::StmtPtr &stmt : module.tree->statements)
    if (auto *s = llvm::dyn_cast<ast::OutputStmt>(stmt.get()))
      if (s->value && !s->name.text.empty())
        module.symbols.try_emplace(s->name.text,
                                   Symbol{Kind::Let, s, 0, s->name.loc});
}

/// `output power (k, P) = e` names its columns, too, unless a name has another
/// meaning or is that of two columns.
void ModuleLoader::nameColumns(ModuleInfo &module) {
  llvm::StringMap<Symbol> columns;
  llvm::StringSet<> isAmbiguous;
  for (const ast::StmtPtr &stmt : module.tree->statements)
    if (auto *s = llvm::dyn_cast<ast::OutputStmt>(stmt.get()); s && s->value)
      for (auto [index, name] : llvm::enumerate(s->columns))
        if (!columns
                 .try_emplace(name.text, Symbol{Symbol::Kind::Let, s,
                                                unsigned(index), name.loc})
                 .second)
          isAmbiguous.insert(name.text);
  for (const auto &[name, symbol] : columns) {
    const Lookup other = program.find(module, name);
    if (!other.symbol && !findBuiltin(name) && !isAmbiguous.contains(name))
      module.symbols.try_emplace(name, symbol);
  }
}

void ModuleLoader::checkLibrary(const ModuleInfo &module) {
  const ast::Stmt *stmt = findForeign(*module.tree);
  if (!stmt)
    return;
  InFlight error = diags.error(
      stmt->loc,
      "[PM0205] a module that others use has only functions and constants");
  for (const std::string &folder : llvm::drop_begin(folders)) {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, module.name + ".pm");
    if (path != module.path && llvm::sys::fs::is_regular_file(path))
      error.note("'" + module.path +
                 "' is used in the place of the library's "
                 "module '" +
                 module.name + "'; rename it to use that");
  }
}

ModuleInfo *ModuleLoader::add(unsigned buffer, StringRef name, StringRef path) {
  auto module = std::make_unique<ModuleInfo>();
  module->name = name.str();
  module->path = path.str();
  module->isMain = program.modules.empty();
  module->tree = parseModule(sources, buffer, name, diags, units);
  collectSymbols(*module);
  if (module->isMain)
    useUnitsOf(*module, buffer);
  if (!module->isMain)
    checkLibrary(*module);
  program.modules.push_back(std::move(module));
  return program.modules.back().get();
}

/// Parses the spec again, in its own working units. Its messages have been
/// reported.
void ModuleLoader::useUnitsOf(ModuleInfo &spec, unsigned buffer) {
  units = findWorkingUnits(spec);
  if (units.isDefault())
    return;
  DiagnosticEngine silent(sources, llvm::nulls());
  spec.tree = parseModule(sources, buffer, spec.name, silent, units);
  spec.symbols.clear();
  isRepeated = true;
  collectSymbols(spec);
  isRepeated = false;
}

void ModuleLoader::reportMissing(const ast::Name &name) {
  if (name.text == program.getMain().name) {
    diags.error(name.loc,
                "[PM0204] a spec cannot use itself, and there is no other "
                "module '" +
                    name.text + "'");
    return;
  }
  std::vector<std::string> names;
  for (const std::string &folder : folders)
    for (const std::string &path : modulesIn(folder))
      names.push_back(llvm::sys::path::stem(path).str());
  llvm::sort(names);
  llvm::SmallVector<StringRef> candidates(names.begin(), names.end());
  static constexpr StringRef foreign[] = {
      "np",   "numpy", "jnp",        "jax", "scipy",  "torch", "cupy",
      "dask", "h5py",  "matplotlib", "plt", "pandas", "pylab", "astropy"};
  std::string hint;
  if (llvm::is_contained(foreign, name.text))
    hint = "; modules are those of pmc's library, which 'pmc help' lists, and "
           "builtins such as sin, sum and fft need none";
  else if (auto closest = closestName(name.text, candidates))
    hint = "; did you mean '" + closest->str() + "'?";
  diags.error(name.loc,
              "[PM0204] there is no module '" + name.text + "'" + hint);
}

/// The module in the folder; null if there is none, with a message if it cannot
/// be read.
ModuleInfo *ModuleLoader::open(const ast::Name &name,
                               const std::string &folder) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, name.text + ".pm");
  // The spec nbody.pm may well use the library's nbody.pm.
  std::unique_ptr<llvm::MemoryBuffer> text =
      openFiles ? openFiles(path) : nullptr;
  if ((!text && !llvm::sys::fs::is_regular_file(path)) ||
      path == program.getMain().path ||
      llvm::sys::fs::equivalent(path, program.getMain().path))
    return nullptr;
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      text ? std::move(text)
           : llvm::MemoryBuffer::getFile(path, /*IsText=*/false);
  if (!file) {
    diags.error(name.loc, "[PM0204] cannot read '" + path.str() +
                              "': " + file.getError().message());
    unreadable = true;
    return nullptr;
  }
  unsigned buffer = sources.AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  ModuleInfo *module = add(buffer, name.text, path);
  module->isLibrary = &folder != &folders.front();
  return module;
}

const ModuleInfo *ModuleLoader::findModule(const ast::Name &name) {
  auto known = byName.find(name.text);
  if (known != byName.end())
    return known->second;
  unreadable = false;
  const ModuleInfo *module = open(name, folders.front());
  if (!module && !unreadable)
    module = findInLibrary(name);
  if (unreadable)
    return nullptr;
  if (module)
    return byName[name.text] = module;
  byName[name.text] = nullptr;
  reportMissing(name);
  return nullptr;
}

/// The library's module of that name, also where the spec has another one
/// beside it.
const ModuleInfo *ModuleLoader::findInLibrary(const ast::Name &name) {
  if (const ModuleInfo *known = program.findLibraryModule(name.text))
    return known;
  for (const std::string &folder : llvm::drop_begin(folders))
    if (const ModuleInfo *module = open(name, folder))
      return module;
  return nullptr;
}

void ModuleLoader::resolveUses(ModuleInfo &module) {
  for (const ast::StmtPtr &stmt : module.tree->statements) {
    auto *use = llvm::dyn_cast<ast::UseStmt>(stmt.get());
    if (!use)
      continue;
    for (const ast::Name &name : use->modules) {
      // The library's own modules mean those of the library.
      const ModuleInfo *used =
          module.isLibrary ? findInLibrary(name) : findModule(name);
      if (used == &module)
        diags.error(name.loc, "[PM0204] a module cannot use itself");
      else if (used && !llvm::is_contained(module.uses, used))
        module.uses.push_back(used);
    }
  }
}

/// Whether a paint or readout may have an edge, which the library's module
/// `fields` handles: decided by the words of the text.
static bool usesEdges(const llvm::SourceMgr &sources,
                      const ModuleInfo &module) {
  if (module.isLibrary || module.tree->statements.empty() ||
      !module.tree->statements.front())
    return false;
  const unsigned buffer =
      sources.FindBufferContainingLoc(module.tree->statements.front()->loc);
  if (buffer == 0)
    return false;
  const StringRef text = sources.getMemoryBuffer(buffer)->getBuffer();
  return text.contains("edge") &&
         (text.contains("paint") || text.contains("readout"));
}

Program ModuleLoader::load(unsigned mainBuffer, StringRef programName,
                           llvm::ArrayRef<std::string> more) {
  StringRef path = sources.getMemoryBuffer(mainBuffer)->getBufferIdentifier();
  add(mainBuffer, programName, path);
  program.libraryFolders.assign(folders.begin() + 1, folders.end());
  // The list grows while it is walked.
  size_t next = 0;
  auto resolveAll = [&] {
    for (; next < program.modules.size(); ++next)
      resolveUses(*program.modules[next]);
  };
  resolveAll();
  if (llvm::any_of(program.modules, [&](const auto &module) {
        return module->tree->collects || usesEdges(sources, *module);
      })) {
    program.counting = findInLibrary({"fields", llvm::SMLoc()});
    resolveAll();
  }
  for (const std::string &name : more)
    (void)findInLibrary({name, llvm::SMLoc()});
  resolveAll();
  nameColumns(*program.modules.front());
  return std::move(program);
}

Program pmc::loadProgram(llvm::SourceMgr &sources, unsigned mainBuffer,
                         StringRef programName,
                         llvm::ArrayRef<std::string> searchPaths,
                         DiagnosticEngine &diags,
                         llvm::ArrayRef<std::string> more,
                         const OpenFiles &open) {
  StringRef path = sources.getMemoryBuffer(mainBuffer)->getBufferIdentifier();
  std::vector<std::string> folders;
  StringRef parent = llvm::sys::path::parent_path(path);
  folders.push_back(parent.empty() ? "." : parent.str());
  folders.insert(folders.end(), searchPaths.begin(), searchPaths.end());
  return ModuleLoader(sources, diags, std::move(folders), open)
      .load(mainBuffer, programName, more);
}
