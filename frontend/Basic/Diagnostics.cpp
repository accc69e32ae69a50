//===- Diagnostics.cpp - Errors, warnings and notes -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Basic/Diagnostics.h"

#include "runtime/Base/Text/Printable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace pmc;
using llvm::SMLoc;
using llvm::SMRange;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// InFlight
//===----------------------------------------------------------------------===//

InFlight::InFlight(InFlight &&other) noexcept
    : engine(other.engine), parts(std::move(other.parts)) {
  other.engine = nullptr;
}

InFlight::~InFlight() {
  if (engine)
    engine->emit(*this);
}

InFlight &InFlight::range(SMRange range) {
  if (engine && range.isValid())
    parts.back().ranges.push_back(range);
  return *this;
}

void InFlight::add(Severity severity, SMLoc loc, StringRef file, unsigned line,
                   unsigned column, const Twine &message) {
  const std::string all = message.str();
  StringRef text = all;
  const StringRef code = takeCode(text);
  parts.push_back({severity,
                   loc,
                   file.str(),
                   line,
                   column,
                   text.str(),
                   severity == Severity::Note ? "" : code.str(),
                   {}});
}

InFlight &InFlight::note(SMLoc loc, const Twine &message) {
  if (engine)
    add(Severity::Note, loc, "", 0, 0, message);
  return *this;
}

InFlight &InFlight::note(const Twine &message) {
  return note(SMLoc(), message);
}

InFlight &InFlight::noteAt(StringRef file, unsigned line, unsigned column,
                           const Twine &message) {
  if (engine)
    add(Severity::Note, engine->getLocation(file, line, column), file, line,
        column, message);
  return *this;
}

//===----------------------------------------------------------------------===//
// DiagnosticEngine
//===----------------------------------------------------------------------===//

DiagnosticEngine::DiagnosticEngine(llvm::SourceMgr &sources)
    : DiagnosticEngine(sources, llvm::errs()) {}

DiagnosticEngine::DiagnosticEngine(llvm::SourceMgr &sources,
                                   llvm::raw_ostream &os)
    : sources(sources), os(os), colour(os.has_colors()) {}

InFlight DiagnosticEngine::start(Severity severity, SMLoc loc,
                                 const Twine &message) {
  InFlight result(this);
  result.add(severity, loc, "", 0, 0, message);
  return result;
}

InFlight DiagnosticEngine::error(SMLoc loc, const Twine &message) {
  return start(Severity::Error, loc, message);
}

InFlight DiagnosticEngine::warning(SMLoc loc, const Twine &message) {
  return start(Severity::Warning, loc, message);
}

InFlight DiagnosticEngine::remark(SMLoc loc, const Twine &message) {
  return start(Severity::Remark, loc, message);
}

InFlight DiagnosticEngine::note(SMLoc loc, const Twine &message) {
  return start(Severity::Note, loc, message);
}

InFlight DiagnosticEngine::report(Severity severity, StringRef file,
                                  unsigned line, unsigned column,
                                  const Twine &message) {
  InFlight result(this);
  result.add(severity, getLocation(file, line, column), file, line, column,
             message);
  return result;
}

SourcePosition DiagnosticEngine::getLineAndColumn(SMLoc loc) const {
  unsigned buffer = loc.isValid() ? sources.FindBufferContainingLoc(loc) : 0;
  if (!buffer)
    return {};
  // SourceMgr's own columns walk back to the line's start every time.
  unsigned line = sources.FindLineNumber(loc, buffer);
  SMLoc start = sources.FindLocForLineAndColumn(buffer, line, 1);
  unsigned column = loc.getPointer() - start.getPointer() + 1;
  return {sources.getMemoryBuffer(buffer)->getBufferIdentifier(), line, column};
}

SMLoc DiagnosticEngine::getLocation(StringRef file, unsigned line,
                                    unsigned column) const {
  if (line == 0)
    return SMLoc();
  for (unsigned id = 1; id <= sources.getNumBuffers(); ++id) {
    if (sources.getMemoryBuffer(id)->getBufferIdentifier() != file)
      continue;
    // A column behind the end of the line means its end.
    SMLoc start = sources.FindLocForLineAndColumn(id, line, 1);
    if (!start.isValid())
      return start;
    const char *end = sources.getMemoryBuffer(id)->getBufferEnd();
    const char *ptr = start.getPointer();
    for (; column > 1 && ptr != end && *ptr != '\n'; --column)
      ++ptr;
    return SMLoc::getFromPointer(ptr);
  }
  return SMLoc();
}

