// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Panels and parts of plots.
dim x = 8, y = 8, z = 8
let w = white_noise[x, y](1)
let u = white_noise[x, y, z](1)
plot (w, w)
plot u histogram
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: this panel cannot share its scales with the first one: it draws something else, or in other units
plot (w, 1 K * w) shared
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'shared' requires several panels, or the pictures of a loop, found one picture
plot w shared
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: points, bands and contours do not go with several panels
plot (w, w) points sum(w, over = (x))
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'points' go with curves, and this is a map
plot w points sum(w, over = (x))
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'contours' go over a map, and these are curves
plot sum(w, over = (x)) contours w
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'band' requires two fields, (low, high)
plot sum(w, over = (x)) band sum(w, over = (x))
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: the band is in K, its curve in 1
plot sum(w, over = (x)) band (1 K * sum(w, over = (x)), 1 K * sum(w, over = (x)))
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: the band is in K, its curve in 1
plot sum(w, over = (x)) band (1 K * sum(w, over = (x)), sum(w, over = (x)))
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: the band is in K, its curve in 1
plot sum(w, over = (x)) band (sum(w, over = (x)), 1 K * sum(w, over = (x)))
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'contours' requires fields, not int
plot w contours 3
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: a histogram of several fields requires one unit
plot (u, 1 K * u) histogram
// CHECK: :[[#@LINE+1]]:23: error: there are 2 panels to name, and 1 label
plot (w, 2 w) labels ("one")
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: there is 1 curve or map to name, and 2 labels
plot w labels ("one", "two")
