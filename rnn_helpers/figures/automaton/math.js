// Weighted automata and their intersection, as `rnn_helpers.reference.automata`. No DOM here.
import { over, sum } from "../lib/vectors.js";

import CONSTANTS from "./constants.json";
import { spelled } from "../lib/typed.js";

/**
 * BIGRAM has the weights of what follows the start and each symbol, in the order of the alphabet. OPEN
 * and CLOSE are the weights of a bracket that may come next; an open one is likely to be closed. LONGEST
 * is the length of the longest string that the figure accepts, without its end.
 */
const { BIGRAM, OPEN, CLOSE } = CONSTANTS;
export const { LONGEST } = CONSTANTS;
export const END = "</s>";
const SYMBOLS = [...CONSTANTS.SYMBOLS];
export const ALPHABET = [...SYMBOLS, END];

/** An automaton from rows of state, symbol, next state and weight. */
export function automaton(alphabet, transitions, start, stop) {
  const states = [
    ...new Set([start, ...transitions.flatMap(([state, , after]) => [state, after])]),
  ];
  const table = (empty) => states.map(() => alphabet.map(() => empty));
  const [following, weights] = [table(-1), table(0)];
  for (const [state, symbol, after, weight] of transitions) {
    const [i, j] = [states.indexOf(state), alphabet.indexOf(symbol)];
    following[i][j] = states.indexOf(after);
    weights[i][j] = weight;
  }
  return {
    alphabet,
    states,
    following,
    weights,
    start: 0,
    stop: states.map((name) => stop.includes(name)),
  };
}

/** The automaton of a bigram model: its state is the symbol read last. */
export function bigramAutomaton(symbols, weights) {
  const alphabet = [...symbols, END];
  const rows = weights.flatMap((row, i) =>
    row.map((weight, j) => [
      i ? `q_${symbols[i - 1]}` : "q_<s>",
      alphabet[j],
      `q_${alphabet[j]}`,
      weight,
    ]),
  );
  return normalised(
    automaton(
      alphabet,
      rows.filter(([, , , weight]) => weight > 0),
      "q_<s>",
      [`q_${END}`],
    ),
  );
}

/** One feature, on or off: whether a bracket is open. */
export function bracketAutomaton(opening, closing, alphabet, open = 1, close = 1) {
  const others = alphabet.filter((symbol) => symbol !== opening && symbol !== closing);
  const rows = [
    ...others.map((symbol) => ["q0", symbol, "q0", 1]),
    ...others.filter((symbol) => symbol !== END).map((symbol) => ["q1", symbol, "q1", 1]),
    ["q0", opening, "q1", open],
    ["q1", closing, "q0", close],
  ];
  return automaton(alphabet, rows, "q0", ["q0"]);
}

/** The automaton that remembers both: the pairs of states that can be reached, with weights multiplied. */
export function intersect(a, b) {
  const many = b.states.length;
  const pair = (number) => [Math.floor(number / many), number % many];
  const led = (number) => {
    const [i, j] = pair(number);
    return a.following[i].map((after, s) => {
      const beside = b.following[j][s];
      return after < 0 || beside < 0 ? -1 : after * many + beside;
    });
  };
  const first = a.start * many + b.start;
  const reached = new Set([first]);
  for (const number of reached) for (const next of led(number)) if (next >= 0) reached.add(next);
  const numbers = [...reached].sort((p, q) => p - q);
  const place = new Map(numbers.map((number, i) => [number, i]));
  const pairs = numbers.map(pair);
  const following = numbers.map((number) =>
    led(number).map((next) => (next < 0 ? -1 : place.get(next))),
  );
  return {
    alphabet: a.alphabet,
    states: pairs.map(([i, j]) => `${a.states[i]} ${b.states[j]}`),
    following,
    weights: pairs.map(([i, j], q) =>
      following[q].map((next, s) => (next < 0 ? 0 : a.weights[i][s] * b.weights[j][s])),
    ),
    start: place.get(first),
    stop: pairs.map(([i, j]) => a.stop[i] && b.stop[j]),
  };
}

