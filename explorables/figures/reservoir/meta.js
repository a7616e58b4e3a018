export const meta = {
  question: "Is a spectral radius of 3 better than 0.9?",
  story:
    "One hundred units hear noise. Their weights stay as drawn; what is learned is a readout for each delay k, which repeats the input of k steps ago. How far back that works is decided by the radius and the loudness together: drag the point. Quiet, a radius of 3 keeps nothing, for the reservoir hears only itself; loud, it keeps a little more than 0.9.",
  prediction: {
    question:
      "At a radius of 0.9 these weights remember 27 past inputs. The same weights scaled to a radius of 3, the input as quiet as before: what remains of the memory?",
    kind: "choice",
    choices: ["about 50", "about 10", "nothing"],
    answer: "nothing",
    why: "The capacities add up to less than 0.2, no more than noise alone would give. The states are as lively as tanh lets them be, but the reservoir makes that life itself: two starts a millionth apart part company, and the quiet input goes unheard. At input scale 10 the starts meet even with a radius of 3, and 4.2 past inputs are remembered, against 3.3 with 0.9.",
  },
  alt:
    "A reservoir of 100 units with spectral radius 0.9 and input scale 0.1 stands on a map of the memory of 20 reservoirs, " +
    "which is darkest, 42 past inputs, at a radius of 0.95 and the quietest input, and pale at 3. This one remembers 26.6 past inputs: " +
    "nearly all of each up to a delay of 15, 95 percent at 20, nothing from 50 on. The readout for a delay of 20 follows the true input closely. " +
    "An impulse echoes in the units for some 20 steps. Two starts, 9.1 apart, are 0.000055 apart after 100 steps of the same input.",
  controls: {
    radius: { type: "float", min: 0, max: 3, step: 0.01, default: 0.9, label: "radius" },
    scale: { type: "float", min: 0.01, max: 10, log: true, default: 0.1, label: "input scale" },
    leak: { type: "float", min: 0.05, max: 1, step: 0.05, default: 1, label: "leak" },
    k: { type: "int", min: 0, max: 100, default: 20, label: "delay k" },
    over: {
      type: "choice",
      options: [
        { value: "input", label: "the input" },
        { value: "silence", label: "silence" },
      ],
      default: "input",
      label: "impulse over",
    },
  },
};
