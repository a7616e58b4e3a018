// A figure's state in the page's address: `?fig.unfold=T:8;pattern:10.4`. Where a browser forbids
// changing the query (some do over file://), the hash carries it behind the section's anchor:
// `#sec-unfold?fig.unfold=T:8`.

const decode = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const split = (query = "") => query.split("&");

/** Return the anchor of the hash and, if it contains a question mark, the query behind it. */
const hash = () => location.hash.split(/\?(.*)/s);

/**
 * `[["T", "8"], …]` for one figure, or `[[""]]` if the address has none. The texts aren't checked yet.
 *
 * Other programs rewrite links: `URLSearchParams` writes `%3A` for `:`, `%3B` for `;` and `+` for a
 * blank. So a state without a colon is decoded before it's split, and a pair ends only where another
 * name and its colon follow.
 */
export function readState(key) {
  const name = `fig.${key}=`;
  const found = [...split(hash()[1]), ...split(location.search.slice(1))].find((part) =>
    part.startsWith(name),
  );
  const state = found?.slice(name.length).replaceAll("+", " ") ?? "";
  return (state.includes(":") ? state : decode(state))
    .split(/(?:;|%3B)(?=\w+:)/i)
    .map((pair) => pair.split(/:(.*)/s).map(decode));
}

/** Write the state of one figure into the address, without changing the rest. */
export function writeState(key, entries) {
  const name = `fig.${key}=`;
  const state = entries.map((pair) => pair.map(encodeURIComponent).join(":")).join(";");
  const update = (query) =>
    split(query)
      .filter((part) => part && !part.startsWith(name))
      .concat(state ? name + state : [])
      .join("&");
  const [anchor, inHash] = hash();
  const query = update(location.search.slice(1));
  try {
    history.replaceState(
      history.state,
      "",
      location.pathname + (query && `?${query}`) + location.hash,
    );
  } catch {
    // The question mark stays: an anchor alone, or an empty hash, would scroll the page.
    location.replace(`${anchor || "#"}?${update(inHash)}`);
  }
}

/** Scroll to the anchor of a hash that also contains a state. */
export function followAnchor() {
  const [anchor, ...query] = hash();
  if (query.length) document.getElementById(decode(anchor.slice(1)))?.scrollIntoView();
}
