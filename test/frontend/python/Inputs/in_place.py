"""Arrays of the caller that programs use without a copy: the bits of a run that copies, and the memory plan."""
import numpy as np

import pmc

sim = pmc.compile("""
const n = 32
dim x = n, y = n, z = n over 1
param factor = 2.0
param steps: int in [0, 100] = 3
input f: field[x, y, z]
output g = factor * f + shift(f, x = 1)
output total = sum(f)
let s = loop v = f for i in 0 .. steps => 0.5 * v + shift(v, y = 1)
output late = s
output same = f
output twice = f + s
""", plan="estimate")
cells, field = 32**3, 4 * 32**3
random = np.random.default_rng(1)


def aligned(offset=0, dtype="f4"):
    memory = np.empty(cells * np.dtype(dtype).itemsize + 128, np.uint8)
    first = -memory.ctypes.data % 64 + offset
    return memory[first:first + cells * np.dtype(dtype).itemsize].view(dtype).reshape(32, 32, 32)


values = random.standard_normal((32, 32, 32)).astype("f4")
f = aligned()
f[:] = values
# An input of another element is copied, and so are outputs with gaps.
names = ("g", "late", "same", "twice")
spread = {name: np.zeros((32, 32, 64), "f4")[..., ::2] for name in names}
copied = sim.into(spread, f=values.astype("f8"))
most = sim._planned_bytes()
expected = {name: np.ascontiguousarray(copied[name]).tobytes() for name in names}
total = float(copied.total)
v = values
for _ in range(3):
    v = np.float32(0.5) * v + np.roll(v, 1, 1)
assert np.array_equal(copied.late, v) and np.array_equal(copied.g, 2 * values + np.roll(values, 1, 0))


def same(result):
    assert {name: np.asarray(result[name]).tobytes() for name in names} == expected
    assert float(result.total) == total and f.tobytes() == values.tobytes()


# In place are the input and the outputs g and twice. `late` is not, because `twice` overwrites it, and `same` is the input.
same(sim(f=f))
least = sim._planned_bytes()
assert most - least > 1.9 * field, (most, least)
same(sim.into({name: aligned() for name in names}, f=f))
assert sim._planned_bytes() == least
# Other addresses and strides take turns with them.
cases = [
    (aligned(4), {}), (f[::-1][::-1], {}), (np.asfortranarray(values), {}), (values[::-1].copy()[::-1], {}),
    (f, {"g": aligned(4)}), (f, {"twice": np.zeros((64, 32, 32), "f4")[::2]}), (f, {"g": aligned(), "twice": aligned(8)}),
]
for given, into in cases:
    given[...] = values
    same(sim.into(into, f=given))
    assert least <= sim._planned_bytes() <= most
    same(sim(f=f))
    assert sim._planned_bytes() == least
# Memory that is an input and an output at the same time.
for name in names:
    both = aligned()
    for target in (both, both[::-1], both[:, ::-1]):
        both[:] = values
        same(sim.into({name: target}, f=both))
shared = np.zeros(2 * cells, "f4")
first = -shared.ctypes.data % 64 // 4
part = shared[first:first + cells].reshape(32, 32, 32)
part[:] = values
half = shared[first + 1024:first + 1024 + cells].reshape(32, 32, 32)  # both are aligned
same(sim.into({"g": half}, f=part))
for target in (part, part[::-1]):
    half[:] = values
    same(sim.into({"g": target}, f=half))
# Two outputs in the same cells of an array are an error, but not in alternate ones.
for target in (half, part):
    try:
        sim.into({"g": half, "twice": target}, f=values)
        raise AssertionError("an error is expected")
    except pmc.InputError as error:
        assert "'g' and 'twice' cannot be written to the same memory" in str(error), error
pair = np.zeros((32, 32, 32, 2), "f4")
same(sim.into({"g": pair[..., 0], "twice": pair[..., 1]}, f=f))
# A program whose fields are all of the caller plans no memory.
double = pmc.compile("const n = 32\ndim x = n, y = n, z = n\ninput f: field[x, y, z]\noutput g = 2 * f\n", plan="estimate")
for given, into, planned in ((f, aligned(), 0), (f, aligned(4), field), (f, np.zeros((32, 32, 64), "f4")[..., ::2], field),
                             (aligned(4), aligned(), field), (values[::-1], aligned(), field),
                             (aligned(8), aligned(4), 2 * field), (f.astype("f8"), aligned(), field), (f, f, 2 * field)):
    if given is not f and given.base is not values:
        given[...] = values
    result = double.into({"g": into}, f=given).g
    assert np.array_equal(result, 2 * (values[::-1] if given.base is values else values)), planned
    assert 0 <= double._planned_bytes() - planned < 1024, (double._planned_bytes(), planned)
f[:] = values
# Values are checked there, too, and the next call works.
f[3, 1, 2] = np.nan
try:
    sim(f=f)
    raise AssertionError("an error is expected")
except pmc.InputError as error:
    print(error)
f[:] = values
same(sim(f=f))
print("the same bits")
