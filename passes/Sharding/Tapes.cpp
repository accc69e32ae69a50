//===- Tapes.cpp - Tapes hold a rank's parts
//------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Mesh/Layout.h"
#include "passes/Sharding/Models.h"

using namespace mlir;
using namespace pmc::pm;

namespace {

struct TapeModel : ShardableOpInterface::ExternalModel<TapeModel, TapeOp> {
  void getLocalForm(Operation *op, const Layout &layout, LocalForm &) const {
    auto tape = cast<TapeOp>(op);
    Builder builder(op->getContext());
    tape.setTypesAttr(builder.getTypeArrayAttr(llvm::map_to_vector(
        tape.getTypes().getAsValueRange<TypeAttr>(), [&](Type type) -> Type {
          auto field = dyn_cast<FieldType>(type);
          return field ? Type(layout.get(field)) : type;
        })));
  }
};

struct SaveModel : ShardableOpInterface::ExternalModel<SaveModel, SaveOp> {};
struct RestoreModel
    : ShardableOpInterface::ExternalModel<RestoreModel, RestoreOp> {};

} // namespace

void pmc::passes::registerTapeSharding(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    TapeOp::attachInterface<TapeModel>(*context);
    SaveOp::attachInterface<SaveModel>(*context);
    RestoreOp::attachInterface<RestoreModel>(*context);
  });
}
