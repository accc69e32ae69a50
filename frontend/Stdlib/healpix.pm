// Maps of the full sphere with pixels of equal area on rings of equal latitude (Górski et al.
// 2005), and spherical harmonics on them.
//
// A map is a field over a dim of 12 nside² cells, the pixels; nside is known at compile time.
// `order` is the order of the pixels: `"ring"`, from the north pole on, or `"nest"`, for which
// nside is a power of 2. θ is the angle from the north pole and φ the longitude, in radians.
// Functions of angles and pixels take numbers, or elements in a map: `map q in theta =>
// ang2pix(64, theta, phi)`. Pixels are ints, with the same numbers as in healpy. Compute in f64
// (`--precision=f64`) for nside ≥ 1024, because f32 cannot distinguish the pixels.
//
// Coefficients a_ℓm are complex over [ℓ, m], for m ≥ 0, and 0 for m > ℓ. Those of −m follow,
// because maps are real.
//
// Setup: dim star = 100
//   dim pixel = 48
//   dim l = 5, m = 5
//   let place = for i in 1 .. 4 => white_noise[star](i)
//   let f = white_noise[pixel](7)
//   let alm = map2alm[l, m](f)
//
// Internal: nest_order isqrt quarter spread_bits every_second_bit nest2face face2nest face_ring pixels_beside
//   face_turn face2ring ring2face pixel_at finite_pixel ring_pixel nest_at chirp chirp_cells
//   chirped rings_of waves_of_rings over_pixels_of map_of_waves legendre_start legendre spin2
//   legendre_nodes legendre_table

use math, linalg

// ---- numbers of pixels ----

// The number of pixels, 12 nside².
// - nside: int
// Value: int.
// Example: npix(8)
fn npix(nside: int) = 12 * nside^2

// The nside of a map over a dim. A number of cells that is not 12 nside² is an error at compile
// time.
// - pix: dim
// Value: int, known at compile time.
// Example: nside_of(pixel)
fn nside_of(pix) {
  let n = round(sqrt(cells(pix) / 12))
  if 12 * n^2 == cells(pix) then n else error("a map of the sphere has 12 nside^2 pixels")
}

// log2 nside.
fn nest_order(nside: int) {
  let order = round(log(nside) / log(2))
  if 2^order == nside then order else error("nested pixels need an nside that is a power of 2")
}

// floor(sqrt(n)), exactly.
fn isqrt(n) {
  let r = int(sqrt(n + 0.5))
  if r * r > n then r - 1 else if (r + 1) * (r + 1) <= n then r + 1 else r
}

// How many of 1, 2, 3 times n are no larger than i: i / n, up to 3.
fn quarter(i, n) = (if i >= n then 1 else 0) + (if i >= 2 * n then 1 else 0) + (if i >= 3 * n then 1 else 0)

// The bits of i at every second place, and the other way.
fn spread_bits(i, order: int) = total(for b in 0 .. max(order, 1) => 4^b * mod(div(i, 2^b), 2))
fn every_second_bit(i, order: int) = total(for b in 0 .. max(order, 1) => 2^b * mod(div(i, 4^b), 2))

// ---- faces ----

// The sphere has 12 faces with nside^2 pixels each, (ix, iy) from its southern corner: {ix, iy, face} of a nested pixel.
fn nest2face(nside: int, p) {
  let order = nest_order(nside)
  let inside = mod(p, nside^2)
  {ix = every_second_bit(inside, order), iy = every_second_bit(div(inside, 2), order), face = div(p, nside^2)}
}

fn face2nest(nside: int, f) {
  let order = nest_order(nside)
  f.face * nside^2 + spread_bits(f.ix, order) + 2 * spread_bits(f.iy, order)
}

// Where a face has its southern corner: rings from the north over nside, and eighths of the longitude.
fn face_ring(face) = 2 + div(face, 4)
fn face_turn(face) = 2 * mod(face, 4) + (if div(face, 4) == 1 then 0 else 1)

// The ring of a pixel of a face, counted from 1: {ring, pixels: of a quarter of it, start: its first pixel, shift: whether
// that is half a pixel away from phi = 0}.
fn face2ring(nside: int, f) = ring_at(nside, face_ring(f.face) * nside - f.ix - f.iy - 1)

