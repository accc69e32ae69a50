// Layers of neural networks: weights, convolutions, pooling, normalization, activations and
// losses.
//
// The parameters of a layer are a record of fields, and those of a network are a record of these.
// A network is a function of such a record. Channels come before the dims of space; other dims,
// such as samples, are a batch. The compiler computes gradients: `grad(w => loss(net(w, f)))(w)`.
//
// Setup: dim sample = 4, c = 2, wide = 4, out = 3
//   dim x = 8, y = 8
//   let images = white_noise[sample, c, x, y](1)
//   let first = conv_start[c, wide](2, (x, y))
//   let hidden = conv(images, first, c, (x, y))
//
// Internal: class_entropy fitting_norm

// The product of the numbers of cells of some dims.
// - list: list of dims
// Value: number.
// Example: count_of((x, y))
fn count_of(list) = round(exp(total(for d in list => log(cells(d)))))

// The number of dims of one list that are in another.
// - some: list of dims, or one dim
// - all: list of dims, or one dim
// Value: number, known at compile time.
// Example: shared_dims(x, (x, y))
fn shared_dims(some, all) = total(for d in some => total(for e in all => if e == d then 1 else 0))

// ---- Starts ------------------------------------------------------------------------------------------------------------

// Normal weights with variance 2/inputs.
// - seed: int or u64
// - inputs: number of inputs of an output
// Value: field over the dims in brackets.
// Source: He et al. (2015)
// Example: he[wide, c](1, cells(c))
fn he[D](seed, inputs) = sqrt(2 / inputs) * white_noise[D](seed)

// Normal weights with variance 2/(inputs + outputs).
// - seed: int or u64
// - inputs: number of inputs of an output
// - outputs: number of outputs
// Value: field over the dims in brackets.
// Source: Glorot & Bengio (2010)
// Example: glorot[wide, c](1, cells(c), cells(wide))
fn glorot[D](seed, inputs, outputs) = sqrt(2 / (inputs + outputs)) * white_noise[D](seed)

// Initial weights of `dense` from the first dim in brackets to the second, by `he`, and a bias of
// 0.
// - seed: int or u64
// Value: record `{weight, bias}` over [O, I] and [O].
// Source: He et al. (2015)
// Example: dense_start[wide, out](3)
fn dense_start[I, O](seed) = {weight = he[O, I](seed, cells(I)), bias = zeros[O]}

// Initial weights of `conv` and `up_conv` from the first dim in brackets to the second, by `he`,
// and a bias of 0.
// - seed: int or u64
// - over: one to three dims along which the layer works
// - size: int, the number of taps along each dim
// Value: record `{weight, bias}`. The weights are over [O, C, piece(x, size), …].
// Source: He et al. (2015)
// Example: conv_start[c, wide](2, (x, y), size = 5)
fn conv_start[C, O](seed, over, size: int = 3) {
  let taps = for d in over => piece(d, size)
  {weight = he[O, C, taps](seed, cells(C) * count_of(taps)), bias = zeros[O]}
}

// The scale 1 and the shift 0 of a norm, over the dims in brackets.
// Value: record `{scale, shift}` of fields.
// Example: norm_start[wide]()
fn norm_start[D]() = {scale = constant[D](1), shift = zeros[D]}

// ---- Layers ------------------------------------------------------------------------------------------------------------

// Σ f weight over the dim `channel`, plus the bias.
// - f: field over `channel` and other dims
// - layer: record `{weight, bias}`, as of `dense_start`; the weights are over `channel`
// - channel: dim of the inputs, or several dims
// Value: field over the other dims of f and the outputs. A field or weights without `channel` are
//   an error at compile time.
// Example: dense(mean(hidden, over = (x, y)), dense_start[wide, out](3), wide)
fn dense(f, layer, channel) {
  let count = total(for d in channel => 1)
  let weight = if shared_dims(channel, dims(f)) < count then
                 error("dense: the field is not over the dim 'channel', which is summed over")
               else if shared_dims(channel, dims(layer.weight)) < count then error("dense: the weights are not over the dim 'channel'; dense_start[channel, outputs] makes such weights")
               else layer.weight
  let made = sum(f * weight, over = channel) + layer.bias
  // The bias may be a number, and so may all.
  let isField = total(for d in dims(f * weight) => 1) > count
  if isField and shared_dims(channel, if isField then dims(made) else channel) > 0
  then error("dense: the bias is over the dim 'channel', which is summed over; dense_start[channel, outputs] makes weights from its first dim to its second")
  else made
}

