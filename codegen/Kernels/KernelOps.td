//===- KernelOps.td - The pmk dialect: kernels -------------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_KERNELS_KERNELOPS_TD
#define PMC_CODEGEN_KERNELS_KERNELOPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "codegen/Kernels/KernelEnums.td"
include "dialect/IR/PMBase.td"

def PMK_Dialect : Dialect {
  let name = "pmk";
  let summary = "kernels: functions that threads call on parts of a domain";
  let description = [{
    What upstream dialects do not say of kernels: memory as spans of typed
    elements, and how the host launches them. All else is arith, math, scf, func
    and, for GPUs, nvvm. The form behind the buffer form and in front of the LLVM
    dialect.
  }];
  let cppNamespace = "::pmc::pmk";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::pmc::pm::PMDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def PMK_Span : TypeDef<PMK_Dialect, "Span"> {
  let mnemonic = "span";
  let summary = "elements that lie one after the other";
  let description = [{
    Numbers, or spans: a table of rows. Its length is not part of it. A span is an
    address at run time, so that arguments of kernels cost nothing. Complex
    elements are two reals, those of i1 bytes.

    `shared`: memory of a block of GPU threads.
  }];
  let parameters = (ins "::mlir::Type":$element,
                        DefaultValuedParameter<"::pmc::pmk::Space",
                                               "::pmc::pmk::Space::Global">:$space);
  let builders = [TypeBuilderWithInferredContext<
      (ins "::mlir::Type":$element,
           CArg<"::pmc::pmk::Space", "::pmc::pmk::Space::Global">:$space), [{
    return $_get(element.getContext(), element, space);
  }]>];
  let skipDefaultBuilders = 1;
  let genVerifyDecl = 1;
  let assemblyFormat = "`<` $element (`,` $space^)? `>`";
}

def PMK_Pointer
    : Type<CPred<"$_self == ::mlir::LLVM::LLVMPointerType::get($_self.getContext())">,
           "an address of the runtime", "::mlir::LLVM::LLVMPointerType">,
      BuildableType<"::mlir::LLVM::LLVMPointerType::get($_builder.getContext())">;

class PMK_Op<string mnemonic, list<Trait> traits = []>
    : Op<PMK_Dialect, mnemonic, traits>;

def PMK_SpanOp : PMK_Op<"span", [Pure]> {
  let summary = "the elements at an address of the runtime";
  let description = [{
    ```mlir
    %mesh = pmk.span %address : !llvm.ptr -> !pmk.span<f32>
    ```
    Constraints: `shared` spans are of addresses in the space that GPUs share by
    block.
  }];
  let arguments = (ins AnyType:$address);
  let results = (outs PMK_Span:$span);
  let hasVerifier = 1;
  let assemblyFormat = "$address attr-dict `:` type($address) `->` qualified(type($span))";
}

def PMK_AddressOp : PMK_Op<"address", [Pure]> {
  let summary = "where a span begins";
  let description = [{
    ```mlir
    %address = pmk.address %mesh : !pmk.span<f32> -> !llvm.ptr
    ```
  }];
  let arguments = (ins PMK_Span:$span);
  let results = (outs AnyType:$address);
  let hasVerifier = 1;
  let hasFolder = 1;
  let assemblyFormat = "$span attr-dict `:` qualified(type($span)) `->` type($address)";
}

def PMK_AtOp : PMK_Op<"at", [Pure, AllTypesMatch<["span", "result"]>]> {
  let summary = "the elements of a span from one on";
  let description = [{
    ```mlir
    %row = pmk.at %mesh[%first] : !pmk.span<f32>
    ```
    The element must be of the span's memory, or the one behind its last.
  }];
  let arguments = (ins PMK_Span:$span, I64:$index);
  let results = (outs PMK_Span:$result);
  let assemblyFormat = "$span `[` $index `]` attr-dict `:` qualified(type($span))";
}

def PMK_LoadOp : PMK_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "an element of a span";
  let description = [{
    ```mlir
    %density = pmk.load %mesh[%cell] : !pmk.span<f32> -> f32
    %eight = pmk.load %chunk[%first] : !pmk.span<f32> -> vector<8xf32>
    %four = pmk.load %row[%any] unaligned : !pmk.span<f32> -> vector<4xf32>
    ```
    Constraints: the result is an element, or a vector of elements, to which the
    span is aligned, unless the load is `unaligned`.
  }];
  let arguments = (ins PMK_Span:$span, I64:$index, UnitAttr:$unaligned);
  let results = (outs AnyType:$value);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $span `[` $index `]` (`unaligned` $unaligned^)? attr-dict `:`
    qualified(type($span)) `->` type($value)
  }];
}

