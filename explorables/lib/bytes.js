// Weights of networks, as they are kept. No DOM here.

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Bytes, -127 to 127, from base 64. */
export function bytes(text) {
  const found = [];
  for (let at = 0; at < text.length; at += 4) {
    let word = 0;
    for (let i = 0; i < 4; i++) word = (word << 6) | Math.max(DIGITS.indexOf(text[at + i]), 0);
    for (const shift of [16, 8, 0]) found.push(((word >> shift) << 24) >> 24);
  }
  return found;
}