// The weights, if they fit a convolution of a field over the dims `all`. Other weights are an
// error at compile time.
// - weight: field
// - all: list of the dims of the field
// - channel: dim of the inputs
// - over: one to three dims along which the layer works
// - size: int, the number of taps along each dim
// Value: the weights.
// Example: fitting(first.weight, dims(images), c, (x, y), 3)
fn fitting(weight, all, channel, over, size: int) {
  let has = dims(weight)
  let taps = for d in over => piece(d, size)
  let apart = total(for e in has => if shared_dims(e, all) + shared_dims(e, channel) > 0 then 0
                                    else total(for d in all => if piece(d, cells(e)) == e then 1 else 0))
  let count = total(for d in over => 1)
  let channels = total(for d in channel => 1)
  if shared_dims(channel, all) < channels then error("a convolution: the field is not over the dim 'channel'")
  else if shared_dims(channel, has) < channels then
    error("a convolution: the weights are not over the dim 'channel'; conv_start[channel, outputs] makes such weights")
  else if shared_dims(taps, has) < count then error("a convolution: the weights have no 'size' taps along each dim of 'over'; 'size' and 'over' are those of conv_start, and 3 taps if nothing is said")
  else if apart > count then error("a convolution: the weights have taps along a dim that is not in 'over'")
  else weight
}

// f at the cells stride · X + t − before along a dim, for the cell X of the result and the tap t.
// - f: field
// - d: dim of f
// - size: int, the number of taps
// - stride: int, which divides the number of cells
// - before: int, the number of taps before the cell
// - edge: what is beyond the ends, as for neighbors
// Value: field with the dims `coarsen(d, stride)` and `piece(d, size)` in place of d.
// Example: seen_along(images, x, 3, 1, 1, "zero")
fn seen_along(f, d, size, stride, before, edge) =
  f[d = stride * coarsen(d, stride) + piece(d, size) - before, edge = edge]

// f at the cells stride · X + t − before along one to three dims, as `seen_along`.
// - f: field
// - over: one to three dims of f
// - size: int, the number of taps along each dim
// - stride: int, which divides the number of cells
// - before: int, the number of taps before the cell
// - edge: what is beyond the ends, as for neighbors
// Value: field with two dims in place of each dim of `over`.
// Example: seen(images, (x, y), 2, 2, 0, "zero")
fn seen(f, over, size, stride, before, edge) {
  let list = for d in over => d
  let count = total(for d in over => 1)
  let first = seen_along(f, list[0], size, stride, before, edge)
  if count == 1 then first else {
    let second = seen_along(first, list[1], size, stride, before, edge)
    if count == 2 then second else if count == 3 then seen_along(second, list[2], size, stride, before, edge)
    else error("a layer goes along one, two or three dims")
  }
}

// A convolution without a bias: r(o, X) = Σ f(c, stride · X + t − before) weight(o, c, t).
// - f: field over the channel and the dims of `over`
// - weight: field over [O, C, piece(x, size), …]
// - channel: dim of the inputs
// - over: one to three dims along which the layer works
// - size: int, the number of taps along each dim
// - stride: int, which divides the number of cells
// - before: int, the number of taps before the cell
// - edge: what is beyond the ends, as for neighbors
// Value: field with the outputs in place of the channel, over `coarsen(x, stride)`.
// Example: correlate(images, first.weight, c, (x, y), 3, 1, 1, "zero")
fn correlate(f, weight, channel, over, size, stride, before, edge) {
  // Read here and not by a function, so that its derivatives are convolutions, too.
  let list = for d in over => d
  let taps = for d in over => piece(d, size)
  let count = total(for d in over => 1)
  let x = list[0]
  if count == 1 then
    sum(f[x = stride * coarsen(x, stride) + taps[0] - before, edge = edge] * weight, over = (channel, taps[0]))
  else {
    let y = list[1]
    if count == 2 then sum(f[x = stride * coarsen(x, stride) + taps[0] - before,
                             y = stride * coarsen(y, stride) + taps[1] - before, edge = edge] * weight,
                           over = (channel, taps[0], taps[1]))
    else if count == 3 then {
      let z = list[2]
      sum(f[x = stride * coarsen(x, stride) + taps[0] - before, y = stride * coarsen(y, stride) + taps[1] - before,
            z = stride * coarsen(z, stride) + taps[2] - before, edge = edge] * weight,
          over = (channel, taps[0], taps[1], taps[2]))
    } else error("a convolution goes along one, two or three dims")
  }
}

