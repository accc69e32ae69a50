//===- TargetInfo.cpp - What a module is compiled for ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Program/TargetInfo.h"
#include "codegen/Passes.h"
#include "dialect/IR/Markers/PMDeterministic.h"

#include "llvm/ADT/StringSwitch.h"

namespace pmc::codegen {
#define GEN_PASS_DEF_ATTACHTARGET
#include "codegen/Passes.h.inc"
} // namespace pmc::codegen

using namespace mlir;
using namespace pmc::codegen;

static constexpr StringLiteral attributeName = "pm.target";

StringRef pmc::codegen::stringifyTarget(Target target) {
  return target == Target::CPU ? "cpu" : "cuda";
}

std::optional<Target> pmc::codegen::symbolizeTarget(StringRef text) {
  return llvm::StringSwitch<std::optional<Target>>(text)
      .Case("cpu", Target::CPU)
      .Case("cuda", Target::CUDA)
      .Default(std::nullopt);
}

StringRef pmc::codegen::stringifyPaintMethod(PaintMethod method) {
  switch (method) {
  case PaintMethod::Auto:
    return "auto";
  case PaintMethod::Atomics:
    return "atomics";
  case PaintMethod::Tiled:
    return "tiled";
  }
  llvm_unreachable("no method of painting");
}

std::optional<PaintMethod> pmc::codegen::symbolizePaintMethod(StringRef text) {
  return llvm::StringSwitch<std::optional<PaintMethod>>(text)
      .Case("auto", PaintMethod::Auto)
      .Case("atomics", PaintMethod::Atomics)
      .Case("tiled", PaintMethod::Tiled)
      .Default(std::nullopt);
}

Target pmc::codegen::getTarget(Operation *op) {
  while (Operation *parent = op->getParentOp())
    op = parent;
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    return Target::CPU;
  FailureOr<TargetInfo> info = TargetInfo::get(module);
  return succeeded(info) ? info->kind : Target::CPU;
}

FailureOr<TargetInfo> TargetInfo::get(ModuleOp module) {
  TargetInfo info;
  Attribute attribute = module->getAttr(attributeName);
  if (!attribute)
    return info;
  auto members = dyn_cast<DictionaryAttr>(attribute);
  auto text = [&](StringRef key) {
    auto value = members ? members.getAs<StringAttr>(key) : StringAttr();
    return value ? value.getValue() : StringRef();
  };
  std::optional<Target> kind = symbolizeTarget(text("kind"));
  std::optional<PaintMethod> paint = symbolizePaintMethod(text("paint"));
  if (!kind || !paint)
    return module.emitError("'pm.target' must have kind = \"cpu\" or \"cuda\", "
                            "and paint = \"auto\", \"atomics\" or \"tiled\"");
  if (members.contains("executable") && !members.getAs<UnitAttr>("executable"))
    return module.emitError(
        "'pm.target' has executable or not; it takes no value");
  if (*paint == PaintMethod::Tiled && pm::isDeterministic(module))
    return module.emitError("paint = \"tiled\" adds in any order, and '")
           << pm::deterministicName << "' requires one: paint = \"auto\"";
  std::string error;
  auto sizes = ScheduleSizes::parse(members.get("sizes"), error);
  if (!sizes)
    return module.emitError("'pm.target': ") << error;
  return TargetInfo{*kind, *paint, members.contains("executable"), *sizes};
}

void TargetInfo::attachTo(ModuleOp module) const {
  Builder builder(module.getContext());
  SmallVector<NamedAttribute> members{
      builder.getNamedAttr("kind",
                           builder.getStringAttr(stringifyTarget(kind))),
      builder.getNamedAttr("paint",
                           builder.getStringAttr(stringifyPaintMethod(paint)))};
  if (executable)
    members.push_back(
        builder.getNamedAttr("executable", builder.getUnitAttr()));
  if (DictionaryAttr attribute = sizes.getAttr(module.getContext()))
    members.push_back(builder.getNamedAttr("sizes", attribute));
  module->setAttr(attributeName, builder.getDictionaryAttr(members));
}

namespace {

struct AttachTargetPass
    : pmc::codegen::impl::AttachTargetBase<AttachTargetPass> {
  using AttachTargetBase::AttachTargetBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::optional<Target> target = symbolizeTarget(kind);
    std::optional<PaintMethod> method = symbolizePaintMethod(paint);
    std::string error;
    auto numbers = ScheduleSizes::parse(StringRef(sizes), error);
    if (target && method && numbers)
      return TargetInfo{*target, *method, executable, *numbers}.attachTo(
          module);
    if (!target)
      module.emitError("kind '") << kind << "' is neither cpu nor cuda";
    else if (!method)
      module.emitError("paint '") << paint << "' is not auto, atomics or tiled";
    else
      module.emitError(error);
    signalPassFailure();
  }
};

} // namespace
