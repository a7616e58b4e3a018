// A cell that counts the ones of two sentences, in four stages: with a constant leak, then with a
// forget gate, an input gate and an output gate. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";

export const { SYMBOLS, RESET, ENDS } = CONSTANTS;
const { NOISE } = CONSTANTS;

/** The gates of a stage at step t, of which the slider sets one to `gate`. */
function gates(stage, gate, t, one) {
  if (stage === "leak") return { f: gate, g: 1 - gate, q: 1 };
  const count = stage === "forget";
  return {
    f: t !== RESET ? 1 : count ? gate : 0,
    g: count || one ? 1 : stage === "input" ? gate : 0,
    q: stage !== "output" || t === ENDS[0] ? 1 : t === ENDS[1] ? gate : 0,
  };
}

/** Whether the slider sets the gate of this stage at step t. */
export const isSet = (stage, { t, symbol }) =>
  ({ leak: true, forget: t === RESET, input: symbol !== "1", output: t === ENDS[1] })[stage];

/**
 * All steps: gates, cell input c, state s, output h, and the gradient of the last state. In the stage
 * "output" it is the gradient of the last output, and in the stage "input" that on the cell input.
 */
export function run(stage, gate) {
  let s = 0;
  const steps = [...SYMBOLS].map((symbol, i) => {
    const one = symbol === "1";
    const { f, g, q } = gates(stage, gate, i + 1, one);
    const c = Number(one) + (stage === "input" || stage === "output" ? NOISE[i] : 0);
    s = f * s + g * c;
    return { t: i + 1, symbol, f, g, q, c, s, h: q * Math.tanh(s) };
  });
  let back = stage === "output" ? steps.at(-1).q * (1 - Math.tanh(s) ** 2) : 1;
  for (const now of [...steps].reverse()) {
    now.gradient = stage === "input" ? back * now.g : back;
    back *= now.f;
  }
  return steps;
}

/** The right count after each step. */
export function counts() {
  let count = 0;
  return [...SYMBOLS].map((symbol) => (count = symbol === "r" ? 0 : count + Number(symbol)));
}
