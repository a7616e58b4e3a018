// Deep recurrent networks (figure 10.13): their graphs, the lengths of paths, and the gradients that
// reach the inputs, as `rnn_helpers.reference` computes them. No DOM here.
import CONSTANTS from "./constants.json";
import { unfold, way } from "../lib/circuits.js";
import { random } from "../lib/random.js";
import {
  add,
  oneHot,
  orthogonalise,
  over,
  size,
  softmax,
  times,
  transpose,
  upTo,
} from "../lib/vectors.js";

/** The number of steps drawn, of steps back to the first input, of units in each layer, and of networks. */
export const { STEPS, BACK, UNITS, DRAWS } = CONSTANTS;

/** Return the names of weights and biases of the hidden layers in a place, from first to last. */
export function hidden(depth, box, state = 1) {
  if (box === "transition")
    return upTo(depth.transition).map((k) => [`T${state}_${k}`, `t${state}_${k}`]);
  const [weights, biases] = { input: "Aa", output: "Qq" }[box];
  return upTo(depth[box]).map((k) => [`${weights}${k}`, `${biases}${k}`]);
}

/** Return the circuit of the network before unfolding. Its edges have the names of the weights. */
export function circuit(depth) {
  const nodes = ["x"];
  const edges = [];
  const chain = (from, layers, late = 0) => {
    let [source, delay] = [from, late];
    for (const [parameter, name] of layers) {
      nodes.push(name);
      edges.push({ source, target: name, parameter, delay });
      [source, delay] = [name, 0];
    }
    return [source, delay];
  };
  let [below] = chain("x", hidden(depth, "input"));
  for (const k of upTo(depth.states)) {
    const state = `h${k}`;
    nodes.push(state);
    const [before, delay] = chain(state, hidden(depth, "transition", k), 1);
    edges.push({ source: below, target: state, parameter: `U${k}`, delay: 0 });
    edges.push({ source: before, target: state, parameter: `W${k}`, delay });
    if (skips(depth)) edges.push({ source: state, target: state, parameter: `S${k}`, delay: 1 });
    below = state;
  }
  const [above] = chain(below, hidden(depth, "output"));
  edges.push({ source: above, target: "o", parameter: "V", delay: 0 });
  return { nodes: [...nodes, "o"], edges };
}

/** Whether the network has a skip connection and a layer that it skips. */
export const skips = ({ skip, transition }) => skip && transition > 0;

/** The arrows of the graph over T steps, as pairs of `name:step`, without those from initial states. */
export function arrows(depth, T = STEPS) {
  const named = (node) => node.join(":");
  return unfold(circuit(depth), T)
    .edges.filter(({ source }) => source[1] > 0)
    .map(({ source, target }) => [named(source), named(target)]);
}

/** The nodes of a shortest path from the input of a step to the last output. */
export const shortest = (depth, from, T = STEPS) => way(arrows(depth, T), `x:${from}`, `o:${T}`);

/** Shapes of all parameters, in the order in which they are initialized. */
export function shapes(depth, n = UNITS) {
  const named = {};
  const layer = ([M, m]) => Object.assign(named, { [M]: [n, n], [m]: [n] });
  hidden(depth, "input").forEach(layer);
  for (const k of upTo(depth.states)) {
    Object.assign(named, { [`U${k}`]: [n, n], [`W${k}`]: [n, n], [`b${k}`]: [n] });
    if (skips(depth)) named[`S${k}`] = [n, n];
    hidden(depth, "transition", k).forEach(layer);
  }
  hidden(depth, "output").forEach(layer);
  return Object.assign(named, { V: [n, n], c: [n] });
}

export const weights = (depth, n = UNITS) =>
  Object.values(shapes(depth, n)).reduce((sum, shape) => sum + shape.reduce((p, q) => p * q), 0);

