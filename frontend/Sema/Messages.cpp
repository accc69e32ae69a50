//===- Messages.cpp - Mistakes, with the calls that led to them -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Messages.h"

#include "frontend/Sema/Names/Modules.h"

#include "llvm/ADT/StringExtras.h"

using namespace pmc;

std::string pmc::suggest(llvm::StringRef name,
                         llvm::ArrayRef<llvm::StringRef> candidates) {
  const auto closest = closestName(name, candidates);
  return closest ? ("; did you mean '" + *closest + "'?").str() : "";
}

//===----------------------------------------------------------------------===//
// One message
//===----------------------------------------------------------------------===//

Report::Report(const Messages &messages, llvm::SMLoc at, InFlight message)
    : messages(&messages), at(at) {
  this->message.emplace(std::move(message));
}

Report &Report::range(llvm::SMRange range) {
  if (message && range.isValid())
    message->range(range);
  return *this;
}

Report &Report::note(llvm::SMLoc loc, const llvm::Twine &text) {
  if (message)
    message->note(loc, text);
  return *this;
}

Report &Report::note(const llvm::Twine &text) {
  if (message)
    message->note(text);
  return *this;
}

Report::~Report() {
  if (!message)
    return;
  // The innermost call first; of a long chain its two ends.
  const std::vector<CallSite> &chain = messages->calls;
  for (size_t i = chain.size(); i-- > 0;) {
    if (chain.size() > 8 && i >= 4 && i < chain.size() - 4)
      continue;
    if (chain[i].loc == at) {
      at = {}; // the message is there
      continue;
    }
    message->note(chain[i].loc,
                  chain[i].callee.empty()
                      ? "in the function that is called here"
                      : "in '" + chain[i].callee + "', instantiated here");
  }
}

//===----------------------------------------------------------------------===//
// Mistakes in the library
//===----------------------------------------------------------------------===//

/// The argument for a parameter; null if there is none.
static const Argument *findGiven(const CallSite &call, llvm::StringRef name) {
  size_t position = 0;
  for (const ast::FnParam &param : call.function->params) {
    const Argument *given = nullptr;
    size_t index = 0;
    for (const Argument &arg : call.args)
      if (arg.name.empty() ? index++ == position : arg.name == name)
        given = &arg;
    if (param.name.text == name)
      return given;
    ++position;
  }
  return nullptr;
}

/// Returns the first parameter that a text in the called function calls and
/// whose default is a function, or null.
static const ast::FnParam *findCalledDefault(const CallSite &call,
                                             llvm::SMRange text) {
  if (!call.function || !text.isValid())
    return nullptr;
  llvm::StringRef rest(text.Start.getPointer(),
                       text.End.getPointer() - text.Start.getPointer());
  for (const ast::FnParam &param : call.function->params)
    if (llvm::StringRef name = param.name.text;
        rest.starts_with(name) && rest.drop_front(name.size()).starts_with("("))
      return findGiven(call, name) ? nullptr : &param;
  return nullptr;
}

/// The argument of the call that a text in the function names first; null if it
/// names no parameter that was given.
static const Argument *findArgument(const CallSite &call, llvm::SMRange text) {
  if (!call.function || !text.isValid() || findCalledDefault(call, text))
    return nullptr;
  auto find = [&](llvm::StringRef name) { return findGiven(call, name); };
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  llvm::StringRef rest(text.Start.getPointer(),
                       text.End.getPointer() - text.Start.getPointer());
  // The first word of a message of the library may be the parameter's name.
  if (rest.consume_front("error(\""))
    return find(rest.take_while(isWord));
  for (char before = 0; !rest.empty();) {
    llvm::StringRef word = rest.take_while(isWord);
    if (rest.front() == '"')
      word = rest.take_front(std::min(rest.find('"', 1), rest.size() - 1) + 1);
    else if (word.empty())
      word = rest.take_front();
    else if (before != '.')
      if (const Argument *arg = find(word))
        return arg;
    before = word.back();
    rest = rest.drop_front(word.size());
  }
  return nullptr;
}

/// The parameter whose value a message of the library states first, as `from`
/// in "nbody: from = 0, expected …"; empty if the message states no value.
static llvm::StringRef findStated(llvm::StringRef message) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  if (message.starts_with("[PM"))
    message = message.split("] ").second;
  llvm::StringRef word = message.take_while(isWord);
  if (llvm::StringRef rest = message.drop_front(word.size());
      !word.empty() && rest.consume_front(": ")) {
    message = rest;
    word = message.take_while(isWord);
  }
  return message.drop_front(word.size()).starts_with(" = ") ? word : "";
}

/// The expression that begins here, in the text of a module: a name with what
/// it is called with, or else the rest of the line.
static llvm::SMRange textFrom(llvm::SMLoc begin) {
  const char *start = begin.getPointer(), *at = start;
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
  while (isWord(*at))
    ++at;
  unsigned depth = 0;
  bool isCall = at != start && (*at == '(' || *at == '[');
  if (at == start || isCall)
    for (; *at && (depth > 0 || *at != '\n'); ++at) {
      depth += *at == '(' || *at == '[';
      bool closes = *at == ')' || *at == ']';
      if (closes && depth == 0)
        break;
      depth -= closes;
      if (closes && isCall && depth == 0 && at[1] != '(' && at[1] != '[')
        break;
    }
  return {begin, llvm::SMLoc::getFromPointer(at)};
}