// The ring with a given number.
// - nside: int
// - ring: int, from 1 at the north pole to 4 nside − 1
// Value: record `{ring, pixels, start, shift, z, sine, phi}`: the number of the ring, the number
//   of pixels of a quarter of it, its first pixel, 1 if this pixel is half a pixel away from φ = 0
//   and else 0, cos θ, sin θ, and φ of the first pixel.
// Source: Górski et al. (2005)
// Example: ring_at(8, 3).start
fn ring_at(nside: int, ring) {
  let width = min(min(ring, 4 * nside - ring), nside)
  let is_cap = width < nside
  let shift = if is_cap then 1 else 1 - mod(ring - nside, 2)
  let start = if ring < nside then 2 * ring * (ring - 1)
              else if ring <= 3 * nside then 2 * nside * (nside - 1) + (ring - nside) * 4 * nside
              else npix(nside) - 2 * width * (width + 1)
  let cap = width * width / (3 * nside^2)  // 1 - |z|
  let z = if ring < nside then 1 - cap else if ring > 3 * nside then cap - 1 else (2 * nside - ring) * (2 / (3 * nside))
  let sine = if is_cap then sqrt(cap * (2 - cap)) else sqrt((1 - z) * (1 + z))
  {ring = ring, pixels = width, start = start, shift = shift, z = z, sine = sine, phi = shift * pi / (4 * width)}
}

// The number in ring order of a pixel that is given in nest order.
// - nside: int, a power of 2
// - p: int, or element in a map
// Value: int.
// Source: Górski et al. (2005)
// Example: nest2ring(8, 17)
fn nest2ring(nside: int, p) {
  let f = nest2face(nside, p)
  let r = face2ring(nside, f)
  let j = div(face_turn(f.face) * r.pixels + f.ix - f.iy + (2 - r.shift), 2)
  r.start + (if j < 1 then j + 4 * nside else j) - 1
}

// The ring of a pixel, and the number of the pixel on this ring.
// - nside: int
// - p: int in ring order, or element in a map
// Value: record `{at, place}`: the record of `ring_at`, and a number from 0 on.
// Source: Górski et al. (2005)
// Example: ring_of(8, 17).place
fn ring_of(nside: int, p) {
  let cap = 2 * nside * (nside - 1)
  let south = npix(nside) - 1 - p
  let north_ring = div(1 + isqrt(1 + 2 * p), 2)
  let south_ring = div(1 + isqrt(1 + 2 * south), 2)
  let ring =
    if p < cap then north_ring else if south < cap then 4 * nside - south_ring else div(p - cap, 4 * nside) + nside
  let r = ring_at(nside, ring)
  {at = r, place = p - r.start}
}

fn ring2face(nside: int, p) {
  let found = ring_of(nside, p)
  let r = found.at
  let is_cap = r.pixels < nside
  let row = r.ring - nside
  let shift = 1 - r.shift
  let rising = div(found.place - div(row + 1, 2) + nside, nside)
  let falling = div(found.place - div(2 * nside + 1 - row, 2) + nside, nside)
  let middle = if rising == falling then 4 + mod(falling, 4) else if falling < rising then falling else rising + 8
  let pole = quarter(found.place, r.pixels) + (if r.ring < nside then 0 else 8)
  let face = if is_cap then pole else middle
  let across = 2 * found.place - face_turn(face) * r.pixels + 1 - (if is_cap then 0 else shift)
  let turned = if across >= 2 * nside then across - 8 * nside else across
  let down = r.ring - face_ring(face) * nside + 1
  {ix = div(turned - down, 2), iy = div(-turned - down, 2), face = face}
}

// The number in nest order of a pixel that is given in ring order.
// - nside: int, a power of 2
// - p: int, or element in a map
// Value: int.
// Source: Górski et al. (2005)
// Example: ring2nest(8, 17)
fn ring2nest(nside: int, p) = face2nest(nside, ring2face(nside, p))

// ---- angles and directions ----

// The angles of the middle of a pixel.
// - nside: int
// - p: int, or element in a map
// - order: `"ring"` or `"nest"`
// Value: tuple (θ, φ) in radians.
// Source: Górski et al. (2005)
// Example: pix2ang(8, 17)
fn pix2ang(nside: int, p, order = "ring") {
  let found = ring_of(nside, if order == "nest" then nest2ring(nside, p) else p)
  let r = found.at
  (atan2(r.sine, r.z), r.phi + found.place * (pi / 2) / r.pixels)
}

