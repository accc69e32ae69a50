"""Rules about units: outputs and prints in asked units, and inputs that have units."""
from program import list_text


class UnitRules:
    """Each method adds a statement or two. All rules hold for programs with any working units."""

    #: A quantity, and units of its kind to ask for.
    QUANTITIES = (("3 um", ("mm", "nm", "um")), ("0.2 m/s", ("um/s", "nm/ms", "mm/s")), ("5 ms", ("s", "us")),
                  ("0.7 mm^2/s", ("um^2/ms", "m^2/s")), ("40 K", ("K",)), ("2 N", ("N", "kg*m/s^2")), ("12 h/Mpc", ("h/kpc",)))

    def quantity(self):
        one, units = self.random.choice(self.QUANTITIES)
        return one, self.random.choice(units)

    def asked_output(self):
        """A field with a unit: as an output, as a column, and in a text."""
        f = self.real()
        one, unit = self.quantity()
        made = self.name("w")
        self.say("let %s = %s * tanh(%s)" % (made, one, f.name), made, (f.name,))
        needs = (made, f.name)
        if self.random.random() < 0.5:
            self.say("output o_{0} in {1}".format(made, unit) + " = " + made, needs=needs)
        else:
            self.say("output o_{0} (a in {1}, b, c) = ({0}, {0}, {2})".format(made, unit, f.name), needs=needs)
        self.say('print "{{}} {{}} {{:.9e}}", max({0}), max({0}) in {1}, max({0}^2) in {2}'.format(
            made, unit, "(%s)^2" % unit), needs=needs)
        self.add_field("%s / (%s) - %s" % (made, one, f.name), f.dims, needs, transforms=f.transforms)

    def input_with_unit(self):
        """A field of a file, in a unit of its own, perhaps beside one that is computed."""
        dims = self.some_dims(refined=0)
        one, unit = self.quantity()
        name, other = self.name("i"), self.over(dims)
        optional = self.random.random() < 0.5
        self.say("input %s: field%s in %s%s" % (name, list_text(dims), unit, " optional" if optional else ""), name)
        if not optional or self.random.random() < 0.6:
            self.program.inputs[name] = tuple(self.program.dims[d.label] for d in dims)
        value = self.name("v")
        own = "1 %s * %s" % (unit, other.name)
        self.say("let {0} = {1}".format(value, "if given({0}) then {0} else {1}".format(name, own) if optional else
                                        "%s + %s" % (name, own)), value, (name, other.name))
        self.say("output o_{0} in {1} = {0}".format(value, unit), needs=(value,))
        self.add_field("tanh({0} / (1 {1})) + {2}".format(value, unit, other.name), dims, (value, other.name))

    def input_columns(self):
        """A table of a file with units of both columns."""
        (_, x), (_, y) = self.quantity(), self.quantity()
        name, f = self.name("i"), self.real()
        self.say("input %s: table(p in %s, q in %s)" % (name, x, y), name)
        self.program.inputs[name] = None
        method = self.random.choice(["", ', method = "cubic"'])
        self.add_field("(map e in {0} => interpolate({1}, 1 {2} * sin({0}){4})) / (1 {3})".format(f.name, name, x, y, method),
                       f.dims, (name, f.name), transforms=f.transforms)

    def length_in_unit(self):
        """Lengths of the dims, in working units and others."""
        if self.unit_of_length not in ("um", "Mpc/h"):
            return self.asked_output()
        d = self.random.choice([label for label in self.labels if label != "t"])
        unit = {"um": "mm", "Mpc/h": "kpc/h"}[self.unit_of_length]
        name = self.name("l")
        self.say("let {0} = map e in [{1}] => e[{1}] + spacing({1})".format(name, d), name)
        self.say("output o_{0} in {1} = {0}".format(name, unit), needs=(name,))
        self.say('print "{{}} {{}}", length({0}), spacing({0}) in {1}'.format(d, unit))
        return self.add_scalar("max(%s) / length(%s)" % (name, d), (name,))
