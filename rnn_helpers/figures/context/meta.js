import { LENGTH, PICTURES } from "./math.js";

export const meta = {
  question: "What does each network remember of the picture?",
  story:
    "Three networks of 16 units have each learned one sentence of eight letters for each of eight pictures. They differ in the way the picture enters: at every step, as the first state, or both. At each step a network also receives the letter that it wrote before. As long as the picture is there, all sentences are right.",
  prediction: {
    question:
      "From step 4 on, the picture is gone. Which network still writes all eight sentences to the end?",
    kind: "choice",
    choices: ["every step", "first state", "both"],
    answer: "first state",
    why: "The first-state network writes 64 of 64 letters correctly. It never receives the picture again, so training made it keep what it needs: the picture, or the first three letters, which already identify the sentence. The network that receives the picture at every step gets 50 right, because it never had to keep either. The network with both ways in gets 54.",
  },
  alt: "A picture of three by three pixels, a diagonal, chosen from eight. Beside it are three rows of eight letters, one row for each network: every step, first state, and both. Arrows show the steps at which the picture enters. All three rows read b c d b b a a b, and no letter is wrong, because the picture is there to the end.",
  controls: {
    gone: {
      type: "int",
      min: 1,
      max: LENGTH + 1,
      default: LENGTH + 1,
      label: "gone from step",
    },
    picture: { type: "int", min: 0, max: PICTURES.length - 1, default: 0, label: "picture" },
  },
};
