// Three pairs of networks that write digits backwards, each through a vector of its own size.
// This module doesn't use the DOM.
import CONSTANTS from "./constants.json";
import STORED from "./trained.json";
import { step as gru } from "../lib/gru.js";
import { random } from "../lib/random.js";
import { add, argmax, oneHot, softmax, times } from "../lib/vectors.js";
import { unpacked } from "../lib/weights.js";

export const { SIZES, LONGEST } = CONSTANTS;
const SYMBOLS = 11; // digits, and the end

/** Return the weights of a pair: arrays of the reader and the writer, by their names. */
export const network = (size) => unpacked(STORED.networks[size]);
const own = (params, part) =>
  Object.fromEntries(CONSTANTS.GRU.map((name) => [name, params[`${part}_${name}`]]));
const NETWORKS = Object.fromEntries(
  SIZES.map((size) => {
    const { V, c, ...params } = network(size);
    return [size, { reader: own(params, "reader"), writer: own(params, "writer"), V, c }];
  }),
);

/** Draw eight digits. */
export function line(seed) {
  const { uniform } = random(seed);
  return Array.from({ length: LONGEST }, () => Math.floor(10 * uniform()));
}

/** Return the context, the reader's state after the last digit. */
export const read = (size, digits) =>
  digits.reduce(
    (h, digit) => gru(NETWORKS[size].reader, oneHot(digit, 10), h),
    new Array(size).fill(0),
  );

/** Return the context and as many written symbols as digits, with all probabilities at each step. */
export function write(size, digits) {
  const { writer, V, c } = NETWORKS[size];
  const context = read(size, digits);
  let h = context;
  const [symbols, p] = [[], []];
  for (const _ of digits) {
    h = gru(writer, oneHot(symbols.at(-1), SYMBOLS), h);
    p.push(softmax(add(times(V, h), c)));
    symbols.push(argmax(p.at(-1)));
  }
  return { context, symbols, p };
}
