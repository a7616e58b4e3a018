// The network of chapter 3, which predicts the next word of a sentence. No DOM here.
import CONSTANTS from "../step/constants.json";

/** The symbols. The period ends a sentence, and it is the input of the first step. */
export const { ALPHABET } = CONSTANTS;
export const PERIOD = 0;

/** Weights chosen by hand for tanh, and the same network with sigmoids. */
export const { PARAMS } = CONSTANTS;
