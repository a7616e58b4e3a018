export const meta = {
  question: "What does an untrained network make of your rhythm?",
  story:
    "Press Clap in time, or switch the pads. Each row of the picture is a unit of a network with random weights: red for a positive state, blue for a negative one. Play makes it audible. Each unit has another pitch, and the larger its state, the louder it sounds.",
  words: [
    {
      when: { view: "fit" },
      question: "How do echoes add up to a rhythm?",
      story:
        "Each unit rings for a while after every clap. A readout multiplies its state by a weight and adds up all units. The weights were fitted to random rhythms, so that the sum repeats the input some steps later. Play lets you hear the rhythm and then the sum.",
    },
    {
      when: { view: "leak" },
      question: "What do longer echoes add up to?",
      story:
        "The same network and the same fit. With a smaller leak, each unit replaces less of its state at each step, so its echo becomes longer and smoother.",
    },
    {
      when: { view: "lose" },
      question: "How can a rhythm get lost?",
      story:
        "The readout repeats the rhythm of 16 steps before and is fitted again for each setting. Change the radius or the leak, and press Play to hear what is left.",
    },
    {
      when: { view: "past" },
      question: "Does a clap always leave the same trace?",
      story:
        "Before the clap, the network received one of four long random rhythms. A line shows what the clap changes in the state of one unit: the state with the clap minus the state without it. There is a line for each of the four pasts.",
    },
  ],
  prediction: {
    question:
      "The network has had no input since the last clap. Is the rhythm still in the marked column, so that somebody who sees only the states of that one step could clap it again?",
    kind: "choice",
    choices: ["no, the numbers are a blur", "only the last claps", "yes, the whole rhythm"],
    answer: "yes, the whole rhythm",
    why: "The bars below the picture are computed from the states of the marked column and nothing else. Move the column to find out how long this goes on.",
  },
  alt:
    "Sixteen pads, of which five are on: steps 1, 4, 7, 11 and 13. Below them, a picture with 24 rows, one for each unit, and 48 columns, one for each step. " +
    "Its cells turn red and blue after each clap, the rows in different patterns, and the colors become paler after the last clap until they are hardly visible. " +
    "A strip of bars shows the loudness: it is highest at the claps and then falls. A frame marks the column of step 24.",
  controls: {
    view: {
      type: "choice",
      options: [
        { value: "ring", label: "ringing units" },
        { value: "fit", label: "a readout" },
        { value: "leak", label: "a readout of leaky units" },
        { value: "lose", label: "a readout at any setting" },
        { value: "past", label: "one clap after four pasts" },
      ],
      default: "ring",
      fixed: true,
      label: "view",
    },
    rhythm: {
      type: "text",
      maxLength: 16,
      alphabet: "x.",
      default: "x..x..x...x.x...",
      label: "rhythm",
    },
    read: { type: "bool", default: false, label: "read the rhythm" },
    at: { type: "int", min: 16, max: 48, default: 24, label: "marked step" },
    k: { type: "int", min: 0, max: 32, default: 16, label: "steps later, k" },
    units: { type: "int", min: 1, max: 100, default: 100, label: "units in the sum" },
    radius: { type: "float", min: 0, max: 3, step: 0.01, default: 0.9, label: "spectral radius" },
    leak: { type: "float", min: 0.1, max: 1, step: 0.05, default: 1, label: "leak" },
  },
};
