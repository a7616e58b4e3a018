// Decides which typed characters a text field accepts, and explains why others are left out. No DOM here.
import { counted } from "./scales.js";

const quoted = (letters) => `“${letters}”`;
const SHOWN = 12; // letters of a long remainder

/** The letter as the figure reads it: itself or in lower case, or undefined if the figure can't read it. */
const reader =
  ({ alphabet }) =>
  (letter) =>
    [letter, letter.toLowerCase()].find((read) => !alphabet || alphabet.includes(read));

/** The letters of a typed `value` that are kept. The host uses only this function. */
export const readable = (spec, value) =>
  [...String(value ?? "")].map(reader(spec)).filter(Boolean).slice(0, spec.maxLength).join("");

/**
 * Split a typed `value` for the text control `spec`: the letters that are `kept`, the kinds of letters
 * that are `strange` to the figure, and those `beyond` its length.
 */
export function typed(spec, value) {
  const kept = readable(spec, value);
  const { alphabet } = spec;
  const strange = [...String(value ?? "")].filter((letter) => !reader(spec)(letter));
  return {
    kept,
    beyond: [...readable({ alphabet }, value).slice(kept.length)],
    strange: [...new Set(strange.map((letter) => letter.toLowerCase()))],
  };
}

/**
 * Read a typed string that may end in </s>: the letters of the `alphabet`, at most `most` of them. `strange`
 * lists the other letters, and `cut` says whether the string is longer.
 */
export function spelled(text, alphabet, most) {
  const letters = [...text.trim().replace(/<\/s>$/, "")];
  const isKnown = (letter) => alphabet.includes(letter);
  const known = letters.filter(isKnown);
  const strange = [...new Set(letters.filter((letter) => !isKnown(letter)))];
  return { known: known.slice(0, most), strange, cut: known.length > most };
}

/** Explain which symbols of such a string were left out; `symbols` describes its alphabet. */
export const lost = ({ strange, cut }, symbols, most) =>
  (strange.length ? `${symbols}; left out: ${strange.map(quoted).join(" ")}. ` : "") +
  (cut ? `Only the first ${most} symbols are read.` : "");

/** Explain, in a sentence each, what a text control leaves out of a typed `value`. */
export function leftOut(spec, value) {
  const { kept, beyond, strange } = typed(spec, value);
  const least = spec.minLength ?? 0;
  return [
    beyond.length > 0 &&
      `${spec.maxLength} characters is the most that fits here: ${quoted(
        beyond.length > SHOWN ? `${beyond.slice(0, SHOWN).join("")}…` : beyond.join(""),
      )} is left out.`,
    strange.length > 0 &&
      `The figure can’t read ${strange.slice(0, SHOWN).map(quoted).join(", ")}, so it leaves that out.`,
    kept.length < least &&
      `The figure needs at least ${counted(least, "character")} that it can read; until then it keeps what it had.`,
  ]
    .filter(Boolean)
    .join(" ");
}
