//===- CheckpointStores.cpp - Checkpoint stores hold a rank's parts -------===//
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

struct CheckpointStoreModel
    : ShardableOpInterface::ExternalModel<CheckpointStoreModel,
                                          CheckpointStoreOp> {
  void getLocalForm(Operation *op, const Layout &layout, LocalForm &) const {
    auto store = cast<CheckpointStoreOp>(op);
    Builder builder(op->getContext());
    store.setTypesAttr(builder.getTypeArrayAttr(llvm::map_to_vector(
        store.getTypes().getAsValueRange<TypeAttr>(), [&](Type type) -> Type {
          auto field = dyn_cast<FieldType>(type);
          return field ? Type(layout.get(field)) : type;
        })));
  }
};

struct SaveModel : ShardableOpInterface::ExternalModel<SaveModel, SaveOp> {};
struct RestoreModel
    : ShardableOpInterface::ExternalModel<RestoreModel, RestoreOp> {};

} // namespace

void pmc::passes::registerCheckpointStoreSharding(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    CheckpointStoreOp::attachInterface<CheckpointStoreModel>(*context);
    SaveOp::attachInterface<SaveModel>(*context);
    RestoreOp::attachInterface<RestoreModel>(*context);
  });
}