/// The lines of the comment above a place in a module, which is at `position`.
static std::vector<llvm::StringRef>
commentAbove(llvm::SMLoc place, const SourcePosition &position) {
  std::vector<llvm::StringRef> lines;
  const char *end = place.getPointer() - position.column;
  // The first line has no newline before it.
  for (unsigned line = position.line - 1; line > 1; --line) {
    const char *begin = end;
    while (begin[-1] != '\n')
      --begin;
    llvm::StringRef text(begin, end - begin);
    end = begin - 1;
    if (text.consume_front("//"))
      lines.insert(lines.begin(), text.rtrim());
    else if (!text.starts_with("@"))
      break;
  }
  return lines;
}

/// The text `- name: text` about a parameter in the comment of a function; or
/// empty.
static std::string describeParameter(llvm::ArrayRef<llvm::StringRef> comment,
                                     llvm::StringRef name) {
  std::string found;
  bool isHere = false;
  for (llvm::StringRef line : comment) {
    if (line.consume_front(" - ")) {
      const auto [names, text] = line.split(": ");
      llvm::SmallVector<llvm::StringRef> list;
      names.split(list, ", ");
      if (!found.empty())
        return found;
      isHere = llvm::is_contained(list, name);
      found = isHere ? text.str() : "";
    } else if (isHere && line.starts_with("   ")) {
      found += " " + line.ltrim().str();
    } else {
      isHere = false;
    }
  }
  return found;
}

//===----------------------------------------------------------------------===//
// All messages
//===----------------------------------------------------------------------===//

/// Returns the description of a parameter from its doc comment, or "".
static std::string documentationOf(const DiagnosticEngine &diags,
                                   const CallSite &call,
                                   const ast::FnParam &param) {
  const llvm::SMLoc place = call.function->loc;
  const auto comment = commentAbove(place, diags.getLineAndColumn(place));
  const std::string text = describeParameter(comment, param.name.text);
  return text.empty() ? ""
                      : "'" + param.name.text + "' of '" +
                            call.function->name.text + "': " + text;
}

/// The documentation of the library about an argument; or empty.
static std::string describeArgument(const DiagnosticEngine &diags,
                                    const CallSite &call, const Argument &arg) {
  for (const ast::FnParam &param : call.function->params)
    if (findGiven(call, param.name.text) == &arg)
      if (std::string text = documentationOf(diags, call, param); !text.empty())
        return text;
  return "";
}

Report Messages::error(llvm::SMLoc loc, const llvm::Twine &text,
                       llvm::SMRange in) {
  if (filter && filter->isSilent())
    return {};
  // A mistake that shows in the library was made where the library is called,
  // in the argument that the library's text names.
  auto isInLibrary = [&](llvm::SMLoc place) {
    return program.isInLibrary(diags.getLineAndColumn(place).file);
  };
  llvm::SMLoc at = loc, calledAt = loc;
  std::string expected;
  const std::string whole = text.str();
  const llvm::StringRef stated = findStated(whole);
  for (size_t i = calls.size(); i-- > 0 && isInLibrary(at);) {
    const llvm::SMRange named = in.isValid() ? in : textFrom(at);
    const Argument *arg = stated.empty() || !calls[i].function
                              ? nullptr
                              : findGiven(calls[i], stated);
    if (!arg)
      arg = findArgument(calls[i], named);
    const ast::FnParam *byDefault = findCalledDefault(calls[i], named);
    expected = arg         ? describeArgument(diags, calls[i], *arg)
               : byDefault ? documentationOf(diags, calls[i], *byDefault)
                           : "";
    calledAt = calls[i].loc;
    at = arg ? arg->loc : calledAt;
    in = arg ? arg->range : llvm::SMRange();
  }
  bool isArgument = at != calledAt;
  // An error in a function is reported for one instance only. Errors that
  // follow from a wrong argument are not reported, because they say nothing
  // new.
  const char *cause = isArgument ? calledAt.getPointer() : loc.getPointer();
  bool follows =
      calledAt != loc && wronglyCalled.contains(calledAt.getPointer());
  bool silent = stopped || follows ||
                (!calls.empty() &&
                 !reportedInCalls.insert({cause, at.getPointer()}).second);
  if (silent || (filter && !filter->isNew(at, whole)))
    return {};
  if (isArgument)
    wronglyCalled.insert(calledAt.getPointer());
  InFlight message = diags.error(at, whole);
  if (calledAt == loc)
    return Report(*this, {}, std::move(message));
  if (isArgument)
    message.range(in);
  std::string callee = calls.back().callee;
  message.note(loc, callee.empty() ? "found here"
                                   : "found here, in '" + callee + "'");
  if (!expected.empty())
    message.note(expected);
  return Report(*this, calledAt, std::move(message));
}

Report Messages::error(const Argument &arg, const llvm::Twine &text) {
  Report report = error(arg.loc, text, arg.range);
  report.range(arg.range);
  return report;
}

InFlight Messages::errorOfCommand(const llvm::Twine &text) {
  return diags.report(Severity::Error, "<command line>", 0, 0, text);
}
