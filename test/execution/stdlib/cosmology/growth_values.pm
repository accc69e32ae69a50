// RUN: %pmc %s -o %t && %t --out %t.out --quiet
// Growth against closed forms: Einstein-de Sitter; the hypergeometric function of flat universes with constant w
// (Silveira & Waga 1994); Heath's integral with curvature; a high-order integration of the ODE for the second order.

use cosmology

fn same(x, y) = abs(x / y - 1) < 1e-9

let eds = cosmology(omega_m = 1)
let e = growth(eds, 0.1)
let eds_true = growth(eds, 0.3, d2 = "true").D2
assert same(e.D1, 0.1), "EdS D1 {}", e.D1
assert same(e.D2, 0.01), "EdS D2 {}", e.D2
assert same(e.f1, 1), "EdS f1 {}", e.f1
assert same(e.f2, 2), "EdS f2 {}", e.f2
assert same(eds_true, 0.09), "EdS D2, true normalization {}", eds_true

let flat = flat_lcdm(omega_m = 0.3075)
let g = growth(flat, 0.1)
let half = growth(flat, 0.5)
let flat_true = growth(flat, 0.1, d2 = "true").D2
assert same(E(flat, 0.1), 17.555412270863933), "E(0.1) {}", E(flat, 0.1)
assert same(growth(flat, 0.01).D1, 0.012764096617088884), "D1(0.01) {}", growth(flat, 0.01).D1
assert same(g.D1, 0.12758880979736534), "D1(0.1) {}", g.D1
assert same(g.f1, 0.9987737153271202), "f1(0.1) {}", g.f1
assert same(g.D2, 0.016142686040711136), "D2(0.1) {}", g.D2
assert same(g.f2, 1.9975945786386542), "f2(0.1) {}", g.f2
assert same(g.G, 0.02237127433793512), "G(0.1) {}", g.G
assert same(flat_true, 0.016279160490927005), "true D2(0.1) {}", flat_true
assert same(half.D1, 0.6092451045467304), "D1(0.5) {}", half.D1
assert same(half.f1, 0.8730643681632129), "f1(0.5) {}", half.f1
assert same(half.D2, 0.36871260345499995), "D2(0.5) {}", half.D2
assert same(half.f2, 1.7508149243961848), "f2(0.5) {}", half.f2
assert same(growth(flat, 1).D1, 1), "D1(1) {}", growth(flat, 1).D1
assert same(growth(flat, 1).f1, 0.5199903292173969), "f1(1) {}", growth(flat, 1).f1

let quintessence = cosmology(omega_m = 0.3, w0 = -0.9)
assert same(growth(quintessence, 0.1).D1, 0.1320269170377825), "w = -0.9 D1(0.1) {}", growth(quintessence, 0.1).D1
assert same(growth(quintessence, 0.5).f1, 0.8445879547723354), "w = -0.9 f1(0.5) {}", growth(quintessence, 0.5).f1

let open = cosmology(omega_m = 0.3, omega_k = 0.1)
assert same(growth(open, 0.1).D1, 0.13857334189407858), "open D1(0.1) {}", growth(open, 0.1).D1
assert same(growth(open, 0.5).D1, 0.6233691935394139), "open D1(0.5) {}", growth(open, 0.5).D1

let general = cosmology(omega_m = 0.3, omega_k = -0.05, w0 = -0.9, wa = 0.3)
let c = growth(general, 0.5)
let general_true = growth(general, 0.5, d2 = "true").D2
assert same(dlnE_dlna(general, 0.5), -1.1556191542588699), "general dlnE/dlna {}", dlnE_dlna(general, 0.5)
assert same(c.D1, 0.6198135152705351), "general D1 {}", c.D1
assert same(c.D2, 0.38108174009947604), "general D2 {}", c.D2
assert same(c.f1, 0.838945913587982), "general f1 {}", c.f1
assert same(c.f2, 1.6846441842119546), "general f2 {}", c.f2
assert same(c.G, 0.23610437172280335), "general G {}", c.G
assert same(general_true, 0.38517426612341943), "general true D2 {}", general_true

// A cosmology with another parameter is that of all its parameters, with derivatives.
let changed = flat with {omega_m = 0.4}
let same_as_changed = flat_lcdm(omega_m = 0.4)
assert growth(changed, 0.5).D1 == growth(same_as_changed, 0.5).D1 and
       growth(changed, 0.5).D2 == growth(same_as_changed, 0.5).D2, "growth of a changed cosmology"
assert same(growth(changed, 0.5).D1, 0.5825178764137) and same(E(changed, 1), 1), "D1 {}, E {} of a changed cosmology",
       growth(changed, 0.5).D1, E(changed, 1)
