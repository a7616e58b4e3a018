export const meta = {
  question: "How long does an untrained network remember?",
  story:
    "The network has 100 tanh units with random weights, and nothing was trained. " +
    "A pulse enters at step 0, and each line is the state of one unit.",
  words: [
    {
      when: { view: "memory" },
      question: "How much of the past can a readout recover?",
      story:
        "A reservoir of 100 units. For each delay, a readout was fitted to the input from that many steps ago. The curve shows the share that it explains on new steps, and the area below it is the memory. The other chart shows the output of one readout and its target.",
    },
    {
      when: { view: "map" },
      question: "At which settings does a reservoir remember the most?",
      story:
        "The stronger the color, the more inputs a reservoir of 100 units remembers, and a white dot marks the best measured radius for an input scale. To the left of the line, two starts meet in most reservoirs. The other chart shows the distance of two starts at the chosen point, and of two starts a millionth apart (dashed).",
    },
    {
      when: { view: "all" },
      question: "What does a leak change?",
      story:
        "All charts of the reservoir, and its third setting: the leak, which is the share of the state that is replaced at each step.",
    },
  ],
  prediction: {
    question:
      "At the pulse, the largest of the 100 states is 0.098 in size. How large is the largest one 20 steps later?",
    kind: "choice",
    choices: ["about 0.05, half of that", "about 0.01, a tenth of that", "exactly 0"],
    answer: "about 0.01, a tenth of that",
    why: "It is 0.012. The echo gets smaller and smaller, but it doesn't reach 0: after 50 steps, the largest state is still 0.0003 in size.",
  },
  alt:
    "Six lines over 100 steps, one for each of six units. All begin with a pulse at step 0, swing with different rhythms and fade. " +
    "A cursor stands at the pulse, where the largest of all 100 states is 0.098 in size.",
  controls: {
    view: {
      type: "choice",
      options: [
        { value: "echo", label: "echo of a pulse" },
        { value: "memory", label: "memory" },
        { value: "map", label: "map" },
        { value: "all", label: "everything" },
      ],
      default: "echo",
      fixed: true,
      label: "view",
    },
    radius: { type: "float", min: 0, max: 3, step: 0.01, default: 0.9, label: "spectral radius" },
    scale: { type: "float", min: 0.01, max: 10, log: true, default: 0.1, label: "input scale" },
    leak: { type: "float", min: 0.05, max: 1, step: 0.05, default: 1, label: "leak" },
    k: { type: "int", min: 0, max: 100, default: 0, label: "steps k" },
    over: {
      type: "choice",
      options: [
        { value: "input", label: "the input" },
        { value: "silence", label: "silence" },
      ],
      default: "silence",
      label: "pulse on top of",
    },
  },
};