// A convolution with a bias: r(o, X) = Σ f(c, stride · X + t − ⌊(size − 1)/2⌋) weight(o, c, t) +
// bias(o).
// - f: field over the channel and the dims of `over`
// - layer: record `{weight, bias}`, as of `conv_start`
// - channel: dim of the inputs
// - over: one to three dims along which the layer works
// - size: int, the number of taps along each dim
// - stride: int, which divides the number of cells
// - edge: what is beyond the ends, as for neighbors
// Value: field with the outputs in place of the channel, over `coarsen(x, stride)`. Weights and a
//   bias that do not fit are an error at compile time.
// Example: conv(images, first, c, (x, y))
fn conv(f, layer, channel, over, size: int = 3, stride: int = 1, edge = "zero") {
  let made = correlate(f, fitting(layer.weight, dims(f), channel, over, size), channel, over, size, stride,
                       floor((size - 1) / 2), edge)
  let biased = made + layer.bias
  if shared_dims(dims(biased), dims(made)) < total(for d in dims(biased) => 1)
  then error("layer.bias is over a dim that the result of 'conv' does not have; conv_start[channel, outputs] makes weights from its first dim to its second")
  else biased
}

// The transpose of a convolution with a stride, which makes fields finer, plus a bias over
// `channel`. The dims of the result are in brackets.
// - f: field
// - layer: record `{weight, bias}`; the weights are those of a convolution from the result to f
// - channel: dim of the channels of the result
// - over: one to three dims along which the layer works
// - size: int, the number of taps along each dim
// - stride: int, the factor between the numbers of cells
// - edge: what is beyond the ends, as for neighbors
// Value: field over the dims in brackets. Weights and a bias that do not fit are an error at
//   compile time.
// Example: let fine = {weight = he[wide, c, piece(x, 2), piece(y, 2)](1, 16), bias = zeros[c]}
//   up_conv[sample, c, x, y](max_pool(hidden, (x, y)), fine, c, (x, y))
fn up_conv[D](f, layer, channel, over, size: int = 2, stride: int = 2, edge = "zero") {
  let weight = fitting(layer.weight, D, channel, over, size)
  let made = vjp(g => correlate(g, weight, channel, over, size, stride, floor((size - stride + 1) / 2), edge))(
    zeros[D], cotangent = f)[1]
  let biased = made + layer.bias
  if shared_dims(dims(biased), D) < total(for d in dims(biased) => 1)
  then error("layer.bias is over a dim that the result of 'up_conv' does not have; its dims are those of the channels of the result, as in zeros[channel]")
  else biased
}

// The largest value of blocks of cells.
// - f: field
// - over: one to three dims of f
// - size: int, the number of cells of a block along each dim
// Value: field over `coarsen(x, size)` in place of each dim of `over`.
// Example: max_pool(hidden, (x, y))
fn max_pool(f, over, size: int = 2) = pooled(f, over, size, (g, along) => max(g, over = along))

// The mean of blocks of cells.
// - f: field
// - over: one to three dims of f
// - size: int, the number of cells of a block along each dim
// Value: field over `coarsen(x, size)` in place of each dim of `over`.
// Example: mean_pool(hidden, (x, y))
fn mean_pool(f, over, size: int = 2) = pooled(f, over, size, (g, along) => mean(g, over = along))

