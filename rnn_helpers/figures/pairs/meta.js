export const meta = {
  question: "How soon is each temperature ready?",
  story:
    "Both drawings compute the same cup of tea. In each round, a state is computed if all nodes with an " +
    "arrow to it are ready. Step through the rounds, and point at a state to see its sum. The arrows " +
    "that it needs are colored: on the right only its own, on the left also those of all states before.",
  prediction: {
    question: "How many of the temperatures are ready after one round?",
    kind: "choice",
    choices: ["one on each side", "one on the left, all on the right", "all on both sides"],
    answer: "one on the left, all on the right",
    why: "On the left, only the first temperature was ready to be computed, and each of the others waits for the one before. On the right, all arrows come from numbers that are known from the beginning.",
  },
  alt: "Two drawings of the same computation, with the rooms' temperatures 20, 20, 0 and 10 at the bottom and four empty states above them. Left, from the state before: the first temperature, 84, and each state lead to the next state, and each room to its own state. Right, from all the rooms: the first temperature and the rooms lead to every state of the same step or a later one, and no state leads to another. Nothing is computed yet.",
  controls: {
    T: { type: "int", min: 1, max: 8, default: 4, label: "steps T" },
    round: { type: "int", min: 0, max: 8, default: 0, label: "round" },
    at: { type: "int", min: 1, max: 8, default: 8, label: "state whose sum is shown" },
  },
};
