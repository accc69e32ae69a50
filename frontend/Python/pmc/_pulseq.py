# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trajectories in k-space of Pulseq files, version 1.4 (Layton et al. 2017)."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import numpy as np

from ._errors import Error


@dataclasses.dataclass(frozen=True)
class Trajectory:
    """The positions of all samples of a sequence in k-space, in the order of the readouts.

    `k` is over (sample, 3) in cycles per meter: multiply it by the field of view in meters for `nufft`. `times` has the
    times after the start in seconds, and `readout` the number of the readout of each sample."""

    k: np.ndarray
    times: np.ndarray
    readout: np.ndarray


class _Row(list[str]):
    """The words of a line, and where the line is."""

    def __init__(self, words: list[str], place: str) -> None:
        super().__init__(words)
        self.place = place

    def numbers(self, least: int) -> list[float]:
        """The first numbers of the line."""
        if len(self) < least:
            raise Error(f"{self.place}: {len(self)} numbers, expected at least {least}")
        return [self._number(word) for word in self[:least]]

    def named(self) -> float:
        """The number after a name."""
        if len(self) < 2:
            raise Error(f"{self.place}: {self[0]} has no number")
        return self._number(self[1])

    def _number(self, word: str) -> float:
        try:
            return float(word)
        except ValueError:
            raise Error(f"{self.place}: expected a number, found '{word}'") from None


def _sections(path: Path) -> dict[str, list[_Row]]:
    found: dict[str, list[_Row]] = {}
    rows: list[_Row] | None = None
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        words = line.split("#", 1)[0].split()
        if words and words[0].startswith("["):
            rows = found.setdefault(words[0].strip("[]"), [])
        elif words and rows is not None:
            rows.append(_Row(words, f"{path}, line {number}"))
    return found


def _shapes(path: Path, rows: list[_Row]) -> dict[int, np.ndarray]:
    """The samples of all shapes, by their number.

    A compressed shape stores differences. After two equal differences, it stores the number of further equal ones."""
    shapes: dict[int, tuple[int, list[float]]] = {}
    name = 0
    for row in rows:
        if row[0] == "shape_id":
            name = int(row.named())
        elif row[0] == "num_samples":
            shapes[name] = (int(row.named()), [])
        elif name not in shapes:
            raise Error(f"{row.place}: a sample before 'shape_id' and 'num_samples'")
        else:
            shapes[name][1].append(row.numbers(1)[0])
    result = {}
    for name, (count, stored) in shapes.items():
        if len(stored) != count:
            steps: list[float] = []
            i = 0
            while i < len(stored):
                steps.append(stored[i])
                if i + 2 < len(stored) and stored[i] == stored[i + 1]:
                    steps += [stored[i]] * (int(stored[i + 2]) + 1)
                    i += 2
                i += 1
            stored = list(np.cumsum(steps))
        if len(stored) != count or count < 1:
            raise Error(f"{path}: shape {name} has {len(stored)} samples, expected {max(count, 1)}")
        result[name] = np.array(stored)
    return result


