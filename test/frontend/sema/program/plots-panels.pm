// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Panels that share scales or not, bands, labels, and what is not a plot.
dim x = 8, y = 8
let f = white_noise[x, y](1)
let g = sum(f, over = x)
plot ((g, g), (g, 1 K * g))
plot ((g, 1 K * g), (g, 2 K * g)) shared
// CHECK: :[[#@LINE+1]]:15: error: this panel cannot share its scales with the first one: it draws something else, or in other units
plot ((g, g), (g, 1 K * g)) shared
// CHECK: :[[#@LINE+1]]:21: error: this panel cannot share its scales with the first one: it draws something else, or in other units
plot ((g, 1 K * g), (g, g)) shared
// CHECK: :[[#@LINE+1]]:21: error: this panel cannot share its scales with the first one: it draws something else, or in other units
plot ((1 K * g, g), (g, g)) shared
// CHECK: :[[#@LINE+1]]:15: error: this panel cannot share its scales with the first one: it draws something else, or in other units
plot ((g, g), f) shared
plot ((g, g, g), (g, g, 1 K * g)) shared
// CHECK: :[[#@LINE+1]]:21: error: there are 2 panels to name, and 1 label
plot (f, f) labels ("one")
// CHECK: :[[#@LINE+1]]:25: error: this band has no curve: the first one belongs to the first curve, and so on
plot g band (g, g) band (g, g)
// CHECK: :[[#@LINE+1]]:15: error: a histogram has no points, bands or contours
plot (g, 2 g) histogram points g
// CHECK: :[[#@LINE+1]]:6: error: 'plot' requires fields or numbers; of this record, write the members (a, b) one by one
plot {a = f, b = f}
// CHECK: :[[#@LINE+1]]:41: error: files that are written in a loop are called by its iterations, and those of a 'while' that carries no field have no numbers; 'while … at most n' counts them
let out = loop s = 1.0 while s < 3 => { plot f; 2 * s }
// CHECK: :[[#@LINE+1]]:28: error: there are 2 curves or maps to name, and 1 label
plot (g, 2 g, 3 g) labels ("one")
