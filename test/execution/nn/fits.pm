// RUN: not %pmc -D case=size %s -o %t 2>&1 | FileCheck %s --check-prefix=TAPS
// RUN: not %pmc -D case=size_in_gradient %s -o %t 2>&1 | FileCheck %s --check-prefix=TAPS
// RUN: not %pmc -D case=dims %s -o %t 2>&1 | FileCheck %s --check-prefix=TAPS
// RUN: not %pmc -D case=up_size %s -o %t 2>&1 | FileCheck %s --check-prefix=TAPS
// RUN: not %pmc -D case=more_dims %s -o %t 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not %pmc -D case=channel %s -o %t 2>&1 | FileCheck %s --check-prefix=CHANNEL
// RUN: not %pmc -D case=up_channel %s -o %t 2>&1 | FileCheck %s --check-prefix=CHANNEL
// RUN: not %pmc -D case=field %s -o %t 2>&1 | FileCheck %s --check-prefix=FIELD
// RUN: not %pmc -D case=swapped %s -o %t 2>&1 | FileCheck %s --check-prefix=SWAPPED
// RUN: not %pmc -D case=swapped_in_gradient %s -o %t 2>&1 | FileCheck %s --check-prefix=SWAPPED
// RUN: not %pmc -D case=up_swapped %s -o %t 2>&1 | FileCheck %s --check-prefix=UPSWAPPED
// RUN: not %pmc -D case=norm %s -o %t 2>&1 | FileCheck %s --check-prefix=NORM
// RUN: not %pmc -D case=group %s -o %t 2>&1 | FileCheck %s --check-prefix=NORM
// RUN: not %pmc -D case=dense %s -o %t 2>&1 | FileCheck %s --check-prefix=DENSE
// RUN: not %pmc -D case=dense_field %s -o %t 2>&1 | FileCheck %s --check-prefix=DENSEFIELD
// RUN: not %pmc -D case=labels %s -o %t 2>&1 | FileCheck %s --check-prefix=LABELS
// RUN: not %pmc -D case=real_labels %s -o %t 2>&1 | FileCheck %s --check-prefix=REAL
// RUN: not %pmc -D case=classes %s -o %t 2>&1 | FileCheck %s --check-prefix=CLASSES
// RUN: %pmc -D case=right %s -o %t && %t --quiet --out %t.out | FileCheck %s --check-prefix=RIGHT
// RUN: not %t --quiet --out %t.out --rate=1 2>&1 | FileCheck %s --check-prefix=RATE
// RUN: not %t --quiet --out %t.out --rate=-0.1 2>&1 | FileCheck %s --check-prefix=RATE
// Layers whose weights do not fit to the field, and losses whose targets do not, are errors, not fields over more dims.
use nn

const case = "right"
param rate = 0
dim b = 2, c = 3, k = 5, o = 4, p = 4, x = 8, y = 6

let f = white_noise[b, c, x, y](1)
let coarse = white_noise[b, o, coarsen(x, 2), coarsen(y, 2)](2)
let l = conv_start[c, o](3, (x, y))
let number = map q in [b, x, y] => mod(int(index(q, x)), 3)

let result =
  // TAPS: fits.pm:{{[0-9:]+}}: error: a convolution: the weights have no 'size' taps along each dim of 'over'
  if case == "size" then conv(f, l, c, (x, y), size = 5)
  else if case == "size_in_gradient" then
    grad(l => sum(conv(f, l, c, (x, y))))(conv_start[c, o](3, (x, y), size = 5)).weight
  else if case == "dims" then conv(f, conv_start[c, o](3, x), c, (x, y))
  else if case == "up_size" then up_conv[b, c, x, y](coarse, {weight = l.weight, bias = zeros[c]}, c, (x, y))
  // MORE: fits.pm:{{[0-9:]+}}: error: a convolution: the weights have taps along a dim that is not in 'over'
  else if case == "more_dims" then conv(f, l, c, x)
  // CHANNEL: fits.pm:{{[0-9:]+}}: error: a convolution: the weights are not over the dim 'channel'
  else if case == "channel" then conv(f, conv_start[k, o](3, (x, y)), c, (x, y))
  else if case == "up_channel" then up_conv[b, c, x, y](coarse, conv_start[k, o](3, (x, y), size = 2), c, (x, y))
  // FIELD: fits.pm:{{[0-9:]+}}: error: a convolution: the field is not over the dim 'channel'
  else if case == "field" then conv(f, conv_start[k, o](3, (x, y)), k, (x, y))
  // SWAPPED: fits.pm:{{[0-9:]+}}: error: layer.bias is over a dim that the result of 'conv' does not have
  else if case == "swapped" then conv(f, conv_start[o, c](3, (x, y)), c, (x, y))
  else if case == "swapped_in_gradient" then
    grad(l => sum(conv(f, l, c, (x, y))^2))(conv_start[o, c](3, (x, y))).bias
  // UPSWAPPED: fits.pm:{{[0-9:]+}}: error: layer.bias is over a dim that the result of 'up_conv' does not have; its dims are those of the channels of the result, as in zeros[channel]
  else if case == "up_swapped" then up_conv[b, c, x, y](coarse, conv_start[c, o](3, (x, y), size = 2), c, (x, y))
  // NORM: fits.pm:{{[0-9:]+}}: error: layer.scale or layer.shift is over a dim that the field does not have
  else if case == "norm" then batch_norm(f, norm_start[k](), (b, x, y))
  else if case == "group" then group_norm(f, norm_start[k](), c, (x, y), 3)
  // DENSE: fits.pm:{{[0-9:]+}}: error: dense: the weights are not over the dim 'channel'
  else if case == "dense" then dense(f, dense_start[k, o](3), c)
  // DENSEFIELD: fits.pm:{{[0-9:]+}}: error: dense: the field is not over the dim 'channel'
  else if case == "dense_field" then dense(f, dense_start[k, o](3), k)
  // LABELS: fits.pm:{{[0-9:]+}}: error: cross_entropy: 'target' is over the classes, or an int field over all dims of the field but that of the classes
  else if case == "labels" then cross_entropy(f, number[x = 0], c)
  // REAL: fits.pm:{{[0-9:]+}}: error: 'div' works on ints
  else if case == "real_labels" then cross_entropy(f, 1.0 * number, c)
  // CLASSES: fits.pm:{{[0-9:]+}}: error: cross_entropy: the field is not over the classes 'over'
  else if case == "classes" then cross_entropy(f, number, k)
  else {
    // Dims of weights that are in the field, too, and several channels or outputs are none of these errors.
    let several = white_noise[o, p, c, piece(x, 3)](4)
    let batched = white_noise[b, o, c, piece(x, 3)](5)
    let two = conv(f, {weight = several, bias = 0}, c, x)
    let each = conv(f, {weight = batched, bias = 0}, c, x)
    let both = dense(f, {weight = white_noise[o, c, y](6), bias = 0}, (c, y))
    sum(two^2) + sum(each^2) + sum(both^2) + cross_entropy(f, number, c) + sum(dropout(f, rate, 1)^2)
  }
// RIGHT: 1
// RATE: error: dropout: a rate of {{-?[0-9.]+}}, expected one from 0 to below 1
print "{}", finite(result)
