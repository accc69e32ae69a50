//===- PMBase.td - The pm dialect, its attributes and types -*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_PMBASE_TD
#define PMC_DIALECT_PMBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def PM_Dialect : Dialect {
  let name = "pm";
  let cppNamespace = "::pmc::pm";
  let summary = "Distributed fields, particles, FFTs and halos.";
  let description = [{
    The `pm` dialect says what a particle-mesh pipeline computes. Fields have
    value semantics and named dimensions; particles are fields over their
    Lagrangian dimensions; physics is not in the dialect but in the library.

    It has two views. In the *global view* a field is the whole field. In the
    *SPMD view* (after sharding) every dim says which mesh axes split it
    (`x=128 on(row)`) and a field is one rank's part. After memory planning fields
    are `!pm.buffer`s and ops write to `outs`.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
    "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect"
  ];
}

//===----------------------------------------------------------------------===//
// Enums
//===----------------------------------------------------------------------===//

def PM_DimKind : I32EnumAttr<"DimKind", "what a dimension counts", [
    I32EnumAttrCase<"Space", 0, "space">,
    I32EnumAttrCase<"Dual", 1, "dual">,
    I32EnumAttrCase<"Half", 2, "half">]> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::pmc::pm";
}

def PM_Reduction : I32EnumAttr<"Reduction", "how values are combined", [
    I32EnumAttrCase<"Sum", 0, "sum">,
    I32EnumAttrCase<"Min", 1, "min">,
    I32EnumAttrCase<"Max", 2, "max">]> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::pmc::pm";
}

def PM_Edge : I32EnumAttr<"Edge", "what lies beyond the first and the last cell of a dim", [
    I32EnumAttrCase<"Periodic", 0, "periodic">,
    I32EnumAttrCase<"Zero", 1, "zero">,
    I32EnumAttrCase<"Clamp", 2, "clamp">,
    I32EnumAttrCase<"Reflect", 3, "reflect">]> {
  let description = [{
    With n cells, cell i is: `periodic`, cell i modulo n; `zero`, 0; `clamp`, the
    nearest cell; `reflect`, cell −i, or 2(n − 1) − i beyond the last one, |i|
    beyond the ends being less than n.
  }];
  let genSpecializedAttr = 0;
  let cppNamespace = "::pmc::pm";
}

def PM_SortKind : I32EnumAttr<"SortKind", "what a sort makes", [
    I32EnumAttrCase<"Values", 0, "values">,
    I32EnumAttrCase<"Order", 1, "order">,
    I32EnumAttrCase<"Ranks", 2, "ranks">]> {
  let description = [{
    Of each line: `values`, its elements in order; `order`, the index of the first
    one, of the second one, and so on; `ranks`, the position of each element in this
    order.
  }];
  let genSpecializedAttr = 0;
  let cppNamespace = "::pmc::pm";
}

def PM_LoopEvent : I32EnumAttr<"LoopEvent", "a point in the life of a loop", [
    I32EnumAttrCase<"Begin", 0, "begin">,
    I32EnumAttrCase<"Step", 1, "step">,
    I32EnumAttrCase<"End", 2, "end">,
    I32EnumAttrCase<"Skip", 3, "skip">]> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::pmc::pm";
}

