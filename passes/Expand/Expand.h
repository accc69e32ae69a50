//===- Expand.h - Particle ops, transforms and lengths to loops -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_EXPAND_EXPAND_H
#define PMC_PASSES_EXPAND_EXPAND_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace pmc::passes {

/// pm.length to the value of the pm.dim's region.
void populateExpandLengthPatterns(mlir::RewritePatternSet &patterns);
/// pm.paint to pm.scatter, pm.readout to pm.map with pm.interpolate.
void populateExpandParticlePatterns(mlir::RewritePatternSet &patterns);
/// pm.shift to pm.map with pm.neighbor.
void populateExpandShiftPatterns(mlir::RewritePatternSet &patterns);
/// pm.stored to a pm.map there and one back.
void populateExpandStoredPatterns(mlir::RewritePatternSet &patterns);
/// pm.view to pm.map with pm.cell.
void populateExpandViewPatterns(mlir::RewritePatternSet &patterns);
/// pm.bins of many cells to pm.scatter.
void populateExpandBinsPatterns(mlir::RewritePatternSet &patterns);
/// Normalized pm.fft to a raw one and a map by 1/N.
void populateExpandFourierPatterns(mlir::RewritePatternSet &patterns);

} // namespace pmc::passes

#endif // PMC_PASSES_EXPAND_EXPAND_H
