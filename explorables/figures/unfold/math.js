/** Placeholder until the circuits arrive: the steps of a chain. */
export const steps = (T) => Array.from({ length: T }, (_, i) => i + 1);
