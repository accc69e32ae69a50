//===- PMAutodiffOps.td - Derivatives and what reverses loops -*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frontend emits pm.jvp and pm.vjp; `pm-autodiff` replaces them by functions
// that compute derivatives. A function whose attribute `pm.adjoint` names another
// function has that one as its adjoint: (arguments, cotangents of results) ->
// cotangents of arguments.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_PMAUTODIFFOPS_TD
#define PMC_DIALECT_PMAUTODIFFOPS_TD

include "dialect/IR/PMOps.td"

//===----------------------------------------------------------------------===//
// Derivatives of functions
//===----------------------------------------------------------------------===//

/// What has a tangent: f32, f64, complex of these, fields of these, tables.
def PM_Differentiable : AnyTypeOf<[AnyFloat, AnyComplex, PM_Field, PM_TableType]>;

def PM_JVPOp : PM_Op<"jvp", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a function and its derivative along tangents";
  let description = [{
    (y, dy) = (f(x), Σ_i ∂f/∂x_i dx_i) over the arguments i in `wrt`.

    ```mlir
    %y, %dy = pm.jvp @f(%x, %p) wrt [0] along (%dx)
        : (!F, f64), (!F) -> (f64, f64)
    ```
    Results: those of f, then their tangents (of results that have none, as an
    integer, none).

    Constraints: 1. `callee` is a function of these argument types;
    2. `wrt` are its arguments, each once, in order, with one tangent of its type
       each;
    3. results are those of the function, then the tangents of those of them
       that are real, complex, fields of these, or tables.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$args,
                       DenseI64ArrayAttr:$wrt,
                       Variadic<PM_Differentiable>:$tangents);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $args `)` `wrt` $wrt `along` `(` $tangents `)` attr-dict `:`
    `(` type($args) `)` `,` `(` type($tangents) `)` `->` `(` type($results) `)`
  }];
}

def PM_VJPOp : PM_Op<"vjp", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a function and its adjoint applied to cotangents";
  let description = [{
    y = f(x), xbar_i = Σ_j (∂y_j/∂x_i)^T ybar_j over the arguments i in `wrt` and
    the results j in `of`, in the inner product that counts modes: one of an element
    at 0 and N/2 of a half dim, two of others. Loops are reversed by `schedule`;
    `snapshots` belongs to `revolve`.

    ```mlir
    %y, %xbar = pm.vjp @f(%x, %p) wrt [0] of [0] (%one) schedule keep
        : (!F, f64), (f64) -> (f64, !F)
    ```
    Constraints: 1. `callee` is a function of these argument types;
    2. `wrt` are its arguments, each once, in order; `of` its results, each once,
       in order, with one cotangent of its type each;
    3. results are those of the function, then one of its type an argument in
       `wrt`;
    4. `snapshots` >= 1 with `revolve`, and with nothing else.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$args,
                       DenseI64ArrayAttr:$wrt, DenseI64ArrayAttr:$of,
                       Variadic<PM_Differentiable>:$cotangents,
                       PM_ScheduleAttr:$schedule,
                       OptionalAttr<I64Attr>:$snapshots);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $args `)` `wrt` $wrt `of` $of `(` $cotangents `)`
    `schedule` $schedule ($snapshots^)? attr-dict `:`
    `(` type($args) `)` `,` `(` type($cotangents) `)` `->` `(` type($results) `)`
  }];
}

//===----------------------------------------------------------------------===//
// Memory of loops that are reversed
//===----------------------------------------------------------------------===//

def PM_CheckpointStoreOp : PM_Op<"checkpoint_store", [MemoryEffects<[MemAlloc, MemWrite]>]> {
  let summary = "memory for the states of a loop";
  let description = [{
    Memory for `slots` states, each of values of these types: numbers (f32, f64, i64)
    and fields. Outside of the memory plan, as the number is known when the
    program runs; refused, with numbers and on all ranks, if it exceeds the memory
    limit. Freed when the program ends or by `pm.checkpoint_store_free`.

    Constraint: types are f32, f64, i64 or fields (buffers in the buffer form).
  }];
  let arguments = (ins I64:$slots, TypeArrayAttr:$types);
  let results = (outs PM_CheckpointStoreType:$store);
  let assemblyFormat = "$slots `of` $types attr-dict";
  let hasVerifier = 1;
}

