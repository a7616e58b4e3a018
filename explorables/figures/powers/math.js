// Two numbers, each multiplied by its own factor at every step. No DOM here.
import CONSTANTS from "../../../rnn_helpers/explore/figures/powers.json";

export const { FACTORS, STEPS } = CONSTANTS;

/** The number after 0 … STEPS steps, from 1 on. */
export function powers(factor) {
  const numbers = [1];
  for (let t = 0; t < STEPS; t++) numbers.push(factor * numbers[t]);
  return numbers;
}