class _Axis:
    """A gradient in Hz/m that is linear between points, and its integral."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.times, self.values = [0.0], [0.0]

    def add(self, times: np.ndarray, values: np.ndarray) -> None:
        if times[0] < self.times[-1] - 1e-9:
            raise Error(f"two gradients along {self.name} overlap at {times[0]:.6f} s")
        if times[0] > self.times[-1]:
            # The gradient is 0 between two events.
            self.times += [self.times[-1], times[0]]
            self.values += [0.0, 0.0]
        self.times += list(times)
        self.values += list(values)

    def integral(self, at: np.ndarray) -> np.ndarray:
        t = np.array(self.times + [self.times[-1], self.times[-1] + 1e6])
        g = np.array(self.values + [0.0, 0.0])
        whole = np.concatenate([[0], np.cumsum(0.5 * np.diff(t) * (g[1:] + g[:-1]))])
        i = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 2)
        dt = at - t[i]
        slope = np.where(t[i + 1] > t[i], (g[i + 1] - g[i]) / np.where(t[i + 1] > t[i], t[i + 1] - t[i], 1), 0)
        return whole[i] + g[i] * dt + 0.5 * slope * dt ** 2


def read_pulseq(path: str | os.PathLike) -> Trajectory:
    """The trajectory of a Pulseq file, from the gradients since the last excitation.

    A pulse of more than 90 degrees refocuses: it changes the sign of k. Other pulses excite: they set k to 0. Only version
    1.4 of the format is supported. Rotations are errors, and other extensions, such as labels, are ignored."""
    path = Path(path)
    file = _sections(path)
    version = {row[0]: row[1] for row in file.get("VERSION", []) if len(row) > 1}
    if "major" not in version or "minor" not in version:
        raise Error(f"{path}: no version, expected a Pulseq file of version 1.4")
    if (version["major"], version["minor"].rstrip("abcdefghijklmnopqrstuvwxyz")) != ("1", "4"):
        raise Error(f"{path}: Pulseq version {version['major']}.{version['minor']}, expected 1.4")
    if "ROTATIONS" in file:
        raise Error(f"{path}: rotations of blocks are not supported")
    rasters = {row[0]: row.named() for row in file.get("DEFINITIONS", []) if row[0].endswith("Raster") or row[0].endswith("RasterTime")}
    try:
        block_raster, raster, rf_raster = (rasters[name] for name in ("BlockDurationRaster", "GradientRasterTime", "RadiofrequencyRasterTime"))
    except KeyError as error:
        raise Error(f"{path}: no definition of {error.args[0]} in the section [DEFINITIONS]") from None
    shapes = _shapes(path, file.get("SHAPES", []))
    # The number of an event, and the numbers that are used here.
    numbers = {name: {int(row[0]): row[1:] for row in (line.numbers(least) for line in file.get(name, []))}
               for name, least in (("RF", 6), ("GRADIENTS", 5), ("TRAP", 6), ("ADC", 4))}

    def equally_long(first: float, second: float) -> None:
        if len(shapes[int(first)]) != len(shapes[int(second)]):
            raise Error(f"shape {first:.0f} has {len(shapes[int(first)])} samples, but shape {second:.0f} has {len(shapes[int(second)])}")

    def gradient(event: int, start: float) -> tuple[np.ndarray, np.ndarray]:
        if event in numbers["TRAP"]:
            amplitude, rise, flat, fall, delay = numbers["TRAP"][event]
            times = start + 1e-6 * (delay + np.cumsum([0, rise, flat, fall]))
            return times, amplitude * np.array([0, 1, 1, 0])
        amplitude, shape, times_of, delay = numbers["GRADIENTS"][event]
        values, start = amplitude * shapes[int(shape)], start + 1e-6 * delay
        if times_of:
            equally_long(shape, times_of)
            return start + raster * shapes[int(times_of)], values
        # Samples are in the middle of raster intervals. The values at both ends are extrapolated from the outer samples.
        half = 0.5 * np.diff(values)
        ends = (values[0] - half[0], values[-1] + half[-1]) if len(values) > 1 else (values[0], values[0])
        times = np.concatenate([[0], np.arange(len(values)) + 0.5, [len(values)]])
        return start + raster * times, np.concatenate([ends[:1], values, ends[1:]])

    def pulse(event: int, start: float) -> tuple[float, bool]:
        """The time of the middle of a pulse, and whether it refocuses."""
        amplitude, size, phase, times_of, delay = numbers["RF"][event]
        for other in (phase, times_of):
            equally_long(size, other or size)
        size, phase = shapes[int(size)], shapes[int(phase)] if phase else 0
        times = rf_raster * (shapes[int(times_of)] if times_of else np.arange(len(size)) + 0.5)
        wave = size * np.exp(2j * np.pi * phase)
        if times_of:
            turns = np.abs(np.sum(0.5 * np.diff(times) * (wave[1:] + wave[:-1])))
        else:
            turns = np.abs(np.sum(wave)) * rf_raster
        high = times[size >= 0.99999 * np.max(size)]
        return start + 1e-6 * delay + 0.5 * (high[0] + high[-1]), bool(360 * amplitude * turns > 90.01)

    axes = [_Axis(name) for name in "xyz"]
    pulses, readouts, start = [], [], 0.0
    for row in file.get("BLOCKS", []):
        duration, rf, *gradients, adc = [int(number) for number in row.numbers(7)[1:]]
        try:
            if rf:
                pulses.append(pulse(rf, start))
            for axis, event in zip(axes, gradients):
                if event:
                    axis.add(*gradient(event, start))
            if adc:
                count, dwell, delay = numbers["ADC"][adc]
                readouts.append(start + 1e-6 * delay + 1e-9 * dwell * (np.arange(int(count)) + 0.5))
        except KeyError as error:
            raise Error(f"{row.place}: block {row[0]} names the event or shape {error.args[0]}, which the file lacks") from None
        except Error as error:
            raise Error(f"{row.place}: {error}") from None
        start += duration * block_raster
    if not readouts:
        raise Error(f"{path}: the sequence has no readout")
    times = np.concatenate(readouts)
    at_pulses = np.stack([axis.integral(np.array([time for time, _ in pulses] or [0.0])) for axis in axes], axis=-1)
    k = np.stack([axis.integral(times) for axis in axes], axis=-1)
    offsets, offset = [np.zeros(3)], np.zeros(3)
    for (_, refocuses), here in zip(pulses, at_pulses):
        offset = -2 * here - offset if refocuses else -here
        offsets.append(offset)
    # k is the integral of the gradients plus an offset. A refocusing pulse changes the sign of k, and thus the offset.
    k += np.array(offsets)[np.searchsorted([time for time, _ in pulses], times, side="right")]
    return Trajectory(k, times, np.repeat(np.arange(len(readouts)), [len(readout) for readout in readouts]))
