//===- PMSpectralOps.td - Filters of spectra ---------------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The op that a pass makes of a transform, a map over its modes and the inverse
// transform.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_PMSPECTRALOPS_TD
#define PMC_DIALECT_PMSPECTRALOPS_TD

include "dialect/IR/PMOps.td"

def PM_SpectralFilterOp : PM_FieldOp<"spectral_filter", [PM_PureOnFields,
    AttrSizedOperandSegments, SingleBlock, PM_ShardableOpInterface,
    DeclareOpInterfaceMethods<PM_DomainOpInterface>]> {
  let summary = "a transform, a map over its modes, and the transform back";
  let description = [{
    r = IFFT(body(FFT(f), a_1, …, a_n, k)) over the named space dims. Neither
    transform has a factor (as in `pm.fft raw`). The domain holds the dims of the
    spectrum. The body computes a mode from its elements of the inputs, as in
    `pm.map`, and from the mode of FFT(f), which is its last argument.

    ```mlir
    %r, %memory = pm.spectral_filter %f over ["x", "y"]
        through [kx=dual(64), ky=half(64)] ins(%g : !pm.field<[kx=dual(64)], f32>) {
    ^bb0(%factor: f32, %mode: complex<f32>):
      ...
      pm.yield %product : complex<f32>
    } : !pm.field<[x=64, y=64], f32> -> !pm.field<[x=64, y=64], f32>,
        !pm.field<[kx=dual(64), ky=half(64)], complex<f32>>
    ```
    The body runs on blocks of lines between the last pass of the forward transform
    and the first pass of the inverse one, so that the modes stay in a core's cache.
    The second result is memory for the passes. Its elements are undefined, and no op
    uses it.

    Constraints:
    1. the dims of the domain are those of the transform of f over the named dims,
       but for the axes;
    2. inputs' dims are a subset of the domain's, in the domain's order;
    3. one block argument an input, of its element type, and one of the spectrum's;
    4. the body yields one value of the spectrum's element type;
    5. the first result has the dims and the element of f, but for the axes, the
       second one those of the spectrum, without uses.
  }];
  let arguments = (ins PM_Grid:$input, StrArrayAttr:$over,
                       PM_DimsAttr:$domain, Variadic<PM_Grid>:$inputs,
                       Variadic<PM_Buffer>:$outs);
  let results = (outs Variadic<PM_Field>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $input `over` $over `through` custom<Domain>($domain)
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict-with-keyword $body
    `:` type($input) (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    /// The type of the second result or out.
    GridType getSpectrumType();
    /// The body's argument for a mode of the transform.
    ::mlir::BlockArgument getMode() {
      return getBody().getArguments().back();
    }
  }];
  let hasVerifier = 1;
}

#endif // PMC_DIALECT_PMSPECTRALOPS_TD