// Any reduction of blocks of cells.
// - f: field
// - over: one to three dims of f
// - size: int, the number of cells of a block along each dim
// - reduce: function (g, dims) => the reduced field
// Value: field over `coarsen(x, size)` in place of each dim of `over`.
// Example: pooled(hidden, (x, y), 2, (g, along) => min(g, over = along))
fn pooled(f, over, size, reduce) {
  let count = total(for d in over => 1)
  let taps = for d in over => piece(d, size)
  let s = seen(f, over, size, size, 0, "zero")
  if count == 1 then reduce(s, taps[0]) else if count == 2 then reduce(s, (taps[0], taps[1]))
  else reduce(s, (taps[0], taps[1], taps[2]))
}

// f + layer(f).
// - f: field
// - layer: function of f
// Value: like f.
// Source: He et al. (2016)
// Example: residual(images, relu)
fn residual(f, layer) = f + layer(f)

// ---- Norms -------------------------------------------------------------------------------------------------------------

// f with mean 0 and variance 1: (f − mean)/√(variance + epsilon).
// - f: field
// - over: dims along which mean and variance are taken
// - epsilon: number
// Value: field like f.
// Example: standardized(images, (x, y))
fn standardized(f, over, epsilon = 1e-5) {
  let centred = f - mean(f, over = over)
  centred / sqrt(mean(centred^2, over = over) + epsilon)
}

// f with mean 0 and variance 1, times a scale, plus a shift. `over` usually has all dims except
// the batch.
// - f: field
// - layer: record `{scale, shift}`, as of `norm_start`
// - over: dims along which mean and variance are taken
// - epsilon: number, added to the variance
// Value: field like f.
// Source: Ba et al. (2016)
// Example: layer_norm(hidden, norm_start[wide](), (wide, x, y))
fn layer_norm(f, layer, over, epsilon = 1e-5) =
  fitting_norm(standardized(f, over, epsilon) * layer.scale + layer.shift, f, layer)

// The result of a norm, if the scale and the shift are over dims of f.
fn fitting_norm(made, f, layer) =
  if shared_dims(dims(made), dims(f)) < total(for d in dims(made) => 1)
  then error("layer.scale or layer.shift is over a dim that the field does not have; norm_start[c]() makes both over a dim c of the field")
  else made

// The same function as `layer_norm`; `over` usually has the batch and space.
// - f: field
// - layer: record `{scale, shift}`, as of `norm_start`
// - over: dims along which mean and variance are taken
// - epsilon: number, added to the variance
// Value: field like f.
// Source: Ioffe & Szegedy (2015)
// Example: batch_norm(hidden, norm_start[wide](), (sample, x, y))
fn batch_norm(f, layer, over, epsilon = 1e-5) = layer_norm(f, layer, over, epsilon)

// f with mean 0 and variance 1 over space and groups of channels, times a scale, plus a shift.
// - f: field
// - layer: record `{scale, shift}`, as of `norm_start`
// - channel: dim of the channels
// - over: the dims of space
// - size: int, the number of channels of a group
// - epsilon: number, added to the variance
// Value: field like f.
// Source: Wu & He (2018)
// Example: group_norm(hidden, norm_start[wide](), wide, (x, y), 2)
fn group_norm(f, layer, channel, over, size: int, epsilon = 1e-5) {
  let group = piece(channel, size)
  fn means(g) = refine(mean(mean(g, over = over)[channel = size * coarsen(channel, size) + group], over = group), size,
                       over = channel)
  let centred = f - means(f)
  fitting_norm(centred / sqrt(means(centred^2) + epsilon) * layer.scale + layer.shift, f, layer)
}

// ---- Functions ---------------------------------------------------------------------------------------------------------

// max(f, 0).
// - f: number or field
// Value: like f.
// Example: relu(hidden)
fn relu(f) = max(f, 0)

// max(f, slope · f).
// - f: number or field
// - slope: number below 1
// Value: like f.
// Source: Maas, Hannun & Ng (2013)
// Example: leaky_relu(hidden)
fn leaky_relu(f, slope = 0.01) = max(f, slope * f)

// 1/(1 + e^−f). The function and its derivative are exact up to rounding in both tails.
// - f: number or field
// Value: like f.
// Example: sigmoid(hidden)
fn sigmoid(f) = exp(min(0, f)) / (1 + exp(-1 * abs(f)))

