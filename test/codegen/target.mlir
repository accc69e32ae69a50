// RUN: pm-opt %s --pm-attach-target="kind=cuda paint=tiled" | FileCheck %s
// RUN: pm-opt %s --pm-attach-target="executable=false" | FileCheck %s --check-prefix=LIBRARY
// RUN: not pm-opt %s --pm-attach-target=kind=hip 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not pm-opt %s --pm-attach-target=paint=brush 2>&1 | FileCheck %s --check-prefix=PAINT
// RUN: pm-opt %s --pm-attach-target="sizes=chunk=128,group=128,block=64" | FileCheck %s --check-prefix=SIZES
// RUN: not pm-opt %s --pm-attach-target=sizes=chunks=64 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not pm-opt %s --pm-attach-target=sizes=chunk=48 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: not pm-opt %s --pm-attach-target=sizes=access=32 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not pm-opt %s --pm-attach-target=sizes=row 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not pm-opt %s --pm-attach-target --pm-emit-program 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: sed s/^module/'module attributes {pm.target = {kind = "hip"}}'/ %s | not pm-opt --pm-lower-ops 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
// RUN: sed s/^module/'module attributes {pm.target = {kind = "cpu", paint = "tiled", sizes = {chunk = 8}}}'/ %s | not pm-opt --pm-lower-ops 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: sed s/^module/'module attributes {pm.deterministic, pm.target = {kind = "cuda", paint = "tiled"}}'/ %s | not pm-opt --pm-lower-ops 2>&1 | FileCheck %s --check-prefix=ORDER

// CHECK: module attributes {pm.target = {executable, kind = "cuda", paint = "tiled"}}
// LIBRARY: module attributes {pm.target = {kind = "cpu", paint = "auto"}}
// KIND: error: kind 'hip' is neither cpu nor cuda
// PAINT: error: paint 'brush' is not auto, atomics or tiled
// What is as it would be without is not said.
// SIZES: module attributes {pm.target = {executable, kind = "cpu", paint = "auto", sizes = {block = 64 : i64, chunk = 128 : i64, group = 128 : i64}}}
// UNKNOWN: error: there is no size 'chunks' of a schedule; there are chunk, lattice, cells, block, group, access, particles, row
// POWER: error: 'chunk' must be a power of two from 16 to 4096, not 48
// RANGE: error: 'access' must be a power of two from 4 to 16, not 32
// NUMBER: error: 'row' is not NAME=NUMBER
// EARLY: error: a program needs a descriptor: pm-lower-ops first
// ATTRIBUTE: error: 'pm.target' must have kind = "cpu" or "cuda", and paint = "auto", "atomics" or "tiled"
// ORDER: error: paint = "tiled" adds in any order, and 'pm.deterministic' requires one: paint = "auto"
// SMALL: error: 'pm.target': 'chunk' must be a power of two from 16 to 4096, not 8
module {
  func.func @main() {
    return
  }
}
