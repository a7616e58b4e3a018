const MARKS = [
  [/`([^`]+)`/g, "code"],
  [/\*([^*\s](?:[^*]*[^*\s])?)\*/g, "em"],
  [/\^\{([^{}]+)\}/g, "sup"],
  [/_\{([^{}]+)\}/g, "sub"],
];

/**
 * A line of words as HTML: `code`, *emphasis*, h^{(t)} and w_{ij}; all else is escaped.
 * `inline` in rnn_helpers/explore/html.py sets the same.
 */
export function inline(text) {
  const safe = text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return MARKS.reduce((html, [pattern, tag]) => html.replace(pattern, `<${tag}>$1</${tag}>`), safe);
}

/** A number as people write it, with its unit; a text as it is. */
export function spell(value, unit = "") {
  if (typeof value === "string") return value;
  const text = String(Number(value.toPrecision(6))).replace("-", "−");
  return unit ? `${text} ${unit}` : text;
}
