/** Return a function that calls `f` again only when one of its arguments has changed. */
export function remembered(f) {
  let [last, value] = [null, null];
  return (...given) => {
    if (!last || given.some((one, i) => one !== last[i])) [last, value] = [given, f(...given)];
    return value;
  };
}
