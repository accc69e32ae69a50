"""Calls of XLA's handler for GPUs, on a simulated GPU, with call frames as XLA makes them. argv: the folder of specs."""
import ctypes
import json
import sys

import numpy as np

import pmc
from gpu_arrays import Array, check, driver
from pmc import _abi

folder = sys.argv[1]
Pointer, Size, I32, I64 = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int32, ctypes.c_int64


def struct(name, *members):
    return type(name, (ctypes.Structure,), {"_fields_": [("size", Size), ("extensions", Pointer), *members]})


Version = struct("Version", ("major", I32), ("minor", I32))
NewError = struct("NewError", ("message", ctypes.c_char_p), ("code", I32))
StreamRequest = struct("StreamRequest", ("context", Pointer), ("stream", Pointer))
CreateError = ctypes.CFUNCTYPE(Pointer, ctypes.POINTER(NewError))
GetStream = ctypes.CFUNCTYPE(Pointer, ctypes.POINTER(StreamRequest))
Api = struct("Api", ("version", Version), ("internal", Pointer), ("create_error", CreateError), ("others", Pointer * 3),
             ("get_stream", GetStream))
Buffer = struct("Buffer", ("type", I32), ("data", Pointer), ("rank", I64), ("dims", ctypes.POINTER(I64)))
Buffers = struct("Buffers", ("count", I64), ("kinds", ctypes.POINTER(I32)), ("values", ctypes.POINTER(Pointer)))
Attributes = struct("Attributes", ("count", I64), ("kinds", ctypes.POINTER(I32)), ("names", ctypes.POINTER(Pointer)),
                    ("values", ctypes.POINTER(Pointer)))
Frame = struct("Frame", ("api", ctypes.POINTER(Api)), ("context", Pointer), ("stage", I32), ("arguments", Buffers),
               ("results", Buffers), ("attributes", Attributes))


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("length", Size)]


types = {"f4": 11, "f8": 12, "c8": 15, "i4": 4, "i8": 5}
context = 0xC0FFEE
current = {"stream": None, "error": None}


@CreateError
def create_error(request):
    current["error"] = request.contents.code, request.contents.message.decode()
    return 1


@GetStream
def get_stream(request):
    assert request.contents.context == context
    request.contents.stream = current["stream"]
    return None


api = Api(size=ctypes.sizeof(Api), create_error=create_error, get_stream=get_stream)


def buffers(arrays, kept):
    made = []
    for array in arrays:
        dims = (I64 * max(1, len(array.shape)))(*array.shape)
        data = array.address.value if isinstance(array, Array) else array.ctypes.data
        made.append(Buffer(ctypes.sizeof(Buffer), None, types[array.dtype.str[1:]], data, len(array.shape), dims))
    values = (Pointer * len(made))(*(ctypes.addressof(one) for one in made))
    kinds = (I32 * len(made))(*([1] * len(made)))
    kept += [made, values, kinds]
    return Buffers(ctypes.sizeof(Buffers), None, len(made), kinds, values)


def call(program, arguments, results, values=None, stream=None, handler="pmrt_xla_handler_gpu"):
    """The error of the handler, if it returns one."""
    text = json.dumps({"program": str(program.path.resolve()), "options": [], "arguments": list(arguments),
                       "results": list(results), "values": values or {}}).encode()
    kept = []
    name, value = Text(b"call", 4), Text(text, len(text))
    attributes = Attributes(ctypes.sizeof(Attributes), None, 1, (I32 * 1)(4), (Pointer * 1)(ctypes.addressof(name)),
                            (Pointer * 1)(ctypes.addressof(value)))
    frame = Frame(ctypes.sizeof(Frame), None, ctypes.pointer(api), context, 3, buffers(arguments.values(), kept),
                  buffers(results.values(), kept), attributes)
    current.update(stream=stream, error=None)
    if not getattr(_abi.runtime(), handler)(ctypes.addressof(frame)):
        return None
    return current["error"]


