//===- PMRowOps.td - Rows of tables, and sums for them -----*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What derivatives with respect to tables are made of. The cotangent of a table
// is a table over the same x: what reads rows adds to sums for them.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_PMROWOPS_TD
#define PMC_DIALECT_PMROWOPS_TD

include "dialect/IR/PMBase.td"
include "dialect/Interfaces/Interfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class PM_TableOp<string mnemonic, list<Trait> traits>
    : Op<PM_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

def PM_RowsOp : PM_TableOp<"rows", [Pure]> {
  let summary = "how many rows a table has";
  let arguments = (ins PM_TableType:$table);
  let results = (outs I64:$rows);
  let assemblyFormat = "$table attr-dict";
  let hasFolder = 1;
}

def PM_FindRowOp : PM_TableOp<"find_row", [Pure]> {
  let summary = "the row at the left of the piece that holds x";
  let description = [{
    The row i with x_i <= x < x_{i+1}, of the first or the last piece beyond the
    ends: 0 <= i <= rows - 2.
  }];
  let arguments = (ins PM_TableType:$table, F64:$x);
  let results = (outs I64:$row);
  let assemblyFormat = "$table `at` $x attr-dict";
}

class PM_RowOp<string mnemonic> : PM_TableOp<mnemonic, [Pure]> {
  let description = [{ The row is one that the table has. }];
  let arguments = (ins PM_TableType:$table, I64:$row);
  let results = (outs F64:$value);
  let assemblyFormat = "$table `[` $row `]` attr-dict";
}

def PM_RowXOp : PM_RowOp<"row_x"> { let summary = "the x of a row"; }
def PM_RowYOp : PM_RowOp<"row_y"> { let summary = "the y of a row"; }

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

def PM_RowSumsOp : PM_TableOp<"row_sums", [MemoryEffects<[MemAlloc, MemWrite]>]> {
  let summary = "begins sums for the rows of a table, with zeros";
  let description = [{
    `pm.sum_rows` makes a table of what they have become.

    ```mlir
    %s = pm.row_sums %t
    pm.add_to_row %s[%i] %v
    %c = pm.sum_rows %s
    ```
  }];
  let arguments = (ins PM_TableType:$table);
  let results = (outs PM_RowSumsType:$sums);
  let assemblyFormat = "$table attr-dict";
}

class PM_RowEffectOp<string mnemonic, list<Trait> traits = []>
    : PM_TableOp<mnemonic, [MemoryEffects<[MemWrite]>] # traits>;

def PM_AddToRowOp : PM_RowEffectOp<"add_to_row"> {
  let summary = "adds to the sum of a row";
  let description = [{ The row is one that the table has. }];
  let arguments = (ins PM_RowSumsType:$sums, I64:$row, F64:$value);
  let assemblyFormat = "$sums `[` $row `]` $value attr-dict";
}

def PM_AddToRowsOp : PM_RowEffectOp<"add_to_rows", [PM_ShardableOpInterface]> {
  let summary = "adds to the sums of consecutive rows";
  let description = [{
    s_{from + j} += v_j; what lies beyond the last row is left out. The field is
    the same on all ranks.

    Constraint: values are a 1-D f64 field.
  }];
  let arguments = (ins PM_RowSumsType:$sums, I64:$from, PM_Grid:$values);
  let assemblyFormat =
      "$sums `[` $from `]` $values `:` type($values) attr-dict";
  let hasVerifier = 1;
}

def PM_SumRowsOp : PM_TableOp<"sum_rows", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a table over the same x, with the sums as its y";
  let description = [{ Nothing is added to the sums after that. }];
  let arguments = (ins PM_RowSumsType:$sums);
  let results = (outs PM_TableType:$table);
  let assemblyFormat = "$sums attr-dict";
}

#endif // PMC_DIALECT_PMROWOPS_TD
