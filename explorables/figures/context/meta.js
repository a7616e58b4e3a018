import { LENGTH, PICTURES } from "./math.js";

export const meta = {
  question: "Where does the picture enter?",
  story:
    "Three networks of sixteen units have learned a sentence of eight letters for each of eight small pictures. The picture enters one of them at every step, one only as its first state, and one by both doors. Each hears the letter that it said before. All three say all sentences without a mistake. Choose a picture, and take it away from a step on.",
  prediction: {
    question:
      "From step 4 on the picture is gone. Which network still says all eight sentences to their ends?",
    kind: "choice",
    choices: ["told at every step", "told as the first state", "told by both"],
    answer: "told as the first state",
    why: "It never sees the picture again, so it had to learn to keep it: 64 of 64 letters. The one that was told at every step gets 50 right, the one told by both 54. A network keeps what training made it keep, and what can be looked up at every step need not be kept. Of these three, the one with both doors made little use of its first.",
  },
  alt: "A picture of three by three pixels, a diagonal, chosen from eight. Beside it three rows of eight letters, one for each network: told at every step, told as the first state, told by both. All three say b c d b b a a b, with nothing wrong; the picture is there to the end.",
  controls: {
    gone: { type: "int", min: 1, max: LENGTH + 1, default: LENGTH + 1, label: "gone from step" },
    picture: { type: "int", min: 0, max: PICTURES.length - 1, default: 0, label: "picture" },
  },
};