void DiagnosticEngine::emit(const InFlight &message) {
  const InFlight::Part &head = message.parts.front();
  if (limitExceeded)
    return;
  std::string key =
      (Twine(int(head.severity)) + ":" +
       Twine(uintptr_t(head.loc.getPointer())) + ":" + head.file + ":" +
       Twine(head.line) + ":" + Twine(head.column) + ":" + head.message)
          .str();
  if (!printed.insert(key).second)
    return;
  if (head.severity == Severity::Error && errorLimit && errors == errorLimit) {
    limitExceeded = true;
    std::string text =
        ("too many errors; stopped after " + Twine(errorLimit)).str();
    show({{Severity::Error, SMLoc(), "", 0, 0, text, "", {}}});
    return;
  }
  if (head.severity == Severity::Error)
    ++errors;
  if (head.severity == Severity::Warning)
    ++warnings;
  show(message.parts);
}

//===----------------------------------------------------------------------===//
// For programs
//===----------------------------------------------------------------------===//

void DiagnosticEngine::show(llvm::ArrayRef<InFlight::Part> parts) {
  if (!consumer) {
    for (const InFlight::Part &part : parts)
      print(part);
    return;
  }
  Diagnostic diagnostic = describe(parts.front());
  // "did you mean 'smooth'?", "did you mean the unit 'K'?".
  auto suggest = [&](StringRef text) {
    StringRef hint = text.split("did you mean ").second;
    hint.consume_front("the unit ");
    if (diagnostic.suggestion.empty() && hint.consume_front("'"))
      diagnostic.suggestion = hint.split("'?").first.str();
  };
  if (diagnostic.line)
    suggest(diagnostic.message);
  for (const InFlight::Part &part : parts.drop_front()) {
    diagnostic.notes.push_back(describe(part));
    if (diagnostic.line)
      suggest(part.message);
  }
  consumer(diagnostic);
}

/// The end of the word, or of the character, that begins at a place.
static const char *endOfWord(const char *at, const char *end) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  const char *word = std::find_if_not(at, end, isWord);
  return word == at && at != end && *at != '\n' ? at + 1 : word;
}

Diagnostic DiagnosticEngine::describe(const InFlight::Part &part) const {
  Diagnostic result;
  result.severity = part.severity;
  result.message = part.message;
  result.code = part.code;
  SourcePosition begin = getLineAndColumn(part.loc);
  if (begin.line == 0) {
    result.file = part.file;
    result.line = result.endLine = part.line;
    result.column = result.endColumn = part.column;
    return result;
  }
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.FindBufferContainingLoc(part.loc));
  SourcePosition end = getLineAndColumn(SMLoc::getFromPointer(
      endOfWord(part.loc.getPointer(), buffer->getBufferEnd())));
  for (SMRange range : part.ranges) {
    // The underlined range around the place; a caret may be in its middle.
    if (range.Start.getPointer() > part.loc.getPointer() ||
        range.End.getPointer() <= part.loc.getPointer())
      continue;
    begin = getLineAndColumn(range.Start);
    end = getLineAndColumn(range.End);
    break;
  }
  result.file = begin.file.str();
  result.line = begin.line;
  result.column = begin.column;
  result.endLine = end.line;
  result.endColumn = end.column;
  return result;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void DiagnosticEngine::print(const InFlight::Part &part) {
  auto change = [&](llvm::raw_ostream::Colors to, bool bold) {
    if (colour)
      os.changeColor(to, bold);
  };
  using Colors = llvm::raw_ostream::Colors;

  SourcePosition position = getLineAndColumn(part.loc);
  if (position.line == 0)
    position = {part.file, part.line, part.column};
  change(Colors::SAVEDCOLOR, true);
  if (position.line != 0)
    os << pmrt::printable(position.file) << ':' << position.line << ':'
       << position.column << ": ";
  else if (part.severity != Severity::Note)
    os << "pmc: ";
  switch (part.severity) {
  case Severity::Error:
    change(Colors::RED, true);
    os << "error: ";
    break;
  case Severity::Warning:
    change(Colors::MAGENTA, true);
    os << "warning: ";
    break;
  case Severity::Remark:
    change(Colors::BLUE, true);
    os << "remark: ";
    break;
  case Severity::Note:
    change(Colors::CYAN, true);
    os << "note: ";
    break;
  }
  if (colour)
    os.resetColor();
  change(Colors::SAVEDCOLOR, part.severity != Severity::Note);
  os << pmrt::printable(part.message);
  if (!part.code.empty())
    os << " [" << part.code << ']';
  if (colour)
    os.resetColor();
  os << '\n';
  if (part.loc.isValid() && getLineAndColumn(part.loc).line != 0)
    printSource(part, position.column);
}

