"""Rules about complex fields and transforms."""
from program import Dim, tuple_text


class SpectrumRules:
    """Each method adds a statement or two."""

    def complex_field(self):
        f = self.real(lambda g: g.space())
        g = self.over(f.dims)
        self.add_field(self.random.choice(["{f} + 1i * {g}", "exp(1i * {f})", "({f} - 2i) * {g} / (1 + abs({f} + 1i))",
                                           "({f} + 1i)^2 * {g}"]).format(f=f.name, g=g.name),
                       f.dims, (f.name, g.name), complex=True)

    def fft(self):
        f = self.pick(lambda g: g.complex and not all(d.dual for d in g.dims) or
                      not g.complex and g.space())
        plain = [d for d in f.dims if not d.dual]
        over = plain if self.random.random() < 0.5 else self.random.sample(plain, self.random.randint(1, len(plain)))
        labels = [d.label for d in over]
        self.random.shuffle(labels)
        every = len(over) == len(f.dims) and self.random.random() < 0.7
        dims = [Dim(d.label, d.finer, d.dual or d in over) for d in f.dims]
        self.add_field("fft(%s%s)" % (f.name, "" if every else ", over = %s" % tuple_text(labels)), dims, (f.name,),
                       complex=True, transforms=f.transforms + ((tuple(labels), f.complex),))

    def spectrum(self):
        """A spectrum to work with; makes one where there is none."""
        if not any(f.transforms and f.complex for f in self.fields):
            self.fft()
        return self.random.choice([f for f in self.fields if f.transforms and f.complex])

    def kernel(self):
        f = self.spectrum()
        duals = [d.label for d in f.dims if d.dual]
        size = " + ".join("(k[{0}] * spacing({0}))^2".format(label) for label in duals)
        number, needs = self.scalar()
        d = self.random.choice(duals)
        text = self.random.choice([
            "map k in {f} => exp(-0.3 * ({r})) * {f}", "map k in {f} => if {r} == 0 then 0 else {f} / ({r})",
            "map k in {f} => 1i * k[{d}] * spacing({d}) * {f}", "{s} * {f}", "2 * {f}",
            "map k in {f} => (1 + cos(index(k, {d}))) * {f}"])
        self.add_field(text.format(f=f.name, r=size, d=d, s=number), f.dims, (f.name,) + needs, complex=True,
                       transforms=f.transforms)

    def parts(self):
        f = self.pick(lambda g: g.complex)
        if not f.complex:
            f = self.spectrum()
        self.add_field(self.random.choice(["norm2({0})", "real({0})", "imag({0})", "abs({0})",
                                           "arg(2 + {0} / (1 + abs({0})))", "real(conj({0}) * {0})"]).format(f.name),
                       f.dims, (f.name,), transforms=f.transforms)

    def spectra(self):
        """A spectrum and one of some of its dims, which may be split in another way."""
        dims = self.some_dims(2, refined=0)
        some = dims[:-1] or dims
        f, g = self.generic(dims), self.generic(some)
        left, right = self.name("f"), self.name("f")
        self.say("let %s = fft(exp(1i * %s))" % (left, f.name), left, (f.name,))
        self.say("let %s = fft(exp(2i * %s))" % (right, g.name), right, (g.name,))
        self.add_field("%s * %s * 9" % (left, right), [Dim(d.label, 1, True) for d in dims], (left, right), complex=True,
                       transforms=((tuple(d.label for d in dims), True),))

    def modes(self):
        f = self.spectrum()
        self.add_scalar(self.random.choice(["sum(norm2(%s))", "mean(norm2(%s))", "max(abs(%s))", "sum(real(%s))"]) %
                        f.name, (f.name,))

    def ifft(self):
        f = self.spectrum()
        labels, was_complex = f.transforms[-1]
        dims = [Dim(d.label, d.finer, d.dual and d.label not in labels) for d in f.dims]
        every = len(labels) == len(f.dims) and self.random.random() < 0.7
        self.add_field("ifft(%s%s)" % (f.name, "" if every else ", over = %s" % tuple_text(labels)), dims, (f.name,),
                       complex=was_complex, transforms=f.transforms[:-1])
