"""White noise: Philox4x32-10 (Salmon et al. 2011) and the Box-Muller transform, as
The manual says (Random fields)."""
import numpy as np

WORD = np.uint64(0xFFFFFFFF)


def _philox(counter, key):
    c = [counter & WORD, counter >> np.uint64(32), np.zeros_like(counter), np.zeros_like(counter)]
    k = [np.uint64(key & 0xFFFFFFFF), np.uint64(key >> 32)]
    for _ in range(10):
        p, q = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [(q >> np.uint64(32)) ^ c[1] ^ k[0], q & WORD, (p >> np.uint64(32)) ^ c[3] ^ k[1], p & WORD]
        k = [np.uint64((int(k[0]) + 0x9E3779B9) & 0xFFFFFFFF), np.uint64((int(k[1]) + 0xBB67AE85) & 0xFFFFFFFF)]
    return c


def white_noise(seed, count):
    """Numbers 0 ... count - 1 of a seed of 64 bits."""
    pairs = np.arange((count + 1) // 2, dtype=np.uint64)
    a, b, c, d = _philox(pairs, int(seed) % 2**64)
    def uniform(high, low):
        return ((high << np.uint64(32) | low) >> np.uint64(12)).astype(float) / 2.0**52
    radius, angle = np.sqrt(-2 * np.log(1 - uniform(a, b))), 2 * np.pi * uniform(c, d)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).reshape(-1)[:count]
