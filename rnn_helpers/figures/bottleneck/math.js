// Pairs of networks that write digits backwards, each through a vector of its own size, some of them with
// attention. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";
import STORED from "./trained.json";
import { step as gru } from "../lib/gru.js";
import { random } from "../lib/random.js";
import { add, argmax, dot, oneHot, softmax, times } from "../lib/vectors.js";
import { unpacked } from "../lib/weights.js";

export const { SIZES, LOOKS, LONGEST, MOST } = CONSTANTS;
const SYMBOLS = 11; // digits, and the end

/** Return the weights of a pair: arrays of the reader and the writer, by their names. */
export const network = (size, looks = false) =>
  unpacked(STORED[looks ? "looking" : "networks"][size]);
const own = (params, part) =>
  Object.fromEntries(CONSTANTS.GRU.map((name) => [name, params[`${part}_${name}`]]));
const pairs = (sizes, looks) =>
  Object.fromEntries(
    sizes.map((size) => {
      const { V, c, Q, ...params } = network(size, looks);
      return [size, { reader: own(params, "reader"), writer: own(params, "writer"), V, c, Q }];
    }),
  );
const PLAIN = pairs(SIZES, false);
const LOOKING = pairs(LOOKS, true);

/** Draw twelve digits. */
export function line(seed) {
  const { uniform } = random(seed);
  return Array.from({ length: MOST }, () => Math.floor(10 * uniform()));
}

/** Return the reader's state after each digit; the last one is the context. */
function read({ reader }, size, digits) {
  let h = new Array(size).fill(0);
  return digits.map((digit) => {
    h = gru(reader, oneHot(digit, 10), h);
    return h;
  });
}

/**
 * Return the reader's states and as many written symbols as digits, with all probabilities at each step
 * and, with attention, the weights of the states.
 */
export function write(size, digits, looks = false) {
  const net = (looks ? LOOKING : PLAIN)[size];
  const { writer, V, c, Q } = net;
  const notes = read(net, size, digits);
  let h = notes.at(-1);
  const [symbols, p, weights] = [[], [], []];
  for (const _ of digits) {
    let x = oneHot(symbols.at(-1), SYMBOLS);
    if (looks) {
      const query = times(Q, h);
      const shares = softmax(notes.map((note) => dot(note, query)));
      const average = add(...notes.map((note, i) => note.map((value) => shares[i] * value)));
      weights.push(shares);
      x = [...x, ...average];
    }
    h = gru(writer, x, h);
    p.push(softmax(add(times(V, h), c)));
    symbols.push(argmax(p.at(-1)));
  }
  return { notes, symbols, p, weights };
}
