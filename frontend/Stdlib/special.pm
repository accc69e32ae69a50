// Special functions of real numbers, elementwise: the gamma function, the inverse error function,
// Bessel functions, Legendre polynomials and 3j symbols.
//
// The page on accuracy states the errors. Formulas are from Abramowitz & Stegun (1964). The
// coefficients are those of interpolations in Chebyshev nodes, computed from values with 60
// digits.
//
// Setup: dim x = 16
//   let f = white_noise[x](1)
//
// Internal: lgamma_of lgamma_right stirling lgamma_near_2 digamma_of digamma_right digamma_from_1
//   digamma_near_root erfinv_of erfinv_centre erfinv_middle erfinv_tail bessel_j0_of j0_inside
//   j0_cosine j0_sine bessel_j1_of j1_inside j1_cosine j1_sine bessel_of_order factorial

use math

// ---- the gamma function ----

// log |Γ(x)|.
// - x: number or field, without unit
// Value: like x. Infinite at 0, −1, −2, …
// Example: exp(lgamma(4.5))
fn lgamma(x) = elementwise(lgamma_of, x)

fn lgamma_of(x) {
  let r = x - round(x)
  if x >= -0.5 then lgamma_right(x)
  else if abs(r) > 0 then log(pi / (-x * abs(sin(pi * r)))) - lgamma_right(-x)  // 6.1.17
  else exp(1e9 - x)
}

// At x >= -0.5. Stirling's series (6.1.41) from 8 on. Below, Gamma(x + 1) = x Gamma(x) leads to 1.5 .. 2.5. Around 1 and 2,
// where the function is 0, all terms are multiples of the distance. The first constant is 0.5 log(2 pi) - 0.5.
fn lgamma_right(x) =
  if x >= 8 then (x - 0.5) * (log(x) - 1) + 0.41893853320467274178 + stirling(1 / x)
  else if x >= 1.5 then {
    let n = floor(x - 1.5)
    let steps = for k in (1, 2, 3, 4, 5, 6) => if k <= n then x - k else 1
    let t = x - n - 2
    t * lgamma_near_2(t) + log(steps[0] * steps[1] * steps[2] * steps[3] * steps[4] * steps[5])
  } else {
    let t = if x >= 0.5 then x - 1 else x
    t * lgamma_near_2(t) - log1p(t) - (if x >= 0.5 then 0 else log(abs(x)))
  }

// Stirling's series in u = 1/x without its first terms, (x - 0.5) log(x) - x + 0.5 log(2 pi).
fn stirling(u) {
  let v = u * u
  let late = 1 / 1188 - v * (691 / 360360 - v * (1 / 156 - v * 3617 / 122400))
  u * (1 / 12 - v * (1 / 360 - v * (1 / 1260 - v * (1 / 1680 - v * late))))
}

// log Gamma(2 + t) / t for |t| <= 0.5.
fn lgamma_near_2(t) =
  0.42278433509846713 + t * (0.3224670334241132 + t * (-0.06735230105319814 + t * (0.02058080842778457 + t * (
    -0.0073855510286681535 + t * (0.002890510330738737 + t * (-0.0011927539120010226 + t * (
      0.0005096695248853096 + t * (-0.00022315475074520367 + t * (9.945750909889392e-05 + t * (
        -4.4926351103833334e-05 + t * (2.050726741605779e-05 + t * (-9.438458716242811e-06 + t * (
          4.374374916915131e-06 + t * (-2.0449201467015115e-06 + t * (9.578663334114758e-07 + t * (
            -4.303558760359961e-07 + t * (2.0304806751615227e-07 + t * (-1.3412819758517287e-07 + t * (
              6.379047507619774e-08)))))))))))))))))))

// ψ(x) = d/dx log |Γ(x)|.
// - x: number or field, without unit
// Value: like x. Infinite at 0, −1, −2, …
// Example: digamma(1.0)
fn digamma(x) = elementwise(digamma_of, x)

