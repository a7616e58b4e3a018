export { inline, spell } from "../lib/words.js";

/** How a guess compares: "exact", "close" (within a tenth of the line, or of the answer) or "far". */
export function verdict(guess, answer, { min = null, max = null, log = false } = {}) {
  if (typeof answer === "string") return guess === answer ? "exact" : "far";
  if (Math.abs(guess - answer) <= 1e-9 * Math.max(1, Math.abs(answer))) return "exact";
  const scale = log ? Math.log : (x) => x;
  const ranged = min !== null && max !== null;
  const length = ranged ? scale(max) - scale(min) : Math.abs(answer);
  const off = ranged ? scale(guess) - scale(answer) : guess - answer;
  return Math.abs(off) <= 0.1 * length ? "close" : "far";
}
