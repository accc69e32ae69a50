//===- Passes.td - The passes of code generation -----------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_PASSES_TD
#define PMC_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttachTarget : Pass<"pm-attach-target", "::mlir::ModuleOp"> {
  let summary = "say what the module is compiled for";
  let description = [{
    Sets the module's `pm.target`, which the passes that follow read, so that they
    do the same to printed text. A module without one is for the CPU.

    ```mlir
    module attributes {pm.target = {kind = "cuda", paint = "tiled", ...}}
    ```
  }];
  let options = [
    Option<"kind", "kind", "std::string", "\"cpu\"",
           "cpu: threads; cuda: kernels for GPUs">,
    Option<"paint", "paint", "std::string", "\"auto\"",
           "how paints on GPUs add: atomics, at once; tiled, in shared memory "
           "first; auto, tiled where the particles are of a lattice">,
    Option<"executable", "executable", "bool", "true",
           "the object has a main; else pmc_main has its signature">,
    Option<"sizes", "sizes", "std::string", "\"\"",
           "of the schedules, as chunk=128,group=64: elements of a chunk on CPUs "
           "(64); threads of a block (256), of a row at most (32), and bytes "
           "that they access at once (16) on GPUs; particles of a block that "
           "paints in tiles (particles, 2048) and of their rows (row, 16)">,
  ];
}

