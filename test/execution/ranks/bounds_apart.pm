// RUN: %pmc %s --precision=f64 -o %t
// RUN: %t --quiet && %t --quiet --mesh row=2 --transport=threads && %t --quiet --mesh row=3 --transport=threads

// Numbers that are displacements of particles on a lattice once and positions another time: what one reading needs of other
// ranks is not what the other one needs.
mesh ranks(row = 1)
layout x -> row
dim x = 24 over 24
dim y = 6 over 6
let (a, b) = map q in [x, y] => (0.3 + 0.01 * index(q, x), 0.2 + 0.1 * index(q, y))
let f = map q in [x, y] => sin(index(q, x) + 0.0) + index(q, y)
let near = readout(f, (a, b))
let painted = paint_at[x, y]((a, b), weight = near)
let expected = paint_at[x, y]((a, b), weight = map q in near => near + 0 * index(q, x))
assert abs(sum(painted) - sum(near)) < 1e-9, "painted {}, expected {}", sum(painted), sum(near)
assert max(abs(painted - expected)) < 1e-12, "off by {}", max(abs(painted - expected))
let far = readout_at(f, (a, b))
let moved = paint((a, b), weight = far)
assert abs(sum(moved) - sum(far)) < 1e-9, "painted {}, expected {}", sum(moved), sum(far)
// Other windows and meshes reach other cells from the same displacements.
let wide = paint((a, b), weight = near, window = "pcs")
let finer = paint[refine(x, 2), y]((a, b), weight = near)
assert abs(sum(wide) - sum(near)) < 1e-9, "painted {}, expected {}", sum(wide), sum(near)
assert abs(sum(finer) - sum(near)) < 1e-9, "painted {}, expected {}", sum(finer), sum(near)