// The unit vector to the middle of a pixel.
// - nside: int
// - p: int, or element in a map
// - order: `"ring"` or `"nest"`
// Value: vector of three numbers.
// Example: pix2vec(8, 17)
fn pix2vec(nside: int, p, order = "ring") {
  let r = ring_of(nside, if order == "nest" then nest2ring(nside, p) else p)
  let phi = r.at.phi + r.place * (pi / 2) / r.at.pixels
  (r.at.sine * cos(phi), r.at.sine * sin(phi), r.at.z)
}

// The pixel in the direction of two angles.
// - nside: int
// - theta: number or element, the angle from the north pole in radians
// - phi: number or element, the longitude in radians
// - order: `"ring"` or `"nest"`
// Value: int; −1 for an angle that is not finite.
// Source: Górski et al. (2005)
// Example: ang2pix(8, 0.5, 1.0)
fn ang2pix(nside: int, theta, phi, order = "ring") =
  pixel_at(nside, cos(theta), sin(theta), phi, theta < 0.01 or theta > 3.14159 - 0.01, order)

// The pixel in the direction of a vector.
// - nside: int
// - v: vector of three numbers or elements, of any length and unit
// - order: `"ring"` or `"nest"`
// Value: int; −1 for a vector that is 0 or not finite.
// Example: vec2pix(8, (0.0, 1.0, 0.5))
fn vec2pix(nside: int, v, order = "ring") {
  // Squares of components may leave the range of f32. Of these three the largest is 1.
  let u = (1 / max(max(abs(v[0]), abs(v[1])), abs(v[2]))) * v
  let scale = 1 / sqrt(norm2(u))
  let z = u[2] * scale
  pixel_at(nside, z, sqrt(u[0]^2 + u[1]^2) * scale, atan2(v[1], v[0]), abs(z) > 0.99, order)
}

// The pixel at z = cos(theta), -1 where an angle is not finite. use_sine holds near the poles, where the sine is known better than
// 1 - |z|. It is below 0 where rounding made theta smaller than 0 or larger than pi.
fn pixel_at(nside: int, z, sine, phi, use_sine, order) =
  if finite(z) and finite(phi) then finite_pixel(nside, z, abs(sine), phi, use_sine, order) else -1

fn finite_pixel(nside: int, z, sine, phi, use_sine, order) {
  let away = abs(z)
  let turn = remainder(phi * (2 / pi), 4)
  let turns = if turn >= 4 then 0 else turn  // quarters of a turn
  let whole = min(int(turns), 3)
  let part = turns - whole
  let rise = nside * z * 0.75
  // At |z| = 2/3, rounding must not lead beyond the ring where the caps begin.
  let rising = max(int(nside * (0.5 + turns) - rise), 0)
  let falling = max(int(nside * (0.5 + turns) + rise), 0)
  let (up, down) = (max(rising, falling - nside), max(falling, rising - nside))
  let pole = if use_sine and away >= 0.99 then nside * sine / sqrt((1 + away) / 3) else nside * sqrt(3 * (1 - away))
  let left = int(part * pole)
  let right = int((1 - part) * pole)
  if order == "nest" then nest_at(nside, z, up, down, min(left, nside - 1), min(right, nside - 1), whole)
  else if order == "ring" then ring_pixel(nside, z, up, down, min(left + right + 1, nside), turns)
  else error("an order is \"ring\" or \"nest\"")
}

fn ring_pixel(nside: int, z, up, down, pole_ring, turns) {
  let ring = nside + 1 + up - down
  let place = mod(div(up + down + 2 - mod(ring, 2) + 7 * nside, 2), 4 * nside)
  let in_pole = min(int(turns * pole_ring), 4 * pole_ring - 1)
  if abs(z) <= 2 / 3 then 2 * nside * (nside - 1) + (ring - 1) * 4 * nside + place
  else if z > 0 then 2 * pole_ring * (pole_ring - 1) + in_pole
  else npix(nside) - 2 * pole_ring * (pole_ring + 1) + in_pole
}

