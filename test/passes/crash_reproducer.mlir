// Where a pass fails, MLIR writes what it was given, and pm-opt runs that again.
// RUN: not pm-opt %s --pm-lower-ops --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=KEPT --input-file=%t.mlir
// RUN: not pm-opt %t.mlir --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN

// CHECK: error: 'func.func' op has no context argument; run pm-pass-context first
// KEPT: func.func @main
// KEPT: pipeline: "builtin.module({{.*}}pm-lower-ops
// AGAIN: error: 'func.func' op has no context argument; run pm-pass-context first
func.func @main() {
  return
}
