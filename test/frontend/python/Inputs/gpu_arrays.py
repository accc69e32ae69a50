"""Arrays in the memory of the simulated GPU."""
import ctypes

import numpy as np

driver = ctypes.CDLL("libcuda.so.1")
U64 = ctypes.c_uint64


def check(error):
    assert error == 0, error


class Array:
    """An array in the memory of the GPU, as other packages offer it."""

    def __init__(self, shape, dtype, stream=None):
        self.shape, self.dtype, self.stream = tuple(shape), np.dtype(dtype), stream
        self.nbytes = int(np.prod(self.shape)) * self.dtype.itemsize
        self.address = U64()
        check(driver.cuMemAlloc_v2(ctypes.byref(self.address), ctypes.c_size_t(self.nbytes)))
        self.strides = None

    @classmethod
    def of(cls, array, stream=None):
        made = cls(array.shape, array.dtype, stream)
        made.host = np.ascontiguousarray(array)  # until the copy is done
        check(driver.cuMemcpyHtoDAsync_v2(made.address, made.host.ctypes.data_as(ctypes.c_void_p),
                                          ctypes.c_size_t(made.nbytes), stream))
        if stream is None:
            check(driver.cuStreamSynchronize(None))
        return made

    def transposed(self):
        """The same memory with the axes in reverse order."""
        view = object.__new__(Array)
        view.__dict__.update(self.__dict__)
        steps = np.array([1, *np.cumprod(self.shape[:0:-1])])[::-1] * self.dtype.itemsize
        view.shape, view.strides = self.shape[::-1], tuple(int(step) for step in steps[::-1])
        return view

    def get(self):
        array = np.empty(self.shape, self.dtype)
        check(driver.cuMemcpyDtoHAsync_v2(array.ctypes.data_as(ctypes.c_void_p), self.address,
                                          ctypes.c_size_t(self.nbytes), None))
        check(driver.cuStreamSynchronize(None))
        return array

    @property
    def __cuda_array_interface__(self):
        facts = {"shape": self.shape, "typestr": self.dtype.str, "data": (self.address.value, False), "version": 3,
                 "strides": self.strides}
        if self.stream is not None:
            facts["stream"] = self.stream.value
        return facts
