//===- SpecMessages.cpp - Messages of passes about the spec ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/SpecMessages.h"

#include "mlir/IR/MLIRContext.h"

using namespace pmc;

namespace {

struct SourcePosition {
  std::string file;
  unsigned line = 0, column = 0;
};

SourcePosition getPosition(mlir::Location loc) {
  auto found = loc->findInstanceOf<mlir::FileLineColLoc>();
  if (!found)
    return {};
  return {found.getFilename().str(), found.getLine(), found.getColumn()};
}

void show(const mlir::Diagnostic &message, DiagnosticEngine &diags) {
  using From = mlir::DiagnosticSeverity;
  Severity severity = message.getSeverity() == From::Error ? Severity::Error
                      : message.getSeverity() == From::Warning
                          ? Severity::Warning
                          : Severity::Note;
  SourcePosition at = getPosition(message.getLocation());
  InFlight shown =
      diags.report(severity, at.file, at.line, at.column, message.str());
  auto call = message.getLocation()->findInstanceOf<mlir::CallSiteLoc>();
  while (call) {
    mlir::Location caller = call.getCaller();
    SourcePosition from = getPosition(caller);
    shown.noteAt(from.file, from.line, from.column, "called from here");
    call = llvm::dyn_cast<mlir::CallSiteLoc>(caller);
  }
  for (const mlir::Diagnostic &note : message.getNotes()) {
    at = getPosition(note.getLocation());
    shown.noteAt(at.file, at.line, at.column, note.str());
  }
}

} // namespace

SpecMessages::SpecMessages(mlir::MLIRContext &context, DiagnosticEngine &diags)
    : context(context), handler(&context, [&](mlir::Diagnostic &message) {
        show(message, diags);
        return mlir::success();
      }) {
  context.printOpOnDiagnostic(false);
}

SpecMessages::~SpecMessages() { context.printOpOnDiagnostic(true); }