fn digamma_of(x) =
  if x < 0 then digamma_right(1 - x) - pi / tan(pi * (x - round(x)))  // 6.3.7
  else digamma_right(x)

// At x >= 0. The asymptotic series (6.3.18) from 8 on. Below, psi(x + 1) = psi(x) + 1/x leads to 1 .. 2.
fn digamma_right(x) =
  if x >= 8 then {
    let v = 1 / (x * x)
    let late = 691 / 32760 - v * (1 / 12 - v * (3617 / 8160 - v * 43867 / 14364))
    log(x) - 0.5 / x - v * (1 / 12 - v * (1 / 120 - v * (1 / 252 - v * (1 / 240 - v * (1 / 132 - v * late)))))
  } else if x >= 1 then {
    let n = floor(x) - 1
    digamma_from_1(x - n) + total(for k in (1, 2, 3, 4, 5, 6) => if k <= n then 1 / (x - k) else 0)
  } else digamma_from_1(x + 1) - 1 / x

// For 1 <= x <= 2: the distance from the zero times a polynomial. The first part of the zero is exact in f32.
fn digamma_from_1(x) =
  (x - 1.4616321325302124 - 1.2438149938918909e-08 - 4.341643069426251e-25) * digamma_near_root(x - 1.5)

fn digamma_near_root(t) =
  0.9510558760318328 + t * (-0.4236274212814606 + t * (0.24054248424078697 + t * (-0.14840492305388092 + t * (
    0.09498872445289039 + t * (-0.06192213327548831 + t * (0.040760833940846085 + t * (
      -0.026975796659787055 + t * (0.017907248317313294 + t * (-0.011908220105959716 + t * (
        0.007927021796868154 + t * (-0.005279937255532708 + t * (0.003518106563802472 + t * (
          -0.0023454947397380833 + t * (0.0015633696313653504 + t * (-0.0010364584817312839 + t * (
            0.0006909255761282986 + t * (-0.00048595039220036254 + t * (0.00032395945401345196 + t * (
              -0.00014480643368061614 + t * (9.653646261410062e-05 + t * (-0.0001782188548855923 + t * (
                0.00011881232908510335))))))))))))))))))))))

// ---- the error function ----

// The x with erf(x) = y.
// - y: number or field, without unit, −1 to 1
// Value: like y. Infinite at −1 and 1, and not a number (NaN) beyond.
// Source: Giles (2012)
// Example: erfinv(0.5)
fn erfinv(y) = elementwise(erfinv_of, y)

fn erfinv_of(y) {
  let w = -log((1 - y) * (1 + y))
  y * (if w < 5 then erfinv_centre(w / 2.5 - 1)
       else if w < 16 then erfinv_middle((w - 10.5) / 5.5)
       else if w < 37 then erfinv_tail((w - 26.05) / 10.05)
       else w)
}

fn erfinv_centre(u) =
  1.501409351110792 + u * (0.6166006918604174 + u * (-0.026108235777397668 + u * (-0.019573561059544983 + u * (
    0.008525400950941649 + u * (-0.00048789839838681617 + u * (-0.0008341356437383468 + u * (
      0.0002921906858670254 + u * (2.0472418387550675e-05 + u * (-4.143207629908248e-05 + u * (
        8.652718224813204e-06 + u * (2.851672434622341e-06 + u * (-1.8538556833991662e-06 + u * (
          1.3578291530649916e-07 + u * (1.9950045307168163e-07 + u * (-7.081151329469905e-08 + u * (
            -6.641480007220957e-09 + u * (1.0943640511939728e-08 + u * (-2.062517513461054e-09 + u * (
              -9.083895424614744e-10 + u * (4.987364857145934e-10 + u * (1.1723872742412573e-11 + u * (
                -6.005622787572073e-11 +
                  u * (4.6709217941350446e-12 + u * (3.6316940060218374e-12))))))))))))))))))))))))

