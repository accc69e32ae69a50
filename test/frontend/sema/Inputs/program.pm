// No library: it has a param.
param box = 3
fn area2(a) = a
