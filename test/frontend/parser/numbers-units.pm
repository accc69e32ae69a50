// RUN: %pmc --emit=ast %s | FileCheck %s

// CHECK: Let numbers
// CHECK-NEXT: Tuple
// CHECK-NEXT:   Number 12
// CHECK-NEXT:   Number 1.5
// CHECK-NEXT:   Number 0.002
// CHECK-NEXT:   Number 2e+30
// CHECK-NEXT:   Number 1i
// CHECK-NEXT:   Number 0.5i
// CHECK-NEXT:   Number 18446744073709551615
// CHECK-NEXT:   Number 7
// CHECK-NEXT:   Number 0.1
let numbers = (12, 1.5, 2e-3, 2E+30, 1i, 5e-1i, 18446744073709551615, 007, 0.1)

// CHECK-LABEL: Let units
// CHECK-NEXT: Tuple
// CHECK-NEXT:   Number 400 [Mpc/h]
// CHECK-NEXT:   Number 0.1 [h/Mpc]
// CHECK-NEXT:   Number 100 [km/s/(Mpc/h)]
// CHECK-NEXT:   Number 3 [(Mpc/h)^3]
// CHECK-NEXT:   Number 1 [0.001 Mpc/h]
// CHECK-NEXT:   Number 2 [Msun/Mpc^3]
// CHECK-NEXT:   Number 5 [s^-1]
// CHECK-NEXT:   Number 5 [K^2]
// CHECK-NEXT:   Number 1 [1]
// CHECK-NEXT:   Number 90 [0.017453292519943295 1]
// CHECK-NEXT:   Number 1 [(h/Mpc)^3]
// CHECK-NEXT:   Number 3 [Mpc/h]
// CHECK-NEXT:   Number 1i [km*K/s]
// CHECK-NEXT:   Number 7 [1e-06 (Mpc/h)^2]
let units = (400 Mpc/h, 0.1 h/Mpc, 100 km/s/Mpc/h, 3 (Mpc/h)^3, 1 kpc/h,
             2 Msun/Mpc^3, 5 s^-1, 5 K^2, 1 rad, 90 deg, 1 (h/Mpc)^3, 3 Mpc/h, 1i km/s*K,
             7 (kpc/h)^2)

// With blanks around it, an operator is arithmetic, and what is not a unit is a
// factor.
// CHECK-LABEL: Let arithmetic
// CHECK-NEXT: Binary *
// CHECK-NEXT:   Binary /
// CHECK-NEXT:     Number 2 [Mpc/h]
// CHECK-NEXT:     Ref s
// CHECK-NEXT:   Ref K
let arithmetic = 2 Mpc/h / s * K
// CHECK-LABEL: Let no_unit
// CHECK-NEXT: Tuple
// CHECK-NEXT:   Binary *
// CHECK-NEXT:     Number 2
// CHECK-NEXT:     Ref h
// CHECK-NEXT:   Binary *
// CHECK-NEXT:     Number 2
// CHECK-NEXT:     Ref s
// CHECK-NEXT:   Binary /
// CHECK-NEXT:     Number 2 [km]
// CHECK-NEXT:     Ref h
// CHECK-NEXT:   Binary *
// CHECK-NEXT:     Number 2
// CHECK-NEXT:     Call
// CHECK-NEXT:       callee: Ref sin
// CHECK-NEXT:       Ref s
// CHECK-NEXT:   Ref s
let no_unit = (2 h, 2 (s), 2 km/h, 2 sin(s), s)
// A unit can be a factor's unit.
// CHECK-LABEL: Let both
// CHECK-NEXT: Binary *
// CHECK-NEXT:   Number 2 [Mpc/h]
// CHECK-NEXT:   Ref x
let both = 2 Mpc/h x
