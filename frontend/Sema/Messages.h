//===- Messages.h - Mistakes, with the calls that led to them ---*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports mistakes of a spec that is evaluated. A mistake that shows in the
// library is reported where the spec calls the library. A message names the
// calls that led to it. Rules report through `Rules/Context.h`.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_MESSAGES_H
#define PMC_FRONTEND_SEMA_MESSAGES_H

#include "frontend/Basic/Diagnostics.h"
#include "frontend/Sema/Value.h"

#include <set>

namespace pmc {

class Messages;
class Program;

/// "; did you mean 'name'?", or nothing if no name is like this one.
std::string suggest(llvm::StringRef name,
                    llvm::ArrayRef<llvm::StringRef> candidates);

/// An argument of a call, or another operand that messages point at.
struct Argument {
  llvm::StringRef name; // empty: positional
  llvm::SMLoc nameLoc;
  Value value;
  llvm::SMLoc loc;
  llvm::SMRange range;

  /// The same place with another value, such as a part of this one.
  Argument with(Value other) const {
    return {name, nameLoc, std::move(other), loc, range};
  }
};

/// Where an operator and its operands stand.
struct OperatorSite {
  llvm::SMLoc loc;
  llvm::SMRange lhs, rhs;
};

/// A call on the way to the expression, for messages.
struct CallSite {
  llvm::SMLoc loc;
  std::string callee;
  const ast::FunctionStmt *function = nullptr; // null of a lambda
  llvm::ArrayRef<Argument> args;
};

/// An error being put together. Adds the calls that led to it; converts to a
/// poison value, so that `return error(…)` works.
class Report {
public:
  /// Discards all text.
  Report() = default;
  Report(const Messages &messages, llvm::SMLoc at, InFlight message);
  Report(Report &&) = default;
  ~Report();
  Report &range(llvm::SMRange range);
  Report &note(llvm::SMLoc loc, const llvm::Twine &text);
  /// A note without a place.
  Report &note(const llvm::Twine &text);
  operator Value() const { return Value::poison(); }

private:
  const Messages *messages = nullptr;
  llvm::SMLoc at; // the call that the message is at instead; or invalid
  std::optional<InFlight> message; // absent: said before
};

/// Leaves messages out while a function is checked without a call.
class MessageFilter {
public:
  virtual ~MessageFilter() = default;
  virtual bool isSilent() const = 0;
  /// Whether the message is new.
  virtual bool isNew(llvm::SMLoc at, const std::string &text) = 0;
};

class Messages {
public:
  Messages(const Program &program, DiagnosticEngine &diags)
      : program(program), diags(diags) {}

  /// `in`: the text that is wrong, from which the argument of a call of the
  /// library follows.
  Report error(llvm::SMLoc loc, const llvm::Twine &text, llvm::SMRange in = {});
  Report error(const Argument &arg, const llvm::Twine &text);

  /// A mistake on the command line.
  InFlight errorOfCommand(const llvm::Twine &text);

  /// Null: all messages are reported.
  void setFilter(MessageFilter *messageFilter) { filter = messageFilter; }
  /// The evaluation ends; messages that follow say nothing new.
  void stop() { stopped = true; }
  void resume() { stopped = false; }
  bool areStopped() const { return stopped; }

  /// The calls that the evaluation is in, the innermost last.
  void enter(CallSite call) { calls.push_back(std::move(call)); }
  void leave() { calls.pop_back(); }
  size_t countCalls() const { return calls.size(); }

private:
  friend class Report;

  const Program &program;
  DiagnosticEngine &diags;
  MessageFilter *filter = nullptr;
  bool stopped = false;
  std::vector<CallSite> calls;
  /// What is wrong in a function, and the user's call that leads to it.
  std::set<std::pair<const char *, const char *>> reportedInCalls;
  /// The user's calls of the library with an argument that is wrong.
  std::set<const char *> wronglyCalled;
};

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_MESSAGES_H
