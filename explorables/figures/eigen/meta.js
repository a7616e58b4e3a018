import { STEPS } from "./math.js";

export const meta = {
  question: "What do eigenvalues tell you about a state, and what do they hide?",
  story:
    "The same matrix is applied at every step. In the long run, the larger eigenvalue decides whether a state grows or vanishes, and the dashed lines show the rates. " +
    "Step through time to see what happens before. Then drag the eigenvalues and the start.",
  prediction: {
    question:
      "With the eigenvalues 0.95 and 0.7 and a non-normality of 2, the longest state grows before it vanishes. Keep these eigenvalues, but make the eigenvectors orthogonal (non-normality 0). What happens to the hump?",
    kind: "choice",
    choices: ["it stays the same", "it gets lower but stays above 1", "it disappears"],
    answer: "it disappears",
    why: "Now every state shrinks at every step: after one step, the longest possible state has length 0.95. The eigenvalues haven't changed, so they can't be the cause of the hump.",
  },
  alt:
    "Three views of a matrix with the eigenvalues 0.95 and 0.7, both inside the unit circle. Its eigenvectors are 7.1 degrees apart. " +
    "On a logarithmic axis, the longest state that can come from a start of length 1 has length 5.00 at step 6. " +
    "Then the lengths fall like 0.95 to the power t, and are below 1 from step 41 on. In the plane of states, " +
    "the circle of all starts has become a thin ellipse at step 6, where the state that is drawn has length 3.91.",
  controls: {
    re: { type: "float", min: -1.2, max: 1.2, step: 0.01, default: 0.95, label: "λ₁, real part" },
    im: { type: "float", min: -1.2, max: 1.2, step: 0.01, default: 0, label: "λ₁, imaginary part" },
    re2: { type: "float", min: -1.2, max: 1.2, step: 0.01, default: 0.7, label: "λ₂, if real" },
    c: { type: "float", min: 0, max: 10, step: 0.1, default: 2, label: "non-normality" },
    angle: {
      type: "float",
      min: 0,
      max: 360,
      step: 1,
      default: 120,
      label: "direction of the start",
    },
    t: { type: "int", min: 0, max: STEPS, default: 6, label: "time t" },
    modes: { type: "bool", default: false, label: "mode sum" },
  },
};
