"""What functions.py runs of the modules special, order, random, sampling, variational, parallel_imaging, quantitative, linalg and
solvers."""

LIBRARY = {}
# special
LIBRARY.update({name: ["%s(3 * f)" % name, "%s(half + 9) * half" % name] for name in ("lgamma", "digamma", "bessel_j0", "bessel_j1")})
LIBRARY.update({name: ["map q in f => %s(3 * f)" % name] for name in ("lgamma_of", "digamma_of", "bessel_j0_of", "bessel_j1_of")})
LIBRARY.update({name: ["map q in f => %s(abs(9 * f))" % name] for name in ("lgamma_right", "digamma_right")})
LIBRARY.update({name: ["map q in f => %s(sin(f))" % name] for name in (
    "lgamma_near_2", "digamma_near_root", "erfinv_of", "erfinv_centre", "erfinv_middle", "erfinv_tail", "j0_inside", "j1_inside", "stirling")})
LIBRARY.update({name: ["map q in f => %s(sin(f)^2)" % name] for name in ("j0_cosine", "j0_sine", "j1_cosine", "j1_sine")})
LIBRARY.update({
    "exact_steps": ["number(exact_steps(cosmo, lpt(cosmo, density, 0.2).disp, lpt(cosmo, density, 0.2).mom, 0.2, half, raw_growth(cosmo, 1), \"fastpm\", u => u)(half * 0.3 Mpc/h), 1 Mpc/h)"],
    "digamma_from_1": ["map q in f => digamma_from_1(1 + sin(f)^2)"], "erfinv": ["erfinv(sin(f))", "erfinv(1 - 1e-9 * sin(f)^2)", "erfinv(half) * half"],
    "bessel_j": ["bessel_j(%d, 4 * f)" % n for n in (0, 1, 5)] + ["bessel_j(three, half) * half"],
    "spherical_bessel": ["spherical_bessel(%d, 4 * f)" % n for n in (0, 1, 6)] + ["spherical_bessel(three, half) * half"],
    "bessel_of_order": ["map q in f => bessel_of_order(4, f, bessel_j0(f), bessel_j1(abs(f)), 0)"],
    "legendre_polynomial": ["legendre_polynomial(%d, sin(f))" % n for n in (0, 1, 7)] + ["legendre_polynomial(three, half)"]})
LIBRARY.update({  # order
    "select": ["select(f > 0, f, half * g)", "select(half > 0.4, f, g)", "map q in f => select(f > g, f, half)"],
    "count": ["count(f > 0) * half", "count(f > g, over = y) * half"], "any": ["(if any(f > 1) and not any(f > 99) then 1.0 else 2.0) * half"],
    "all": ["(if all(f < 99) and not all(f > 0) then 1.0 else 2.0) * half"],
    "argmax": ["argmax(f)[%d] * half" % i for i in range(3)], "argmin": ["argmin(small)[1] * half", "argmin(steps)[0] * half"],
    "place_of": ["place_of(f, max(f))[1] * half"], "quantile": ["quantile(f, half)", "quantile(small, 0.3)", "grad(u => quantile(u, half)^2)(f)"],
    "median": ["median(batch)"], "order_statistic": ["order_statistic(f, three)", "order_statistic(f, 119)", "order_statistic(steps, 0)"]})
SEED_AT = "map q in f => %s * half"
LIBRARY.update({  # fourier
    **{name: ["%s(f, over = y)" % name, '%s(f * half, over = (x, z), type = 3, norm = "ortho")' % name, "%s(batch, over = z, type = 1)" % name,
              'grad(u => sum(%s(u, over = y, type = 4)^3))(f)' % name] for name in ("dct", "idct", "dst", "idst")},
    **{name: ["%s(f, y) * half" % name] for name in ("cosine_1", "cosine_2", "cosine_3", "cosine_4", "sine_1", "sine_2", "sine_3", "sine_4")},
    **{name: ["%s(f, y, %d) * half" % (name, kind) for kind in (1, 2, 3, 4)] for name in ("cosine_along", "sine_along", "ortho_cosine", "ortho_sine")},
    "dim_by_dim": ["dim_by_dim(f, (x, y), (g, d) => g[d + 1]) * half"], "inverse_type": ["inverse_type(2) * half"], "turn": ["imag(turn(f))"],
    **{name: ["%s(f, z, is_sine = false) * half" % name, "%s(f, x, is_sine = true) * half" % name] for name in ("second", "third", "fourth_of_even")},
    "widened": ["widened(f, x, 9) * half"], "fourth": ["imag(fourth(f, x))"],
    "fht": ["fht(f, y, 0.2, half)", "fht(f, x, 0.1, 2, 0.1 * half, bias = 0.3)", "grad(u => sum(fht(u, y, 0.2, 1)^3))(f)"],
    "ifht": ["ifht(f, y, 0.2, half)", "ifht(f, x, 0.1, 2, 0.1 * half, bias = 0.3)"],
    "fht_offset": ["fht_offset(0.2, half)", "fht_offset(0.2, half, 0.1, bias = -0.2)"],
    "fht_coefficient": ["map q in f => imag(fht_coefficient(f, half, 0.1, 0.2))"], "mode_coefficient": ["map q in f => real(mode_coefficient(f, 8, 0.2, half, 0.1, 0.2))"],
    "gamma_ratio": ["map q in f => imag(gamma_ratio(f, half, 0.1))"], "log_gamma": ["map q in f => imag(log_gamma(10 + 1i * f))"],
    "fftlog": ["fftlog[y](k => k * half * exp(-k), half, 1e-3, 1e3)[1]", "fftlog[y](k => k * exp(-k), 1, 1e-3, 1e3, bias = half)[0]"],
    "sampled_table": ["interpolate(sampled_table(map q in [y] => exp(half * index(q, y)), map q in [y] => half * index(q, y)), 2.5)"],
    "correlation_multipole": ["correlation_multipole[y](k => half * exp(-k), 2, 1e-3, 1e3, bias = 0.1)[1]"],
    "power_multipole": ["power_multipole[y](k => half * exp(-k), 0, 1e-3, 1e3, bias = 0.1)[1]"],
    "spherical": ["spherical[y](k => half * exp(-k), 4, 1e-3, 1e3, 0, 2.0)[1]"]})
