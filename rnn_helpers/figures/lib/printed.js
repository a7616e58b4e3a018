// Reads what Python, NumPy or torch print, and compares it with the values that answers have.
// rnn_helpers/checks/instance.py makes these values.

/** Why a text can't be read as a printed result, in words for its writer. */
class Unreadable extends Error {}

/** A number, string or truth value. A number may be rounded by up to `unit`. */
class Leaf {
  constructor(leaf, unit = 0) {
    Object.assign(this, { leaf, unit });
  }
}

const TOKEN =
  /\s*(?:(\.\.\.)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?:\s*\/\s*(\d+(?:\.\d*)?))?(\s*%)?|([-+]?(?:inf|nan)\b)|([A-Za-z_<][\w.<>/]*)|([[\](){},:=]))/y;
const CLOSING = { "[": "]", "(": ")", "{": "}" };
const TRUTH = { True: true, False: false, true: true, false: false };

function tokens(text) {
  const all = [];
  TOKEN.lastIndex = 0;
  while (text.slice(TOKEN.lastIndex).trim()) {
    const rest = text.slice(TOKEN.lastIndex).trim();
    const found = TOKEN.exec(text);
    if (!found) throw new Unreadable(`This can’t be read from “${rest.slice(0, 12)}” on.`);
    const [, dots, quoted, number, under, percent, special, word, sign] = found;
    if (dots) throw new Unreadable("NumPy left out entries at the dots. Print the whole array.");
    if (quoted) all.push({ leaf: quoted.slice(1, -1).replace(/\\(.)/g, "$1") });
    else if (number) all.push(numeral(number.replaceAll("_", ""), under, percent));
    else if (special) all.push({ leaf: special.replace("+", "") });
    else all.push(word ? { word } : { sign });
  }
  return all;
}

/** A number as it is written: `unit` is half a unit of its last digit. */
function numeral(text, under, percent) {
  const [mantissa, exponent = 0] = text.toLowerCase().split("e");
  const digits = mantissa.split(".")[1]?.length ?? 0;
  const share = (under ?? 1) * (percent ? 100 : 1);
  return { leaf: text / share, unit: under ? 0 : (0.5 * 10 ** (exponent - digits)) / share };
}

/**
 * Read a printed result as lists (of arrays, tuples and sets), objects (of dictionaries) and leaves.
 * Several results without brackets around them become a list with `bare`.
 */
function read(text) {
  const plain = text
    .replace(/^(?:>>>|In \[\d*\]:).*$/gm, "")
    .replace(/^Out\[\d*\]:/gm, "")
    .replace(/[−–]/g, "-")
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'");
  const all = tokens(plain);
  let at = 0;
  const is = (sign) => all[at]?.sign === sign;
  const items = (end) => {
    const found = [];
    while (at < all.length && !(end && is(end))) {
      if (is(",")) at++;
      else if (all[at].word && all[at + 1]?.sign === "=") {
        at += 2; // dtype=float32
        value();
      } else {
        const item = value();
        if (is(":")) {
          at++;
          found.isDict = true;
          found.push([String(item.leaf), value()]);
        } else found.push(item);
      }
    }
    if (end && all[at++]?.sign !== end)
      throw new Unreadable(`A bracket is open: “${end}” is missing.`);
    return found;
  };
  const value = () => {
    const { sign, word, leaf, unit } = all[at++] ?? {};
    if (sign) {
      if (!CLOSING[sign]) throw new Unreadable(`There is one “${sign}” too many.`);
      const list = items(CLOSING[sign]);
      if (list.isDict) return Object.fromEntries(list);
      return sign === "{" ? list.sort((a, b) => (String(a.leaf) < String(b.leaf) ? -1 : 1)) : list;
    }
    if (word && is("(")) {
      at++;
      const [first = [], second] = items(")");
      if (!/Fraction|Decimal/.test(word)) return first;
      return new Leaf(first.leaf / (second?.leaf ?? 1));
    }
    if (word) {
      const name = word.replace(/^np\.(\w+?)_?$/, "$1"); // np.True_
      return new Leaf(TRUTH[name] ?? name);
    }
    if (leaf === undefined) throw new Unreadable("Something is missing at the end.");
    return new Leaf(leaf, unit);
  };
  const whole = items();
  if (!whole.length) throw new Unreadable("Paste the printed result first.");
  return whole.length === 1 ? whole[0] : Object.assign(whole, { bare: true });
}

const isList = Array.isArray;
const isLeaf = (tree) => typeof tree !== "object" || tree instanceof Leaf;

/** The leaves of a tree with their paths, a dictionary's by its sorted keys. */
function leaves(tree, path = []) {
  if (isLeaf(tree)) return [{ path, ...(tree instanceof Leaf ? tree : { leaf: tree }) }];
  const keys = isList(tree) ? [...tree.keys()] : Object.keys(tree).sort();
  return keys.flatMap((key) => leaves(tree[key], [...path, key]));
}