/** Random weights with PyTorch's variance, biases of zero, and random inputs. */
export function drawn(depth, seed, T = STEPS, n = UNITS) {
  const { normal } = random(seed);
  const vector = (scale) => Array.from({ length: n }, () => scale * normal());
  const params = {};
  for (const [name, shape] of Object.entries(shapes(depth, n))) {
    params[name] =
      shape.length === 1
        ? Array(n).fill(0)
        : Array.from({ length: n }, () => vector((3 * n) ** -0.5));
  }
  const x = Array.from({ length: T }, () => vector(1));
  if (depth.init === "orthogonal") preserve(params, skips(depth) ? "S" : "WT");
  return { params, x };
}

/** Make the matrices on the shortest path from state to state orthogonal, and the input matrix small. */
function preserve(params, path) {
  for (const name of Object.keys(params))
    if (path.includes(name[0])) params[name] = orthogonalise(params[name]);
  params.U1 = params.U1.map((row) => over(row, 5));
}

const tanh = (a) => a.map(Math.tanh);
/** The gradient before a tanh, from the gradient after it. */
const through = (h, grad) => grad.map((g, i) => (1 - h[i] ** 2) * g);

/** The input `v` and the values of each hidden layer after it. */
function forth(params, layers, v) {
  const values = [v];
  for (const [M, m] of layers) values.push(tanh(add(params[m], times(params[M], values.at(-1)))));
  return values;
}

/** The gradient with respect to the input of hidden layers, from that with respect to their output. */
const back = (params, layers, values, grad) =>
  layers.reduceRight((g, [M], k) => times(transpose(params[M]), through(values[k + 1], g)), grad);

/** Compute the values of all layers at each step. */
export function forward(params, depth, x) {
  const read = x.map((v) => forth(params, hidden(depth, "input"), v));
  let below = read.map((values) => values.at(-1));
  const states = upTo(depth.states).map((k) => {
    const values = [params[`b${k}`].map(() => 0)];
    const passed = below.map((v) => {
      const h = values.at(-1);
      const layers = forth(params, hidden(depth, "transition", k), h);
      const shares = [times(params[`U${k}`], v), times(params[`W${k}`], layers.at(-1))];
      if (skips(depth)) shares.push(times(params[`S${k}`], h));
      values.push(tanh(add(params[`b${k}`], ...shares)));
      return layers;
    });
    below = values.slice(1);
    return { values, passed };
  });
  const spoken = forth(params, hidden(depth, "output"), below.at(-1));
  return { read, states, spoken, o: add(params.c, times(params.V, spoken.at(-1))) };
}

/** The gradient of the last step's loss with respect to each input. The target is the first symbol. */
export function gradients(params, depth, x) {
  const run = forward(params, depth, x);
  const p = softmax(run.o);
  const target = oneHot(0, p.length);
  const grad_o = p.map((value, i) => value - target[i]);
  const last = back(
    params,
    hidden(depth, "output"),
    run.spoken,
    times(transpose(params.V), grad_o),
  );
  const nothing = last.map(() => 0);
  let grad = x.map((_, t) => (t === x.length - 1 ? last : nothing));
  for (const k of upTo(depth.states).reverse()) {
    const { values, passed } = run.states[k - 1];
    let later = nothing;
    const below = [];
    for (let t = x.length - 1; t >= 0; t--) {
      const grad_a = through(values[t + 1], add(grad[t], later));
      const layers = hidden(depth, "transition", k);
      later = back(params, layers, passed[t], times(transpose(params[`W${k}`]), grad_a));
      if (skips(depth)) later = add(later, times(transpose(params[`S${k}`]), grad_a));
      below[t] = times(transpose(params[`U${k}`]), grad_a);
    }
    grad = below;
  }
  return grad.map((g, t) => back(params, hidden(depth, "input"), run.read[t], g));
}

/**
 * How long the gradient is at the input so many steps back, from 0, compared with the last input: the
 * median over random networks.
 */
export function reach(depth, back = BACK, draws = DRAWS) {
  const each = upTo(draws).map((seed) => {
    const { params, x } = drawn(depth, seed, back + 1);
    const lengths = gradients(params, depth, x).map(size).reverse();
    return over(lengths, lengths[0]);
  });
  return each[0].map((_, k) => median(each.map((lengths) => lengths[k])));
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(values.length - 1) >> 1] + sorted[values.length >> 1]) / 2;
}
