// Weights of networks in their stored form: integers, times a scale for each array, as in
// rnn_helpers/explore/weights.py. No DOM here.

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Decode base 64 to bytes from -127 to 127. */
export function bytes(text) {
  const found = [];
  for (let at = 0; at < text.length; at += 4) {
    let word = 0;
    for (let i = 0; i < 4; i++) word = (word << 6) | Math.max(DIGITS.indexOf(text[at + i]), 0);
    for (const shift of [16, 8, 0]) found.push(((word >> shift) << 24) >> 24);
  }
  return found;
}

/** Decode a letter for each whole number from -45 to 45, which gzip packs better than base 64. */
export const letters = (text) =>
  Array.from(text, (letter) => {
    const code = letter.charCodeAt(0);
    return code - 80 - (code > 92 ? 1 : 0); // no backslash
  });

const times = (value, scale) =>
  Array.isArray(value) ? value.map((one) => times(one, scale)) : value * scale;

/** The arrays of a network stored as lists, with these names. */
export const scaled = ({ whole, scales }, names) =>
  Object.fromEntries(names.map((name, i) => [name, times(whole[i], scales[i])]));

/** The arrays of a network stored as bytes, with the names of their shapes. */
export function unpacked({ weights, shapes, scales }) {
  const whole = bytes(weights);
  let at = 0;
  const take = (n, scale) => {
    at += n;
    return whole.slice(at - n, at).map((value) => value * scale);
  };
  const shaped = ([n, ...rest], scale) =>
    rest.length ? Array.from({ length: n }, () => shaped(rest, scale)) : take(n, scale);
  return Object.fromEntries(
    Object.entries(shapes).map(([name, shape], i) => [name, shaped(shape, scales[i])]),
  );
}
