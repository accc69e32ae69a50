//===- InternalErrors.cpp - Errors of pmc itself --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/InternalErrors.h"

#include "runtime/Base/Text/Printable.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace pmc;

InternalErrors::InternalErrors(mlir::MLIRContext &context)
    : handler(&context, [](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
          return mlir::success();
        std::string text;
        llvm::raw_string_ostream os(text);
        auto line =
            diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>();
        if (line)
          os << line.getFilename().getValue() << ":" << line.getLine() << ":"
             << line.getColumn() << ": ";
        os << "error: internal error of pmc: " << diagnostic << " [PM1010]\n";
        llvm::errs() << pmrt::printable(text);
        return mlir::success();
      }) {}

int InternalErrors::writeReproducer(mlir::ModuleOp before) {
  llvm::SmallString<128> path;
  int descriptor = 0;
  if (!llvm::sys::fs::createTemporaryFile("pmc-reproducer", "mlir", descriptor,
                                          path)) {
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    mlir::OpPrintingFlags flags;
    flags.enableDebugInfo();
    before.print(os, flags);
    llvm::errs() << "note: please report it, with the spec; what pmc was "
                    "working on is in "
                 << path << "\n";
  }
  return 1;
}
