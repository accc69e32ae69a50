// RUN: not pm-opt %s --pm-lower-ops 2>&1 | FileCheck %s --check-prefix=LENGTHS
// RUN: not pm-opt %s --pm-outline-lengths --pm-lower-ops 2>&1 | FileCheck %s --check-prefix=CONTEXT
// RUN: not pm-opt %s --pm-lower --pm-lower 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not pm-opt %s --pm-outline-lengths --pm-pass-context --pm-emit-program 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: sed 's/^module/module attributes {pm.descriptor = "[1]"}/' %s | not pm-opt --pm-emit-program 2>&1 | FileCheck %s --check-prefix=DESCRIPTOR
// RUN: sed 's/^module/module attributes {pm.target = {executable = false, kind = "cpu", paint = "tiled"}}/' %s | not pm-opt --pm-lower 2>&1 | FileCheck %s --check-prefix=FLAG
// A pass that comes too early, too late or upon damaged text says so.

// LENGTHS: error: 'pm.dim' op has a length; run pm-outline-lengths first
// CONTEXT: error: 'func.func' op has no context argument; run pm-pass-context first
// TWICE: error: 'func.call' op is not in a func.func: the module is lowered already
// EARLY: error: a program needs a descriptor: pm-lower-ops first
// DESCRIPTOR: error: 'pm.descriptor' is not a JSON object
// FLAG: error: 'pm.target' has executable or not; it takes no value
module {
  pm.dim "x" = 8 length {
    %l = arith.constant 1.0 : f64
    pm.yield %l : f64
  }
  func.func @main() {
    return
  }
}