def PMK_StoreOp : PMK_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "store an element of a span";
  let description = [{
    ```mlir
    pmk.store %density, %mesh[%cell] : f32, !pmk.span<f32>
    pmk.store %four, %mesh[%cell] : vector<4xf32>, !pmk.span<f32>
    ```
    The value is an element, or a vector of elements, to which the span is aligned.
    `unbounded`: the span begins where its first element would be, which may be
    outside of the memory.
    `atomic`: the host may read the element at any time, and gets a whole one.
  }];
  let arguments = (ins AnyType:$value, PMK_Span:$span, I64:$index,
                       UnitAttr:$unbounded, UnitAttr:$atomic);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $value `,` $span `[` $index `]` (`unbounded` $unbounded^)?
    (`atomic` $atomic^)? attr-dict
    `:` type($value) `,` qualified(type($span))
  }];
}

def PMK_ScopeAttr : EnumAttr<PMK_Dialect, PMK_Scope, "scope">;

def PMK_AtomicAddOp
    : PMK_Op<"atomic_add", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "add to an element of a span that others add to";
  let description = [{
    ```mlir
    pmk.atomic_add device %weight, %mesh[%cell] : f32, !pmk.span<f32>
    ```
    All threads of the `device` may do so, or those of a `block`. In no order:
    sums of floats may differ in their last bits, those of integers do not.
  }];
  let arguments = (ins PMK_ScopeAttr:$scope, AnyType:$value, PMK_Span:$span,
                       I64:$index);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $scope $value `,` $span `[` $index `]` attr-dict `:` type($value) `,`
    qualified(type($span))
  }];
}

