import { html, svg } from "./dom.js";
import { format } from "./scales.js";

/**
 * Write a number, given its logarithm to base 10, in HTML: as a decimal if it is near 1, or else as a
 * power of ten whose exponent has `digits` decimals.
 */
export const fromLog = (log, digits = 0) =>
  near(log) ?? ["10", html("sup", {}, format(log, digits))];

/** The same for screen readers. */
export const spokenLog = (log) => near(log) ?? `10 to the power ${format(log, 0)}`;

/** Write it with two or three digits. */
const near = (log) => (Math.abs(log) < 2.995 ? format(10 ** log, 2 - Math.trunc(log)) : null);

/** A superscript in SVG text whose letters are `font` high; `after` is on the line again. */
export const raised = (above, font, after) => [
  svg("tspan", { dy: -0.38 * font, "font-size": Math.max(0.8 * font, 12.1) }, above),
  after && svg("tspan", { dy: 0.38 * font }, after),
];

/** A power of ten on an axis. */
export const decade = (exponent, font) =>
  exponent === 0 ? "1" : ["10", raised(format(exponent, 0), font)];
