"""Random gradients: backwards, or forwards over backwards, through a few steps of a function."""


class DerivativeRules:
    STEPS = (
        "sin({v}) * {v}", "{v} * mean({v}^2) / (1 + mean({v}^2)) + b", "ifft(map k in {t} => {t} * (1 + 0.3i * {c}))", "exp(-norm2({v})) - b * {v}",
        "(loop (p, q) = ({v}, b * {v}) for i in 0 .. 3 => {{ let r = q - 0.1 * b * sin(p + i); (p + 0.1 * r, r) }})[0]",
        "{v} + mean({v}, over = {d})",
        "map q in {v} => grad(w => sin(w) * b + 0.1 * {v} * w^2)(cos({v}))",
        "map q in {v} => jvp(w => loop s = w for i in 0 .. 3 => sin(s) + 0.3 * (if s > 0.4 then w else s^2))({v}, tangent = b)[1]",
        "if mean({v}) > 1.7 b - 0.31 then {v} * {v} / (1 + {v}^2) else 2 {v}", "max({v}, 0.83 b + 0.07) + abs({v} + 0.137)",
    )

    def reversal(self):
        """Through a loop that can be undone."""
        self.gradient((self.STEPS[4],), ', schedule = "reverse"')

    def revolved(self):
        """Through a loop of which two states are kept."""
        self.gradient((self.STEPS[4],), ', schedule = "revolve", snapshots = 2')

    def gradient(self, steps=STEPS, options=None):
        """Of a number that a field and a number make."""
        f = self.real(lambda g: g.space())
        name = self.name("fn_")
        lines, v = [], "u"
        for _ in range(self.random.randint(1, 4)):
            text = self.random.choice(steps)
            made, transform = self.name("l"), self.name("l")
            if "{t}" in text:
                lines.append("let %s = fft(%s)" % (transform, v))
            dim = self.random.choice(f.dims).label
            angle = "sin(k[{0}] * spacing({0}))".format(dim)
            lines.append("let %s = %s" % (made, text.format(v=v, t=transform, d=dim, c=angle)))
            v = made
        value = self.random.choice(["mean(sin({v}))", "mean({v}^2) * b", "mean(cos({v}) * b)"]).format(v=v)
        self.say("fn %s(u, b) { %s; %s }" % (name, "; ".join(lines), value), name)
        number, needs = self.scalar()
        schedule = self.random.choice(["", "", ', schedule = "revolve", snapshots = 2', ', schedule = "reverse"'])
        if options or self.random.random() < 0.7:
            pair = self.name("g")
            self.say("let %s = grad(%s, wrt = (u, b)%s)(%s, %s)" % (pair, name, options or schedule, f.name, number), pair,
                     (name, f.name) + needs)
            number = self.name("s")
            self.say("let %s = %s[1]" % (number, pair), number, (pair,))
            self.output(number)
            self.add_scalar("{0} / (1 + abs({0}))".format(number), (number,))  # it may be large, and its sine nothing but rounding
            self.add_bounded("%s[0] * sum(1 + 0 * %s)" % (pair, f.name), f.dims, (pair, f.name))
        else:
            self.add_bounded("jvp(grad(%s))(%s, %s, tangent = cos(%s))[1] * sum(1 + 0 * %s)"
                             % (name, f.name, number, f.name, f.name), f.dims, (name, f.name) + needs)

    def table_gradient(self):
        """By a table, of what every element and a number read of it."""
        if not self.tables:
            self.tabulate()
        table = self.random.choice(self.tables)
        f = self.real()
        name = self.name("fn_")
        self.say("fn {0}(t) = mean(map q in {1} => {2}(t, sin({1}))^2) * interpolate(t, 0.3)".format(
            name, f.name, self.random.choice(["interpolate", "derivative"])), name, (f.name,))
        self.add_scalar("inner(grad(%s)(%s), %s)" % (name, table, table), (name, table))
