// Expressions of a mesh: what is read, simplified and printed.
// RUN: pm-opt %s -split-input-file -verify-diagnostics -allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: "arithmetic"
"arithmetic"() {
  // CHECK-SAME: a = #cost.expr<"14">
  a = #cost.expr<"2 + 3 * 4">,
  // CHECK-SAME: b = #cost.expr<"0">
  b = #cost.expr<"row*8 - 8*row">,
  // CHECK-SAME: c = #cost.expr<"3*row*col+5">
  c = #cost.expr<"5 + row*col + col*2*row">,
  // CHECK-SAME: d = #cost.expr<"4*(row-1)">
  d = #cost.expr<"(4)*(row-1)">,
  // CHECK-SAME: e = #cost.expr<"max(3, row)">
  e = #cost.expr<"max(3, row)">,
  // CHECK-SAME: f = #cost.expr<"6">
  f = #cost.expr<"max(2, ceildiv(11, 2))">,
  // CHECK-SAME: g = #cost.expr<"ceildiv(n, row)">
  g = #cost.expr<"ceildiv(n, row)">,
  // CHECK-SAME: h = #cost.expr<"row-col">
  h = #cost.expr<"-col + row">
} : () -> ()

// -----

// CHECK-LABEL: "parts"
"parts"() {
  // A division binds tightest: 64 times the part of 8.
  // CHECK-SAME: a = #cost.expr<"64*8/row/col">
  a = #cost.expr<"8*8*8/row/col">,
  // CHECK-SAME: b = #cost.expr<"(3*8/row)/col">
  b = #cost.expr<"(3*8/row)/col">,
  // A part of a part is not the part along two axes.
  // CHECK-SAME: c = #cost.expr<"(8/row)/col">
  c = #cost.expr<"(8/row)/col">,
  // CHECK-SAME: d = #cost.expr<"8/row/col">
  d = #cost.expr<"common(8/row, 8/row/col)">,
  // CHECK-SAME: e = #cost.expr<"common(8/row, 8/col)">
  e = #cost.expr<"common(8/row, 8/col)">,
  // CHECK-SAME: f = #cost.expr<"view(2*8/row, lo_x, hi_x)">
  f = #cost.expr<"view(2*8/row, lo_x, hi_x)">,
  // CHECK-SAME: g = #cost.expr<"8/row">
  g = #cost.expr<"seen(8/row, 0, 0)">
} : () -> ()

// -----

// expected-error @below {{expected a number, a name or '(' at '' in '2 +'}}
"wrong"() {a = #cost.expr<"2 +">} : () -> ()

// -----

// expected-error @below {{expected a mesh axis at '2' in '8/2'}}
"wrong"() {a = #cost.expr<"8/2">} : () -> ()

// -----

// expected-error @below {{expected max, ceildiv, common, view or seen, not 'min' at '' in 'min(1, 2)'}}
"wrong"() {a = #cost.expr<"min(1, 2)">} : () -> ()

// -----

// expected-error @below {{expected other operands of common at '' in 'common(8, row)'}}
"wrong"() {a = #cost.expr<"common(8, row)">} : () -> ()

// -----

// expected-error @below {{expected an operator at ')' in '8)'}}
"wrong"() {a = #cost.expr<"8)">} : () -> ()

// -----

// expected-error @below {{expected a number of 63 bits at '9223372036854775808' in '9223372036854775808'}}
"wrong"() {a = #cost.expr<"9223372036854775808">} : () -> ()