def PM_Schedule : I32EnumAttr<"Schedule", "how loops are reversed", [
    I32EnumAttrCase<"Keep", 0, "keep">,
    I32EnumAttrCase<"Revolve", 1, "revolve">,
    I32EnumAttrCase<"Reverse", 2, "reverse">]> {
  let description = [{
    `keep`: every state is kept. `revolve`: a given number of states, and the rest
    is computed again (Griewank & Walther 2000). `reverse`: states are recovered from
    the last one, where a loop only adds to what it carries, as leapfrog does;
    other loops keep theirs.
  }];
  let genSpecializedAttr = 0;
  let cppNamespace = "::pmc::pm";
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class PM_Attr<string name, string attrMnemonic> : AttrDef<PM_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def PM_DimAttr : PM_Attr<"Dim", "dim"> {
  let summary = "a named dimension";
  let description = [{
    Prints as in types: `x=128` (128 nodes), `x*2=256` (refined: twice the nodes
    on the same length), `x/2=64` (coarsened: every second node), `kx=dual(128)` (its modes), `kz=half(128)` (modes
    0 … 64 of a real field's last transformed dim), `x=128 on(row)`,
    `x=128 on(row,col)` (split over mesh axes, SPMD view).

    Constraints:
    1. `extent` >= 1: the number of nodes, for duals too;
    2. `refine` >= 1 divides `extent`; below −1 it says how much coarser the dim is.
  }];
  let parameters = (ins
    StringRefParameter<"name of the space dim, without factor or k">:$name,
    "int64_t":$extent, "int64_t":$refine, "::pmc::pm::DimKind":$kind,
    OptionalArrayRefParameter<"::mlir::StringAttr", "mesh axes, major first">:$axes);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static DimAttr get(::mlir::MLIRContext *context, ::llvm::StringRef name,
                       int64_t extent, int64_t refine = 1,
                       DimKind kind = DimKind::Space) {
      return get(context, name, extent, refine, kind,
                 ::llvm::ArrayRef<::mlir::StringAttr>());
    }
    /// Elements stored along the dim: extent/2+1 for half dims.
    int64_t getStoredExtent() const {
      return getKind() == DimKind::Half ? getExtent() / 2 + 1 : getExtent();
    }
    bool isSpace() const { return getKind() == DimKind::Space; }
    bool isHalf() const { return getKind() == DimKind::Half; }
    /// "x", "x*2", "x/2", "kx": what the user sees, unique in a program.
    std::string getLabel() const;
    /// The number of cells that this dim has for one of `coarser`, a dim of the
    /// same length; 0 if it is not a refinement of it.
    int64_t getFactor(DimAttr coarser) const {
      bool isFiner = isSpace() && coarser.isSpace() &&
                     getName() == coarser.getName() &&
                     getExtent() % coarser.getExtent() == 0;
      return isFiner ? getExtent() / coarser.getExtent() : 0;
    }
    DimAttr withKind(DimKind kind) const {
      return get(getContext(), getName(), getExtent(), getRefine(), kind,
                 getAxes());
    }
    DimAttr withAxes(::llvm::ArrayRef<::mlir::StringAttr> axes) const {
      return get(getContext(), getName(), getExtent(), getRefine(), getKind(),
                 axes);
    }
    /// The same dim regardless of layout.
    DimAttr withoutAxes() const { return withAxes({}); }
  }];
}

def PM_DimsAttr : PM_Attr<"Dims", "dims"> {
  let summary = "a list of dimensions: an iteration space";
  let description = "`#pm.dims<[x=128, y=128]>`; in the text of ops, the list alone.";
  let parameters = (ins ArrayRefParameter<"::pmc::pm::DimAttr">:$dims);
  let hasCustomAssemblyFormat = 1;
}

