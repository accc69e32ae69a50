"""Dense matrices over dims, and their derivatives, in expressions that do not depend on the signs and phases of vectors."""
from program import list_text


class MatrixRules:
    # Expressions that compute a number for each cell of a batch from matrices: A over mi and mj, C (complex), and T over mr and
    # mj (with more rows). The eigenvalues of A and the singular values of all three are far from each other and from 0.
    # {v} is the batch. Results are of order one, because a later step may take their sine.
    MATRIX_STEPS = (
        "mean(solve_over(A, map q in {B} => cos({v} + index(q, mi)), mi, mj)^2, over = mj)",
        "mean(solve_over(A, map q in [mi, mr] => sin(index(q, mi) + index(q, mr)), mi, mj)^2, over = (mj, mr))",
        "mean(real(solve_over(C, map q in {B} => cos({v} + index(q, mi)) + 0.3i * {v}, mi, mj)), over = mj)",
        "mean(sin(solve_lower(A, map q in {B} => {v} - index(q, mi), mi, mj)), over = mj)",
        "mean(norm2(solve_lower(C, map q in [mi] => 1 + 1i * index(q, mi), mi, mj)), over = mj)",
        "mean(sin(cholesky(A, mi, mj)), over = (mi, mj))", "mean(norm2(cholesky(C, mi, mj) - 1 - 2i), over = (mi, mj))",
        "logdet(A, mi, mj)", "logdet(C, mi, mj)", "slogdet(A, mi, mj).sign * sin({v})",
        "mean(sin(eigh_over(A, mi, mj).values), over = mj)",
        "{{ let e = eigh_over(A, mi, mj); mean(map q in A => e.vectors^2 * (1 + index(q, mi)) * sin(e.values), over = (mi, mj)) }}",
        "{{ let e = eigh_over(C, mi, mj); mean(map q in C => norm2(e.vectors) * (1 + index(q, mi)) * e.values, over = (mi, mj)) }}",
        "mean(sin(svd_over(T, mr, mj, mk).values), over = mk)",
        "{{ let e = svd_over(T, mr, mj, mk); let p = sum(e.u * e.v * cos(e.values), over = mk); mean(map q in p => sin(index(q, mr) + p), over = (mr, mj)) }}",
        "{{ let e = svd_over(T, mj, mr, mk); let p = sum(e.u * e.v, over = mk); mean((map q in p => index(q, mj) * p)^2, over = (mr, mj)) }}",
        "{{ let e = svd_over(C, mi, mj, mk); mean(norm2(sum(e.u * conj(e.v) * cos(e.values), over = mk)), over = (mi, mj)) }}",
        "mean(lstsq(T, map q in {R} => cos({v} + index(q, mr)), mr, mj)^2, over = mj)",
        "mean(sin(lstsq(T, map q in [mj] => index(q, mj) + 1, mj, mr)), over = mr)",
        "0.01 * sum(matmul(A, matmul(A, A, over = mj), over = mi), over = mj)")

    def matrix_header(self):
        if "mi" in self.program.dims:
            return
        cells = self.random.randint(1, 3)
        sides = {"mi": cells, "mj": cells, "mr": cells + self.random.randint(0, 2), "mk": cells}
        self.program.dims.update(sides)
        self.program.header.insert(0, "use linalg")
        self.program.header += ["dim %s = %d" % side for side in sides.items()]

    def matrix_lines(self, dims):
        """For a batch u, a line for each kind of matrix. Some are diagonal, so that numerators in the formulas of derivatives are exactly 0."""
        element = "0.2 * sin(u * (1 + index(q, {0})) + b * index(q, mj)) + (if index(q, {0}) == index(q, mj) then 2 + 2 * index(q, mj) else 0)"
        imag = "0.2i * cos(u * (2 + index(q, mj)) - index(q, mi))"
        if self.random.random() < 0.25:
            element = "(if index(q, {0}) == index(q, mj) then %s else 0 * u)" % element
            imag = "(if index(q, mi) == index(q, mj) then 1 else 0) * " + imag
        batch = list_text(dims)[1:-1]
        return ["let A = map q in [%s, mi, mj] => %s" % (batch, element.format("mi")),
                "let C = map q in A => A + %s" % imag,
                "let T = map q in [%s, mr, mj] => %s" % (batch, element.format("mr"))]

    # One step of each op. The program whose first rule is this one has them all, because few programs have matrices.
    EACH_OP = (MATRIX_STEPS[0], MATRIX_STEPS[3], MATRIX_STEPS[5], MATRIX_STEPS[7], MATRIX_STEPS[10], MATRIX_STEPS[13], MATRIX_STEPS[17])

    def matrix(self):
        """Derivatives of a random kind, through one step or two."""
        isFirst = "mi" not in self.program.dims
        self.matrix_header()
        if isFirst and self.RULES[self.program.seed % len(self.RULES)] == "matrix":
            for text in self.EACH_OP:
                self.matrix_steps([text])
        else:
            self.matrix_steps(self.random.choice(self.MATRIX_STEPS) for _ in range(self.random.randint(1, 2)))

    def matrix_steps(self, texts):
        f = self.generic(self.some_dims())
        lines, v = [], "u"
        for text in texts:
            steps, name = self.matrix_lines(f.dims), self.name("fn_")
            matrices = [line for line in steps if "(%s," % line[4] in text or (line[4] == "A" and "(C," in text)]
            over = lambda dim: "[%s, %s]" % (list_text(f.dims)[1:-1], dim)
            self.say("fn %s(u, b) { %s; %s }" % (name, "; ".join(matrices), text.format(v="u", B=over("mi"), R=over("mr"))), name)
            made = self.name("l")
            lines.append("let %s = %s(%s, b)" % (made, name, v))
            v = made
        self.derive(f, lines, v)
