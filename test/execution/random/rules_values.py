"""Rules about parameters, inputs and tables."""
from program import list_text


class ValueRules:
    """Each method adds a statement or two."""

    def param(self):
        name = self.name("q")
        kind, value, use = self.random.choice([("", "0.7", "{0}"), (": int", "3", "0.5 * {0}"), (": u64", "5", "0.1 * {0}"),
                                               (": bool", "true", "(if {0} then 0.25 else 4.0)")])
        self.say("param %s%s = %s" % (name, kind, value), name)
        given = {"": "-1.25", ": int": "-2", ": u64": "4", ": bool": "false"}[kind]
        if self.random.random() < 0.5:
            self.program.flags.append("--%s=%s" % (name, given))
        self.add_scalar("(if given({0}) then 2.0 else 3.0) * {1}".format(name, use.format(name)), (name,))

    def input_field(self):
        dims = self.some_dims(refined=0)
        name = self.name("i")
        needed = self.random.random() < 0.4
        self.say("input %s: field%s%s" % (name, list_text(dims), "" if needed else " optional"), name)
        other = self.over(dims)
        if needed or self.random.random() < 0.6:
            self.program.inputs[name] = tuple(self.program.dims[d.label] for d in dims)
        self.add_field("%s + %s" % (name, other.name) if needed else
                       "if given({0}) then {0} else {1}".format(name, other.name), dims, (name, other.name))

    def input_table(self):
        name = self.name("i")
        columns = self.random.choice(["", "(u in percent, v)", "(u in percent, v in deg)"])
        self.say("input %s: table%s optional" % (name, columns), name)
        if self.random.random() < 0.6:
            self.program.inputs[name] = None
        self.add_table("if given({0}) then {0} else tabulate(u => u^2 / 10, from = -5, to = 5, points = 9)".format(name),
                       (name,))

    def add_table(self, text, needs):
        name = self.name("t")
        self.say("let %s = %s" % (name, text), name, needs)
        self.tables.append(name)
        return name

    def tabulate(self):
        number, needs = self.scalar()
        self.add_table("tabulate(u => sin(u) + %s * u / 5, from = -%d, to = 4, points = %d)" % (
            number, self.random.randint(3, 6), self.random.randint(2, 40)), needs)
        self.interpolate()

    def transform(self):
        if not self.tables:
            self.tabulate()
        table = self.random.choice(self.tables)
        self.add_table("transform(%s, (u, v) => (u + 0.3 * sin(u), cos(v) + 0.1 * u))" % table, (table,))
        self.interpolate()

    def interpolate(self):
        if not self.tables:
            self.tabulate()
        table = self.random.choice(self.tables)
        if self.random.random() < 0.3:
            f = self.generic(self.some_dims())
            self.add_field("map q in {0} => derivative({1}, {0})".format(f.name, table), f.dims, (f.name, table))
        elif self.random.random() < 0.5:
            f = self.real()
            text = self.random.choice(['interpolate({1}, sin({0}))', 'interpolate({1}, sin({0}), method = "cubic")',
                                       'interpolate(grid_{1}, cos({0}), sin({0}))', 'interpolate(grid_{1}, 0.3 * {0}, 1.2, method = "cubic")'])
            if "grid_" in text and table not in self.grids:
                self.grids.add(table)
                self.say("let grid_{0} = tabulate((u, w) => interpolate({0}, u) * w + cos(u), from = (-2, 0), to = (3, 2), points = ({1}, 3))".format(
                    table, self.random.randint(2, 7)), "grid_" + table, (table,))
            self.add_field(("map q in {0} => " + text).format(f.name, table), f.dims,
                           (f.name, "grid_" + table if "grid_" in text else table), transforms=f.transforms)
        else:
            number, needs = self.scalar()
            self.add_scalar("interpolate(%s, %s)" % (table, number), (table,) + needs)
