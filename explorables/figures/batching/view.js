import { button, control, controls, setAll } from "../../lib/controls.js";
import { html, set, setSize, svg, text, uniqueId } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { draggable, keySlider, knob } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { roving } from "../../lib/roving.js";
import { clamp, format, linear } from "../../lib/scales.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { meta } from "./meta.js";
import {
  arrange,
  compute,
  cutsOf,
  lengths,
  losses,
  MANY,
  moved,
  read,
  recut,
  room as roomOf,
  sentences,
  WORDS,
  written,
} from "./math.js";

/** Cuts that have a handle each; where there are more, fingers could not tell them apart. */
const CUTS = 15;
/** Pixels that a hand must move before a sentence follows: a click chooses it. */
const STILL = 6;
const LONGEST = Math.max(...lengths);
/** What a button for each order says, and what has then been done. */
const ACTIONS = {
  given: ["as in the text", "in the text’s order"],
  random: ["shuffle sentences", "shuffled"],
  sorted: ["sort by length", "sorted by length"],
  groups: ["sort, shuffle minibatches", "sorted, minibatches shuffled"],
};

const percent = (share) => `${format(100 * share, 0)} %`;
const bold = (kind, ...says) => html("b", { class: kind }, ...says);

export function render({ model, el }) {
  const { controls: spec } = meta;
  const hatch = uniqueId("hatch");
  const ground = svg("g");
  const blocks = svg("path", { class: "blocks", fill: `url(#${hatch})` });
  const labels = svg("g");
  const rows = sentences.map((_, i) =>
    svg(
      "g",
      { class: "strip", role: "button", "data-node": i + 1 },
      svg("rect", { class: "hit" }),
      svg("rect", { class: "bar" }),
    ),
  );
  const handle = svg(
    "g",
    { class: "handle" },
    svg("rect", { class: "hold" }),
    svg("rect", { class: "outline" }),
    knob({}),
  );
  const cuts = Array.from({ length: CUTS }, () =>
    svg(
      "g",
      { class: "handle cut" },
      svg("path", { class: "line" }),
      svg("rect", { class: "uf-ring" }),
      svg("path", { class: "grip" }),
      svg("path", { class: "along" }),
    ),
  );
  const stripes = svg("path", { class: "stripe" });
  const pattern = svg("pattern", { id: hatch, patternUnits: "userSpaceOnUse" }, stripes);
  const drawing = svg(
    "svg",
    {
      class: "uf-drawing",
      role: "group",
      "aria-label": "A row for each sentence, in minibatches; what is hatched is padding",
    },
    svg("defs", {}, pattern),
    ground,
    blocks,
    svg("g", {}, rows),
    labels,
    cuts,
    handle,
  );
  const area = html("div", { class: "area" }, drawing);
  const told = html("div", { class: "told" });
  const title = html("p", {});
  const table = html("table");
  const strip = html(
    "div",
    { class: "uf-scroll", role: "region", "aria-label": "the chosen sentence, step by step" },
    table,
  );
  const say = live();
  const write = (state) => setAll(model, state);
  const actions = Object.entries(ACTIONS).map(([order, [name]]) =>
    button(name, () => {
      const again = order === model.get("order") && !read(model.get("own"));
      const { min, max } = spec.seed;
      const seed = again ? (model.get("seed") % max) + min : model.get("seed");
      write({ order, seed, own: "" });
    }),
  );
  // Who asks for another size is done with what was cut by hand.
  const size = control(model, "size", spec.size);
  for (const type of ["input", "change"]) size.addEventListener(type, () => write({ own: "" }));
  el.classList.add("fig-batching");
  el.append(
    html("div", { class: "stage" }, area, told),
    html("div", { class: "sentence" }, title, strip),
    html(
      "div",
      { class: "bars" },
      controls(
        html("div", { class: "uf-control orders", role: "group", "aria-label": "order" }, actions),
      ),
      controls(size, control(model, "mask", spec.mask)),
    ),
    guess(meta.prediction, () =>
      write({ order: "random", size: 32, seed: spec.seed.default, own: "" }),
    ),
    say,
  );

  let now;
  let at;
  let shown; // what the table holds
  const place = (sentence) => now.places.indexOf(sentence - 1);
  const arrangeAs = (groups) => model.set("own", written(groups));

  // ---- hands: a sentence goes to another place, a cut to another
  let from;
  const grasp = (point) => (from = { y: point.y, groups: now.groups, moving: false });
  const pull = (go) => (point) => {
    from.moving ||= Math.abs(point.y - from.y) > STILL;
    if (from.moving) go(point);
  };
  const release = () => {
    drawing.classList.remove("moving");
    model.save_changes();
  };
  const take = (point) => {
    drawing.classList.add("moving");
    grasp(point);
    from.place = place(model.get("sentence"));
  };
  draggable(handle, {
    surface: drawing,
    start: take,
    end: release,
    move: pull((point) => arrangeAs(moved(from.groups, from.place, at.row(point.y)))),
  });
  const rowSpoken = keySlider(handle, {
    label: "the chosen sentence’s place",
    min: 1,
    max: MANY,
    step: -1,
    get: () => (now ? place(model.get("sentence")) + 1 : 1),
    change: (to) => {
      arrangeAs(moved(now.groups, place(model.get("sentence")), to - 1));
      model.save_changes();
    },
    text: (row) => `row ${row}${now ? `, ${percent(now.padding)} padding` : ""}`,
  });
  const cutSpoken = cuts.map((node, k) => {
    const put = (groups, to) => arrangeAs(recut(groups, k, clamp(to, ...roomOf(groups, k))));
    draggable(node, {
      surface: drawing,
      start: grasp,
      end: release,
      move: pull((point) => put(from.groups, at.between(point.y))),
    });
    return keySlider(node, {
      label: `cut after minibatch ${k + 1}`,
      min: 1,
      max: MANY - 1,
      step: -1,
      get: () => (now && cutsOf(now.groups)[k]) ?? 1,
      change: (to) => {
        put(now.groups, to);
        model.save_changes();
      },
      text: (row) => `after row ${row}${now ? `, ${percent(now.padding)} padding` : ""}`,
    });
  });
  for (const node of [handle, ...cuts]) set(node, { "aria-orientation": "vertical" });
  roving(drawing, (id) => write({ sentence: Number(id) }));
  // A mouse takes any row and goes; a finger that only scrolls must first choose one.
  drawing.addEventListener("pointerdown", (press) => {
    const row = press.target.closest(".strip");
    if (!row || press.pointerType !== "mouse" || press.button) return;
    write({ sentence: Number(row.dataset.node) });
    handle.dispatchEvent(new PointerEvent("pointerdown", press));
    press.preventDefault();
  });

  function resize({ width, em, room }) {
    const narrow = width < 32 * em;
    const font = Math.max((room < Infinity ? 0.9 : narrow ? 0.8 : 0.85) * em, 12);
    const top = 1.5 * em;
    const high = room === Infinity ? 24.6 * em : (room - 10.2) * em;
    const [left, right] = [1.6 * em, 1.7 * em + (narrow ? 2.9 : 6.2) * font];
    at = { narrow, font, em, top, left, right, width, bottom: top + high };
    at.step = linear([0, LONGEST], [left, width - right]);
    setSize(drawing, width, at.bottom);
    set(pattern, { width: 0.4 * em, height: 0.4 * em });
    set(stripes, {
      d: `M${-0.1 * em} ${0.1 * em}l${0.2 * em} ${-0.2 * em}M0 ${0.4 * em}l${0.4 * em} ${-0.4 * em}M${0.3 * em} ${0.5 * em}l${0.2 * em} ${-0.2 * em}`,
    });
    ground.replaceChildren(
      ...at.step
        .ticks(narrow ? 4 : 5)
        .flatMap((t) => [
          svg("path", { class: "grid", d: `M${at.step(t)} ${top}V${at.bottom}` }),
          text(at, at.step(t), 0.6 * em, { class: "tick" }, t || "steps"),
        ]),
    );
    now = null;
    shown = null;
  }

  function update() {
    const state = settings(model, spec);
    const groups = arrange(state);
    now = { ...state, groups, places: groups.flat(), hand: read(state.own), ...compute(groups) };
    const { top, bottom, em, font, narrow, width, right } = at;
    const gap = Math.min(0.5 * em, (0.3 * (bottom - top)) / groups.length);
    const high = (bottom - top - gap * (groups.length - 1)) / MANY;
    const bounds = cutsOf(groups);
    const y = (row) => top + row * high + gap * bounds.filter((cut) => cut <= row).length;
    at.y = y;
    // The row whose middle is nearest, and how many rows begin above.
    const middles = now.places.map((_, row) => y(row) + high / 2);
    at.row = (py) =>
      middles.reduce(
        (best, m, i) => (Math.abs(m - py) < Math.abs(middles[best] - py) ? i : best),
        0,
      );
    at.between = (py) => middles.filter((m) => m < py).length;

    const chosen = place(now.sentence);
    const px = (value) => value.toFixed(1);
    now.places.forEach((sentence, row) => {
      const [hit, bar] = rows[sentence].children;
      rows[sentence].style.transform = `translate(0px, ${px(y(row))}px)`;
      set(hit, { x: px(at.left), width: px(width - at.left - right), height: px(high) });
      set(bar, {
        x: px(at.left),
        height: px(high),
        "stroke-width": px(0.16 * high),
        width: px(at.step(lengths[sentence]) - at.left),
      });
      set(rows[sentence], {
        tabindex: row === chosen ? 0 : -1,
        "aria-label": `row ${row + 1}, ${lengths[sentence]} steps`,
      });
    });
    const starts = [0, ...bounds];
    const end = (g) => y(starts[g] + groups[g].length - 1) + high;
    set(blocks, {
      d: now.batches
        .map(
          ({ T }, g) =>
            `M${px(at.left)} ${px(y(starts[g]))}H${px(at.step(T))}V${px(end(g))}H${px(at.left)}z`,
        )
        .join(""),
    });
    const named = now.batches
      .map(({ T, padding }, g) => {
        const middle = (y(starts[g]) + end(g)) / 2;
        const says = narrow ? percent(padding) : [`${T}, `, bolder(percent(padding))];
        return (
          end(g) - y(starts[g]) >= 1.05 * font && text(at, width, middle, { class: "end" }, says)
        );
      })
      .filter(Boolean);
    const heading = narrow ? "padding" : "steps, padding";
    if (named.length) named.push(text(at, width, 0.6 * em, { class: "tick end" }, heading));
    labels.replaceChildren(...named);
    const spans = [at.left, width - right];
    drawing.classList.toggle("counted", !now.mask);
    set(handle, { transform: `translate(0 ${px(y(chosen) + high / 2)})` });
    set(handle.children[0], {
      x: px(spans[0]),
      width: px(spans[1] - spans[0]),
      y: px(-high / 2),
      height: px(high),
    });
    set(handle.children[1], {
      x: px(spans[0] - 1),
      width: px(at.step(now.batches[groupOf(now, chosen)].T) - spans[0] + 2),
      y: px(-high / 2 - 1),
      height: px(high + 2),
      rx: 2,
    });
    set(handle.children[2], { transform: `translate(${px(0.8 * em)} 0)` });
    rowSpoken();
    cuts.forEach((node, k) => {
      const shown = bounds.length <= CUTS && k < bounds.length;
      node.style.display = shown ? "" : "none";
      set(node, { tabindex: shown ? 0 : -1 });
      if (!shown) return;
      const x = width - right + 0.85 * em;
      set(node, { transform: `translate(0 ${px(y(bounds[k]) - gap / 2)})` });
      for (const i of [0, 3]) set(node.children[i], { d: `M${px(at.left)} 0H${px(x)}` });
      set(node.children[1], { x: px(x - 12), y: -12, width: 24, height: 24, rx: 5 });
      const [a, b] = [0.28 * em, 0.5 * em];
      set(node.children[2], {
        d: `M${px(x)} ${px(-b)}l${px(a)} ${px(b)}l${px(-a)} ${px(b)}l${px(-a)} ${px(-b)}z`,
      });
      cutSpoken[k]();
    });
    actions.forEach((action, i) => {
      action.ariaPressed = String(!now.hand && Object.keys(ACTIONS)[i] === now.order);
    });
    told.replaceChildren(...words(now));
    open(now, chosen);
    say.say(told.textContent);
  }

  /** The chosen sentence, step by step. */
  function open(now, row) {
    const g = groupOf(now, row);
    const i = now.sentence - 1;
    const pads = now.batches[g].T - lengths[i];
    const first = row - now.groups.slice(0, g).flat().length + 1;
    title.replaceChildren(
      bold("", `Row ${first} of minibatch ${g + 1}: `),
      `${lengths[i]} steps, `,
      pads ? bold("pad", `and ${pads} of padding`) : "and no padding: it is the longest",
    );
    const key = [i, pads, now.mask, now.mask || now.steps].join();
    if (key === shown) return;
    shown = key;
    table.replaceChildren(...steps(i, pads, losses(i, now, now.mask), now.mask));
    set(strip, { tabindex: table.scrollWidth > strip.clientWidth ? 0 : null });
  }

  return keepDrawn(model, area, update, { resize });
}