LIBRARY.update({  # random
    "split": [SEED_AT % text for text in ("int(random(split(three, q)) > 0.4)", "random(split(split(big, \"a\"), int(index(q, x))))", "random(split(7, \"b\", three))")],
    "random": ["random(three) * half", SEED_AT % "random(int(index(q, y)))"], "uniform": ["uniform[x, z](big) * half", "uniform[p](7) * half"],
    "integers": ["integers[x, y](9, three) * half", "integers[x, y](9000000000, three) * half"],
    "integer_of": ["map q in f => integer_of(9, split(three, q)) * f", "integer_of(9000000000, split(three, 1)) * half"],
    "poisson_counts": ["poisson_counts[x, y, z](12 * f^2, three)", "poisson_counts[p](half, 3)", "grad(u => sum(poisson_counts[x, y, z](9 + u, 3) * u))(abs(f))"],
    "gamma": ["gamma[x, y, z](0.1 + 2 * f^2, three)", "gamma[p](half, 3)", "grad(u => sum(gamma[x, y, z](u, 3) * f))(0.1 + 2 * f^2)"],
    "reparametrized": ["reparametrized(f, g) + half"], "reparametrized_adjoint": ["reparametrized_adjoint(1 + sin(f), 0.1 + g^2, f)[1] * half"],
    "reparametrized_tangent": ["reparametrized_tangent(1 + sin(f), 0.1 + g^2, (g, f)) * half"], "gamma_slope": ["gamma_slope(1 + sin(f), 0.1 + g^2) * half"],
    "gamma_slope_of": ["map q in f => gamma_slope_of(1 + sin(f), 0.1 + half)"], "binomial": ["binomial[x, y, z](30, 1 / (1 + f^2), three)", "binomial[p](8, half, 3)"],
    "choice": ["choice[y, z](map q in [x] => 0.1 + half * index(q, x), three) * half"],
    "fixed": ["map q in f => fixed(f)", "fixed(half) * half", "grad(u => sum(map q in u => u * fixed(u)))(f)"], "poisson_of": [SEED_AT % "poisson_of(20 * f^2, split(4, q))"],
    "gamma_of": ["map q in f => gamma_of(0.1 + f^2, split(4, q))"], "normal_of": [SEED_AT % "normal_of(split(4, q))"], "binomial_of": [SEED_AT % "binomial_of(50, sin(f)^2, split(4, q))"], "rejected_binomial": [SEED_AT % "rejected_binomial(50, 0.2 + 0.3 * sin(f)^2, split(4, q))"],
    "log_binomial": ["map q in f => log_binomial(floor(30 * sin(f)^2), 30, 0.2 + half)"], "deviance": ["map q in f => deviance(0.9 * sin(f))", "map q in f => deviance(0.02 * sin(f))"],
    "log_excess": ["map q in f => log_excess(floor(9 * f^2)) * half"]})