fn nest_at(nside: int, z, up, down, left, right, whole) {
  let a = div(up, nside)
  let b = div(down, nside)
  let face = if a == b then 4 + mod(a, 4) else if a < b then a else b + 8
  let middle = {ix = mod(down, nside), iy = nside - mod(up, nside) - 1, face = face}
  let north = {ix = nside - right - 1, iy = nside - left - 1, face = whole}
  let south = {ix = left, iy = right, face = whole + 8}
  face2nest(nside, if abs(z) <= 2 / 3 then middle else if z >= 0 then north else south)
}

// ---- maps ----

// The sum of the weights of the particles in each pixel of the map over the dim in brackets.
// - v: three fields, the positions of the particles relative to the point from which the sphere is
//   seen, at any distance
// - weight: number or field, or a tuple of them
// - order: `"ring"` or `"nest"`
// - where: field of bools; only particles for which it is true are added
// - window: `"ngp"`: each particle is in one pixel; `"linear"`: each particle is divided among the
//   four pixels of `sphere_readout`, by the same factors
// Value: map in f64, or a tuple of maps. With the window `"linear"`, derivatives also pass through
//   the directions.
// Example: sphere_paint[pixel](place, window = "linear")
fn sphere_paint[pix](v, weight = 1, order = "ring", where = true, window = "ngp") = {
  let nside = nside_of(pix)
  if window == "ngp" then bins q in v[0] into pix by (if where then vec2pix(nside, v, order) else -1) => weight
  else if window == "linear" then
    total(for i in 0 .. 4 => bins q in v[0] into pix by
      (if where then pixels_beside(nside, v, order).pixels[i] else -1) => pixels_beside(nside, v, order).factors[i] *
        weight)
  else error("sphere_paint: a window is \"ngp\" or \"linear\"")
}

// The values of a map in some directions, interpolated between the middles of four pixels: linearly in the longitude on the
// rings north and south of the direction, and linearly in θ between these rings. The value at a pole is the mean of the
// four pixels around it.
// - f: map
// - v: three fields, vectors in the directions, of any length and unit
// - order: `"ring"` or `"nest"`
// Value: field over the dims of v; 0 where a vector is 0 or not finite. Derivatives pass through the map and the directions,
//   except at the poles.
// Source: Górski et al. (2005), the interpolation of HEALPix
// Example: sphere_readout(f, place)
fn sphere_readout(f, v, order = "ring") {
  let P = dims(f)[0]
  map q in v[0] => {
    let beside = pixels_beside(nside_of(P), v, order)
    total(for i in 0 .. 4 => beside.factors[i] * f[P = beside.pixels[i], edge = "zero"])
  }
}

// The four pixels of `sphere_readout` and their factors, whose sum is 1. The pixels are −1 and the factors 0 for a vector that is 0 or not finite.
fn pixels_beside(nside: int, v, order) {
  let u = (1 / max(max(abs(v[0]), abs(v[1])), abs(v[2]))) * v
  let across = sqrt(u[0]^2 + u[1]^2)
  let (theta, phi) = (atan2(across, u[2]), atan2(u[1], u[0]))
  let valid = finite(theta) and finite(phi)
  let (z, sine) = (cos(theta), sin(theta))
  // The ring north of the direction. 1 - |z| is inaccurate in f32 near the poles.
  let cap = if valid then int(nside * sine * sqrt(3 / (1 + abs(z)))) else 0
  let north =
    if not valid then 1
    else if abs(z) <= 2 / 3 then int(nside * (2 - 1.5 * z))
    else if z > 0 then min(cap, nside) else max(4 * nside - 1 - cap, 3 * nside - 1)
  let last = 4 * nside - 1
  let (upper, lower) = (ring_at(nside, clamp(north, 1, last)), ring_at(nside, clamp(north + 1, 1, last)))
  let (from, to) = (atan2(upper.sine, upper.z), atan2(lower.sine, lower.z))
  let polar = north < 1 or north >= last
  // The distance from the upper ring, and near a pole from the pole, relative to that of the other ring.
  let t = if north < 1 then theta / to
          else if north >= last then (pi - theta) / (pi - from)
          else (theta - from) / (if polar then 1 else to - from)
  fn on(r) {
    let place = (if valid then phi - r.phi else 0 * r.phi) * (2 / pi) * r.pixels
    let first = int(floor(place))
    {first = r.start + mod(first, 4 * r.pixels), second = r.start + mod(first + 1, 4 * r.pixels), part = place - first}
  }
  let (a, b) = (on(upper), on(lower))
  fn opposite(p) = upper.start + mod(p - upper.start + 2, 4)
  let mean = (1 - t) / 4
  let factors =
    if polar then (t * (1 - a.part) + mean, t * a.part + mean, mean, mean)
    else ((1 - t) * (1 - a.part), (1 - t) * a.part, t * (1 - b.part), t * b.part)
  let found =
    if polar then (a.first, a.second, opposite(a.first), opposite(a.second)) else (a.first, a.second, b.first, b.second)
  {pixels = for p in found => if not valid then -1 else if order == "nest" then ring2nest(nside, p) else p
   factors = for w in factors => if valid then w else 0.0}
}

