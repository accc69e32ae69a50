"""Writes ISMRMRD files with h5py: nothing of pmc, and nothing of the library that pmc reads them with."""
import h5py
import numpy as np

COUNTERS = np.dtype([(name, "<u2") for name in (
    "kspace_encode_step_1", "kspace_encode_step_2", "average", "slice", "contrast", "phase", "repetition", "set", "segment")]
    + [("user", "<u2", (8,))])
HEAD = np.dtype([
    ("version", "<u2"), ("flags", "<u8"), ("measurement_uid", "<u4"), ("scan_counter", "<u4"), ("acquisition_time_stamp", "<u4"),
    ("physiology_time_stamp", "<u4", (3,)), ("number_of_samples", "<u2"), ("available_channels", "<u2"), ("active_channels", "<u2"),
    ("channel_mask", "<u8", (16,)), ("discard_pre", "<u2"), ("discard_post", "<u2"), ("center_sample", "<u2"),
    ("encoding_space_ref", "<u2"), ("trajectory_dimensions", "<u2"), ("sample_time_us", "<f4"), ("position", "<f4", (3,)),
    ("read_dir", "<f4", (3,)), ("phase_dir", "<f4", (3,)), ("slice_dir", "<f4", (3,)), ("patient_table_position", "<f4", (3,)),
    ("idx", COUNTERS), ("user_int", "<i4", (8,)), ("user_float", "<f4", (8,))])
LINE = np.dtype([("head", HEAD), ("traj", h5py.special_dtype(vlen=np.dtype("<f4"))), ("data", h5py.special_dtype(vlen=np.dtype("<f4")))])
NOISE = 1 << 18

XML = """<?xml version="1.0"?>
<ismrmrdHeader xmlns="http://www.ismrm.org/ISMRMRD">
  <experimentalConditions><H1resonanceFrequency_Hz>123000000</H1resonanceFrequency_Hz></experimentalConditions>
  <encoding>
    <encodedSpace><matrixSize><x>{0}</x><y>{1}</y><z>{2}</z></matrixSize>
      <fieldOfView_mm><x>{3}</x><y>{4}</y><z>{5}</z></fieldOfView_mm></encodedSpace>
    <reconSpace><matrixSize><x>{0}</x><y>{1}</y><z>{2}</z></matrixSize>
      <fieldOfView_mm><x>{3}</x><y>{4}</y><z>{5}</z></fieldOfView_mm></reconSpace>
    <encodingLimits>
      <kspace_encoding_step_1><minimum>0</minimum><maximum>{6}</maximum><center>{7}</center></kspace_encoding_step_1>
      <kspace_encoding_step_2><minimum>0</minimum><maximum>{8}</maximum><center>{9}</center></kspace_encoding_step_2>
    </encodingLimits>
    <trajectory>{10}</trajectory>
  </encoding>
</ismrmrdHeader>
"""


def line(values, counters, centre, flags=0, places=None):
    """A readout: values[coil, sample], a dict of its counters, and perhaps places[sample, component] in k-space."""
    made = np.zeros((), LINE)
    coils, samples = values.shape
    head = made["head"]
    head["version"], head["flags"] = 1, flags
    head["number_of_samples"], head["center_sample"] = samples, centre
    head["available_channels"] = head["active_channels"] = coils
    for name, value in counters.items():
        head["idx"][name] = value
    data = np.ascontiguousarray(values, np.complex64).view(np.float32).ravel()
    if places is None:
        return head.copy(), data
    head["trajectory_dimensions"] = places.shape[1]
    return head.copy(), data, np.ascontiguousarray(places, np.float32).ravel()


def save(path, lines, matrix, view, centres=None, trajectory="cartesian", userblock=0, chunks=(1,)):
    """view: fields of view in mm; centres: the steps that are the middle of k-space; userblock: bytes before the file's own."""
    centres = centres or (matrix[1] // 2, matrix[2] // 2)
    xml = XML.format(*matrix, *view, matrix[1] - 1, centres[0], matrix[2] - 1, centres[1], trajectory)
    with h5py.File(path, "w", userblock_size=userblock) as file:
        group = file.create_group("dataset")
        text = group.create_dataset("xml", (1,), h5py.special_dtype(vlen=bytes))
        text[0] = xml.encode()
        data = group.create_dataset("data", (len(lines),), LINE, maxshape=(None,) if chunks else None, chunks=chunks)
        for i, (head, numbers, *places) in enumerate(lines):
            entry = np.empty((1,), LINE)
            entry["head"][0] = head
            entry["traj"][0] = places[0] if places else np.zeros(0, np.float32)
            entry["data"][0] = numbers
            data[i] = entry[0]


def cartesian(kspace, mask=None):
    """Lines of kspace[coil, x, y, z], mode 0 in the middle, where mask[y, z] holds."""
    _, nx, ny, nz = kspace.shape
    return [line(kspace[:, :, j, k], {"kspace_encode_step_1": j, "kspace_encode_step_2": k}, nx // 2)
            for k in range(nz) for j in range(ny) if mask is None or mask[j, k]]
