export const meta = {
  question: "Can one number tell whether we are inside?",
  story:
    "Three ways to read a row of quotation marks, each with one number. After an odd number of marks, we are inside a quotation (filled dots), and after an even number outside (hollow dots). " +
    "Read more marks, and see where filled and hollow dots stay apart. Then let them read brackets.",
  words: [
    {
      when: { read: "brackets" },
      question: "Can one number tell how deep we are?",
      story:
        "Each bracket opens inside the one before, so each depth needs a place of its own. A count goes up by 1 and never stops growing. The other two numbers stay below 1, and the depths move closer and closer together.",
    },
  ],
  prediction: {
    question:
      "After four marks, all three numbers are different for odd and even. In which rows can you still tell the last filled dot from the last hollow one after forty marks?",
    kind: "choice",
    choices: ["in all three", "in the first only", "in none"],
    answer: "in the first only",
    why: "The first number is multiplied by −1 at each mark and never settles. The other two move toward 1 in steps that become smaller and smaller.",
  },
  alt:
    "Three number lines with a dot for the state after 0, 1, 2, 3 and 4 marks. In the first line, the number is multiplied by −1 at each mark, so the even dots are at 1 and the odd ones at −1. " +
    "In the second, the number goes from 0 toward 1, 0.2 of the way at each mark. In the third, the average with one word that is no mark, it goes from 0 to 0.5, 0.67, 0.75 and 0.8.",
  controls: {
    read: {
      type: "choice",
      options: [
        { value: "marks", label: "quotation marks" },
        { value: "brackets", label: "opening brackets" },
      ],
      default: "marks",
      label: "read",
    },
    n: { type: "int", min: 1, max: 40, default: 4, label: "how many" },
  },
};