sim = pmc.compile(f"{folder}/run.pm", n=16, flags=["--target=cuda", "--emulate-gpu"])
host = pmc.compile(f"{folder}/run.pm", n=16)
sim.quiet = host.quiet = True
noise = np.random.default_rng(1).standard_normal((16, 16, 16)).astype("f4")
expected = sim(noise=noise, factor=0.5)

cuda_context = Pointer()
check(driver.cuDevicePrimaryCtxRetain(ctypes.byref(cuda_context), 0))
check(driver.cuCtxSetCurrent(cuda_context))

# Fields remain on the GPU. Numbers are read on the host, and results of another precision are converted there.
for kind, number in (("f8", "f8"), ("f4", "f4")):
    results = {"scaled": Array((16, 16, 16), "f4"), "modes": Array((16, 16, 9), "c8"), "total": Array((), number)}
    assert call(sim, {"noise": Array.of(noise), "factor": Array.of(np.array(0.5, kind))}, results) is None, current
    assert results["scaled"].get().tobytes() == np.asarray(expected.scaled).tobytes()
    assert results["modes"].get().tobytes() == np.asarray(expected.modes).tobytes()
    assert results["total"].get() == np.asarray(expected.total).astype(number)
# An input of another precision is converted on the host.
result = {"scaled": Array((16, 16, 16), "f4")}
assert call(sim, {"noise": Array.of(noise.astype("f8"))}, result, {"factor": "0.5"}) is None, current
assert result["scaled"].get().tobytes() == np.asarray(expected.scaled).tobytes()
print("buffers on the GPU")

# Leading dimensions, of which those of extent 1 are repeated.
result = {"scaled": Array((3, 16, 16, 16), "f4"), "total": Array((3,), "f4")}
factors = np.array([0.5, 1, 2], "f4")
assert call(sim, {"noise": Array.of(noise[None]), "factor": Array.of(factors)}, result) is None, current
for i, factor in enumerate(factors):
    one = sim(noise=noise, factor=float(factor))
    assert result["scaled"].get()[i].tobytes() == np.asarray(one.scaled).tobytes()
    assert result["total"].get()[i] == np.float32(one.total)
print("batches")

# A thread without a context.
factor, result = Array.of(np.array(0.5)), {"scaled": Array((16, 16, 16), "f4")}
there = Array.of(noise)
check(driver.cuCtxSetCurrent(None))
assert call(sim, {"noise": there, "factor": factor}, result) is None, current
check(driver.cuCtxSetCurrent(cuda_context))
assert result["scaled"].get().tobytes() == np.asarray(expected.scaled).tobytes()

# The simulated GPU does no work of a stream before a call waits for it.
stream = Pointer()
check(driver.cuStreamCreate(ctypes.byref(stream), 1))
late = Array.of(noise, stream)
factor = Array.of(np.array(0.5, "f4"), stream)
result = {"scaled": Array((16, 16, 16), "f4"), "total": Array((), "f4")}
assert call(sim, {"noise": late, "factor": factor}, result, stream=stream.value) is None, current
assert result["scaled"].get().tobytes() == np.asarray(expected.scaled).tobytes()
print("the stream of XLA")

result = {"scaled": Array((16, 16, 16), "f4")}
code, text = call(host, {"noise": Array.of(noise)}, result)
assert code == 3 and "run is for CPUs, but the arrays are on a GPU; compile it with --target=cuda" in text, text
code, text = call(sim, {"noise": Array.of(noise[:8])}, result)
assert code == 3 and "input 'noise' has shape 8x16x16" in text, text
# A program for GPUs may also be called with arrays on the host.
on_host = {"scaled": np.empty((16, 16, 16), "f4")}
assert call(sim, {"noise": noise}, on_host, {"factor": "0.5"}, handler="pmrt_xla_handler") is None, current
assert on_host["scaled"].tobytes() == np.asarray(expected.scaled).tobytes()
print("errors")
