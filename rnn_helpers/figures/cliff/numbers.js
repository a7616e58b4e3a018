import { format } from "../lib/scales.js";

/** The weight and the bias of a descent at update k, without decimals if far away. */
export const place = ({ w, b }, k) =>
  `(${[w[k], b[k]].map((value) => format(value, Math.abs(value) < 100 ? 2 : 0)).join(", ")})`;

/** Three digits of a size, without zeros at their end. */
export const digits = (value) =>
  value < 1e-3 ? "0.000" : value >= 1e4 ? plain(value) : String(Number(value.toPrecision(3)));

/** A size in three or four digits, or as a power of ten. */
export const plain = (value) =>
  value >= 0.001 && value < 1e4
    ? format(value, value < 0.01 ? 4 : 3)
    : value === 0
      ? "0"
      : value.toExponential(1).replace("-", "−").replace("+", "");
