const MARKS = [
  [/`([^`]+)`/g, "code"],
  [/\*([^*\s](?:[^*]*[^*\s])?)\*/g, "em"],
  [/\^\{([^{}]+)\}/g, "sup"],
  [/_\{([^{}]+)\}/g, "sub"],
];

/**
 * A line of text as HTML, with `code`, *emphasis*, h^{(t)} and w_{ij}; the rest is escaped.
 * `inline` in rnn_helpers/explore/html.py does the same.
 */
export function inline(text) {
  const safe = text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return MARKS.reduce((html, [pattern, tag]) => html.replace(pattern, `<${tag}>$1</${tag}>`), safe);
}

/** A number with a true minus and its unit, or a text unchanged. */
export function spell(value, unit = "") {
  if (typeof value === "string") return value;
  const text = String(Number(value.toPrecision(6))).replace("-", "−");
  return unit ? `${text} ${unit}` : text;
}