def OutlineLengths : Pass<"pm-outline-lengths", "::mlir::ModuleOp"> {
  let summary = "turn the lengths of dims into functions";
  let description = [{
    ```mlir
    pm.dim "x" = 64 length { ... pm.yield %l : f64 }          // before

    func.func private @pmc.length.x() -> f64 { ... return %l : f64 }  // after
    ```
    `pm-lower-ops` has the program check those that the user has a say in.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def PassContext : Pass<"pm-pass-context", "::mlir::ModuleOp"> {
  let summary = "hand the runtime's context to every function";
  let description = [{
    All state of a rank hangs on the context, so that none is global. It is the
    first argument of every function, and of every call.

    ```mlir
    func.func @main()                             // before
    func.func @main(%context: !llvm.ptr)          // after
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def CheckInterrupts : Pass<"pm-check-interrupts", "::mlir::ModuleOp"> {
  let summary = "let signals end loops that call nothing";
  let description = [{
    The runtime looks for SIGINT and SIGTERM in every call. Long loops over
    numbers may have none: they read the flag of `pmrt_interrupts` in every step.
    Loops on GPUs do not.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::scf::SCFDialect"];
}

def LowerOps : Pass<"pm-lower-ops", "::mlir::ModuleOp"> {
  let summary = "turn the buffer form into loops and runtime calls";
  let description = [{
    Ops become calls of the runtime (LowerableOpInterface). Then loops over domains
    become kernels and launches of them (KernelOpInterface): functions that the
    runtime calls on parts of the domain, or those of a nested module for GPUs.
    Handles become addresses. Declarations and the memory
    plan go: what the runtime must know of them is the module's `pm.descriptor`.

    ```mlir
    pm.map [x=64, z=64] ins(%0 : !B) outs(%1 : !B) { ... }          // before

    pmk.parallel_for @kernel.map(%a, %b) over %rows each %bytes "map" at 3 : ...
    func.func private @kernel.map(%a: !pmk.span<f32>, ..., %from: i64, %to: i64) {
      scf.for %row = %from to %to step %one : i64 { ... }           // after
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::pmc::pmk::PMKDialect",
                           "::mlir::scf::SCFDialect"];
}

def LowerDomains : Pass<"pm-lower-domains", "::mlir::ModuleOp"> {
  let summary = "turn domain ops alone into kernels";
  let description = [{The part of `pm-lower-ops` that makes kernels, for tests.}];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::pmc::pmk::PMKDialect",
                           "::mlir::scf::SCFDialect"];
}

def MergeKernels : Pass<"pm-merge-kernels", "::mlir::ModuleOp"> {
  let summary = "keep one of equal kernels";
  let description = [{
    A pipeline paints more than once, and has one table an axis. Such kernels differ
    in nothing but the buffers that they are started with.

    ```mlir
    pmk.parallel_for @kernel.map(%a) over %n each %b "map" at 3 : ...
    pmk.parallel_for @kernel.map.1(%c) over %n each %b "map" at 7 : ...   // before

    pmk.parallel_for @kernel.map(%a) over %n each %b "map" at 3 : ...
    pmk.parallel_for @kernel.map(%c) over %n each %b "map" at 7 : ...     // after
    ```
    Ops keep the places in the spec of one of them: not for `-g` and `--sanitize`.
  }];
}

def LowerLaunches : Pass<"pm-lower-launches", "::mlir::ModuleOp"> {
  let summary = "turn launches of kernels into runtime calls";
  let description = [{
    What a kernel captures is stored in the frame of the host's function. The
    runtime's threads call a wrapper with a part of the domain and the address of
    this record; a GPU is handed the addresses of its members.

    ```mlir
    pmk.parallel_for @kernel.map(%a, %n) over %rows each %bytes "map" at 3 : !pmk.span<f32>, i64

    %0 = llvm.mlir.addressof @kernel.map.call : !llvm.ptr
    llvm.call @pmrt_parallel_for(%context, %queue, %line, %title, %0, %record, %rows, %bytes) : ...
    llvm.func internal @kernel.map.call(%record: !llvm.ptr, %from: i64, %to: i64) { ... }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def EndTables : Pass<"pm-end-tables", "::mlir::ModuleOp"> {
  let summary = "end tables with the step that made them";
  let description = [{
    What a step of a loop makes can be seen by later ones only if it is carried
    to them: all other tables made since the loop began end with the step,
    whatever branches, calls or inner loops they are from. Other tables end with
    the program.

    ```mlir
    %mark = llvm.call @pmrt_tables_mark(%context) : (!llvm.ptr) -> i64
    scf.for ... {
      ...
      llvm.call @pmrt_tables_release(%context, %mark, %count, %kept) : ...
      scf.yield ...
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def DeviceCode : Pass<"pm-device-code", "::mlir::ModuleOp"> {
  let summary = "compile the module of kernels for GPUs";
  let description = [{
    The nested module goes. What a GPU loads is made of it; where nobody takes it
    (in pm-opt), the kernels' PTX becomes an attribute.

    ```mlir
    module { module @pmc.device { ... } }             // before
    module attributes {pmc.ptx = ".version ..."} {}   // after
    ```
  }];
  let options = [
    Option<"arch", "arch", "unsigned", "80",
           "the compute capability that PTX is for: 90 for sm_90">,
    Option<"optimization", "opt", "unsigned", "2", "0 to 3">,
    Option<"emulate", "emulate", "bool", "false",
           "the host's module gets the kernels, too, as functions for a "
           "simulated GPU">,
    Option<"debugInfo", "debug-info", "bool", "false", "line tables">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def EmitProgram : Pass<"pm-emit-program", "::mlir::ModuleOp"> {
  let summary = "make main and its descriptor";
  let description = [{
    `@main` becomes `@pmc.entry`. The program's own `main` (`pmc_main` of a library)
    hands the runtime the entry and the descriptor: JSON, from `pm.descriptor` and
    these options.
  }];
  let options = [
    Option<"name", "name", "std::string", "\"\"", "the spec's name">,
    Option<"sourceHash", "source-hash", "std::string", "\"\"",
           "of everything that the program depends on">,
    Option<"spec", "spec", "std::string", "\"\"",
           "of what decides on what it computes, for states that go on">,
    Option<"built", "built", "std::string", "\"\"", "how it is built">,
    Option<"compilerVersion", "compiler-version", "std::string", "\"\"",
           "pmc's version">,
    Option<"precision", "precision", "std::string", "\"\"", "f32 or f64">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ExplainOps : Pass<"pm-explain-ops", "::mlir::ModuleOp"> {
  let summary = "print a table of ops and the interfaces that they have";
  let description = [{
    One row an op of the dialect, in Markdown; the module does not matter. `runtime`:
    its buffer form becomes calls of the runtime (LowerableOpInterface); `kernel`:
    kernels (KernelOpInterface).
  }];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

def CheckUndefined : Pass<"pm-check-undefined", "::mlir::ModuleOp"> {
  let summary = "stop where an op's result is undefined";
  let description = [{
    Puts a check before every op of kernels and host code whose result is
    undefined for some operands: conversions of a number to an integer that
    cannot hold it, divisions by zero. A program stops there with the `.pm`
    line. For `--sanitize=address`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // PMC_CODEGEN_PASSES_TD
