//===- ForceChoice.h - Which force is the fastest ------------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_TUNING_FORCECHOICE_H
#define PMC_FRONTEND_TOOLS_TUNING_FORCECHOICE_H

#include "frontend/IRGen/Compile.h"

#include "llvm/Support/Error.h"

namespace pmc {

/// The functions of the library that make a force for nbody.
llvm::ArrayRef<LibraryFunction> getForceMakers();

/// Of a spec all of whose forces are calls of one function, the first one; else
/// it is the spec that compares them, and null.
const LibraryCall *findForce(llvm::ArrayRef<LibraryCall> uses);

/// Remarks which force the program is predicted to be the fastest with, where
/// the spec calls its own, which takes `seconds`. `place`: on what. `predict`:
/// the seconds with another one, by the function that makes it.
void remarkOnForces(
    DiagnosticEngine &diags, const LibraryCall &use, double seconds,
    llvm::StringRef place,
    llvm::function_ref<llvm::Expected<double>(const LibraryFunction &)>
        predict);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_TUNING_FORCECHOICE_H
