//===- MachineCode.cpp - Machine code in files ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/MachineCode.h"

#include "codegen/LLVM/ObjectCache.h"
#include "codegen/LLVM/Objects.h"
#include "frontend/Tools/Files.h"
#include "frontend/Tools/Flags/Options.h"
#include "frontend/Tools/InternalErrors.h"

using namespace pmc;

static codegen::EmitOptions getEmitOptions(const Options &options) {
  codegen::EmitOptions machine;
  machine.cpu = options.cpu;
  machine.optimization = options.optimization;
  machine.sanitizer =
      options.sanitize == "address"  ? codegen::Sanitizer::Address
      : options.sanitize == "thread" ? codegen::Sanitizer::Thread
                                     : codegen::Sanitizer::None;
  if (options.usesCache)
    machine.cacheFolder = codegen::ObjectCache::getDefaultFolder();
  return machine;
}

int pmc::writeCode(mlir::ModuleOp module, mlir::ModuleOp before,
                   const Options &options, const std::string &output) {
  codegen::MachineCode kind =
      options.emit == Stage::LLVM  ? codegen::MachineCode::LLVMIR
      : options.emit == Stage::Asm ? codegen::MachineCode::Assembly
                                   : codegen::MachineCode::Object;
  return writeFile(output, [&](llvm::raw_pwrite_stream &os) {
    if (succeeded(codegen::emitMachineCode(module, getEmitOptions(options),
                                           kind, os)))
      return true;
    InternalErrors::writeReproducer(before);
    return false;
  });
}

int pmc::writeObjects(mlir::ModuleOp module, mlir::ModuleOp before,
                      const Options &options, const std::string &stem,
                      std::vector<std::string> &objects) {
  mlir::FailureOr<std::vector<codegen::ObjectCode>> parts =
      codegen::emitObjects(module, getEmitOptions(options));
  if (failed(parts))
    return InternalErrors::writeReproducer(before);
  for (const codegen::ObjectCode &part : *parts) {
    objects.push_back(stem + std::to_string(objects.size()) + ".o");
    int code = writeFile(objects.back(), [&](llvm::raw_pwrite_stream &os) {
      os << llvm::StringRef(part.data(), part.size());
      return true;
    });
    if (code)
      return code;
  }
  return 0;
}
