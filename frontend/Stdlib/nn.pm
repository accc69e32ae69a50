// Neural networks. A layer's parameters are a record of fields; a network is a function of a record of them. Fields have their
// channels before the dims of space; what else they have, such as samples, is a batch. Gradients are those of the compiler:
// grad(w => loss(net(w, x)))(w).

// Products of the cells of some dims, as a number.
fn count_of(list) = round(exp(total(for d in list => log(cells(d)))))

// How many dims of the list `some` are in the list `all`; both may be one dim.
fn shared_dims(some, all) = total(for d in some => total(for e in all => if e == d then 1 else 0))

// ---- Starts ------------------------------------------------------------------------------------------------------------

// Normal numbers of variance 2/n, n being the inputs of an output (He et al. 2015).
fn he[D](seed, inputs) = sqrt(2 / inputs) * white_noise[D](seed)

// Normal numbers of variance 2/(inputs + outputs) (Glorot & Bengio 2010).
fn glorot[D](seed, inputs, outputs) = sqrt(2 / (inputs + outputs)) * white_noise[D](seed)

// Of `dense` from dim I to dim O.
fn dense_start[I, O](seed) = {weight = he[O, I](seed, cells(I)), bias = zeros[O]}

// Of `conv` and `up_conv` from dim C to dim O, with `size` taps along each dim of `over`.
fn conv_start[C, O](seed, over, size: int = 3) {
  let taps = for d in over => piece(d, size)
  {weight = he[O, C, taps](seed, cells(C) * count_of(taps)), bias = zeros[O]}
}

// Of norms over some dims: D are those that have a scale and a shift.
fn norm_start[D]() = {scale = constant[D](1), shift = zeros[D]}

// ---- Layers ------------------------------------------------------------------------------------------------------------

// Σ f weight over the dim `channel`, and a bias. An error of the compiler if f or the weights are not over `channel`.
fn dense(f, layer, channel) {
  let count = total(for d in channel => 1)
  let weight = if shared_dims(channel, dims(f)) < count then
                 error("dense: the field is not over the dim 'channel', which is summed over")
               else if shared_dims(channel, dims(layer.weight)) < count then error("dense: the weights are not over the dim 'channel'; dense_start[channel, outputs] makes such weights")
               else layer.weight
  sum(f * weight, over = channel) + layer.bias
}

// The weights, if they fit to a convolution of a field over the dims `all`: over `channel`, with `size` taps along each dim of `over`
// and none along another one. Else an error of the compiler.
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

// Cell u = stride * x + t - before along a dim, in the place of u.
fn seen_along(f, d, size, stride, before, edge) =
  f[d = stride * coarsen(d, stride) + piece(d, size) - before, edge = edge]

// The same along one to three dims.
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

// The convolution without a bias: r(o, x) = Σ f(c, stride x + t - before) weight(o, c, t).
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

// A convolution along `over`, with as many taps on both sides of a cell if `size` is odd; one cell of `stride` is computed. Weights of
// another size, other dims or other channels are an error of the compiler.
fn conv(f, layer, channel, over, size: int = 3, stride: int = 1, edge = "zero") =
  correlate(f, fitting(layer.weight, dims(f), channel, over, size), channel, over, size, stride, floor((size - 1) / 2),
            edge) + layer.bias

// The transpose of a convolution with a stride, which makes fields finer: D are the dims of what it makes, and `channel` its
// channels. The layer is that of a convolution from there to f, but for the bias, which is over `channel`. Weights that do not fit are
// an error, as for `conv`.
fn up_conv[D](f, layer, channel, over, size: int = 2, stride: int = 2, edge = "zero") {
  let weight = fitting(layer.weight, D, channel, over, size)
  vjp(g => correlate(g, weight, channel, over, size, stride, floor((size - stride + 1) / 2), edge))(zeros[D],
                                                                                                    cotangent = f)[1] +
    layer.bias
}