LIBRARY.update({  # sampling
    "sample": ["sample[p](pull, small, nuts(2, 2), three).chain", "sample[p](u => 0.5 inner(u, u), 0.5 * c, hmc(2, 0), three, thin = 2).energy", "sample[p](u => u^2, half, langevin(3), 7).last",
               "sample[p](saddle, (half, 2.0), nuts(2, 0), 5, noise = k => (normal_of(split(k, 0)), normal_of(split(k, 1)))).chain[1]"],
    "nuts": ["nuts(3, 40).warmup * half", "sample[p](pull, small, nuts(3, 2, step = half), three).accept"], "hmc": ["hmc(3, 40).warmup * half", "sample[p](pull, small, hmc(2, 1), 4).scale"],
    "langevin": ["langevin(40).warmup * half"], "mclmc": ["mclmc(40).warmup * half", "sample[p](pull, small, mclmc(9, half), three).chain"],
    "shaped": ["shaped(half, f) + g"], "warn_of_equal": ["(if half > 9 then { warn_of_equal(f, \"name\", \"remedy\"); 1.0 } else 2.0) * half"],
    "no_sums": ["no_sums(f).error + half"], "trajectories": ["trajectories((e, c, k, n, d) => c, (c, s, k, n, d) => c, 3, half, half, diagonal_metric()).restart({step = half}).center"],
    "advanced": ["advanced(pull, warming, three, hmc(2, 9), big, k => push(k), p).s"], "started": ["started(warming with {sums = {accept = half}}, 1, three, 2).sums.accept + half"],
    "recorded": ["recorded(warming, 1, three, 2, p).record.s"], "chain_from": ["chain_from[p](pull, small, (pull(small), grad(pull)(small)), hmc(2, 1), big, 1, k => push(k), 0, 0, zeros[p], u => u).energy"], "report_state": ["(if half > 9 then { report_state(warming, 1, three, 2, 9, u => u); 1.0 } else 2.0) * half"],
    "require_dimensions": ["(if half > 9 then { require_dimensions(f, mams()); 1.0 } else 2.0) * half"], "fixed_metric": ["fixed_metric(1 + small^2).along(half * small, push(3))"],
    "operator_metric": ["operator_metric(u => half * u, u => u + half).back(small, push(3))"], "kept_metric": ["kept_metric(u => half * u, (s, u) => s * u, (s, g) => g).start(small)"],
    **{name: ["%s(floor(white_noise[deep, wide](3) * 2), wide, deep) * half" % name, "%s(white_noise[wide](3), wide) * half" % name] for name in ("chain_ranks", "rank_normalized")},
    "rank_counts": ["rank_counts[p](white_noise[deep, wide](3), wide, deep) * half"],
    "normal_like": ["normal_like(f, piece(p, 1), big)", "imag(normal_like(c, piece(p, 1), 3))", "normal_like(half, piece(p, 1), 3)"], "freedom": ["freedom(c) * half"],
    "first_window": ["first_window(200).size * half"], "next_window": ["next_window({first = 1, last = 90, size = 10, end = 20 * three}).end * half"], "window_end": ["window_end(three, 10, 90) * half"],
    "no_spread": ["no_spread(c).per * half"], "emptied": ["emptied(no_spread(c)).per * half"], "spread_with": ["spread_with({n = 2 * half, mean = c, squares = f^2, per = 2.0}, 2 * c + f).squares"],
    "deviations_of": ["deviations_of({n = 7 + half, squares = f^2, per = 2.0})"], "averaging": ["averaging(half).center"], "averaging_step": ["averaging_step(averaging(half), 0.3, 0.8, half > 1).step"],
    "leapfrog": ["leapfrog(s => value_and_grad(pull)(s), small, push(3), small, 1 + small^2, half, diagonal_metric()).u"], "hmc_move": ["hmc_move(pull, state_of_chain, big, k => push(k), 3, 0.2, 1000, diagonal_metric()).s"],
    "nuts_move": ["nuts_move(pull, state_of_chain, big, k => push(k), 3, p, 1000, diagonal_metric()).s"],
    "nuts_branch": ["nuts_branch(pull, {s = small, u = push(1), g = small}, state_of_chain, half, 0.2, 4, big, piece(p, 3), 1000, diagonal_metric()).sum"],
    "turns_inside": ["(if turns_inside(f, f + g, turned_stack, 2 * turned_stack, deep, 1, 0) then 1.0 else 2.0) * half"], "is_turning": ["(if is_turning(f, g, f + half * g) then 1.0 else 2.0) * half"],
    "log_sum": ["log_sum(half, 1 + half)"], "power_of_2": ["power_of_2(three) * half"], "ones_of": ["ones_of(2 * three) * half"], "last_ones": ["last_ones(three) * half"],
    "directed": ["directed(f).u"], "mams": ["mams(40).warmup * half", "sample[p](pull, small, mams(2, step = half), three).error"],
    "mams_move": ["mams_move(pull, state_of_chain, big, k => push(k), half, 9, 1000, diagonal_metric()).s"], "diagonal_metric": ["diagonal_metric().along(half, f)"],
    "dense_metric": ["dense_metric().back(square_root_of, slice(small, y = 1))"],
    "identity_of": ["identity_of(slice(small, y = 1)) * half"], "covariance_with": ["covariance_with({n = 2 * half, mean = slice(small, y = 2), squares = square_root_of}, slice(small, y = 1)).squares"],
    "covariance_root": ["covariance_root({n = 9 * half, squares = square_root_of})"], "factor_along": ["factor_along(square_root_of, slice(small, y = 1))"],
    "factor_back": ["factor_back(square_root_of, slice(small, y = 1))"],
    "sample_chains": ["sample_chains[deep, p](pull, k => white_noise[x, y](k), hmc(2, 1), 4).chain"], "mclmc_tuned": ["mclmc_tuned({step = half, most = 9.0, sum = 0.1, weight = 0.2}, 0.3, 0.0, u => u, u => u).step", "mclmc_tuned({step = half, most = 9.0, sum = 0.1, weight = 0.2}, 0.1 * pulls(states), first_is_good, u => mean(u), u => max(u)).weight"],
    "mclmc_move": ["mclmc_move(pull, state_of_chain, big, k => push(k), half, diagonal_metric()).own.u"], "turned_direction": ["turned_direction(f / sqrt(inner(f, f)), g, half, 120.0, (a, b) => inner(a, b))[%d]" % i for i in (0, 1)],
    "positive": ["positive(f)[0]", "positive(half)[1]"], "bounded": ["bounded(f, half, 3)[0]", "bounded(f, half, 3)[1]"],
    "ess": ["ess(white_noise[wide, x, deep](3) + half, wide, deep)", "ess(white_noise[wide](3), wide) * half", "ess(exp(half * white_noise[wide, deep](3)), wide, deep)"], "rhat": ["rhat(white_noise[wide, x, deep](3) + half, wide, deep)", "rhat(white_noise[wide](3), wide) * half", "rhat(exp(half * white_noise[wide, deep](3)), wide, deep)"]})
