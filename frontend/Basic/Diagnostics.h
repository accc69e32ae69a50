//===- Diagnostics.h - Errors, warnings and notes ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages look like clang's: `file:line:col: error: text`, the source line, a
// caret and underlined ranges, then the notes. A message is printed when the
// InFlight object that carries it goes out of scope:
//
//   diags.error(loc, "[PM0202] 'a' is defined twice")
//       .note(first, "first defined here");
//
// The code in front of an error or a warning names the kind of mistake, which
// frontend/doc/errors explains. It is printed at the end of the line.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_BASIC_DIAGNOSTICS_H
#define PMC_FRONTEND_BASIC_DIAGNOSTICS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SMLoc.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class SourceMgr;
class raw_ostream;
} // namespace llvm

namespace pmc {

enum class Severity { Error, Warning, Remark, Note };

/// A place for people: line and column count from 1; line 0 means nowhere.
struct SourcePosition {
  llvm::StringRef file;
  unsigned line = 0;
  unsigned column = 0;
};

/// A message or a note for programs. Its place ends behind the underlined
/// range, or behind the word at its beginning.
struct Diagnostic {
  Severity severity = Severity::Error;
  std::string file;
  unsigned line = 0, column = 0; ///< from 1, in bytes; line 0: no place
  unsigned endLine = 0, endColumn = 0;
  std::string message; ///< without the code
  std::string code;    ///< such as PM0202; empty for notes
  std::vector<Diagnostic> notes;
  /// The word that may be meant at this place; empty: none.
  std::string suggestion;
};

class DiagnosticEngine;

/// One message being put together. Reports itself when it goes out of scope.
class InFlight {
public:
  InFlight(InFlight &&other) noexcept;
  InFlight(const InFlight &) = delete;
  InFlight &operator=(const InFlight &) = delete;
  InFlight &operator=(InFlight &&) = delete;
  ~InFlight();

  /// Swallows what it is told.
  static InFlight silent() { return InFlight(nullptr); }

  /// Underlines `range` in the message or in the note added last. Parts that
  /// lie on other lines are not shown.
  InFlight &range(llvm::SMRange range);
  InFlight &note(llvm::SMLoc loc, const llvm::Twine &message);
  /// A note without a place.
  InFlight &note(const llvm::Twine &message);
  InFlight &noteAt(llvm::StringRef file, unsigned line, unsigned column,
                   const llvm::Twine &message);

private:
  friend class DiagnosticEngine;

  struct Part {
    Severity severity;
    llvm::SMLoc loc; // invalid: the place is `file`, `line`, `column`
    std::string file;
    unsigned line = 0, column = 0;
    std::string message, code;
    llvm::SmallVector<llvm::SMRange, 2> ranges;
  };

  explicit InFlight(DiagnosticEngine *engine) : engine(engine) {}
  /// Adds a part. Moves a code at the beginning of `message` to the member
  /// `code`. Notes have no code.
  void add(Severity severity, llvm::SMLoc loc, llvm::StringRef file,
           unsigned line, unsigned column, const llvm::Twine &message);

  DiagnosticEngine *engine;
  llvm::SmallVector<Part, 2> parts; // the message, then its notes
};

/// Prints messages and counts them. A message that repeats an earlier one at
/// the same place is dropped; so is everything behind the error limit.
class DiagnosticEngine {
public:
  /// Prints to standard error.
  explicit DiagnosticEngine(llvm::SourceMgr &sources);
  DiagnosticEngine(llvm::SourceMgr &sources, llvm::raw_ostream &os);

  InFlight error(llvm::SMLoc loc, const llvm::Twine &message);
  InFlight warning(llvm::SMLoc loc, const llvm::Twine &message);
  InFlight remark(llvm::SMLoc loc, const llvm::Twine &message);
  /// A note of its own, not attached to anything.
  InFlight note(llvm::SMLoc loc, const llvm::Twine &message);
  /// For callers that know a line and a column only. The source line is shown
  /// if a buffer of that name is loaded. Line 0 means no place.
  InFlight report(Severity severity, llvm::StringRef file, unsigned line,
                  unsigned column, const llvm::Twine &message);

  bool hasErrors() const { return errors != 0; }
  unsigned errorCount() const { return errors; }
  unsigned warningCount() const { return warnings; }
  /// No further error will be printed: work may as well stop.
  bool limitReached() const { return limitExceeded; }
  /// 0: no limit. The default is 20.
  void setErrorLimit(unsigned limit) { errorLimit = limit; }
  void setColour(bool on) { colour = on; }
  /// Receives messages, which are then not printed.
  using Consumer = std::function<void(const Diagnostic &)>;
  void setConsumer(Consumer take) { consumer = std::move(take); }

  SourcePosition getLineAndColumn(llvm::SMLoc loc) const;
  /// The inverse; an invalid location if there is no such buffer or line.
  llvm::SMLoc getLocation(llvm::StringRef file, unsigned line,
                          unsigned column) const;

private:
  friend class InFlight;
  InFlight start(Severity severity, llvm::SMLoc loc,
                 const llvm::Twine &message);
  void emit(const InFlight &message);
  void show(llvm::ArrayRef<InFlight::Part> parts);
  Diagnostic describe(const InFlight::Part &part) const;
  void print(const InFlight::Part &part);
  void printSource(const InFlight::Part &part, unsigned column);

  llvm::SourceMgr &sources;
  llvm::raw_ostream &os;
  Consumer consumer;
  bool colour = false;
  bool limitExceeded = false;
  unsigned errors = 0, warnings = 0, errorLimit = 20;
  llvm::StringSet<> printed;
};

/// Removes "[PM0202] " from the beginning of a message and returns "PM0202".
/// Returns an empty text if the message has no code.
llvm::StringRef takeCode(llvm::StringRef &message);

/// A message without its code, to be quoted in another one.
llvm::StringRef withoutCode(llvm::StringRef message);

/// The candidate most like `name`, if one is like it enough to suggest: at most
/// a third of the letters differ. The first one wins a tie.
std::optional<llvm::StringRef>
closestName(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates);

} // namespace pmc

#endif // PMC_FRONTEND_BASIC_DIAGNOSTICS_H
