"""What verifiers accept, for every value up to beyond the limits: the offsets of ops that read at indices, by each edge, and the results of
reductions. Each case is a module of its own; the expectation counts the cells that are read."""

import re
import subprocess
import sys

tool, path = sys.argv[1:]
CELLS = 5
EDGES = ("periodic", "zero", "clamp", "reflect")


def reflects(low, high):
    """Whether one reflection brings every index from `low` to `high` to a cell."""
    return all(0 <= (-i if i < 0 else 2 * (CELLS - 1) - i if i >= CELLS else i) < CELLS for i in (low, high))


def shift(offset, edge):
    body = f"%r = pm.shift %f[{offset} {edge}] : !f"
    return body, edge != "reflect" or reflects(offset, offset + CELLS - 1)


def neighbor(offset, edge):
    body = f"""%r = pm.map [x={CELLS}] {{
    %e = pm.neighbor %f[{offset} {edge}] : !f -> f32
    pm.yield %e : f32
  }} -> !f"""
    return body, abs(offset) <= CELLS and (edge != "reflect" or reflects(offset, offset + CELLS - 1))


def view(offset, edge, step=1, readers=3):
    body = f"%r = pm.view %f[{offset} {edge}] {{terms = [array<i64: 0, {step}>]}} : !f -> !pm.field<[p={readers}], f32>"
    return body, edge != "reflect" or reflects(offset, offset + step * (readers - 1))


def convolve(offset, edge):
    body = (f"%r = pm.convolve %f[{offset} {edge}], %w {{divisors = array<i64: 1>, terms = [array<i64: 1, 1, 0, 1>]}}"
            " : !f, !pm.field<[t=3], f32> -> !pm.field<[x=3], f32>")
    return body, edge != "reflect" or reflects(offset, offset + 4)


def cases():
    """The body of a function of a field %f of CELLS cells and weights %w, and whether it is accepted."""
    offsets = range(-3 * CELLS, 3 * CELLS + 1)
    for edge in EDGES:
        for offset in offsets:
            for make in (shift, neighbor, view, convolve):
                yield make(offset, edge)
            yield view(offset, edge, 2, 2)
    # A reduction has numbers, fields or outs, and one kind of these.
    for kinds in range(8):
        has_numbers, has_fields, has_outs = (kinds >> bit & 1 for bit in range(3))
        count = has_numbers + has_fields + has_outs
        # An op whose type cannot be written, or without a result, is a mistake of another kind.
        if count == 0 or (has_fields and has_outs):
            continue
        results = ["%s"] * has_numbers + ["%r"] * has_fields
        body = ((", ".join(results) + " = " if results else "") + f"pm.reduce sum [x={CELLS}, y=2] ins(%g : !g)" +
                (" outs(%b : !b)" if has_outs else "") +
                " {\n  ^bb0(%e: f32):\n    pm.yield " + ", ".join(["%e"] * count) + " : " + ", ".join(["f32"] * count) + "\n  }" +
                (" scalars f64" if has_numbers else "") + (" -> !f" if has_fields else ""))
        yield body, count == 1


def main():
    all_cases = list(cases())
    lines, begins = [], []
    for body, _ in all_cases:
        begins.append(len(lines) + 1)
        lines += [f"!f = !pm.field<[x={CELLS}], f32>", f"!g = !pm.field<[x={CELLS}, y=2], f32>", f"!b = !pm.buffer<[x={CELLS}], f32>",
                  "func.func @case(%f: !f, %g: !g, %b: !b, %w: !pm.field<[t=3], f32>) {", *("  " + body).split("\n"), "  return", "}",
                  "// -----"]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    done = subprocess.run([tool, "--split-input-file", "-o", "/dev/null", path], capture_output=True, text=True)
    refused = {}
    for line, message in re.findall(r":(\d+):\d+: error: (.*)", done.stderr):
        refused[max(i for i, begin in enumerate(begins) if begin <= int(line))] = message
    wrong = [(body, accepted, refused.get(i, "no error")) for i, (body, accepted) in enumerate(all_cases) if accepted == (i in refused)]
    odd = [(all_cases[i][0], message) for i, message in refused.items()
           if not re.search(r"offset|with 'reflect'|both scalar and field", message)]
    for case in wrong + odd:
        print(*case, sep="\n  ")
    if not refused or len(refused) == len(all_cases):
        print("expected some cases to be refused, and not all of them")
    print(f"{len(all_cases)} cases, {len(refused)} refused")
    return bool(wrong or odd or not refused or len(refused) == len(all_cases))


if __name__ == "__main__":
    sys.exit(main())