LIBRARY.update({  # sampling, chains that are computed together
    "sample_batch": ["sample_batch[p, deep](pulls, states, %s, 4).chain" % e for e in ("hmc(2, 3)", "nuts(3, 2)", "langevin(1)", "mams(2, leaps = 3)", "mclmc(3)")] + [
        "sample_batch[p, deep](s => each p in s => pull(s), states, hmc(1, 1), big, 2, k => pushes(k)).energy"],
    "lockstep": ["lockstep[p](pulls, piece(deep, 1)).slope(states)[1]", "lockstep[p](pulls, piece(deep, 1)).inner(states, pushes(3))", "lockstep[p](pulls, piece(deep, 1)).random(three)"],
    "energies_of_chains": ["energies_of_chains[p](pulls(states), piece(deep, 1))"], "are_fine": ["are_fine(map q in [p] => if index(q, p) == 1 then sqrt(-half) else half * index(q, p), first_is_good, 0.7)"],
    "picked": ["picked(first_is_good, {a = states, b = first_is_good}, {a = log(0.6 - first_is_good) * states, b = 3 * first_is_good}).%s" % e for e in "ab"],
    "chosen": ["chosen(lockstep[p](pulls, piece(deep, 1)), state_of_chains, {s = pushes(3), e = pulls(pushes(3)), g = states, good = first_is_good}, half * first_is_good, big, 9, 4).%s" % e for e in ("s", "accept", "error", "diverged")],
    "hmc_moves": ["hmc_moves(lockstep[p](pulls, piece(deep, 1)), state_of_chains, big, k => pushes(k), 3, 0.2, 1000, diagonal_metric()).s"],
    "nuts_moves": ["nuts_moves(lockstep[p](pulls, piece(deep, 1)), state_of_chains, big, k => pushes(k), 3, piece(deep, 3), 1000, diagonal_metric()).%s" % e for e in ("s", "accept", "gradients")],
    "nuts_branches": ["nuts_branches(lockstep[p](pulls, piece(deep, 1)), {s = states, u = pushes(1), g = states - half}, state_of_chains, pulls(states), 0.2 - 0.4 * first_is_good, 1 + 0 * first_is_good, 4, big, piece(deep, 3), 1000, diagonal_metric()).%s" % e for e in ("sum", "weight")],
    "turn_inside": ["turn_inside(lockstep[p](pulls, piece(deep, 1)), pushes(1), pushes(1) + pushes(2), white_noise[deep, p, x, y](2), 2 * white_noise[deep, p, x, y](2), deep, 1, 0) + half"],
    "are_turning": ["are_turning(lockstep[p](pulls, piece(deep, 1)), pushes(1), pushes(2), pushes(1) + half * pushes(2)) + half"],
    "mams_moves": ["mams_moves(lockstep[p](pulls, piece(deep, 1)), state_of_chains, big, k => pushes(k), half, 9, 1000, diagonal_metric()).s"],
    "mams_steps": ["mams_steps(2.5, 30, half, 20, big) * half"], "mclmc_moves": ["mclmc_moves(lockstep[p](pulls, piece(deep, 1)), state_of_chains, big, k => pushes(k), half, diagonal_metric()).own.u"],
    "require_steps": ["(s => { require_steps(\"hmc\", 3, s)\n 2 * s })(half)"],
    "require_trajectories": ["(s => { require_trajectories(\"hmc\", 3, s, s, 9)\n 2 * s })(half)"],
    "leapfrogs": ["sample[p](pull, small, leapfrogs(2, 1, 0.8, half, 0.2, 1000, diagonal_metric()), 4).scale"],
    "microcanonical": ["sample[p](pull, small, microcanonical(1, half, 1, 5e-4, diagonal_metric()), 4).chain"],
    "over_pixels_of": ["over_pixels_of(of_sky, cos(of_sky)) * half"],
    "mean_spread_with": ["mean_spread_with({n = 2 * half, mean = small, squares = small^2, per = 2.0}, states, p).%s" % e for e in ("mean", "squares")],
    "mean_covariance_with": ["mean_covariance_with({n = 2 * half, mean = slice(small, y = 2), squares = square_root_of}, slice(states, y = 1), p).squares"]})
LIBRARY.update({  # variational
    "laplace": ["laplace[p](bowl, small).hessian(small)", "laplace[p](pull, small).draw(three)", "laplace[p](bowl, small).along(small, 4)"], "inverse_root": ["inverse_root[p](u => (1 + small^2) * u, small)"],
    "tridiagonal_root": ["tridiagonal_root(1 + white_noise[p](3)^2, 0.3 * white_noise[p](4)^2, p)"],
    "low_rank": ["low_rank[deep](bowl, small, adam(0.1), 2, 4, draws = 2).%s" % e for e in ("factors", "draw(3)")],
    "flow_start": ["flow_start[deep, wide, p](three).first * half"], "coupled": ["coupled(flow_start[deep, wide, p](3) with {shift_bias = white_noise[deep, p](4)}, white_noise[x, p](5), p, 1, half)[1]"],
    **{name: ["%s(flow_start[deep, wide, p](3) with {scale = white_noise[deep, p, wide](4)}, half * white_noise[x, p](5), p, half)%s" % (name, e)] for name, e in (("flow", "[0]"), ("flow_inverse", "[0]"), ("flow_log_density", ""))},
    "fit_flow": ["fit_flow(u => sum(u^2), flow_start[deep, wide, p](3), p, adam(0.1), 2, 4, draws = 2).draw(5) * half"],
    "mean_field": ["mean_field(pull, small, adam(0.1), 3, 4, k => push(k), draws = 2).deviation"]})