fn erfinv_middle(u) =
  3.074205819090792 + u * (0.8530428650622147 + u * (-0.10776059652138766 + u * (0.025870485688485108 + u * (
    -0.006980190828122427 + u * (0.0015575677646044984 + u * (5.397398631511701e-06 + u * (
      -0.0003217285430655067 + u * (0.0002654253532714105 + u * (-0.00014808708810187837 + u * (
        6.286437202205501e-05 + u * (-1.8978841147462392e-05 + u * (2.0400325168472593e-06 + u * (
          2.1802236566972192e-06 + u * (-2.0459857830401347e-06 + u * (1.1274770213709587e-06 + u * (
            -4.494395009822466e-07 + u * (1.071890544833251e-07 + u * (-3.397723035758631e-11 + u * (
              -6.793185012532043e-09 + u * (1.0706851831994766e-08 + u * (-1.541623948428122e-08 + u * (
                6.055171982054454e-09 +
                  u * (1.5485642767898623e-09 + u * (-1.060794471419128e-09))))))))))))))))))))))))

fn erfinv_tail(u) =
  4.954895157651845 + u * (0.9946436361448577 + u * (-0.09612739641832402 + u * (0.018365811641531293 + u * (
    -0.004357432998688703 + u * (0.0011527504874658593 + u * (-0.000325656508552275 + u * (
      9.611985017122272e-05 + u * (-2.9262566365484383e-05 + u * (9.107637375836083e-06 + u * (
        -2.8752803196126412e-06 + u * (9.118834831468157e-07 + u * (-2.861207669610975e-07 + u * (
          8.63934424321944e-08 + u * (-2.3644931818666296e-08 + u * (4.874091198978205e-09 + u * (
            -1.0556714533030434e-11 + u * (-7.547802275917674e-10 + u * (6.565245639207162e-10 + u * (
              -4.664550065350192e-10 + u * (2.189724906200456e-10 + u * (-5.287625250864894e-11 + u * (
                3.097149538464976e-11 +
                  u * (-3.0618513171059705e-11 + u * (9.434349229314543e-12))))))))))))))))))))))))

// ---- Bessel functions of the first kind ----

// The Bessel function J₀(x).
// - x: number or field, without unit
// Value: like x.
// Example: bessel_j0(f)
fn bessel_j0(x) = elementwise(bessel_j0_of, x)

fn bessel_j0_of(x) {
  let a = abs(x)
  let u = (8 / a) * (8 / a)
  if a <= 8 then j0_inside(a * a / 32 - 1)
  else if 1 / a > 0 then
    sqrt(1 / (pi * a)) * (j0_cosine(2 * u - 1) * (cos(a) + sin(a)) - j0_sine(2 * u - 1) / a * (sin(a) - cos(a)))
  else 1 / a
}

fn j0_inside(u) =
  0.04582966485981377 + u * (0.9303012472958572 + u * (-0.6484692830871837 + u * (-0.808088807669687 + u * (
    1.0383794611437211 + u * (-0.507468045847102 + u * (0.14598884856759273 + u * (-0.028472718610869578 + u * (
      0.00405807898914049 + u * (-0.0004435459224727048 + u * (3.847319785739127e-05 + u * (
        -2.7177491450676137e-06 + u * (1.5956108859013866e-07 + u * (-7.915407670549364e-09 + u * (
          3.3634718625333373e-10 + u * (-1.2384699153073492e-11 + u * (3.990811966391986e-13 + u * (
            -1.1351277410243094e-14 + u * (2.8780700417086955e-16 + u * (-6.5151500571157116e-18)))))))))))))))))))