const bolder = (words) => svg("tspan", { class: "share" }, words);

const groupOf = ({ groups }, row) => {
  let g = 0;
  for (; row >= groups[g].length; g++) row -= groups[g].length;
  return g;
};

// ---- the words

/** What a sentence's steps read and predict, which of them count, and what each costs. */
function steps(i, pads, { words, pad }, mask) {
  const special = (word) => (/^<.*>$/.test(word) ? { class: "special" } : {});
  const line = (name, cells, last) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, name),
      cells,
      pads > 0 && html("td", { class: "pads" }, last),
    );
  const cell = (word) => html("td", special(word), word);
  const many = pads > 1 ? ` × ${pads}` : "";
  return [
    line("reads", ["<s>", ...sentences[i]].map(cell), `<pad>${many}`),
    line("predicts", [...sentences[i], "</s>"].map(cell), `<pad>${many}`),
    line(
      "mask",
      words.map(() => html("td", {}, "1")),
      mask ? "0" : "1",
    ),
    line(
      "bits",
      words.map((bits) => html("td", {}, format(bits, 1))),
      mask ? "0" : `${format(pad, 1)}${pads > 1 ? " each" : ""}`,
    ),
  ];
}

/** What an arrangement wastes, what it takes, what a loss makes of it, and whose words count more. */
function words({
  groups,
  batches,
  steps,
  pads,
  padding,
  turns,
  masked,
  unmasked,
  mask,
  order,
  size,
  hand,
}) {
  const weights = batches.map(({ weight }) => weight);
  const [least, most] = [Math.min(...weights), Math.max(...weights)];
  const [light, heavy] = [least, most].map((weight) => weights.indexOf(weight) + 1);
  const n = groups.length;
  const how = hand ? "arranged by hand" : `${ACTIONS[order][1]}, ${size} at a time`;
  return [
    [
      bold("big", bold("pad", percent(padding)), " is padding"),
      `: ${pads} of ${steps} steps, ${how}.`,
    ],
    n === MANY
      ? `One sentence after another: all ${turns} steps in turn.`
      : [
          bold("", `${turns} steps`),
          ` one after another, where sentence by sentence it would be ${WORDS}.`,
        ],
    [
      "A model that knows how frequent each target is loses ",
      mask
        ? [bold("loss", `${format(masked, 2)} bits a word`), ", in any order."]
        : [
            bold("loss", `${format(unmasked, 2)} bits a step`),
            `, padding counted; on words, ${format(masked, 2)}.`,
          ],
    ].flat(),
    n === 1
      ? "All in one minibatch: each word counts the same."
      : `Each minibatch counts the same, so a word counts from ${format(least, 1)} times the average (minibatch ${light}) to ${format(most, 1)} times (${heavy}).`,
  ].map((line) => html("p", {}, line));
}