LIBRARY.update({  # parallel_imaging, quantitative
    "grappa": ["real(grappa(uniform_mask[x](2, 5) * data, uniform_mask[x](2, 5), p, x, 2, 1, 2, 4, 0.01, iterations = 4))"], "digit_of": ["digit_of(11, (x, y), (3, 4), y) * half"],
    "require_grappa": ["(if half > 9 then { require_grappa(data, 2, 3, 2, 4); 1.0 } else 2.0) * half"],
    "require_lines": ["(if half > 9 then { require_lines(data, 1, y, 2, 4); 1.0 } else 2.0) * half"],
    "grappa_matrix": ["imag(sum(grappa_matrix(data, p, piece(p, 3), x, 2, 1, 1, 2, 4, 0.01, 9), over = piece(p, 3)))"],
    "grid_stiffness": ["grid_stiffness((x, z)) * half"], "nlinv": ["real(nlinv(data[%s], lines, p, 2, tolerance = 0, iterations = 3).image)" % "z = 0"],
    "spirit": ["real(spirit(mask3 * frame, mask3, p, 3, 3, 0.1, 0, 3))"], "sparse_spirit": ["imag(sparse_spirit(mask3 * frame, mask3, p, half * 0.1, 3, 3, 0.1, \"haar\", 1, 2))"],
    "spirit_operator": ["real(spirit_operator(frame, mask3, p, 3, 3, 0.1).residual(coils2))"], "require_spirit": ["(if half > 9 then { require_spirit(frame, mask3, 3, 3); 1.0 } else 2.0) * half"],
    "sake": ["real(sake(mask3 * frame, mask3, p, 3, 2, 2))"], "centred_modes": ["imag(centred_modes(frame, p))"],
    "patch_cell": ["map e in [deep, wide] => patch_cell(e, deep, wide, p, (x, z), 2, z) * half"],
    "nufft_nlinv": ["real(nufft_nlinv[p, x, z](white_noise[p, wide](3) + 1i * half * white_noise[p, wide](6), (sin(white_noise[wide](4)), cos(white_noise[wide](5))), p, 0.01, 2, tolerance = 0, iterations = 2).image)"],
    "jsense_maps": ["real(jsense_maps(mask3 * frame, mask3, p, 2, 3, 2, 2, 0))"], "require_jsense": ["(if half > 9 then { require_jsense(2, 3, 1); 1.0 } else 2.0) * half"],
    "nufft_jsense_maps": ["imag(nufft_jsense_maps[p, x, z](white_noise[p, wide](3) + 1i * half * white_noise[p, wide](6), (sin(white_noise[wide](4)), cos(white_noise[wide](5))), p, 0.01, 2, 3, 2, 2, 0))"],
    "middle_modes": ["imag(middle_modes(frame, p, (piece(x, 3), piece(z, 3)), 3))"], "coils_of": ["real(coils_of(frame, p, (x, z), 3))"],
    "few_modes": ["imag(few_modes(frame, u => centred_fft(u), r => centred_ifft(r), p, 3, 2, 2, 0))"],
    "joint_estimate": ["imag(joint_estimate(frame, u => centred_fft(u), r => centred_ifft(r), p, 2, 1.0, half, 90.0, 8.0, 0, 3).image)"],
    "prewhiten": ["real(prewhiten(frame, white_noise[p, wide](3) + 1i * white_noise[p, wide](4), p))"],
    "translated": ["imag(translated(frame, (half, f[y = 0, z = 1, x = 2])))"], "cells_sum": ["cells_sum(batch, (x, z))", "cells_sum(f, (z, x, y))"],
    "translation": ["translation(translated(frame, (half, -0.7)), frame, 5)[%d] * half" % i for i in (0, 1)], "nth_beside": ["nth_beside((p, x, y, z), (x, z), 1) * half"],
    "window_convolved": ["number(window_convolved(((1 + white_noise[wide](3)^2) * (1 Mpc/h)^3, white_noise[wide](4) * (1 Mpc/h)^3), waves_up, (1 / (1 + white_noise[many_s](5)^2), white_noise[many_s](6)), places_up, ells = (0, 2), window_ells = (0, 2), constrained = %s)[1], 1 (Mpc/h)^3)" % e for e in ("true", "false")],
    "window_at": ["window_at((white_noise[wide](3), white_noise[wide](4)), 2 + number(waves_up, 1 h/Mpc), number(places_up, 1 Mpc/h), ells = (0, 2))[%d]" % i for i in (0, 1)],
    "require_increasing": ["(if half > 9 then { require_increasing(\"a\", f[y = 0, z = 0]); 1.0 } else 2.0) * half"], "trapezoid_steps": ["trapezoid_steps(white_noise[wide](4))"],
    "place_among": ["place_among(2, (0, 2, 4)) * half"], "wigner_3j_squared": ["wigner_3j_squared(2, 4, 4) * half"], "factorial": ["factorial(three + 2) * half"],
    "low_rank_sparse": ["real(low_rank_sparse(sense(coils2, mask2, p), mask2 * frames, deep, half, 0.1, 2).%s)" % e for e in ("low", "sparse")],
    "t2_map": ["t2_map(exp(-places_in_time * (1 + f^2)) + 0.01 * white_noise[wide, x, y, z](3), wide, places_in_time, 2).%s" % e for e in ("t2", "amplitude")],
    "t1_map": ["t1_map(half - exp(-places_in_time * (1 + small^2)) + 0.01 * white_noise[wide, x, y](3), wide, places_in_time, 0.1, 2, 5, 2).t1"],
    "diffusion_tensor": ["diffusion_tensor(3 + white_noise[many, x](3)^2, many, half * white_noise[many](4)^2, (white_noise[many](5), white_noise[many](6), white_noise[many](7)), 0).tensor[1]"],
    "diffusion_step": ["diffusion_step(for i in 0 .. 7 => white_noise[many](20 + i), 1 + white_noise[many, x](3)^2, white_noise[many, x](4), many)[2]"],
    "epg_fse": ["epg_fse(2 + 0.2 * white_noise[wide](5), 0.1, 1 + small^2, 0.3 + f^2, 0.9 + half * 0.1)"],
    "stimulated_t2_map": ["stimulated_t2_map(exp(-places_in_time * (1 + small^2)) + 0.01 * white_noise[wide, x, y](3), wide, 2 + 0.2 * white_noise[wide](5), 0.1, 1, iterations = 2).%s" % e for e in ("t2", "b1")],
    "model_image": ["real(model_image(sense(coils2, mask2, p), u => u.a * exp(-places_in_pair * u.b), mask2 * frames, {a = 0i * slice(f, y = 1), b = slice(g, y = 1)}, 2, tolerance = 0, iterations = 3).a)"],
    "t2_image": ["t2_image(sense(coils2, mask2, p), mask2 * frames, deep, places_in_pair, half, 2, tolerance = 0, iterations = 3).t2"],
    "t1_image": ["t1_image(sense(coils2, mask2, p), mask2 * frames, deep, places_in_pair, half, true, 2, tolerance = 0, iterations = 3).t1"],
    "series_size": ["series_size(sense(coils2, mask2, p), mask2 * frames, deep).value * half"],
    "mean_diffusivity": ["mean_diffusivity((f, g, f, g, f, half * g))"], "fractional_anisotropy": ["fractional_anisotropy((f, g, f, g, f, half * g))"],
    "subspace_basis": ["abs(subspace_basis[deep](batch, p, iterations = 9))"], "subspace_sense": ["real(subspace_sense(coils2, mask2, p, white_noise[deep, wide](3), wide).%s)" % e for e in ("forward(pairs)", "normal(pairs)")]})
