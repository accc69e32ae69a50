//===- CostModel.h - What a program costs on any mesh -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_COST_COSTMODEL_H
#define PMC_PASSES_COST_COSTMODEL_H

#include "passes/Cost/CostReport.h"

namespace pmc::cost {

/// What a module in the buffer form costs. It is asked for many meshes: what
/// does not depend on the number of ranks is found once.
class CostModel {
public:
  /// The module and the question stay as long as the model.
  CostModel(mlir::ModuleOp planned, const CostQuestion &question);

  /// With so many ranks along the axes, those of the spec where it says
  /// nothing. Errors are about the mesh and the parameters.
  llvm::Expected<CostReport> at(const Ranks &mesh);

private:
  /// An op that is executed, and its row as far as it is the same on all
  /// meshes.
  struct Executed {
    mlir::Operation *op;
    CostRow row;
    /// The first one whose types and attributes are the same; its own place if
    /// there is none.
    size_t like;
  };
  /// What is kept in memory while loops run, for their adjoints.
  struct CheckpointStore {
    ExprAttr state;
    std::optional<int64_t> slots;
  };
  /// A buffer of a plan.
  struct Buffer {
    ExprAttr bytes;
    int64_t start, end;
    FieldRow row;
  };

  void findLoops();
  void findCheckpointStores();
  void findBuffers(pm::PlanOp plan);
  llvm::Error findMesh(const Ranks &mesh, CostReport &report,
                       Ranks &ranks) const;
  llvm::Error checkExtents(const Ranks &ranks) const;
  llvm::Error checkParameters() const;

  mlir::ModuleOp module;
  const CostQuestion &question;
  Counts counts;
  std::vector<Executed> executed;
  std::vector<LoopRow> loops;
  llvm::DenseMap<mlir::Operation *, int> numbers; ///< of loops
  std::vector<CheckpointStore> stores;
  std::vector<std::vector<Buffer>> plans;
  std::vector<std::string> notes;
  /// Dims that are split.
  llvm::SetVector<pm::DimAttr> dims;
  /// By which axes have one rank: most costs depend on nothing else.
  std::map<std::vector<bool>, std::vector<OpCost>> costs;
};

} // namespace pmc::cost

#endif // PMC_PASSES_COST_COSTMODEL_H