// ---- spherical harmonics ----
//
// alm is complex over [l, m], 0 where m > l; a real map has conjugates at -m. Sums along rings are Fourier transforms, and Legendre functions
// come from their recursion in l, in f64 (--precision=f64), up to l of about 1500: beyond, sin^m is not a number that f64 has.
//
// A ring has n = 4, 8, 12, ... pixels, and any m is wanted. With 2 j m = j^2 + m^2 - (m - j)^2 a sum over exp(-2 pi i j m/n) is a
// convolution with exp(i pi d^2/n), d = m - j, between two factors of that kind (Bluestein 1970), for all rings with transforms of one length.

// The spherical harmonic coefficients a_ℓm = 4π/npix Σ f Y*_ℓm of a map, over the dims [ℓ, m] in
// brackets.
// - f: map in ring order
// Value: complex field over [ℓ, m], for ℓ from 0 to cells(L) − 1. Use ℓ up to about 1500.
// Cost: Fourier transforms along rings, all of one length, and Legendre functions by recursion:
//   time proportional to nside² log nside plus nside · cells(L) · cells(M).
// Source: Bluestein (1970) for the transforms
// Example: map2alm[l, m](f)
fn map2alm[L, M](f) {
  let waves = waves_of_rings(f, M)
  let (R, _) = dims(waves)
  let rings = rings_of[R](nside_of(dims(f)[0]))
  let (last, alm) = loop s = legendre_start[R, M]() for i in L => {
    let s = legendre(s, i, rings)
    s stacking (4 * pi / cells(dims(f)[0])) * sum(s.now * waves, over = R)
  }
  alm
}

// The waves of each ring: the sums Σ f exp(−i m φ) over its pixels.
fn waves_of_rings(f, M) {
  let P = dims(f)[0]
  let nside = nside_of(P)
  let R = piece(P, 4 * nside - 1)
  let J = piece(P, chirp_cells(nside, cells(M)))
  let on_rings = map q in [R, J] => {
    let r = ring_at(nside, int(index(q, R)) + 1)
    let j = int(index(q, J))
    f[P = if j < 4 * r.pixels then r.start + j else -1, edge = "zero"] * conj(chirp(j * j, 4 * r.pixels))
  }
  let sums = chirped(on_rings, nside, cells(M), 4 * nside, 1)[J = M]
  map q in [R, M] => {
    let r = ring_at(nside, int(index(q, R)) + 1)
    let m = int(index(q, M))
    sums * conj(chirp(m * (m + r.shift), 4 * r.pixels))
  }
}

// The map Σ a_ℓm Y_ℓm over all ℓ and m, over the dim in brackets.
// - alm: complex field over [ℓ, m]
// Value: real map in ring order.
// Source: Bluestein (1970) for the transforms
// Cost: as for `map2alm`.
// Example: alm2map[pixel](alm)
fn alm2map[pix](alm) {
  let (L, M) = dims(alm)
  let nside = nside_of(pix)
  let R = piece(pix, 4 * nside - 1)
  let rings = rings_of[R](nside)
  let start = {legendre = legendre_start[R, M](), waves = 0i * zeros[R, M]}
  let waves = (loop s = start for i in 0 .. cells(L) => {
    let next = legendre(s.legendre, i, rings)
    {legendre = next, waves = s.waves + next.now * alm[L = i]}
  }).waves
  map_of_waves[pix](waves)
}