namespace {

/// A source line made fit for a terminal, and where each of its bytes went.
struct ShownLine {
  std::string text;
  std::vector<unsigned> column; // of each byte and of the end
};

ShownLine showLine(StringRef line) {
  ShownLine shown;
  unsigned width = 0;
  for (size_t i = 0; i < line.size();) {
    const auto *bytes = reinterpret_cast<const llvm::UTF8 *>(line.data() + i);
    const auto *end = reinterpret_cast<const llvm::UTF8 *>(line.end());
    size_t length = 1;
    unsigned cells = 1;
    std::string cell;
    unsigned char c = line[i];
    if (c == '\t') {
      cells = 4 - width % 4;
      cell.assign(cells, ' ');
    } else if (c < 0x80) {
      cell = llvm::isPrint(c) ? std::string(1, c) : "?";
    } else if (llvm::isLegalUTF8Sequence(bytes, end)) {
      length = llvm::getNumBytesForUTF8(c);
      cell = line.substr(i, length).str();
      int measured = llvm::sys::unicode::columnWidthUTF8(cell);
      if (measured < 0) {
        cell = "?";
        measured = 1;
      }
      cells = measured;
    } else {
      cell = "?";
    }
    for (size_t j = 0; j < length; ++j)
      shown.column.push_back(width);
    shown.text += cell;
    width += cells;
    i += length;
  }
  shown.column.push_back(width);
  return shown;
}

} // namespace

void DiagnosticEngine::printSource(const InFlight::Part &part,
                                   unsigned column) {
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.FindBufferContainingLoc(part.loc));
  const char *caretAt = part.loc.getPointer();
  const char *begin = caretAt - (column - 1);
  const char *end = std::find(caretAt, buffer->getBufferEnd(), '\n');
  if (end != begin && end[-1] == '\r' && end != caretAt)
    --end;

  // Of a very long line the surroundings of the caret will do.
  constexpr ptrdiff_t maxShown = 200;
  bool cutFront = false, cutBack = false;
  if (end - begin > maxShown) {
    auto inCharacter = [&](const char *ptr) {
      return ptr < end && (static_cast<unsigned char>(*ptr) & 0xC0) == 0x80;
    };
    if (caretAt - begin > maxShown / 2) {
      begin = caretAt - maxShown / 2;
      for (int i = 0; i < 3 && begin < caretAt && inCharacter(begin); ++i)
        ++begin;
      cutFront = true;
    }
    if (end - begin > maxShown) {
      const char *stop = begin + maxShown;
      for (int i = 0; i < 3 && inCharacter(stop); ++i)
        ++stop;
      end = stop;
      cutBack = true;
    }
  }

  ShownLine shown = showLine(StringRef(begin, end - begin));
  auto columnOf = [&](const char *ptr) { return shown.column[ptr - begin]; };
  std::string marks(shown.column.back() + 1, ' ');
  for (SMRange range : part.ranges) {
    const char *from = std::max(range.Start.getPointer(), begin);
    const char *to = std::min(range.End.getPointer(), end);
    if (from < to)
      std::fill(marks.begin() + columnOf(from), marks.begin() + columnOf(to),
                '~');
  }
  marks[columnOf(caretAt)] = '^';
  marks.erase(marks.find_last_not_of(' ') + 1);

  StringRef dots = "...";
  if (cutFront)
    os << dots;
  os << shown.text;
  if (cutBack)
    os << dots;
  os << '\n';
  if (cutFront)
    os.indent(dots.size());
  if (colour)
    os.changeColor(llvm::raw_ostream::GREEN, true);
  os << marks;
  if (colour)
    os.resetColor();
  os << '\n';
}

//===----------------------------------------------------------------------===//
// Codes
//===----------------------------------------------------------------------===//

StringRef pmc::takeCode(StringRef &message) {
  constexpr size_t digits = 4;
  StringRef rest = message;
  if (!rest.consume_front("[PM"))
    return "";
  const StringRef number = rest.take_while(llvm::isDigit);
  rest = rest.drop_front(number.size());
  if (number.size() != digits || !rest.consume_front("] "))
    return "";
  const StringRef code = message.substr(1, digits + 2);
  message = rest;
  return code;
}

StringRef pmc::withoutCode(StringRef message) {
  (void)takeCode(message);
  return message;
}

//===----------------------------------------------------------------------===//
// Suggestions
//===----------------------------------------------------------------------===//

std::optional<StringRef>
pmc::closestName(StringRef name, llvm::ArrayRef<StringRef> candidates) {
  if (name.empty() || name.size() > 256)
    return std::nullopt;
  unsigned limit = std::max<size_t>(1, name.size() / 3);
  std::optional<StringRef> best;
  unsigned bestDistance = limit + 1;
  for (StringRef candidate : candidates) {
    unsigned distance =
        name.equals_insensitive(candidate)
            ? 0
            : name.edit_distance(candidate, /*AllowReplacements=*/true, limit);
    // One letter for another is no likeness.
    if (distance < bestDistance && distance < name.size()) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
