// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet
// What the library does to a batch of fields is what it does to each of them, wherever the batch's dim stands.

use cosmology, fields, lpt, particles

dim x = 8, y = 6, z = 10 over 40 Mpc/h
dim c = 2
dim u = 6, v = 8

let universe = flat_lcdm()
fn P(k) = 100 (Mpc/h)^3 * exp(-(k * 5 Mpc/h)^2)

fn everything(f) {
  let s = lpt(universe, f, a = 0.5)
  (smooth(f, 3 Mpc/h), colour(f, P), gradient(f)[y], gradient(f, "fd4")[z], divergence(gradient(f)),
   inverse_laplacian(f), inverse_laplacian(f, "fd2"), compensate(f, "tsc"), s.disp[x], s.mom[z], positions(s)[y],
   redshift_space(universe, s, 0.5, z).disp[z])
}

fn off(batch) {
  let all = everything(batch)
  total(for i in 0 .. 2 => {
    let one = everything(slice(batch, c = i))
    total(for j in 0 .. 12 => max(abs(slice(all[j], c = i) - one[j])) / max(abs(one[j])))
  })
}

let before = off(white_noise[c, x, y, z](1))
let after = off(white_noise[x, y, z, c](2))
let between = off(white_noise[x, y, c, z](3))
assert before < 1e-11, "a batch before is off by {}", before
assert after < 1e-11, "a batch behind is off by {}", after
assert between < 1e-11, "a batch between is off by {}", between

// Without lengths the dims are named.
let flat = white_noise[c, u, v](4)
let least = max(abs(slice(smooth(flat, 1.5, over = (u, v)), c = 1) - smooth(slice(flat, c = 1), 1.5)))
assert least < 1e-13, "dims without length are off by {}", least

// One seed makes the noise of all.
let fields = gaussian_field[c, x, y, z](P, 5)
let noise = white_noise[c, x, y, z](5)
let drawn = max(abs(slice(fields, c = 1) - colour(slice(noise, c = 1), P))) / max(abs(fields))
assert drawn < 1e-12, "gaussian_field is off by {}", drawn

// Of dims without lengths, two numbers without names are places along the last two; the first dim counts the batch.
let plain = white_noise[c, u, v](7)
let (place_u, place_v) = map q in [u, v] => (index(q, u), index(q, v))
let nodes = max(abs(readout_at(plain, (place_u, place_v), "ngp") - plain))
assert nodes == 0, "the nodes of a batch are off by {}", nodes
