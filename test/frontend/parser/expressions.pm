// RUN: %pmc --emit=ast %s | FileCheck %s
// Precedence, loosest first, and what multiplies without an operator.

// CHECK-LABEL: Let sums
// CHECK-NEXT: Binary -
// CHECK-NEXT:   Binary +
// CHECK-NEXT:     Ref a
// CHECK-NEXT:     Binary *
// CHECK-NEXT:       Ref b
// CHECK-NEXT:       Ref c
// CHECK-NEXT:   Binary /
// CHECK-NEXT:     Ref d
// CHECK-NEXT:     Ref e
let sums = a + b * c - d / e

// CHECK-LABEL: Let powers
// CHECK-NEXT: Unary -
// CHECK-NEXT:   Binary ^
// CHECK-NEXT:     Ref a
// CHECK-NEXT:     Unary -
// CHECK-NEXT:       Binary ^
// CHECK-NEXT:         Number 2
// CHECK-NEXT:         Ref b
let powers = -a^-2^b

// CHECK-LABEL: Let minus
// CHECK-NEXT: Binary *
// CHECK-NEXT:   Unary -
// CHECK-NEXT:     Ref a
// CHECK-NEXT:   Unary -
// CHECK-NEXT:     Ref b
let minus = -a * -b

// CHECK-LABEL: Let juxtaposed
// CHECK-NEXT: Binary /
// CHECK-NEXT:   Number 1
// CHECK-NEXT:   Binary *
// CHECK-NEXT:     Number 2
// CHECK-NEXT:     Binary ^
// CHECK-NEXT:       Ref x
// CHECK-NEXT:       Number 2
let juxtaposed = 1/2 x^2

// CHECK-LABEL: Let juxtaposed_call
// CHECK-NEXT: Binary -
// CHECK-NEXT:   Binary *
// CHECK-NEXT:     Number 8
// CHECK-NEXT:     Call
// CHECK-NEXT:       callee: Ref sin
// CHECK-NEXT:       Ref w
// CHECK-NEXT:   Binary *
// CHECK-NEXT:     Number 0.5
// CHECK-NEXT:     Binary +
let juxtaposed_call = 8 sin(w) - 0.5 (a + b)

// A number is not a factor across lines.
// CHECK-LABEL: Let alone
// CHECK-NEXT: Number 2
// CHECK-NEXT: Value
// CHECK-NEXT:   Ref x
let alone = 2
x

// CHECK-LABEL: Let logic
// CHECK-NEXT: Binary or
// CHECK-NEXT:   Binary and
// CHECK-NEXT:     Binary <=
// CHECK-NEXT:       Ref a
// CHECK-NEXT:       Binary +
// CHECK-NEXT:         Ref b
// CHECK-NEXT:         Number 1
// CHECK-NEXT:     Unary not
// CHECK-NEXT:       Unary not
// CHECK-NEXT:         Binary !=
// CHECK-NEXT:           Ref c
// CHECK-NEXT:           Ref d
// CHECK-NEXT:   Bool true
let logic = a <= b + 1 and not not c != d or true

// CHECK-LABEL: Let comparisons
// CHECK-NEXT: Binary or
// CHECK-NEXT:   Binary or
// CHECK-NEXT:     Binary >
// CHECK:          Binary >=
// CHECK:        Binary ==
let comparisons = a > b or a >= b or (a == b) and a < b

// CHECK-LABEL: Let calls
// CHECK-NEXT: Call
// CHECK-NEXT:   callee: Member .f
// CHECK-NEXT:     Index
// CHECK-NEXT:       Ref a
// CHECK-NEXT:       index: Number 0
// CHECK-NEXT:   dim: Ref x
// CHECK-NEXT:   dim: Call
// CHECK-NEXT:     callee: Ref refine
// CHECK-NEXT:     Ref y
// CHECK-NEXT:     Number 2
// CHECK-NEXT:   Ref b
// CHECK-NEXT:   c: Ref d
// CHECK-NEXT:   mesh: Range
// CHECK-NEXT:     Number 0
// CHECK-NEXT:     Number 8
let calls = a[0].f[x, refine(y, 2)](b, c = d, mesh = 0 .. 8,)

// CHECK-LABEL: Let ranges_without_blanks
// CHECK-NEXT: Call
// CHECK-NEXT:   callee: Ref slice
// CHECK-NEXT:   z: Range
// CHECK-NEXT:     Number 0
// CHECK-NEXT:     Number 8
let ranges_without_blanks = slice(z = 0 .. 8)

// CHECK-LABEL: Let choice
// CHECK-NEXT: If
// CHECK-NEXT:   Binary ==
// CHECK-NEXT:     Ref kernel
// CHECK-NEXT:     String "fd4"
// CHECK-NEXT:   then: Ref a
// CHECK-NEXT:   else: If
// CHECK-NEXT:     Ref b
// CHECK-NEXT:     then: Ref c
// CHECK-NEXT:     else: Ref d
let choice = if kernel == "fd4" then a else if b then c else d

// CHECK-LABEL: Let operand
// CHECK-NEXT: Binary +
// CHECK-NEXT:   Ref a
// CHECK-NEXT:   If
let operand = a + if b then c else d + 1

// CHECK-LABEL: Let lambdas
// CHECK-NEXT: Call
// CHECK-NEXT:   callee: Ref g
// CHECK-NEXT:   Lambda (x)
// CHECK-NEXT:     Binary ^
// CHECK:        Lambda (a, b)
// CHECK-NEXT:     Binary +
// CHECK:        Lambda ()
// CHECK-NEXT:     Number 1
// CHECK-NEXT:   Lambda (y)
// CHECK-NEXT:     Lambda (z)
let lambdas = g(x => x^2, (a, b) => a + b, () => 1, y => z => y)

