// The cup of tea of chapter 2: its first temperature, the weights of its rule, and the rooms.
import CONSTANTS from "../unfold/constants.json";

export const { START, WEIGHTS, ROOMS } = CONSTANTS;
