export const meta = {
  question: "Where does each word send the state?",
  story:
    "The state of this loop is two numbers, so it is a point on a plane. It starts in the middle, and each word moves it. " +
    "The color of the place where it stops is the year that the network outputs. The dashed paths are those of the other three years. Move the year, change the length of the sentence, or step through it word by word.",
  prediction: {
    question:
      "With the year in second position, four words follow it, and the state stops at 2009. Drag the year to the third position, so that three words follow. Where will the state stop?",
    kind: "choice",
    choices: ["at 2009 again", "at a neighboring corner", "in the middle"],
    answer: "at a neighboring corner",
    why: "Each word after the year turns the state by a quarter of a circle. Four words take it all the way around, and three words take it only to the corner before.",
  },
  alt:
    "The sentence In 2009 I went to Nepal above a plane with one colored region for each of four years: 2006 top left, 2007 bottom left, 2009 bottom right and 2008 top right. " +
    "The path of the state starts in the middle, goes to the lower right with the year, and then visits top right, top left, bottom left and bottom right, one corner for each word. It stops in the region of 2009. Three dashed paths, one for each other year, turn in the same way and stop in their own regions. " +
    "Beside it, a list shows that the network names 4 of 4 years.",
  controls: {
    t: { type: "int", min: 0, max: 12, default: 12, label: "words read" },
    place: { type: "int", min: 1, max: 12, default: 2, label: "position of the year" },
    words: { type: "int", min: 2, max: 12, default: 6, label: "words" },
    trained: {
      type: "choice",
      options: [
        { value: "second", label: "always the second of six words" },
        { value: "any", label: "anywhere, in 2 to 10 words" },
      ],
      default: "second",
      label: "year in training",
    },
    year: { type: "int", min: 2006, max: 2009, default: 2009, label: "year" },
  },
};