def PM_CheckpointStoreFreeOp : PM_EffectOp<"checkpoint_store_free"> {
  let summary = "frees a checkpoint store";
  let arguments = (ins PM_CheckpointStoreType:$store);
  let assemblyFormat = "$store attr-dict";
}

def PM_SaveOp : PM_FieldEffectOp<"save"> {
  let summary = "writes a state to a slot of a checkpoint store";
  let description = [{
    Constraint: values have the types of the checkpoint store. A slot out of range is an
    error when the program runs.
  }];
  let arguments = (ins PM_CheckpointStoreType:$store, I64:$slot,
                       Variadic<AnyTypeOf<[AnyFloat, I64, PM_Grid]>>:$values);
  let assemblyFormat = "$store `at` $slot `(` $values `:` type($values) `)` attr-dict";
  let hasVerifier = 1;
}

def PM_RestoreOp : PM_FieldOp<"restore", [MemoryEffects<[MemRead, MemWrite]>,
    PM_PlaceableOpInterface]> {
  let summary = "reads a state from a slot of a checkpoint store";
  let description = [{
    Numbers are results in both forms; in the buffer form fields go to `outs`.
    Results (and outs) are what was saved there, in order.
  }];
  let arguments = (ins PM_CheckpointStoreType:$store, I64:$slot, Variadic<PM_Buffer>:$outs);
  let results = (outs Variadic<AnyTypeOf<[AnyFloat, I64, PM_Field]>>:$values);
  let assemblyFormat = [{
    $store `at` $slot (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict
    (`->` type($values)^)?
  }];
  let hasVerifier = 1;
}

def PM_ReversalOp : PM_EffectOp<"reversal"> {
  let summary = "reports to the runtime how well a loop was reversed";
  let description = [{
    The errors of the first state as its reversal recovered it, relative to the
    rms of that state, with the names of what they are of.

    ```mlir
    pm.reversal ["s.disp", "s.mom"] (%e, %f)
    ```
    Constraint: one name each, without commas.
  }];
  let arguments = (ins StrArrayAttr:$names, Variadic<F64>:$errors);
  let assemblyFormat = "$names `(` $errors `)` attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Binomial checkpoints
//===----------------------------------------------------------------------===//

class PM_SweepOp<string mnemonic> : PM_Op<mnemonic, [Pure]> {
  string given = [{
    A loop of `steps` steps goes through states 0 … steps, of which `snapshots` fit
    into memory. The forward sweep makes state `steps`; then a sweep to
    steps − 1, to steps − 2, … 0 makes the state that a step is reversed at,
    anew from one that is kept. Which ones are kept is such that the steps of all
    sweeps are as few as can be (Griewank & Walther 2000). A function of its
    operands alone.
  }];
}

def PM_RevolveOp : PM_SweepOp<"revolve"> {
  let summary = "where a sweep of binomial checkpointing begins";
  let description = given # [{

    The sweep to state `target` begins at state `from`, which is in slot `slot`.

    ```mlir
    %from, %slot = pm.revolve %steps, %snapshots to %i
    ```
  }];
  let arguments = (ins I64:$steps, I64:$snapshots, I64:$target);
  let results = (outs I64:$from, I64:$slot);
  let assemblyFormat = "$steps `,` $snapshots `to` $target attr-dict";
}

def PM_RevolveSlotOp : PM_SweepOp<"revolve_slot"> {
  let summary = "where a sweep of binomial checkpointing keeps a state";
  let description = given # [{

    The slot in which the sweep to `target` keeps `state`, or −1. The state that
    it begins at is kept already, but for state 0 of the forward sweep.

    ```mlir
    %slot = pm.revolve_slot %steps, %snapshots to %i at %j
    ```
  }];
  let arguments = (ins I64:$steps, I64:$snapshots, I64:$target, I64:$state);
  let results = (outs I64:$slot);
  let assemblyFormat = "$steps `,` $snapshots `to` $target `at` $state attr-dict";
}

#endif // PMC_DIALECT_PMAUTODIFFOPS_TD