fn j0_cosine(u) =
  0.9994572757882519 + u * (-0.0005363673192130033 + u * (6.137416080111143e-06 + u * (
    -2.052744816021978e-07 + u * (1.2803761421389911e-08 + u * (-1.2121178913027262e-09 + u * (
      1.5500573849457377e-10 + u * (-2.4883792349430343e-11 + u * (4.786833648457065e-12 + u * (
        -1.061860361827791e-12 + u * (2.454626647456918e-13 + u * (-6.563491590174781e-14 + u * (
          3.334599531685773e-14 + u * (-1.1346926815291663e-14)))))))))))))

fn j0_sine(u) =
  -0.12444091103610816 + u * (0.0005466519279475136 + u * (-1.1817110660731776e-05 + u * (
    5.684971885449538e-07 + u * (-4.534973594868882e-08 + u * (5.146228618919075e-09 + u * (
      -7.575872758461843e-10 + u * (1.362452803693964e-10 + u * (-2.88387465828897e-11 + u * (
        6.934511868227323e-12 + u * (-1.6798068504524111e-12 + u * (4.743918565467509e-13 + u * (
          -2.729058891731019e-13 + u * (9.756113507128432e-14)))))))))))))

// The Bessel function J₁(x).
// - x: number or field, without unit
// Value: like x.
// Example: bessel_j1(f)
fn bessel_j1(x) = elementwise(bessel_j1_of, x)

fn bessel_j1_of(x) {
  let a = abs(x)
  let u = (8 / a) * (8 / a)
  let size = if a <= 8 then a * j1_inside(a * a / 32 - 1)
             else if 1 / a > 0 then
               sqrt(1 / (pi * a)) *
                 (j1_cosine(2 * u - 1) * (sin(a) - cos(a)) + j1_sine(2 * u - 1) / a * (sin(a) + cos(a)))
             else 1 / a
  if x < 0 then -size else size
}

fn j1_inside(u) =
  -0.05814382795599107 + u * (0.08105866038589796 + u * (0.15151665143806634 + u * (-0.2595948652859303 + u * (
    0.15858376432721938 + u * (-0.054745818212847276 + u * (0.01245681439225544 + u * (
      -0.0020290394945702453 + u * (0.0002494945813908964 + u * (-2.4045748660869218e-05 + u * (
        1.8684525372339904e-06 + u * (-1.1967081644348947e-07 + u * (6.43126873231046e-09 + u * (
          -2.943037865185982e-10 + u * (1.1610655467503379e-11 + u * (-3.9908260820706373e-13 + u * (
            1.2060725733399566e-14 + u * (-3.230355718639617e-16 + u * (7.738273635981454e-18 + u * (
              -1.660698366324882e-19)))))))))))))))))))

fn j1_cosine(u) =
  1.0009070262780821 + u * (0.0008988049416705564 + u * (-7.95969469844003e-06 + u * (
    2.453676622679369e-07 + u * (-1.4708512970871809e-08 + u * (1.3603054724512454e-09 + u * (
      -1.713108363257052e-10 + u * (2.7205216071451606e-11 + u * (-5.190987549128526e-12 + u * (
        1.1443000350441976e-12 + u * (-2.635099411586755e-13 + u * (7.019004954768849e-14 + u * (
          -3.5404613525657416e-14 + u * (1.2012721775449965e-14)))))))))))))

fn j1_sine(u) =
  0.3742149922195918 + u * (-0.0007697167057643569 + u * (1.456961480935691e-05 + u * (
    -6.633568564937367e-07 + u * (5.1361067953963376e-08 + u * (-5.720887751116045e-09 + u * (
      8.315594957016384e-10 + u * (-1.481767246888408e-10 + u * (3.114226481045957e-11 + u * (
        -7.446940085047187e-12 + u * (1.798464167692092e-12 + u * (-5.061753256584603e-13 + u * (
          2.8910711721761855e-13 + u * (-1.0308138671963011e-13)))))))))))))

