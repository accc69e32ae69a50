const nx = 6
const ny = 9
const nz = 8
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
dim x = nx, y = ny, z = nz
dim b = 3

fn wide(w, d) = index(w, d)^2
fn source(seed) = white_noise[x, y, z](seed)
fn smooth(f) {
  let w = fft(f)
  ifft(map k in w => exp(-0.02 * (wide(k, x) + 2 wide(k, y) + 3 wide(k, z))) * w)
}
/// `factor` of the mode numbers along `over`.
fn filter(f, factor, over) {
  let w = fft(f, over = over)
  ifft(map k in w => factor(k) * w, over = over)
}

// Each filter has a transform of its own: one with two readers is none.
let f = source(1)
output f
output smoothed = smooth(f)
output slope_source = source(2)
output slope = filter(slope_source, k => 1i * index(k, x) / (1 + wide(k, z)), (x, y, z))
output table_source = source(3)
let factors = white_noise[y](4) + 1i * white_noise[y](14)
output table = factors
output by_table = ifft(fft(table_source) * fft(factors))
output along_x_source = source(5)
output along_x = filter(along_x_source, k => 1i * index(k, x), x)
output along_z_source = source(6)
output along_z = filter(along_z_source, k => exp(-0.1 * wide(k, z)), z)
output along_yz_source = source(7)
output along_yz = filter(along_yz_source, k => exp(-0.1 * wide(k, z) - 0.03 * wide(k, y)), (y, z))
output batch_source = white_noise[b, x, y](8)
output batch = filter(batch_source, k => exp(-0.1 * wide(k, x)), (x, y))
output last_batch_source = white_noise[x, b](9)
output last_batch = filter(last_batch_source, k => exp(-0.1 * wide(k, x)), x)
let c = source(10) + 1i * source(60)
output c_source = c
output c_all = filter(c, k => exp(1i * index(k, x) - 0.02 * wide(k, y)), (x, y, z))
let d = source(11) + 1i * source(61)
output c_along_source = d
output c_along = filter(d, k => exp(1i * index(k, y)), y)

// The adjoint of a filter is one, too.
output slope_of_energy = grad(f => sum(smooth(f)^2) / 2)(f)

// Two readers of a spectrum.
output shared_source = source(12)
let shared = fft(shared_source)
output first = ifft(map k in shared => wide(k, x) * shared)
output second = ifft(map k in shared => wide(k, y) * shared)