def PM_WindowAttr : PM_Attr<"Window", "window"> {
  let summary = "how a particle's weight is spread over cells, along each dim";
  let description = [{
    `ngp`, `cic`, `tsc`, `pcs`: the splines (Hockney & Eastwood, ch. 5) of support 1
    to 4. `of<6, array<f64: …>>`: a window of that support; for each of its cells, the
    lowest first, the coefficients of a polynomial, that of the constant term
    first: the cell's weight as a function of the particle's distance from the
    window's middle, which is between -1/2 and 1/2: from the middle cell, or from
    the point between the two middle cells. `tsc batch [0]`: along the mesh's first dim the nearest
    cell alone; there positions count the sets of a batch.

    Constraints:
    1. the support of a spline is 1 to 4, of others 2 to 14;
    2. as many coefficients for each cell, at most 32;
    3. dims of a batch are in ascending order.
  }];
  let parameters = (ins "unsigned":$width,
    "::mlir::DenseF64ArrayAttr":$coefficients,
    OptionalArrayRefParameter<"int64_t", "mesh dims that count a batch">:$batch);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static constexpr unsigned most = 14;
    static constexpr unsigned mostCoefficients = 32;

    /// The spline of this support.
    static WindowAttr getSpline(::mlir::MLIRContext *context, unsigned support) {
      return get(context, support, {}, {});
    }
    /// Null if it is the name of no spline.
    static WindowAttr getSpline(::mlir::MLIRContext *context,
                                ::llvm::StringRef name);
    bool isSpline() const { return !getCoefficients(); }
    bool isBatch(size_t dim) const {
      return ::llvm::is_contained(getBatch(), int64_t(dim));
    }
    WindowAttr withBatch(::llvm::ArrayRef<int64_t> dims) const {
      return get(getContext(), getWidth(), getCoefficients(), dims);
    }
    /// Cells that it touches along a mesh dim.
    unsigned getSupport(size_t dim) const {
      return isBatch(dim) ? 1 : getWidth();
    }
    /// Its weights do not change where a particle moves a little along the dim.
    bool isConstant(size_t dim) const { return getSupport(dim) == 1; }
    /// The weights of its cells as polynomials of the distance.
    ::llvm::SmallVector<::llvm::SmallVector<double>> getPolynomials() const;
    /// A window of coefficients that is its own mirror image.
    bool isEven() const;
    /// No weight along a dim is larger, of the window differentiated so often.
    double getBound(int64_t order) const;
  }];
}
def PM_ReductionAttr : EnumAttr<PM_Dialect, PM_Reduction, "reduction">;
def PM_ScheduleAttr : EnumAttr<PM_Dialect, PM_Schedule, "schedule">;
def PM_EdgeAttr : EnumAttr<PM_Dialect, PM_Edge, "edge">;
def PM_EdgesAttr : TypedArrayAttrBase<PM_EdgeAttr, "one edge a dim">;
def PM_LoopEventAttr : EnumAttr<PM_Dialect, PM_LoopEvent, "loop_event">;
def PM_SortKindAttr : EnumAttr<PM_Dialect, PM_SortKind, "sort_kind">;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class PM_Type<string name, string typeMnemonic> : TypeDef<PM_Dialect, name> {
  let mnemonic = typeMnemonic;
}

class PM_GridType<string name, string typeMnemonic> : PM_Type<name, typeMnemonic> {
  let parameters = (ins ArrayRefParameter<"::pmc::pm::DimAttr">:$dims,
                        "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    unsigned getRank() const { return getDims().size(); }
  }];
}

def PM_FieldType : PM_GridType<"Field", "field"> {
  let summary = "a value for every element of named dims";
  let description = [{
    `!pm.field<[x=128, y=128, z=128], f32>`,
    `!pm.field<[kx=dual(128), ky=dual(128), kz=half(128)], complex<f32>>`.

    Constraints:
    1. at least one dim, at most 12; no two dims of one label;
    2. the element is f32, f64, complex of these, i1 or i64;
    3. at most one half dim; no mesh axis splits two dims.
  }];
}

def PM_BufferType : PM_GridType<"Buffer", "buffer"> {
  let summary = "memory that holds a field";
  let description = [{
    What fields become when memory has been planned: dense, row-major, the last
    dim fastest. Same parameters and constraints as `!pm.field`.
  }];
}

def PM_HaloType : PM_GridType<"Halo", "halo"> {
  let summary = "the cells around a rank's part of a mesh";
  let description = [{
    `!pm.halo<[x=128 on(row), y=128 on(col), z=128], f32>`: other ranks' cells
    that lie around the part that this rank owns, as far as a `!pm.displacement_bound` says. Owned
    cells are not in it; they are those of the mesh. Not a field: it has no
    place in the memory plan, as its size is known when it is made.

    Constraint: dims and element are those of a field.
  }];
}

def PM_DisplacementBoundType : PM_Type<"DisplacementBound", "displacement_bound"> {
  let summary = "how far particles go beyond a rank's part of a mesh";
  let description = [{
    Along every dim of a mesh, the cells needed below and above the part that a
    rank owns: the same numbers on all ranks, 0 along dims that are not split.
  }];
}

