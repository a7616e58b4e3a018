import { html, svg } from "./dom.js";
import { format } from "./scales.js";

/**
 * The number whose logarithm to base 10 this is, in HTML: plain near 1, else as a power of ten with
 * so many digits in the exponent.
 */
export const fromLog = (log, digits = 0) =>
  near(log) ?? ["10", html("sup", {}, format(log, digits))];

/** The same for who listens. */
export const spokenLog = (log) => near(log) ?? `10 to the ${format(log, 0)}`;

/** In two or three digits. */
const near = (log) => (Math.abs(log) < 2.995 ? format(10 ** log, 2 - Math.trunc(log)) : null);

/** Something above the line of SVG text whose letters are `font` high; `after` is back on the line. */
export const raised = (above, font, after) => [
  svg("tspan", { dy: -0.38 * font, "font-size": Math.max(0.8 * font, 12.1) }, above),
  after && svg("tspan", { dy: 0.38 * font }, after),
];

/** A power of ten as an axis writes it. */
export const decade = (exponent, font) =>
  exponent === 0 ? "1" : ["10", raised(format(exponent, 0), font)];