// CHECK-LABEL: Let pair
// CHECK-NEXT: Tuple
// CHECK-NEXT:   Ref a
// CHECK-NEXT:   Tuple
// CHECK-NEXT:     Ref b
// CHECK-NEXT:     Ref c
let pair = (a, (b, c,),)
// CHECK-LABEL: Let parens
// CHECK-NEXT: Ref a
let parens = (((a)))

// CHECK-LABEL: Let record
// CHECK-NEXT: Record
// CHECK-NEXT:   disp: Ref a
// CHECK-NEXT:   mom: Record
// CHECK-NEXT:     x: Number 1
// CHECK-NEXT:     y: Number 2
let record = {disp = a, mom = {x = 1; y = 2}}
// CHECK-LABEL: Let lines
// CHECK-NEXT: Record
// CHECK-NEXT:   a: Number 1
// CHECK-NEXT:   b: Number 2
let lines = {
  a = 1
  b = 2,
}

// CHECK-LABEL: Let replaced
// CHECK-NEXT: Member .mom
// CHECK-NEXT:   With
// CHECK-NEXT:     Call
// CHECK-NEXT:       callee: Ref f
// CHECK-NEXT:       Ref r
// CHECK-NEXT:     mom: Number 2
let replaced = f(r) with {mom = 2}.mom

// CHECK-LABEL: Let block
// CHECK-NEXT: Block
// CHECK-NEXT:   Let a
// CHECK-NEXT:     Number 1
// CHECK-NEXT:   Let (b, c)
// CHECK-NEXT:     Ref f
// CHECK-NEXT:   Fn g
// CHECK-NEXT:     Param x
// CHECK-NEXT:     body: Ref x
// CHECK-NEXT:   Print "a = {}"
// CHECK-NEXT:     Ref a
// CHECK-NEXT:   Assert "no"
// CHECK-NEXT:     Ref b
// CHECK-NEXT:   If
// CHECK-NEXT:     Ref c
// CHECK-NEXT:     then: Print "c"
// CHECK-NEXT:   result: Unary -
// CHECK-NEXT:     Ref a
let block = {
  let a = 1; let (b, c) = f
  fn g(x) = x
  print "a = {}", a
  assert b, "no"
  if c { print "c" }
  -a
}
// CHECK-LABEL: Let empty
// CHECK-NEXT: Block
let empty = {}

// CHECK-NEXT: Let each
// CHECK-NEXT: For d
// CHECK-NEXT:   in: Tuple
// CHECK-NEXT:     Ref x
// CHECK-NEXT:     Ref y
// CHECK-NEXT:   body: Index
// CHECK-NEXT:     Ref k
// CHECK-NEXT:     index: Ref d
let each = for d in (x, y) => k[d]
// CHECK-LABEL: Let counted
// CHECK-NEXT: For i
// CHECK-NEXT:   in: Range
// CHECK-NEXT:     Number 0
// CHECK-NEXT:     Number 3
// CHECK-NEXT:   body: Block
// CHECK-NEXT:     result: Ref i
let counted = for i in 0 .. 3 { i }

// CHECK-LABEL: Let mapped
// CHECK-NEXT: Map k
// CHECK-NEXT:   in: Member .field
// CHECK-NEXT:     Ref r
// CHECK-NEXT:   body: Call
let mapped = map k in r.field => norm(k)
// CHECK-LABEL: Let over_dims
// CHECK-NEXT: Map q
// CHECK-NEXT:   dim: Ref x
// CHECK-NEXT:   dim: Ref y
// CHECK-NEXT:   body: Index
let over_dims = map q in [x, y] => q[x]

// CHECK-LABEL: Let binned
// CHECK-NEXT: Bins k
// CHECK-NEXT:   in: Ref F
// CHECK-NEXT:   into: Number 20
// CHECK-NEXT:   by: Binary *
// CHECK-NEXT:     Number 2
// CHECK-NEXT:     Call
// CHECK:        body: Tuple
let binned = bins k in F into 20 by 2 norm(k) => (1, norm(k))
// CHECK-LABEL: Let binned_dims
// CHECK-NEXT: Bins k
// CHECK-NEXT:   dim: Ref x
// CHECK-NEXT:   into: Ref N
// CHECK-NEXT:   by: Ref i
// CHECK-NEXT:   body: Number 1
let binned_dims = bins k in [x] into N by i => 1

// CHECK-LABEL: Let steps
// CHECK-NEXT: Loop (s, p) for i
// CHECK-NEXT:   init: Tuple
// CHECK-NEXT:     Ref s0
// CHECK-NEXT:     Ref p0
// CHECK-NEXT:   begin: Number 0
// CHECK-NEXT:   end: Ref n
// CHECK-NEXT:   body: Block
// CHECK-NEXT:     Let q
// CHECK-NEXT:       Ref s
// CHECK-NEXT:     result: Tuple
let steps = loop (s, p) = (s0, p0) for i in 0 .. n {
  let q = s
  (q, p)
}
// CHECK-LABEL: Let newton
// CHECK-NEXT: Loop x
// CHECK-NEXT:   init: Number 2
// CHECK-NEXT:   while: Binary >
// CHECK:        body: Binary -
let newton = loop x = 2 while abs(g(x)) > 1e-10 => x - g(x)/dg(x)

// CHECK-LABEL: Let beside
// CHECK-NEXT: Index
// CHECK-NEXT:   Ref f
// CHECK-NEXT:   index: Binary +
// CHECK-NEXT:     Ref x
// CHECK-NEXT:     Number 1
// CHECK-NEXT:   index: Ref y
// CHECK-NEXT:   edge: String "zero"
let beside = f[x + 1, y, edge = "zero"]
