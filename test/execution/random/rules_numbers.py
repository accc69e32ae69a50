"""Rules about integers of 64 bits, and about units."""
from program import list_text


class NumberRules:
    """Each method adds a parameter, and what is made of it."""

    def whole_param(self, kind):
        """Beyond 2^53, where an f64 would round; a u64 also beyond 2^63."""
        name = self.name("q")
        bits = 64 if kind == "u64" else 60
        value, given = (self.random.getrandbits(bits) | 1 << bits - 1 | 1 for _ in range(2))
        if kind == "int" and self.random.random() < 0.4:
            given = -given
        self.say("param %s: %s = %d" % (name, kind, value), name)
        if self.random.random() < 0.5:
            self.program.flags.append("--%s=%d" % (name, given))
        return name

    def integers(self):
        s, n = self.whole_param("u64"), self.whole_param("int")
        small = self.random.randint(2, 9)
        texts = [t.format(s=s, n=n, k=small) for t in (
            "{s} + {n}", "{s} * {k} - {n}", "{s} * {s}", "{n} - {s}", "{s} - {k}", "{s} * {n} + {k}", "{s}^3",
            "if {s} > {n} then {s} else {s} + 1", "loop r = {s} for i in 0 .. {k} => r * 6364136223846793005 + i",
            "loop r = {s} for i in 0 .. {k} => if r > {n} then r - {n} else r + i + 12345")]
        ints = [t.format(n=n, k=small) for t in (
            "{n} - {k}", "{n} + {k}", "-{n}", "{k} * ({n} - {n}) - {k}^3", "if {n} < {k} then {n} - 1 else {n} + {k}",
            "loop r = {n} for i in 0 .. {k} => r - 3 * i", "if {n} >= 0 then {n} + 1 else -{n}")]
        name, other = self.name("l"), self.name("l")
        self.say("let %s = %s" % (name, self.random.choice(texts)), name, (s, n))
        self.say("let %s = %s" % (other, self.random.choice(ints)), other, (n,))
        self.say("output o_%s = %s" % (name, name), needs=(name,))
        self.say("output o_%s (n, k, i) = (%s, %s, %d)" % (other, other, n, small), needs=(other, n))
        self.say('print "{} {} {} {:.3e} {} {}", %s, %s, %s, %s, %s > %s, %s == %s - 1' % (
            name, other, s, name, name, n, other, n), needs=(name, other, s, n))
        if self.random.random() < 0.4:
            dims = self.some_dims()
            f = self.add_field("white_noise%s(%s)" % (list_text(dims), name), dims, (name,), generic=True)
            self.program.exact.add("o_" + f.name)
        if self.random.random() < 0.4:
            self.add_scalar("(%s - %s) / (%s + 2.5)" % (name, s, small), (name, s))

    def slice_run_time(self):
        """Bounds that are known when the program runs."""
        f = self.real(lambda g: g.space() and len(g.dims) > 1, self.some_dims(2))
        if len(f.dims) < 2:
            return self.integers()
        dim = self.random.choice(f.dims)
        cells = self.program.dims[dim.label] * dim.finer
        name = self.name("q")
        value, given = self.random.randrange(cells), self.random.randrange(cells)
        self.say("param %s: int = %d" % (name, value), name)
        if self.random.random() < 0.6:
            self.program.flags.append("--%s=%d" % (name, given))
        most = max(value, given)
        after = cells - 1 - most
        choices = ["{n}", "0 .. {n} + 1", "{n} .. {n} + 1", "{n} .. %d" % cells, "{n} + %d" % after,
                   "{n} .. {n} + %d" % (after + 1), "%d - {n}" % most, "%d - {n} .. {n} + %d" % (min(value, given), after + 1)]
        bounds = self.random.choice(choices).format(n=name)
        if "- %s .. " % name in bounds and value != given:
            bounds = "%s .. %d" % (name, cells)
        kept = [d for d in f.dims if d != dim]
        if self.random.random() < 0.3:  # a plane for every iteration
            self.add_field("loop c = slice({f}, {d} = {n}) for i in 0 .. {c} => 0.5 * c + slice({f}, {d} = i)".format(
                f=f.name, d=dim.label, n=name, c=min(cells, 3)), kept, (f.name, name))
        elif self.random.random() < 0.3:
            function = self.name("fn_")
            self.say("fn %s(u) = mean(slice(u, %s = %s)^2) + mean(u^3) / 9" % (function, dim.label, bounds), function, (name,))
            self.add_bounded("grad(%s)(%s) * sum(1 + 0 * %s)" % (function, f.name, f.name), f.dims, (function, f.name))
        else:
            self.add_field("slice(%s, %s = %s)" % (f.name, dim.label, bounds), kept, (f.name, name))

    UNITS = (("km/s", "100 km/s"), ("h/Mpc", "0.1 h/Mpc"), ("Mpc/h", "10 Mpc/h"), ("(Mpc/h)^3", "50 (Mpc/h)^3"), ("Msun", "3 Msun"),
             ("km/s/Mpc", "70 km/s/Mpc"), ("K", "2.7 K"), ("deg", "90 deg"))

    def unit_param(self):
        """A parameter with a unit: in what is written with it, and in what is divided by one."""
        unit, one = self.random.choice(self.UNITS)
        name = self.name("q")
        value = "%s%s" % (self.random.choice(["150", "0.25", "-42.5", "1e2"]), " " + unit)
        kind = ": length" if unit == "Mpc/h" and self.random.random() < 0.5 else "" if unit == "deg" else ": f64 " + unit
        bounds = self.random.choice(["", " in [-1000, 1000)"])
        self.say("param %s%s%s = %s" % (name, kind, bounds, value), name)
        if self.random.random() < 0.6:
            self.program.flags.append("--%s=%s" % (name, self.random.choice(["3.5", "-1e-1", "77"])))
        ratio = "(%s / (%s))" % (name, one)
        f = self.real(lambda g: g.space())
        with_unit = self.name("f")
        self.say("let %s = %s * tanh(%s)" % (with_unit, name, f.name), with_unit, (name, f.name))
        asked = " in " + unit if self.random.random() < 0.5 else ""
        self.say("output o_%s (a%s, b) = (%s, %s)" % (with_unit, asked, with_unit, f.name), needs=(with_unit, f.name))
        if len(f.dims) == 2 and self.random.random() < 0.5:
            self.say("plot %s = %s in %s" % (self.name("plot"), with_unit, unit), needs=(with_unit,))
        self.say('print "{} %s, {}", %s, sqrt(mean(%s^2)) / abs(%s)' % (unit, name, with_unit, one), needs=(name, with_unit))
        choice = self.random.random()
        if choice < 0.3:
            self.add_scalar("number(max(%s), %s)" % (with_unit, one), (with_unit,))
        elif choice < 0.6:
            function = self.name("fn_")
            self.say("fn %s(u, b) = mean((u * b / (%s))^2) / 9" % (function, one), function)
            pair = self.name("g")
            self.say("let %s = grad(%s, wrt = (u, b))(%s, %s)" % (pair, function, f.name, name), pair, (function, f.name, name))
            self.add_scalar("%s[1] * (%s)" % (pair, one), (pair,))
            self.add_bounded("%s[0] * sum(1 + 0 * %s)" % (pair, f.name), f.dims, (pair, f.name))
        else:
            self.add_field("sin(%s) * %s + number(%s / (%s), 1) / (1 + abs(%s))" % (ratio, f.name, with_unit, one, ratio), f.dims,
                           (name, f.name, with_unit))
