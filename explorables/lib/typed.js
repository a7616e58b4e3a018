// What a text field takes of what is typed, and what it says about the rest. No DOM here.

const quoted = (letters) => `“${letters}”`;
const SHOWN = 12; // letters of a long remainder

/**
 * Split a typed `value` for the text control `spec`: the letters that are `kept`, the kinds of letters
 * that are `strange` to the figure, and those `beyond` its length.
 */
export function typed({ maxLength, alphabet }, value) {
  const known = (letter) => !alphabet || alphabet.includes(letter);
  const letters = [...String(value ?? "")].map((c) => (known(c) ? c : c.toLowerCase()));
  const all = letters.filter(known);
  return {
    kept: all.slice(0, maxLength).join(""),
    beyond: maxLength === undefined ? [] : all.slice(maxLength),
    strange: [...new Set(letters.filter((letter) => !known(letter)))],
  };
}

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
      `The figure needs at least ${least} character${least > 1 ? "s" : ""} that it can read; until then it keeps what it had.`,
  ]
    .filter(Boolean)
    .join(" ");
}