/** Where the forms of two trees part, and how; undefined if they have one form. */
function misfit(given, wanted, path = []) {
  const kind = (tree) => (isLeaf(tree) ? "one value" : isList(tree) ? "a list" : "a dictionary");
  if (kind(given) !== kind(wanted))
    return { path, told: `it should be ${kind(wanted)}, not ${kind(given)}` };
  if (isLeaf(wanted)) return;
  const [keys, wantedKeys] = [given, wanted].map((tree) => Object.keys(tree).sort());
  if (isList(wanted) && keys.length !== wantedKeys.length)
    return { path, told: `it should have length ${wantedKeys.length}, not ${keys.length}` };
  if (keys.join() !== wantedKeys.join())
    return { path, told: `its keys should be ${wantedKeys.join(", ")}` };
  for (const key of keys) {
    const found = misfit(given[key], wanted[key], [...path, isList(wanted) ? Number(key) : key]);
    if (found) return found;
  }
}

const NEAR = 5e-4; // of the largest number of a result: four digits, as torch prints them
const SINGLE = 1e-5; // as in rnn_helpers/checks/core.py
const isNumber = (value) => typeof value === "number";

/** How far each leaf is off, in units of what is allowed: up to 1 it is right. */
function distances(given, wanted, { tolerance, calls }, strict) {
  const group = ({ path }) => (calls > 1 ? path[0] : 0);
  const largest = {};
  for (const one of wanted)
    if (isNumber(one.leaf))
      largest[group(one)] = Math.max(largest[group(one)] ?? 0, Math.abs(one.leaf));
  return wanted.map((one, i) => {
    const [x, w] = [given[i].leaf, one.leaf];
    if (!isNumber(x) || !isNumber(w)) return String(x) === String(w) ? 0 : Infinity;
    const scale = largest[group(one)] || 1;
    let allowed = tolerance * Math.max(1, Math.abs(w));
    if (!strict)
      allowed = Math.max(allowed, Math.min(given[i].unit * 1.001, NEAR * scale), SINGLE * scale);
    if (Number.isSafeInteger(w) && Number.isSafeInteger(x)) allowed = Math.min(allowed, 0.4);
    return Math.abs(x - w) / allowed;
  });
}

/** A place in the result, as its reader would look it up: “the 2nd result at ['W'][0, 1]”. */
function place(path, { calls }) {
  const [call, ...inner] = calls > 1 ? path : [0, ...path];
  const index = inner
    .map((key) => (isNumber(key) ? `[${key}]` : `['${key}']`))
    .join("")
    .replaceAll("][", ", ")
    .replace(/('), /g, "$1][")
    .replace(/, (')/g, "][$1");
  const result = calls > 1 ? `the ${["1st", "2nd", "3rd"][call] ?? "last"} result` : "the result";
  return index ? `${result} at ${index}` : result;
}

const DIGITS = "This has too few digits to judge. Give at least four that count, as in 0.001843.";
const STOPPED = /^(?:[\w.]*\.)?([A-Z]\w*(?:Error|Exception|Interrupt|Iteration|Warning))\b/m;

/**
 * Judge a pasted text: whether the value is right and what to say. `asked` is what `asked` in
 * rnn_helpers/checks/instance.py returns.
 */
export function judgePrinted(text, asked) {
  const { right, wrong, calls, hint } = asked;
  const no = (told) => ({ right: false, told });
  const stopped = STOPPED.exec(text)?.[1];
  if (stopped) {
    const known = wrong.find(({ stops }) => stops === stopped);
    return no(known?.hint ?? `Python stops with ${stopped}. Which line stops?`);
  }
  let given;
  try {
    // Python prints a single string without its quotation marks.
    given =
      typeof right === "string"
        ? new Leaf(text.trim().replace(/^(["'])(.*)\1$/s, "$2"))
        : read(/^\s*[-−]?\d+,\d+\s*$/.test(text) ? text.replace(",", ".") : text);
  } catch (error) {
    if (error instanceof Unreadable) return no(error.message);
    throw error;
  }
  const written = leaves(given);
  const known = [{ value: right }, ...wrong.filter(({ value }) => value !== undefined)].map(
    (one) => ({ ...one, all: leaves(one.value) }),
  );
  const fits = ({ value, all }) =>
    given.bare ? all.length === written.length : !misfit(given, value);
  const farthest = (one, strict) => Math.max(0, ...distances(written, one.all, asked, strict));
  const fitting = known.filter(fits);
  for (const strict of [true, false]) {
    const off = fitting.map((one) => farthest(one, strict));
    const nearest = off.indexOf(Math.min(...off));
    if (off[nearest] > 1 || nearest < 0) continue;
    const { hint: itsHint } = fitting[nearest];
    return itsHint === undefined ? { right: true, told: asked.success } : no(itsHint);
  }
  const rough = ({ all }) =>
    all.every(({ leaf }, i) =>
      isNumber(leaf)
        ? Math.abs(written[i].leaf - leaf) <= written[i].unit * 1.001
        : written[i].leaf === leaf,
    );
  if (fitting.some(rough)) return no(DIGITS);
  const other = !given.bare && misfit(given, right);
  if (other)
    return no(`${hint} Look at the form of ${place(other.path, { calls })}: ${other.told}.`);
  if (!fits(known[0])) return no(hint);
  const off = distances(written, known[0].all, asked, false);
  const first = known[0].all[off.findIndex((distance) => distance > 1)];
  return no(`${hint} The first difference is in ${place(first.path, { calls })}.`);
}
