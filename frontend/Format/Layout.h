//===- Layout.h - From tokens to a document ---------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides what is between two tokens: nothing, a blank, or a break. Newlines of
// the text are kept where the style does not say otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_FORMAT_LAYOUT_H
#define PMC_FRONTEND_FORMAT_LAYOUT_H

#include "frontend/Format/Document.h"
#include "frontend/Format/Structure.h"
#include "frontend/Format/Words.h"

namespace pmc::format {

Document layOut(const Words &words, const Structure &structure);

} // namespace pmc::format

#endif // PMC_FRONTEND_FORMAT_LAYOUT_H
