// Two numbers, each of which is multiplied by its own factor at every step. This module doesn't use
// the DOM.
import CONSTANTS from "./constants.json";

export const { FACTORS, STEPS } = CONSTANTS;

/** The powers of a factor, from 0 to STEPS. */
export function powers(factor) {
  const numbers = [1];
  for (let t = 0; t < STEPS; t++) numbers.push(factor * numbers[t]);
  return numbers;
}
