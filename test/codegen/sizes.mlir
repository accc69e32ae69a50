// Each size of a schedule takes its least and its largest value, and nothing beyond them.
// RUN: pm-opt %s --pm-attach-target="sizes=chunk=16,lattice=1,cells=16,block=32,group=1,access=4,particles=32,row=1" | FileCheck %s --check-prefix=LEAST
// RUN: pm-opt %s --pm-attach-target="sizes=chunk=4096,lattice=1099511627776,cells=1048576,block=1024,group=1024,access=16,particles=65536,row=1024" | FileCheck %s --check-prefix=LARGEST
// LEAST: sizes = {
// LEAST-DAG: particles = 32 :
// LEAST-DAG: cells = 16 :
// LARGEST: sizes = {
// LARGEST-DAG: block = 1024 :
// LARGEST-DAG: particles = 65536 :
// LARGEST-DAG: cells = 1048576 :
// LARGEST-DAG: row = 1024 :
// RUN: not pm-opt %s --pm-attach-target=sizes=chunk=8 2>&1 | FileCheck %s
// RUN: not pm-opt %s --pm-attach-target=sizes=chunk=8192 2>&1 | FileCheck %s
// RUN: not pm-opt %s --pm-attach-target=sizes=lattice=0 2>&1 | FileCheck %s
// RUN: not pm-opt %s --pm-attach-target=sizes=lattice=2199023255552 2>&1 | FileCheck %s
// RUN: not pm-opt %s --pm-attach-target=sizes=cells=8 2>&1 | FileCheck %s
// RUN: not pm-opt %s --pm-attach-target=sizes=cells=2097152 2>&1 | FileCheck %s
// RUN: not pm-opt %s --pm-attach-target=sizes=block=16 2>&1 | FileCheck %s
// RUN: not pm-opt %s --pm-attach-target=sizes=block=2048 2>&1 | FileCheck %s
// RUN: not pm-opt %s --pm-attach-target=sizes=group=0 2>&1 | FileCheck %s
// RUN: not pm-opt %s --pm-attach-target=sizes=group=2048 2>&1 | FileCheck %s
// RUN: not pm-opt %s --pm-attach-target=sizes=access=2 2>&1 | FileCheck %s
// RUN: not pm-opt %s --pm-attach-target=sizes=access=32 2>&1 | FileCheck %s
// RUN: not pm-opt %s --pm-attach-target=sizes=particles=16 2>&1 | FileCheck %s
// RUN: not pm-opt %s --pm-attach-target=sizes=particles=131072 2>&1 | FileCheck %s
// RUN: not pm-opt %s --pm-attach-target=sizes=row=0 2>&1 | FileCheck %s
// RUN: not pm-opt %s --pm-attach-target=sizes=row=2048 2>&1 | FileCheck %s
// CHECK: error: '{{[a-z]+}}' must be a power of two from
module {
}