// The real map Σ f_m exp(i m φ) of the waves f_m of each ring. The wave of −m is the conjugate of that of m.
fn map_of_waves[pix](waves) {
  let (R, M) = dims(waves)
  let nside = nside_of(pix)
  let J = piece(pix, chirp_cells(nside, cells(M)))
  let turned = map q in [R, M] => {
    let r = ring_at(nside, int(index(q, R)) + 1)
    let m = int(index(q, M))
    (if m == 0 then 1 else 2) * waves * chirp(m * (m + r.shift), 4 * r.pixels)
  }
  let sums = chirped(turned[M = J, edge = "zero"], nside, 4 * nside, cells(M), -1)
  let on_rings = map q in [R, J] => {
    let r = ring_at(nside, int(index(q, R)) + 1)
    let j = int(index(q, J))
    real(sums * chirp(j * j, 4 * r.pixels))
  }
  map q in [pix] => {
    let found = ring_of(nside, int(index(q, pix)))
    on_rings[R = found.at.ring - 1, J = found.place]
  }
}

// The coefficients of the E and B modes of a field of spin 2, over the dims [ℓ, m] in brackets. Such
// fields are the Stokes parameters Q and U of polarization, and the two components of shear.
//
// Signs are those of HEALPix and healpy (COSMO): θ increases toward the south and φ toward the east.
// Q is positive for polarization along the meridian. U is positive at 45° from the south toward the
// east. In the convention of the IAU, U has the other sign. With a_±2 = 4π/npix Σ (Q ± i U) ±2Y*_ℓm, E
// is −(a₂ + a₋₂)/2 and B is i (a₂ − a₋₂)/2.
// - q: map in ring order
// - u: map in ring order over the same pixels
// Value: tuple of two complex fields over [ℓ, m]. They are 0 for ℓ < 2. Use ℓ up to about 1500.
// Cost: twice that of `map2alm`.
// Source: Zaldarriaga & Seljak (1997); Kamionkowski, Kosowsky & Stebbins (1997)
// Example: map2alm_spin2[l, m](f, 2 * f)
fn map2alm_spin2[L, M](q, u) {
  let (of_q, of_u) = (waves_of_rings(q, M), waves_of_rings(over_pixels_of(q, u), M))
  let (R, _) = dims(of_q)
  let pixels = cells(dims(q)[0])
  let rings = rings_of[R](nside_of(dims(q)[0]))
  let (last, modes) = loop s = legendre_start[R, M]() for i in L => {
    let s = legendre(s, i, rings)
    let (even, odd) = spin2(s, i, rings)
    s stacking (-4 * pi / pixels * sum(even * of_q + 1i * odd * of_u, over = R),
                -4 * pi / pixels * sum(even * of_u - 1i * odd * of_q, over = R))
  }
  modes
}

fn over_pixels_of(q, u) =
  if total(for d in dims(u) => if d == dims(q)[0] then 1 else 2) == 1 then u
  else error("map2alm_spin2: the maps of Q and U must be over the same pixels")

// The maps of a field of spin 2 with given E and B modes, over the dim in brackets. The conventions
// are those of `map2alm_spin2`.
// - e: complex field over [ℓ, m]
// - b: complex field over [ℓ, m]
// Value: tuple (Q, U) of two real maps in ring order. Modes with ℓ < 2 are ignored.
// Cost: as for `map2alm_spin2`.
// Source: Zaldarriaga & Seljak (1997); Kamionkowski, Kosowsky & Stebbins (1997)
// Example: alm2map_spin2[pixel](alm, 0 * alm)
fn alm2map_spin2[pix](e, b) {
  let (L, M) = dims(e)
  let nside = nside_of(pix)
  let R = piece(pix, 4 * nside - 1)
  let rings = rings_of[R](nside)
  let start = {legendre = legendre_start[R, M](), q = 0i * zeros[R, M], u = 0i * zeros[R, M]}
  let waves = loop s = start for i in 0 .. cells(L) => {
    let next = legendre(s.legendre, i, rings)
    let (even, odd) = spin2(next, i, rings)
    let (of_e, of_b) = (e[L = i], b[L = i])
    {legendre = next, q = s.q - even * of_e - 1i * odd * of_b, u = s.u - even * of_b + 1i * odd * of_e}
  }
  (map_of_waves[pix](waves.q), map_of_waves[pix](waves.u))
}