/** Weights that sum to 1 in each state where symbols may come. */
export function normalised(machine) {
  const weights = machine.weights.map((row) => row.map((weight) => weight / (sum(row) || 1)));
  return { ...machine, weights };
}

/** The states from the start on, up to the first symbol that can't come. */
export function walk(machine, symbols) {
  const visited = [machine.start];
  for (const symbol of symbols) {
    const next = machine.following[visited.at(-1)][machine.alphabet.indexOf(symbol)];
    if (next < 0) break;
    visited.push(next);
  }
  return visited;
}

/** Distribution of the next symbol in a state, by its place; zeros where none may come. */
const nextSymbol = (machine, state) => normalised(machine).weights[state];

/** The share of time spent in each state, if each sentence is followed by another. */
export function longRun(machine) {
  const { weights, following, start } = normalised(machine);
  const ended = weights.map((row) => sum(row) === 0);
  let share = weights.map((_, q) => Number(q === start));
  for (let i = 0; i < 100000; i++) {
    const moved = share.map(() => 0);
    weights.forEach((row, q) =>
      row.forEach((p, s) => {
        const next = following[q][s];
        if (next >= 0) moved[ended[next] ? start : next] += share[q] * p;
      }),
    );
    const change = Math.max(...moved.map((value, q) => Math.abs(value - share[q])));
    share = share.map((value, q) => (value + moved[q]) / 2);
    if (change < 1e-15) break;
  }
  return over(share, sum(share));
}

/** The entropy in bits of a symbol with these probabilities. */
export const entropy = (p) => sum(p.map((value) => (value > 0 ? -value * Math.log2(value) : 0)));

/** Return the bits per symbol in the long run that are left to guess if the state is known. */
export const entropyRate = (machine) =>
  sum(longRun(machine).map((share, q) => share * entropy(nextSymbol(machine, q))));

// ---- the figure's own

/** The three automata that can be chosen. */
export const FACTORS = {
  bigram: bigramAutomaton(SYMBOLS, BIGRAM),
  round: bracketAutomaton("(", ")", ALPHABET, OPEN, CLOSE),
  square: bracketAutomaton("[", "]", ALPHABET, OPEN, CLOSE),
};
/** The automaton that is left if none is chosen: its single state remembers nothing. */
const NOTHING = automaton(
  ALPHABET,
  ALPHABET.map((symbol) => ["q", symbol, "q", 1]),
  "q",
  ["q"],
);

const made = new Map();
/** The intersection of the chosen automata, with its counts. */
export function product(state) {
  const chosen = Object.keys(FACTORS).filter((name) => state[name]);
  const key = chosen.join();
  if (!made.has(key)) {
    const machine = normalised(
      chosen.length ? chosen.map((name) => FACTORS[name]).reduce(intersect) : NOTHING,
    );
    made.set(key, {
      machine,
      chosen,
      pairs: chosen.reduce((many, name) => many * FACTORS[name].states.length, 1),
      transitions: sum(machine.weights.map((row) => row.filter((p) => p > 0).length)),
      rate: entropyRate(machine),
    });
  }
  return made.get(key);
}

/** The symbols of a typed string, with its end if it has one; `strange` and `cut` tell what was left out. */
export function read(text) {
  const ends = text.trim().endsWith(END);
  const { known, ...rest } = spelled(text.replace(/\s/g, ""), SYMBOLS, LONGEST);
  return { symbols: [...known, ...(ends ? [END] : [])], ...rest };
}

/** Everything that the figure shows of a string and three choices. */
export function compute(state) {
  const string = read(state.text);
  const t = Math.min(state.t, string.symbols.length);
  const { symbols } = string;
  const whole = product(state);
  const visited = walk(whole.machine, symbols.slice(0, t));
  const at = visited.at(-1);
  const known = visited.length - 1; // symbols read before one that can't come
  const factors = Object.fromEntries(
    Object.entries(FACTORS).map(([name, one]) => [name, walk(one, symbols.slice(0, t))]),
  );
  return {
    ...string,
    ...whole,
    ...{ t, visited, at, known, factors },
    refused: known < t ? symbols[known] : null,
    next: nextSymbol(whole.machine, at),
  };
}