def PM_InFlightType : PM_Type<"InFlight", "in_flight"> {
  let summary = "a field or a halo that is arriving";
  let description = [{
    `!pm.in_flight<!pm.field<[x=128, y=128 on(row)], f32>>`: what a message brings
    that has been started. Nothing reads it but the op that waits for the
    message, which gives the field or the halo. In the buffer form a field
    arrives in a buffer, and the message is the `!pm.pending` alone.

    Constraint: what arrives is a field or a halo.
  }];
  let parameters = (ins "::mlir::Type":$type);
  let assemblyFormat = "`<` $type `>`";
  let genVerifyDecl = 1;
}

def PM_PartialType : PM_Type<"Partial", "partial"> {
  let summary = "a rank's part of a reduction";
  let description = [{
    `!pm.partial<!pm.field<[b=64], f64>, sum over [row, col]>`: what a rank has
    reduced of its own part of dims. The value is that of all ranks along the
    axes, combined: `pm.all_reduce` makes it of numbers, `pm.reduce_fields` of
    fields, `pm.halo_reduce` of a painted mesh and what was painted beyond it.
    Nothing else reads it. Axes are a set: types have them in alphabetic order.
    In the buffer form a partial field is in a buffer.

    Constraints: 1. a number of f64, a field or a halo;
    2. at least one axis, each once.
  }];
  let parameters = (ins "::mlir::Type":$type, "::pmc::pm::Reduction":$kind,
    ArrayRefParameter<"::mlir::StringAttr", "in alphabetic order">:$axes);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The type of what is partial over these axes, in any order, which is
    /// `type` itself if there are none.
    static ::mlir::Type getOver(::mlir::Type type, Reduction kind,
                                ::llvm::ArrayRef<::mlir::StringAttr> axes);
  }];
}

def PM_PendingType : PM_Type<"Pending", "pending"> {
  let summary = "a message that has been started";
}

def PM_TableType : PM_Type<"Table", "table"> {
  let summary = "a function of one variable, tabulated in f64";
}

def PM_RowSumsType : PM_Type<"RowSums", "row_sums"> {
  let summary = "sums for the rows of a table";
  let description = [{
    No table, as it changes and is not to be looked up: it is added to, until
    `pm.sum_rows` makes a table of it.
  }];
}

def PM_CheckpointStoreType : PM_Type<"CheckpointStore", "checkpoint_store"> {
  let summary = "memory for the states of a loop";
}

def PM_Field : Type<CPred<"::llvm::isa<::pmc::pm::FieldType>($_self)">, "field">;
class PM_About<string about, string type, string summary>
    : Type<And<[CPred<"::llvm::isa<::pmc::pm::" # about # ">($_self)">,
                CPred<"::llvm::isa<" # type # ">(::pmc::pm::getUnderlying($_self))">]>,
           summary>;
def PM_FieldInFlight : PM_About<"InFlightType", "::pmc::pm::FieldType", "field in flight">;
def PM_HaloInFlight : PM_About<"InFlightType", "::pmc::pm::HaloType", "halo in flight">;
def PM_PartialNumber : PM_About<"PartialType", "::mlir::FloatType", "partial number">;
def PM_PartialField : PM_About<"PartialType", "::pmc::pm::FieldType", "partial field">;
def PM_PartialHalo : PM_About<"PartialType", "::pmc::pm::HaloType", "partial halo">;

/// What a reduction gives: partial, if mesh axes split what it reduces over.
def PM_MaybePartialNumber : AnyTypeOf<[F64, PM_PartialNumber], "f64 or partial number">;
def PM_MaybePartialField : AnyTypeOf<[PM_Field, PM_PartialField], "field or partial field">;

def PM_Buffer : Type<CPred<"::llvm::isa<::pmc::pm::BufferType>($_self)">, "buffer">;
def PM_Grid : Type<CPred<"::llvm::isa<::pmc::pm::FieldType, ::pmc::pm::BufferType>($_self)">,
                   "field or buffer">;

#endif // PMC_DIALECT_PMBASE_TD
