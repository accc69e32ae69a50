// Power spectra and what is made of them.
//
// Shell m holds the modes with m <= |m_vec| < m + 1, where |m_vec| is k over the fundamental 2 pi/L: in a cubic box the
// length of the vector of integer wave numbers, so the shells are exact. There are floor(n/2) shells, all below the
// Nyquist frequency of the first dim, whose length they are counted in; of coarser dims the outer ones lack modes.
// Shell 0 is empty.

use math, fields

// f, which is one field and no batch of them.
fn single(f) =
  if total(for d in dims(f) => 1) == total(for d in directions(f) => 1) then f
  else error("a spectrum is of one field, but this one has dims that count a batch; take one: slice(f, c = i)")

// (mean k, P(k), number of modes) of each shell of the full sphere; P = L^3 <|delta_k|^2>. k is in 1/length and P in
// length^3. With the name of a window, that window is divided out of a painted field's spectrum; shot noise stays.
fn power_spectrum(f, compensate = "none") {
  let fk = fft(single(f))
  shells(fk, fk, compensate)
}

// (mean k, P_ab(k), number of modes) of each shell; P_ab = L^3 <Re a_k conj(b_k)>.
fn cross_spectrum(a, b, compensate = "none") = shells(fft(single(a)), fft(single(b)), compensate)

fn shells(ak, bk, compensate) {
  let x = if cells(dims(ak)[0]) > 1 then dims(ak)[0]
          else error("a spectrum has half as many shells as its field has cells along its first dim, and this one has 1 cell there")
  let volume = product(for d in dims(ak) => length(d))
  let (k_sum, p_sum, modes) =
    bins k in ak into floor(cells(x) / 2) by
      sqrt(total(for d in dims(ak) => (index(k, d) * (length(x) / length(d)))^2)) => {
        let one = if norm2(k) == 0 then 0 else 1
        let w = if compensate == "none" then 1 else window_kernel(k, compensate)
        (sqrt(norm2(k)), one * real(ak * conj(bk)) / w^2, one)
      }
  let n = max(modes, 1)
  (k_sum / n, volume * p_sum / n, modes)
}

// (mean k, T) of each shell; T = sqrt(P_b/P_a), the amplitude of b in terms of that of a. 0 where a has no power.
fn transfer_function(a, b) {
  let (k, pa, modes) = power_spectrum(a)
  let (kb, pb, modes_b) = power_spectrum(b)
  (k, map m in pa => if pa > 0 then sqrt(pb / pa) else 0)
}

// (mean k, r) of each shell; r = P_ab/sqrt(P_a P_b), 1 for fields in phase. 0 where one has no power.
fn correlation(a, b) {
  let ak = fft(single(a))
  let bk = fft(single(b))
  let (k, pa, modes) = shells(ak, ak, "none")
  let (kb, pb, modes_b) = shells(bk, bk, "none")
  let (kab, pab, modes_ab) = shells(ak, bk, "none")
  (k, map m in pa => if pa * pb > 0 then pab / sqrt(pa * pb) else 0)
}
