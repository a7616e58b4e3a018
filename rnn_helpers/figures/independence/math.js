// Bits that follow from the bits of x and from each other by rules, and the least loss of a network that
// receives only some of them. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";

export const { LENGTH, RULES, NAMES } = CONSTANTS;
export const ALL = Array.from({ length: LENGTH }, (_, t) => t);
/** The four networks, named for the symbols that an output may depend on. */
export const HEARS = Object.keys(NAMES);
const WORLDS = 2 ** (2 * LENGTH);

/** The rule of each bit, from a number with two binary digits per rule. */
export const rulesOf = (number) => ALL.map((t) => RULES[(number >> (2 * t)) & 3]);
/** The same number, from the rules. */
export const numberOf = (rules) =>
  rules.reduce((sum, rule, t) => sum + RULES.indexOf(rule) * 4 ** t, 0);
/** The same number after bit t got the rule at `place` in RULES. */
export const withRule = (number, t, place) =>
  numberOf(rulesOf(number).map((rule, i) => (i === t ? RULES[place] : rule)));

/** The index of the bit that y of step t copies, in x and then y from first to last; null for a coin. */
export function source(rule, t) {
  if (rule === "same") return t;
  if (rule === "next" && t + 1 < LENGTH) return t + 1;
  if (rule === "last" && t > 0) return LENGTH + t - 1;
  return null;
}

/** The bit of a world at one index, in x and then y from first to last. */
const bit = (world, place) => (world >> (2 * LENGTH - 1 - place)) & 1;

/** The probability of each world. The x are coins, and each y follows its rule, or with probability `noise` the opposite. */
export function joint(rules, noise) {
  const from = rules.map(source);
  return Array.from({ length: WORLDS }, (_, world) =>
    from.reduce((p, place, t) => {
      if (place === null) return p / 2;
      return p * (bit(world, LENGTH + t) === bit(world, place) ? 1 - noise : noise);
    }, 0.5 ** LENGTH),
  );
}

/** The indices of the bits that y of step t may depend on. A prediction is a function of them, so feeding it back adds nothing. */
export function heard(hears, t, fed) {
  const all = hears.startsWith("all");
  const x = ALL.filter((i) => all || i <= t);
  const hearsItself = fed === "drawn" && (hears === "outputs" || hears === "all");
  return hearsItself ? [...x, ...ALL.slice(0, t).map((i) => LENGTH + i)] : x;
}

/** The least expected loss of each y, in nats: its entropy, given the bits that it may depend on. */
export function leastLosses(p, hears, fed) {
  return ALL.map((t) => {
    const given = heard(hears, t, fed).reduce((mask, i) => mask | (1 << (2 * LENGTH - 1 - i)), 0);
    const itself = 1 << (LENGTH - 1 - t);
    const [past, both] = [new Float64Array(WORLDS), new Float64Array(WORLDS)];
    for (let world = 0; world < WORLDS; world++) {
      past[world & given] += p[world];
      both[world & (given | itself)] += p[world];
    }
    const loss = both.reduce(
      (sum, q, world) => (q > 0 ? sum - q * Math.log(q / past[world & given]) : sum),
      0,
    );
    return Math.max(loss, 0); // rounding can make the loss of a certain bit negative
  });
}