let slope = grad(p => growth(flat with {omega_m = p}, 0.5).D1)(0.3075)
let slope_of_new = grad(p => growth(flat_lcdm(omega_m = p), 0.5).D1)(0.3075)
assert same(slope, slope_of_new) and abs(slope) > 0.1, "slopes by omega_m {} and {}", slope, slope_of_new
dim of_omega = 3
let in_map = map q in [of_omega] => growth(flat with {omega_m = 0.3075 + 0.0925 * index(q, of_omega)}, 0.5).D1
assert abs(in_map[of_omega = 1] - growth(changed, 0.5).D1) < 1e-6, "growth in a map"

// FastPM's factors from 0.1 to 0.19, and those of the reference replay.
let middle = growth(flat, sqrt(0.1 * 0.19))
let end = growth(flat, 0.19)
assert same(kick(g, g, middle), -0.1081817145735182), "first kick {}", kick(g, g, middle)
assert same(drift(middle, g, middle), 1.3314528095070013), "first drift {}", drift(middle, g, middle)
assert same(drift(middle, middle, end), 1.826969303490465), "second drift {}", drift(middle, middle, end)
assert same(kick(end, middle, end), -0.09196649736963401), "second kick {}", kick(end, middle, end)

// The distance to a in Einstein-de Sitter: 2 c/H0 (1 - sqrt(a)).
let far = number(comoving_distance(eds, 0.25), 1 Mpc/h)
assert same(far, 2997.92458), "EdS distance {}", far

// Radiation. With matter alone, D1 = a + 2 omega_r/(3 omega_m) (Meszaros 1974). The numbers are those of an integration in SciPy from a = 1e-11 on.
let early = cosmology(omega_m = 1 - 1e-4, omega_r = 1e-4)
fn meszaros(a) = (a + 2e-4 / (3 * (1 - 1e-4))) / (1 + 2e-4 / (3 * (1 - 1e-4)))
for i in 0 .. 6 {
  let a = pow(10, -1.0 * i)
  assert same(growth(early, a).D1, meszaros(a)), "D1({}) with radiation {}", a, growth(early, a).D1
}
let hot = cosmology(omega_m = 0.3, omega_k = 0.01, w0 = -0.9, wa = 0.2, omega_r = 9e-5)
let (h1, h10, h50) = (growth(hot, 0.01), growth(hot, 0.1), growth(hot, 0.5))
assert same(E(hot, 0.01), 555.9892388785984), "E(0.01) {}", E(hot, 0.01)
assert same(h1.D1, 0.013934863288487882), "D1(0.01) {}", h1.D1
assert same(h10.D1, 0.13629113093994433), "D1(0.1) {}", h10.D1
assert same(h10.f1, 0.990323234084942), "f1(0.1) {}", h10.f1
assert same(h50.D1, 0.6237637422633747), "D1(0.5) {}", h50.D1
assert same(h50.f1, 0.8246612928580548), "f1(0.5) {}", h50.f1
// The values of second and third order at the start are series.
fn near(x, y, most) = abs(x / y - 1) < most
assert near(h1.D2, 0.00019700053040170703, 1e-5), "D2(0.01) {}", h1.D2
assert near(h10.D2, 0.01841842088728414, 1e-6), "D2(0.1) {}", h10.D2
assert near(h10.f2, 1.9771380304035793, 1e-6), "f2(0.1) {}", h10.f2
assert near(growth(hot, 0.1, d2 = "true").D2, 0.01866770795080365, 1e-6), "true D2(0.1) {}",
       growth(hot, 0.1, d2 = "true").D2
let hot3 = third_order_growth(hot, 0.1)
assert near(hot3.Da, 0.0025371449614295847, 1e-5), "Da(0.1) {}", hot3.Da
assert near(hot3.Db, 0.002544446818139608, 1e-5), "Db(0.1) {}", hot3.Db
assert near(hot3.Dc, 0.00253570286503707, 1e-5), "Dc(0.1) {}", hot3.Dc
assert near(hot3.dDa, 0.007535066528115275, 1e-5), "dDa(0.1) {}", hot3.dDa
assert near(hot3.dDb, 0.007551299694536466, 1e-5), "dDb(0.1) {}", hot3.dDb
assert near(hot3.dDc, 0.00753208999837109, 1e-5), "dDc(0.1) {}", hot3.dDc
// The derivative with respect to the density of radiation.
fn with_radiation(r) = growth(hot with {omega_r = r}, 0.1).D1
let by_radiation = grad(with_radiation)(9e-5)
let radiation_steps = (with_radiation(9.1e-5) - with_radiation(8.9e-5)) / 2e-6
assert near(by_radiation, radiation_steps, 1e-6), "{} against {} by differences", by_radiation, radiation_steps
