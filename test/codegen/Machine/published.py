"""Checks the errors of `pmc machine predict` on published timings: published.py PMC."""
import importlib.machinery
import importlib.util
import os
import pathlib
import sys

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = True
_loader = importlib.machinery.SourceFileLoader("model", str(ROOT / "test/bench/model"))
model = importlib.util.module_from_spec(importlib.util.spec_from_loader("model", _loader))
_loader.exec_module(model)

reference = pathlib.Path(os.environ.get("PMC_REFERENCE") or ROOT.parent / "shared/reference") / "scaling"
rest = [row for row in model.read(reference) if not model.is_fitted(row)]
times = model.predict(sys.argv[1], rest, [model.Files().texts])[0]
errors = model.error(rest, times)
print(f"not fitted: {len(rest)} rows, median error {100 * numpy.median(errors):.1f} %")
for part, limit in (((), 10), (("file",), 15), (("name", "gpus"), 15)):
    for values, rows in model.groups(rest, *part).items():
        median = 100 * numpy.median(errors[rows])
        if median > limit:
            sys.exit(f"median error {median:.1f} % of {len(rows)} rows {values}: at most {limit} % is asked")
losses = model.losses(rest, times)
good = numpy.mean(losses <= 0.05)
print(f"picks within 5 % of the best measured: {100 * good:.0f} % of {len(losses)}")
if good < 0.9:
    sys.exit("too few picks are good")