// The Bessel function Jₙ(x).
// - n: int, at least 0
// - x: number or field, without unit
// Value: like x.
// Cost: proportional to n.
// Example: bessel_j(3, f)
fn bessel_j(n: int, x) {
  assert n >= 0, "bessel_j: the order must be at least 0, found {}; J(-n, x) is (-1)^n J(n, x)", n
  elementwise(u => {
    let a = abs(u)
    bessel_of_order(n, u, bessel_j0(a), bessel_j1(a), 0)
  }, x)
}

// The spherical Bessel function jₗ(x) = √(π/(2x)) Jₗ₊½(x).
// - l: int, at least 0
// - x: number or field, without unit
// Value: like x.
// Cost: proportional to l.
// Example: spherical_bessel(2, f)
fn spherical_bessel(l: int, x) {
  assert l >= 0, "spherical_bessel: the order must be at least 0, found {}", l
  elementwise(u => {
    let a = abs(u)
    let safe = if a > 0 then a else 1
    let first = sinc(a)
    bessel_of_order(l, u, first, (first - cos(a)) / safe, 1)
  }, x)
}

// The function of order n at x, of those of orders 0 and 1 at |x|, where f(k + 1) + f(k - 1) = (2k + shift)/|x| f(k). Upwards the
// recurrence is stable to the order m = floor(|x|). Beyond, the ratio f(k)/f(k - 1) is a continued fraction (9.1.73), evaluated
// from an order at which it is negligible; no zero of f(m) is below m + 1.
fn bessel_of_order(n: int, x, zeroth, first, shift) {
  let a = abs(x)
  let m = min(n, floor(a))
  let (below, last) = loop (p, c) = (zeroth, first) for k in 1 .. n =>
    if k < m then (c, (2 k + shift) / a * c - p) else (p, c)
  let extra = 12 + int(7 n^(1 / 3))
  let (ratio, size) = loop (r, size) = (0 * zeroth, if m < 1 then zeroth else last) for i in 0 .. n + extra => {
    let k = n + extra - i
    let next = if k > m then a / (2 k + shift - a * r) else r
    (next, if k > m and k <= n then size * next else size)
  }
  if x < 0 and mod(n, 2) == 1 then -size else size
}

// ---- Legendre polynomials ----

// The Legendre polynomial Pₗ(x), by the recurrence (l + 1) Pₗ₊₁ = (2l + 1) x Pₗ − l Pₗ₋₁.
// - l: int, at least 0
// - x: number or field, without unit
// Value: like x.
// Cost: proportional to l.
// Example: legendre_polynomial(4, f)
fn legendre_polynomial(l: int, x) {
  assert l >= 0, "legendre_polynomial: the degree must be at least 0, found {}", l
  elementwise(u => {
    let (below, last) = loop (p, c) = (1 + 0 * u, u) for k in 1 .. l => (c, ((2 k + 1) * u * c - k * p) / (k + 1))
    if l == 0 then 1 + 0 * u else last
  }, x)
}

// ---- angular momenta ----

// The square of Wigner's 3j symbol (a b c; 0 0 0): half of the integral of P_a(x) P_b(x) P_c(x)
// from −1 to 1.
// - a, b, c: ints, at least 0, known at compile time
// Value: number; 0 if a + b + c is odd or one degree is above the sum of the others.
// Source: Edmonds (1957), eq. 3.7.17
// Example: wigner_3j_squared(2, 2, 4)
fn wigner_3j_squared(a: int, b: int, c: int) {
  let all = a + b + c
  if mod(all, 2) == 1 or 2 * a > all or 2 * b > all or 2 * c > all then 0.0 else {
    let g = div(all, 2)
    let top = factorial(all - 2 * a) * factorial(all - 2 * b) * factorial(all - 2 * c) / factorial(all + 1)
    top * (factorial(g) / (factorial(g - a) * factorial(g - b) * factorial(g - c)))^2
  }
}
fn factorial(n) = loop p = 1.0 for i in 1 .. int(n) + 1 => p * i