// Half of the sum and of the difference of the normalized functions ₂Y_ℓm and ₋₂Y_ℓm at φ = 0, from the Legendre functions of l and l - 1.
fn spin2(s, l, rings) {
  let (R, M) = dims(s.now)
  let norm = if l < 2 then 0 else 2 / sqrt((l + 2.0) * (l + 1.0) * l * (l - 1.0))
  let found = map q in [R, M] => {
    let m = index(q, M)
    let below = sqrt((2.0 * l + 1) / max(2.0 * l - 1, 1) * max(1.0 * l * l - m * m, 0)) * s.before
    let (z, sine2) = (rings.z, rings.sine^2)
    (norm * (z * below / sine2 - ((l - m * m) / sine2 + 0.5 * l * (l - 1)) * s.now),
     norm * m / sine2 * (below - (l - 1) * z * s.now))
  }
  (found[0], found[1])
}

// exp(i pi k/n): k is whole, and may be large.
fn chirp(k, n) {
  let angle = pi / n * mod(k, 2 * n)
  cos(angle) + 1i * sin(angle)
}

// The length of transforms along rings for `waves` values of m: a power of 2.
fn chirp_cells(nside: int, waves: int) {
  let levels = total(for k in 0 .. 40 => if 2^k < 4 * nside + waves then 1 else 0)
  2^levels
}

// The sums over j of f_j exp(sign i pi (k - j)^2/n) along each ring, for the first `wanted` k, of f that is 0 from `given` on.
fn chirped(f, nside: int, wanted: int, given: int, sign: int) {
  let (R, J) = dims(f)
  let kernel = map q in [R, J] => {
    let n = 4 * ring_at(nside, int(index(q, R)) + 1).pixels
    let j = int(index(q, J))
    let d = if j < wanted then j else cells(J) - j
    let c = chirp(d * d, n)
    if j < wanted or d < given then (if sign > 0 then c else conj(c)) else 0i
  }
  ifft(cells(J) * fft(f, over = J) * fft(kernel, over = J), over = J)
}

// C_ℓ of coefficients: the mean of |a_ℓm|² over m.
// - alm: complex field over [ℓ, m]
// Value: real field over ℓ.
// Example: alm_power(alm)
fn alm_power(alm) {
  let (L, M) = dims(alm)
  let each = sum(map q in alm => (if index(q, M) == 0 then 1 else 2) * norm2(alm), over = M)
  map q in each => each / (2 * index(q, L) + 1)
}

// C_ℓ of a map, over the dims [ℓ, m] in brackets.
// - f: map in ring order
// - iterations: int; each iteration adds the coefficients of the part of f that the map of the
//   coefficients does not reproduce
// Value: real field over ℓ.
// Cost: one transform, and two for each iteration.
// Example: sphere_power[l, m](f)
fn sphere_power[L, M](f, iterations: int = 0) {
  let P = dims(f)[0]
  alm_power(loop a = map2alm[L, M](f) for i in 0 .. iterations => a + map2alm[L, M](f - alm2map[P](a)))
}

// ---- spectra of a part of the sky ----

// The coupling matrix of the pseudo-spectrum of a masked map: ⟨C̃_ℓ⟩ = Σ_k M_ℓk C_k with M_ℓk = (2k +
// 1)/(4π) Σ_j (2j + 1) W_j (ℓ k j; 0 0 0)², where W is the spectrum of the mask.
//
// The sum over 3j symbols is the integral (2k + 1)/2 ∫ P_ℓ P_k w dx with w = Σ_j (2j + 1)/(4π) W_j P_j,
// by Gauss–Legendre quadrature with enough nodes to be exact. Therefore ℓ may be large.
// - W: real field over one dim, the spectrum of the mask, such as that of `sphere_power`. Its ℓ end
//   where the mask has no structure, or at the sum of the largest ℓ and the largest k
// Value: real field over the dims [ℓ, k] in brackets, which are two different dims.
// Source: Hivon et al. (2002), eq. A31
// Cost: cells(L) · cells(K) times the number of nodes, which is half of the sum of the cells of the
//   three dims.
// Example: dim k = 5
//   mode_coupling[l, k](1 / (1 + (map q in [l] => index(q, l))^2))
fn mode_coupling[L, K](W) {
  let J = dims(W)[0]
  let node = piece(L, div(cells(L) + cells(K) + cells(J), 2) + 1)
  let (x, weight) = legendre_nodes[node]()
  let of_mask = map q in W => (2 * index(q, J) + 1) / (4 * pi) * W
  let w = weight * sum(of_mask * legendre_table[J](x), over = J)
  let couplings = sum(legendre_table[L](x) * w * legendre_table[K](x), over = node)
  map q in couplings => (index(q, K) + 0.5) * couplings
}