LIBRARY.update({  # order
    "cummax": ["cummax(f * half, over = x)", "cummax(f, over = (z, y))"], "cummax_along": ["cummax_along(g, y)"],
    "bin_max": ["bin_max(white_noise[wide](3), map q in [wide] => mod(int(index(q, wide)), 4), 5)[%d]" % i for i in (0, 1)]})
LIBRARY.update({  # healpix
    "mode_coupling": ["mode_coupling[l1, i1](map q in [wide] => half + index(q, wide))"],
    "legendre_nodes": ["legendre_nodes[wide]()[%d] * half" % i for i in (0, 1)], "legendre_table": ["legendre_table[i1](sin(f))"],
    "decoupled_power": ["decoupled_power(white_noise[i1](3), square[p = 1], width = 2, window = half)", "decoupled_power(half * white_noise[i1](3), square[p = 0], width = 1)"]})
LIBRARY.update({  # neutrinos
    "neutrino_fraction": ["neutrino_fraction(flat, half)"], "free_streaming_ratio": ["free_streaming_ratio(flat, half)(0.1 h/Mpc, 0.7)"],
    "ratio_of_table": ["ratio_of_table(grid, 0.05 h/Mpc, 9 h/Mpc)(half * %s h/Mpc, 1)" % k for k in ("0.01", "0.3", "99")],
    "neutrino_strength": ["neutrino_strength(half, free_streaming_ratio(flat, 0.2))(0.1 h/Mpc, 0.7)"],
    "neutrino_force": ["number(neutrino_force(half, free_streaming_ratio(flat, 0.2))(cube, 3, 0.7)[1], 1 Mpc/h)", "number(neutrino_force(half, free_streaming_ratio(flat, 0.2), \"fd2\", \"fd2\")(cube, 3, 0.7)[0], 1 Mpc/h)",
                       "number(nbody(flat, neutrino_start(flat, density, 0.2, k => half), from = 0.2, to = 0.5, steps = 1, gravity = neutrino_force(neutrino_fraction(flat, half), free_streaming_ratio(flat, 0.1))).mom[1], 1 Mpc/h)"],
    "rescaled": ["map k in fk => rescaled(k, q => half * number(q, 1 h/Mpc))"],
    "neutrino_start": ["number(neutrino_start(flat, density, 0.2, k => half + number(k, 1 h/Mpc)).mom[1], 1 Mpc/h)"],
    "with_neutrinos": ["with_neutrinos(density, 0.7, half, free_streaming_ratio(flat, 0.2))", "with_neutrinos(batch, 0.7, half, free_streaming_ratio(flat, 0.2), over = (x, y, z))"]})
LIBRARY.update({  # sunyaev_zeldovich
    "electron_depth": ["number(electron_depth(flat), 1 h/Mpc) * 1e7 * half", "number(electron_depth(flat, hydrogen = 0.2 + half, free = half), 1 h/Mpc) * 1e7"],
    "ksz_particles": ["ksz_particles[u1, v1](1 h/Mpc * half)(observed(same_copies))"],
    "tsz_particles": ["tsz_particles[u1, v1](half * 1 h/Mpc, polytrope(2, 1 + half), window = \"tsc\")(observed(turned_copies(2)))"],
    "ksz_sphere": ["ksz_sphere[pixel](half * 1 h/Mpc)(observed(same_copies))"],
    "tsz_sphere": ["tsz_sphere[pixel](half * 1 h/Mpc, polytrope(2, 1 + half), most = 3)(observed(same_copies))"],
    "polytrope": ["polytrope(2, 1 + half, window = \"tsc\")(observed(same_copies))"],
    "electrons_of": ["electrons_of(observed(same_copies), crossing_of_light)"], "recession_of": ["recession_of(observed(same_copies), crossing_of_light)"],
    "area_of": ["area_of(observed(same_copies), crossing_of_light)"], "of_shell": ["of_shell(half * 1 h/Mpc, observed(same_copies), half, sky)"],
    "ksz_box": ["ksz_box(1 h/Mpc * half, cube, 300 km/s * cube, half, y1)"], "tsz_box": ["tsz_box(1 h/Mpc * half, cube, cube, half, y1)"],
    "require_map": ["(if half > 9 then { require_map[u1, v1](\"a\", observed(same_copies)); 1.0 } else 2.0) * half"],
    "place_on_map": ["map i in crossing_of_light.fraction => place_on_map({shell = {far = 90 Mpc/h, near = 60 Mpc/h, curvature = half * 1e-6 (h/Mpc)^2}, sides = (40 Mpc/h, 40 Mpc/h)}, {sine = 90 Mpc/h, cosine = half}, half, half, 9 Mpc/h, 7 Mpc/h, crossing_of_light.fraction)[%d]" % i for i in (0, 2)],
    "seen_on_map": ["seen_on_map[u1, v1](observed(same_copies), crossing_of_light).area", "paint_at[u1, v1](seen_on_map[u1, v1](observed(same_copies), crossing_of_light).at, where = crossing_of_light.met) * half"]})
