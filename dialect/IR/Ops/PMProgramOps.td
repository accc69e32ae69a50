//===- PMProgramOps.td - What a program declares -----------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mesh, layout, dims, parameters, inputs. Included by PMOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_PMPROGRAMOPS_TD
#define PMC_DIALECT_PMPROGRAMOPS_TD

def PM_MeshOp : PM_Op<"mesh", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "declares the device mesh and its axes";
  let description = [{
    `pm.mesh @gpus axes = ["row", "col"] extents = [1, 1]`. Extents are the
    defaults; a launch may give others.

    Constraints:
    1. one extent >= 1 an axis;
    2. axis names differ;
    3. a module has at most one mesh.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$axes,
                       DenseI64ArrayAttr:$extents);
  let assemblyFormat = "$sym_name `axes` `=` $axes `extents` `=` $extents attr-dict";
  let hasVerifier = 1;
}

def PM_LayoutOp : PM_Op<"layout", [HasParent<"::mlir::ModuleOp">]> {
  let summary = "maps a dim to the mesh axes that split it";
  let description = [{
    `pm.layout "x" -> ["row"]`: every field's dim of that label is split over
    the axes, major first. Refined dims inherit the layout of the plain one.

    Constraints:
    1. at least one axis, each declared by the module's mesh;
    2. no axis twice; a dim has one layout.
  }];
  let arguments = (ins StrAttr:$dim, StrArrayAttr:$axes);
  let assemblyFormat = "$dim `->` $axes attr-dict";
  let hasVerifier = 1;
}

def PM_DimOp : PM_Op<"dim", [HasParent<"::mlir::ModuleOp">, SingleBlock]> {
  let summary = "declares a dim and its physical length";
  let description = [{
    ```mlir
    pm.dim "x" = 128 length {
      %b = pm.param_value "box" : f64
      pm.yield %b : f64
    }
    ```
    Constraint: the region yields one f64.
  }];
  let arguments = (ins StrAttr:$name, I64Attr:$extent);
  let regions = (region SizedRegion<1>:$length);
  let assemblyFormat = "$name `=` $extent `length` $length attr-dict-with-keyword";
  let hasVerifier = 1;
}

def PM_ParamOp : PM_Op<"param", [HasParent<"::mlir::ModuleOp">]> {
  let summary = "declares a run-time parameter";
  let description = [{
    `pm.param "box" : f64 {default = 400.0 : f64, unit = "Mpc/h", doc = "…"}`.
    `minimum`, `maximum` bound it, exclusively where `min_open`, `max_open`. The
    type is f64, i64 (`kind` int or u64) or i1.

    Constraints: 1. the type is one of these; 2. the default has it.
  }];
  let arguments = (ins StrAttr:$name, TypeAttr:$type, StrAttr:$kind,
                       OptionalAttr<AnyAttr>:$default_value,
                       OptionalAttr<F64Attr>:$minimum,
                       OptionalAttr<F64Attr>:$maximum,
                       UnitAttr:$min_open, UnitAttr:$max_open,
                       OptionalAttr<StrAttr>:$unit, OptionalAttr<StrAttr>:$doc);
  let assemblyFormat = "$name `:` $type $kind attr-dict";
  let hasVerifier = 1;
}

def PM_InputOp : PM_Op<"input", [HasParent<"::mlir::ModuleOp">]> {
  let summary = "declares an input file";
  let description = [{
    With `streamed`, a file of samples: the type is that of one, and `samples`
    how many there are, if the program knows. `ahead` is the buffer of the plan
    for what is prefetched.

    Constraint: a stream is one of fields, and nothing else has `samples` and
    `ahead`.
  }];
  let arguments = (ins StrAttr:$name, TypeAttr:$type, UnitAttr:$optional,
                       OptionalAttr<StrAttr>:$unit, OptionalAttr<StrAttr>:$doc,
                       UnitAttr:$streamed, OptionalAttr<I64Attr>:$samples,
                       OptionalAttr<I64Attr>:$ahead);
  let assemblyFormat = "$name `:` $type attr-dict";
  let hasVerifier = 1;
}

def PM_ParamValueOp : PM_Op<"param_value", [Pure]> {
  let summary = "a parameter's value";
  let arguments = (ins StrAttr:$name);
  let results = (outs AnyTypeOf<[F64, I64, I1]>:$value);
  let assemblyFormat = "$name attr-dict `:` type($value)";
}

def PM_GivenOp : PM_Op<"given", [Pure]> {
  let summary = "whether the user gave a parameter or input";
  let arguments = (ins StrAttr:$name);
  let results = (outs I1:$value);
  let assemblyFormat = "$name attr-dict";
}

def PM_InputValueOp : PM_FieldOp<"input_value", [AttrSizedResultSegments,
    PM_ShardableOpInterface]> {
  let summary = "reads an input";
  let description = [{
    Reads the field or table from the file the user gave. Not speculatable: an
    optional input may be absent.
  }];
  let arguments = (ins StrAttr:$name, Variadic<PM_Buffer>:$outs);
  let results = (outs Optional<PM_Field>:$field, Optional<PM_TableType>:$table);
  let assemblyFormat = [{
    $name (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict
    (`->` type($field)^)? (`table` type($table)^)?
  }];
}

def PM_SampleCountOp : PM_Op<"sample_count", [Pure]> {
  let summary = "how many samples a stream has";
  let arguments = (ins StrAttr:$name);
  let results = (outs I64:$count);
  let assemblyFormat = "$name attr-dict";
}

def PM_SamplesOp
    : PM_FieldOp<"samples", [PM_NativeTrait<"EffectsOfBuffers">,
        MemoryEffectsOpInterface, PM_PlaceableOpInterface, PM_ShardableOpInterface]> {
  let summary = "reads samples of a stream";
  let description = [{
    ```mlir
    %a = pm.samples "boxes"[%i : i64] -> !pm.field<[x, y], f32>
    %b = pm.samples "boxes"[%p : !pm.field<[s], i64>] -> !pm.field<[s, x, y], f32>
    ```
    The sample of a number, or those whose numbers a field has, along its dim.
    Not speculatable: what is not needed is not read, and may not be there.

    Constraint: the index is an i64, or a field of them over one dim, which the
    result has before all others.
  }];
  let arguments = (ins StrAttr:$name, AnyTypeOf<[I64, PM_Grid]>:$index,
                       Variadic<PM_Buffer>:$outs);
  let results = (outs Optional<PM_Field>:$result);
  let assemblyFormat = [{
    $name `[` $index `:` type($index) `]` (`outs` `(` $outs^ `:` type($outs) `)`)?
    attr-dict (`->` type($result)^)?
  }];
  let hasVerifier = 1;
}

def PM_PrefetchSamplesOp
    : PM_Op<"prefetch_samples", [MemoryEffects<[MemWrite]>, PM_ShardableOpInterface]> {
  let summary = "says which samples will be needed next";
  let description = [{
    As pm.samples, which will come: the runtime may begin to read. A number that
    no sample has is none.
  }];
  let arguments = (ins StrAttr:$name, AnyTypeOf<[I64, PM_Grid]>:$index);
  let assemblyFormat = "$name `[` $index `:` type($index) `]` attr-dict";
}

def PM_LengthOp : PM_Op<"length", [Pure, PM_IsExpanded]> {
  let summary = "the physical length of a declared dim";
  let arguments = (ins StrAttr:$dim);
  let results = (outs F64:$value);
  let assemblyFormat = "$dim attr-dict";
}

#endif // PMC_DIALECT_PMPROGRAMOPS_TD
