//===- LowerDomains.cpp - Lowers domain ops alone, for tests --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Register.h"
#include "codegen/Common/Handles.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

class LowerDomainsPass
    : public PassWrapper<LowerDomainsPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerDomainsPass)
  StringRef getArgument() const override { return "pm-lower-domains"; }
  StringRef getDescription() const override {
    return "lower the buffer form of domain ops to kernels";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    ProgramTables tables(getOperation());
    LoweringContext context(module, tables);
    replaceHandleTypes(module);
    SmallVector<LowerableOpInterface> ops;
    module.walk([&](LowerableOpInterface op) {
      if (isa<DomainOpInterface>(op.getOperation()))
        ops.push_back(op);
    });
    for (LowerableOpInterface op : ops) {
      if (failed(op.lower(context)))
        return signalPassFailure();
      op->erase();
    }
  }
};

} // namespace

void pmc::codegen::registerLowerDomainsPass() {
  PassRegistration<LowerDomainsPass>();
}
