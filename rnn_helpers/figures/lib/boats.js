// The network that reads "boats on water", which two figures share.
import CONSTANTS from "../bptt/constants.json";

/**
 * WORDS are the inputs and VERBS the outputs: after "boats on rough open water", VERB, "are", is right.
 * PARAMS: one unit. The numbers in U make its states 0.8, 0.5 and 0.6. "Open" and "rough" keep the state
 * at 0.5, so a longer sentence ends with the same state. SENTENCES, by length.
 */
export const { WORDS, VERBS, VERB, PARAMS, SENTENCES } = CONSTANTS;
