//===- Program.cpp - What a program begins with ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Lowering/DeviceSymbols.h"
#include "codegen/Passes.h"
#include "codegen/Pipeline.h"
#include "codegen/Program/ProgramTables.h"
#include "codegen/Program/RuntimeFunction.h"
#include "codegen/Program/TargetInfo.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace pmc::codegen {
#define GEN_PASS_DEF_EMITPROGRAM
#include "codegen/Passes.h.inc"
} // namespace pmc::codegen

using namespace mlir;
using namespace pmc::codegen;

FailureOr<func::FuncOp> pmc::codegen::findMain(ModuleOp module) {
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    return main;
  return module.emitError("a program needs a function 'main'");
}

namespace {

struct EmitProgramPass : pmc::codegen::impl::EmitProgramBase<EmitProgramPass> {
  using EmitProgramBase::EmitProgramBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<TargetInfo> target = TargetInfo::get(module);
    FailureOr<func::FuncOp> main = findMain(module);
    if (failed(target) || failed(main))
      return signalPassFailure();
    FailureOr<std::string> descriptor = describe(target->kind);
    if (failed(descriptor))
      return signalPassFailure();
    main->setSymName("pmc.entry");
    main->setPrivate();
    OpBuilder top = OpBuilder::atBlockEnd(module.getBody());
    emitMain(top, *target, emitRecord(top, *target, *descriptor, emitRun(top)));
  }

private:
  /// What the lowering left, and the options, as text.
  FailureOr<std::string> describe(Target target) {
    ModuleOp module = getOperation();
    auto text = module->getAttrOfType<StringAttr>(descriptorAttribute);
    if (!text)
      return module.emitError(
          "a program needs a descriptor: pm-lower-ops first");
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
    llvm::json::Object *members = value ? value->getAsObject() : nullptr;
    if (!members) {
      llvm::consumeError(value.takeError());
      return module.emitError("'")
             << descriptorAttribute << "' is not a JSON object";
    }
    (*members)["name"] = name;
    (*members)["source_hash"] = sourceHash;
    (*members)["spec"] = llvm::json::fixUTF8(spec);
    (*members)["built"] = built;
    (*members)["compiler_version"] = compilerVersion;
    (*members)["precision"] = precision;
    (*members)["target"] = stringifyTarget(target);
    module->removeAttr(descriptorAttribute);
    if (auto source = module->getAttrOfType<StringAttr>(sourceAttribute))
      (*members)["source"] = llvm::json::fixUTF8(source.getValue());
    module->removeAttr(sourceAttribute);
    std::string descriptor;
    llvm::raw_string_ostream(descriptor) << *value;
    return descriptor;
  }

  /// The entry as a function that C can call.
  LLVM::LLVMFuncOp emitRun(OpBuilder &top) {
    Location loc = getOperation().getLoc();
    MLIRContext *context = &getContext();
    auto run = LLVM::LLVMFuncOp::create(
        top, loc, "pmc.run",
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                    {LLVM::LLVMPointerType::get(context)}),
        LLVM::Linkage::Internal);
    Block *entry = run.addEntryBlock(top);
    OpBuilder body = OpBuilder::atBlockEnd(entry);
    func::CallOp::create(body, loc, "pmc.entry", TypeRange(),
                         ValueRange(entry->getArgument(0)));
    LLVM::ReturnOp::create(body, loc, ValueRange());
    return run;
  }

  /// The pmrt_program, which libraries export.
  LLVM::GlobalOp emitRecord(OpBuilder &top, const TargetInfo &target,
                            StringRef descriptor, LLVM::LLVMFuncOp run) {
    Location loc = getOperation().getLoc();
    Type pointer = LLVM::LLVMPointerType::get(&getContext());
    Type i32 = top.getI32Type();
    std::string bytes = descriptor.str();
    bytes.push_back('\0');
    OpBuilder begin = OpBuilder::atBlockBegin(getOperation().getBody());
    auto text = LLVM::GlobalOp::create(
        begin, loc, LLVM::LLVMArrayType::get(top.getI8Type(), bytes.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal, "pmc.descriptor",
        top.getStringAttr(bytes));
    auto record = LLVM::LLVMStructType::getLiteral(&getContext(),
                                                   {i32, pointer, pointer});
    auto program = LLVM::GlobalOp::create(
        top, loc, record,
        /*isConstant=*/true,
        target.executable ? LLVM::Linkage::Internal : LLVM::Linkage::External,
        target.executable ? "pmc.program" : "pmc_program", Attribute());
    OpBuilder::InsertionGuard guard(top);
    top.setInsertionPointToStart(&program.getInitializer().emplaceBlock());
    Value value = LLVM::UndefOp::create(top, loc, record);
    Value members[] = {
        LLVM::ConstantOp::create(top, loc, i32,
                                 top.getI32IntegerAttr(PMRT_ABI_VERSION)),
        LLVM::AddressOfOp::create(top, loc, text),
        LLVM::AddressOfOp::create(top, loc, run)};
    for (auto [i, member] : llvm::enumerate(members))
      value = LLVM::InsertValueOp::create(top, loc, value, member, int64_t(i));
    LLVM::ReturnOp::create(top, loc, value);
    return program;
  }

  void emitMain(OpBuilder &top, const TargetInfo &target,
                LLVM::GlobalOp program) {
    ModuleOp module = getOperation();
    Location loc = module.getLoc();
    Type i32 = top.getI32Type();
    auto main = LLVM::LLVMFuncOp::create(
        top, loc, target.executable ? "main" : "pmc_main",
        LLVM::LLVMFunctionType::get(
            i32, {i32, LLVM::LLVMPointerType::get(&getContext())}));
    Block *entry = main.addEntryBlock(top);
    OpBuilder body = OpBuilder::atBlockEnd(entry);
    SmallVector<Value> operands(entry->getArguments());
    operands.push_back(LLVM::AddressOfOp::create(body, loc, program));
    bool onDevice = target.kind == Target::CUDA;
    if (onDevice)
      operands.push_back(
          LLVM::AddressOfOp::create(body, loc, declareDeviceCode(top, loc)));
    RuntimeFunction start =
        onDevice ? PMRT_FUNCTION(pmrt_main_cuda) : PMRT_FUNCTION(pmrt_main);
    auto code =
        LLVM::CallOp::create(body, loc, start.declareIn(module), operands);
    LLVM::ReturnOp::create(body, loc, code.getResult());
  }
};

} // namespace
