"""Rules about particles."""
from program import Dim, list_text


class ParticleRules:
    """Each method adds a statement or two, or what they share."""

    def lattice(self, most=3):
        dims = self.some_dims(refined=0)[:most]
        return tuple(d for d in dims if d.label != "t") or (Dim([l for l in self.labels if l != "t"][0]),)

    def window(self, smooth):
        names = ["cic", "tsc", "pcs"] if smooth else ["ngp", "cic", "tsc", "pcs"]
        given = ["{support = 5, weight = u => cos(pi * u / 5)^2}", "{support = 2, weight = u => (1 - u^2)^2}",
                 "{support = 8, weight = u => exp(-u^2 / 3) * cos(pi * u / 8)}"]
        return self.random.choice(['"%s"' % name for name in names] * 3 + given)

    def displacements(self, lattice):
        """A vector of displacements: so small that nothing leaves its cell, within
        a cell, wider than a shard, wider than the box; and whether the windows
        may have steps there."""
        smooth = self.random.random() < 0.4
        parts, needs = [], []
        for dim in lattice:
            if smooth:
                f = self.over(lattice)
                scale = self.random.choice([0.4, 2.5, 9])
                parts.append("%g * spacing(%s) * sin(%s)" % (scale, dim.label, f.name))
            else:
                f = self.generic(lattice)
                scale = self.random.choice([0.02, 0.3, 3, 20, 1000])
                parts.append("%g * spacing(%s) * %s" % (scale, dim.label, f.name))
            needs.append(f.name)
        name = self.name("d")
        if len(parts) == 1:
            self.say("let {0} = for d in dims({1}) => {2}".format(name, needs[0], parts[0]), name, needs)
        else:
            self.say("let %s = (%s)" % (name, ", ".join(parts)), name, needs)
        return name, smooth

    def finer(self, lattice):
        if self.random.random() < 0.6:
            return lattice
        return tuple(Dim(d.label, self.random.choice([1, 2, 2])) for d in lattice)

    def weight(self, name):
        """It alone, beside another one, of some particles only."""
        return [", weight = {0})", ", weight = (1 + {0}, {0}))[1]", ", weight = {0}, where = {0} > 0)"][int(name[1:]) % 3].format(name)

    def paint(self):
        lattice = self.lattice()
        displacements, smooth = self.displacements(lattice)
        mesh = self.finer(lattice)
        weight, needs = ")", ()
        if self.random.random() < 0.5:
            f = self.over(lattice)
            weight, needs = self.weight(f.name), (f.name,)
        self.add_field('paint%s(%s, window = %s%s' % (
            "" if mesh == lattice and self.random.random() < 0.5 else list_text(mesh), displacements,
            self.window(smooth), weight), mesh, (displacements,) + needs)

    def readout(self):
        lattice = self.lattice()
        displacements, smooth = self.displacements(lattice)
        mesh = self.finer(lattice)
        window = self.window(smooth)
        if self.random.random() < 0.5:
            f = self.over(mesh)
            self.add_field('readout(%s, %s, window = %s)' % (f.name, displacements, window), lattice,
                           (f.name, displacements))
            return
        f, g, pair = self.over(mesh), self.noise(mesh), self.name("r")
        some = ", where = %s[0] > 0.123 * spacing(%s)" % (displacements, lattice[0].label) if int(pair[1:]) % 2 else ""
        self.say('let %s = readout((%s, %s), %s, window = %s%s)' % (pair, f.name, g.name, displacements, window, some), pair,
                 (f.name, g.name, displacements))
        for place in range(2):
            self.add_field("%s[%d]" % (pair, place), lattice, (pair,))

    def readout_complex(self):
        lattice = self.lattice()
        displacements, smooth = self.displacements(lattice)
        mesh = self.finer(lattice)
        f, g = self.over(mesh), self.noise(mesh)
        self.add_field('readout(%s + 1i * %s, %s, window = %s)' % (f.name, g.name, displacements, self.window(smooth)), lattice,
                       (f.name, g.name, displacements), complex=True)

    def force(self):
        """Painted, differentiated, and read where it was painted, as in a step of an
        N-body program: one displacement bound serves both."""
        lattice = self.lattice()
        displacements, smooth = self.displacements(lattice)
        mesh, window = self.finer(lattice), self.window(smooth)
        density, spectrum, pair = self.name("f"), self.name("f"), self.name("r")
        self.say('let %s = paint%s(%s, window = %s)' % (density, list_text(mesh), displacements, window), density,
                 (displacements,))
        self.say("let %s = fft(%s)" % (spectrum, density), spectrum, (density,))
        parts = ["ifft(map k in {f} => 1i * sin(k[{d}] * spacing({d})) * {f} / 3)".format(f=spectrum, d=d.label)
                 for d in (mesh[0], mesh[-1])]
        self.say('let %s = readout((%s), %s, window = %s)' % (pair, ", ".join(parts), displacements, window), pair,
                 (spectrum, displacements))
        for place in range(2):
            self.add_field("%s[%d]" % (pair, place), lattice, (pair,))

    def positions(self, mesh):
        """Positions over any dims, in the box of a mesh and far out of it."""
        particles = self.some_dims(refined=0)
        parts, needs = [], []
        for dim in mesh:
            f = self.generic(particles)
            parts.append("%g * length(%s) * %s" % (self.random.choice([0.1, 1, 5]), dim.label, f.name))
            needs.append(f.name)
        name = self.name("d")
        if len(parts) == 1:  # a vector of one: made over the dims of a field of one
            needs.append(self.over([Dim(mesh[0].label)]).name)
            parts = ["for d in dims(%s) => %s" % (needs[-1], parts[0])]
        self.say("let %s = %s" % (name, parts[0] if len(parts) == 1 else "(%s)" % ", ".join(parts)), name, needs)
        return particles, name

    def paint_at(self):
        mesh = self.finer(self.lattice())
        particles, positions = self.positions(mesh)
        weight, needs = ")", ()
        if self.random.random() < 0.5:
            f = self.over(particles)
            weight, needs = self.weight(f.name), (f.name,)
        self.add_field('paint_at%s(%s, window = %s%s' % (list_text(mesh), positions, self.window(False), weight),
                       mesh, (positions,) + needs)

    def readout_at(self):
        mesh = self.finer(self.lattice())
        particles, positions = self.positions(mesh)
        f = self.over(mesh)
        self.add_field('readout_at(%s, %s, window = %s)' % (f.name, positions, self.window(False)), particles,
                       (f.name, positions))

    def at_rest(self):
        """Particles on nodes, where the windows have their corners, and half way between."""
        lattice = self.lattice()
        f, mesh = self.over(lattice), self.finer(lattice)
        place = self.random.choice(["0", "0", "0.5", "-1", "1.25"])
        parts = ["%s * spacing(%s) + 0 * length(%s) * %s" % (place, d.label, d.label, f.name) for d in lattice]
        name, window = self.name("d"), '"%s"' % self.random.choice(["cic", "tsc", "pcs"] + ["ngp"] * ("5" not in place))
        if len(parts) == 1:
            self.say("let {0} = for d in dims({1}) => {2}".format(name, f.name, parts[0]), name, (f.name,))
        else:
            self.say("let %s = (%s)" % (name, ", ".join(parts)), name, (f.name,))
        if self.random.random() < 0.5:
            self.add_field('paint%s(%s, window = %s, weight = %s)' % (list_text(mesh), name, window, f.name), mesh,
                           (name, f.name))
        else:
            g = self.over(mesh)
            self.add_field('readout(%s, %s, window = %s)' % (g.name, name, window), lattice, (g.name, name))

    def force_gradient(self):
        """By displacements and weights, of a paint and a readout. On a node "cic" has
        the slope to its right."""
        lattice = self.lattice()
        if len(lattice) < 2:
            return self.at_rest()
        f, mesh = self.generic(lattice), self.finer(lattice)
        name, window = self.name("fn_"), self.random.choice(["cic", "tsc", "pcs"])
        scale = self.random.choice([0, 0, 0.3, 3, 30] if window == "cic" else [0, 0.3, 3, 30])
        vector = "(%s)" % ", ".join("%g * spacing(%s) * u" % (scale, d.label) for d in lattice)
        if scale == 0:
            vector = "(%s)" % ", ".join("spacing(%s) * (u - %s)" % (d.label, f.name) for d in lattice)
        text = self.random.choice(["mean(paint{m}(p, window = \"{w}\", weight = 1 + b * u)^2)",
                                   "mean(readout(sin(map q in {m} => index(q, {d}) + 0.0), p, window = \"{w}\")^2) * b",
                                   "mean(sin(readout(paint{m}(p, window = \"{w}\"), p, window = \"{w}\") * b))"])
        self.say("fn %s(u, b) { let p = %s; %s }" % (name, vector, text.format(m=list_text(mesh), w=window, d=mesh[0].label)),
                 name, (f.name,) if scale == 0 else ())
        number, needs = self.scalar()
        if self.random.random() < 0.7 or window == "cic":
            pair = self.name("g")
            self.say("let %s = grad(%s, wrt = (u, b))(%s, %s)" % (pair, name, f.name, number), pair, (name, f.name) + needs)
            self.add_scalar("%s[1]" % pair, (pair,))
            self.add_bounded("%s[0] * sum(1 + 0 * %s)" % (pair, f.name), lattice, (pair, f.name))
        else:
            self.add_bounded("jvp(grad(%s))(%s, %s, tangent = cos(%s))[1] * sum(1 + 0 * %s)" % (
                name, f.name, number, f.name, f.name), lattice, (name, f.name) + needs)
