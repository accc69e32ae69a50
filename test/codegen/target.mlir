// RUN: pm-opt %s --pm-attach-target="kind=cuda paint=tiled" | FileCheck %s
// RUN: pm-opt %s --pm-attach-target="executable=false" | FileCheck %s --check-prefix=LIBRARY
// RUN: not pm-opt %s --pm-attach-target=kind=hip 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not pm-opt %s --pm-attach-target=paint=brush 2>&1 | FileCheck %s --check-prefix=PAINT
// RUN: not pm-opt %s --pm-attach-target --pm-emit-program 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: sed s/^module/'module attributes {pm.target = {kind = "hip"}}'/ %s | not pm-opt --pm-lower-ops 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE

// CHECK: module attributes {pm.target = {executable, kind = "cuda", paint = "tiled"}}
// LIBRARY: module attributes {pm.target = {kind = "cpu", paint = "atomics"}}
// KIND: error: kind 'hip' is neither cpu nor cuda
// PAINT: error: paint 'brush' is neither atomics nor tiled
// EARLY: error: a program needs a descriptor: pm-lower-ops first
// ATTRIBUTE: error: 'pm.target' must have kind = "cpu" or "cuda", and paint = "atomics" or "tiled"
module {
  func.func @main() {
    return
  }
}