LIBRARY.update({  # catalogs
    "zheng_hod": ["zheng_hod(1, half, 2, 3, 4).sigma"], "mean_centrals": ["mean_centrals(occupation, halos_of_9.mass)"],
    "mean_satellites": ["mean_satellites(occupation, halos_of_9.mass)", "mean_satellites(occupation, 9 + half, modulated = false)"],
    "hod_galaxies": ["number(hod_galaxies[slot1](occupation, halos_of_9, three, box = (20 Mpc/h, 30 Mpc/h, 25 Mpc/h)).pos[1], 1 Mpc/h)",
                     "number(hod_galaxies[slot1](occupation, halos_of_9, three, profile = \"gaussian\", modulated = false).pos[0], 1 Mpc/h)"],
    "hod_velocities": ["hod_velocities(hod_galaxies[slot1](occupation, halos_of_9, three), {velocity = (halos_of_9.mass, 2 * halos_of_9.mass, halos_of_9.mass), dispersion = half * halos_of_9.mass}, three%s)[1]" % e for e in ("", ", central_bias = half, satellite_bias = 2 * half")],
    "halo_of_slot": ["map q in [slot1] => halo_of_slot(half * index(q, slot1), halo_ends)[%d] * half" % i for i in (0, 1)],
    "nfw_radius": ["map q in f => nfw_radius(sin(f)^2, 3 + half)"], "nfw_enclosed": ["map q in f => nfw_enclosed(f^2)", "nfw_enclosed(0.01 * half)"],
    "isotropic": ["map q in f => isotropic(sin(f)^2, half)[%d]" % i for i in (0, 2)], "in_box": ["map q in f => in_box(9 * f, 2 + half)"],
    "pair_counts": ["pair_counts(few_places, places_of_halos, 1 Mpc/h, 4 Mpc/h, 5)", "pair_counts(places_of_halos, few_places, 1 Mpc/h, 4 Mpc/h, 5, weight_a = half, weight_b = white_noise[slot1](3)^2, box = (20 Mpc/h, 20 Mpc/h, 20 Mpc/h))"],
    "pair_separation": ["map q in [halo1] => number(pair_separation(places_of_halos, of_place, (20 Mpc/h, 20 Mpc/h, half * 40 Mpc/h)), 1 Mpc/h)"],
    "own_pair_counts": ["own_pair_counts(few_places, 1 Mpc/h, 4 Mpc/h, 5)", "own_pair_counts(few_places, 1 Mpc/h, 4 Mpc/h, 5, weight = half, box = (20 Mpc/h, 20 Mpc/h, 20 Mpc/h))"],
    "landy_szalay": ["landy_szalay(places_of_halos, few_places, 1 Mpc/h, 4 Mpc/h, 5, weight = halos_of_9.mass, weight_randoms = half, box = (20 Mpc/h, 20 Mpc/h, 20 Mpc/h)).xi"],
    "halo_catalog": ["halo_catalog[slot1]({disp = d, mom = d}, b = 0.3 + 0.2 * half, least = 3).%s" % m for m in
                     ("pos[1] / 1 Mpc/h", "mom[2] / 1 Mpc/h", "members * half", "first * half")] +
                    ["halo_catalog[slot1]({disp = d, mom = d}, least = 2).exists * half",
                     "grad(e => sum(halo_catalog[slot1]({disp = (1 + e) * d, mom = d}, b = 0.4, least = 3).pos[0]) / 1 Mpc/h)(0.01 * half) * f"],
    "spherical_overdensity": ["spherical_overdensity(places_of_halos, d, 0.8 + half, 2 Mpc/h, 10 Mpc/h, 5).number"],
    "spherical_halos": ["spherical_halos[slot1]({disp = d, mom = d}, 2 Mpc/h, 10 Mpc/h, 5, ratio = 0.8 + half, b = 0.3 + 0.2 * half, least = 3).%s" % m for m in
                        ("number * half", "radius / 1 Mpc/h", "exists * half", "pos[1] / 1 Mpc/h")]})
LIBRARY.update({  # corrections of particles, catalogs on light cones
    "potential_descent": ["number(potential_descent(particles, half, 0.2 h/Mpc, 1 h/Mpc%s).disp[1], 1 Mpc/h)" % e for e in ("", ", boost = 2, kernel = \"exact\", window = \"tsc\"")],
    "sheet_overdensity": ["sheet_overdensity(particles) * half", "sheet_overdensity(particles, 2, boost = 2, window = \"tsc\", interpolation = \"linear\")"],
    "keep_catalog": ["keep_catalog[deep, slot1]((x, y, chi) => x < 7 Mpc/h and y < 9 Mpc/h)(observed(same_copies)).%s * half" % e for e in ("pos[2] / 1 Mpc/h", "velocity / 1 km/s", "exists")] + ["keep_catalog[deep, slot1]((x, y, chi) => x < 7 Mpc/h and y < 9 Mpc/h, beyond = 5 Mpc/h)(observed(same_copies)).%s * half" % e for e in ("pos[2] / 1 Mpc/h", "copy")],
    "empty_catalog": ["half + empty_catalog[deep, slot1]().exists"], "light_speed": ["number(light_speed(), 1 km/s) * half"]})
LIBRARY.update({  # the symmetron
    "symmetron_strength": ["symmetron_strength(0.3, half * 4 Mpc/h, 0.7)(half * 0.2 h/Mpc, %s)" % a for a in ("0.7", "0.2")],
    "symmetron_vacuum2": ["symmetron_vacuum2(half, 0.3)"],
    "symmetron_potential": ["number(symmetron_potential(sparse_density, 0.3 + half, 0.4, 3 Mpc/h, half, cycles = 1, levels = 1, sweeps = 1%s), 1 (Mpc/h)^2)" % e for e in ("", ", shape = \"W\"")],
    "symmetron_problem": ["symmetron_problem(half).relax({l2 = 9 (Mpc/h)^2, s = cube - half}, 1 + cube^2, cube)", "symmetron_problem(half).keep(cube, 1 + cube^2)"],
    "symmetron_cell": ["map q in f => symmetron_cell(3 * f, g - half)"],
    "symmetron_force": ["number(symmetron_force(0.3, 2 Mpc/h, half, 1, 1, 1, force = fourier_force(\"fd2\"))(1 + sparse_density, 1, 0.3 + half)[1], 1 Mpc/h)",
                        "number(nbody(flat, moved, from = half, to = 0.9, steps = 1, gravity = symmetron_force(0.4, 2 Mpc/h, half, 1, 1, 1)).mom[1], 1 Mpc/h)"]})
