// RUN: %pmc --emit=ast %s | FileCheck %s
// Where a newline ends a statement and where it does not.

// CHECK: Let a
// CHECK-NEXT: Binary +
// CHECK-NEXT:   Ref b
// CHECK-NEXT:   Ref c
let a =
  b +   // a comment is not an obstacle

  c

// CHECK-NEXT: Let d
// CHECK-NEXT: Call
// CHECK-NEXT:   callee: Ref f
// CHECK-NEXT:   Binary +
// CHECK-NEXT:     Ref a
// CHECK-NEXT:     Ref b
// CHECK-NEXT:   Block
// CHECK-NEXT:     Let e
// CHECK-NEXT:       Ref g
// CHECK-NEXT:     result: Ref e
let d = f(
  a
  + b,
  {
    let e = g
    e
  }
)

// CHECK-NEXT: Let chain
// CHECK-NEXT: Member .y
// CHECK-NEXT:   Call
// CHECK-NEXT:     callee: Member .x
// CHECK-NEXT:       Ref r
let chain = r
  .x(1)
  .y

// CHECK: Let choice
// CHECK-NEXT: If
// CHECK-NEXT:   Ref a
// CHECK-NEXT:   then: Ref b
// CHECK-NEXT:   else: Ref c
let choice = if a
  then b
  else c
// CHECK-NEXT: Let mapped
// CHECK-NEXT: Map k
// CHECK-NEXT:   in: Ref F
// CHECK-NEXT:   body: Ref k
let mapped = map k in F
  => k

// A bracket on a new line begins a new statement.
// CHECK-NEXT: Let f
// CHECK-NEXT: Ref g
// CHECK-NEXT: Value
// CHECK-NEXT:   Tuple
let f = g
(a, b)

// Nor does the first line of a block continue its brace.
// CHECK: Let inner
// CHECK-NEXT: Call
// CHECK-NEXT:   callee: Ref f
// CHECK-NEXT:   Block
// CHECK-NEXT:     result: Tuple
let inner = f(
  {
    (a, b)
  })

// CHECK: Let one
// CHECK-NEXT: Number 1
// CHECK-NEXT: Let two
// CHECK-NEXT: Number 2
;let one = 1;; let two = 2;

// Words that begin a declaration, and those that are keywords only in their
// place, are names elsewhere.
// CHECK-NEXT: Let mesh
// CHECK-NEXT: Call
// CHECK-NEXT:   callee: Ref f
// CHECK-NEXT:   input: Ref layout
// CHECK-NEXT:   mesh: Number 2
let mesh = f(input = layout,
  mesh = 2)
// CHECK-NEXT: Let scale
// CHECK-NEXT: Binary *
// CHECK-NEXT:   Binary +
// CHECK-NEXT:     Ref by
// CHECK-NEXT:     Ref over
// CHECK-NEXT:   Binary *
// CHECK-NEXT:     Number 2
// CHECK-NEXT:     Ref optional
let scale = (by + over) * 2 optional
// CHECK-NEXT: Let block
// CHECK-NEXT: Block
// CHECK-NEXT:   Let plot
// CHECK-NEXT:     Number 1
// CHECK-NEXT:   result: Ref plot
let block = {
  let plot = 1
  plot
}
// CHECK-NEXT: Value
// CHECK-NEXT:   Member .a
// CHECK-NEXT:     Ref mesh
mesh.a
