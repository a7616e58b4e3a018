// What a text field takes of what is typed, and what it says about the rest. No DOM here.
import { counted } from "./scales.js";

const quoted = (letters) => `“${letters}”`;
const SHOWN = 12; // letters of a long remainder

/** The letter as the figure reads it, a small one where it knows no other; undefined if it cannot. */
const reader =
  ({ alphabet }) =>
  (letter) =>
    [letter, letter.toLowerCase()].find((read) => !alphabet || alphabet.includes(read));

/** The letters of a typed `value` that are kept; the host of all figures needs no more than these. */
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

/** Say what such a string has lost; `symbols` names its alphabet. */
export const lost = ({ strange, cut }, symbols, most) =>
  (strange.length ? `${symbols}; left out: ${strange.map(quoted).join(" ")}. ` : "") +
  (cut ? `Only the first ${most} symbols are read.` : "");

/** Say what a text control leaves out of a typed `value`, in a sentence each; empty if nothing. */
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