// The nodes and weights of Gauss-Legendre quadrature on [-1, 1], by Newton's method.
fn legendre_nodes[node]() {
  let n = cells(node)
  map q in [node] => {
    // P_n and P_(n-1)
    fn ends(x) = loop (p, before) = (1.0, 0.0) for i in 0 .. n => (((2 * i + 1) * x * p - i * before) / (i + 1), p)
    fn slope(x) {
      let (p, before) = ends(x)
      n * (before - x * p) / (1 - x^2)
    }
    let x = loop x = cos(pi * (index(q, node) + 0.75) / (n + 0.5)) for i in 0 .. 5 => x - ends(x)[0] / slope(x)
    (x, 2 / ((1 - x^2) * slope(x)^2))
  }
}

// P_l of each x, over the dim in brackets and that of x.
fn legendre_table[row](x) {
  let (last, table) = loop (now, before) = (1 + 0 * x, 0 * x) for i in row =>
    { (((2 * i + 1) * x * now - i * before) / (i + 1), now) stacking now }
  table
}

// The spectrum of the full sky from the pseudo-spectrum of a masked sky. Its values are means over
// bins of ℓ of equal width, and the first bin begins at ℓ = 0. They solve Σ_b K_ab C_b = C̃_a. K is
// the coupling matrix, averaged over the rows of a bin and summed over the columns of a bin.
// - pseudo: real field over ℓ, the spectrum of the masked map minus that of its noise
// - coupling: real field over [ℓ, k], as of `mode_coupling`
// - width: int, the number of ℓ in a bin; ℓ beyond the last whole bin are left out
// - window: number, or field over k, the square of the window function of the beam and the pixels
// Value: real field over the bins. The first bin contains the mean of the map.
// Source: Hivon et al. (2002), section 2
// Cost: one linear system with an equation for each bin.
// Example: dim column = 5
//   decoupled_power(alm_power(alm), mode_coupling[l, column](alm_power(alm)), width = 2)
fn decoupled_power(pseudo, coupling, width: int, window = 1) {
  let (L, K) = dims(coupling)
  let n = div(cells(L), width)
  let (A, B) = (piece(L, n), piece(K, n))
  let seen = coupling * window / width
  let matrix = bins q in seen into (A, B) by (div(index(q, L), width), div(index(q, K), width)) => seen
  let right = bins q in pseudo into A by div(index(q, L), width) => pseudo / width
  solve_over(matrix, right, A, B)
}

// Of each ring: z and its sine.
fn rings_of[ring](nside: int) {
  let r = map q in [ring] => {
    let r = ring_at(nside, int(index(q, ring)) + 1)
    (1.0 * r.z, r.sine)
  }
  {z = r[0], sine = r[1]}
}

// The normalized Legendre functions of l and l - 1 at each ring, and the one with m = l of the next l.
fn legendre_start[R, M]() = {now = zeros[R, M], before = zeros[R, M], top = constant[R](sqrt(1 / (4 * pi)))}

fn legendre(s, l, rings) {
  let (R, M) = dims(s.now)
  let now = map q in [R, M] => {
    let m = index(q, M)
    let n = if m < l then 1.0 * l * l - m * m else 1.0
    let k = max((l - 1.0) * (l - 1.0) - m * m, 0)
    let here =
      sqrt((4.0 * l * l - 1) / n) * (rings.z * s.now - sqrt(k / max(4.0 * (l - 1) * (l - 1) - 1, 1)) * s.before)
    if m < l then here else if m == l then s.top else 0
  }
  {now = now, before = s.now, top = -sqrt((2.0 * l + 3) / (2.0 * l + 2)) * rings.sine * s.top}
}
