import { html } from "./dom.js";

/** Copy a text, where the clipboard is refused by an old command. Return whether it worked. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const focused = document.activeElement;
    const field = html("textarea", { style: "position: fixed; opacity: 0" });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    focused?.focus();
    return done;
  }
}
