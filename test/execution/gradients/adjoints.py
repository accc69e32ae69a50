#!/usr/bin/env python3
"""A program of the adjoints of the cases of gradients.py, and of nothing else.

    adjoints.py > SPEC.pm

Outputs are the cotangents of the parameters, and of records those of their members."""
import re

import gradients


def parts(value, point):
    """The names and expressions of what makes up a cotangent of such a point."""
    if point.startswith("{"):
        return [(f"_{member}", f"{value}.{member}") for member in re.findall(r"(\w+) =", point)]
    if re.fullmatch(r"\([\d.]+ [+-] [\d.]+i\)", point):
        return [("_re", f"real({value})"), ("_im", f"imag({value})")]
    if point.startswith(("rows(", "many(")):  # tables, which are no outputs
        return [("_rows", f"map i in [t] => interpolate({value}, 0.6 * index(i, t))")]
    if point.startswith("sheet("):
        return [("_sheet", f"map i in [t] => interpolate({value}, 0.3 * index(i, t), 0.7 * index(i, t))")]
    return [("", value)]


def spec_of(names):
    lines = [gradients.HEADER, gradients.EXTRA]
    for name in names:
        params, body, point, _, cotangent, options = gradients.CASES[name]
        points = point if isinstance(point, list) else [point]
        lines.append(f"fn {name}_f({params}) = {body}")
        lines.append(f"let {name}_w = {cotangent}")
        lines.append(f"let ({name}_value, {name}_pulled) = vjp({name}_f, wrt = ({params}){options})"
                     f"({', '.join(points)}, cotangent = {name}_w)")
        lines.append(f'print "{name} {{:.17e}}", inner({name}_value, {name}_w)')
        for i, at in enumerate(points):
            pulled = f"{name}_pulled[{i}]" if len(points) > 1 else f"{name}_pulled"
            lines += [f"output {name}_by_{i}{member} = {part}" for member, part in parts(pulled, at)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(spec_of(list(gradients.CASES)), end="")
