import { STEPS } from "./math.js";

export const meta = {
  question: "What do eigenvalues tell you about a state, and what do they hide?",
  story:
    "The same matrix is applied at every step. In the long run, the eigenvalues decide how fast states grow or vanish (the dashed lines). " +
    "Step through time to see what happens before.",
  prediction: {
    question:
      "The longest state grows before it vanishes, although the eigenvalues are 0.95 and 0.7. What happens to this hump if you make the eigenvectors orthogonal (non-normality 0)?",
    kind: "choice",
    choices: ["it stays the same", "it gets lower", "it disappears"],
    answer: "it disappears",
    why: "Now every state shrinks at every step, the longest by a factor of 0.95. So eigenvalues alone can't cause the hump.",
  },
  alt:
    "Three views of a matrix with the eigenvalues 0.95 and 0.7. " +
    "The longest state that can come from a start of length 1 has length 5.00 at step 6. " +
    "Then it falls like 0.95 to the power t, below 1 from step 41 on. In the plane of states, " +
    "the circle of starts is an ellipse at step 6, where the state drawn has length 3.91.",
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
