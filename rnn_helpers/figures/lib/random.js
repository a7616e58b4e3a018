/**
 * The Mersenne Twister, seeded as NumPy's `RandomState(seed)`: the same seed gives the same
 * numbers here and in `numpy.random.RandomState(seed).random_sample()` and `.standard_normal()`.
 */
export function random(seed) {
  const key = new Uint32Array(624);
  key[0] = seed;
  for (let i = 1; i < 624; i++) {
    key[i] = Math.imul(1812433253, key[i - 1] ^ (key[i - 1] >>> 30)) + i;
  }
  let at = 624;
  let spare = null;

  function word() {
    if (at === 624) {
      for (let i = 0; i < 624; i++) {
        const y = (key[i] & 0x80000000) | (key[(i + 1) % 624] & 0x7fffffff);
        key[i] = key[(i + 397) % 624] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
      }
      at = 0;
    }
    let y = key[at++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  /** Uniform on [0, 1), with 53 random bits. */
  const uniform = () => ((word() >>> 5) * 67108864 + (word() >>> 6)) / 9007199254740992;

  /** Standard normal, by the polar method. */
  function normal() {
    if (spare !== null) {
      const value = spare;
      spare = null;
      return value;
    }
    for (;;) {
      const a = 2 * uniform() - 1;
      const b = 2 * uniform() - 1;
      const r = a * a + b * b;
      if (r >= 1 || r === 0) continue;
      const f = Math.sqrt((-2 * Math.log(r)) / r);
      spare = f * a;
      return f * b;
    }
  }

  return { uniform, normal };
}

/** The index of the part in which `u` lies, if the parts of `p` are laid end to end from 0 to 1. */
export function sampled(p, u) {
  let end = 0;
  const k = p.findIndex((part) => {
    end += part;
    return u < end;
  });
  return k < 0 ? p.findLastIndex(Boolean) : k; // rounding may leave u beyond the last part
}
