// The network of chapter 3 reads a knock, some giraffes and another knock. No DOM here.
import { ALPHABET, PARAMS, PERIOD } from "../lib/knock.js";
import { forward } from "../lib/rnn.js";

const [KNOCK, GIRAFFE] = ["knock", "giraffe"].map((word) => ALPHABET.indexOf(word));

/** The network, in which unit 2 has the weight w on itself. */
function withWeight(w) {
  const { W, ...others } = PARAMS.tanh;
  return { ...others, W: [W[0], [W[1][0], w]] };
}

/** Each step of the sentence: its input, the state after it, and the probabilities of the next word. */
export function read(w, n) {
  const inputs = [PERIOD, KNOCK, ...Array(n).fill(GIRAFFE), KNOCK];
  return forward(withWeight(w), inputs).map(({ h, yhat }, t) => ({ input: inputs[t], h, yhat }));
}
