import { LETTERS, ROOM } from "./math.js";

export const meta = {
  question: "Two memories of the same size: what do they give back?",
  story:
    "Each letter is a picture of 24 pixels, stored under its own key: 24 random signs, scaled to length 1. The cache keeps the newest pairs as they are and reads them by a softmax of the cosines, with a sharpness of 24. Every pair is also written into the matrix. Both memories contain 576 numbers, and each shows its reading for every key; a cross marks a reading that looks more like another letter. Write more pairs.",
  prediction: {
    question:
      "The cache is full. Now twelve more pairs with new keys are written, so it drops the first twelve. The matrix drops nothing, but it doesn't grow either. In how many of its 24 readings can the letter still be recognized?",
    kind: "choice",
    choices: ["about 6", "12, as many as in the cache", "about 19"],
    answer: "about 19",
    why: "With these keys there are 19; with most other keys, 15 to 22. All 24 pictures are blurred, but most of them still look more like their own letter than like any other. The cache returns 12 letters without an error. For the other 12 keys it returns a wrong letter, and often just as sharply.",
  },
  alt: "Three rows of twelve letters, A to L, each drawn with 4 by 6 pixels. Above, the letters as they were written. In the middle, those that the cache returns: all twelve are the same as above. Below, those that the matrix returns: they are blurred, and 11 of them can be recognized; the other one has a cross.",
  controls: {
    t: {
      type: "int",
      min: 0,
      max: LETTERS.length,
      default: ROOM,
      label: "pairs written",
    },
    keys: {
      type: "choice",
      options: [
        { value: "new", label: "new ones" },
        { value: "again", label: "those of 1 to 12 again" },
      ],
      default: "new",
      label: "keys of pairs 13 to 24",
    },
    rule: {
      type: "choice",
      options: [
        { value: "sum", label: "sum" },
        { value: "delta", label: "delta rule" },
      ],
      default: "sum",
      label: "write the matrix by",
    },
    seed: { type: "int", min: 1, max: 40, default: 8, label: "keys, drawn with seed" },
  },
};
