//===- Passes.td - From the whole fields to one rank's parts *- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_SHARDING_PASSES_TD
#define PMC_PASSES_SHARDING_PASSES_TD

include "mlir/Pass/PassBase.td"

def Shard : Pass<"pm-shard", "::mlir::ModuleOp"> {
  let summary = "turn whole fields into ranks' parts, and insert the messages";
  let description = [{
    Every dim gets the axes of the module's layout, and every op its form for one
    rank's parts (ShardableOpInterface). What a rank lacks arrives in messages:
    `pm.reshard` where an op takes a field in another way than the layout has it,
    `pm.all_reduce` and `pm.reduce_fields` behind reductions over split dims, halos
    around paints and readouts. Transposes are part of the transforms. Tables along
    an axis are computed where they are used. Without a layout, nothing changes.

    ```mlir
    %s = pm.reduce sum [x=8, y=8] ins(%f : !F) { ... } scalars f64   // before

    %p = pm.reduce sum [x=8 on(row), y=8] ins(%f : !L) { ... }
        scalars !pm.partial<f64, sum over [row]>
    %s = pm.all_reduce sum over ["row"] (%p) : f64                   // after
    ```
    Two dims of one field on the same axis are an error, with a note at each
    `pm.layout`.
  }];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

def ReduceScatter : Pass<"pm-reduce-scatter", "::mlir::func::FuncOp"> {
  let summary = "let ranks sum over ranks what they keep of it";
  let description = [{
    A sum over ranks of whole fields of which each loop that reads it needs its own
    element alone, in dims of the same extents that the axes split, becomes one of
    the ranks' parts: a reduce-scatter.

    ```mlir
    %g = pm.reduce_fields sum over ["data"] (%p) : !pm.field<[wide=128], f32>     // before
      -> !pm.field<[wide=128], f32>
    %w = pm.map [part=128 on(data)] ins(%v) {
      %i = arith.fptosi (pm.coordinate "part")
      %e = pm.cell %g[%i] ...

    %g = pm.reduce_fields sum over ["data"] (%p) : !pm.field<[wide=128], f32>     // after
      -> !pm.field<[part=128 on(data)], f32>
    %w = pm.map [part=128 on(data)] ins(%v, %g) { ...
    ```
  }];
}

def BatchCollectives : Pass<"pm-batch-collectives", "::mlir::func::FuncOp"> {
  let summary = "send what is reduced in the same way together";
  let description = [{
    A `pm.all_reduce` whose results nothing needs before the next one of that kind
    and those axes becomes part of it. So does a `pm.reduce_fields` of small fields,
    spectra and tables: of large ones the time is that of their bytes, and alone
    they are reduced where they are. What travels together is a bucket of at most
    `bucket-bytes`: with all weights of a large network in one message, none could
    leave before the last gradient is there, and it would want memory for all.

    ```mlir
    %a = pm.all_reduce sum over ["row"] (%p) : f64       // before
    %b = pm.all_reduce sum over ["row"] (%q) : f64

    %r:2 = pm.all_reduce sum over ["row"] (%p, %q) : f64, f64   // after
    ```
  }];
  let options = [
    Option<"smallBytes", "small-bytes", "int64_t", "65536",
           "of a field up to which it is sent with others">,
    Option<"bucketBytes", "bucket-bytes", "int64_t", "33554432",
           "of all fields that are sent together, at most">,
  ];
}

def Overlap : Pass<"pm-overlap", "::mlir::func::FuncOp"> {
  let summary = "start messages early and wait for them late";
  let description = [{
    Where there is work on fields between what a message needs and what needs it,
    halo exchanges and reshards start as soon as their field is there, and are
    waited for right before the first use. So do buckets of `pm.reduce_fields`, as of
    gradients: each leaves when the last of its partial results is there, while the
    backward pass goes on. Maps that read nothing but what arrives, as the transposed
    gradient of a weight, are computed where they are read.

    ```mlir
    %a = pm.ifft ...                                     // before
    %b = pm.ifft ...
    %h:2 = pm.halo_exchange %a, %b bound %r ...

    %a = pm.ifft ...                                     // after
    %s = pm.halo_exchange start %a bound %r ...
    %b = pm.ifft ...
    %g = pm.halo_exchange %b bound %r ...
    %h = pm.halo_wait %s ...
    ```
  }];
}

def CloseHalos : Pass<"pm-close-halos", "::mlir::func::FuncOp"> {
  let summary = "give halos back after their last use";
  let description = [{
    Inserts `pm.halo_close` for exchanged halos. The last of the passes that move
    messages.
  }];
}

def NoteBytes : Pass<"pm-note-bytes", "::mlir::func::FuncOp"> {
  let summary = "note what every message costs";
  let description = [{
    The attribute `bytes` of a message is an expression of what one rank sends
    (`CostOpInterface`): of the mesh, and of the widths of halos. Of transforms,
    `transposes` is the number of transposes.

    ```mlir
    %g = pm.reshard %f {bytes = #cost.expr<"4*(8*8/row-8/row*8/row)">} : ...
    ```
  }];
}

#endif // PMC_PASSES_SHARDING_PASSES_TD
