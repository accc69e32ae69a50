// RUN: %pmc %s -o %t && %t --quiet
// Starting weights have the variances of He et al. (2015) and of Glorot and Bengio (2010), and the mean 0.
use math, nn

dim wide = 256, narrow = 250, c = 40, x = 64

fn check(weights, variance) {
  let n = product(for d in dims(weights) => cells(d))
  let found = mean(weights^2)
  assert abs(found / variance - 1) < 6 * sqrt(2 / n), "the variance is {}, expected {}", found, variance
  assert abs(mean(weights)) < 6 * sqrt(variance / n), "the mean is {}, expected 0", mean(weights)
}

check(he[wide, narrow](1, 250), 2 / 250)
check(he[wide, narrow](2, 7), 2 / 7)
check(glorot[wide, narrow](3, 250, 256), 2 / 506)
check(glorot[wide, narrow](4, 7, 3), 0.2)
check(glorot[wide, narrow](5, 3, 7), 0.2)

// A layer has 40 input channels. Each output of a convolution depends on 3 or 5 taps along x of every channel.
let (dense, three, five) = (dense_start[c, wide](6), conv_start[c, wide](7, x), conv_start[c, wide](8, x, 5))
check(dense.weight, 2 / 40)
check(three.weight, 2 / 120)
check(five.weight, 2 / 200)
assert max(abs(dense.bias)) == 0 and max(abs(three.bias)) == 0 and max(abs(five.bias)) == 0
let norm = norm_start[c]()
assert min(norm.scale) == 1 and max(norm.scale) == 1 and max(abs(norm.shift)) == 0