def PMK_ChunkOp : PMK_Op<"chunk", [MemoryEffects<[MemAlloc]>]> {
  let summary = "memory of a kernel for some elements";
  let description = [{
    ```mlir
    %weights = pmk.chunk 64 : !pmk.span<f32>
    ```
    In the function's frame, aligned for vectors of 64 bytes.

    Constraints: it is in the function's first block; the elements are numbers and
    fill vectors of 64 bytes.
  }];
  let arguments = (ins I64Attr:$size);
  let results = (outs PMK_Span:$span);
  let hasVerifier = 1;
  let assemblyFormat = "$size attr-dict `:` qualified(type($span))";
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

/// How a kernel's loops were made: its attribute `pmk.schedule`.
class PMK_Schedule<string name, string mnemonic_>
    : AttrDef<PMK_Dialect, name> {
  let mnemonic = mnemonic_;
}

def PMK_RowsAttr : PMK_Schedule<"Rows", "rows"> {
  let summary = "a call takes rows, all along the last dim";
  let description = [{
    `#pmk.rows<chunk = 64>`: so many elements at a time, in a loop for each of what
    is done with them. `#pmk.rows<chunk = 1>`: one after the other.
    Domains of one dim are handed out by elements.
  }];
  let parameters = (ins "int64_t":$chunk);
  let assemblyFormat = "`<` struct(params) `>`";
}

def PMK_ThreadGroupsAttr : PMK_Schedule<"ThreadGroups", "thread_groups"> {
  let summary = "groups of neighboring threads take rows";
  let description = [{
    `#pmk.thread_groups<threads = 16, width = 4>`: a thread takes four elements side by
    side, the next thread the next four. Of domains of one dim all threads are a
    group.
  }];
  let parameters = (ins "int64_t":$threads, "int64_t":$width);
  let assemblyFormat = "`<` struct(params) `>`";
}

def PMK_ParticleBlocksAttr : PMK_Schedule<"ParticleBlocks", "particle_blocks"> {
  let summary = "blocks of threads take particle blocks, and add to tiles first";
  let description = [{
    `#pmk.particle_blocks<particles = [8, 8, 16], tile = [11, 11, 20]>`: the extents of
    a particle block, and of the cells that a block has in shared memory.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$particles,
                        ArrayRefParameter<"int64_t">:$tile);
  let assemblyFormat = [{
    `<` `particles` `=` `[` $particles `]` `,` `tile` `=` `[` $tile `]` `>`
  }];
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// What starts kernels. `title`: what the profiler shows; `line`: the place in
/// the spec, a number of the descriptor's list.
class PMK_Launch<string mnemonic, list<Trait> traits = []>
    : PMK_Op<mnemonic,
             traits # [DeclareOpInterfaceMethods<SymbolUserOpInterface>]>;

def PMK_ParallelForOp : PMK_Launch<"parallel_for"> {
  let summary = "call a kernel on parts of a domain, on the host's threads";
  let description = [{
    ```mlir
    pmk.parallel_for @kernel.map(%a, %b, %length) over %rows each %bytes "map" at 3
        : !pmk.span<f32>, !pmk.span<f32>, i64
    ```
    A call gets the values and, behind them, the first and the end of a range of
    [0, `rows`). `each`: the bytes that one part reads and writes.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyType>:$captures,
                       I64:$count, I64:$bytes, StrAttr:$title, I32Attr:$line);
  let assemblyFormat = [{
    $kernel `(` $captures `)` `over` $count `each` $bytes $title `at` $line
    attr-dict (`:` type($captures)^)?
  }];
}

def PMK_ParallelListOp : PMK_Launch<"parallel_list"> {
  let summary = "call a kernel on lists of a domain's elements";
  let description = [{
    ```mlir
    pmk.parallel_list cell_blocks @b list @l(%a, %mesh) over %elements each %bytes "readout" at 3
        : !pmk.span<f32>, !pmk.span<f32>
    ```
    For elements that read a mesh anywhere: `cell_blocks` finds which cell block of the mesh
    each of a range of elements reads, `list` computes listed ones. The runtime
    lists them in the order of their cell blocks (`pmrt_parallel_list`). `each`: the
    bytes that one element reads and writes.
  }];
  let arguments = (ins FlatSymbolRefAttr:$cellBlocks, FlatSymbolRefAttr:$list,
                       Variadic<AnyType>:$captures, I64:$count, I64:$bytes,
                       StrAttr:$title, I32Attr:$line);
  let assemblyFormat = [{
    `cell_blocks` $cellBlocks `list` $list `(` $captures `)` `over` $count `each` $bytes
    $title `at` $line attr-dict (`:` type($captures)^)?
  }];
}

def PMK_ParallelBlocksOp
    : PMK_Launch<"parallel_blocks", [AttrSizedOperandSegments]> {
  let summary = "call a kernel on blocks of a lattice";
  let description = [{
    ```mlir
    pmk.parallel_blocks box @b block @k rows @r(%a, %mesh) of [%n0, %n1, %n2] by [16, 16, 64]
        reads %array support [2, 2, 2] each %bytes "readout" at 3
        : !pmk.span<f32>, !pmk.span<f32>
    ```
    For elements that read meshes around their lattice sites. The runtime calls three
    kernels, which all get the values (`pmrt_block_bodies`): `box` finds the cells
    that a range of elements reads, `block` computes the range from a copy of these
    cells in which the meshes are interleaved, `rows` computes rows from the meshes
    themselves. With `fill` in the place of `rows`, the copy has so many `fields`,
    whose cells `fill` computes from the meshes, from cells at most `below` and
    `above` away.

    `extents`: the domain's local sites along each dim, `block`: sites of a block,
    `support`: cells that a window touches along each mesh dim. Of meshes that are
    split over ranks, `halos` are the halo views. `each`: the bytes that one element reads
    and writes. If `renews` is not 0, the runtime calls `box` again after `block`, for the
    next loop that shares the boxes.
  }];
  let arguments = (ins FlatSymbolRefAttr:$box, FlatSymbolRefAttr:$block,
                       OptionalAttr<FlatSymbolRefAttr>:$rows,
                       OptionalAttr<FlatSymbolRefAttr>:$fill,
                       OptionalAttr<I32Attr>:$fields,
                       OptionalAttr<DenseI64ArrayAttr>:$below,
                       OptionalAttr<DenseI64ArrayAttr>:$above,
                       Variadic<AnyType>:$captures,
                       Variadic<I64>:$extents, DenseI64ArrayAttr:$sites,
                       Variadic<PMK_Pointer>:$meshes,
                       Variadic<PMK_Pointer>:$halos,
                       DenseI64ArrayAttr:$support, I64:$bytes,
                       Optional<I64>:$renews, StrAttr:$title, I32Attr:$line);
  let assemblyFormat = [{
    `box` $box `block` $block (`rows` $rows^)?
    (`fill` $fill^ `fields` $fields `below` $below `above` $above)?
    `(` $captures `)` `of` `[` $extents `]`
    `by` $sites `reads` $meshes (`halos` $halos^)? `support` $support `each` $bytes
    (`renews` $renews^)? $title `at` $line attr-dict (`:` type($captures)^)?
  }];
}

def PMK_SpectralFilterOp : PMK_Launch<"spectral_filter"> {
  let summary = "call a kernel on the modes between two transforms";
  let description = [{
    ```mlir
    pmk.spectral_filter @kernel.spectral_filter(%a, %length) from %field through %spectrum to %result
        over 7 "spectral_filter" at 3 : !pmk.span<f32>, i64
    ```
    The runtime transforms the array `field` forwards to `spectrum` and that one
    backwards to `result`, along the dims whose bits are set in `over`. In between, a
    call gets the values and, behind them, the first of some rows of the spectrum, the
    step to the next one, their number, the first mode in each row and the end, a span
    of these modes, and how many elements of it a row takes.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyType>:$captures,
                       PMK_Pointer:$field, PMK_Pointer:$spectrum,
                       PMK_Pointer:$result, I32Attr:$over, StrAttr:$title,
                       I32Attr:$line);
  let assemblyFormat = [{
    $kernel `(` $captures `)` `from` $field `through` $spectrum `to` $result `over`
    $over $title `at` $line attr-dict (`:` type($captures)^)?
  }];
}

def PMK_ParallelReduceOp : PMK_Launch<"parallel_reduce"> {
  let summary = "call a kernel on parts of a domain, and reduce what it gives";
  let description = [{
    ```mlir
    pmk.parallel_reduce sum @kernel.sum(%a) into %out, 2 over %rows each %bytes "sum" at 3
        : !pmk.span<f32>
    ```
    As `pmk.parallel_for`; calls get one more argument, a span of as many
    accumulators (f64), which they combine with their values. They end in `out`, an address, in an order that
    depends on the number of threads alone.
  }];
  let arguments = (ins PM_ReductionAttr:$kind, FlatSymbolRefAttr:$kernel,
                       Variadic<AnyType>:$captures, PMK_Pointer:$out,
                       I64Attr:$width, I64:$count, I64:$bytes, StrAttr:$title,
                       I32Attr:$line);
  let assemblyFormat = [{
    $kind $kernel `(` $captures `)` `into` $out `,` $width `over` $count `each`
    $bytes $title `at` $line attr-dict (`:` type($captures)^)?
  }];
}

def PMK_ParallelScatterOp
    : PMK_Launch<"parallel_scatter", [AttrSizedOperandSegments]> {
  let summary = "paint particles on the host's threads";
  let description = [{
    ```mlir
    pmk.parallel_scatter bounds @b block @k planes @p list @l copy @c (%a, %mesh) onto %array
        of [%n0, %n1, %rest] support 2 "paint" at 3 : !pmk.span<f32>, !pmk.span<f32>
    ```
    The runtime decides which particles may be painted at the same time. It calls
    five kernels of one body, which all get the values (`pmrt_scatter_bodies`):
    `bounds` measures where rows of particles reach, `block` paints rows, `planes`
    finds the planes of particles, `list` paints listed ones, `copy` paints rows on
    copies of the meshes. With wide windows there is a sixth, `cell_blocks`, which
    finds the cell blocks that particles of some planes are sorted by.

    `particles`: rows along the first and the second dim, particles a row. `lattice`: they
    are at their sites but for displacements of so many cells a site (`ratios`).
    Of meshes that are split over ranks, `halo` is the halo view, and `offsets` where
    the rank's rows begin.

    `cached`: blocks of the lattice are painted in copies of the boxes of cells that
    they touch (`pmrt_scatter_blocks`). The first kernel finds the box of a block, the
    second one deposits its particles in the copy. `extents`: the lattice's local sites
    along each dim, `sites`: those of a block, `widths`: cells that a window touches
    along each mesh dim, `halos`: the views of meshes that are split over ranks.

    `stencil`: a third kernel computes rows of the meshes from `fields` fields that
    are deposited in their place; then the five kernels are missing. It reads at
    most `below` and `above` cells away, along the rows `taps`: for each the number
    of a field, and an offset along each mesh dim but the last.
  }];
  let arguments = (ins OptionalAttr<FlatSymbolRefAttr>:$bounds,
                       OptionalAttr<FlatSymbolRefAttr>:$block,
                       OptionalAttr<FlatSymbolRefAttr>:$planes,
                       OptionalAttr<FlatSymbolRefAttr>:$list,
                       OptionalAttr<FlatSymbolRefAttr>:$copy,
                       OptionalAttr<FlatSymbolRefAttr>:$cellBlocks,
                       Variadic<AnyType>:$captures,
                       Variadic<PMK_Pointer>:$meshes,
                       Optional<PMK_Pointer>:$halo,
                       Optional<PMK_Pointer>:$offsets,
                       Variadic<I64>:$particles,
                       Optional<PMK_Pointer>:$ratios, I32Attr:$support,
                       OptionalAttr<FlatSymbolRefAttr>:$box,
                       OptionalAttr<FlatSymbolRefAttr>:$deposit,
                       Variadic<I64>:$extents,
                       OptionalAttr<DenseI64ArrayAttr>:$sites,
                       OptionalAttr<DenseI64ArrayAttr>:$widths,
                       Variadic<PMK_Pointer>:$halos,
                       OptionalAttr<FlatSymbolRefAttr>:$stencil,
                       OptionalAttr<I64Attr>:$fields,
                       OptionalAttr<DenseI64ArrayAttr>:$below,
                       OptionalAttr<DenseI64ArrayAttr>:$above,
                       OptionalAttr<DenseI64ArrayAttr>:$taps,
                       StrAttr:$title, I32Attr:$line);
  let assemblyFormat = [{
    (`bounds` $bounds^ `block` $block `planes` $planes `list` $list `copy` $copy)?
    (`cell_blocks` $cellBlocks^)? `(` $captures `)` `onto` $meshes (`halo` $halo^ `from` $offsets)?
    `of` `[` $particles `]` (`lattice` $ratios^)? `support` $support
    (`cached` $box^ `deposit` $deposit `of` `[` $extents `]` `by` $sites `widths` $widths
     `halos` `(` $halos `)`)?
    (`stencil` $stencil^ `fields` $fields `below` $below `above` $above `taps` $taps)? $title `at`
    $line attr-dict (`:` type($captures)^)?
  }];
}

def PMK_GridAttr : EnumAttr<PMK_Dialect, PMK_Grid, "grid">;

def PMK_LaunchOp : PMK_Launch<"launch"> {
  let summary = "start a kernel on a GPU";
  let description = [{
    ```mlir
    pmk.launch @pmc.device::@kernel_map(%a, %length) on %items threads of 256 shared 0 moves %bytes "map" at 3
        : !pmk.span<f32>, i64
    ```
    On so many threads at least, or exactly so many blocks, of 256 threads each,
    which have so many bytes of shared memory; `moves`: the bytes that are read and
    written. The host does not wait.
  }];
  let arguments = (ins SymbolRefAttr:$kernel, Variadic<AnyType>:$captures,
                       I64:$amount, PMK_GridAttr:$grid, I32Attr:$block_size,
                       I32Attr:$shared, I64:$bytes, StrAttr:$title,
                       I32Attr:$line);
  let assemblyFormat = [{
    $kernel `(` $captures `)` `on` $amount $grid `of` $block_size `shared`
    $shared `moves` $bytes $title `at` $line attr-dict
    (`:` type($captures)^)?
  }];
}

#endif // PMC_CODEGEN_KERNELS_KERNELOPS_TD