// The largest, or the mean, of blocks of `size` cells along each dim of `over`.
fn max_pool(f, over, size: int = 2) = pooled(f, over, size, (g, along) => max(g, over = along))
fn mean_pool(f, over, size: int = 2) = pooled(f, over, size, (g, along) => mean(g, over = along))
fn pooled(f, over, size, reduce) {
  let count = total(for d in over => 1)
  let taps = for d in over => piece(d, size)
  let s = seen(f, over, size, size, 0, "zero")
  if count == 1 then reduce(s, taps[0]) else if count == 2 then reduce(s, (taps[0], taps[1]))
  else reduce(s, (taps[0], taps[1], taps[2]))
}

// f + layer(f).
fn residual(f, layer) = f + layer(f)

// ---- Norms -------------------------------------------------------------------------------------------------------------

// Mean 0 and variance 1 over `over`.
fn standardized(f, over, epsilon = 1e-5) {
  let centred = f - mean(f, over = over)
  centred / sqrt(mean(centred^2, over = over) + epsilon)
}

// Over what a sample has (Ba et al. 2016), and over samples and space of each channel (Ioffe & Szegedy 2015): the same, over
// other dims.
fn layer_norm(f, layer, over, epsilon = 1e-5) = standardized(f, over, epsilon) * layer.scale + layer.shift
fn batch_norm(f, layer, over, epsilon = 1e-5) = layer_norm(f, layer, over, epsilon)

// Over space and groups of `size` channels (Wu & He 2018).
fn group_norm(f, layer, channel, over, size: int, epsilon = 1e-5) {
  let group = piece(channel, size)
  fn means(g) = refine(mean(mean(g, over = over)[channel = size * coarsen(channel, size) + group], over = group), size,
                       over = channel)
  let centred = f - means(f)
  centred / sqrt(means(centred^2) + epsilon) * layer.scale + layer.shift
}

// ---- Functions ---------------------------------------------------------------------------------------------------------

fn relu(f) = max(f, 0)
fn leaky_relu(f, slope = 0.01) = max(f, slope * f)

// 1/(1 + e^(-f)), right to rounding in both tails, and so is its derivative: no exponent is above 0. (At 0, min and abs have the
// derivatives to the right.)
fn sigmoid(f) = exp(min(0, f)) / (1 + exp(-1 * abs(f)))

// log(1 + e^f): the log is that of u, the rounded 1 + e, and what u lacks is added.
fn softplus(f) {
  let e = exp(-1 * abs(f))
  let u = 1 + e
  max(f, 0) + (log(u) + (e - (u - 1)) / u)
}
fn gelu(f) = 0.5 * f * (1 + erf(f / sqrt(2)))

fn softmax(f, over) {
  let e = exp(f - max(f, over = over))
  e / sum(e, over = over)
}
fn log_softmax(f, over) {
  let shifted = f - max(f, over = over)
  shifted - log(sum(exp(shifted), over = over))
}

// 0 in a share `rate` of the cells, chosen by the seed, and f / (1 - rate) in the others; 0 <= rate < 1.
fn dropout(f, rate, seed) {
  assert rate >= 0 and rate < 1, "dropout: a rate of {}, expected one from 0 to below 1", rate
  let noise = white_noise[dims(f)](seed)
  let kept = 0.5 * (1 + erf(noise / sqrt(2))) >= rate
  map q in f => if kept then f / (1 - rate) else 0
}

// ---- Losses ------------------------------------------------------------------------------------------------------------

fn mean_square(f, target) = mean((f - target)^2)
fn mean_absolute(f, target) = mean(abs(f - target))

// Minus the log of a Gaussian's density with these means and logs of variances, without the constant log(2 pi)/2.
fn gaussian_loss(f, log_variance, target) = mean(0.5 * ((f - target)^2 * exp(-1 * log_variance) + log_variance))

// -mean Σ target log softmax(f) over the classes of the dim `over`. `target` are probabilities over the classes, or an int field over
// all dims of f but that one: the numbers of the classes, from 0 on. A number that no class has is an error of the program.
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