// log(1 + e^f). The function and its derivative are exact up to rounding in both tails.
// - f: number or field
// Value: like f.
// Example: softplus(hidden)
fn softplus(f) {
  let e = exp(-1 * abs(f))
  let u = 1 + e
  max(f, 0) + (log(u) + (e - (u - 1)) / u)
}

// ½ f (1 + erf(f/√2)).
// - f: number or field
// Value: like f.
// Source: Hendrycks & Gimpel (2016)
// Example: gelu(hidden)
fn gelu(f) = 0.5 * f * (1 + erf(f / sqrt(2)))

// e^f/Σ e^f over some dims.
// - f: field
// - over: dims of f
// Value: field like f.
// Example: softmax(hidden, wide)
fn softmax(f, over) {
  let e = exp(f - max(f, over = over))
  e / sum(e, over = over)
}

// The logarithm of `softmax`, without overflow.
// - f: field
// - over: dims of f
// Value: field like f.
// Example: log_softmax(hidden, wide)
fn log_softmax(f, over) {
  let shifted = f - max(f, over = over)
  shifted - log(sum(exp(shifted), over = over))
}

// 0 in a share `rate` of the elements, and f/(1 − rate) elsewhere. The choice depends on the seed
// and the element only.
// - f: field
// - rate: number, 0 ≤ rate < 1; another one ends the program with an error
// - seed: int or u64
// Value: field like f.
// Source: Srivastava et al. (2014)
// Example: dropout(hidden, 0.2, 7)
fn dropout(f, rate, seed) {
  assert rate >= 0 and rate < 1, "dropout: a rate of {}, expected one from 0 to below 1", rate
  let noise = white_noise[dims(f)](seed)
  let kept = 0.5 * (1 + erf(noise / sqrt(2))) >= rate
  map q in f => if kept then f / (1 - rate) else 0
}

// ---- Losses ------------------------------------------------------------------------------------------------------------

// The mean of (f − target)².
// - f: field
// - target: field over the same dims, or number
// Value: number.
// Example: mean_square(images, 0)
fn mean_square(f, target) = mean((f - target)^2)

// The mean of |f − target|.
// - f: field
// - target: field over the same dims, or number
// Value: number.
// Example: mean_absolute(images, 0)
fn mean_absolute(f, target) = mean(abs(f - target))

// The mean of ½ ((f − target)²/σ² + log σ²): minus the logarithm of a Gaussian density, without ½
// log 2π.
// - f: field, the means
// - log_variance: field, log σ²
// - target: field over the same dims
// Value: number.
// Source: Nix & Weigend (1994)
// Example: gaussian_loss(images, 0 * images, images)
fn gaussian_loss(f, log_variance, target) = mean(0.5 * ((f - target)^2 * exp(-1 * log_variance) + log_variance))

// −mean Σ target log softmax(f) over the classes of the dim `over`.
// - f: field over `over` and other dims
// - target: probabilities over the classes, or an int field over all dims of f except `over`: the
//   numbers of the classes, from 0 on
// - over: dim of the classes
// Value: number. A class number out of range ends the program with an error.
// Example: cross_entropy(mean(hidden, over = (x, y)), map q in [sample] => int(index(q, sample)), wide)
fn cross_entropy(f, target, over) =
  if shared_dims(over, dims(target)) > 0 then -1 * mean(sum(target * log_softmax(f, over), over = over))
  else class_entropy(f, target, over)

fn class_entropy(f, target, over) {
  let classes = total(for d in over =>
    if shared_dims(d, dims(f)) == 1 then 1 else error("cross_entropy: the field is not over the classes 'over'"))
  let others = total(for d in dims(f) => 1) - 1
  let fits =
    classes == 1 and shared_dims(dims(target), dims(f)) == others and total(for d in dims(target) => 1) == others
  let label = if fits then div(target, 1)  // an error of the compiler if these are no ints
              else error("cross_entropy: 'target' is over the classes, or an int field over all dims of the field but that of the classes")
  assert min(label) >= 0 and max(label) < cells(over), "cross_entropy: classes are {} to {}, expected 0 to {}",
         min(label), max(label), cells(over) - 1
  let p = log_softmax(f, over)
  -1 * mean(sum(map q in p => if int(index(q, over)) == label then p else 0, over = over))
}