LIBRARY.update({  # linalg
    "matmul": ["matmul(square, side, over = i1) * half", "imag(matmul(square * (1 + half * 1i), long_matrix, over = j1))"],
    "solve_over": ["solve_over(square, side, i1, j1) * half", "imag(solve_over(square + half * 1i, side, i1, j1))"],
    "solve_lower": ["solve_lower(square, map q in [p, i1] => half * index(q, i1) - 1, i1, j1)"],
    "cholesky": ["cholesky(square, i1, j1) * half", "imag(cholesky(square * (1 + 0.1i), i1, j1))"],
    "slogdet": ["slogdet(square, i1, j1).logdet * half", "slogdet(square - 3, i1, j1).sign * half"],
    "logdet": ["logdet(square, i1, j1) * half", "logdet(square + half * 1i, i1, j1)", "logdet(slice(square, p = 1), j1, i1) * half"],
    "eigh_over": ["eigh_over(square, i1, j1).values", "norm2(eigh_over(square * (1 + half * 1i), i1, j1).vectors)"],
    "svd_over": ["svd_over(long_matrix, r1, j1, k1).values", "norm2(svd_over(long_matrix + half * 1i, j1, r1, k1).v)", "svd_over(square, i1, j1, k1).u^2"],
    "lstsq": ["lstsq(long_matrix, map q in [r1] => half * index(q, r1), r1, j1)", "real(lstsq(long_matrix + 1i, map q in [j1] => half * index(q, j1), j1, r1))"],
    "lstsq_columns": ["lstsq_columns((1 + 0 * rising, rising * 1 s, half * rising^2), map q in [r1] => sin(index(q, r1)) * 1 km, r1, deep3)[%d] / (%s)" % e for e in ((0, "1 km"), (1, "1 km/s"))],
    "solve_columns": ["solve_columns((for n in 0 .. 4 => square[j1 = n] * 1 km), side * half, i1, j1)[2] * 1 km"],
    "solve_rows": ["solve_rows((for n in 0 .. 4 => square[i1 = n] * 1 km), (for n in 0 .. 4 => (half + n) * 1 km), i1, j1)"],
    "column_sizes": ["column_sizes((rising * half, 0 * rising), r1)[%d]" % i for i in (0, 1)], "scaled_fields": ["scaled_fields((rising, half * rising), (half, 2.0), deep) * half"],
    "parts_over": ["parts_over((half, 2.0), side, deep)[1]"],
    "linear_least_squares": ["map q in f => linear_least_squares(tall, (f, half, 1.0))[1]", "real(linear_least_squares(((1 + 1i, 2.0), (half * 1i, 1.0), (0.3, 1i)), (1.0, 2i, half))[0])"],
    "covariance": ["covariance(half * slice(square, j1 = 1), p, i1, j1%s)" % e for e in ("", ", normalized = true")],
    "cross_covariance": ["cross_covariance(square, side * half, i1)"],
    "fitted": ["map q in f => fitted(tall, (f, half, 1.0))[0]"]})
LIBRARY.update({  # solvers
    "held": ["held(f) * half", "grad(b => b * held(b))(half)"], "held_adjoint": ["held_adjoint(f, g) * half"],
    "solution_from": ["solution_from(stiff, f, cg(stiff, f, 1e-12, 30), 1e-12, 30)", "grad(b => sum(solution_from(stiff, b, 0.2 * f, 1e-12, 30) * g))(f)"],
    "found": ["found(stiff, f, g, 1e-9, 30) + half"], "found_adjoint": ["found_adjoint(stiff, f, g, 1e-9, 30, f)[2] * half"],
    "found_tangent": ["found_tangent(stiff, f, g, 1e-9, 30, (0, f, g, 0, 0)) * half"],
    "solved": ["solved(stiff, f, g, 1e-9, 30) + half", "grad(r => sum(solved(stiff, f, r, 1e-12, 30) * g))(0 * f)"],
    "solved_again": ["solved_again(stiff, f, g, 1e-9, 30) + half"], "solved_adjoint": ["solved_adjoint(stiff, f, g, 1e-12, 30, g)[2]"],
    "solved_tangent": ["solved_tangent(stiff, f, g, 1e-12, 30, (0, g, f * g, 0, 0))"],
    "stopped": ["stopped(f, u => relax(u, g), 1e-9, 30) + half"], "stopped_adjoint": ["stopped_adjoint(f, u => relax(u, g), 1e-9, 30, f)[0] * half"],
    "stopped_tangent": ["stopped_tangent(f, u => relax(u, g), 1e-9, 30, (f, 0, 0, 0)) * half"],
    "resolvent_again": ["resolvent_again(u => relax(u, f), f, g, 1e-9, 30) + half"],
    "resolvent_tangent": ["resolvent_tangent(u => relax(u, f), f, g, 1e-13, 80, (0, g, f * g, 0, 0))"],
    "zero_of": ["zero_of(stiff, f) + half"],
    "of_length_1": ["of_length_1(f)"], "reciprocal": ["reciprocal(half) * g", "reciprocal(half - half) * g"],
    "power_iteration": ["power_iteration(stiff, f, three).value", "imag(power_iteration(stiff, c).vector)"],
    "fista": ["fista(u => stiff(u) - f, (u, b) => soft_threshold(u, half * b), g, 0.1, 9%s" % e for e in
              (").x", ", restart = false).x", ", tolerance = 0.1).count * half", ").change")],
    "pogm": ["pogm(u => stiff(u) - f, (u, b) => soft_threshold(u, half * b), g, 0.1, 9%s" % e for e in
             (").x", ", restart = false).x", ", tolerance = 0.1).count * half", ").change")],
    "condat_vu": ["condat_vu(u => stiff(u) - f, (u, b) => max(u, -half), (u, b) => into_ball(u, half), slopes, slopes_back, g, 0.05, 0.3, 7).%s" % e
                  for e in ("x", "dual[1]", "change")],
    "admm": ["real(admm((u, old) => conjugate_gradients(q => stiff(q) + half * slopes_back(slopes(q)), c + half * slopes_back(u), old, "
             "1e-13, 60).x, (u, b) => group_soft_threshold(u, 0.3 * b), slopes, 0 * c, half, 5).x)"]})
