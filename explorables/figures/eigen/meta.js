import { STEPS } from "./math.js";

export const meta = {
  question: "What do the eigenvalues say of a state, and what not?",
  story:
    "One matrix acts at every step. Both of its eigenvalues are below one, so every state must die out in the end; the dashed lines say how fast. " +
    "Follow the state on its way there, and drag the eigenvalues, the start and the time.",
  prediction: {
    question:
      "Keep the eigenvalues 0.95 and 0.7, but make the eigenvectors orthogonal (non-normality 0). What becomes of the hump?",
    kind: "choice",
    choices: ["it stays as it is", "it is lower, still above 1", "it is gone"],
    answer: "it is gone",
    why: "The longest state possible is then 0.95 long after one step, and shrinks on: every state shrinks at every step. The eigenvalues are the same as before, so they cannot have made the hump.",
  },
  alt:
    "Three views of a matrix with the eigenvalues 0.95 and 0.7, both inside the unit circle; its eigenvectors lie 7.1 degrees apart. " +
    "On a logarithmic axis the norm of W to the power t, the longest that a state of length 1 can have become, rises to 5.00 at step 6, " +
    "then falls like 0.95 to the power t and is below 1 from step 41 on. In the plane of the state, step 6 has made a thin ellipse " +
    "of the circle of all starts; the state drawn is then 3.91 long.",
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
